"""Wikitext that costs too much to read: what the parser is not given.

The parser descends once for each equals sign of a heading, until the process dies; its time grows with the square of
what is left open, and with each piece of markup. A page beyond these limits is none a reader could use: an article of
Wikipedia stays under a tenth of them.
"""

import re
from collections import Counter

MAX_WIKITEXT = 200_000
"""Characters of a lead or a section at most."""
MAX_PAGE = 2_097_152
"""Characters of a page at most: MediaWiki itself saves no page of more bytes, unless it is told to."""

_MAX_LEFT_OPEN = 50
_MAX_TAGS = 2000
_MAX_EQUALS = 1000
_MAX_MARKS = 15_000
_EQUALS = re.compile(rf"^=(?:[^=\n]*=){{{_MAX_EQUALS}}}", re.MULTILINE)
# What becomes a node of its own: links, templates, tables and their cells, emphasis, entities, rules, list signs.
_MARKS = re.compile(
    r"\[\[|\{\{|\{\||\n[|!]|\|\||!!|''+|//|mailto:|&|----|<|(?<![^\n:;*#])[:;*#]|^;[^:\n]*:", re.MULTILINE
)
# How markup opens and closes. The end of a line closes a link to an address.
_PAIRS = (
    ("{{", re.compile(r"(\{\{)|\}\}")),
    ("[[", re.compile(r"(\[\[)|\]\]")),
    ("{|", re.compile(r"(\{\|)|\|\}")),
    ("<", re.compile(r"(<(?=[a-z]))|>", re.IGNORECASE)),
    ("[", re.compile(r"(\[(?=//|[a-z][a-z0-9+.-]{0,20}:))|[\]\n]", re.IGNORECASE)),
)
# Tags that hold something; the parser closes the others by itself.
_TAGS = re.compile(r"<(/?)(?!(?:w?br|hr|meta|link|img|li|d[dt]|t[dhr])\b)([a-z]+)[^<>]*(?<!/)>", re.IGNORECASE)


def refuse_costly_markup(wikitext: str) -> None:
    """Let a piece of wikitext pass that is read in a second or two. Notes and comments have been taken out of it.

    Raises:
        ValueError: it is not; the text is a predicate.

    Example:
        >>> refuse_costly_markup("[[Rain]] falls.")
        >>> refuse_costly_markup("= a " * 2_000)
        Traceback (most recent call last):
        ...
        ValueError: has broken markup (a line with more than 1,000 equals signs)
    """
    refuse_length(wikitext)
    if _EQUALS.search(wikitext):
        raise ValueError(f"has broken markup (a line with more than {_MAX_EQUALS:,} equals signs)")
    if re.search(r"<ref\b|<!--", wikitext, re.IGNORECASE) or wikitext.count("<") > _MAX_TAGS:
        raise ValueError("has broken markup (tags left open or too many)")
    for opening, pattern in _PAIRS:
        if _find_depth(pattern, wikitext) > _MAX_LEFT_OPEN:
            raise ValueError(f"has broken markup ({opening!r} left open)")
    if _count_open_tags(wikitext) > _MAX_LEFT_OPEN:
        raise ValueError("has broken markup (tags left open or too many)")
    if sum(1 for _ in _MARKS.finditer(wikitext)) > _MAX_MARKS:
        raise ValueError(f"has more than {_MAX_MARKS:,} pieces of markup; that is no prose")


def refuse_length(wikitext: str, at_most: int = MAX_WIKITEXT) -> None:
    """Let a piece of wikitext pass that is no longer than may be.

    Raises:
        ValueError: it is; the text is a predicate.
    """
    if len(wikitext) > at_most:
        raise ValueError(f"has {len(wikitext):,} characters of markup in one piece; at most {at_most:,} are looked at")


def _find_depth(pattern: re.Pattern[str], wikitext: str) -> int:
    """How many are open at once at most; what closes nothing does not count."""
    depth = deepest = 0
    for match in pattern.finditer(wikitext):
        depth = depth + 1 if match[1] else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _count_open_tags(wikitext: str) -> int:
    """How many tags are never closed."""
    n_open: Counter[str] = Counter()
    for match in _TAGS.finditer(wikitext):
        name = match[2].lower()
        n_open[name] = max(0, n_open[name] - 1) if match[1] else n_open[name] + 1
    return n_open.total()
