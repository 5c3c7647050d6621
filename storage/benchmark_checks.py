"""Whether predictions, alignments and scores belong to the corpus and to one another.

Scores are computed afresh from the stored prediction, alignment and reference: of a backbone with more than
``MAX_RESCORED`` scores for so many, spread evenly. One takes about two milliseconds, so a corpus of fifty backbones is
checked in some ten seconds.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Reference
from bayes.scoring.scores import score
from schemas.benchmark import AlignmentRow, PredictionRow, ScoreRow
from schemas.errors import InputError
from schemas.predicted_networks import from_json, to_json
from storage.benchmark import SCORE_FIELDS

MAX_RESCORED = 100
TOLERANCE = 1e-6
"""Exact inference is rounded to nine decimals, and the smallest probability that a logarithm is taken of is 1e-6."""

KINDS = ("variable", "state", "duplicate", "empty")
STATUSES = ("complete", "partial", "failed")


@dataclass(frozen=True, slots=True, eq=False)
class BenchmarkRows:
    """What a backbone's tables hold, for the checks that need all of them."""

    references: Mapping[str, Reference]
    predictions: Sequence[PredictionRow]
    alignments: Sequence[AlignmentRow]
    scores: Sequence[ScoreRow]


def check_prediction_rows(rows: Sequence[Mapping[str, Any]], examples: Mapping[str, Reference]) -> Iterator[str]:
    """What is wrong with rows of ``predictions`` by themselves, a line each."""
    yield from _check_keys(rows, ("example", "model", "mode"), examples)
    for row in rows:
        what = f"{row['example']!r}, {row['model']}"
        try:
            prediction = from_json(row["network_json"])
        except InputError as error:
            yield f"{what}: {error}"
            continue
        if to_json(prediction) != row["network_json"]:
            yield f"{what}: network_json is not canonical"
        for name, count in (("n_variables", len(prediction.variables)), ("n_edges", len(prediction.edges))):
            if row[name] != count:
                yield f"{what}: {name} is {row[name]}, the prediction has {count}"
        if row["status"] not in STATUSES:
            yield f"{what}: {row['status']!r} is no status"
        # A complete prediction may be one of nothing.
        elif {"failed": bool(prediction.variables), "partial": not prediction.variables}.get(row["status"], False):
            yield f"{what}: is {row['status']} with {len(prediction.variables)} variables"
        if (row["status"] == "complete") != (row["reason"] == ""):
            yield f"{what}: is {row['status']} with the reason {row['reason']!r}"


def check_alignment_rows(rows: Sequence[Mapping[str, Any]], examples: Mapping[str, Reference]) -> Iterator[str]:
    """What is wrong with rows of ``alignments`` by themselves, a line each."""
    yield from _find_strangers(rows, examples)
    for row in rows:
        names = [row[name] is not None for name in ("reference_variable", "predicted_variable")]
        states = [row[name] is not None for name in ("reference_state", "predicted_state")]
        expected = {
            "variable": ([True, True], [False, False]),
            "state": ([True, True], [True, True]),
            "duplicate": ([False, True], [False, False]),
            "empty": ([False, False], [False, False]),
        }.get(row["kind"])
        if expected is None:
            yield f"{row['example']!r}, {row['model']}: {row['kind']!r} is no kind of match"
        elif (names, states) != expected:
            yield f"{row['example']!r}, {row['model']}: a match of the kind {row['kind']!r} has other columns"


def check_score_rows(rows: Sequence[Mapping[str, Any]], examples: Mapping[str, Reference]) -> Iterator[str]:
    """What is wrong with rows of ``scores`` by themselves, a line each."""
    yield from _check_keys(rows, ("example", "model", "mode", "judge"), examples)


def check_scores(rows: BenchmarkRows) -> Iterator[str]:
    """The scores against what prediction, alignment and reference give."""
    predictions = {(row.example, row.model, row.mode): row for row in rows.predictions}
    alignments = {(row.example, row.model, row.mode, row.judge): row.alignment for row in rows.alignments}
    prepared: dict[str, PreparedReference] = {}
    n = len(rows.scores)
    n_chosen = min(n, MAX_RESCORED)
    for i, row in enumerate(rows.scores):
        what = f"{row.example!r}, {row.model}, {row.judge}"
        prediction = predictions.get((row.example, row.model, row.mode))
        alignment = alignments.get((row.example, row.model, row.mode, row.judge))
        if prediction is None or alignment is None:
            yield f"{what}: has no {'prediction' if prediction is None else 'alignment'}"
            continue
        if (row.status, row.is_truncated) != (prediction.status, prediction.is_truncated):
            yield f"{what}: status and is_truncated are not the prediction's"
        # Every so often the whole part of i * n_chosen / n grows by one.
        if row.example not in rows.references or i * n_chosen // n == (i - 1) * n_chosen // n:
            continue
        reference = rows.references[row.example]
        if row.example not in prepared:
            prepared = {row.example: PreparedReference(reference)}
        yield from (f"{what}: {problem}" for problem in _rescore(row, prepared[row.example], prediction, alignment))


def _rescore(row: ScoreRow, reference: PreparedReference, prediction: PredictionRow, alignment: Any) -> Iterator[str]:
    network = reference.network
    if (row.n_variables, row.n_edges) != (len(network.variables), len(network.edges)):
        yield "n_variables and n_edges are not the reference's"
    try:
        expected = score(reference, alignment, prediction.prediction)
    except ValueError as error:
        yield str(error)
        return
    for name in SCORE_FIELDS:
        stored, fresh = getattr(row.scores, name), getattr(expected, name)
        if not _is_same(stored, fresh):
            yield f"{name} is {stored}; scored afresh it is {fresh}"


def _is_same(stored: float | str | None, fresh: float | str | None) -> bool:
    if isinstance(stored, (int, float)) and isinstance(fresh, (int, float)):
        return math.isclose(stored, fresh, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return stored == fresh


def _check_keys(
    rows: Sequence[Mapping[str, Any]], key: tuple[str, ...], examples: Mapping[str, Reference]
) -> Iterator[str]:
    yield from _find_strangers(rows, examples)
    for values, count in Counter(tuple(row[name] for name in key) for row in rows).items():
        if count > 1:
            yield f"{', '.join(values)}: is there {count} times"


def _find_strangers(rows: Sequence[Mapping[str, Any]], examples: Mapping[str, Reference]) -> Iterator[str]:
    for name in sorted({row["example"] for row in rows} - set(examples)):
        yield f"{name!r} is no example of this backbone"
