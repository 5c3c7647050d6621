"""A person's extraction as a CSV file, as a spreadsheet saves it.

One header line, then one row for each node, each edge and each probability, of any number of examples and in any order:

=================  =====================  ==================  ===================================================
column             ``node``               ``edge``            ``cpd``
=================  =====================  ==================  ===================================================
``example``        id of the example      id of the example   id of the example
``kind``           node                   edge                cpd
``variable``       its name               the child           the child
``states``         all, ``|`` between
``parents``                               one or more         all its parents, or one of them; empty for a root
``parent_states``                                             a state of each of these parents, in their order
``state``                                                     a state of the child
``probability``                                               a number from 0 to 1
=================  =====================  ==================  ===================================================

For instance (``samples/annotations.csv`` has a whole example)::

    example,kind,variable,states,parents,parent_states,state,probability
    floods-2-0a1b2c3d,node,Rainfall,heavy | none,,,,
    floods-2-0a1b2c3d,node,Flood,wide | none,,,,
    floods-2-0a1b2c3d,edge,Flood,,Rainfall,,,
    floods-2-0a1b2c3d,cpd,Rainfall,,,,heavy,0.3
    floods-2-0a1b2c3d,cpd,Flood,,Rainfall,heavy,wide,0.8

Cells that do not belong to a kind stay empty. Rows of ``cpd`` may be left out: what is not there was not read. A child
with several parents has either one full table, its rows naming all of them, or one table for each parent, of which a
full one is made by the product rule; where both are there the full one counts. Names are compared whatever their case.
Lines that are empty and columns of other names (a note) are passed over. A semicolon or a tab in place of the comma, as
some spreadsheets write it, is seen from the header line.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from bayes.network import BASELINE_STATE, Edge, FloatArray, Variable
from bayes.scoring.assembly import MAX_CELLS, PairwiseNetwork, to_prediction
from bayes.scoring.records import PredictedCpd, Prediction
from schemas.errors import InputError
from schemas.names import MAX_NAME, clean_name, to_key
from schemas.oddities import clip
from schemas.predictions import NamedPrediction

COLUMNS = ("example", "kind", "variable", "states", "parents", "parent_states", "state", "probability")
KINDS = ("node", "edge", "cpd")
SEPARATOR = "|"
MAX_FILE = 1 << 26
"""Largest file taken, in bytes: no person fills more."""

_NEEDED = {"node": ("states",), "edge": ("parents",), "cpd": ("state", "probability")}
_ALLOWED = {"node": ("states",), "edge": ("parents",), "cpd": ("parents", "parent_states", "state", "probability")}


def read_annotations(path: Path) -> tuple[NamedPrediction, ...]:
    """What a person read out of each example, in the order of the file.

    Raises:
        InputError: the file cannot be read, or something in it is wrong; one line that names file, line and column.

    Example:
        >>> one, = read_annotations(Path(__file__).parents[1] / "samples" / "annotations.csv")
        >>> one.id, len(one.prediction.variables), len(one.prediction.edges)
        ('bank-runs-3-8c9cfe34', 3, 2)
    """
    examples: dict[str, list[_Row]] = {}
    for row in _read_rows(path):
        examples.setdefault(row.cells["example"], []).append(row)
    if not examples:
        raise InputError(f"{path}: has no rows below its header; there is nothing to import")
    return tuple(
        NamedPrediction(name, "", _Extraction().to_prediction(rows), f"line {rows[0].line}: example")
        for name, rows in examples.items()
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's cleaned cells by column, and where it stands."""

    path: Path
    line: int
    cells: dict[str, str]

    def refuse(self, column: str, problem: str) -> NoReturn:
        raise InputError(f"{self.path}: line {self.line}: {column}: {problem}")

    def split(self, column: str) -> list[str]:
        """The names of a cell, checked."""
        cell = self.cells[column]
        names = [clean_name(part) for part in cell.split(SEPARATOR)] if cell else []
        for name in names:
            if not name:
                self.refuse(column, f"a name is empty; write names with one {SEPARATOR!r} between them")
            if len(name) > MAX_NAME:
                self.refuse(column, f"the name {clip(name, 40)!r} is longer than {MAX_NAME} characters")
        return names


