"""Predictions, alignments and scores come back as they were, file by model, and what belongs together stays so."""

from dataclasses import fields, replace
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.scoring.records import Alignment, Match, Prediction
from bayes.scoring.scores import Scores
from schemas.benchmark import AlignmentRow, PredictionRow, ScoreRow
from schemas.predicted_networks import to_json
from storage.benchmark import (
    Reading,
    list_predicted,
    read_alignments,
    read_predictions,
    read_scores,
    to_part,
    write_alignments,
    write_predictions,
    write_scores,
)
from storage.corpus import write_examples
from storage.layout import is_part, list_files
from storage.tables import to_spec
from tests.storage.corpora import BACKBONE, DOMAIN, make_examples, write_backbone_tables
from tests.storage.readings import (
    BAD,
    EXAMPLES,
    GOOD,
    NETWORKS,
    make_prediction,
    make_predictions,
    make_scores,
    write_readings,
)

KEY = (DOMAIN, BACKBONE)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_backbone_tables(tmp_path)
    return tmp_path


def to_text(rows: tuple[PredictionRow, ...]) -> list[tuple[str, PredictionRow]]:
    """Rows that compare: the prediction as its JSON."""
    empty = Prediction()
    return [(to_json(row.prediction), replace(row, prediction=empty)) for row in rows]


def list_fields(rows: tuple[PredictionRow, ...]) -> list[tuple[str, ...]]:
    return [(text, *(str(getattr(row, f.name)) for f in fields(row)[:-2]), row.raw) for text, row in to_text(rows)]


def test_the_columns_of_scores_are_its_fields_with_the_same_types() -> None:
    schema, kinds = to_spec("scores").schema, get_type_hints(Scores)
    expected = {"float": "double", "int": "int32", "str": "string"}
    for field in fields(Scores):
        column = schema.field(field.name)
        names = {kind.__name__ for kind in getattr(kinds[field.name], "__args__", (kinds[field.name],))}
        assert column.nullable == ("NoneType" in names), field.name
        assert {expected[name] for name in names - {"NoneType"}} == {str(column.type)}, field.name
    own = {field.name for field in fields(ScoreRow)} - {"domain", "backbone", "scores"}
    assert set(schema.names) == own | {field.name for field in fields(Scores)}


def test_predictions_come_back_as_they_were_one_file_a_model(data: Path) -> None:
    rows = make_predictions()
    written = write_predictions(data, *KEY, rows, run="r")
    assert {file.path.name for file in written} == {
        f"{to_part(Reading(model, 'full'))}.parquet" for model in (BAD, GOOD)
    }
    assert list_fields(read_predictions(data, *KEY)) == list_fields(tuple(rows))
    assert list_fields(read_predictions(data, *KEY, models=[BAD])) == list_fields(tuple(rows[::2]))
    assert read_predictions(data, *KEY, mode="pairwise") == ()


def test_the_same_rows_again_leave_every_file_alone_whatever_their_order(data: Path) -> None:
    write_readings(data)
    again = (
        *write_predictions(data, *KEY, make_predictions()[::-1], run="other"),
        *write_alignments(data, *KEY, read_alignments(data, *KEY)[::-1], run="other"),
        *write_scores(data, *KEY, read_scores(data)[::-1], run="other"),
    )
    assert len(again) == 6
    assert not any(file.is_changed for file in again)


def test_who_predicted_is_listed_by_model_and_mode(data: Path) -> None:
    write_predictions(data, *KEY, [*make_predictions(), make_prediction(EXAMPLES[0], GOOD, "pairwise")], run="r")
    expected = (Reading(BAD, "full"), Reading(GOOD, "full"), Reading(GOOD, "pairwise"))
    assert list_predicted(data) == list_predicted(data, *KEY) == expected
    assert list_predicted(data, "society") == ()


def test_other_examples_of_a_file_are_kept_unless_the_corpus_has_them_no_more(data: Path) -> None:
    write_predictions(data, *KEY, [make_prediction(EXAMPLES[1])], run="r")
    write_predictions(data, *KEY, [make_prediction(EXAMPLES[0])], run="r")
    assert [row.example for row in read_predictions(data, *KEY)] == list(EXAMPLES)
    write_examples(data, *KEY, [row for row in make_examples() if row.example == EXAMPLES[0]], run="r")
    write_predictions(data, *KEY, [make_prediction(EXAMPLES[0])], run="r")
    assert [row.example for row in read_predictions(data, *KEY)] == [EXAMPLES[0]]


