"""The types of the linear half: intervals, structural equations, and DAGs with bounds and truth."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bayes.graphs import to_levels
from bayes.network import Edge

MAX_NAME = 200


def is_name(text: str) -> bool:
    """Whether a text can name a variable.

    Any printable text of at most 200 characters will do, spaces and digits included. Only backticks (they quote a name
    in an equation), line breaks and spaces at either end are impossible.

    Example:
        >>> [is_name(text) for text in ("Social_Cohesion", "yearly income", "2nd job", "", " x", "a`b")]
        [True, True, True, False, False, False]
    """
    return 0 < len(text) <= MAX_NAME and text == text.strip() and text.isprintable() and "`" not in text


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval in the unit of its variable; ``None`` on a side means that nothing is known there.

    Raises:
        ValueError: a side is not finite, or ``low`` lies above ``high``.

    Example:
        >>> Interval(2.0, 5.0).width, Interval(2.0, None).width
        (3.0, None)
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if any(side is not None and not math.isfinite(side) for side in (self.low, self.high)):
            raise ValueError(f"a bound must be finite or missing, not {self.low!r} to {self.high!r}")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"the lower bound {self.low!r} is above the upper bound {self.high!r}")

    @property
    def width(self) -> float | None:
        """``high - low``, or ``None`` where a side is missing."""
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True)
class Equation:
    """``variable = intercept + sum of coefficients[i] * parents[i]``, the noise left out.

    Raises:
        ValueError: parents and coefficients differ in number, a parent is there twice, or a number is not finite.
    """

    variable: str
    intercept: float
    parents: tuple[str, ...] = ()
    coefficients: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.parents) != len(self.coefficients):
            raise ValueError(
                f"{self.variable!r} has {len(self.parents)} parents, {len(self.coefficients)} coefficients"
            )
        if len(set(self.parents)) < len(self.parents):
            raise ValueError(f"{self.variable!r} has a parent twice: {self.parents}")
        if not all(math.isfinite(number) for number in (self.intercept, *self.coefficients)):
            raise ValueError(f"the equation of {self.variable!r} has a number that is not finite")

    @property
    def coefficient_of(self) -> dict[str, float]:
        """The coefficients by the name of their parent."""
        return dict(zip(self.parents, self.coefficients, strict=True))


@dataclass(frozen=True, slots=True)
class LinearVariable:
    """A continuous variable: its name and its bounds."""

    name: str
    bounds: Interval = Interval()


@dataclass(frozen=True, slots=True)
class Truth:
    """What elicited equations are scored against.

    ``coefficients`` has every edge of the DAG, a spurious one with 0. ``intercepts`` and ``noise_sds`` (standard
    deviations of the noise, in the variable's unit) may lack variables.
    """

    coefficients: Mapping[Edge, float]
    intercepts: Mapping[str, float]
    noise_sds: Mapping[str, float]


@dataclass(frozen=True)
class LinearDag:
    """A directed acyclic graph over bounded continuous variables, with the truth where it is known.

    Raises:
        ValueError: a name is impossible or there twice, an edge is there twice or names an unknown variable, the edges
            close a cycle, or the truth doesn't fit the graph.

    Example:
        >>> dag = LinearDag((LinearVariable("y"), LinearVariable("x")), (Edge("x", "y"),))
        >>> dag.order, dag.parents["y"]
        (('x', 'y'), ('x',))
    """

    variables: tuple[LinearVariable, ...]
    edges: tuple[Edge, ...]
    truth: Truth | None = None

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.variables]
        for name in names:
            if not is_name(name):
                raise ValueError(f"{name!r} cannot name a variable")
        _refuse_repeats("variable", names)
        _refuse_repeats("edge", self.edges)
        to_levels(names, self.edges)
        if self.truth is not None:
            _check_truth(self.truth, frozenset(names), frozenset(self.edges))

    @cached_property
    def bounds(self) -> dict[str, Interval]:
        """The bounds of every variable by name."""
        return {variable.name: variable.bounds for variable in self.variables}

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Parents of every variable, in the order of the edges."""
        parents: dict[str, list[str]] = {variable.name: [] for variable in self.variables}
        for edge in self.edges:
            parents[edge.child].append(edge.parent)
        return {name: tuple(names) for name, names in parents.items()}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Every variable after all its parents: by topological level, then in the order of ``variables``."""
        levels = to_levels(tuple(self.bounds), self.edges)
        return tuple(sorted(levels, key=levels.__getitem__))

    @property
    def targets(self) -> tuple[str, ...]:
        """The variables that have parents, in topological order: those with an equation to elicit."""
        return tuple(name for name in self.order if self.parents[name])


def _refuse_repeats(what: str, items: "list[str] | tuple[Edge, ...]") -> None:
    repeated = [item for item, count in Counter[str | Edge](items).items() if count > 1]
    if repeated:
        raise ValueError(f"{what} {repeated[0]!r} is there twice")


def _check_truth(truth: Truth, names: frozenset[str], edges: frozenset[Edge]) -> None:
    for edge in sorted(edges ^ frozenset(truth.coefficients)):
        problem = "has no true coefficient" if edge in edges else "has a true coefficient but is not in the graph"
        raise ValueError(f"edge {edge.parent!r} -> {edge.child!r} {problem}")
    for name in sorted((frozenset(truth.intercepts) | frozenset(truth.noise_sds)) - names):
        raise ValueError(f"the truth names an unknown variable {name!r}")
    numbers = (*truth.coefficients.values(), *truth.intercepts.values(), *truth.noise_sds.values())
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError("the truth has a number that is not finite")
    if any(sd < 0 for sd in truth.noise_sds.values()):
        raise ValueError("a noise standard deviation is negative")
