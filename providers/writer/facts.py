"""Which facts of a network are worth telling.

For every variable a few facts are chosen that together mention each of its telling states. ``detail`` runs from 0, just
enough to cover everything, to 3, most of what a reader needs to rebuild the table.
"""

from dataclasses import dataclass

import numpy as np

from bayes.network import BASELINE_STATE, FloatArray, Network, Variable

Config = tuple[tuple[str, tuple[str, ...]], ...]
"""For every parent its state, or several that make no difference."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A state and its probability."""

    state: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prior:
    """The distribution of a root, likeliest state first."""

    variable: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """What to expect of the child in a configuration, likeliest first."""

    child: str
    config: Config
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How the chance of a state changes from a configuration just told when one parent changes."""

    child: str
    state: str
    changed: tuple[str, tuple[str, ...]]
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Peak:
    """Where a state is likeliest, and, with a single parent, where it is least likely."""

    child: str
    config: Config
    cell: Cell
    low_config: Config = ()
    low: float = 0.0


@dataclass(frozen=True, slots=True)
class Leftovers:
    """States that no other fact mentions, each with its highest probability."""

    child: str
    cells: tuple[Cell, ...]


Fact = Prior | Column | Contrast | Peak | Leftovers


def choose_facts(network: Network, name: str, detail: int, *, by_outcome: bool) -> list[Fact]:
    """The facts to tell about one variable; ``by_outcome`` walks its states rather than those of its parents."""
    variable, cpd = network.by_name[name], network.cpd_of[name]
    if not cpd.parents:
        return [Prior(name, _to_cells(variable, cpd.matrix[:, 0]))]
    parents = [network.by_name[parent] for parent in cpd.parents]
    if len(parents) == 1:
        facts = _tell_single(variable, parents[0], cpd.matrix, detail, by_outcome=by_outcome)
    else:
        facts = _tell_many(variable, parents, cpd.matrix, detail)
    told = {cell.state for fact in facts if isinstance(fact, Column) for cell in fact.cells}
    told |= {fact.cell.state for fact in facts if isinstance(fact, Peak)}
    rows = [row for row, state in enumerate(variable.states) if state not in told and state != BASELINE_STATE]
    rows.sort(key=lambda row: -float(cpd.matrix[row].max()))
    # A few left over deserve a sentence each; many share one.
    if detail and len(rows) <= detail and all(cpd.matrix[row].max() >= 0.10 for row in rows):
        for row in rows:
            column = int(cpd.matrix[row].argmax())
            cell = Cell(variable.states[row], float(cpd.matrix[row, column]))
            facts.append(Peak(name, _to_config(parents, column), cell))
    elif rows:
        facts.append(Leftovers(name, tuple(Cell(variable.states[row], float(cpd.matrix[row].max())) for row in rows)))
    return facts


def _to_cells(variable: Variable, column: FloatArray) -> tuple[Cell, ...]:
    cells = [Cell(state, float(p)) for state, p in zip(variable.states, column, strict=True)]
    return tuple(sorted(cells, key=lambda cell: -cell.probability))


def _worth_telling(cells: tuple[Cell, ...], detail: int) -> tuple[Cell, ...]:
    """The first cell, and the second where it is sizeable and there is room."""
    if detail >= 2 and len(cells) > 2 and cells[1].probability >= 0.15:
        return cells[:2]
    return cells[:1]


def _tell_single(
    variable: Variable, parent: Variable, matrix: FloatArray, detail: int, *, by_outcome: bool
) -> list[Fact]:
    rows = [row for row, state in enumerate(variable.states) if state != BASELINE_STATE]
    if by_outcome and len(rows) <= 1 + detail:
        return [_find_peak(variable, parent, matrix, row, with_low=detail > 0) for row in rows]
    groups: dict[tuple[str, int], list[int]] = {}
    for column, state in enumerate(parent.states):
        if state != BASELINE_STATE:
            first = _to_cells(variable, matrix[:, column])[0]
            groups.setdefault((first.state, round(100 * first.probability)), []).append(column)
    told = sorted(groups.items(), key=lambda group: -group[0][1])
    facts: list[Fact] = []
    for _, columns in told[: (1, 2, 4, 7)[detail]]:
        cells = _to_cells(variable, matrix[:, columns[0]])
        states = tuple(parent.states[column] for column in columns)
        cells = _worth_telling(cells, detail) if len(columns) == 1 else cells[:1]
        facts.append(Column(variable.name, ((parent.name, states),), cells))
    if detail >= 2 and BASELINE_STATE in parent.states:
        cells = _to_cells(variable, matrix[:, parent.states.index(BASELINE_STATE)])
        facts.append(Column(variable.name, ((parent.name, (BASELINE_STATE,)),), cells[:1]))
    return facts


def _find_peak(variable: Variable, parent: Variable, matrix: FloatArray, row: int, *, with_low: bool) -> Peak:
    high, low = int(matrix[row].argmax()), int(matrix[row].argmin())
    return Peak(
        variable.name,
        ((parent.name, (parent.states[high],)),),
        Cell(variable.states[row], float(matrix[row, high])),
        ((parent.name, (parent.states[low],)),) if with_low and high != low else (),
        float(matrix[row, low]),
    )


def _tell_many(variable: Variable, parents: list[Variable], matrix: FloatArray, detail: int) -> list[Fact]:
    name = variable.name
    shape = tuple(parent.cardinality for parent in parents)
    table = matrix.reshape(len(matrix), *shape)
    facts: list[Fact] = []
    used: set[int] = set()
    rows = [row for row, state in enumerate(variable.states) if state != BASELINE_STATE]
    rows.sort(key=lambda row: -float(matrix[row].max()))
    for row in rows[: (1, 2, 3, 5)[detail]]:
        column = int(matrix[row].argmax())
        config = _to_config(parents, column)
        if column in used or (facts and float(matrix[row, column]) < 0.10):
            continue
        used.add(column)
        cells = _to_cells(variable, matrix[:, column])
        if cells[0].state == variable.states[row]:
            facts.append(Column(name, config, _worth_telling(cells, detail)))
        else:
            facts.append(Peak(name, config, Cell(variable.states[row], float(matrix[row, column]))))
        if detail >= 1 and len(facts) <= (0, 1, 1, 3)[detail]:
            facts.append(_find_contrast(variable, parents, table[row], row, column))
    all_none = [parent.states.index(BASELINE_STATE) for parent in parents if BASELINE_STATE in parent.states]
    if detail >= 2 and len(all_none) == len(parents):
        column = int(np.ravel_multi_index(all_none, shape))
        if column not in used:
            cells = _to_cells(variable, matrix[:, column])
            facts.append(Column(name, _to_config(parents, column), cells[:1]))
    return facts


def _to_config(parents: list[Variable], column: int) -> Config:
    index = np.unravel_index(column, tuple(parent.cardinality for parent in parents))
    return tuple((parent.name, (parent.states[int(i)],)) for parent, i in zip(parents, index, strict=True))


def _find_contrast(variable: Variable, parents: list[Variable], row: FloatArray, state: int, column: int) -> Contrast:
    """The change of one parent that moves the chance of a state most."""
    at = np.unravel_index(column, row.shape)
    before = float(row[at])
    best: tuple[float, str, str, float] | None = None
    for axis, parent in enumerate(parents):
        for other in range(parent.cardinality):
            if other != at[axis]:
                changed = (*at[:axis], other, *at[axis + 1 :])
                after = float(row[changed])
                if best is None or before - after > best[0]:
                    best = (before - after, parent.name, parent.states[other], after)
    _, name, changed_state, after = best or (0.0, parents[0].name, parents[0].states[0], before)
    return Contrast(variable.name, variable.states[state], (name, (changed_state,)), before, after)
