"""The tables of the linear half: equations, coefficients and scores, one file of each for a series of runs."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from bayes.linear.invariance import UnitInvariance, measure_invariance
from bayes.linear.metrics import Scores, compare_edges
from bayes.linear.parsing import format_equation
from bayes.linear.results import Coefficient, ResultGroup, RunResult
from bayes.network import Edge
from schemas.dag_values import ORIGINAL
from schemas.errors import InputError
from schemas.linear import AskedDag
from schemas.rows import Written
from schemas.scm import ElicitedEquation, Series, SeriesResult, summarise_group
from storage.corpus import write_rows
from storage.layout import partition
from storage.parquet import read_file, read_table
from storage.tables import to_spec


@dataclass(frozen=True, slots=True)
class UnitComparison:
    """A series in scaled units against the same in the original ones."""

    series: Series
    invariance: UnitInvariance


def write_series(data: Path, asked: AskedDag, result: SeriesResult, *, run: str) -> tuple[Written, ...]:
    """Write the runs of a series: ``scm_equations``, ``scm_coefficients`` and, where there is a truth, ``scm_scores``.

    Runs that are there of the same DAG and not among these stay. If the DAG's file has changed, they go.
    """
    tables: dict[str, list[dict[str, Any]]] = {
        "scm_equations": list(_to_equation_rows(asked, result)),
        "scm_coefficients": list(_to_coefficient_rows(asked, result)),
        "scm_scores": list(_to_score_rows(asked, result)),
    }
    return tuple(_write(data, table, result.series, rows, run=run) for table, rows in tables.items() if rows)


def _write(data: Path, table: str, series: Series, rows: list[dict[str, Any]], *, run: str) -> Written:
    part = series.to_part(has_truth=table != "scm_equations")
    path = partition(data, table, series.domain, series.dag) / f"{part}.parquet"
    kept: list[dict[str, Any]] = []
    if path.exists():
        written = {row["run"] for row in rows}
        stored = read_file(path, to_spec(table)).to_pylist()
        kept = [row for row in stored if row["run"] not in written and row["dag_sha256"] == rows[0]["dag_sha256"]]
    ordered = sorted([*rows, *kept], key=lambda row: (row["run"], row.get("variable", ""), row.get("parent", "")))
    return write_rows(data, table, series.domain, series.dag, ordered, run=run, part=part)


def _to_key(asked: AskedDag, series: Series, *, has_truth: bool) -> dict[str, Any]:
    key = {
        "network": series.dag,
        "dag_sha256": asked.sha256,
        "model": series.model,
        "condition": series.condition,
        "prompt": series.prompt,
        "reasoning": series.has_reasoning,
        "reply": series.reply,
        "feedback_rounds": series.feedback_rounds,
    }
    return key | ({"truth_set": series.truth} if has_truth else {})


def _to_equation_rows(asked: AskedDag, result: SeriesResult) -> Iterator[dict[str, Any]]:
    key = _to_key(asked, result.series, has_truth=False)
    for run in result.runs:
        for item in sorted(run.equations, key=lambda item: item.variable):
            yield key | {"run": run.run} | _to_equation_row(item)


def _to_equation_row(item: ElicitedEquation) -> dict[str, Any]:
    return {
        "variable": item.variable,
        "status": item.status,
        "accepted": item.status == "accepted",
        "equation": "" if item.equation is None else format_equation(item.equation),
        "intercept": None if item.equation is None else item.equation.intercept,
        "rounds": item.rounds,
        "draws": item.draws,
        "range_low": item.range.low,
        "range_high": item.range.high,
        "skipped": list(item.skipped),
        "reason": item.reason,
        "detail": item.detail,
        "history": [asdict(proposal) for proposal in item.history],
    }


def _to_coefficient_rows(asked: AskedDag, result: SeriesResult) -> Iterator[dict[str, Any]]:
    key = _to_key(asked, result.series, has_truth=True)
    spurious = frozenset(asked.spurious)
    for run in result.runs:
        equations = run.by_variable
        scored = {edge.edge: edge for edge in compare_edges(asked.dag, equations)} if asked.dag.truth else {}
        for edge in sorted(asked.dag.edges, key=lambda edge: (edge.child, edge.parent)):
            equation, score = equations[edge.child], scored.get(edge)
            yield key | {
                "run": run.run,
                "variable": edge.child,
                "parent": edge.parent,
                "coefficient": None if equation is None else equation.coefficient_of[edge.parent],
                "truth": None if score is None else score.truth,
                "unit_factor": asked.to_unit_factor(edge),
                "is_rescaled": asked.is_rescaled(edge),
                "is_spurious": edge in spurious,
                "is_sign_right": None if score is None else score.is_sign_right,
                "relative_error": None if score is None else score.relative_error,
            }


def _to_score_rows(asked: AskedDag, result: SeriesResult) -> Iterator[dict[str, Any]]:
    key = _to_key(asked, result.series, has_truth=True)
    for run in result.runs:
        if run.result.scores is not None:
            yield key | {"run": run.run, "n_outside": run.result.n_outside} | asdict(run.result.scores)


def read_groups(data: Path) -> tuple[ResultGroup, ...]:
    """What the tables hold, series by series: ordered by DAG, condition, truth set and model.

    Raises:
        InputError: a file is corrupt or of another version, or two versions of a DAG would stand side by side.
    """
    scores: dict[tuple[Series, int], Scores] = {}
    n_outside: dict[tuple[Series, int], int] = {}
    for row in read_table(data, "scm_scores").to_pylist():
        series = _to_series(row)
        scores[series, row["run"]] = Scores(**{name: row[name] for name in _SCORE_FIELDS})
        n_outside[series, row["run"]] = row["n_outside"]
    coefficients: dict[Series, dict[int, list[Coefficient]]] = {}
    versions: dict[tuple[str, str, str], str] = {}
    for row in read_table(data, "scm_coefficients").to_pylist():
        dag = (row["backbone"], row["condition"], row["truth_set"])
        if versions.setdefault(dag, row["dag_sha256"]) != row["dag_sha256"]:
            raise InputError(
                f"{data}: DAG {dag[0]}, condition {dag[1]}: its results are of two versions of the DAG's file; run all "
                "models again, or keep versions in data folders of their own"
            )
        coefficient = Coefficient(Edge(row["parent"], row["variable"]), row["coefficient"], row["truth"])
        coefficients.setdefault(_to_series(row), {}).setdefault(row["run"], []).append(coefficient)
    groups = [
        summarise_group(
            series,
            [
                RunResult(tuple(found), scores.get((series, run)), n_outside.get((series, run), 0))
                for run, found in sorted(runs.items())
            ],
        )
        for series, runs in coefficients.items()
    ]
    return tuple(sorted(groups, key=lambda group: (group.dag, group.condition, group.truth, group.model)))


def read_unit_comparisons(data: Path) -> tuple[UnitComparison, ...]:
    """For every series in scaled units that was also asked for in the original ones: whether its answers agree.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    values: dict[Series, dict[Edge, list[float]]] = {}
    factors: dict[Series, dict[Edge, float]] = {}
    rescaled: set[Series] = set()
    for row in read_table(data, "scm_coefficients").to_pylist():
        edge, series = Edge(row["parent"], row["variable"]), _to_series(row)
        factors.setdefault(series, {})[edge] = row["unit_factor"]
        if row["is_rescaled"]:
            rescaled.add(series)
        values.setdefault(series, {}).setdefault(edge, [])
        if row["coefficient"] is not None:
            values[series][edge].append(row["coefficient"])
    comparisons: list[UnitComparison] = []
    for series in sorted(values, key=lambda series: (series.dag, series.condition, series.truth, series.model)):
        original = replace(series, condition=ORIGINAL)
        if series in rescaled and original in values:
            invariance = measure_invariance(values[original], values[series], factors[series])
            if invariance is not None:
                comparisons.append(UnitComparison(series, invariance))
    return tuple(comparisons)


_SCORE_FIELDS = tuple(field.name for field in fields(Scores))


def _to_series(row: Mapping[str, Any]) -> Series:
    return Series(
        domain=row["domain"],
        dag=row["backbone"],
        condition=row["condition"],
        truth=row["truth_set"],
        model=row["model"],
        prompt=row["prompt"],
        has_reasoning=row["reasoning"],
        reply=row["reply"],
        feedback_rounds=row["feedback_rounds"],
    )
