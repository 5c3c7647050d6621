"""A structural equation as text: read strictly, and written so that reading gives exactly it back."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bayes.linear.finding import MAX_EQUATION, MAX_REPLY, find_equation, find_other_left_side, find_right_side
from bayes.linear.grammar import Affine, Reader, list_names, refuse_name
from bayes.linear.model import Equation
from bayes.linear.names import is_plain
from bayes.linear.problems import ParseProblem, ProblemKind, Refusal, shorten
from bayes.linear.tokens import cut_tokens

__all__ = ["Equation", "ParseProblem", "find_equation", "format_equation", "parse_equation", "read_coefficients"]


def parse_equation(text: str, variable: str, parents: Sequence[str]) -> Equation | ParseProblem:
    """Read the structural equation of a variable out of a reply.

    The last equation with ``variable`` on its left counts (see :func:`bayes.linear.finding.find_equation`). Its right
    side must be linear with exactly one mention of every parent, in any order and with any constants to fold. A noise
    term is optional and set aside, whatever its factor.

    Args:
        text: the whole reply; data, never run.
        variable: the name on the left side.
        parents: the names that must be on the right side; the equation's coefficients come in this order.

    Returns:
        The equation, or the problem with a one-line reason that can be fed back to whoever wrote the text.

    Raises:
        ValueError: ``parents`` holds a name twice or the variable itself.

    Example:
        >>> parse_equation("So: Y = −2 + 3e-1·A + Active*(1+2)/4 + ε", "Y", ("A", "Active"))
        Equation(variable='Y', intercept=-2.0, parents=('A', 'Active'), coefficients=(0.3, 0.75))
        >>> parse_equation("Y = 2 + 3*A", "Y", ("A", "Active")).reason
        "the equation of 'Y' must mention every parent; 'Active' is missing"
    """
    names = tuple(parents)
    if len({*names, variable}) <= len(names):
        raise ValueError(f"the parents of {variable!r} must be different names other than its own: {names}")
    return _parse_or_explain(text, variable, names)


# Independent runs of one model often give one reply again and again.
@lru_cache(maxsize=512)
def _parse_or_explain(text: str, variable: str, parents: tuple[str, ...]) -> Equation | ParseProblem:
    try:
        return _parse(text, variable, parents)
    except Refusal as refusal:
        return refusal.problem


def read_coefficients(
    variable: str, parents: Sequence[str], intercept: float, named: Iterable[tuple[str, float]]
) -> Equation | ParseProblem:
    """The equation from named coefficients, the structured form of a reply, under the same rules as the text.

    Example:
        >>> read_coefficients("y", ("a", "b"), 1.0, (("b", 2.0), ("a", 3.0)))
        Equation(variable='y', intercept=1.0, parents=('a', 'b'), coefficients=(3.0, 2.0))
    """
    pairs = tuple(named)
    slopes = dict(pairs)
    try:
        for name in slopes:
            if name not in parents:
                raise refuse_name(name, variable, tuple(parents))
        _check_mentions(Counter(name for name, _ in pairs), variable, tuple(parents))
        return _to_equation(Affine(intercept, slopes), variable, tuple(parents))
    except Refusal as refusal:
        return refusal.problem


def format_equation(equation: Equation) -> str:
    """Write an equation without noise, so that :func:`parse_equation` gives exactly it back.

    Numbers are Python's shortest exact ones. Names are quoted with backticks as soon as one of them needs it.

    Example:
        >>> format_equation(Equation("GC", 358.0, ("A", "GM"), (13.5, -0.25)))
        'GC = 358.0 + 13.5*A - 0.25*GM'
    """
    names = (equation.variable, *equation.parents)
    quote = "" if all(is_plain(name) for name in names) else "`"
    terms = "".join(
        f" {'-' if math.copysign(1.0, slope) < 0 else '+'} {abs(float(slope))!r}*{quote}{name}{quote}"
        for name, slope in zip(equation.parents, equation.coefficients, strict=True)
    )
    return f"{quote}{equation.variable}{quote} = {float(equation.intercept)!r}{terms}"


def _parse(text: str, variable: str, parents: tuple[str, ...]) -> Equation:
    if len(text) > MAX_REPLY:
        raise Refusal(ProblemKind.TOO_LONG, f"the reply is longer than {MAX_REPLY} characters")
    right = find_right_side(text, variable, parents)
    if right is None:
        other = find_other_left_side(text)
        if other is None:
            raise Refusal(ProblemKind.NO_EQUATION, f"no equation was found: the last line must be '{variable} = ...'")
        raise Refusal(
            ProblemKind.WRONG_LEFT_SIDE, f"the left side of the equation must be '{variable}', not {shorten(other)}"
        )
    if not right:
        raise Refusal(ProblemKind.SYNTAX, f"nothing stands right of '{variable} ='")
    if len(right) > MAX_EQUATION:
        raise Refusal(ProblemKind.TOO_LONG, f"the equation is longer than {MAX_EQUATION} characters")
    reader = Reader(tuple(cut_tokens(right, variable, parents)), variable, parents)
    affine = reader.read()
    _check_mentions(reader.mentions, variable, parents)
    return _to_equation(affine, variable, parents)


def _check_mentions(mentions: "Counter[str]", variable: str, parents: tuple[str, ...]) -> None:
    repeated = [name for name in parents if mentions[name] > 1]
    if repeated:
        raise Refusal(
            ProblemKind.REPEATED_NAME, f"every parent must be mentioned once; {list_names(repeated)} is repeated"
        )
    missing = [name for name in parents if not mentions[name]]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise Refusal(
            ProblemKind.MISSING_PARENT,
            f"the equation of '{variable}' must mention every parent; {list_names(missing)} {verb} missing",
        )


def _to_equation(affine: Affine, variable: str, parents: tuple[str, ...]) -> Equation:
    slopes = tuple(float(affine.slopes[name]) for name in parents)
    if not all(math.isfinite(number) for number in (affine.constant, *slopes)):
        raise Refusal(ProblemKind.NOT_FINITE, f"a number in the equation of '{variable}' is not finite")
    return Equation(variable, float(affine.constant), parents, slopes)
