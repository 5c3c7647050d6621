"""Domain records become the rows that the tables promise."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bayes.network import Network
from schemas.networks import to_json
from schemas.rows import NamedNetwork
from storage.corpus import write_examples, write_networks
from storage.layout import BENCHMARK, HISTORY, SCM
from storage.parquet import read_info, read_table
from storage.tables import TABLES
from tests.storage.corpora import (
    BACKBONE,
    DOMAIN,
    EDGES,
    make_examples,
    make_networks,
    write_backbone_tables,
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_backbone_tables(tmp_path)
    return tmp_path


def read_rows(data: Path, table: str, **equal: Any) -> list[dict[str, Any]]:
    rows = read_table(data, table).to_pylist()
    return [row for row in rows if all(row[name] == value for name, value in equal.items())]


def test_every_file_names_the_run_that_made_it(data: Path) -> None:
    paths = list(data.rglob("*.parquet"))
    assert {path.parts[-4] for path in paths} == set(TABLES) - {*HISTORY, *SCM, *BENCHMARK, "imports", "pairwise"}
    assert {read_info(path).run for path in paths} == {"run-1"}


def test_rows_are_sorted_by_the_columns_of_the_key(data: Path) -> None:
    for name, spec in TABLES.items():
        keys = [tuple(row[column] for column in spec.key) for row in read_table(data, name).to_pylist()]
        assert keys == sorted(keys), name


def test_a_backbone_counts_its_dropped_edges_and_gives_their_reasons(data: Path) -> None:
    (row,) = read_rows(data, "backbones")
    assert row["network"] == BACKBONE
    assert row["n_dropped_edges"] == 1
    assert row["dropped_edges"] == [{"parent": "flood", "child": "rain", "reason": "closes_cycle"}]
    assert row["max_reconcile_move"] is None


def test_a_variable_carries_its_place_in_the_order_and_in_the_graph(data: Path) -> None:
    # rain -> river -> flood and dam -> river: levels 0, 0, 1, 2.
    rows = {row["variable"]: row for row in read_rows(data, "variables", network=BACKBONE)}
    assert list(rows) == ["dam", "flood", "rain", "river"]
    assert [rows[name]["position"] for name in ("rain", "dam", "river", "flood")] == [0, 1, 2, 3]
    assert [rows[name]["level"] for name in ("rain", "dam", "river", "flood")] == [0, 0, 1, 2]
    assert [rows[name]["n_children"] for name in ("rain", "dam", "river", "flood")] == [1, 1, 1, 0]
    assert rows["river"]["parents"] == ["rain", "dam"]
    assert rows["rain"]["states"] == ["heavy", "light", "none"]


def test_gaps_stand_with_the_backbones_edges_and_mechanisms_with_all(data: Path) -> None:
    edges = {(row["network"], row["parent"], row["child"]): row for row in read_rows(data, "edges")}
    own = edges[BACKBONE, *EDGES[0]]
    assert (own["mechanism"], own["parent_gap"], own["child_gap"], own["joint_gap"]) == ("runoff", 0.01, 0.02, 0.0)
    assert edges[BACKBONE, *EDGES[2]]["joint_gap"] is None
    assert edges[BACKBONE, *EDGES[1]]["parent_gap"] is None  # not measured
    example = edges[f"{BACKBONE}-3-0000000a", *EDGES[0]]
    assert (example["mechanism"], example["parent_gap"]) == ("runoff", None)


def test_marginals_carry_what_was_elicited_beside_what_the_network_implies(data: Path) -> None:
    rows = {(row["variable"], row["state"]): row for row in read_rows(data, "marginals")}
    dam = rows["dam", "open"]
    assert (dam["probability"], dam["raw_sum"], dam["n_floored"]) == (0.5, 0.9, 1)
    # dam has no parents, so the network implies its own marginal.
    assert dam["implied"] == pytest.approx(0.5)
    assert sum(rows["flood", state]["implied"] for state in ("severe", "none")) == pytest.approx(1)


def test_joints_hold_every_pairwise_and_multi_parent_table(data: Path) -> None:
    tables = {(row["kind"], row["child"], tuple(row["parents"])) for row in read_rows(data, "joints")}
    assert tables == {
        ("pairwise", "flood", ("river",)),
        ("multi", "river", ("rain", "dam")),
        ("pairwise", "river", ("dam",)),
        ("pairwise", "river", ("rain",)),
    }


def test_an_example_has_its_counts_derived_from_its_network_and_text(data: Path) -> None:
    # Example ...a is rain -> river -> flood: three variables, two edges, depth two.
    row = read_rows(data, "examples", example=f"{BACKBONE}-3-0000000a")[0]
    assert row["variables"] == ["rain", "river", "flood"]
    assert (row["n_variables"], row["n_edges"], row["depth"], row["words"]) == (3, 2, 2, 3)
    assert row["network_json"] == to_json(dict(make_networks())[row["example"]])


def test_writing_the_same_backbone_again_changes_no_file(data: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in data.rglob("*.parquet")}
    written = write_backbone_tables(data, run="run-2")
    assert not any(item.is_changed for item in written)
    assert {path: path.stat().st_mtime_ns for path in data.rglob("*.parquet")} == before


def test_the_order_in_which_examples_come_does_not_matter(data: Path) -> None:
    assert not write_examples(data, DOMAIN, BACKBONE, reversed(make_examples()), run="run-2").is_changed
    assert not any(
        item.is_changed
        for item in write_networks(
            data, DOMAIN, BACKBONE, reversed(make_networks()), run="r", mechanisms={EDGES[0]: "runoff"}
        )[2:]
    )


def test_a_backbone_without_examples_has_an_empty_file(tmp_path: Path) -> None:
    written = write_examples(tmp_path, DOMAIN, BACKBONE, [], run="r")
    assert written.path.is_file()
    assert read_table(tmp_path, "examples").num_rows == 0


def test_an_example_cannot_be_written_under_another_backbone(tmp_path: Path) -> None:
    stray = replace(make_examples()[0], backbone="sea-floods")
    with pytest.raises(ValueError, match="is not of backbone environment/river-floods"):
        write_examples(tmp_path, DOMAIN, BACKBONE, [stray], run="r")


def test_a_network_with_a_cycle_is_refused(tmp_path: Path) -> None:
    network = make_networks()[0].network
    flood = network.cpd_of["flood"]
    # river given flood and flood given river; both have two states, so flood's matrix fits either way.
    looped = Network(
        tuple(network.by_name[name] for name in ("river", "flood")),
        (replace(flood, variable="river", parents=("flood",)), flood),
    )
    with pytest.raises(ValueError, match="cycle"):
        write_networks(tmp_path, DOMAIN, BACKBONE, [NamedNetwork(BACKBONE, looped)], run="r")
    assert not list(tmp_path.rglob("*.parquet"))


def test_hostile_names_are_values_and_nothing_else(tmp_path: Path) -> None:
    network = make_networks()[1].network
    name = "../../etc/$(touch x)\n| a | {{ b }} 'DROP"
    river = replace(network.by_name["river"], name=name)
    changed = Network(
        (*network.variables[:2], river), (*network.cpds[:2], replace(network.cpd_of["river"], variable=name))
    )
    write_networks(tmp_path, DOMAIN, BACKBONE, [NamedNetwork(BACKBONE, changed)], run="r")
    assert name in read_table(tmp_path, "cpds")["variable"].to_pylist()
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"part.parquet"}
