"""Whether the tables of the linear half agree with one another: scores are what the coefficients give."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bayes.linear.metrics import Scores, score_equations
from bayes.linear.model import Equation, LinearDag, LinearVariable, Truth
from bayes.linear.parsing import parse_equation
from bayes.network import Edge

TOLERANCE = 1e-9
_CHECKED = ("m1", "m2", "m3", "m4", "m4_max", "n_edges", "n_zero_vectors", "n_failed_nodes", "sign_accuracy")

Row = Mapping[str, Any]
_KEY = ("model", "condition", "prompt", "reasoning", "reply", "feedback_rounds", "run")


def check_scm_rows(equations: Sequence[Row], coefficients: Sequence[Row], scores: Sequence[Row]) -> Iterator[str]:
    """What is wrong with the rows of one DAG, a line each."""
    runs: dict[tuple[Any, ...], list[Row]] = {}
    for row in coefficients:
        runs.setdefault(_to_key(row, "truth_set"), []).append(row)
    asked: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in equations:
        is_failed = row["status"] == "failed"
        if is_failed != (row["intercept"] is None) or row["accepted"] != (row["status"] == "accepted"):
            yield f"{_name(row)}, {row['variable']}: status, accepted and equation contradict each other"
        if asked.setdefault(_to_key(row), {}).setdefault(row["variable"], row) is not row:
            yield f"{_name(row)}, {row['variable']}: is there twice"
    scored = {_to_key(row, "truth_set") for row in scores}
    for key, rows in runs.items():
        yield from _check_run(rows, asked.get(key[:-1]), is_scored=key in scored)
    yield from _check_scores(scores, runs)


def _check_run(coefficients: Sequence[Row], equations: Mapping[str, Row] | None, *, is_scored: bool) -> Iterator[str]:
    name = _name(coefficients[0])
    if equations is None:
        yield f"{name}: has coefficients and no equations"
    else:
        yield from _compare_equations(coefficients, equations)
    if len({(row["variable"], row["parent"]) for row in coefficients}) < len(coefficients):
        yield f"{name}: has a coefficient twice"
    elif all(row["truth"] is not None for row in coefficients) and not is_scored:
        yield f"{name}: has true coefficients and no scores"


def _check_scores(scores: Sequence[Row], runs: Mapping[tuple[Any, ...], Sequence[Row]]) -> Iterator[str]:
    counts = Counter(_to_key(row, "truth_set") for row in scores)
    for row in scores:
        if counts[_to_key(row, "truth_set")] > 1:
            yield f"{_name(row)}: is there twice"
        rows = runs.get(_to_key(row, "truth_set"))
        if rows is None:
            yield f"{_name(row)}: has scores and no coefficients"
            continue
        recomputed = _score(rows)
        for name in _CHECKED:
            if not _is_same(row[name], getattr(recomputed, name)):
                yield f"{_name(row)}: {name} is {row[name]}; the coefficients give {getattr(recomputed, name)}"


def _compare_equations(coefficients: Sequence[Row], equations: Mapping[str, Row]) -> Iterator[str]:
    """What differs between the coefficients of a run and its equations as they are written down."""
    found: dict[str, dict[str, float | None]] = {}
    for row in coefficients:
        found.setdefault(row["variable"], {})[row["parent"]] = row["coefficient"]
    for variable, slopes in found.items():
        row = equations.get(variable)
        if row is None:
            yield f"{_name(coefficients[0])}, {variable}: has coefficients and no equation"
            continue
        read = parse_equation(row["equation"], variable, tuple(slopes)) if row["equation"] else None
        given = read.coefficient_of | {"": read.intercept} if isinstance(read, Equation) else {}
        if given != ({} if None in slopes.values() else slopes | {"": row["intercept"]}):
            yield f"{_name(row)}, {variable}: the equation and the coefficients differ"


def _to_key(row: Row, *more: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in (*_KEY, *more))


def _name(row: Row) -> str:
    return f"{row['model']}, {row['condition']}, run {row['run']}"


def _score(rows: Sequence[Row]) -> Scores:
    truth = {Edge(row["parent"], row["variable"]): row["truth"] for row in rows}
    names = dict.fromkeys(name for edge in truth for name in edge)
    dag = LinearDag(tuple(map(LinearVariable, names)), tuple(truth), Truth(truth, {}, {}))
    slopes = {Edge(row["parent"], row["variable"]): row["coefficient"] for row in rows}
    elicited: dict[str, Equation | None] = {}
    for child in dag.targets:
        values = [slopes[Edge(parent, child)] for parent in dag.parents[child]]
        elicited[child] = None if None in values else Equation(child, 0.0, dag.parents[child], tuple(values))
    return score_equations(dag, elicited)


def _is_same(stored: float | None, recomputed: float | None) -> bool:
    if stored is None or recomputed is None:
        return stored is recomputed
    return math.isclose(stored, recomputed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
