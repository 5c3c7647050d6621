"""Distances between elicited and true coefficients: the four published metrics, and what they leave out."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from bayes.linear.baselines import to_true_equation
from bayes.linear.model import Equation, LinearDag
from bayes.network import Edge


@dataclass(frozen=True, slots=True)
class EdgeScore:
    """One coefficient against its truth.

    A failed variable's coefficients are 0 and ``failed``. ``relative_error`` is ``|elicited - truth| / |truth|``, and
    ``is_sign_right`` whether both have the same sign; both are ``None`` where the truth is 0.
    """

    edge: Edge
    elicited: float
    truth: float
    failed: bool
    relative_error: float | None
    is_sign_right: bool | None


@dataclass(frozen=True, slots=True)
class Scores:
    """One run's equations against the truth; see :func:`score_equations` for the definitions."""

    m1: float
    m2: float
    m3: float
    m4: int
    m4_max: int
    n_edges: int
    n_zero_vectors: int
    n_failed_nodes: int
    sign_accuracy: float | None
    median_relative_error: float | None
    intercept_error: float | None
    m1_in_sds: float | None
    m1_in_ranges: float | None


@dataclass(frozen=True, slots=True)
class _Node:
    """A variable's elicited and true coefficients, in the order of its parents."""

    truth: Equation
    elicited: Equation | None

    @property
    def slopes(self) -> tuple[float, ...]:
        if self.elicited is None:
            return (0.0,) * len(self.truth.parents)
        return tuple(self.elicited.coefficient_of[parent] for parent in self.truth.parents)


def score_equations(dag: LinearDag, elicited: Mapping[str, Equation | None]) -> Scores:
    r"""Score one run: an equation for every variable with parents.

    With :math:`\beta_j` the coefficients of variable j in the order of its parents and :math:`\bar\beta =
    \beta/\lVert\beta\rVert_2`:

    - ``m1``: :math:`\sqrt{\sum_j \lVert \hat\beta_j - \beta_j \rVert^2}` over all edges, in whatever units they have.
    - ``m2``: the same with :math:`\bar\beta` in place of :math:`\beta`, for the elicited and the true ones alike.
    - ``m3``: ``m2`` over multi-parent variables only.
    - ``m4``: the number of multi-parent variables whose coefficients are ordered as the true ones, by value and not by
      magnitude; at best ``m4_max``, the number of multi-parent variables.

    What the publication leaves open is settled so:

    - A vector of zeros is normalised to zeros. ``n_zero_vectors`` counts the elicited ones; a true one comes from
      spurious edges.
    - Orderings are compared with their ties: every pair of parents must be smaller, equal or greater in both. A tie in
      one ordering and not in the other is no match.
    - A variable without a usable equation (missing or ``None``) counts as a vector of zeros with intercept 0, as no
      match in ``m4`` and as wrong signs; ``n_failed_nodes`` counts them, ``n_zero_vectors`` doesn't.

    Beyond the publication:

    - ``sign_accuracy``: the share of edges whose sign is right, ``median_relative_error``: see :class:`EdgeScore`. Both
      are over the edges whose truth is not 0, and ``None`` if there are none.
    - ``intercept_error``: L2 distance of the intercepts, over variables with parents whose true intercept is known.
    - ``m1_in_sds``: ``m1`` after expressing every variable in its standard deviation under the true model, coefficient
      times sd(parent)/sd(child). It needs the noise of every variable.
    - ``m1_in_ranges``: the same with the width of the bounds in place of the sd. It needs all bounds of the variables
      that have edges. Neither depends on units; ``None`` where something is missing or zero.

    Raises:
        ValueError: the DAG has no truth or no edge, or an equation has other parents than the DAG.

    Source:
        Yamaoka et al., "Linear-LLM-SCM", appendix D.

    Example:
        >>> from bayes.linear.model import LinearVariable, Truth
        >>> edges = (Edge("a", "y"), Edge("b", "y"))
        >>> truth = Truth(dict(zip(edges, (-2.0, 3.0), strict=True)), {}, {})
        >>> dag = LinearDag(tuple(LinearVariable(name) for name in "aby"), edges, truth)
        >>> scores = score_equations(dag, {"y": Equation("y", 0.0, ("a", "b"), (-0.8, 0.5))})
        >>> round(scores.m1, 3), scores.m4
        (2.773, 1)
    """
    nodes = _to_nodes(dag, elicited)
    multi = [node for node in nodes if len(node.truth.parents) > 1]
    edges = compare_edges(dag, elicited)
    signs = [edge.is_sign_right for edge in edges if edge.is_sign_right is not None]
    errors = [edge.relative_error for edge in edges if edge.relative_error is not None]
    return Scores(
        m1=math.hypot(*(edge.elicited - edge.truth for edge in edges)),
        m2=_measure_normalised(nodes),
        m3=_measure_normalised(multi),
        m4=sum(node.elicited is not None and is_same_order(node.slopes, node.truth.coefficients) for node in multi),
        m4_max=len(multi),
        n_edges=len(edges),
        n_zero_vectors=sum(node.elicited is not None and not any(node.slopes) for node in nodes),
        n_failed_nodes=sum(node.elicited is None for node in nodes),
        sign_accuracy=sum(signs) / len(signs) if signs else None,
        median_relative_error=median(errors) if errors else None,
        intercept_error=_measure_intercepts(dag, nodes),
        m1_in_sds=_measure_scaled(edges, to_true_sds(dag)),
        m1_in_ranges=_measure_scaled(edges, {name: bounds.width for name, bounds in dag.bounds.items()}),
    )


