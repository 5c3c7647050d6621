"""Raw records become backbones whole, or are refused in one line that names the file, the line and the field."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from bayes.network import Edge
from schemas.errors import InputError
from schemas.raw_backbones import ImportedBackbone, read_backbone

RECORD: dict[str, Any] = {
    "id": "wiki_1",
    "title": "Floods",
    "domain": "environment",
    "url": "https://en.wikipedia.org/wiki/Flood",
    "text": "Rain and wind bring floods.",
    "nodes": [
        {"name": "rain", "states": ["heavy", "none"]},
        {"name": "wind", "states": ["strong", "None"]},
        {"name": "flood", "states": ["wide", "none"]},
    ],
    "edges": [{"parent": "rain", "child": "flood"}, {"parent": "wind", "child": "flood"}],
    "marginals": {
        "rain": {"heavy": 0.3, "none": 0.7},
        "wind": {"strong": 0.5, "None": 0.5},
        "flood": {"wide": 0.2, "none": 0.8},
    },
    "joints": [
        {
            "parent": "rain",
            "child": "flood",
            "table": {"heavy": {"wide": 0.2, "none": 0.1}, "none": {"wide": 0.1, "none": 0.6}},
        },
        {
            "parent": "wind",
            "child": "flood",
            "table": {"strong": {"wide": 0.2, "none": 0.3}, "None": {"wide": 0.1, "none": 0.4}},
        },
    ],
    "multi_joints": [
        {
            "child": "flood",
            "parents": ["rain", "wind"],
            "table": {
                f"rain={rain}": {f"wind={wind}": {"wide": 0.1, "none": 0.15} for wind in ("strong", "None")}
                for rain in ("heavy", "none")
            },
        }
    ],
}


def read(record: dict[str, Any]) -> ImportedBackbone:
    return read_backbone(json.dumps(record), where="f.jsonl: line 1", retrieved_at="2026-01-01T00:00:00Z")


def test_a_whole_record_becomes_tables_and_an_article() -> None:
    imported = read(RECORD)
    tables = imported.backbone.tables
    assert imported.backbone.key == ("environment", "floods")
    assert tables.edges == (Edge("rain", "flood"), Edge("wind", "flood"))
    assert tables.by_name["wind"].states == ("strong", "none")
    assert tables.pairwise[Edge("rain", "flood")].values.tolist() == [[0.2, 0.1], [0.1, 0.6]]
    assert tables.multi["flood"].values.shape == (2, 2, 2)
    assert imported.article.licence == "CC BY-SA 4.0"


def test_a_single_missing_cell_is_floored() -> None:
    record = copy.deepcopy(RECORD)
    del record["joints"][0]["table"]["heavy"]["none"]
    assert read(record).backbone.tables.pairwise[Edge("rain", "flood")].n_floored == 1


def test_a_cycle_loses_its_closing_edge_and_says_so() -> None:
    record = copy.deepcopy(RECORD)
    record["edges"].append({"parent": "flood", "child": "rain"})
    assert [drop.reason for drop in read(record).backbone.dropped] == ["closes_cycle"]


def change(*path: str | int, to: Any = None, remove: bool = False) -> Callable[[dict[str, Any]], None]:
    def apply(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        if remove:
            del record[path[-1]]
        else:
            record[path[-1]] = to

    return apply


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change("nodes", 0, "states", to=[]), "nodes.0.states: the node 'rain' has no states"),
        (change("nodes", 0, "states", to=["heavy", "heavy"]), "the state 'heavy' twice"),
        (change("nodes", 0, "name", to="wind"), "two nodes called 'wind'"),
        (change("nodes", 0, "name", to="x" * 5000), "longer than 100"),
        (change("edges", 0, "parent", to="snow"), "edges.0: names the unknown node 'snow'"),
        (change("joints", 0, "table", "none", remove=True), "the row of 'rain' = 'none' is missing"),
        (change("joints", 0, "table", "heavy", "wide", to=-0.2), "joints.rain -> flood"),
        (change("joints", 0, "table", "heavy", "wide", to=float("nan")), "joints.rain -> flood"),
        (change("joints", 0, "table", "heavy", "narrow", to=0.1), "'flood' has no state 'narrow'"),
        (change("joints", 0, remove=True), "joints.rain -> flood: is missing"),
        (change("marginals", "wind", remove=True), "marginals.wind: is missing"),
        (change("marginals", "wind", to={"strong": 0, "None": 0}), "marginals.wind"),
        (change("multi_joints", 0, "parents", to=["rain", "snow"]), "multi_joints.0 (flood)"),
        (change("multi_joints", 0, "table", to={"heavy": {}}), "should be 'rain=<state>'"),
        (change("nodes", remove=True), "nodes: Field required"),
        (change("nodes", to=[]), "nodes: "),
    ],
)
def test_each_kind_of_bad_record_is_refused_by_file_and_field(
    edit: Callable[[dict[str, Any]], None], message: str
) -> None:
    record = copy.deepcopy(RECORD)
    edit(record)
    with pytest.raises(InputError) as error:
        read(record)
    assert str(error.value).startswith("f.jsonl: line 1: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_line_that_is_no_json_is_refused() -> None:
    with pytest.raises(InputError, match="line 7: not JSON"):
        read_backbone("{oops", where="f.jsonl: line 7", retrieved_at="")