def _read_rows(path: Path) -> Iterator[_Row]:
    text = _read_text(path)
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [clean_name(name).casefold() for name in next(reader, [])]
        for column in COLUMNS:
            if names.count(column) != 1:
                problem = "is missing" if column not in names else "is there twice"
                raise InputError(
                    f"{path}: line 1: the column {column!r} {problem}; the columns are {', '.join(COLUMNS)}"
                )
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            if len(values) > len(names):
                raise InputError(
                    f"{path}: line {reader.line_num}: has {len(values)} cells and the header {len(names)}; put quotes "
                    f"around a name that contains {delimiter!r}"
                )
            padded = [*values, *[""] * (len(names) - len(values))]
            cells = {name: clean_name(value) for name, value in zip(names, padded, strict=True) if name in COLUMNS}
            row = _Row(path, reader.line_num, cells)
            _check_row(row)
            yield row
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: is not CSV: {error}; save it as CSV again") from error


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    if len(data) > MAX_FILE:
        raise InputError(f"{path}: is larger than {MAX_FILE:,} bytes; split it by examples")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{path}: line {line}: is not UTF-8 text; save it as 'CSV UTF-8'") from error


def _check_row(row: _Row) -> None:
    """What can be wrong with a row by itself."""
    row.cells["kind"] = kind = row.cells["kind"].casefold()
    if kind not in KINDS:
        row.refuse("kind", f"{clip(kind, 40)!r} is none of {', '.join(KINDS)}")
    for column in ("example", "variable", *_NEEDED[kind]):
        if not row.cells[column]:
            row.refuse(column, f"is empty; a row of the kind {kind!r} needs it")
    for column in COLUMNS[3:]:
        if row.cells[column] and column not in _ALLOWED[kind]:
            row.refuse(column, f"must be empty in a row of the kind {kind!r}")


