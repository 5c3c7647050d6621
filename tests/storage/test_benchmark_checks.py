"""Verification misses nothing that a reader of predictions, alignments and scores, or of an import, relies on."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.benchmark import Reading, to_part
from storage.benchmark_checks import MAX_RESCORED, BenchmarkRows, check_scores
from storage.corpus import write_rows
from storage.layout import BENCHMARK, PART, partition
from storage.parquet import read_table
from storage.verification import TableCount, verify
from tests.storage.corpora import BACKBONE, DOMAIN, write_backbone_tables
from tests.storage.readings import BAD, EXAMPLES, GOOD, make_scores, write_imported, write_readings

Rows = list[dict[str, Any]]
Edit = Callable[[Rows], Rows]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "data"
    write_backbone_tables(folder)
    write_readings(folder)
    write_imported(folder)
    return folder


@pytest.fixture
def data(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "data"))


def change(data: Path, table: str, edit: Edit, model: str = GOOD) -> None:
    """Rewrite one model's file as a careless program would."""
    rows = read_table(data, table, DOMAIN, BACKBONE).drop_columns(["domain", "backbone"]).to_pylist()
    part = to_part(Reading(model, "full"), "" if table == "predictions" else "exact")
    own = [row for row in rows if row["model"] == model]
    write_rows(data, table, DOMAIN, BACKBONE, edit(own), run="careless", part=part)


def set_first(**values: Any) -> Edit:
    return lambda rows: [rows[0] | values, *rows[1:]]


def append_space(rows: Rows) -> Rows:
    return [rows[0] | {"network_json": rows[0]["network_json"] + " "}, *rows[1:]]


def set_rows(start: int, stop: int, **values: Any) -> Edit:
    return lambda rows: [row | values if start <= i < stop else row for i, row in enumerate(rows)]


def repeat_first(rows: Rows) -> Rows:
    return [rows[0], *rows]


def drop_first(rows: Rows) -> Rows:
    return rows[1:]


def find(data: Path) -> dict[str, str]:
    """What is found, by table; one finding a table is enough here."""
    return {finding.table: finding.what for finding in reversed(verify(data).findings)}


def test_what_the_program_writes_is_sound_and_counted(sound: Path) -> None:
    report = verify(sound)
    assert report.findings == ()
    assert TableCount("scores", 2, 4) in report.tables
    assert (report.n_backbones, report.n_networks) == (3, 6)


@pytest.mark.parametrize(
    ("table", "edit", "what"),
    [
        ("predictions", set_first(example=f"{BACKBONE}-0"), f"'{BACKBONE}-0' is no example of this backbone"),
        ("predictions", repeat_first, "is there 2 times"),
        ("predictions", set_first(n_edges=9), "n_edges is 9, the prediction has 2"),
        ("predictions", set_first(network_json="{}"), "prediction JSON: variables: Field required"),
        ("predictions", append_space, "is not canonical"),
        ("predictions", set_first(status="fine"), "'fine' is no status"),
        ("predictions", set_first(status="failed"), "is failed with 3 variables"),
        ("predictions", set_first(reason="truncated"), "is complete with the reason 'truncated'"),
        ("alignments", set_first(example=f"{BACKBONE}-0"), f"'{BACKBONE}-0' is no example of this backbone"),
        ("alignments", set_first(kind="odd"), "'odd' is no kind of match"),
        ("alignments", set_first(kind="duplicate"), "a match of the kind 'duplicate' has other columns"),
        ("scores", set_first(node_f1=0.5), "node_f1 is 0.5; scored afresh it is 1.0"),
        ("scores", set_first(cpd_kl=None), "cpd_kl is None; scored afresh it is"),
        ("scores", set_first(joint_kl_skipped="no reason"), "joint_kl_skipped is no reason; scored afresh it is None"),
        ("scores", set_first(n_variables=9), "n_variables and n_edges are not the reference's"),
        ("scores", set_first(is_truncated=True), "status and is_truncated are not the prediction's"),
        ("scores", set_first(model="made-up:other"), "has no prediction"),
        ("scores", set_first(judge="lexical"), "has no alignment"),
        ("scores", repeat_first, "is there 2 times"),
    ],
)  # fmt: skip
def test_a_broken_promise_is_found_in_its_table(data: Path, table: str, edit: Edit, what: str) -> None:
    change(data, table, edit)
    found = find(data)
    assert set(found) == {table}
    assert what in found[table]


