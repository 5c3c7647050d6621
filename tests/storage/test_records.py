"""Records come back from the tables as they were handed over."""

import json
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.networks import to_json
from schemas.rows import BackboneKey
from storage.corpus import write_rows
from storage.parquet import read_table
from storage.records import find_example, read_articles, read_backbones, read_examples, read_failures, read_splits
from tests.storage.corpora import BACKBONE, DOMAIN, FAILURE, make_article, make_backbone, make_examples, write_corpus


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_corpus(tmp_path)
    return tmp_path


def test_articles_and_backbones_survive_the_round_trip(data: Path) -> None:
    assert read_articles(data, DOMAIN, BACKBONE) == (make_article(),)
    assert read_backbones(data, DOMAIN, BACKBONE) == (make_backbone(),)
    assert [row.backbone for row in read_backbones(data)] == [BACKBONE, "bread-riots"]


def test_examples_survive_the_round_trip_with_their_networks(data: Path) -> None:
    read = list(read_examples(data, DOMAIN))
    written = sorted(make_examples(), key=lambda row: row.example)
    assert [(row.example, row.text, row.writer, row.checks, row.split) for row in read] == [
        (row.example, row.text, row.writer, row.checks, row.split) for row in written
    ]
    assert [to_json(row.network) for row in read] == [to_json(row.network) for row in written]


def test_an_example_is_found_by_its_id_alone(data: Path) -> None:
    found = find_example(data, "bread-riots-3-0000000b")
    assert found is not None
    assert (found.domain, found.backbone, found.example) == ("society", "bread-riots", "bread-riots-3-0000000b")
    assert find_example(data, "bread-riots-3-ffffffff") is None
    assert find_example(data, "../x") is None


def test_the_split_of_every_backbone_is_read_back(data: Path) -> None:
    assert read_splits(data) == {
        BackboneKey(DOMAIN, BACKBONE): "train",
        BackboneKey("society", "bread-riots"): "test",
    }


def test_failures_can_be_read_for_one_run(data: Path) -> None:
    assert read_failures(data) == (FAILURE,)
    assert read_failures(data, "run-1") == (FAILURE,)
    assert read_failures(data, "run-2") == ()


def test_an_empty_folder_has_no_records(tmp_path: Path) -> None:
    assert read_articles(tmp_path) == ()
    assert list(read_examples(tmp_path)) == []
    assert read_splits(tmp_path) == {}


def test_an_example_whose_network_cannot_be_read_is_named(data: Path) -> None:
    rows = read_table(data, "examples", DOMAIN, BACKBONE).drop_columns(["domain", "backbone"]).to_pylist()
    rows[0]["network_json"] = json.dumps({"variables": [{"name": "a"}]})
    write_rows(data, "examples", DOMAIN, BACKBONE, rows, run="run-2")
    with pytest.raises(
        InputError, match=r"examples of environment/river-floods: river-floods-3-0000000a: network JSON"
    ):
        list(read_examples(data))
