"""Networks come back from their rows digit by digit, and rows that make no network say why."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from bayes.network import Network
from schemas.errors import InputError
from schemas.rows import NamedNetwork
from storage.columns import to_cpd_columns
from storage.corpus import to_variable_rows
from storage.networks import read_backbone, read_networks, rebuild_networks
from storage.parquet import read_table, write_table
from storage.tables import ArrowTable, to_spec
from tests.storage.corpora import BACKBONE, DOMAIN, make_networks, write_backbone_tables
from tests.strategies import networks

Rows = list[dict[str, Any]]


def to_tables(named: list[NamedNetwork]) -> tuple[ArrowTable, ArrowTable]:
    rows = [row for item in named for row in to_variable_rows(*item)]
    cpds = to_cpd_columns(named).cast(to_spec("cpds").schema)
    return pa.Table.from_pylist(rows, schema=to_spec("variables").schema), cpds


def assert_same(one: Network, other: Network) -> None:
    assert one.variables == other.variables
    for a, b in zip(one.cpds, other.cpds, strict=True):
        assert (a.variable, a.parents, a.rules) == (b.variable, b.parents, b.rules)
        assert np.array_equal(a.matrix, b.matrix)


@settings(max_examples=40)
@given(networks())
def test_a_network_survives_its_rows_with_all_its_orders(network: Network) -> None:
    (rebuilt,) = rebuild_networks(*to_tables([NamedNetwork("n", network)]))
    assert rebuilt.network is not None
    assert_same(rebuilt.network, network)


def test_all_networks_of_a_backbone_are_read_by_id_and_share_their_cpds(tmp_path: Path) -> None:
    write_backbone_tables(tmp_path)
    read = dict(read_networks(tmp_path, DOMAIN, BACKBONE))
    written = dict(make_networks())
    assert list(read) == sorted(written)
    for name, network in written.items():
        assert_same(read[name], network)
    small, whole = read[f"{BACKBONE}-3-0000000b"], read[BACKBONE]
    assert small.cpd_of["river"] is whole.cpd_of["river"]


def test_the_backbones_own_network_is_the_one_with_its_id(tmp_path: Path) -> None:
    write_backbone_tables(tmp_path)
    network = read_backbone(tmp_path, DOMAIN, BACKBONE)
    assert network is not None
    assert_same(network, make_networks()[0].network)
    assert read_backbone(tmp_path, DOMAIN, "no-such-thing") is None


def drop_last(rows: Rows) -> Rows:
    return rows[:-1]


def swap(rows: Rows) -> Rows:
    return [rows[1], rows[0], *rows[2:]]


def repeat(rows: Rows) -> Rows:
    return [*rows, rows[-1]]


def scatter(rows: Rows) -> Rows:
    return [*rows[1:], rows[0]]


def with_value(column: str, value: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [*rows[:-1], rows[-1] | {column: value}]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (drop_last, "variable 'river': has 11 rows in cpds instead of 12"),
        (repeat, "variable 'river': has 13 rows in cpds instead of 12"),
        (swap, "variable 'dam': its states in cpds are not those of variables, in order"),
        (scatter, "rows that stand apart"),
        (with_value("state", "flooded"), "variable 'river': its states in cpds"),
        (with_value("parents", ["dam", "rain"]), "variable 'river': its parents' parents"),
        (with_value("parent_states", ["none", "open"]), "variable 'river': its parents' states"),
        (with_value("parent_states", ["none"]), "variable 'river': its parents' states"),
        (with_value("rule", "product"), "variable 'river': names two rules for one column"),
        (with_value("variable", "sea"), "cpds has rows of a variable that variables has not"),
        (with_value("network", "other"), "variable 'river': has 11 rows"),
    ],
)
def test_rows_that_make_no_network_say_what_is_wrong(change: Callable[[Rows], Rows], problem: str) -> None:
    network = make_networks()[2 - 1].network  # rain, dam, river: its last rows are those of river
    variables, cpds = to_tables([NamedNetwork("n", network)])
    changed = pa.Table.from_pylist(change(cpds.to_pylist()), schema=cpds.schema)
    first, *_ = rebuild_networks(variables, changed)
    assert first.network is None
    assert problem in first.problem


def test_a_network_with_rows_in_cpds_only_is_reported() -> None:
    variables, cpds = to_tables(make_networks())
    last = list(rebuild_networks(variables.slice(0, 4), cpds))[-1]
    assert last.network is None
    assert last.problem == "has rows in cpds and none in variables"


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("position", 7, "skip a position"),
        ("variable", "dam", "repeat a variable"),
        ("parents", ["sea"], "variable 'river' has a parent that is no variable"),
    ],
)
def test_rows_of_variables_must_make_sense_too(column: str, value: Any, problem: str) -> None:
    variables, cpds = to_tables([NamedNetwork("n", make_networks()[1].network)])
    changed = pa.Table.from_pylist(with_value(column, value)(variables.to_pylist()), schema=variables.schema)
    (rebuilt,) = rebuild_networks(changed, cpds)
    assert problem in rebuilt.problem


def test_an_unknown_rule_is_reported() -> None:
    network = make_networks()[1].network
    variables, cpds = to_tables([NamedNetwork("n", network)])
    rows = [row | {"rule": "guess"} for row in cpds.to_pylist()]
    (rebuilt,) = rebuild_networks(variables, pa.Table.from_pylist(rows, schema=cpds.schema))
    assert "'guess'" in rebuilt.problem


def test_reading_a_broken_network_is_an_input_error_that_names_it(tmp_path: Path) -> None:
    write_backbone_tables(tmp_path)
    cpds = read_table(tmp_path, "cpds", DOMAIN, BACKBONE).drop_columns(["domain", "backbone"])
    write_table(tmp_path, "cpds", DOMAIN, BACKBONE, cpds.slice(1), run="run-2")
    with pytest.raises(
        InputError, match=r"environment/river-floods: network 'river-floods': variable 'dam': has 1 rows"
    ):
        read_networks(tmp_path, DOMAIN, BACKBONE)
