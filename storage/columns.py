"""Columns of the large tables, made from index arrays into pools of strings.

A table of CPDs repeats few strings very often: 5,000 examples have some four million rows, but each backbone has few
distinct names, states and CPDs. So each string is held once in a pool, columns are arrays of indices into it, and the
rows of a CPD that several networks share are made once.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayes.network import Cpd, FloatArray, Network, Table, Variable
from schemas.rows import NamedNetwork
from storage.tables import ArrowTable

Indices = NDArray[np.int32]


class Pool:
    """Distinct strings, each known by its index."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}

    def add(self, text: str) -> int:
        """The index of a string, which is added where it is new."""
        return self._index.setdefault(text, len(self._index))

    def add_all(self, texts: Iterable[str]) -> Indices:
        """The indices of several strings."""
        return np.array([self.add(text) for text in texts], dtype=np.int32)

    def to_column(self, indices: Indices) -> Any:
        """A text column: the strings at these indices."""
        return pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(list(self._index), pa.string()))

    def to_lists(self, indices: Indices, lengths: Indices) -> Any:
        """A column of lists: consecutive strings at these indices, as many per row as ``lengths`` says."""
        values = self.to_column(indices)
        offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
        np.cumsum(lengths, out=offsets[1:])
        kind = pa.list_(pa.field("element", values.type, nullable=False))
        return pa.ListArray.from_arrays(pa.array(offsets), values, type=kind)


def to_configurations(cardinalities: Sequence[int]) -> Indices:
    """State indices of every configuration: one row per configuration in C order, one column per parent.

    Example:
        >>> to_configurations((2, 2)).tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1]]
        >>> to_configurations(()).shape
        (1, 0)
    """
    n_rows = math.prod(cardinalities)
    return np.indices(cardinalities, dtype=np.int32).reshape(len(cardinalities), n_rows).T


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The rows of one table over a child and its parents; ``parents`` and ``parent_states`` hold k values per row."""

    parents: Indices
    parent_states: Indices
    state: Indices
    probability: FloatArray
    rule: Indices

    @property
    def n_rows(self) -> int:
        return len(self.state)


class _CellPools:
    def __init__(self) -> None:
        self.names = Pool()
        self.states = Pool()
        self.rules = Pool()

    def to_cells(
        self, child: Variable, parents: Sequence[Variable], values: FloatArray, rules: Sequence[str]
    ) -> _Cells:
        """Rows of a table with one row of ``values`` per configuration and one column per state of the child."""
        configurations = to_configurations([parent.cardinality for parent in parents])
        columns = [self.states.add_all(parent.states)[configurations[:, i]] for i, parent in enumerate(parents)]
        parent_states = np.column_stack(columns) if columns else np.zeros((1, 0), dtype=np.int32)
        n_configurations, n_states = len(configurations), child.cardinality
        return _Cells(
            parents=np.tile(self.names.add_all(parent.name for parent in parents), n_configurations * n_states),
            parent_states=np.repeat(parent_states, n_states, axis=0).ravel(),
            state=np.tile(self.states.add_all(child.states), n_configurations),
            probability=np.ascontiguousarray(values, dtype=np.float64).ravel(),
            rule=np.repeat(self.rules.add_all(rules), n_states),
        )

    def to_columns(self, cells: Sequence[_Cells], n_parents: Sequence[int]) -> dict[str, Any]:
        counts = [one.n_rows for one in cells]
        lengths = np.repeat(np.array(n_parents, dtype=np.int32), counts)
        return {
            "parents": self.names.to_lists(_join([one.parents for one in cells]), lengths),
            "parent_states": self.states.to_lists(_join([one.parent_states for one in cells]), lengths),
            "state": self.states.to_column(_join([one.state for one in cells])),
            "probability": pa.array(_join([one.probability for one in cells], np.float64)),
            "rule": self.rules.to_column(_join([one.rule for one in cells])),
        }


def to_cpd_columns(networks: Iterable[NamedNetwork]) -> ArrowTable:
    """The rows of ``cpds``: networks in the order given, variables by name, configurations in C order, states in order.

    Raises:
        ValueError: a CPD's shape is not that of its variable and parents.
    """
    pools = _CellPools()
    ids = Pool()
    made: dict[tuple[Cpd, tuple[Variable, ...]], _Cells] = {}
    cells: list[_Cells] = []
    n_parents: list[int] = []
    blocks: list[tuple[int, int]] = []
    for name, network in networks:
        index = ids.add(name)
        for cpd in sorted(network.cpds, key=lambda cpd: cpd.variable):
            family = to_family(network, cpd)
            one = made.get((cpd, family))
            if one is None:
                child, *parents = family
                one = made[cpd, family] = pools.to_cells(child, parents, cpd.matrix.T, cpd.rules)
            cells.append(one)
            n_parents.append(len(cpd.parents))
            blocks.append((index, pools.names.add(cpd.variable)))
    counts = [one.n_rows for one in cells]
    network_indices, variable_indices = np.array(blocks, dtype=np.int32).reshape(-1, 2).T
    columns = pools.to_columns(cells, n_parents)
    return pa.table(
        {
            "network": ids.to_column(np.repeat(network_indices, counts)),
            "variable": pools.names.to_column(np.repeat(variable_indices, counts)),
            **columns,
        }
    )


def to_family(network: Network, cpd: Cpd) -> tuple[Variable, ...]:
    """The variable of a CPD and then its parents.

    Raises:
        ValueError: one of them is not in the network, or the CPD's shape is not theirs.
    """
    try:
        family = tuple(network.by_name[name] for name in (cpd.variable, *cpd.parents))
    except KeyError as error:
        raise ValueError(f"the CPD of {cpd.variable!r} names {error.args[0]!r}, which is no variable") from None
    child, *parents = family
    shape = (child.cardinality, math.prod(parent.cardinality for parent in parents))
    if cpd.matrix.shape != shape or len(cpd.rules) != shape[1]:
        raise ValueError(f"the CPD of {cpd.variable!r} is {cpd.matrix.shape}, its variables ask for {shape}")
    return family


def to_joint_columns(backbone: str, joints: Sequence[tuple[str, Table]], by_name: dict[str, Variable]) -> ArrowTable:
    """The rows of ``joints``: tables in the order given, each with its kind; cells in the order of ``cpds``."""
    pools = _CellPools()
    kinds = Pool()
    cells: list[_Cells] = []
    for kind, table in joints:
        kinds.add(kind)
        child, parents = by_name[table.child], [by_name[name] for name in table.parents]
        values = table.values.reshape(-1, child.cardinality)
        cells.append(pools.to_cells(child, parents, values, ("",) * len(values)))
    counts = [one.n_rows for one in cells]
    tables = [table for _, table in joints]
    columns = pools.to_columns(cells, [len(table.parents) for table in tables])

    def repeat(values: Iterable[float], kind: type[np.generic]) -> Any:
        return np.repeat(np.array(list(values), dtype=kind), counts)

    return pa.table(
        {
            "network": pa.array([backbone] * sum(counts), pa.string()),
            "kind": kinds.to_column(repeat((kinds.add(kind) for kind, _ in joints), np.int32)),
            "parents": columns["parents"],
            "parent_states": columns["parent_states"],
            "child": pools.names.to_column(repeat((pools.names.add(table.child) for table in tables), np.int32)),
            "state": columns["state"],
            "probability": columns["probability"],
            "raw_sum": repeat((table.raw_sum for table in tables), np.float64),
            "n_floored": repeat((table.n_floored for table in tables), np.int32),
        }
    )


def _join(arrays: Sequence[NDArray[Any]], kind: type[np.generic] = np.int32) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=kind)
