"""What predictions are scored against: the examples of a backbone with their tables of one parent each."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from bayes.network import Edge, FloatArray, Network
from bayes.recovery import MASS_FLOOR
from bayes.scoring.records import Reference
from schemas.errors import InputError
from schemas.networks import from_json
from storage.parquet import read_table

Cells = Mapping[tuple[str, Edge], list[float]]
"""Cells by owner and edge, with the child's states running fastest; the owner is a network's id, or empty for all."""


def read_references(data: Path, domain: str, backbone: str) -> dict[str, Reference]:
    """The examples of one backbone by id, as what predictions are scored against.

    The tables P(child | parent) are those that an imported network came with, completed; for an elicited one they come
    from the pairwise joints. An edge without one is scored by a table that follows from the network itself.

    Raises:
        InputError: a file is corrupt or of another version, or an example's network cannot be read.
    """
    rows = read_table(data, "examples", domain, backbone, ["example", "network_json"]).to_pylist()
    if not rows:
        return {}
    cells = _read_imported(data, domain, backbone) or _read_elicited(data, domain, backbone)
    references: dict[str, Reference] = {}
    for row in rows:
        try:
            network = from_json(row["network_json"])
        except InputError as error:
            raise InputError(f"table examples of {domain}/{backbone}: {row['example']}: {error}") from error
        references[row["example"]] = Reference(network, dict(_find_tables(row["example"], network, cells)))
    return references


def _find_tables(example: str, network: Network, cells: Cells) -> list[tuple[Edge, FloatArray]]:
    found: list[tuple[Edge, FloatArray]] = []
    for edge in network.edges:
        values = cells.get((example, edge)) or cells.get(("", edge))
        if values is None:
            continue
        shape = (network.by_name[edge.parent].cardinality, network.by_name[edge.child].cardinality)
        if len(values) != shape[0] * shape[1]:
            raise InputError(
                f"example {example}: the table of {edge.parent!r} -> {edge.child!r} has {len(values)} cells instead of "
                f"{shape[0]} x {shape[1]}; run `prism verify`"
            )
        table = np.array(values, dtype=np.float64).reshape(shape)
        sums = table.sum(axis=1, keepdims=True)
        # A row without mass tells nothing; nan there makes scoring derive the table from the network.
        is_told = sums >= MASS_FLOOR
        found.append((edge, np.where(is_told, table / np.where(is_told, sums, 1.0), np.nan).T))
    return found


def _read_imported(data: Path, domain: str, backbone: str) -> Cells:
    columns = read_table(data, "pairwise", domain, backbone, ["network", "child", "parent", "completed"]).to_pydict()
    cells: dict[tuple[str, Edge], list[float]] = {}
    for network, child, parent, value in zip(*columns.values(), strict=True):
        if value is not None:
            cells.setdefault((network, Edge(parent, child)), []).append(value)
    return cells


def _read_elicited(data: Path, domain: str, backbone: str) -> Cells:
    columns = read_table(data, "joints", domain, backbone, ["kind", "parents", "child", "probability"]).to_pydict()
    cells: dict[tuple[str, Edge], list[float]] = {}
    for kind, parents, child, value in zip(*columns.values(), strict=True):
        if kind == "pairwise":
            cells.setdefault(("", Edge(parents[0], child)), []).append(value)
    return cells
