"""Finding listed names of variables and states in the spelling of a model."""

import re
from collections import Counter
from collections.abc import Sequence

from bayes import folding
from bayes.network import BASELINE_STATE
from schemas.names import clean_name, to_key

_LONGEST = 1000
"""What is looked at of a name."""

_QUOTES = '*`"\u201c\u201d\u00ab\u00bb'
_COMPARED = re.compile("^([<>\u2264\u2265])=?\\s*(?=[$\u20ac\u00a3]?\\d)")
_BASELINE = re.compile(r"(?:the )?none(?: state)?(?:\s*\(.*\)|\s*:.*|\s+[-\u2013].*)?[.,;]*")


def tidy_name(raw: str) -> str:
    """A cleaned name in plain words: without underscores, quotes and bold type, and without a comparison sign.

    Example:
        >>> tidy_name("**fuel_moisture**"), tidy_name("workers' share"), tidy_name("<5%")
        ('fuel moisture', "workers' share", 'below 5%')
    """
    name = clean_name(raw).replace("_", " ").strip(_QUOTES + " ")
    name = _COMPARED.sub(lambda found: "below " if found[1] in "<\u2264" else "above ", name)
    if len(name) > 1 and name[0] == name[-1] == "'":
        name = name[1:-1]
    return clean_name(name)


def is_baseline(state: str) -> bool:
    """Whether a state is the baseline in another spelling.

    Example:
        >>> is_baseline("None."), is_baseline("none (baseline)"), is_baseline("none reported")
        (True, True, False)
    """
    return _BASELINE.fullmatch(to_key(tidy_name(state[:_LONGEST]))) is not None


def to_sameness(name: str) -> str:
    """What two names have in common that nothing but spelling tells apart: case, hyphens, plural, accents.

    Example:
        >>> to_sameness("Land uses") == to_sameness("land-use")
        True
    """
    return folding.to_key(name) or to_key(name)


class ListedNames:
    """Finds the listed name that a model means: as it is spelled regardless of case and white space, else folded.

    Folding takes away hyphens, plurals, accents and punctuation (:mod:`bayes.folding`). It is used only where a single
    listed name folds so.

    Example:
        >>> names = ListedNames(("very low", "none"))
        >>> names.find("Very-Low"), names.find("None"), names.find("low")
        ('very low', 'none', None)
    """

    def __init__(self, names: Sequence[str]) -> None:
        counts = Counter(map(to_sameness, names))
        self._by_key = {to_key(name): name for name in names}
        self._by_sameness = {same: name for name in names if counts[same := to_sameness(name)] == 1}

    def find(self, raw: str) -> str | None:
        """The listed name, if there is one."""
        name = tidy_name(raw[:_LONGEST])
        found = self._by_key.get(to_key(raw)) or self._by_key.get(to_key(name))
        found = found or self._by_sameness.get(to_sameness(name))
        return found or (self._by_key.get(BASELINE_STATE) if is_baseline(raw) else None)


def show(name: str) -> str:
    """A name as it may stand in a message: cleaned, quoted and cut."""
    cleaned = clean_name(name)
    return repr(cleaned if len(cleaned) <= 60 else cleaned[:57] + "...")


def show_all(names: Sequence[str], most: int = 20) -> str:
    """Names as they may stand in a message, the first ones if there are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(show, names[:most])) + more