@dataclass(slots=True)
class _Extraction:
    """Gathers the rows of one example."""

    variables: dict[str, Variable] = field(default_factory=dict[str, Variable])
    edges: dict[Edge, None] = field(default_factory=dict[Edge, None])
    full: dict[str, PredictedCpd] = field(default_factory=dict[str, PredictedCpd])
    tables: dict[Edge, FloatArray] = field(default_factory=dict[Edge, FloatArray])

    def to_prediction(self, rows: Sequence[_Row]) -> Prediction:
        # Rows may stand in any order; nodes are asked for by edges, and edges by tables.
        for row in rows:
            if row.cells["kind"] == "node":
                self.add_node(row)
        for row in rows:
            if row.cells["kind"] == "edge":
                self.add_edges(row)
        for row in rows:
            if row.cells["kind"] == "cpd":
                self.add_cell(row)
        variables, edges = tuple(self.variables.values()), tuple(self.edges)
        priors = {name: cpd.matrix[:, 0] for name, cpd in self.full.items() if not cpd.parents}
        derived = to_prediction(PairwiseNetwork(variables, edges, self.tables, priors))
        return Prediction(variables, edges, {**derived.cpds, **self.full}, derived.pairwise)

    def add_node(self, row: _Row) -> None:
        name = row.split("variable")
        if len(name) > 1:
            row.refuse("variable", f"names one variable a row; {SEPARATOR!r} stands between states only")
        key = to_key(name[0])
        if key in self.variables:
            row.refuse("variable", f"there is a row for the node {name[0]!r} already")
        states = row.split("states")
        repeated = [state for state in states if sum(to_key(other) == to_key(state) for other in states) > 1]
        if repeated:
            row.refuse("states", f"the state {repeated[0]!r} is there twice")
        named = (BASELINE_STATE if state.casefold() == BASELINE_STATE else state for state in states)
        self.variables[key] = Variable(name[0], tuple(named))

    def add_edges(self, row: _Row) -> None:
        child = self.find(row, "variable", row.cells["variable"])
        for parent in row.split("parents"):
            edge = Edge(self.find(row, "parents", parent).name, child.name)
            if edge in self.edges:
                row.refuse("parents", f"the edge {edge.parent!r} -> {edge.child!r} is there twice")
            if edge.parent == edge.child:
                row.refuse("parents", f"{edge.child!r} cannot be its own parent")
            self.edges[edge] = None

    def add_cell(self, row: _Row) -> None:
        child = self.find(row, "variable", row.cells["variable"])
        given = [self.find(row, "parents", name) for name in row.split("parents")]
        states = row.split("parent_states")
        if len(states) != len(given):
            row.refuse("parent_states", f"has {len(states)} states for {len(given)} parents")
        at = {
            parent.name: _index(row, "parent_states", parent, state)
            for parent, state in zip(given, states, strict=True)
        }
        if len(at) < len(given):
            row.refuse("parents", "names a parent twice")
        cell = _index(row, "state", child, row.cells["state"])
        probability = _to_probability(row)
        parents = [self.variables[to_key(edge.parent)] for edge in self.edges if edge.child == child.name]
        for name in at:
            if Edge(name, child.name) not in self.edges:
                row.refuse("parents", f"there is no edge {name!r} -> {child.name!r}; add a row of the kind 'edge'")
        if len(at) == len(parents):
            column = 0
            for parent in parents:
                column = column * parent.cardinality + at[parent.name]
            _fill(row, self.to_full(row, child, parents), cell, column, probability)
        if len(at) == 1:
            [(name, column)] = at.items()
            shape = (child.cardinality, self.variables[to_key(name)].cardinality)
            matrix = self.tables.setdefault(Edge(name, child.name), np.full(shape, math.nan))
            _fill(row, matrix, cell, column, probability)
        elif len(at) != len(parents):
            names = f" {SEPARATOR} ".join(parent.name for parent in parents)
            row.refuse("parents", f"names {len(at)} of the parents of {child.name!r}; name all, {names!r}, or one")

    def to_full(self, row: _Row, child: Variable, parents: Sequence[Variable]) -> FloatArray:
        if child.name not in self.full:
            n_columns = math.prod(parent.cardinality for parent in parents)
            if n_columns * child.cardinality > MAX_CELLS:
                row.refuse("parents", f"the full table of {child.name!r} would have more than {MAX_CELLS:,} cells")
            matrix = np.full((child.cardinality, n_columns), math.nan)
            self.full[child.name] = PredictedCpd(child.name, tuple(parent.name for parent in parents), matrix)
        return self.full[child.name].matrix

    def find(self, row: _Row, column: str, name: str) -> Variable:
        variable = self.variables.get(to_key(name))
        if variable is None:
            row.refuse(column, f"there is no node {clip(name, 40)!r} in this example; add a row of the kind 'node'")
        return variable


def _index(row: _Row, column: str, variable: Variable, state: str) -> int:
    keys = [to_key(known) for known in variable.states]
    if to_key(state) not in keys:
        known = f" {SEPARATOR} ".join(variable.states)
        row.refuse(column, f"{variable.name!r} has no state {clip(state, 40)!r}; it has {clip(known)}")
    return keys.index(to_key(state))


def _to_probability(row: _Row) -> float:
    raw = row.cells["probability"]
    try:
        number = float(raw)
    except ValueError:
        row.refuse("probability", f"{clip(raw, 40)!r} is not a number; write it like 0.25")
    if not 0 <= number <= 1:
        row.refuse("probability", f"{clip(raw, 40)!r} is not between 0 and 1")
    return number


def _fill(row: _Row, matrix: FloatArray, cell: int, column: int, probability: float) -> None:
    if not math.isnan(matrix[cell, column]):
        row.refuse("state", "this probability is there already in another row")
    matrix[cell, column] = probability
