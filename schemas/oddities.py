"""What a file made elsewhere has that a clean one would not: survived, counted, and told in a short report."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from schemas.names import clean_name

MAX_INSTANCES = 3
"""Instances of one kind that a report names."""

_MAX_SHOWN = 160


class Oddity(StrEnum):
    """A kind of oddity; its text begins with what is counted."""

    TOTAL = "metadata totals that differ from the number of networks"
    COUNTS = "networks whose n_nodes or n_edges differs from their content"
    ID = "networks whose id is unlike their key"
    PREDICTED_ID = "ids ending in _predicted"
    NO_TEXT = "networks without a generated text"
    REPEATED_KEY = "keys twice in one object (the last one was taken)"
    UNREADABLE = "parts that cannot be read"
    ORDER = "nodes before one of their parents"
    ISOLATED = "isolated nodes"
    UNKNOWN_PARENT = "parents not among the nodes (the edge was left out)"
    REPEATED_EDGE = "edges twice (the first one was taken)"
    CYCLE = "networks whose edges close a cycle"
    SEVERAL_PARENTS = "nodes with several parents and no joint table"
    CLEANED = "names with odd white space, invisible characters or too many letters"
    LETTER_CASE = "names in small letters and capitals"
    BASELINE = "baselines written otherwise than none"
    ABSENT = "nodes with both absent and none"
    SYMBOLS = "states with symbols or of digits only"
    OTHER_STATES = "names with other states in another network"
    PARENT_STATES = "tables whose parent_states are unlike the parent's own"
    EMPTY_TABLE = "tables that are empty"
    SHAPE = "tables of another shape"
    NULL_CELLS = "cells that are null"
    NULL_COLUMNS = "columns that are all null"
    ZERO_COLUMNS = "columns without any probability above 0"
    COLUMN_SUM = "columns not summing to 1"
    BAD_CELLS = "cells that are no probability (taken as null)"
    NO_PRIOR = "roots without a prior"
    CHILD_PRIOR = "children with a prior (taken as their marginal)"
    PRIOR_SHAPE = "priors of another length than the states (left out)"


@dataclass(frozen=True, slots=True)
class OddityCount:
    """How often one kind was seen, and where it was seen first."""

    kind: Oddity
    count: int
    instances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import met. ``oddities`` are in the order of :class:`Oddity`, each seen at least once."""

    n_networks: int
    n_refused: int
    oddities: tuple[OddityCount, ...]

    def count(self, kind: Oddity) -> int:
        """How often a kind was seen."""
        return next((item.count for item in self.oddities if item.kind is kind), 0)

    def to_lines(self) -> tuple[str, ...]:
        """The report for a person: one line a kind, with its first instances.

        Example:
            >>> log = OddityLog()
            >>> log.add(Oddity.NULL_CELLS, "bn_1: 'rain' -> 'flood'", 3)
            >>> log.to_report(2, 1).to_lines()
            ('2 networks, 1 of them refused', "cells that are null: 3 (bn_1: 'rain' -> 'flood')")
        """
        lines = [f"{self.n_networks:,} networks, {self.n_refused:,} of them refused"]
        for item in self.oddities:
            names = "; ".join(filter(None, item.instances))
            more = "; …" if item.count > len(item.instances) == MAX_INSTANCES else ""
            lines.append(f"{item.kind}: {item.count:,}" + (f" ({names}{more})" if names else ""))
        return tuple(lines)


class OddityLog:
    """Counts oddities while a file is read."""

    def __init__(self) -> None:
        self._counts: Counter[Oddity] = Counter()
        self._instances: dict[Oddity, list[str]] = {}

    def add(self, kind: Oddity, where: str, count: int = 1) -> None:
        """Note a kind seen ``count`` times at one place; nothing if it is 0."""
        if not count:
            return
        self._counts[kind] += count
        instances = self._instances.setdefault(kind, [])
        if len(instances) < MAX_INSTANCES:
            instances.append(clip(where))

    def to_report(self, n_networks: int, n_refused: int) -> ImportReport:
        """What was noted so far."""
        counted = tuple(
            OddityCount(kind, self._counts[kind], tuple(self._instances[kind])) for kind in Oddity if self._counts[kind]
        )
        return ImportReport(n_networks, n_refused, counted)


def clip(text: str, length: int = _MAX_SHOWN) -> str:
    r"""A text from a file as part of a message: on one line, without invisible characters, not too long.

    Example:
        >>> clip("two\nlines"), clip("long enough", 5)
        ('two lines', 'long…')
    """
    line = clean_name(text[: 4 * length])
    return line if len(line) <= length else f"{line[: length - 1]}…"
