"""Answers that need no model: the ends of the scale that elicited coefficients are read against.

They leave through :func:`write_baseline` as text, so that they take the way of every other reply.
"""

from collections.abc import Sequence
from enum import StrEnum

from bayes.linear.model import Equation, LinearDag
from bayes.linear.parsing import format_equation
from bayes.network import Edge

SMALL = 1e-4
BIG = 1e4


class Baseline(StrEnum):
    """The baselines by name."""

    ZERO = "zero"
    SMALL = "small"
    BIG = "big"
    SATURATING = "saturating"
    TRUTH = "truth"


def to_baseline(baseline: Baseline, dag: LinearDag, variable: str) -> Equation:
    r"""The equation of a variable under a baseline.

    - ``zero``: every coefficient and the intercept are 0; ``small`` and ``big``: they are 1e-4 and 1e4.
    - ``saturating``: every one of the k parents gets the same coefficient :math:`s/k`, where s is the largest scale up
      to 1 whose range is no wider than the variable's own,
      :math:`s = \min\bigl(1,\; (u_Y - l_Y) \big/ \tfrac1k \sum_i (u_i - l_i)\bigr)`, and the intercept puts the middle
      of that range on the middle of the variable's bounds. Where a bound that this needs is missing, s is 1 and the
      intercept 0.
    - ``truth``: the true coefficients, and the true intercept or 0 where it is unknown.

    Raises:
        ValueError: ``truth`` is asked of a DAG that has none.

    Example:
        >>> from bayes.linear.model import Edge, Interval, LinearVariable
        >>> x, y = LinearVariable("x", Interval(0.0, 10.0)), LinearVariable("y", Interval(0.0, 4.0))
        >>> format_equation(to_baseline(Baseline.SATURATING, LinearDag((x, y), (Edge("x", "y"),)), "y"))
        'y = 0.0 + 0.4*x'
    """
    parents = dag.parents[variable]
    match baseline:
        case Baseline.ZERO:
            return _to_constant(0.0, variable, parents)
        case Baseline.SMALL:
            return _to_constant(SMALL, variable, parents)
        case Baseline.BIG:
            return _to_constant(BIG, variable, parents)
        case Baseline.SATURATING:
            return _saturate(dag, variable, parents)
        case Baseline.TRUTH:
            return to_true_equation(dag, variable)


def write_baseline(baseline: Baseline, dag: LinearDag, variable: str) -> str:
    """The baseline's equation as the text of a reply."""
    return format_equation(to_baseline(baseline, dag, variable))


def to_true_equation(dag: LinearDag, variable: str) -> Equation:
    """The true equation of a variable, with intercept 0 where it is unknown.

    Raises:
        ValueError: the DAG has no truth.
    """
    if dag.truth is None:
        raise ValueError("this DAG has no true coefficients")
    parents = dag.parents[variable]
    slopes = tuple(dag.truth.coefficients[Edge(parent, variable)] for parent in parents)
    return Equation(variable, dag.truth.intercepts.get(variable, 0.0), parents, slopes)


def _to_constant(number: float, variable: str, parents: Sequence[str]) -> Equation:
    return Equation(variable, number, tuple(parents), (number,) * len(parents))


def _saturate(dag: LinearDag, variable: str, parents: Sequence[str]) -> Equation:
    k = len(parents)
    own = dag.bounds[variable]
    if own.low is None or own.high is None:
        return Equation(variable, 0.0, tuple(parents), (1.0 / k,) * k if k else ())
    middle = (own.low + own.high) / 2
    if not parents:
        return Equation(variable, middle)
    middles: list[float] = []
    widths: list[float] = []
    for parent in parents:
        bounds = dag.bounds[parent]
        if bounds.low is None or bounds.high is None:
            return Equation(variable, 0.0, tuple(parents), (1.0 / k,) * k)
        middles.append((bounds.low + bounds.high) / 2)
        widths.append(bounds.high - bounds.low)
    width = sum(widths) / k
    scale = 1.0 if width == 0 else min(1.0, (own.high - own.low) / width)
    return Equation(variable, middle - scale * sum(middles) / k, tuple(parents), (scale / k,) * k)
