"""From replies to variables and edges; and what to tell the model where a reply cannot be used.

Each pass has a ``check_…`` that lists problems, one line each, to be fed back, and a ``to_…`` that converts a reply
without problems. The tables of passes 3 to 5 are in :mod:`tasks.table_checking`. Three kinds of slips are told apart:

- **harmless** ones are put right in silence: case, white space, hyphens and plurals of listed names, quotes and
  underscores in new ones, the baseline left out, put first or written as ``None.``;
- **doubtful** ones are fed back, but no more than ``PATIENCE`` times (:func:`insist`): edges with unknown names, tables
  whose cells are far from summing to 1. After that the reply is taken, and what is dropped or renormalised is recorded;
- **unusable** is what leaves no variable, edge or table, or one that would mean something else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bayes.graphs import AcyclicEdges, keep_acyclic
from bayes.network import BASELINE_STATE, Edge, Variable
from schemas.names import MAX_NAME, clean_name, find_name_problem, to_key
from schemas.replies import EdgesReply, Reply, VariablesReply
from tasks.listed_names import ListedNames, is_baseline, show, show_all, tidy_name, to_sameness

MIN_TELLING_STATES = 2
MAX_TELLING_STATES = 6
MAX_PROBLEMS = 12
MAX_MECHANISM = 300
"""Characters kept of the words about an edge."""

PATIENCE = 2
"""Replies to one question that are sent back for doubtful slips."""

ReplyT_contra = TypeVar("ReplyT_contra", bound=Reply, contravariant=True)
ReplyT = TypeVar("ReplyT", bound=Reply)


class Check(Protocol[ReplyT_contra]):
    """Names what is wrong with a reply; where ``is_strict``, what is merely doubtful too."""

    def __call__(self, reply: ReplyT_contra, *, is_strict: bool) -> list[str]:
        """The problems, one line each."""
        ...


def insist(check: Check[ReplyT]) -> Callable[[ReplyT], list[str]]:
    """The check for the replies to one question: strict for the first ``PATIENCE`` of them."""
    n_seen = 0

    def look(reply: ReplyT) -> list[str]:
        nonlocal n_seen
        n_seen += 1
        return check(reply, is_strict=n_seen <= PATIENCE)

    return look


# Pass 1: variables


def check_variables(reply: VariablesReply, *, max_variables: int) -> list[str]:
    """Problems of a list of variables: none at all, too many, bad or repeated names, too few or too many states."""
    if not reply.variables:
        return ["The list of variables is empty."]
    problems: list[str] = []
    if len(reply.variables) > max_variables:
        problems.append(f"There are {len(reply.variables)} variables; keep the {max_variables} that matter most.")
    problems += _check_names("Variable", [item.name for item in reply.variables])
    for item in reply.variables:
        name, states = show(item.name), _telling_states(item.states)
        if is_baseline(item.name):
            problems.append(f"Variable {name} has the name of the baseline state; name what it is about.")
        problems += _check_names(f"Variable {name}: state", states)
        if not MIN_TELLING_STATES <= len(states) <= MAX_TELLING_STATES:
            problems.append(
                f"Variable {name} has {len(states)} {'state' if len(states) == 1 else 'states'} besides 'none'; give "
                f"{MIN_TELLING_STATES} to {MAX_TELLING_STATES}."
            )
    return problems[:MAX_PROBLEMS]


def to_variables(reply: VariablesReply) -> tuple[Variable, ...]:
    """The variables, names cleaned, the baseline state last."""
    return tuple(
        Variable(tidy_name(item.name), (*_telling_states(item.states), BASELINE_STATE)) for item in reply.variables
    )


def _telling_states(states: Iterable[str]) -> list[str]:
    return [tidy_name(state) for state in states if not is_baseline(state)]


def _check_names(what: str, names: Sequence[str]) -> list[str]:
    problems: list[str] = []
    first: dict[str, str] = {}
    for raw in names:
        name = tidy_name(raw)
        problem = find_name_problem(name)
        if problem:
            problems.append(f"{what} {show(raw)} {problem}.")
            continue
        same = to_sameness(name)
        earlier = first.get(same)
        if earlier is None:
            first[same] = name
        else:
            twin = "" if to_key(earlier) == to_key(name) else f" (as {show(earlier)})"
            problems.append(f"{what} {show(raw)} is listed twice{twin}; give it once, or names that differ clearly.")
    return problems


# Pass 2: edges


@dataclass(frozen=True, slots=True)
class NamedEdges:
    """The edges of a reply under the listed names, and what they do."""

    acyclic: AcyclicEdges
    mechanisms: Mapping[Edge, str]


def check_edges(reply: EdgesReply, variables: Sequence[Variable], *, is_strict: bool = False) -> list[str]:
    """A problem where edges are given and not one can be used; where strict, for every name that is not listed."""
    names = [variable.name for variable in variables]
    if is_strict:
        index = ListedNames(names)
        given = dict.fromkeys(clean_name(name) for edge in reply.edges for name in (edge.parent, edge.child))
        unknown = [name for name in given if index.find(name) is None]
        if unknown:
            problems = [f"{show(name)} is not a listed variable." for name in unknown[: MAX_PROBLEMS - 1]]
            return [*problems, f"Use these names exactly, or leave the edge out: {show_all(names)}."]
    if reply.edges and not to_edges(reply, variables).acyclic.kept:
        return [f"No edge joins two listed variables. Use these names exactly: {show_all(names)}."]
    return []


def to_edges(reply: EdgesReply, variables: Sequence[Variable]) -> NamedEdges:
    """The acyclic edges of a reply, in its order, each edge that was dropped with its reason."""
    names = [variable.name for variable in variables]
    index = ListedNames(names)

    def resolve(raw: str) -> str:
        return index.find(raw) or clean_name(raw)[:MAX_NAME]

    edges = [(Edge(resolve(item.parent), resolve(item.child)), item.mechanism) for item in reply.edges]
    acyclic = keep_acyclic(names, (edge for edge, _ in edges))
    mechanisms = {edge: " ".join(clean_name(words).split()[:40])[:MAX_MECHANISM] for edge, words in reversed(edges)}
    return NamedEdges(acyclic, {edge: mechanisms[edge] for edge in acyclic.kept})
