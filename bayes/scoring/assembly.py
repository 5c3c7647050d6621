"""Full CPDs from tables of one parent each, for networks that come with nothing else.

A released network has one table P(c | a) for every edge and priors for some of its roots, never a full CPD. With the
parents A1..Ak of C, and P(c) its marginal:

=========================== ======== ==================================================
k                           rule     column
=========================== ======== ==================================================
0, its prior told           prior    P(c)
0, no prior                 marginal uniform
1                           pairwise P(c | a)
>= 2                        product  proportional to prod_i P(c | ai) / P(c)^(k-1)
a column that tells nothing marginal P(c)
=========================== ======== ==================================================

The product rule, with its handling of zeros, is that of :mod:`bayes.recovery`.

**Completing a column.** Cells that were not given (``nan``) get the floor of :mod:`bayes.completion`, and the column is
divided by its sum. A column whose given cells sum to less than ``MASS_FLOOR`` (all of them missing, or all zero) tells
nothing. It stands for P(c): under the product rule it then cancels out.

**The marginal of a child** goes down the topological order from the priors of the roots. A prior that was told counts,
whoever has it. Otherwise every parent with a table gives an estimate from those of its columns that tell something,

    P_i(c) = sum_a P(c | a) P(a) / sum_a P(a)       over these columns

and P(c) is the mean of the estimates: tables of one parent need not agree about their child. Without any it is uniform.
Leaving out a column that tells nothing is the same as filling it with P_i(c) itself. A prediction whose edges close a
cycle has no such order: all its marginals that were not told are uniform.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bayes.completion import FLOOR
from bayes.graphs import to_levels
from bayes.network import Cpd, Edge, FloatArray, Network, Rule, Table, Tables, Variable
from bayes.recovery import MASS_FLOOR, recover_cpd
from bayes.scoring.records import PredictedCpd, Prediction, Reference

MAX_CELLS = 1_000_000
"""Largest CPD that is assembled. A dozen parents of four states would fill the memory."""


@dataclass(frozen=True, eq=False)
class PairwiseNetwork:
    """A network as it stands in a file: one table an edge, and priors, as they came.

    ``tables[edge]`` has one row per state of the child and one column per state of that parent, ``priors[name]`` one
    number per state; ``nan`` where none was given. Both may lack any. The ends of ``edges`` are names of ``variables``.
    """

    variables: tuple[Variable, ...] = ()
    edges: tuple[Edge, ...] = ()
    tables: Mapping[Edge, FloatArray] = field(default_factory=dict[Edge, FloatArray])
    priors: Mapping[str, FloatArray] = field(default_factory=dict[str, FloatArray])


def complete_columns(matrix: FloatArray) -> FloatArray:
    """Columns without gaps that sum to 1; a column that tells nothing is all zeros.

    Args:
        matrix: states x columns, not negative, ``nan`` where nothing was given.

    Example:
        >>> complete_columns(np.array([[0.515, np.nan, 0.0], [0.515, np.nan, 0.0]])).tolist()
        [[0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]
    """
    is_told = np.nansum(matrix, axis=0) >= MASS_FLOOR
    filled = np.where(is_told, np.where(np.isnan(matrix), FLOOR, matrix), 0.0)
    return filled / np.where(is_told, filled.sum(axis=0), 1.0)


def to_reference(network: PairwiseNetwork) -> Reference:
    """The network with full CPDs, and its tables of one parent completed.

    An edge without a table, or with one that tells nothing, stays an edge of the network but has no pairwise table.
    Elsewhere a column that tells nothing is the child's marginal.

    Raises:
        ValueError: two variables have one name, a variable has no states, the edges close a cycle, or a CPD would have
            more than ``MAX_CELLS`` cells.

    Example:
        >>> rain, flood = Variable("rain", ("yes", "none")), Variable("flood", ("yes", "none"))
        >>> table = np.array([[0.6, np.nan], [0.4, np.nan]])
        >>> edge = Edge("rain", "flood")
        >>> one = to_reference(PairwiseNetwork((rain, flood), (edge,), {edge: table}, {"rain": np.array([0.5, 0.5])}))
        >>> one.network.cpd_of["flood"].matrix.tolist(), one.network.cpd_of["flood"].rules[1].value
        ([[0.6, 0.6], [0.4, 0.4]], 'marginal')
    """
    names = [variable.name for variable in network.variables]
    if len(set(names)) < len(names):
        raise ValueError(f"there are two variables called {next(name for name in names if names.count(name) > 1)!r}")
    for variable in network.variables:
        if not variable.states:
            raise ValueError(f"the variable {variable.name!r} has no states")
    to_levels(names, network.edges)
    parts = _Parts(network)
    cpds: list[Cpd] = []
    for name in names:
        if parts.count_cells(name, parts.parents[name]) > MAX_CELLS:
            raise ValueError(f"the CPD of {name!r} would have more than {MAX_CELLS} cells")
        cpds.append(parts.recover(name))
    pairwise = {
        edge: np.where(table.any(axis=0), table, parts.tables.marginals[edge.child].values[:, np.newaxis])
        for edge, table in parts.completed.items()
        if table.any()
    }
    return Reference(Network(network.variables, tuple(cpds)), pairwise)


def to_prediction(network: PairwiseNetwork) -> Prediction:
    """The network as a prediction: ``pairwise`` as it came, and the full tables that follow from it.

    - A root has its prior as it came, if it came.
    - A child with a table for one parent has that table as it came.
    - A child with tables for several parents has their completed product; a column for which none of them tells
      anything is ``nan``. It has no table where that would need more than ``MAX_CELLS`` cells.

    Parents without a table do not stand in a child's full table: they would not change it. Nor does a variable that was
    predicted to be its own parent.
    """
    parts = _Parts(network)
    cpds: dict[str, PredictedCpd] = {}
    for name in parts.tables.by_name:
        parents = tuple(parent for parent in parts.parents[name] if Edge(parent, name) in parts.completed)
        if parents:
            cpd = parts.predict(name, parents)
        else:
            prior = None if parts.parents[name] else network.priors.get(name)
            cpd = None if prior is None or not prior.size else PredictedCpd(name, (), prior[:, np.newaxis])
        if cpd is not None:
            cpds[name] = cpd
    return Prediction(network.variables, network.edges, cpds, dict(network.tables))


class _Parts:
    """Completed tables, parents and marginals of one network; of two variables with one name the first counts."""

    def __init__(self, network: PairwiseNetwork) -> None:
        self.network = network
        variables = tuple({variable.name: variable for variable in reversed(network.variables)}.values())
        self.cardinality = {variable.name: variable.cardinality for variable in variables}
        edges = tuple(dict.fromkeys(network.edges))
        self.completed = {
            edge: complete_columns(table)
            for edge, table in network.tables.items()
            if table.size and edge.parent != edge.child and edge in edges
        }
        self.parents: dict[str, tuple[str, ...]] = {
            name: tuple(edge.parent for edge in edges if edge.child == name != edge.parent) for name in self.cardinality
        }
        self.told: dict[str, FloatArray] = {}
        for name, prior in network.priors.items():
            completed = complete_columns(prior[:, np.newaxis])[:, 0]
            if completed.any():
                self.told[name] = completed
        marginals = {name: Table(name, (), values) for name, values in self._to_marginals(edges).items()}
        # Recovery divides P(c, a) by P(a), so that any P(a) above zero does: here all states of the parent are alike.
        pairwise = {
            Edge(parent, child): Table(child, (parent,), self._to_joint(Edge(parent, child)))
            for child, parents in self.parents.items()
            for parent in parents
        }
        self.tables = Tables(variables, edges, marginals, pairwise, {})

    def count_cells(self, name: str, parents: tuple[str, ...]) -> int:
        cells = self.cardinality[name]
        for parent in parents:
            cells *= self.cardinality[parent]
        return cells

    def predict(self, name: str, parents: tuple[str, ...]) -> PredictedCpd | None:
        if len(parents) == 1:
            return PredictedCpd(name, parents, self.network.tables[Edge(parents[0], name)])
        if self.count_cells(name, parents) > MAX_CELLS:
            return None
        matrix = recover_cpd(self.tables, name, parents).matrix
        return PredictedCpd(name, parents, np.where(self._find_told(name, parents), matrix, np.nan))

    def recover(self, name: str) -> Cpd:
        """The CPD given all parents, in which what no table and no prior tells is marked as the marginal."""
        parents = self.parents[name]
        cpd = recover_cpd(self.tables, name, parents)
        is_told = self._find_told(name, parents) if parents else np.array([name in self.told])
        rules = tuple(rule if told else Rule.MARGINAL for rule, told in zip(cpd.rules, is_told.tolist(), strict=True))
        return replace(cpd, rules=rules)

    def _find_told(self, name: str, parents: tuple[str, ...]) -> NDArray[np.bool_]:
        """For every configuration whether the column of any parent tells something."""
        is_told = np.zeros(1, dtype=bool)
        for parent in parents:
            table = self.completed.get(Edge(parent, name))
            has_mass = np.zeros(self.cardinality[parent], dtype=bool) if table is None else table.any(axis=0)
            is_told = (is_told[:, np.newaxis] | has_mass).reshape(-1)
        return is_told

    def _to_joint(self, edge: Edge) -> FloatArray:
        n_parent, n_child = self.cardinality[edge.parent], self.cardinality[edge.child]
        table = self.completed.get(edge)
        return np.zeros((n_parent, n_child)) if table is None else table.T / n_parent

    def _to_marginals(self, edges: tuple[Edge, ...]) -> dict[str, FloatArray]:
        names = tuple(self.cardinality)
        uniform = {name: np.full(n, 1 / max(n, 1)) for name, n in self.cardinality.items()}
        try:
            levels = to_levels(names, edges)
        except ValueError:
            return uniform | self.told
        marginals: dict[str, FloatArray] = {}
        for name in sorted(names, key=levels.__getitem__):
            marginals[name] = self.told[name] if name in self.told else self._propagate(name, marginals, uniform[name])
        return marginals

    def _propagate(self, name: str, marginals: Mapping[str, FloatArray], uniform: FloatArray) -> FloatArray:
        estimates: list[FloatArray] = []
        for parent in self.parents[name]:
            table = self.completed.get(Edge(parent, name))
            if table is None:
                continue
            # A column that tells nothing is all zeros, so that it adds neither to the sum nor to its mass.
            estimate = table @ marginals[parent]
            mass = float(estimate.sum())
            if mass >= MASS_FLOOR:
                estimates.append(estimate / mass)
        return np.mean(estimates, axis=0) if estimates else uniform
