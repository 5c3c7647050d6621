"""Networks back from the rows of ``variables`` and ``cpds``, every row accounted for."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayes.network import Cpd, FloatArray, Network, Rule, Variable
from schemas.errors import InputError
from schemas.rows import NamedNetwork
from storage.columns import to_configurations
from storage.parquet import read_table
from storage.tables import ArrowTable

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A network made from its rows, or what is wrong with them."""

    id: str
    network: Network | None
    problem: str = ""


def read_networks(
    data: Path, domain: str, backbone: str, ids: Collection[str] | None = None
) -> tuple[NamedNetwork, ...]:
    """The networks of one backbone, its own and its examples', ordered by id.

    Args:
        data: the data folder.
        domain: slug.
        backbone: slug.
        ids: only these.

    Raises:
        InputError: a file is corrupt, or the rows of a network don't make one.
    """
    variables = read_table(data, "variables", domain, backbone)
    cpds = read_table(data, "cpds", domain, backbone)
    networks: list[NamedNetwork] = []
    for item in rebuild_networks(variables, cpds, ids):
        if item.network is None:
            raise InputError(f"tables variables and cpds of {domain}/{backbone}: network {item.id!r}: {item.problem}")
        networks.append(NamedNetwork(item.id, item.network))
    return tuple(networks)


def read_backbone(data: Path, domain: str, backbone: str) -> Network | None:
    """The network of one backbone; None where there is none.

    Raises:
        InputError: a file is corrupt, or the rows don't make a network.
    """
    networks = read_networks(data, domain, backbone, ids=(backbone,))
    return networks[0].network if networks else None


def rebuild_networks(variables: ArrowTable, cpds: ArrowTable, ids: Collection[str] | None = None) -> Iterator[Rebuilt]:
    """Make every network of one backbone from its rows; networks with the same CPD share its object.

    Each (variable, configuration, state) must have exactly one row, in the order that :mod:`storage.tables` states.
    Whether the numbers are probabilities is another question.
    """
    reader = _CpdReader(cpds)
    rows_of: dict[str, list[dict[str, Any]]] = {}
    for row in variables.select(["network", "variable", "position", "states", "parents"]).to_pylist():
        rows_of.setdefault(row["network"], []).append(row)
    for name, rows in sorted(rows_of.items()):
        if ids is None or name in ids:
            yield _rebuild(name, sorted(rows, key=lambda row: row["position"]), reader)
    for name in sorted(set(reader.n_blocks_of) - set(rows_of)):
        if ids is None or name in ids:
            yield Rebuilt(name, None, "has rows in cpds and none in variables")


def _rebuild(name: str, rows: Sequence[dict[str, Any]], reader: "_CpdReader") -> Rebuilt:
    by_name = {row["variable"]: Variable(row["variable"], tuple(row["states"])) for row in rows}
    if len(by_name) < len(rows) or [row["position"] for row in rows] != list(range(len(rows))):
        return Rebuilt(name, None, "its rows in variables repeat a variable or skip a position")
    if reader.n_blocks_of.get(name, 0) > len(rows):
        return Rebuilt(name, None, "cpds has rows of a variable that variables has not, or rows that stand apart")
    cpds: list[Cpd] = []
    for row in rows:
        if not set(row["parents"]) <= set(by_name):
            return Rebuilt(name, None, f"variable {row['variable']!r} has a parent that is no variable of the network")
        family = tuple(by_name[member] for member in (row["variable"], *row["parents"]))
        cpd = reader.read(name, family)
        if isinstance(cpd, str):
            return Rebuilt(name, None, f"variable {row['variable']!r}: {cpd}")
        cpds.append(cpd)
    return Rebuilt(name, Network(tuple(by_name.values()), tuple(cpds)))


@dataclass(frozen=True, slots=True)
class _Expected:
    """The codes that the rows of a variable with these parents must show, as bytes, which compare fastest."""

    n_configurations: int
    states: bytes
    lengths: bytes
    parents: bytes
    parent_states: bytes


