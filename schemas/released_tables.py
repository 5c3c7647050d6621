"""Tables and names of the published layout: cells that may be anything, states in any order or case."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np

from bayes.network import FloatArray
from schemas.names import MAX_NAME, clean_name, to_key
from schemas.oddities import Oddity

SUM_TOLERANCE = 1e-3
"""How far a full column may be from 1 before it counts as odd: three decimals are as many as most columns have."""


class CellReader:
    """Reads matrices cell by cell and notes what is odd in them."""

    def __init__(self, note: Callable[[Oddity, str, int], None]) -> None:
        self._note = note

    def read(self, rows: Any, where: str) -> FloatArray:
        """A list of rows as numbers; what is null, or no number of at least 0, is ``nan``.

        Example:
            >>> CellReader(lambda kind, where, count: None).read([[0.5, None], ["0.5", 1]], "").tolist()
            [[0.5, nan], [nan, 1.0]]
        """
        matrix = np.array([[_to_cell(cell) for cell in row] for row in rows], dtype=np.float64)
        n_null = sum(cell is None for row in rows for cell in row)
        missing = np.isnan(matrix)
        self._note(Oddity.NULL_CELLS, where, n_null)
        self._note(Oddity.BAD_CELLS, where, int(missing.sum()) - n_null)
        sums = np.where(missing, 0.0, matrix).sum(axis=0)
        is_null = missing.all(axis=0)
        is_zero = ~is_null & (sums <= 0)
        # What nulls stand for is not known: a column that has some may sum to less than 1.
        is_off = (sums > 1 + SUM_TOLERANCE) | (~missing.any(axis=0) & (sums < 1 - SUM_TOLERANCE))
        self._note(Oddity.NULL_COLUMNS, where, int(is_null.sum()))
        self._note(Oddity.ZERO_COLUMNS, where, int(is_zero.sum()))
        self._note(Oddity.COLUMN_SUM, where, int((is_off & ~is_zero).sum()))
        return matrix


def is_empty(raw: Any) -> bool:
    """Whether a matrix, or a prior, is there without any content: null, ``[]`` or rows without cells."""
    return raw is None or (isinstance(raw, list) and all(row == [] for row in cast("list[Any]", raw)))


def has_shape(raw: Any, shape: tuple[int, int]) -> bool:
    """Whether the value is a list of that many rows of that many cells.

    Example:
        >>> has_shape([[1, 2], [3]], (2, 2)), has_shape([[1, 2], [3, 4]], (2, 2)), has_shape("ab", (2, 1))
        (False, True, False)
    """
    if not isinstance(raw, list):
        return False
    rows = cast("list[Any]", raw)
    return len(rows) == shape[0] and all(
        isinstance(row, list) and len(cast("list[Any]", row)) == shape[1] for row in rows
    )


def to_labels(raw: Any) -> list[str]:
    """The names of columns, cleaned; none where there is no list of them."""
    return [clean_cached(str(label)) for label in cast("list[Any]", raw)] if isinstance(raw, list) else []


def find_names(names: Sequence[str], known: Sequence[str]) -> list[int | None]:
    """For each name where it stands among the known ones, each of them used once: exactly, or in another case.

    Example:
        >>> find_names(["None", "high", "low"], ["High", "none"])
        [1, 0, None]
    """
    free: dict[str, list[int]] = {}
    for place, name in enumerate(known):
        free.setdefault(name, []).append(place)
    found = [free[name].pop(0) if free.get(name) else None for name in names]
    if None not in found:
        return found
    by_key: dict[str, list[int]] = {}
    for place in sorted(place for places in free.values() for place in places):
        by_key.setdefault(fold_cached(known[place]), []).append(place)
    for i, name in enumerate(names):
        places = by_key.get(fold_cached(name))
        if found[i] is None and places:
            found[i] = places.pop(0)
    return found


@lru_cache(maxsize=1 << 16)
def clean_cached(raw: str) -> str:
    """:func:`~schemas.names.clean_name`, at most ``MAX_NAME`` characters of it; names come back in every network."""
    # Cut before and after: a name may be a megabyte long.
    return clean_name(raw[: 10 * MAX_NAME])[:MAX_NAME].strip()


@lru_cache(maxsize=1 << 16)
def fold_cached(name: str) -> str:
    """:func:`~schemas.names.to_key`, kept."""
    return to_key(name)


def _to_cell(raw: Any) -> float:
    if isinstance(raw, float) or (isinstance(raw, int) and not isinstance(raw, bool)):
        try:
            number = float(raw)
        except OverflowError:
            return math.nan
        return number if 0 <= number < math.inf else math.nan
    return math.nan
