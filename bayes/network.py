"""The types that everything else computes with: variables, elicited tables, CPDs, networks.

Arrays are ``float64`` and are treated as read-only. See the package docstring for the words and the axis orders.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

BASELINE_STATE = "none"


class Rule(StrEnum):
    """How a CPD column was made; see :mod:`bayes.recovery`."""

    PRIOR = "prior"
    PAIRWISE = "pairwise"
    JOINT = "joint"
    PRODUCT = "product"
    MARGINAL = "marginal"
    GIVEN = "given"


class Edge(NamedTuple):
    """A directed edge from a cause to its effect."""

    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A discrete variable: a name and its states in order, the baseline ``none`` last where there is one."""

    name: str
    states: tuple[str, ...]

    @property
    def cardinality(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def telling_states(self) -> tuple[str, ...]:
        """The states other than the baseline."""
        return tuple(state for state in self.states if state != BASELINE_STATE)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One elicited probability table, completed and normalised.

    ``values`` sums to 1. ``raw_sum`` is what the elicited cells summed to before, ``n_floored`` how many cells were
    missing. A marginal has no parents and one axis; a joint has one axis per parent and the child's last.
    """

    child: str
    parents: tuple[str, ...]
    values: FloatArray
    raw_sum: float = 1.0
    n_floored: int = 0


@dataclass(frozen=True, eq=False)
class Tables:
    """All tables elicited for one backbone: the input of CPD recovery.

    ``marginals`` has every variable, ``pairwise`` every edge; ``multi`` has the children with two or three parents
    for which a multi-parent joint was elicited.
    """

    variables: tuple[Variable, ...]
    edges: tuple[Edge, ...]
    marginals: Mapping[str, Table]
    pairwise: Mapping[Edge, Table]
    multi: Mapping[str, Table]

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        """The variables by name."""
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Parents of every variable, in the order of the edges."""
        parents: dict[str, list[str]] = {variable.name: [] for variable in self.variables}
        for edge in self.edges:
            parents[edge.child].append(edge.parent)
        return {name: tuple(names) for name, names in parents.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Cpd:
    """P(variable given parents): ``matrix[s, j]`` is the probability of state s in parent configuration j.

    ``rules`` has one entry per column.
    """

    variable: str
    parents: tuple[str, ...]
    matrix: FloatArray
    rules: tuple[Rule, ...]


@dataclass(frozen=True, eq=False)
class Network:
    """A fully parameterised discrete Bayesian network; ``cpds`` are in the order of ``variables``."""

    variables: tuple[Variable, ...]
    cpds: tuple[Cpd, ...]

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        """The variables by name."""
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def cpd_of(self) -> dict[str, Cpd]:
        """The CPDs by the name of their variable."""
        return {cpd.variable: cpd for cpd in self.cpds}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge, ordered by child and then by its parents' order."""
        return tuple(Edge(parent, cpd.variable) for cpd in self.cpds for parent in cpd.parents)

    @cached_property
    def levels(self) -> dict[str, int]:
        """Topological level of every variable.

        Raises:
            ValueError: the edges close a cycle.
        """
        from bayes.graphs import to_levels

        return to_levels(tuple(self.by_name), self.edges)

    @property
    def depth(self) -> int:
        """The highest level; 0 for a network without edges."""
        return max(self.levels.values(), default=0)
