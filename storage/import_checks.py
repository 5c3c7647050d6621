"""Whether the tables that only imported corpora have agree with the rest of their backbone."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from bayes.network import Edge, FloatArray, Network
from bayes.scoring.assembly import complete_columns

TOLERANCE = 1e-9

Row = Mapping[str, Any]


def check_imports(rows: Sequence[Row], examples: Sequence[Row]) -> Iterator[str]:
    """Every example has one row, and no other has one; ids of the file are not there twice."""
    listed = Counter(row["example"] for row in rows)
    for name in sorted({row["example"] for row in examples} ^ set(listed)):
        yield f"{name!r}: is {'no example' if name in listed else 'an example without a row'}"
    yield from (f"{name!r} is there {count} times" for name, count in listed.items() if count > 1)
    for name, count in Counter(row["source_id"] for row in rows).items():
        if count > 1:
            yield f"source_id {name!r} is there {count} times"


def check_pairwise(rows: Sequence[Row], networks: Mapping[str, Network]) -> Iterator[str]:
    """Every table is one of an edge, whole and in order, completed as the rule says, and the CPD of an only parent."""
    groups: dict[tuple[str, Edge], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["network"], Edge(row["parent"], row["child"])].append(row)
    for (name, edge), cells in groups.items():
        network = networks.get(name)
        what = f"network {name!r}, {edge.parent!r} -> {edge.child!r}"
        if network is None:
            yield f"{what}: has no network in cpds"
        elif edge not in network.edges:
            yield f"{what}: is no edge"
        else:
            yield from (f"{what}: {problem}" for problem in _check_table(network, edge, cells))


def _check_table(network: Network, edge: Edge, cells: Sequence[Row]) -> Iterator[str]:
    parent, child = network.by_name[edge.parent], network.by_name[edge.child]
    if [(cell["parent_state"], cell["state"]) for cell in cells] != list(product(parent.states, child.states)):
        yield "its rows are not one per state of both, in order"
        return
    shape = (parent.cardinality, child.cardinality)
    given, completed = (_to_matrix(cells, column, shape) for column in ("probability", "completed"))
    if (given < 0).any():
        yield "a probability is negative"
        return
    expected = complete_columns(given)
    is_told = expected.any(axis=0)
    if not is_told.any():
        if not np.isnan(completed).all():
            yield "completed is not null, although the table tells nothing"
        return
    if not np.allclose(completed[:, is_told], expected[:, is_told], rtol=0, atol=TOLERANCE):
        yield "completed is not what the probabilities give"
    if not np.allclose(completed.sum(axis=0), 1, rtol=0, atol=TOLERANCE):
        yield "a column of completed does not sum to 1"
    cpd = network.cpd_of[edge.child]
    if len(cpd.parents) == 1 and not np.allclose(cpd.matrix, completed, rtol=0, atol=TOLERANCE):
        yield "is not the CPD of its child, which has no other parent"


def _to_matrix(cells: Sequence[Row], column: str, shape: tuple[int, int]) -> FloatArray:
    return np.array([cell[column] for cell in cells], dtype=np.float64).reshape(shape).T
