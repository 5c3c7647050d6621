"""One network of the published layout, field by field; see :mod:`schemas.released_layout`."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from bayes.graphs import to_levels
from bayes.network import BASELINE_STATE, Edge, FloatArray, Variable
from bayes.scoring.assembly import PairwiseNetwork
from schemas.names import MAX_NAME
from schemas.oddities import Oddity, OddityLog, clip
from schemas.released_tables import CellReader, clean_cached, find_names, fold_cached, has_shape, is_empty, to_labels

_ABSENT = frozenset({"absent", "not present"})
_PLAIN = frozenset(" -_/()")


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedNetwork:
    """One network of a file. ``faults`` are the parts that had to be left out, as one-line texts."""

    id: str
    parent_id: str
    source_id: str
    title: str
    domain: str
    text: str
    """The description that was generated for the network."""
    article: str
    content: PairwiseNetwork
    faults: tuple[str, ...]


def read_network(key: str, raw: Any, log: OddityLog) -> ReleasedNetwork:
    """The network that stands under a key, with whatever of it can be read.

    Example:
        >>> nodes = {"rain": {"states": ["yes", "None"], "prior": [0.3, 0.7]}}
        >>> read_network("bn_1", {"nodes": nodes, "generated_text": "It rains."}, OddityLog()).content.variables
        (Variable(name='rain', states=('yes', 'none')),)
    """
    return _NetworkReader(key, log).to_network(raw)


class _NetworkReader:
    """Carries the id, the log and the faults of one network."""

    def __init__(self, key: str, log: OddityLog) -> None:
        self.id = clip(key, MAX_NAME)
        self.log = log
        self.faults: list[str] = []
        self.tables: dict[Edge, FloatArray] = {}
        self.priors: dict[str, FloatArray] = {}
        self.cells = CellReader(self.note)

    def to_network(self, raw: Any) -> ReleasedNetwork:
        if self.id.endswith("_predicted"):
            self.note(Oddity.PREDICTED_ID)
        record = self.to_mapping(raw, "the network")
        told_id = record.get("id")
        if told_id is not None and _to_field(told_id) != self.id:
            self.note(Oddity.ID, f"its id is {_to_field(told_id)!r}")
        if "nodes" not in record:
            self.fault("it has no field nodes")
        nodes = self.to_mapping(record.get("nodes"), "nodes")
        variables, raw_nodes = self.to_variables(nodes)
        by_name = {variable.name: variable for variable in reversed(variables)}
        edges = self.to_edges(variables, raw_nodes, by_name)
        self.to_priors(variables, raw_nodes, edges)
        self.check_graph(variables, edges, record)
        text = _to_text(record.get("generated_text"))
        if not text:
            self.note(Oddity.NO_TEXT)
        return ReleasedNetwork(
            id=self.id,
            parent_id=_to_field(record.get("parent_id")),
            source_id=_to_field(record.get("source_id")),
            title=_to_field(record.get("title")),
            domain=_to_field(record.get("domain")),
            text=text,
            article=_to_text(record.get("actual_text")),
            content=PairwiseNetwork(variables, edges, self.tables, self.priors),
            faults=tuple(self.faults),
        )

    def note(self, kind: Oddity, what: str = "", count: int = 1) -> None:
        self.log.add(kind, f"{self.id}: {what}" if what else self.id, count)

    def fault(self, problem: str, kind: Oddity = Oddity.UNREADABLE) -> None:
        self.faults.append(clip(problem))
        self.note(kind, problem)

    def to_mapping(self, raw: Any, what: str) -> Mapping[str, Any]:
        if isinstance(raw, dict):
            return cast("dict[str, Any]", raw)
        if raw is not None and raw != []:
            self.fault(f"{what} is no object")
        return {}

    def to_name(self, raw: Any, what: str) -> str:
        """A name cleaned; empty, and told as a fault, where there is none."""
        if not isinstance(raw, str):
            if isinstance(raw, bool) or not isinstance(raw, (int, float)):
                self.fault(f"{what} has a name that is no text")
                return ""
            raw = str(raw)
        name = clean_cached(raw)
        if not name:
            self.fault(f"{what} has an empty name")
        elif name != raw:
            self.note(Oddity.CLEANED, repr(name))
        return name

    def to_variables(self, nodes: Mapping[str, Any]) -> tuple[tuple[Variable, ...], list[Mapping[str, Any]]]:
        variables: list[Variable] = []
        records: list[Mapping[str, Any]] = []
        for raw_name, raw_node in nodes.items():
            name = self.to_name(raw_name, "a node")
            if not name:
                continue
            node = self.to_mapping(raw_node, f"the node {name!r}")
            variables.append(Variable(name, self.to_states(name, node.get("states"))))
            records.append(node)
        self.note_letter_case([variable.name for variable in variables], "")
        for name, count in Counter(variable.name for variable in variables).items():
            if count > 1:
                self.fault(f"there are {count} nodes called {name!r}")
        return tuple(variables), records

    def to_states(self, name: str, raw: Any) -> tuple[str, ...]:
        if not isinstance(raw, list) or not raw:
            self.fault(f"the node {name!r} has no states")
            return ()
        named = (self.to_name(item, f"a state of {name!r}") for item in cast("list[Any]", raw))
        states = [state for state in named if state]
        self.note_letter_case(states, f"{name!r}: ")
        if BASELINE_STATE not in states and sum(state.casefold() == BASELINE_STATE for state in states) == 1:
            self.note(Oddity.BASELINE, repr(name))
            states = [BASELINE_STATE if state.casefold() == BASELINE_STATE else state for state in states]
        if BASELINE_STATE in states and any(state.casefold() in _ABSENT for state in states):
            self.note(Oddity.ABSENT, repr(name))
        for state in states:
            if state.isdigit() or not all(char.isalnum() or char in _PLAIN for char in state):
                self.note(Oddity.SYMBOLS, f"{name!r}: {state!r}")
        repeated = next((state for state, count in Counter(states).items() if count > 1), None)
        if repeated:
            self.fault(f"the node {name!r} has the state {repeated!r} twice")
        return tuple(states)

    def note_letter_case(self, names: Sequence[str], where: str) -> None:
        by_key: dict[str, str] = {}
        for name in names:
            first = by_key.setdefault(fold_cached(name), name)
            if first != name:
                self.note(Oddity.LETTER_CASE, f"{where}{first!r} and {name!r}")

    def to_edges(
        self,
        variables: Sequence[Variable],
        raw_nodes: Sequence[Mapping[str, Any]],
        by_name: Mapping[str, Variable],
    ) -> tuple[Edge, ...]:
        edges: dict[Edge, None] = {}
        names = list(by_name)
        before: set[str] = set()
        for variable, node in zip(variables, raw_nodes, strict=True):
            is_early = False
            for raw_parent, raw_table in self.to_mapping(node.get("parents"), f"parents of {variable.name!r}").items():
                given = self.to_name(raw_parent, f"a parent of {variable.name!r}")
                found = find_names([given], names)[0]
                if found is None:
                    self.note(Oddity.UNKNOWN_PARENT, f"{given!r} -> {variable.name!r}")
                    continue
                if names[found] != given:
                    self.note(Oddity.LETTER_CASE, f"{given!r} and {names[found]!r}")
                edge = Edge(names[found], variable.name)
                if edge in edges:
                    self.note(Oddity.REPEATED_EDGE, _show(edge))
                    continue
                edges[edge] = None
                is_early = is_early or edge.parent not in before
                if variable is by_name[variable.name]:
                    self.to_table(edge, raw_table, variable, by_name[edge.parent])
            before.add(variable.name)
            if is_early:
                self.note(Oddity.ORDER, repr(variable.name))
        return tuple(edges)

    def to_table(self, edge: Edge, raw: Any, child: Variable, parent: Variable) -> None:
        where = _show(edge)
        record = self.to_mapping(raw, f"the table of {where}")
        matrix, labels = record.get("cpd_matrix"), to_labels(record.get("parent_states"))
        if is_empty(matrix):
            self.note(Oddity.EMPTY_TABLE, where)
            return
        shape = (child.cardinality, len(labels) or parent.cardinality)
        if not has_shape(matrix, shape):
            self.fault(f"the table of {where} is not {shape[0]} x {shape[1]}", Oddity.SHAPE)
            return
        if 0 in shape or not parent.states:
            return
        cells = self.cells.read(matrix, where)
        places = find_names(labels or parent.states, parent.states)
        if not labels or places != list(range(parent.cardinality)):
            self.note(Oddity.PARENT_STATES, where)
        table = np.full((child.cardinality, parent.cardinality), math.nan)
        for column, place in enumerate(places):
            if place is not None:
                table[:, place] = cells[:, column]
        self.tables[edge] = table

    def to_priors(
        self, variables: Sequence[Variable], raw_nodes: Sequence[Mapping[str, Any]], edges: Sequence[Edge]
    ) -> None:
        children = {edge.child for edge in edges}
        for variable, node in zip(variables, raw_nodes, strict=True):
            name, raw = variable.name, node.get("prior")
            if name in self.priors:
                continue
            if is_empty(raw):
                if name not in children:
                    self.note(Oddity.NO_PRIOR, repr(name))
                continue
            column = [[cell] for cell in cast("list[Any]", raw)] if isinstance(raw, list) else None
            if not has_shape(column, (variable.cardinality, 1)):
                self.note(Oddity.PRIOR_SHAPE, repr(name))
                continue
            if name in children:
                self.note(Oddity.CHILD_PRIOR, repr(name))
            self.priors[name] = self.cells.read(column, f"prior of {name!r}")[:, 0]

    def check_graph(self, variables: Sequence[Variable], edges: Sequence[Edge], record: Mapping[str, Any]) -> None:
        names = list(dict.fromkeys(variable.name for variable in variables))
        touched = {name for edge in edges for name in edge}
        for name in names:
            if name not in touched and len(names) > 1:
                self.note(Oddity.ISOLATED, repr(name))
        for name, n_parents in Counter(edge.child for edge in edges).items():
            if n_parents > 1:
                self.note(Oddity.SEVERAL_PARENTS, repr(name))
        try:
            to_levels(names, edges)
        except ValueError:
            self.fault("its edges close a cycle", Oddity.CYCLE)
        for field, n in (("n_nodes", len(variables)), ("n_edges", len(edges))):
            told = record.get(field)
            if told is not None and told != n:
                self.note(Oddity.COUNTS, f"{field} is {clip(str(told), 20)} and not {n}")


def _to_text(raw: Any) -> str:
    """A text as it stands, without lone surrogates, which could not be written; empty where it is none."""
    return raw.encode("utf-8", "replace").decode().strip() if isinstance(raw, str) else ""


def _to_field(raw: Any) -> str:
    return clip(str(raw)) if isinstance(raw, (str, int)) else ""


def _show(edge: Edge) -> str:
    return f"{edge.parent!r} -> {edge.child!r}"
