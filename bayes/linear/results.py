"""What independent runs say together: metrics, coefficients per edge, and agreement on their order.

A *group* is all runs of one DAG, model, condition and truth set. Where a DAG has no truth, its group has coefficients
and failures, but no metrics and no orders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bayes.linear.metrics import Scores, is_same_order, score_equations
from bayes.linear.model import Equation, LinearDag
from bayes.linear.summaries import Summary, summarise
from bayes.network import Edge

BASELINE_PREFIX = "baseline:"
"""How the model name of a baseline begins."""

ONLY_TRUTH = "truth"
"""The name of a truth set that is the only one of its DAG."""


class Metric(StrEnum):
    """The metrics of a run that are numbers to average, named as the fields of :class:`bayes.linear.metrics.Scores`."""

    M1 = "m1"
    M2 = "m2"
    M3 = "m3"
    M4 = "m4"
    SIGN_ACCURACY = "sign_accuracy"
    MEDIAN_RELATIVE_ERROR = "median_relative_error"
    INTERCEPT_ERROR = "intercept_error"
    M1_IN_SDS = "m1_in_sds"
    M1_IN_RANGES = "m1_in_ranges"

    @property
    def is_higher_better(self) -> bool:
        """Whether large values are good; all others are distances."""
        return self in {Metric.M4, Metric.SIGN_ACCURACY}


PUBLISHED_METRICS = (Metric.M1, Metric.M2, Metric.M3, Metric.M4)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One run's number on an edge: ``elicited`` is None where the child's equation failed, ``truth`` where unknown."""

    edge: Edge
    elicited: float | None
    truth: float | None


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run: a coefficient for every edge of the DAG, and its scores where there is a truth.

    ``n_outside`` counts the equations that were taken although they leave the bounds of their variable.
    """

    coefficients: tuple[Coefficient, ...]
    scores: Scores | None
    n_outside: int = 0


@dataclass(frozen=True, slots=True)
class Distribution:
    """The values of one metric, in the order of the runs that have one, and their summary."""

    metric: Metric
    values: tuple[float, ...]
    summary: Summary


@dataclass(frozen=True, slots=True)
class EdgeSummary:
    """The coefficient of an edge over the ``n`` runs whose equation for the child did not fail.

    ``mean`` is None where all failed; ``sd`` (divisor n - 1) takes two runs.
    """

    edge: Edge
    n: int
    mean: float | None
    sd: float | None
    truth: float | None

    @property
    def is_sign_wrong(self) -> bool:
        """Whether the mean has another sign than the truth; where either is unknown or the truth is 0, nothing is."""
        if self.mean is None or not self.truth:
            return False
        return self.mean == 0 or (self.mean > 0) != (self.truth > 0)


@dataclass(frozen=True, slots=True)
class OrderSummary:
    """In how many of ``n_runs`` the coefficients of a multi-parent variable are ordered as the true ones."""

    variable: str
    n_runs: int
    n_same: int

    @property
    def share(self) -> float:
        """Between 0 and 1; a run whose equation failed counts as another order."""
        return self.n_same / self.n_runs


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """All runs of one DAG, model, condition and truth set; ``truth`` is empty where the DAG has none.

    ``n_nodes`` counts the variables with parents, ``n_failed_nodes`` their failed equations over all runs and
    ``n_outside`` those that leave the bounds of their variable.
    """

    dag: str
    model: str
    condition: str
    truth: str
    n_runs: int
    n_nodes: int
    n_failed_nodes: int
    n_outside: int
    m4_max: int | None
    distributions: tuple[Distribution, ...]
    edges: tuple[EdgeSummary, ...]
    orders: tuple[OrderSummary, ...]

    @property
    def is_baseline(self) -> bool:
        """Whether no model was asked."""
        return self.model.startswith(BASELINE_PREFIX)

    @property
    def is_scored(self) -> bool:
        """Whether there was a truth to score against."""
        return bool(self.distributions)

    @property
    def is_all_failed(self) -> bool:
        """Whether no run has any equation."""
        return self.n_failed_nodes == self.n_runs * self.n_nodes

    def find_distribution(self, metric: Metric) -> Distribution | None:
        """The values of a metric, or None where no run has any."""
        return next((found for found in self.distributions if found.metric is metric), None)


def to_run(dag: LinearDag, elicited: Mapping[str, Equation | None]) -> RunResult:
    """One run's equations as coefficients and, where the DAG has a truth, scores.

    Coefficients come by child in topological order and then by parent.

    Raises:
        ValueError: the DAG has no edge, or an equation has other parents than the DAG.

    Example:
        >>> from bayes.linear.model import LinearVariable
        >>> dag = LinearDag((LinearVariable("x"), LinearVariable("y")), (Edge("x", "y"),))
        >>> [each.elicited for each in to_run(dag, {"y": Equation("y", 0.0, ("x",), (2.5,))}).coefficients]
        [2.5]
    """
    if not dag.edges:
        raise ValueError("a DAG without edges has no coefficients")
    coefficients: list[Coefficient] = []
    for child in dag.targets:
        equation = elicited.get(child)
        if equation is not None and (equation.variable != child or set(equation.parents) != set(dag.parents[child])):
            raise ValueError(f"the equation given for {child!r} is not over its parents {dag.parents[child]}")
        slopes = equation.coefficient_of if equation else {}
        for parent in dag.parents[child]:
            edge = Edge(parent, child)
            truth = dag.truth.coefficients[edge] if dag.truth else None
            coefficients.append(Coefficient(edge, slopes.get(parent), truth))
    return RunResult(tuple(coefficients), score_equations(dag, elicited) if dag.truth else None)


def summarise_runs(
    runs: Sequence[RunResult], *, dag: str, model: str, condition: str = "original", truth: str = ""
) -> ResultGroup:
    """Everything that the runs of one group say together.

    A metric that some runs lack is summarised over the others, which its summary's ``n`` tells.

    Raises:
        ValueError: there is no run, runs differ in their edges or true coefficients, only some have scores, or a run
            has only part of an equation.

    Example:
        >>> edge = Edge("x", "y")
        >>> runs = [RunResult((Coefficient(edge, number, None),), None) for number in (1.0, 2.0, None)]
        >>> group = summarise_runs(runs, dag="kettle", model="offline")
        >>> group.edges[0].mean, group.edges[0].n, group.n_runs, group.n_failed_nodes
        (1.5, 2, 3, 1)
    """
    _check(runs)
    first = runs[0].coefficients
    by_edge = [[run.coefficients[place].elicited for run in runs] for place in range(len(first))]
    scores = [run.scores for run in runs if run.scores is not None]
    families = _to_families(first)
    return ResultGroup(
        dag=dag,
        model=model,
        condition=condition,
        truth=truth,
        n_runs=len(runs),
        n_nodes=len(families),
        n_failed_nodes=sum(by_edge[places[0]].count(None) for places in families.values()),
        n_outside=sum(run.n_outside for run in runs),
        m4_max=scores[0].m4_max if scores else None,
        distributions=_to_distributions(scores),
        edges=tuple(_summarise_edge(one, numbers) for one, numbers in zip(first, by_edge, strict=True)),
        orders=tuple(
            OrderSummary(child, len(runs), sum(_is_order_right(run, places) for run in runs))
            for child, places in families.items()
            if scores and len(places) > 1
        ),
    )


def _check(runs: Sequence[RunResult]) -> None:
    if not runs:
        raise ValueError("a group has at least one run")
    expected = [(each.edge, each.truth) for each in runs[0].coefficients]
    for run in runs:
        if [(each.edge, each.truth) for each in run.coefficients] != expected:
            raise ValueError("runs of one group must have the same edges and the same true coefficients")
        if (run.scores is None) != (runs[0].scores is None):
            raise ValueError("either all runs of a group have scores or none")
        for child, places in _to_families(run.coefficients).items():
            if len({run.coefficients[place].elicited is None for place in places}) > 1:
                raise ValueError(f"the equation of {child!r} has some of its coefficients only")


def _to_families(coefficients: Sequence[Coefficient]) -> dict[str, list[int]]:
    """For every variable with parents, where its coefficients are."""
    places: dict[str, list[int]] = {}
    for place, coefficient in enumerate(coefficients):
        places.setdefault(coefficient.edge.child, []).append(place)
    return places


def _to_distributions(scores: Sequence[Scores]) -> tuple[Distribution, ...]:
    distributions: list[Distribution] = []
    for metric in Metric:
        found: list[float | None] = [getattr(each, metric.value) for each in scores]
        values = tuple(float(value) for value in found if value is not None)
        if summary := _summarise(values):
            distributions.append(Distribution(metric, values, summary))
    return tuple(distributions)


def _summarise_edge(coefficient: Coefficient, numbers: Sequence[float | None]) -> EdgeSummary:
    known = [number for number in numbers if number is not None]
    summary = _summarise(known)
    mean, sd = (summary.mean, summary.sd) if summary else (None, None)
    return EdgeSummary(coefficient.edge, len(known), mean, sd, coefficient.truth)


def _summarise(values: Sequence[float]) -> Summary | None:
    # A model may well answer 1e300, whose square is infinite: then so is the spread.
    with np.errstate(over="ignore", invalid="ignore"):
        return summarise(values)


def _is_order_right(run: RunResult, places: Sequence[int]) -> bool:
    family = [run.coefficients[place] for place in places]
    elicited = [each.elicited for each in family if each.elicited is not None]
    truth = [each.truth for each in family if each.truth is not None]
    # Of a failed equation nothing is left, which is no order of several parents.
    return is_same_order(elicited, truth)
