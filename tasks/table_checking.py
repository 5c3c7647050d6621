"""From replies to the tables of passes 3 to 5; and what to tell the model where a table cannot be used.

What is said of slips in :mod:`tasks.checking` holds here. Harmless are percentages instead of shares, a sum within
``SUM_SLACK`` of 1, cells left out of a table whose others sum to ``WHOLE`` or more, and a joint given under child and
parent exchanged, which is the same table. Doubtful are other sums: a table of conditional probabilities, which sums to
the number of its columns, or one whose baseline was left out. A table is renormalised in any case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bayes.completion import MAX_CELL, MIN_SUM, complete_table
from bayes.network import Edge, Table, Variable
from schemas.questions import Family
from schemas.replies import JointsReply, MarginalsReply, MultiJointReply, MultiJointsReply
from tasks.checking import MAX_PROBLEMS
from tasks.listed_names import ListedNames, show, show_all

SUM_SLACK = 0.2
"""How far a table may be from summing to 1 and is renormalised in silence."""

WHOLE = 0.95
"""Cells that are missing are taken for impossible ones if the others sum to so much."""

_MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class _Cells:
    """A table as it was given: a state for each axis, in the order of ``axes``, and a probability."""

    axes: tuple[Variable, ...]
    rows: tuple[tuple[tuple[str, ...], float], ...]


# Pass 3: marginals


def check_marginals(reply: MarginalsReply, variables: Sequence[Variable], *, is_strict: bool = False) -> list[str]:
    """Problems of the marginals asked for: missing, unknown states, cells that are no probabilities."""
    given = _marginal_cells(reply, variables)
    problems = [
        problem
        for variable in variables
        for problem in _check_table(
            f"Marginal of {variable.name!r}",
            given.get(variable.name),
            "the probabilities of all its states must sum to 1" if is_strict else "",
        )
    ]
    return problems[:MAX_PROBLEMS]


def to_marginals(reply: MarginalsReply, variables: Sequence[Variable]) -> dict[str, Table]:
    """The completed marginals by the name of their variable."""
    given = _marginal_cells(reply, variables)
    return {variable.name: _to_table(given[variable.name]) for variable in variables}


def _marginal_cells(reply: MarginalsReply, variables: Sequence[Variable]) -> dict[str, _Cells]:
    by_name = {variable.name: variable for variable in variables}
    index = ListedNames(list(by_name))
    cells: dict[str, _Cells] = {}
    for item in reply.marginals:
        name = index.find(item.variable)
        if name is not None:
            rows = tuple(((cell.state,), cell.probability) for cell in item.probabilities)
            cells[name] = _Cells((by_name[name],), rows)
    return cells


# Pass 4: pairwise joints


def check_joints(
    reply: JointsReply, edges: Sequence[Edge], variables: Mapping[str, Variable], *, is_strict: bool = False
) -> list[str]:
    """Problems of the pairwise joints asked for."""
    given = _joint_cells(reply, edges, variables)
    problems = [
        problem
        for edge in edges
        for problem in _check_table(
            f"Joint of {edge.parent!r} and {edge.child!r}",
            given.get(edge),
            "all cells of one table, P(parent state and child state), must sum to 1" if is_strict else "",
        )
    ]
    return problems[:MAX_PROBLEMS]


def to_joints(reply: JointsReply, edges: Sequence[Edge], variables: Mapping[str, Variable]) -> dict[Edge, Table]:
    """The completed pairwise joints by edge."""
    given = _joint_cells(reply, edges, variables)
    return {edge: _to_table(given[edge]) for edge in edges}


def _joint_cells(reply: JointsReply, edges: Sequence[Edge], variables: Mapping[str, Variable]) -> dict[Edge, _Cells]:
    index = ListedNames(list(variables))
    asked = frozenset(edges)
    given: dict[Edge, _Cells] = {}
    turned: dict[Edge, _Cells] = {}
    for item in reply.joints:
        parent, child = index.find(item.parent), index.find(item.child)
        if parent is None or child is None:
            continue
        if Edge(parent, child) in asked:
            rows = tuple(((cell.parent_state, cell.child_state), cell.probability) for cell in item.cells)
            given[Edge(parent, child)] = _Cells((variables[parent], variables[child]), rows)
        elif Edge(child, parent) in asked:
            rows = tuple(((cell.child_state, cell.parent_state), cell.probability) for cell in item.cells)
            turned[Edge(child, parent)] = _Cells((variables[child], variables[parent]), rows)
    return turned | given


# Pass 5: multi-parent joints


def check_multi_joints(
    reply: MultiJointsReply, families: Sequence[Family], variables: Mapping[str, Variable], *, is_strict: bool = False
) -> list[str]:
    """Problems of the multi-parent joints asked for."""
    given = _family_cells(reply, families, variables)
    problems: list[str] = []
    for family in families:
        what = f"Joint of {family.child!r} with {show_all(family.parents)}"
        item = _find_family(reply, family)
        if item is not None and family.child not in given:
            problems.append(
                f"{what}: the parents must be just these, each once, not {show_all(item.parents) or 'none'}."
            )
            continue
        rule = "all cells of one table, P(all parent states and child state), must sum to 1" if is_strict else ""
        problems += _check_table(what, given.get(family.child), rule)
    return problems[:MAX_PROBLEMS]


def to_multi_joints(
    reply: MultiJointsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> dict[str, Table]:
    """The completed multi-parent joints by child; axes in the order in which the reply lists the parents."""
    given = _family_cells(reply, families, variables)
    return {family.child: _to_table(given[family.child]) for family in families}


def _family_cells(
    reply: MultiJointsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> dict[str, _Cells]:
    cells: dict[str, _Cells] = {}
    for family in families:
        item = _find_family(reply, family)
        if item is None:
            continue
        index = ListedNames(family.parents)
        parents = [index.find(parent) for parent in item.parents]
        axes = tuple(variables[name] for name in parents if name is not None)
        if len(axes) == len(parents) and sorted(axis.name for axis in axes) == sorted(family.parents):
            rows = tuple(((*cell.parent_states, cell.child_state), cell.probability) for cell in item.cells)
            cells[family.child] = _Cells((*axes, variables[family.child]), rows)
    return cells


def _find_family(reply: MultiJointsReply, family: Family) -> MultiJointReply | None:
    index = ListedNames((family.child,))
    return next((item for item in reversed(reply.joints) if index.find(item.child) is not None), None)


# One table


def _check_table(what: str, cells: _Cells | None, sum_rule: str) -> list[str]:
    """The problems of one table. Without a ``sum_rule`` any sum of at least ``MIN_SUM`` will do."""
    if cells is None or not cells.rows:
        return [f"{what}: the table is missing."]
    n_axes = len(cells.axes)
    for states, probability in cells.rows:
        if not 0 <= probability <= MAX_CELL:
            return [f"{what}: {probability} at {show(', '.join(states))} is not a probability."]
        if len(states) != n_axes:
            return [f"{what}: the cell {show(', '.join(states))} names {len(states)} states instead of {n_axes}."]
    unknown = _find_unknown(what, cells)
    if unknown:
        return unknown
    seen: set[tuple[int, ...]] = set()
    for (index, _), (states, _) in zip(_to_indices(cells), cells.rows, strict=True):
        if index in seen:
            return [f"{what}: the cell {show(', '.join(states))} is given twice."]
        seen.add(index)
    total = sum(probability for _, probability in cells.rows)
    if total < MIN_SUM:
        return [f"{what}: the probabilities sum to 0."]
    return _check_sum(what, cells, seen, total, sum_rule) if sum_rule else []


def _find_unknown(what: str, cells: _Cells) -> list[str]:
    problems: list[str] = []
    for position, axis in enumerate(cells.axes):
        listed = ListedNames(axis.states)
        unknown = [s for s in dict.fromkeys(states[position] for states, _ in cells.rows) if listed.find(s) is None]
        if unknown:
            shown = show_all(unknown, _MOST_SHOWN)
            problems.append(f"{what}: {axis.name!r} has no state {shown}; it has {show_all(axis.states)}.")
    return problems


def _check_sum(what: str, cells: _Cells, seen: set[tuple[int, ...]], total: float, sum_rule: str) -> list[str]:
    share = total / 100 if _is_in_percent(total) else total
    absent = [
        tuple(axis.states[i] for axis, i in zip(cells.axes, index, strict=True))
        for index in product(*(range(axis.cardinality) for axis in cells.axes))
        if index not in seen
    ]
    if absent and share < WHOLE:
        names = [", ".join(states) for states in absent]
        noun = "cell" if len(names) == 1 else "cells"
        return [f"{what}: {noun} missing: {show_all(names, _MOST_SHOWN)}. The others sum to {total:.3g}; {sum_rule}."]
    if abs(share - 1) > SUM_SLACK:
        return [f"{what}: the cells sum to {total:.3g}; {sum_rule}."]
    return []


def _is_in_percent(total: float) -> bool:
    return abs(total / 100 - 1) <= SUM_SLACK


def _to_table(cells: _Cells) -> Table:
    *parents, child = cells.axes
    shape = tuple(axis.cardinality for axis in cells.axes)
    return complete_table(child.name, tuple(axis.name for axis in parents), shape, dict(_to_indices(cells)))


def _to_indices(cells: _Cells) -> list[tuple[tuple[int, ...], float]]:
    """The cells by state numbers; every state is known."""
    known = [ListedNames(axis.states) for axis in cells.axes]
    numbers = [{state: i for i, state in enumerate(axis.states)} for axis in cells.axes]
    return [
        (
            tuple(number[names.find(s) or s] for s, names, number in zip(states, known, numbers, strict=True)),
            probability,
        )
        for states, probability in cells.rows
    ]