def compare_edges(dag: LinearDag, elicited: Mapping[str, Equation | None]) -> tuple[EdgeScore, ...]:
    """Every edge's coefficient against its truth, by child in topological order and then by parent.

    Raises:
        ValueError: as in :func:`score_equations`.
    """
    return tuple(
        EdgeScore(
            edge=Edge(parent, node.truth.variable),
            elicited=slope,
            truth=true,
            failed=node.elicited is None,
            relative_error=abs(slope - true) / abs(true) if true else None,
            is_sign_right=(slope > 0) - (slope < 0) == (true > 0) - (true < 0) if true else None,
        )
        for node in _to_nodes(dag, elicited)
        for parent, slope, true in zip(node.truth.parents, node.slopes, node.truth.coefficients, strict=True)
    )


def is_same_order(first: Sequence[float], second: Sequence[float]) -> bool:
    """Whether two vectors order their entries alike, ties included.

    Example:
        >>> is_same_order((-0.8, 0.5), (-2, 3)), is_same_order((1, 1), (1, 2)), is_same_order((1, 1), (2, 2))
        (True, False, True)
    """
    return _to_ranks(first) == _to_ranks(second)


def normalise_vector(vector: Sequence[float]) -> tuple[float, ...]:
    """A vector divided by its L2 norm; zeros stay zeros.

    The largest entry is divided out first, so that neither huge nor tiny numbers leave the range of floats.

    Example:
        >>> normalise_vector((3.0, -4.0)), normalise_vector((0.0, 0.0))
        ((0.6, -0.8), (0.0, 0.0))
    """
    largest = max((abs(entry) for entry in vector), default=0.0)
    if largest == 0:
        return tuple(0.0 for _ in vector)
    scaled = [entry / largest for entry in vector]
    norm = math.hypot(*scaled)
    return tuple(entry / norm for entry in scaled)


def to_true_sds(dag: LinearDag) -> dict[str, float | None]:
    r"""Standard deviation of every variable under the true model; ``None`` where noise is unknown on the way to it.

    With B the true coefficients (row = child, column = parent) and N the diagonal noise variances, the covariance is
    :math:`(I-B)^{-1} N (I-B)^{-\top}`. Computed in topological order: the row of total effects of a variable is its own
    unit noise plus the coefficient-weighted rows of its parents.

    Raises:
        ValueError: the DAG has no truth.
    """
    if dag.truth is None:
        raise ValueError("this DAG has no true coefficients")
    position = {name: index for index, name in enumerate(dag.order)}
    effects = np.eye(len(position))
    noise = np.array([dag.truth.noise_sds.get(name, np.nan) for name in dag.order])
    for name in dag.order:
        for parent in dag.parents[name]:
            effects[position[name]] += dag.truth.coefficients[Edge(parent, name)] * effects[position[parent]]
    sds: dict[str, float | None] = {}
    for name, row in zip(dag.order, effects, strict=True):
        needed = row != 0
        sd = float(np.linalg.norm(row[needed] * noise[needed]))
        sds[name] = sd if math.isfinite(sd) else None
    return sds


def _to_nodes(dag: LinearDag, elicited: Mapping[str, Equation | None]) -> list[_Node]:
    if not dag.edges:
        raise ValueError("a DAG without edges has no coefficients to score")
    nodes: list[_Node] = []
    for name in dag.targets:
        equation = elicited.get(name)
        if equation is not None and (equation.variable != name or set(equation.parents) != set(dag.parents[name])):
            raise ValueError(f"the equation given for {name!r} is not over its parents {dag.parents[name]}")
        nodes.append(_Node(to_true_equation(dag, name), equation))
    return nodes


def _to_ranks(vector: Sequence[float]) -> list[int]:
    values = sorted(set(vector))
    return [values.index(entry) for entry in vector]


def _measure_normalised(nodes: Iterable[_Node]) -> float:
    return math.hypot(
        *(
            slope - true
            for node in nodes
            for slope, true in zip(
                normalise_vector(node.slopes), normalise_vector(node.truth.coefficients), strict=True
            )
        )
    )


def _measure_intercepts(dag: LinearDag, nodes: Iterable[_Node]) -> float | None:
    known = dag.truth.intercepts if dag.truth else {}
    differences = [
        (node.elicited.intercept if node.elicited else 0.0) - node.truth.intercept
        for node in nodes
        if node.truth.variable in known
    ]
    return math.hypot(*differences) if differences else None


def _measure_scaled(edges: Iterable[EdgeScore], sizes: Mapping[str, float | None]) -> float | None:
    differences: list[float] = []
    for score in edges:
        parent, child = sizes[score.edge.parent], sizes[score.edge.child]
        if not parent or not child:
            return None
        differences.append((score.elicited - score.truth) * (parent / child))
    return math.hypot(*differences)
