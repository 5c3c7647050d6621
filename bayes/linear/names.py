"""How a variable's name is recognised in the text of an equation, and when it has to be quoted.

A *plain* name (words of letters, digits and underscores, single spaces between) is written as it is. A *bare* name may
hold a few marks more (``IL-6``, ``income (USD)``) and is still recognised unquoted. Any other name, such as ``2.5``
or ``a*b``, is recognised in backticks only. Bare names are read leniently where texts differ: a space, an underscore
and LaTeX's escaped underscore stand for one another.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+\-−–]?[0-9]+)?"
WORD_GOES_ON = r"(?![^\W⁰¹²³⁴⁵⁶⁷⁸⁹])"
OPENING_QUOTES = "`\"'“‘"
CLOSING_QUOTES = "`\"'”’"

_PLAIN = re.compile(r"\w+(?: \w+)*")
_BARE = re.compile(r"[^\W\d](?:(?:[\w %()\[\]-]|\.(?! ))*[\w%)\]])?")
_NUMBER_ONLY = re.compile(NUMBER)


def is_plain(name: str) -> bool:
    """Whether a name is written into an equation without quotes."""
    return _PLAIN.fullmatch(name) is not None and _NUMBER_ONLY.fullmatch(name) is None


def is_bare(name: str) -> bool:
    """Whether a name is recognised in an equation without quotes."""
    return is_plain(name) or _BARE.fullmatch(name) is not None


def to_pattern(name: str) -> str:
    r"""A regular expression for a bare name as replies write it.

    Example:
        >>> bool(re.fullmatch(to_pattern("log_freq"), r"log\_freq")), bool(re.match(to_pattern("A"), "Active"))
        (True, False)
    """
    words = re.split(r"[ _]+", name)
    pattern = r"(?:\\?_|\s)+".join(re.escape(word) for word in words)
    return pattern + (WORD_GOES_ON if re.search(r"\w$", name) else "")


@dataclass(frozen=True, slots=True)
class FoundName:
    """A known name recognised in a text, and where it ends."""

    name: str
    end: int


class NameFinder:
    """Recognises known names at a position of a text, the longest first."""

    def __init__(self, names: Iterable[str]) -> None:
        """Prepare one pattern per name."""
        self._names = tuple(dict.fromkeys(names))
        self._patterns = {name: re.compile(to_pattern(name)) for name in self._names if is_bare(name)}

    def match_quoted(self, text: str, position: int) -> FoundName | None:
        """The known name that stands in quotes at ``position``."""
        quote = OPENING_QUOTES.find(text[position : position + 1] or " ")
        if quote < 0:
            return None
        end = text.find(CLOSING_QUOTES[quote], position + 1)
        inside = text[position + 1 : end].strip() if end > 0 else ""
        if inside in self._names:
            return FoundName(inside, end + 1)
        for name, pattern in self._patterns.items():
            if pattern.fullmatch(inside):
                return FoundName(name, end + 1)
        return None

    def match_bare(self, text: str, position: int) -> FoundName | None:
        """The longest known name that stands unquoted at ``position``; of two alike the one spelt so."""
        best: tuple[int, bool, str] | None = None
        for name, pattern in self._patterns.items():
            found = pattern.match(text, position)
            if found is not None:
                candidate = (found.end(), found.group() == name, name)
                best = candidate if best is None else max(best, candidate)
        return None if best is None else FoundName(best[2], best[0])
