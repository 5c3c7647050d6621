"""Markdown whose contents cannot become markup."""

import re
from collections.abc import Sequence

# What is markup anywhere in a line; a colon before a slash and the point after www would make a link.
_SPECIAL = re.compile(r"([\\`*_{}\[\]#!|<>~&$@]|:(?=/)|(?<=www)\.)", re.IGNORECASE)
# What begins a list, a rule or an underlined heading where a line begins with it.
_BULLET = re.compile(r"^(?=[-+=]+(?:\s|$))")
_NUMBERED = re.compile(r"^(\d+)(?=[.)](?:\s|$))")


def escape(value: object) -> str:
    r"""A value as literal Markdown text on one line.

    Example:
        >>> print(escape("[x](javascript:1)|<b>"))
        \[x\](javascript:1)\|\<b\>
    """
    text = _SPECIAL.sub(r"\\\1", " ".join(str(value).split()))
    return _NUMBERED.sub(r"\1\\", _BULLET.sub(r"\\", text))


def to_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table with escaped cells."""
    lines = [header, ["---"] * len(header)]
    body = [[escape(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in [*lines, *body])
