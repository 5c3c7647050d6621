"""What only the whole of a DAG file can tell: whether its parts fit one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from bayes.graphs import keep_acyclic
from bayes.network import Edge
from schemas.dag_values import ORIGINAL, clip, clip_name

if TYPE_CHECKING:
    from schemas.dags import Condition, DagFile, Truth

_DROPPED = {
    "self_edge": "leads from a variable to itself",
    "duplicate": "is given twice",
    "closes_cycle": "closes a cycle with the edges before it",
}


def find_dag_problem(dag: DagFile) -> str | None:
    """The first thing that does not fit, as ``field: what is wrong``; None if all is well."""
    return next((problem for problem in _find_problems(dag) if problem is not None), None)


def _find_problems(dag: DagFile) -> Iterator[str | None]:
    yield _find_names_problem(dag)
    yield _find_edges_problem("edges", dag, ())
    yield _find_sets_problem(dag)
    if dag.truth is not None:
        yield _find_truth_problem("truth", dag.truth, dag)
    for name, truth in dag.truths.items():
        yield _find_truth_problem(f"truths.{name}", truth, dag)
    for name, condition in dag.conditions.items():
        yield _find_condition_problem(name, condition, dag)


def _find_names_problem(dag: DagFile) -> str | None:
    seen: dict[str, str] = {}
    for name in dag.variables:
        # Replies write spaces for underscores and the other way round.
        other = seen.setdefault("_".join(name.replace("_", " ").split()), name)
        if other != name:
            return f"variables.{name}: differs from {other} in spaces and underscores only; rename one"
        noise_of = name.removeprefix("E_")
        if noise_of != name and noise_of in dag.variables:
            return f"variables.{name}: this is how the noise of {noise_of} is written; rename it"
    return None


def _find_edges_problem(field: str, dag: DagFile, more: tuple[Edge, ...]) -> str | None:
    if not dag.edges:
        return f"{field}: there are none; a DAG has at least one"
    edges = (*dag.edges, *more)
    for parent, child in edges:
        for name in (parent, child):
            if name not in dag.variables:
                return f"{field}: the edge {_show(parent, child)} names the unknown variable {clip(name)}"
    dropped = keep_acyclic(dag.variables, edges).dropped
    if not dropped:
        return None
    first = dropped[0]
    return f"{field}: the edge {_show(first.parent, first.child)} {_DROPPED[first.reason]}"


def _find_sets_problem(dag: DagFile) -> str | None:
    if dag.truth is not None and dag.truths:
        return "truths: give either truth or truths, not both"
    if dag.default_truth and dag.default_truth not in dag.truths:
        return f"default_truth: {clip(dag.default_truth)} is not one of truths ({', '.join(dag.truths) or 'none'})"
    if len(dag.truths) > 1 and not dag.default_truth:
        return f"default_truth: is missing; name one of {', '.join(dag.truths)}"
    return None


def _find_truth_problem(field: str, truth: Truth, dag: DagFile) -> str | None:
    edges = set(dag.edges)
    for child, row in truth.coefficients.items():
        if child not in dag.variables:
            return f"{field}.coefficients: {clip(child)} is not a variable"
        for parent in row:
            if Edge(parent, child) not in edges:
                return f"{field}.coefficients.{child}: there is no edge {_show(parent, child)}"
    for parent, child in dag.edges:
        if parent not in truth.coefficients.get(child, {}):
            return f"{field}.coefficients.{child}: has no coefficient for the edge {_show(parent, child)}"
    return _find_unknown(f"{field}.intercepts", truth.intercepts, dag.variables) or _find_unknown(
        f"{field}.noise_sd", truth.noise_sd, dag.variables
    )


def _find_condition_problem(name: str, condition: Condition, dag: DagFile) -> str | None:
    field = f"conditions.{name}"
    if name == ORIGINAL:
        return f"{field}: this name is kept for the DAG as it is; take another"
    if condition.is_empty:
        return f"{field}: changes nothing; give scale, units, bounds or spurious"
    parts = {"scale": condition.scale, "units": condition.units, "bounds": condition.bounds}
    for part, names in parts.items():
        if problem := _find_unknown(f"{field}.{part}", names, dag.variables):
            return problem
    for variable in condition.scale:
        if variable not in condition.units:
            return f"{field}.units: {variable} is scaled, so its new unit must be given"
    return _find_edges_problem(f"{field}.spurious", dag, condition.spurious)


def _find_unknown(field: str, names: Iterable[str], variables: Mapping[str, object]) -> str | None:
    return next((f"{field}: {clip(name)} is not a variable" for name in names if name not in variables), None)


def _show(parent: str, child: str) -> str:
    return f"{clip_name(parent)} -> {clip_name(child)}"
