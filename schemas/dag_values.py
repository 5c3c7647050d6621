"""The single values of a DAG file: read from YAML's plain text, or refused with a reason."""

import math
import re
import reprlib
from typing import Any, cast

from bayes.linear.names import is_bare
from bayes.network import Edge
from schemas.names import MAX_NAME, clean_name
from schemas.slugs import is_slug

ORIGINAL = "original"
"""The condition of a DAG as its file gives it."""

MAX_TEXT = 4000
"""Longest text taken, in characters."""

SLUG_PATTERN = "^[a-z]([a-z0-9-]*[a-z0-9])?$"

EDGE_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        {
            "type": "object",
            "properties": {"parent": {"type": "string"}, "child": {"type": "string"}},
            "required": ["parent", "child"],
            "additionalProperties": False,
        },
    ]
}

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?\.?(?:inf|infinity|nan)", re.IGNORECASE)
_NO_BOUND = frozenset({"", "~", "null", "Null", "NULL"})
_SHOWN = 40


def check_name(text: str) -> str:
    """The name of a variable, as it can stand in an equation without quotes.

    Example:
        >>> check_name("prev_heard"), check_name("dose 2"), check_name("IL-6")
        ('prev_heard', 'dose 2', 'IL-6')
    """
    if clean_name(text) != text or len(text) > MAX_NAME or not is_bare(text):
        raise ValueError(
            f"the name {clip(text)} cannot be told from the rest of an equation; begin with a letter and use letters, "
            f"digits, underscores and single spaces, {MAX_NAME} characters at most"
        )
    return text


def check_slug(text: str) -> str:
    """A name that can stand in paths and tables."""
    if not is_slug(text):
        raise ValueError(
            f"{clip(text)} is not a slug (lower-case letters, digits and hyphens, beginning with a letter)"
        )
    return text


def check_text(text: str) -> str:
    """Prose on one line, white space folded and control characters dropped."""
    cleaned = clean_name(text)
    if not cleaned:
        raise ValueError("is empty")
    if len(cleaned) > MAX_TEXT:
        raise ValueError(f"is longer than {MAX_TEXT:,} characters")
    return cleaned


def to_number(value: object) -> float:
    """A finite number; text is read as decimal notation with a point.

    Example:
        >>> to_number("1.5e-3"), to_number(".5"), to_number(7)
        (0.0015, 0.5, 7.0)
    """
    if isinstance(value, str) and _NOT_FINITE.fullmatch(value):
        number = math.inf
    elif isinstance(value, bool) or not (isinstance(value, (int, float)) or _is_numeral(value)):
        raise ValueError(f"{clip(value)} is not a number")
    else:
        number = float(cast(float | str, value))
    if not math.isfinite(number):
        raise ValueError(f"{clip(value)} is not a finite number")
    return number


def to_bound(value: object) -> float | None:
    """A finite number, or None where the side is open."""
    return None if value is None or (isinstance(value, str) and value in _NO_BOUND) else to_number(value)


def to_edge(value: object) -> Edge:
    """An edge from ``[parent, child]`` or ``{parent: ..., child: ...}``.

    Example:
        >>> to_edge(["rain", "flood"])
        Edge(parent='rain', child='flood')
    """
    ends: list[object] = []
    if isinstance(value, dict):
        record = cast(dict[object, object], value)
        ends = [record["parent"], record["child"]] if set(record) == {"parent", "child"} else []
    elif isinstance(value, (list, tuple)):
        ends = list(cast(list[object], value))
    match ends:
        case [str(parent), str(child)]:
            return Edge(parent, child)
        case _:
            raise ValueError(f"{clip(value)} is not an edge; write [PARENT, CHILD] or {{parent: PARENT, child: CHILD}}")


def _is_numeral(value: object) -> bool:
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None


def clip(value: object) -> str:
    """A value as it is shown in a message: quoted, one short line."""
    # Written out two levels deep at most: a few lines of YAML with aliases can stand for terabytes.
    writer = reprlib.Repr()
    writer.maxlevel, writer.maxstring = 2, _SHOWN
    return clip_name(writer.repr(value))


def clip_name(name: str) -> str:
    """A name as it is shown in a message: one short line."""
    text = clean_name(name)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
