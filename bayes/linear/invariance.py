"""Whether a model says the same in another unit: coefficients of one, converted, against those of the other."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bayes.network import Edge


@dataclass(frozen=True, slots=True)
class EdgeInvariance:
    """One edge: the mean coefficient elicited in the original unit, and that of the other unit converted to it."""

    edge: Edge
    original: float
    converted: float


@dataclass(frozen=True, slots=True)
class UnitInvariance:
    """All edges that have a coefficient in both units.

    ``relative_distance`` is the L2 distance of converted and original coefficients divided by the L2 norm of the
    original ones: 0 for a model that knows what a unit is. ``None`` where all original ones are 0. ``same_sign`` is the
    share of edges with the same sign in both.
    """

    edges: tuple[EdgeInvariance, ...]
    relative_distance: float | None
    same_sign: float


def measure_invariance(
    original: Mapping[Edge, Sequence[float]],
    scaled: Mapping[Edge, Sequence[float]],
    unit_factors: Mapping[Edge, float],
) -> UnitInvariance | None:
    """Compare the coefficients of runs in two units, edge by edge and by their means over runs.

    Args:
        original: per edge, the coefficients elicited in the original units.
        scaled: per edge, those elicited in the scaled units.
        unit_factors: per edge, factor(child)/factor(parent), by which conversion to the scaled units multiplies.

    Returns:
        None where no edge has a coefficient in both.

    Example:
        >>> edge = Edge("rain", "crop")
        >>> found = measure_invariance({edge: [2.0, 4.0]}, {edge: [3300.0]}, {edge: 1000.0})
        >>> found.edges[0].converted, round(found.relative_distance, 3)
        (3.3, 0.1)
    """
    edges = tuple(
        EdgeInvariance(edge, fmean(values), fmean(scaled[edge]) / unit_factors[edge])
        for edge, values in original.items()
        if values and scaled.get(edge)
    )
    if not edges:
        return None
    norm = math.hypot(*(item.original for item in edges))
    distance = math.hypot(*(item.converted - item.original for item in edges))
    same = sum(_sign(item.original) == _sign(item.converted) for item in edges)
    return UnitInvariance(edges, distance / norm if norm else None, same / len(edges))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
