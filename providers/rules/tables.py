"""Probability tables that agree with one another: all are read off one small network.

Effects are ordinal. With levels x of the parents' states and y of the child's states in [-1, 1],

    P(child = c given parents = a) proportional to b(c) * exp(K * sum_i sign_i * strength_i * x_i(a_i) * y(c)),

the linear-by-linear association model (Goodman, 1979, J. Am. Stat. Assoc. 74:537), with several parents adding up, and a
small part of b mixed in, since no text names all causes. b is the distribution of the states before any parent is
considered. Joints and marginals are sums over the product of these CPDs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayes.network import FloatArray, Variable
from providers.rules.states import to_prior, to_scale
from providers.rules.variables import RuleEdge, RuleReading

COUPLING = 0.8
LEAK = 0.06
DECIMALS = 4
SMALLEST_CELL = 0.0005


@dataclass(frozen=True, slots=True, eq=False)
class _Factor:
    """The CPD of a variable as an array: one axis per parent, the variable's own axis last."""

    variable: Variable
    parents: tuple[str, ...]
    values: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RuleNetwork:
    """The variables and CPDs behind all tables of one text."""

    factors: dict[str, _Factor]

    def knows(self, variable: Variable) -> bool:
        """Whether the network has this variable with these states."""
        return variable.name in self.factors and self.factors[variable.name].variable == variable


def build_network(reading: RuleReading) -> RuleNetwork:
    """The network of a reading; an edge that would close a cycle is left out, the best supported edges come first."""
    by_name = {variable.name: variable for variable in reading.variables}
    parents: dict[str, list[RuleEdge]] = {name: [] for name in by_name}
    for edge in reading.edges:
        if not _reaches(parents, edge.parent, edge.child):
            parents[edge.child].append(edge)
    factors = {
        variable.name: _build_factor(variable, mentions, parents[variable.name])
        for variable, mentions in zip(reading.variables, reading.mentions, strict=True)
    }
    return RuleNetwork(factors)


def _reaches(parents: dict[str, list[RuleEdge]], name: str, ancestor: str) -> bool:
    """Whether ``ancestor`` is ``name`` or one of its ancestors."""
    return name == ancestor or any(_reaches(parents, edge.parent, ancestor) for edge in parents[name])


def _build_factor(variable: Variable, mentions: int, edges: Sequence[RuleEdge]) -> _Factor:
    base = np.array(to_prior(variable.name, mentions))
    child = np.array(to_scale(variable.name).levels)
    pull = np.zeros((1,) * len(edges))
    for axis, edge in enumerate(edges):
        levels = np.array(to_scale(edge.parent).levels) * edge.sign * edge.strength
        pull = pull + levels.reshape([-1 if i == axis else 1 for i in range(len(edges))])
    values = base * np.exp(COUPLING * pull[..., None] * child)
    values /= values.sum(axis=-1, keepdims=True)
    return _Factor(variable, tuple(edge.parent for edge in edges), (1 - LEAK) * values + LEAK * base)


def compute_joint(network: RuleNetwork, variables: Sequence[Variable]) -> FloatArray:
    """The joint distribution of the variables, one axis each, exact up to rounding.

    A variable that the network does not have is independent of the others, its states equally likely.
    """
    known = [variable.name for variable in variables if network.knows(variable)]
    names = _list_ancestors(network, known)
    index = {name: i for i, name in enumerate(names)}
    operands: list[FloatArray | list[int]] = []
    for name in names:
        factor = network.factors[name]
        operands += [factor.values, [index[parent] for parent in (*factor.parents, name)]]
    axes: list[int] = []
    for variable in variables:
        if network.knows(variable):
            axes.append(index[variable.name])
        else:
            axes.append(len(index) + len(axes))
            operands += [np.full(variable.cardinality, 1 / variable.cardinality), [axes[-1]]]
    return np.asarray(np.einsum(*operands, axes, optimize="greedy"), dtype=np.float64)


def _list_ancestors(network: RuleNetwork, names: Sequence[str]) -> list[str]:
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            waiting.extend(network.factors[name].parents)
    return found


def round_table(values: FloatArray) -> FloatArray:
    """Cells of four decimals that sum to 1, none below 0.0005; what the small cells gain the others lose in proportion.

    Example:
        >>> round_table(np.array([0.99999, 0.00001])).tolist()
        [0.9995, 0.0005]
    """
    small = values < SMALLEST_CELL
    rest = values[~small]
    if small.any() and rest.size:
        values = np.where(small, SMALLEST_CELL, values * (1 - SMALLEST_CELL * small.sum()) / rest.sum())
    rounded = np.round(values, DECIMALS)
    largest = np.unravel_index(int(np.argmax(rounded)), rounded.shape)
    rounded[largest] = round(float(rounded[largest] + 1 - rounded.sum()), DECIMALS)
    return np.round(rounded, DECIMALS)
