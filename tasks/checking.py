"""From replies to variables, edges and tables; and what to tell the model where a reply cannot be used.

Each pass has a ``check_…`` that lists problems, one line each, to be fed back, and a ``to_…`` that converts a reply
without problems. Names are matched regardless of case and white space and are always the listed ones afterwards.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bayes.completion import complete_table
from bayes.graphs import AcyclicEdges, keep_acyclic
from bayes.network import BASELINE_STATE, Edge, Table, Variable
from schemas.names import clean_name, find_name_problem, to_key
from schemas.questions import Family
from schemas.replies import EdgesReply, JointsReply, MarginalsReply, MultiJointsReply, VariablesReply

MIN_TELLING_STATES = 2
MAX_TELLING_STATES = 6
MAX_PROBLEMS = 12


# Pass 1: variables


def check_variables(reply: VariablesReply, *, max_variables: int) -> list[str]:
    """Problems of a list of variables: none at all, too many, bad or repeated names, too few or too many states."""
    if not reply.variables:
        return ["The list of variables is empty."]
    problems: list[str] = []
    if len(reply.variables) > max_variables:
        problems.append(f"There are {len(reply.variables)} variables; give at most {max_variables}.")
    problems += _check_names("Variable", (item.name for item in reply.variables))
    for item in reply.variables:
        states = _telling_states(item.states)
        shown = _show(item.name)
        problems += _check_names(f"Variable {shown}: state", states)
        if not MIN_TELLING_STATES <= len(states) <= MAX_TELLING_STATES:
            problems.append(
                f"Variable {shown} has {len(states)} states besides 'none'; give {MIN_TELLING_STATES} to "
                f"{MAX_TELLING_STATES}."
            )
    return problems[:MAX_PROBLEMS]


def to_variables(reply: VariablesReply) -> tuple[Variable, ...]:
    """The variables, names cleaned, the baseline state last."""
    return tuple(
        Variable(clean_name(item.name), (*_telling_states(item.states), BASELINE_STATE)) for item in reply.variables
    )


def _telling_states(states: Iterable[str]) -> list[str]:
    return [clean_name(state) for state in states if to_key(state) != BASELINE_STATE]


def _check_names(what: str, names: Iterable[str]) -> list[str]:
    problems: list[str] = []
    seen: set[str] = set()
    for raw in names:
        name, key = clean_name(raw), to_key(raw)
        problem = find_name_problem(name)
        if problem:
            problems.append(f"{what} {_show(raw)} {problem}.")
        elif key in seen:
            problems.append(f"{what} {_show(raw)} is listed twice.")
        seen.add(key)
    return problems


# Pass 2: edges


@dataclass(frozen=True, slots=True)
class NamedEdges:
    """The edges of a reply under the listed names, and what they do."""

    acyclic: AcyclicEdges
    mechanisms: Mapping[Edge, str]


def check_edges(reply: EdgesReply, variables: Sequence[Variable]) -> list[str]:
    """A problem only where edges are given and not one can be used; single bad edges are dropped instead."""
    if reply.edges and not to_edges(reply, variables).acyclic.kept:
        names = ", ".join(repr(variable.name) for variable in variables)
        return [f"No edge joins two listed variables. Use these names exactly: {names}."]
    return []


def to_edges(reply: EdgesReply, variables: Sequence[Variable]) -> NamedEdges:
    """The acyclic edges of a reply, in its order, each edge that was dropped with its reason."""
    names = {to_key(variable.name): variable.name for variable in variables}

    def resolve(name: str) -> str:
        return names.get(to_key(name), clean_name(name)[:100])

    edges = [(Edge(resolve(item.parent), resolve(item.child)), item.mechanism) for item in reply.edges]
    acyclic = keep_acyclic(names.values(), (edge for edge, _ in edges))
    mechanisms = {edge: " ".join(clean_name(mechanism).split()[:40]) for edge, mechanism in reversed(edges)}
    return NamedEdges(acyclic, {edge: mechanisms[edge] for edge in acyclic.kept})


# Passes 3 to 5: tables

Cells = list[tuple[tuple[str, ...], float]]


def check_marginals(reply: MarginalsReply, variables: Sequence[Variable]) -> list[str]:
    """Problems of the marginals asked for: missing, unknown states, cells that are no probabilities."""
    given = _marginal_cells(reply)
    return _collect(
        _check_table(f"Marginal of {variable.name!r}", given.get(to_key(variable.name)), (variable,))
        for variable in variables
    )


def to_marginals(reply: MarginalsReply, variables: Sequence[Variable]) -> dict[str, Table]:
    """The completed marginals by the name of their variable."""
    given = _marginal_cells(reply)
    return {
        variable.name: _to_table(variable.name, (), given[to_key(variable.name)], (variable,)) for variable in variables
    }


def check_joints(reply: JointsReply, edges: Sequence[Edge], variables: Mapping[str, Variable]) -> list[str]:
    """Problems of the pairwise joints asked for."""
    given = _joint_cells(reply)
    return _collect(
        _check_table(
            f"Joint of {edge.parent!r} and {edge.child!r}", given.get(_edge_key(*edge)), [variables[n] for n in edge]
        )
        for edge in edges
    )


def to_joints(reply: JointsReply, edges: Sequence[Edge], variables: Mapping[str, Variable]) -> dict[Edge, Table]:
    """The completed pairwise joints by edge."""
    given = _joint_cells(reply)
    return {
        edge: _to_table(edge.child, (edge.parent,), given[_edge_key(*edge)], [variables[name] for name in edge])
        for edge in edges
    }


def check_multi_joints(
    reply: MultiJointsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> list[str]:
    """Problems of the multi-parent joints asked for."""
    given = _family_cells(reply)
    problems: list[list[str]] = []
    for family in families:
        what = f"Joint of {family.child!r} with {', '.join(map(repr, family.parents))}"
        parents, cells = given.get(to_key(family.child), ((), None))
        if cells is not None and sorted(parents) != sorted(map(to_key, family.parents)):
            problems.append([f"{what}: the parents must be just these."])
        else:
            problems.append(_check_table(what, cells, _family_axes(parents, family, variables)))
    return _collect(problems)


def to_multi_joints(
    reply: MultiJointsReply, families: Sequence[Family], variables: Mapping[str, Variable]
) -> dict[str, Table]:
    """The completed multi-parent joints by child; axes in the order in which the reply lists the parents."""
    given = _family_cells(reply)
    tables: dict[str, Table] = {}
    for family in families:
        parents, cells = given[to_key(family.child)]
        axes = _family_axes(parents, family, variables)
        tables[family.child] = _to_table(family.child, tuple(axis.name for axis in axes[:-1]), cells, axes)
    return tables


def _family_axes(parents: Sequence[str], family: Family, variables: Mapping[str, Variable]) -> tuple[Variable, ...]:
    by_key = {to_key(name): variables[name] for name in family.parents}
    return (*(by_key[key] for key in parents), variables[family.child])


def _marginal_cells(reply: MarginalsReply) -> dict[str, Cells]:
    return {
        to_key(item.variable): [((cell.state,), cell.probability) for cell in item.probabilities]
        for item in reply.marginals
    }


def _joint_cells(reply: JointsReply) -> dict[tuple[str, str], Cells]:
    return {
        _edge_key(item.parent, item.child): [
            ((cell.parent_state, cell.child_state), cell.probability) for cell in item.cells
        ]
        for item in reply.joints
    }


def _family_cells(reply: MultiJointsReply) -> dict[str, tuple[list[str], Cells]]:
    return {
        to_key(item.child): (
            [to_key(parent) for parent in item.parents],
            [((*cell.parent_states, cell.child_state), cell.probability) for cell in item.cells],
        )
        for item in reply.joints
    }


def _edge_key(parent: str, child: str) -> tuple[str, str]:
    return to_key(parent), to_key(child)


def _check_table(what: str, cells: Cells | None, axes: Sequence[Variable]) -> list[str]:
    if not cells:
        return [f"{what}: the table is missing."]
    indices = [_state_indices(axis) for axis in axes]
    seen: set[tuple[str, ...]] = set()
    total = 0.0
    for states, probability in cells:
        if not math.isfinite(probability) or probability < 0:
            return [f"{what}: {probability} at {_show(', '.join(states))} is not a probability."]
        if len(states) != len(axes):
            return [f"{what}: a cell names {len(states)} states instead of {len(axes)}."]
        for state, index, axis in zip(states, indices, axes, strict=True):
            if to_key(state) not in index:
                return [
                    f"{what}: {axis.name!r} has no state {_show(state)}; it has {', '.join(map(repr, axis.states))}."
                ]
        key = tuple(map(to_key, states))
        if key in seen:
            return [f"{what}: the cell {_show(', '.join(states))} is given twice."]
        seen.add(key)
        total += probability
    if total <= 0:
        return [f"{what}: the probabilities sum to 0."]
    return []


def _to_table(child: str, parents: tuple[str, ...], cells: Cells, axes: Sequence[Variable]) -> Table:
    indices = [_state_indices(axis) for axis in axes]
    by_index = {
        tuple(index[to_key(state)] for state, index in zip(states, indices, strict=True)): probability
        for states, probability in cells
    }
    return complete_table(child, parents, tuple(axis.cardinality for axis in axes), by_index)


def _state_indices(variable: Variable) -> dict[str, int]:
    return {to_key(state): i for i, state in enumerate(variable.states)}


def _collect(problems: Iterable[list[str]]) -> list[str]:
    return [problem for found in problems for problem in found][:MAX_PROBLEMS]


def _show(name: str) -> str:
    """A name as it may stand in a message: cleaned, quoted and cut."""
    cleaned = clean_name(name)
    return repr(cleaned if len(cleaned) <= 60 else cleaned[:57] + "...")
