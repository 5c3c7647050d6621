"""Probability tables that agree with one another: all are read off one small network.

Effects are ordinal. With levels x of the parents' states and y of the child's states in [-1, 1]

    P(child = c given parents = a) proportional to b(c) * exp(K * sum_i sign_i * strength_i * x_i(a_i) * y(c)),

This is the linear-by-linear association model (Goodman, 1979, J. Am. Stat. Assoc. 74:537); several parents add up, and
a small part of b is mixed in, since no text names all causes. b is the distribution of the child's states before any
parent is considered. Marginals and joints are sums over the product of these CPDs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters

import numpy as np

from bayes.network import FloatArray, Variable
from providers.rules.states import to_prior, to_scale
from providers.rules.variables import RuleEdge, RuleReading

COUPLING = 1.2
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
    names = _list_ancestors(network, [variable.name for variable in variables if network.knows(variable)])
    letters = dict(zip(names, ascii_letters, strict=False))
    terms = ["".join(letters[parent] for parent in (*network.factors[name].parents, name)) for name in names]
    arrays = [network.factors[name].values for name in names]
    result = ""
    for variable in variables:
        if network.knows(variable):
            result += letters[variable.name]
        else:
            result += ascii_letters[len(names) + len(result)]
            terms.append(result[-1])
            arrays.append(np.full(variable.cardinality, 1 / variable.cardinality))
    return np.asarray(np.einsum(f"{','.join(terms)}->{result}", *arrays, optimize="greedy"), dtype=np.float64)


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
    """Cells of four decimals that sum to 1, none below 0.0005 unless there are more than a thousand.

    What the small cells gain the others lose in proportion; the largest remainders are rounded up.

    Example:
        >>> round_table(np.array([0.99999, 0.00001])).tolist()
        [0.9995, 0.0005]
    """
    floor = min(SMALLEST_CELL, 0.5 / values.size)
    above = np.maximum(values - floor, 0)
    shares = (floor + above * (1 - floor * values.size) / above.sum()).ravel() * 10**DECIMALS
    units = np.floor(shares + 1e-9)
    n_left = round(float(10**DECIMALS - units.sum()))
    units[np.argsort(units - shares, kind="stable")[:n_left]] += 1
    return np.round(units / 10**DECIMALS, DECIMALS).reshape(values.shape)