def test_scores_that_belong_to_another_alignment_are_found(data: Path) -> None:
    change(data, "alignments", lambda rows: [row for row in rows if row["reference_variable"] != "river"])
    assert "scored afresh" in find(data)["scores"]


def test_an_alignment_that_does_not_fit_its_prediction_is_found(data: Path) -> None:
    change(data, "alignments", set_first(predicted_variable="sea"))
    assert "one of them is not there" in find(data)["scores"]


def test_a_model_whose_predictions_are_gone_is_found(data: Path) -> None:
    shutil.rmtree(partition(data, "predictions", DOMAIN, BACKBONE))
    assert "has no prediction" in find(data)["scores"]


def test_tables_of_a_backbone_that_the_corpus_has_not_are_found(data: Path) -> None:
    for table in BENCHMARK:
        folder = partition(data, table, DOMAIN, BACKBONE)
        folder.rename(folder.with_name("backbone=river-fl"))
    found = find(data)
    assert set(found) == set(BENCHMARK)
    assert "is no example of this backbone" in found["predictions"] or "does not begin" in found["predictions"]


def test_of_many_scores_some_are_computed_afresh_spread_over_all(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import storage.benchmark_checks as module

    chosen: list[int] = []
    rows = make_scores(data)
    n = 3 * MAX_RESCORED

    def note(*_: object) -> list[str]:
        chosen.append(1)
        return ["seen"]

    monkeypatch.setattr(module, "_rescore", note)
    from storage.benchmark import read_alignments, read_predictions
    from storage.references import read_references

    known = (read_references(data, DOMAIN, BACKBONE), read_predictions(data, DOMAIN, BACKBONE))
    many = [rows[i % len(rows)] for i in range(n)]
    found = list(check_scores(BenchmarkRows(*known, read_alignments(data, DOMAIN, BACKBONE), many)))
    assert len(chosen) == len(found) == MAX_RESCORED
    # A third of them, and the four rows come in turn: each is met.
    assert {what.split(",")[0].strip("'") for what in found} == set(EXAMPLES)
    assert {BAD, GOOD} == {what.split(", ")[1] for what in found}


def change_import(data: Path, table: str, edit: Edit) -> None:
    rows = read_table(data, table, DOMAIN, "wiki-1").drop_columns(["domain", "backbone"]).to_pylist()
    write_rows(data, table, DOMAIN, "wiki-1", edit(rows), run="careless", part=PART)


@pytest.mark.parametrize(
    ("table", "edit", "what"),
    [
        ("imports", drop_first, "'wiki-1-bn-1': is an example without a row"),
        ("imports", set_first(example="wiki-1-bn-0"), "'wiki-1-bn-0': is no example"),
        ("imports", set_first(source_id="bn_2"), "source_id 'bn_2' is there 2 times"),
        ("pairwise", set_first(network="wiki-1-bn-0"), "has no network in cpds"),
        ("pairwise", set_first(parent="sun"), "is no edge"),
        ("pairwise", drop_first, "its rows are not one per state of both"),
        ("pairwise", set_first(probability=-0.1), "a probability is negative"),
        ("pairwise", set_first(probability=0.7), "completed is not what the probabilities give"),
        ("pairwise", set_rows(2, 3, completed=0.9), "does not sum to 1"),
        ("pairwise", set_rows(2, 4, completed=0.5), "is not the CPD of its child"),
        ("pairwise", set_rows(0, 4, probability=None), "although the table tells nothing"),
        ("examples", set_first(words=9), "words is 9"),
        ("cpds", set_first(probability=0.9), "a column sums to"),
    ],
)  # fmt: skip
def test_a_broken_promise_of_an_imported_corpus_is_found(data: Path, table: str, edit: Edit, what: str) -> None:
    change_import(data, table, edit)
    assert any(what in finding.what for finding in verify(data).findings), verify(data).findings


@pytest.mark.parametrize("table", ["articles", "examples", "variables", "edges", "cpds", "imports", "pairwise"])
def test_a_table_that_an_imported_backbone_lacks_is_found(data: Path, table: str) -> None:
    shutil.rmtree(partition(data, table, DOMAIN, "wiki-1"))
    assert find(data)[table] == "there are no rows for this backbone"
