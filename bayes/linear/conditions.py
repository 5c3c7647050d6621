"""The same DAG asked for differently: other units, other bounds, spurious edges."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import networkx as nx
import numpy as np

from bayes.linear.model import Equation, Interval, LinearDag, Truth
from bayes.network import Edge


def scale_units(dag: LinearDag, factors: Mapping[str, float]) -> LinearDag:
    """Express variables in other units: a value in the new unit is the old value times the variable's factor.

    Bounds, intercepts and noise are multiplied by the variable's own factor, a coefficient by
    ``factor(child) / factor(parent)``. Variables without a factor keep their unit.

    Raises:
        ValueError: a factor is not a positive finite number, or names an unknown variable.

    Example:
        >>> from bayes.linear.model import LinearVariable
        >>> scale_units(LinearDag((LinearVariable("x", Interval(1.5, None)),), ()), {"x": 1000.0}).bounds["x"]
        Interval(low=1500.0, high=None)
    """
    _check_factors(dag, factors)
    variables = tuple(
        replace(variable, bounds=_scale_interval(variable.bounds, factors.get(variable.name, 1.0)))
        for variable in dag.variables
    )
    if dag.truth is None:
        return LinearDag(variables, dag.edges)
    truth = Truth(
        {
            edge: slope * factors.get(edge.child, 1.0) / factors.get(edge.parent, 1.0)
            for edge, slope in dag.truth.coefficients.items()
        },
        {name: value * factors.get(name, 1.0) for name, value in dag.truth.intercepts.items()},
        {name: value * factors.get(name, 1.0) for name, value in dag.truth.noise_sds.items()},
    )
    return LinearDag(variables, dag.edges, truth)


def to_scaled(equation: Equation, factors: Mapping[str, float]) -> Equation:
    """An equation of the original units, expressed in the scaled ones.

    Example:
        >>> to_scaled(Equation("y", 1.0, ("x",), (2.0,)), {"y": 10.0, "x": 4.0})
        Equation(variable='y', intercept=10.0, parents=('x',), coefficients=(5.0,))
    """
    child = factors.get(equation.variable, 1.0)
    slopes = (
        slope * child / factors.get(parent, 1.0)
        for parent, slope in zip(equation.parents, equation.coefficients, strict=True)
    )
    return Equation(equation.variable, equation.intercept * child, equation.parents, tuple(slopes))


def from_scaled(equation: Equation, factors: Mapping[str, float]) -> Equation:
    """An equation elicited in scaled units, expressed in the original ones: undoes :func:`to_scaled`."""
    child = factors.get(equation.variable, 1.0)
    slopes = (
        slope * factors.get(parent, 1.0) / child
        for parent, slope in zip(equation.parents, equation.coefficients, strict=True)
    )
    return Equation(equation.variable, equation.intercept / child, equation.parents, tuple(slopes))


def replace_bounds(dag: LinearDag, bounds: Mapping[str, Interval]) -> LinearDag:
    """The DAG with other bounds for some variables.

    Raises:
        ValueError: an unknown variable is named.
    """
    _refuse_unknown(dag, bounds)
    variables = tuple(
        replace(variable, bounds=bounds.get(variable.name, variable.bounds)) for variable in dag.variables
    )
    return replace(dag, variables=variables)


def add_spurious(dag: LinearDag, edges: Sequence[Edge]) -> LinearDag:
    """The DAG with edges that have no cause behind them: their true coefficient is 0.

    They come after the edges of the DAG, so a variable's real parents come first.

    Raises:
        ValueError: an edge is there already, names an unknown variable, or closes a cycle.
    """
    truth = dag.truth
    if truth is not None:
        coefficients = {**dict.fromkeys(edges, 0.0), **truth.coefficients}
        truth = replace(truth, coefficients=coefficients)
    return LinearDag(dag.variables, (*dag.edges, *edges), truth)


def sample_spurious(dag: LinearDag, n: int, seed: int) -> tuple[Edge, ...]:
    """Draw n edges that the DAG lacks and that, together with it, close no cycle.

    One after the other, each uniformly among the edges still possible. The draw depends on the DAG and the seed only.
    Up to ``v * (v - 1) / 2 - edges`` are possible with v variables, and every such number can be reached.

    Raises:
        ValueError: n is negative or more than is possible.

    Example:
        >>> from bayes.linear.model import LinearVariable
        >>> sample_spurious(LinearDag((LinearVariable("x"), LinearVariable("y")), (Edge("x", "y"),)), 0, seed=1)
        ()
    """
    names = [variable.name for variable in dag.variables]
    room = len(names) * (len(names) - 1) // 2 - len(dag.edges)
    if not 0 <= n <= room:
        raise ValueError(f"{n} spurious edges were asked for; this DAG has room for 0 to {room}")
    random = np.random.default_rng(seed)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(dag.edges)
    drawn: list[Edge] = []
    for _ in range(n):
        ancestors = {name: nx.ancestors(graph, name) for name in names}
        possible = [
            Edge(parent, child)
            for parent in names
            for child in names
            if parent != child and child not in ancestors[parent] and not graph.has_edge(parent, child)
        ]
        edge = possible[int(random.integers(len(possible)))]
        graph.add_edge(*edge)
        drawn.append(edge)
    return tuple(drawn)


def _scale_interval(bounds: Interval, factor: float) -> Interval:
    low, high = (None if side is None else side * factor for side in (bounds.low, bounds.high))
    return Interval(low, high)


def _check_factors(dag: LinearDag, factors: Mapping[str, float]) -> None:
    _refuse_unknown(dag, factors)
    for name, factor in factors.items():
        if not 0 < factor < float("inf"):
            raise ValueError(f"the unit factor of {name!r} must be positive and finite, not {factor!r}")


def _refuse_unknown(dag: LinearDag, names: Mapping[str, object]) -> None:
    unknown = [name for name in names if name not in dag.bounds]
    if unknown:
        raise ValueError(f"the condition names an unknown variable {unknown[0]!r}")
