"""References are the examples with the tables of one parent that they came with, or that were elicited."""

from pathlib import Path

import numpy as np
import pytest

from bayes.network import Edge
from schemas.errors import InputError
from schemas.networks import to_json
from schemas.released import read_corpus
from storage.corpus import write_rows
from storage.parquet import read_table
from storage.references import read_references
from tests.storage.corpora import BACKBONE, DOMAIN, write_backbone_tables
from tests.storage.readings import NETWORKS, make_released, write_imported


def test_an_elicited_example_has_the_conditionals_of_the_pairwise_joints(tmp_path: Path) -> None:
    write_backbone_tables(tmp_path)
    references = read_references(tmp_path, DOMAIN, BACKBONE)
    assert {name: to_json(item.network) for name, item in references.items()} == {
        name: to_json(network) for name, network in NETWORKS.items()
    }
    pairwise = references[f"{BACKBONE}-3-0000000b"].pairwise
    assert set(pairwise) == {Edge("rain", "river"), Edge("dam", "river")}
    # The joint of rain and river, from make_tables, is (0.2, 0.1), (0.1, 0.2), (0.04, 0.36) with rain in rows.
    expected = [[2 / 3, 1 / 3, 0.1], [1 / 3, 2 / 3, 0.9]]
    assert pairwise[Edge("rain", "river")] == pytest.approx(np.array(expected))


def test_an_elicited_row_without_mass_tells_nothing(tmp_path: Path) -> None:
    write_backbone_tables(tmp_path)
    rows = read_table(tmp_path, "joints", DOMAIN, BACKBONE).drop_columns(["domain", "backbone"]).to_pylist()
    changed = [row | {"probability": 0.0} if row["parent_states"] == ["full"] else row for row in rows]
    write_rows(tmp_path, "joints", DOMAIN, BACKBONE, changed, run="r")
    table = read_references(tmp_path, DOMAIN, BACKBONE)[f"{BACKBONE}-3-0000000a"].pairwise[Edge("river", "flood")]
    assert np.isnan(table[:, 0]).all()
    assert table[:, 1].sum() == pytest.approx(1)


def test_an_imported_example_has_the_tables_that_the_file_gives_completed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(data)
    read = read_references(data, "environment", "wiki-1")
    made = {item.released.id: item.reference for item in read_corpus(tmp_path / "corpus.json").examples}
    assert set(read) == {"wiki-1-bn-1", "wiki-1-bn-2"}
    for example, source in (("wiki-1-bn-1", "bn_1"), ("wiki-1-bn-2", "bn_2")):
        assert to_json(read[example].network) == to_json(made[source].network)
        assert (
            set(read[example].pairwise) == set(made[source].pairwise) == {Edge("rain", "flood"), Edge("flood", "trade")}
        )
        for edge, table in made[source].pairwise.items():
            assert read[example].pairwise[edge] == pytest.approx(table, abs=1e-15)


def test_a_backbone_without_examples_has_no_references(tmp_path: Path) -> None:
    assert read_references(tmp_path, DOMAIN, BACKBONE) == {}


def test_a_table_of_another_size_is_an_input_error_that_names_the_edge(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(data, bn_1=make_released())
    rows = read_table(data, "pairwise").drop_columns(["domain", "backbone"]).to_pylist()
    write_rows(data, "pairwise", "environment", "wiki-1", rows[1:], run="r")
    with pytest.raises(InputError, match="the table of 'rain' -> 'flood' has 3 cells instead of 2 x 2"):
        read_references(data, "environment", "wiki-1")