def test_a_prediction_that_changes_takes_its_old_scores_along_and_no_others(data: Path) -> None:
    write_readings(data)
    write_scores(data, *KEY, [replace(row, judge="other") for row in read_scores(data)], run="r")
    write_predictions(data, *KEY, [make_prediction(EXAMPLES[0], network=NETWORKS[EXAMPLES[1]])], run="r")
    left = {(row.example, row.model, row.judge) for row in read_scores(data)}
    everything = {(e, m, j) for e in EXAMPLES for m in (BAD, GOOD) for j in ("exact", "other")}
    assert left == everything - {(EXAMPLES[0], GOOD, "exact"), (EXAMPLES[0], GOOD, "other")}
    assert {(row.example, row.model) for row in read_alignments(data, *KEY)} == {
        (example, model) for example, model, _ in left
    }


def test_a_file_of_scores_that_is_empty_then_is_gone(data: Path) -> None:
    write_readings(data)
    changed = [make_prediction(example, network=NETWORKS[EXAMPLES[example == EXAMPLES[0]]]) for example in EXAMPLES]
    write_predictions(data, *KEY, changed, run="r")
    assert len(list(list_files(data, "scores"))) == 1
    assert {row.model for row in read_scores(data)} == {BAD}


NAMES = st.sampled_from(["rain", "Regen", "pluie", "río"])
MATCHES = st.lists(st.builds(Match, NAMES, NAMES), max_size=3, unique_by=(lambda m: m.reference, lambda m: m.predicted))


@st.composite
def alignments(draw: st.DrawFn) -> Alignment:
    variables = tuple(draw(MATCHES))
    duplicates = tuple(draw(st.lists(NAMES, max_size=3)))
    return Alignment(variables, duplicates, {match.reference: tuple(draw(MATCHES)) for match in variables})


@settings(max_examples=30)
@given(found=st.lists(alignments(), min_size=2, max_size=2))
def test_alignments_come_back_as_they_were_also_where_nothing_matches(
    found: list[Alignment], tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("data")
    write_examples(data, *KEY, make_examples(), run="r")
    rows = tuple(
        AlignmentRow(*KEY, example, GOOD, "full", "j", alignment)
        for example, alignment in zip(EXAMPLES, found, strict=True)
    )
    write_alignments(data, *KEY, rows, run="r")
    assert read_alignments(data, *KEY) == rows
    assert read_alignments(data, *KEY, judge="j", models=[GOOD], mode="full") == rows
    assert read_alignments(data, *KEY, judge="k") == ()


def test_scores_come_back_as_they_were_with_nothing_where_they_are_undefined(data: Path) -> None:
    rows = make_scores(data)
    write_scores(data, *KEY, rows, run="r")
    assert read_scores(data) == rows
    assert read_scores(data, models=[GOOD]) == tuple(row for row in rows if row.model == GOOD)
    assert read_scores(data, judge="lexical") == read_scores(data, "society") == ()
    failed = next(row.scores for row in rows if row.model == BAD)
    assert (failed.cpd_kl, failed.marginal_tv_skipped) == (None, "no variable is matched")


def test_rows_of_another_backbone_of_no_example_or_twice_are_refused(data: Path) -> None:
    row = make_prediction(EXAMPLES[0])
    with pytest.raises(ValueError, match="is not of backbone society/x"):
        write_predictions(data, "society", "x", [row], run="r")
    with pytest.raises(ValueError, match="'river-floods-9' is no example of"):
        write_predictions(data, *KEY, [replace(row, example="river-floods-9")], run="r")
    with pytest.raises(ValueError, match="has two rows"):
        write_predictions(data, *KEY, [row, row], run="r")


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_model_and_judge_have_a_file_name_of_their_own(model: str, judge: str) -> None:
    part = to_part(Reading(model, "full"), judge)
    assert is_part(part)
    assert part != to_part(Reading(model, "pairwise"), judge)
    assert part != to_part(Reading(model, "full"), f"{judge} ")


def test_text_that_cannot_be_written_is_replaced_rather_than_losing_the_row(data: Path) -> None:
    write_predictions(data, *KEY, [replace(make_prediction(EXAMPLES[0]), raw="\ud800")], run="r")
    assert read_predictions(data, *KEY)[0].raw == "?"


def test_numbers_of_a_prediction_survive_to_the_last_digit(data: Path) -> None:
    row = make_prediction(EXAMPLES[0])
    write_predictions(data, *KEY, [row], run="r")
    (back,) = read_predictions(data, *KEY)
    for name, cpd in row.prediction.cpds.items():
        assert np.array_equal(back.prediction.cpds[name].matrix, cpd.matrix)
