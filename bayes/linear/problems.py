"""Why a text is not the equation that was asked for."""

from dataclasses import dataclass
from enum import StrEnum


class ProblemKind(StrEnum):
    """What is wrong with a text that should hold an equation."""

    NO_EQUATION = "no_equation"
    WRONG_LEFT_SIDE = "wrong_left_side"
    UNKNOWN_NAME = "unknown_name"
    REPEATED_NAME = "repeated_name"
    MISSING_PARENT = "missing_parent"
    NONLINEAR = "nonlinear"
    THOUSANDS_SEPARATOR = "thousands_separator"
    NOT_FINITE = "not_finite"
    TOO_LONG = "too_long"
    SYNTAX = "syntax"


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A text that is no usable equation: the kind for counting, the reason as one line to feed back."""

    kind: ProblemKind
    reason: str


class Refusal(Exception):
    """Carries a problem out of the depths of the parser; never leaves this package."""

    def __init__(self, kind: ProblemKind, reason: str) -> None:
        """Hold the problem."""
        super().__init__(reason)
        self.problem = ParseProblem(kind, reason)


def shorten(text: str, limit: int = 60) -> str:
    """A text from a reply as one short line in quotes, fit to be named in a reason."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return f"'{line}'" if len(line) <= limit else f"'{line[: limit - 1]}…'"
