"""Markdown whose contents cannot become markup."""

import re
from collections.abc import Sequence

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&$:@])")


def escape(value: object) -> str:
    r"""A value as literal Markdown text on one line.

    Example:
        >>> print(escape("[x](javascript:1)|<b>"))
        \[x\]\(javascript\:1\)\|\<b\>
    """
    return _SPECIAL.sub(r"\\\1", " ".join(str(value).split()))


def to_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table with escaped cells."""
    lines = [header, ["---"] * len(header)]
    body = [[escape(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in [*lines, *body])
