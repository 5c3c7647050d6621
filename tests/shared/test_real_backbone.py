"""A published backbone: its CPDs equal an independent calculation, and its subgraphs are all there."""

import json
from pathlib import Path

import pytest

from bayes.cross_check import measure_recovery_gap
from bayes.recovery import recover_network
from bayes.subgraphs import SizeRange, count_connected
from schemas.backbones import Backbone
from schemas.raw_backbones import read_backbone


def load(path: Path) -> Backbone:
    return read_backbone(path.read_text(encoding="utf-8"), where=path.name, retrieved_at="").backbone


def test_every_cpd_cell_equals_the_independent_calculation(real: Path) -> None:
    network = recover_network(load(real / "wiki_00000.json").tables)
    expected = json.loads((real / "wiki_00000.cpds.json").read_text(encoding="utf-8"))
    assert set(expected) == set(network.by_name)
    for cpd in network.cpds:
        record = expected[cpd.variable]
        assert list(cpd.parents) == record["parents"]
        assert list(network.by_name[cpd.variable].states) == record["states"]
        assert set(cpd.rules) == {record["rule"]}
        assert cpd.matrix.shape[1] == len(record["columns"])
        for column, given in zip(cpd.matrix.T, record["columns"], strict=True):
            assert column == pytest.approx(given["probabilities"], abs=1e-6)
    assert sum(cpd.matrix.size for cpd in network.cpds) == 2357


def test_pyagrum_agrees_on_the_real_backbone(real: Path) -> None:
    tables = load(real / "wiki_00000.json").tables
    assert measure_recovery_gap(tables, recover_network(tables)) < 1e-12


def test_there_are_433_connected_subgraphs_of_three_to_nine_variables(real: Path) -> None:
    tables = load(real / "wiki_00000.json").tables
    counts = count_connected([variable.name for variable in tables.variables], tables.edges, SizeRange(3, 9, 2))
    assert counts == {3: 21, 4: 32, 5: 48, 6: 70, 7: 87, 8: 91, 9: 84}


def test_a_backbone_with_isolated_variables_and_digits_for_states_is_read(real: Path) -> None:
    tables = load(real / "wiki_00002.json").tables
    assert len(tables.variables) == 6
    assert len(tables.edges) == 2
    assert tables.by_name["time period"].states[0] == "2008"
