"""From the tables of an extraction reply to predicted CPDs; and what to tell the model where one has flaws.

As in :mod:`tasks.extraction_checks`, a ``check_…`` lists the problems and a ``to_…`` keeps what is usable.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bayes.completion import MAX_CELL
from bayes.network import FloatArray, Variable
from bayes.scoring.records import PredictedCpd
from schemas.questions import Family
from schemas.replies import CpdCell, CpdsReply
from tasks.extraction_checks import NameIndex
from tasks.listed_names import show

SUM_TOLERANCE = 0.05
"""How far from 1 a column may sum without being sent back; scoring divides every column by its sum."""


def check_cpds(reply: CpdsReply, families: Sequence[Family], variables: Mapping[str, Variable]) -> list[str]:
    """Problems of the tables asked for: missing, cells that are missing or unknown, columns that do not sum to 1."""
    return [
        f"{describe_family(family)}: {problem}"
        for family, table in _read_tables(reply, families, variables)
        for problem in table.problems
    ]


def to_cpds(
    reply: CpdsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> dict[Family, PredictedCpd]:
    """The tables by family, as given: a cell that is missing or no probability is ``nan``, and no sum is put right.

    A table without any mass is left out.
    """
    return {
        family: PredictedCpd(family.child, family.parents, table.matrix)
        for family, table in _read_tables(reply, families, variables)
        if np.nansum(table.matrix) > 0
    }


def describe_family(family: Family) -> str:
    """What the table of a family is called in messages.

    Example:
        >>> describe_family(Family(child="flood", parents=("rain",)))
        "table of 'flood' given 'rain'"
    """
    if not family.parents:
        return f"prior of {show(family.child)}"
    return f"table of {show(family.child)} given {', '.join(map(show, family.parents))}"


def count_cells(family: Family, variables: Mapping[str, Variable]) -> int:
    """The cells of a family's table."""
    return math.prod(variables[name].cardinality for name in (family.child, *family.parents))


@dataclass(frozen=True, slots=True)
class _Table:
    """The cells of one table in their places.

    ``matrix`` has one row per state of the child and one column per configuration of the parents, in the family's
    order.
    """

    matrix: FloatArray
    problems: tuple[str, ...]


def _read_tables(
    reply: CpdsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> list[tuple[Family, _Table]]:
    index = NameIndex(tuple(variables))
    # Of two tables of one family the first counts.
    given: dict[tuple[str | None, tuple[str | None, ...]], tuple[tuple[str | None, ...], Sequence[CpdCell]]] = {}
    for table in reply.tables:
        parents = tuple(map(index.find, table.parents))
        given.setdefault((index.find(table.child), tuple(sorted(parents, key=str))), (parents, table.cells))
    tables: list[tuple[Family, _Table]] = []
    for family in families:
        parents, cells = given.get((family.child, tuple(sorted(family.parents))), ((), None))
        axes = [variables[name] for name in (family.child, *family.parents)]
        order = [0, *(1 + parents.index(name) for name in family.parents)] if cells is not None else []
        tables.append((family, _read_cells(cells, axes, order)))
    return tables


def _read_cells(cells: Sequence[CpdCell] | None, axes: Sequence[Variable], order: Sequence[int]) -> _Table:
    """Put cells in their places; ``order`` says where in a cell, the child's state first, each axis is named."""
    values = np.full(tuple(axis.cardinality for axis in axes), math.nan)
    if cells is None:
        return _Table(values.reshape(len(values), -1), ("the table is missing, or its parents are not just these.",))
    indices = [NameIndex(axis.states) for axis in axes]
    flaws: dict[str, list[str]] = {}

    def note(flaw: str, where: str) -> None:
        flaws.setdefault(flaw, []).append(where)

    seen: set[tuple[int, ...]] = set()
    for cell in cells:
        named = (cell.state, *cell.parent_states)
        where = show(", ".join((*cell.parent_states, cell.state)))
        if len(named) != len(axes):
            note(f"a cell names {len(named) - 1} parent states instead of {len(axes) - 1}", where)
            continue
        states = [index.find(named[at]) for index, at in zip(indices, order, strict=True)]
        unknown = next((axis for axis, state in zip(axes, states, strict=True) if state is None), None)
        if unknown is not None:
            note(f"{show(unknown.name)} has only the states {', '.join(map(show, unknown.states))}", where)
            continue
        place = tuple(axis.states.index(state) for axis, state in zip(axes, states, strict=True) if state is not None)
        if place in seen:
            note("a cell is given twice", where)
            continue
        seen.add(place)
        if not 0 <= cell.probability <= 1:
            note("a probability is not between 0 and 1", where)
        # More than 1 is kept: percentages keep their proportions when the column is divided by its sum.
        if 0 <= cell.probability <= MAX_CELL:
            values[place] = cell.probability
    for place in np.argwhere(np.isnan(values)).tolist():
        note("a cell is missing", _describe(axes, place))
    sums = values.sum(axis=0)
    for column in np.argwhere(np.abs(sums - 1) > SUM_TOLERANCE).tolist():
        note("the probabilities of all states must sum to 1", f"{_describe(axes, (0, *column))} and the other states")
    problems = tuple(f"{flaw}: {_shorten(places)}." for flaw, places in flaws.items())
    return _Table(values.reshape(len(values), -1), problems)


def _describe(axes: Sequence[Variable], place: Sequence[int]) -> str:
    child, *parents = (axis.states[at] for axis, at in zip(axes, place, strict=True))
    return show(", ".join((*parents, child)))


def _shorten(places: Sequence[str]) -> str:
    return places[0] + (f", and {len(places) - 1} more" if len(places) > 1 else "")
