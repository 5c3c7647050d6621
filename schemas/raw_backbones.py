"""Raw elicited backbones in the layout that the PRISM-BN authors released: one JSON record a line.

A record has ``id, title, domain, url, text, nodes: [{name, states}], edges: [{parent, child}], marginals: {node:
{state: p}}, joints: [{parent, child, table: {parent_state: {child_state: p}}}], multi_joints: [{child, parents,
table}]``; the table of a multi-joint is nested by keys ``parent=state`` down to ``{child_state: p}``. Other fields are
ignored.

Single missing cells are floored as after an elicitation; a missing row, like everything else that is wrong, is an
:class:`~schemas.errors.InputError` that names the file, the line and the field. Edges that close a cycle are dropped
and recorded, as they are when a model names them.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bayes.completion import complete_table
from bayes.graphs import keep_acyclic
from bayes.network import BASELINE_STATE, Edge, Table, Tables, Variable
from schemas.articles import Article
from schemas.backbones import Backbone
from schemas.errors import InputError
from schemas.names import MAX_TITLE, clean_name, find_name_problem
from schemas.slugs import to_slug


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Node(_Record):
    name: str
    states: list[str]


class _Edge(_Record):
    parent: str
    child: str


class _Joint(_Edge):
    table: dict[str, dict[str, float]]


class _MultiJoint(_Record):
    child: str
    parents: list[str]
    table: dict[str, Any]


class _RawBackbone(_Record):
    id: str
    title: str
    domain: str
    url: str = ""
    text: str = ""
    nodes: list[_Node] = Field(min_length=1)
    edges: list[_Edge]
    marginals: dict[str, dict[str, float]]
    joints: list[_Joint]
    multi_joints: list[_MultiJoint] = []


@dataclass(frozen=True, slots=True, eq=False)
class ImportedBackbone:
    """A backbone read from a file, with the article it was elicited from."""

    article: Article
    backbone: Backbone


def read_backbone(line: str, *, where: str, retrieved_at: str) -> ImportedBackbone:
    """The backbone of one record.

    Args:
        line: the JSON text.
        where: file and line, for messages.
        retrieved_at: ISO time that stands for when the record was made.

    Raises:
        InputError: the record cannot be used; the text says where and why.
    """
    try:
        record = _RawBackbone.model_validate(json.loads(line))
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON: {error.msg} at column {error.colno}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{where}: {'.'.join(map(str, first['loc'])) or 'record'}: {first['msg']}") from error
    return _Reader(where).to_imported(record, retrieved_at)


class _Reader:
    """Carries ``where`` through the checks."""

    def __init__(self, where: str) -> None:
        self.where = where

    def to_imported(self, record: _RawBackbone, retrieved_at: str) -> ImportedBackbone:
        variables = self.to_variables(record.nodes)
        by_name = {variable.name: variable for variable in variables}
        for i, item in enumerate(record.edges):
            for name in (item.parent, item.child):
                if clean_name(name) not in by_name:
                    self.refuse(f"edges.{i}", f"names the unknown node {name!r}")
        acyclic = keep_acyclic(
            by_name, (Edge(clean_name(item.parent), clean_name(item.child)) for item in record.edges)
        )
        edges = acyclic.kept
        tables = Tables(
            variables,
            edges,
            self.to_marginals(record.marginals, variables),
            self.to_joints(record.joints, edges, by_name),
            self.to_multi_joints(record.multi_joints, edges, by_name),
        )
        text = record.text.strip()
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        domain, slug = to_slug(record.domain), to_slug(record.title or record.id)
        article = Article(
            domain=domain,
            backbone=slug,
            title=clean_name(record.title)[:MAX_TITLE].rstrip(),
            url=record.url,
            revision="",
            retrieved_at=retrieved_at,
            licence="CC BY-SA 4.0" if "wikipedia.org/" in record.url else "unknown",
            text=text,
            sha256=sha256,
            words=len(text.split()),
        )
        backbone = Backbone(
            domain, slug, article.title, record.url, "imported", sha256, "", tables, {}, acyclic.dropped
        )
        return ImportedBackbone(article, backbone)

    def refuse(self, field: str, problem: str) -> NoReturn:
        raise InputError(f"{self.where}: {field}: {problem}")

    def to_variables(self, nodes: Sequence[_Node]) -> tuple[Variable, ...]:
        variables: list[Variable] = []
        for i, node in enumerate(nodes):
            name = self.check_name(f"nodes.{i}.name", node.name)
            if not node.states:
                self.refuse(f"nodes.{i}.states", f"the node {name!r} has no states")
            states = [self.check_name(f"nodes.{i}.states", state) for state in node.states]
            repeated = sorted({state for state in states if states.count(state) > 1})
            if repeated:
                self.refuse(f"nodes.{i}.states", f"the node {name!r} has the state {repeated[0]!r} twice")
            if name in {variable.name for variable in variables}:
                self.refuse(f"nodes.{i}.name", f"there are two nodes called {name!r}")
            variables.append(Variable(name, tuple(_normalise_baseline(states))))
        return tuple(variables)

    def check_name(self, field: str, raw: str) -> str:
        name = clean_name(raw)
        problem = find_name_problem(name)
        if problem:
            self.refuse(field, f"the name {name[:40]!r} {problem}")
        return name

    def to_marginals(
        self, marginals: Mapping[str, Mapping[str, float]], variables: Sequence[Variable]
    ) -> dict[str, Table]:
        given = {clean_name(name): table for name, table in marginals.items()}
        result: dict[str, Table] = {}
        for variable in variables:
            field = f"marginals.{variable.name}"
            if variable.name not in given:
                self.refuse(field, "is missing")
            result[variable.name] = self.complete(
                field, (), {(s,): p for s, p in given[variable.name].items()}, [variable]
            )
        return result

    def to_joints(
        self, joints: Sequence[_Joint], edges: Sequence[Edge], variables: Mapping[str, Variable]
    ) -> dict[Edge, Table]:
        given = {Edge(clean_name(item.parent), clean_name(item.child)): item.table for item in joints}
        result: dict[Edge, Table] = {}
        for edge in edges:
            field = f"joints.{edge.parent} -> {edge.child}"
            if edge not in given:
                self.refuse(field, "is missing")
            cells = {(a, c): p for a, row in given[edge].items() for c, p in row.items()}
            result[edge] = self.complete(field, (edge.parent,), cells, [variables[name] for name in edge])
        return result

    def to_multi_joints(
        self, joints: Sequence[_MultiJoint], edges: Sequence[Edge], variables: Mapping[str, Variable]
    ) -> dict[str, Table]:
        result: dict[str, Table] = {}
        for i, item in enumerate(joints):
            child, parents = clean_name(item.child), tuple(clean_name(parent) for parent in item.parents)
            field = f"multi_joints.{i} ({child})"
            if not all(Edge(parent, child) in edges for parent in parents) or len(set(parents)) < 2:
                self.refuse(field, "its parents are not two or more parents of the child in 'edges'")
            axes = [variables[name] for name in (*parents, child)]
            cells = dict(self.walk(field, item.table, parents, ()))
            result[child] = self.complete(field, parents, cells, axes)
        return result

    def walk(
        self, field: str, table: Mapping[str, Any], parents: tuple[str, ...], states: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], float]]:
        for key, value in table.items():
            if not parents:
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    self.refuse(field, f"the cell {key!r} is not a number")
                yield (*states, key), float(value)
                continue
            prefix = f"{parents[0]}="
            cleaned = clean_name(key)
            if not cleaned.startswith(prefix) or not isinstance(value, dict):
                self.refuse(field, f"the key {key[:60]!r} should be '{prefix}<state>' with a table below it")
            yield from self.walk(field, value, parents[1:], (*states, cleaned.removeprefix(prefix)))

    def complete(
        self, field: str, parents: tuple[str, ...], cells: Mapping[tuple[str, ...], float], axes: Sequence[Variable]
    ) -> Table:
        indexed: dict[tuple[int, ...], float] = {}
        for states, probability in cells.items():
            index: list[int] = []
            for raw, axis in zip(states, axes, strict=True):
                state = clean_name(raw)
                if state not in axis.states and state.casefold() == BASELINE_STATE:
                    state = BASELINE_STATE
                if state not in axis.states:
                    self.refuse(field, f"{axis.name!r} has no state {raw[:60]!r}")
                index.append(axis.states.index(state))
            indexed[tuple(index)] = probability
        for number, axis in enumerate(axes):
            present = {index[number] for index in indexed}
            absent = [state for i, state in enumerate(axis.states) if i not in present]
            if absent and number < len(axes) - 1:
                self.refuse(field, f"the row of {axis.name!r} = {absent[0]!r} is missing")
        try:
            return complete_table(axes[-1].name, parents, tuple(axis.cardinality for axis in axes), indexed)
        except ValueError as error:
            raise InputError(f"{self.where}: {field}: {error}") from error


def _normalise_baseline(states: Sequence[str]) -> list[str]:
    """``None`` and ``NONE`` are the baseline where no ``none`` is."""
    if BASELINE_STATE in states:
        return list(states)
    return [BASELINE_STATE if state.casefold() == BASELINE_STATE else state for state in states]
