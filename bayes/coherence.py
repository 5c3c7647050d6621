"""How well the elicited tables of a backbone agree with one another.

A model that gives P(A), P(C) and P(A, C) in separate answers need not make them fit. The disagreement is measured as
total variation, TV(p, q) = 1/2 sum |p - q|, between 0 and 1, and kept beside the data: on published backbones it
reaches 0.78.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bayes.network import Edge, FloatArray, Tables


@dataclass(frozen=True, slots=True)
class EdgeCoherence:
    """Gaps of one edge: elicited marginals against those its pairwise joint implies, and joint against joint.

    ``joint_gap`` compares the pairwise joint with the one that the child's multi-parent joint implies; None where
    there is no multi-parent joint.
    """

    edge: Edge
    parent_gap: float
    child_gap: float
    joint_gap: float | None


@dataclass(frozen=True, slots=True)
class Coherence:
    """All gaps of a backbone. ``network_gaps``: elicited marginal against the recovered network's own, by variable."""

    edges: tuple[EdgeCoherence, ...]
    network_gaps: Mapping[str, float]

    @property
    def max_gap(self) -> float:
        """The largest gap of any kind."""
        gaps = [gap for edge in self.edges for gap in (edge.parent_gap, edge.child_gap, edge.joint_gap or 0.0)]
        return max([*gaps, *self.network_gaps.values()], default=0.0)


def total_variation(p: FloatArray, q: FloatArray) -> float:
    """1/2 sum |p - q| over all cells.

    Example:
        >>> total_variation(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
        0.5
    """
    return float(np.abs(p - q).sum() / 2)


def measure_coherence(tables: Tables, network_marginals: Mapping[str, FloatArray]) -> Coherence:
    """Every gap between tables that speak of the same variables.

    Args:
        tables: what was elicited.
        network_marginals: the recovered network's marginals, from :func:`bayes.inference.to_marginals`.
    """
    edges: list[EdgeCoherence] = []
    for edge in tables.edges:
        pairwise = tables.pairwise[edge].values
        multi = tables.multi.get(edge.child)
        joint_gap = None
        if multi is not None and edge.parent in multi.parents:
            axis = multi.parents.index(edge.parent)
            others = tuple(i for i in range(len(multi.parents)) if i != axis)
            joint_gap = total_variation(pairwise, multi.values.sum(axis=others))
        edges.append(
            EdgeCoherence(
                edge,
                total_variation(tables.marginals[edge.parent].values, pairwise.sum(axis=1)),
                total_variation(tables.marginals[edge.child].values, pairwise.sum(axis=0)),
                joint_gap,
            )
        )
    gaps = {
        name: total_variation(tables.marginals[name].values, marginal) for name, marginal in network_marginals.items()
    }
    return Coherence(tuple(edges), gaps)
