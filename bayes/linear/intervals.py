"""Interval arithmetic: which values an equation allows, and whether they stay within the variable's bounds."""

import math
import sys
from dataclasses import dataclass
from typing import Literal

from bayes.linear.model import Equation, Interval, LinearDag

TOLERANCE = 1e-9

Side = Literal["lower", "upper"]


@dataclass(frozen=True, slots=True)
class RangeCheck:
    """Whether an equation keeps its variable within bounds.

    ``reason`` is one line to feed back, ``None`` when accepted. ``skipped`` names the sides that could not be checked,
    because the variable's bound or one that the range depends on is missing. With both skipped, anything is accepted.
    """

    accepted: bool
    reason: str | None
    range: Interval
    skipped: tuple[Side, ...]


def to_range(equation: Equation, dag: LinearDag) -> Interval:
    r"""The values that an equation can give over its parents' bounds, the noise excluded.

    .. math:: \min Y = b_0 + \sum_i \min(b_i l_i, b_i u_i), \qquad \max Y = b_0 + \sum_i \max(b_i l_i, b_i u_i)

    Parents are taken to vary independently within their bounds, so the ends are the worst case and are attained at a
    corner. A side that needs a missing bound is ``None``; a parent with coefficient 0 needs none. Sums are rounded
    once, and those beyond the largest float are set to it.

    Example:
        >>> from bayes.linear.model import Edge, LinearVariable
        >>> x, y = LinearVariable("x", Interval(0.0, 10.0)), LinearVariable("y", Interval(0.0, 100.0))
        >>> to_range(Equation("y", 1.0, ("x",), (-2.0,)), LinearDag((x, y), (Edge("x", "y"),)))
        Interval(low=-19.0, high=1.0)
    """
    lows: list[float | None] = [equation.intercept]
    highs: list[float | None] = [equation.intercept]
    for parent, slope in zip(equation.parents, equation.coefficients, strict=True):
        bounds = dag.bounds[parent]
        low, high = _scale(bounds.low, slope), _scale(bounds.high, slope)
        lows.append(low if slope >= 0 else high)
        highs.append(high if slope >= 0 else low)
    return Interval(_add(lows), _add(highs))


def check_range(equation: Equation, dag: LinearDag, tolerance: float = TOLERANCE) -> RangeCheck:
    """Accept an equation if its range lies within the bounds of its variable.

    The range may stick out by ``tolerance`` times the larger absolute bound of the variable, which forgives rounding
    and is the same condition in every unit. A side with a missing bound is skipped and recorded.

    Example:
        >>> from bayes.linear.model import Edge, LinearVariable
        >>> x, y = LinearVariable("x", Interval(0.0, 10.0)), LinearVariable("y", Interval(0.0, None))
        >>> check = check_range(Equation("y", 1.0, ("x",), (-2.0,)), LinearDag((x, y), (Edge("x", "y"),)))
        >>> check.skipped, check.reason
        (('upper',), "the predicted minimum -19 of 'y' is below its lower bound 0")
    """
    bounds = dag.bounds[equation.variable]
    found = to_range(equation, dag)
    slack = tolerance * max(abs(side) for side in (bounds.low, bounds.high, 0.0) if side is not None)
    skipped: list[Side] = []
    reasons: list[str] = []
    if bounds.low is None or found.low is None:
        skipped.append("lower")
    elif found.low < bounds.low - slack:
        low, bound = _show(found.low, bounds.low)
        reasons.append(f"the predicted minimum {low} of '{equation.variable}' is below its lower bound {bound}")
    if bounds.high is None or found.high is None:
        skipped.append("upper")
    elif found.high > bounds.high + slack:
        high, bound = _show(found.high, bounds.high)
        reasons.append(f"the predicted maximum {high} of '{equation.variable}' is above its upper bound {bound}")
    return RangeCheck(not reasons, "; ".join(reasons) or None, found, tuple(skipped))


def _scale(side: float | None, slope: float) -> float | None:
    if slope == 0:
        return 0.0
    return None if side is None else _clip(slope * side)


def _add(sides: list[float | None]) -> float | None:
    known = [side for side in sides if side is not None]
    if len(known) < len(sides):
        return None
    try:
        return _clip(math.fsum(known))
    except OverflowError:
        return _clip(math.fsum(side / len(known) for side in known) * len(known))


def _clip(value: float) -> float:
    return max(-sys.float_info.max, min(sys.float_info.max, value))


def _show(value: float, bound: float) -> tuple[str, str]:
    """Six digits, or all of them where six would look the same."""
    shown = f"{value:.6g}", f"{bound:.6g}"
    return shown if shown[0] != shown[1] else (repr(float(value)), repr(float(bound)))
