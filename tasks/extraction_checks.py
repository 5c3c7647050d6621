"""From the replies of extraction to names, states and edges; and what to tell the model where one has flaws.

The tables are in :mod:`tasks.extraction_tables`. Each phase has a ``check_…`` that lists problems, one line each, to be
fed back, and a ``to_…`` that converts a reply, flaws and all: what cannot be used is left out. Only what a model can
put right is a problem. A name that is listed twice, edges in a circle and a list without variables are its reading of
the text: they are kept, and scored. Names are matched as they are spelled, else regardless of case and white space.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from bayes.network import Edge
from schemas.names import clean_name, find_name_problem, to_key
from schemas.replies import FoundEdgesReply, FoundNamesReply, FoundStatesReply
from tasks.listed_names import show

MAX_VARIABLES = 60
"""A list of more is no reading of a text of a thousand words, and each variable costs further calls."""
MAX_STATES = 20


class NameIndex:
    """Finds listed names in a model's spelling.

    Example:
        >>> NameIndex(("Rain", "rain", "snow")).find("rain"), NameIndex(("Rain", "snow")).find(" SNOW")
        ('rain', 'snow')
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._exact = frozenset(names)
        self._by_key = {to_key(name): name for name in reversed(names)}

    def find(self, raw: str) -> str | None:
        """The listed name, if there is one."""
        cleaned = clean_name(raw)
        return cleaned if cleaned in self._exact else self._by_key.get(to_key(cleaned))


# Phase 1: variables


def check_names(reply: FoundNamesReply) -> list[str]:
    """Problems of a list of variables: names that cannot be used, or far too many of them."""
    problems = _check_names("Variable", reply.variables)
    if len(reply.variables) > MAX_VARIABLES:
        problems.append(f"There are {len(reply.variables)} variables; list each variable of the text once.")
    return problems


def to_names(reply: FoundNamesReply) -> tuple[str, ...]:
    """The names in the reply's order, duplicates included."""
    return _keep_names(reply.variables)


def is_usable_names(reply: FoundNamesReply) -> bool:
    """Whether the list may be taken as it is: not far too long, and with a usable name unless it is empty."""
    return len(reply.variables) <= MAX_VARIABLES and (not reply.variables or bool(to_names(reply)))


# Phase 2: states


def check_states(reply: FoundStatesReply, names: Sequence[str]) -> list[str]:
    """Problems of the states asked for: missing, unusable or repeated ones; and of variables not asked about."""
    index = NameIndex(names)
    given = _group_states(reply, index)
    problems = _check_listed((item.name for item in reply.variables), index, names)
    for name in names:
        states = given.get(name)
        if not states:
            problems.append(f"The states of {show(name)} are missing.")
            continue
        what = f"Variable {show(name)}: state"
        problems += _check_names(what, states)
        repeated = [state for state, count in Counter(map(to_key, states)).items() if count > 1]
        problems += [f"{what} {show(state)} is listed twice." for state in repeated]
        if len(states) > MAX_STATES:
            problems.append(f"Variable {show(name)} has {len(states)} states; list those that the text gives it.")
    return problems


def to_states(reply: FoundStatesReply, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The states by variable, each once. A variable without any usable state, or with far too many, is left out."""
    given = _group_states(reply, NameIndex(names))
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        by_key: dict[str, str] = {}
        for state in _keep_names(given.get(name, ())):
            by_key.setdefault(to_key(state), state)
        if 0 < len(by_key) <= MAX_STATES:
            found[name] = tuple(by_key.values())
    return found


def _group_states(reply: FoundStatesReply, index: NameIndex) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    for item in reply.variables:
        name = index.find(item.name)
        if name is not None:
            given.setdefault(name, item.states)
    return given


# Phase 3: edges


def check_edges(reply: FoundEdgesReply, names: Sequence[str]) -> list[str]:
    """A problem for every name at the end of an edge that is not listed."""
    return _check_listed((name for edge in reply.edges for name in (edge.parent, edge.child)), NameIndex(names), names)


def to_edges(reply: FoundEdgesReply, names: Sequence[str]) -> tuple[Edge, ...]:
    """The edges between listed variables in the reply's order, duplicates and cycles included."""
    index = NameIndex(names)
    ends = ((index.find(edge.parent), index.find(edge.child)) for edge in reply.edges)
    return tuple(Edge(parent, child) for parent, child in ends if parent is not None and child is not None)


# Names


def _keep_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in map(clean_name, names) if find_name_problem(name) is None)


def _check_names(what: str, names: Iterable[str]) -> list[str]:
    found = ((raw, find_name_problem(clean_name(raw))) for raw in names)
    return [f"{what} {show(raw)} {problem}." for raw, problem in found if problem]


def _check_listed(given: Iterable[str], index: NameIndex, names: Sequence[str]) -> list[str]:
    unknown = dict.fromkeys(clean_name(name) for name in given if index.find(name) is None)
    if not unknown:
        return []
    problems = [f"{show(name)} is not a listed variable." for name in unknown]
    return [*problems, f"Use these names exactly: {', '.join(map(show, names))}."]
