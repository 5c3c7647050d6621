"""Whether the tables of the linear half agree with one another: scores are what the coefficients give."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bayes.linear.metrics import Scores, score_equations
from bayes.linear.model import Equation, LinearDag, LinearVariable, Truth
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
    for row in equations:
        if (row["status"] == "failed") != (row["intercept"] is None) or row["accepted"] != (
            row["status"] == "accepted"
        ):
            yield f"{_name(row)}, {row['variable']}: status, accepted and equation contradict each other"
    asked = {_to_key(row) for row in equations}
    for key, rows in runs.items():
        if key[:-1] not in asked:
            yield f"{_name(rows[0])}: has coefficients and no equations"
    for row in scores:
        rows = runs.get(_to_key(row, "truth_set"))
        if rows is None:
            yield f"{_name(row)}: has scores and no coefficients"
            continue
        recomputed = _score(rows)
        for name in _CHECKED:
            if not _is_same(row[name], getattr(recomputed, name)):
                yield f"{_name(row)}: {name} is {row[name]}; the coefficients give {getattr(recomputed, name)}"


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