class _CpdReader:
    """The columns of ``cpds`` as arrays of codes, in blocks of consecutive rows of one variable of one network."""

    def __init__(self, cpds: ArrowTable) -> None:
        networks, network_names = _encode(cpds.column("network").combine_chunks())
        variables, variable_names = _encode(cpds.column("variable").combine_chunks())
        self._states, self._state_names = _encode(cpds.column("state").combine_chunks())
        self._rules, self._rule_names = _encode(cpds.column("rule").combine_chunks())
        self._parents = _Lists(cpds.column("parents").combine_chunks())
        self._parent_states = _Lists(cpds.column("parent_states").combine_chunks())
        self._probability: FloatArray = cpds.column("probability").to_numpy()
        is_start = (np.diff(networks, prepend=-1) != 0) | (np.diff(variables, prepend=-1) != 0)
        bounds = [*np.flatnonzero(is_start).tolist(), len(networks)]
        keys = [(network_names[networks[start]], variable_names[variables[start]]) for start in bounds[:-1]]
        self._blocks = dict(zip(keys, pairwise(bounds), strict=True))
        self.n_blocks_of = Counter(network for network, _ in keys)
        self._expected: dict[tuple[Variable, ...], _Expected] = {}
        self._made: dict[tuple[tuple[Variable, ...], bytes, bytes], Cpd] = {}

    def read(self, network: str, family: tuple[Variable, ...]) -> Cpd | str:
        """The CPD of a variable given its parents, the family in this order; or what is wrong with its rows."""
        start, stop = self._blocks.get((network, family[0].name), (0, 0))
        n_rows = math.prod(variable.cardinality for variable in family)
        if stop - start != n_rows:
            return f"has {stop - start} rows in cpds instead of {n_rows}"
        expected = self._expected.get(family)
        if expected is None:
            expected = self._expected[family] = self._expect(family)
        lists = ((self._parents, expected.parents, "parents"), (self._parent_states, expected.parent_states, "states"))
        for column, wanted, what in lists:
            if column.lengths[start:stop].tobytes() != expected.lengths or column.slice(start, stop) != wanted:
                return f"its parents' {what} in cpds are not those of variables, in order"
        if self._states[start:stop].tobytes() != expected.states:
            return "its states in cpds are not those of variables, in order"
        rules, values = self._rules[start:stop], self._probability[start:stop]
        key = (family, rules.tobytes(), values.tobytes())
        made = self._made.get(key)
        if made is not None:
            return made
        cpd = self._make(family, expected.n_configurations, rules, values)
        if not isinstance(cpd, str):
            self._made[key] = cpd
        return cpd

    def _expect(self, family: tuple[Variable, ...]) -> _Expected:
        child, *parents = family
        configurations = to_configurations([parent.cardinality for parent in parents])
        n_rows = len(configurations) * child.cardinality
        picked = [
            _to_codes(self._parent_states.names, parent.states)[configurations[:, i]]
            for i, parent in enumerate(parents)
        ]
        parent_states = np.column_stack(picked) if picked else np.zeros((1, 0), dtype=np.int32)
        names = _to_codes(self._parents.names, [parent.name for parent in parents])
        return _Expected(
            len(configurations),
            np.tile(_to_codes(self._state_names, child.states), len(configurations)).tobytes(),
            np.full(n_rows, len(parents), dtype=np.int32).tobytes(),
            np.tile(names, n_rows).tobytes(),
            np.repeat(parent_states, child.cardinality, axis=0).tobytes(),
        )

    def _make(self, family: tuple[Variable, ...], n_configurations: int, rules: Codes, values: FloatArray) -> Cpd | str:
        by_column = rules.reshape(n_configurations, -1)
        if (by_column != by_column[:, :1]).any():
            return "names two rules for one column"
        try:
            names = tuple(Rule(self._rule_names[code]) for code in by_column[:, 0].tolist())
        except ValueError as error:
            return f"names an unknown rule: {error}"
        matrix = np.ascontiguousarray(values.reshape(n_configurations, -1).T)
        child, *parents = family
        return Cpd(child.name, tuple(parent.name for parent in parents), matrix, names)


class _Lists:
    """A column of lists as codes of all values one after another, and the length of each list."""

    def __init__(self, lists: Any) -> None:
        self._codes, self.names = _encode(lists.flatten())
        offsets = lists.offsets.to_numpy()
        self._offsets = offsets - offsets[0]
        self.lengths: Codes = np.diff(self._offsets)

    def slice(self, start: int, stop: int) -> bytes:
        """The codes of some rows, as bytes."""
        return self._codes[self._offsets[start] : self._offsets[stop]].tobytes()


def _encode(texts: Any) -> tuple[Codes, list[str]]:
    encoded = texts.dictionary_encode()
    return encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist()


def _to_codes(names: Sequence[str], wanted: Sequence[str]) -> Codes:
    code = {name: i for i, name in enumerate(names)}
    return np.array([code.get(name, -1) for name in wanted], dtype=np.int32)
