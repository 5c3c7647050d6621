"""Fitting joints to marginals by iterative proportional fitting (IPF).

IPF scales a joint to one given margin after the other until all hold. It changes the joint as little as possible (the
result is the distribution nearest in relative entropy that has these margins) and leaves its odds ratios, the
elicited dependence, as they were. Zero cells stay zero, so margins that need them cannot be met: what is left is
reported.

Source: Deming, W. E. and Stephan, F. F. (1940). Annals of Mathematical Statistics 11(4), 427-444.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bayes.coherence import total_variation
from bayes.network import Edge, FloatArray, Table, Tables

_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Margin:
    """A margin that a joint is to have: the axes that are kept, in order, and their distribution."""

    axes: tuple[int, ...]
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Fitted tables, how far the joints moved (largest total variation), and the gap that no fit could close."""

    tables: Tables
    max_move: float
    max_residual: float


def fit_margins(
    joint: FloatArray, margins: Sequence[Margin], *, tolerance: float = 1e-10, max_rounds: int = 500
) -> FloatArray:
    """The joint scaled to the margins, one after the other, until none is further off than ``tolerance``.

    Args:
        joint: non-negative, any shape, summing to 1.
        margins: what it is to have; axes ascending.
        tolerance: total variation at which a margin counts as met.
        max_rounds: rounds after which the best so far is returned.

    Example:
        >>> half = np.array([0.5, 0.5])
        >>> fitted = fit_margins(np.array([[0.4, 0.1], [0.2, 0.3]]), [Margin((0,), half), Margin((1,), half)])
        >>> fitted.sum(axis=0).round(9).tolist()
        [0.5, 0.5]
    """
    fitted = joint.copy()
    for _ in range(max_rounds):
        for margin in margins:
            others = _others(fitted, margin.axes)
            scale = margin.values / np.maximum(fitted.sum(axis=others), _TINY)
            fitted = fitted * np.expand_dims(scale, others)
        fitted /= max(float(fitted.sum()), _TINY)
        if max(_residual(fitted, margin) for margin in margins) <= tolerance:
            break
    return fitted


def reconcile(tables: Tables) -> Reconciliation:
    """Fit every pairwise joint to both marginals, then every multi-parent joint to the fitted pairwise joints."""
    moves: list[float] = [0.0]
    residuals: list[float] = [0.0]

    def fit(table: Table, margins: Sequence[Margin]) -> Table:
        fitted = fit_margins(table.values, margins)
        moves.append(total_variation(fitted, table.values))
        residuals.extend(_residual(fitted, margin) for margin in margins)
        return replace(table, values=fitted)

    marginals = tables.marginals
    pairwise: dict[Edge, Table] = {
        edge: fit(table, (Margin((0,), marginals[edge.parent].values), Margin((1,), marginals[edge.child].values)))
        for edge, table in tables.pairwise.items()
    }
    multi: Mapping[str, Table] = {
        child: fit(
            table,
            [
                Margin((axis, len(table.parents)), pairwise[Edge(parent, child)].values)
                for axis, parent in enumerate(table.parents)
            ],
        )
        for child, table in tables.multi.items()
    }
    fitted = Tables(tables.variables, tables.edges, marginals, pairwise, multi)
    return Reconciliation(fitted, max(moves), max(residuals))


def _others(values: FloatArray, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis for axis in range(values.ndim) if axis not in axes)


def _residual(values: FloatArray, margin: Margin) -> float:
    return total_variation(values.sum(axis=_others(values, margin.axes)), margin.values)
