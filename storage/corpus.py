"""From domain records to the files of one backbone: one function a table, or a group of tables that belong together.

All functions sort their rows, write whole files and say what became of each (:class:`schemas.rows.Written`). They raise
ValueError for keys that are no slugs and InputError where a file cannot be written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayes.coherence import EdgeCoherence
from bayes.network import Edge, FloatArray, Network, Tables
from schemas.articles import Article
from schemas.networks import to_json
from schemas.rows import BackboneRow, ExampleRow, NamedNetwork, Written
from storage.columns import to_cpd_columns, to_joint_columns
from storage.layout import PART
from storage.parquet import write_table
from storage.tables import to_spec


def count_words(text: str) -> int:
    """Words of a text, between white space: the figure that ``articles`` and ``examples`` carry.

    Example:
        >>> count_words("Rain raises  the river.")
        4
    """
    return len(text.split())


def write_article(data: Path, article: Article, *, run: str) -> Written:
    """Write the row of ``articles``."""
    row = article.model_dump(exclude={"domain", "backbone"}) | {"network": article.backbone}
    return write_rows(data, "articles", article.domain, article.backbone, [row], run=run)


def write_backbone(data: Path, row: BackboneRow, *, run: str) -> Written:
    """Write the row of ``backbones``."""
    values = asdict(row) | {"network": row.backbone, "n_dropped_edges": len(row.dropped_edges)}
    return write_rows(data, "backbones", row.domain, row.backbone, [values], run=run)


def write_elicited(
    data: Path, domain: str, backbone: str, tables: Tables, implied: Mapping[str, FloatArray], *, run: str
) -> tuple[Written, Written]:
    """Write ``marginals`` and ``joints``: the elicited tables as they went into CPD recovery.

    Args:
        data: the data folder.
        domain: slug.
        backbone: slug.
        tables: what was elicited, completed and normalised.
        implied: the network's own marginals by exact inference, where known, by variable.
        run: id of the run.
    """
    rows: list[dict[str, Any]] = []
    for variable in sorted(tables.variables, key=lambda variable: variable.name):
        table = tables.marginals[variable.name]
        own = implied.get(variable.name)
        rows.extend(
            {
                "network": backbone,
                "variable": variable.name,
                "state": state,
                "probability": float(table.values[i]),
                "raw_sum": table.raw_sum,
                "n_floored": table.n_floored,
                "implied": None if own is None else float(own[i]),
            }
            for i, state in enumerate(variable.states)
        )
    joints = [*(("pairwise", table) for table in tables.pairwise.values())]
    joints += [("multi", table) for table in tables.multi.values()]
    joints.sort(key=lambda item: (item[1].child, item[0], item[1].parents))
    columns = to_joint_columns(backbone, joints, tables.by_name)
    return (
        write_rows(data, "marginals", domain, backbone, rows, run=run),
        write_table(data, "joints", domain, backbone, columns, run=run),
    )


def write_networks(
    data: Path,
    domain: str,
    backbone: str,
    networks: Iterable[NamedNetwork],
    *,
    run: str,
    mechanisms: Mapping[Edge, str] | None = None,
    coherence: Sequence[EdgeCoherence] = (),
) -> tuple[Written, Written, Written]:
    """Write ``variables``, ``edges`` and ``cpds`` of a backbone and all its examples.

    Args:
        data: the data folder.
        domain: slug.
        backbone: slug; also the id of the backbone's own network.
        networks: the backbone's network and its examples', in any order.
        run: id of the run.
        mechanisms: how a parent acts on a child, for the edges where it is known.
        coherence: the gaps of the backbone's edges; examples carry none.

    Raises:
        ValueError: a network's CPDs don't fit its variables, or its edges close a cycle.
    """
    ordered = sorted(networks, key=lambda item: item.id)
    gaps = {item.edge: item for item in coherence}
    variables: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for name, network in ordered:
        variables += to_variable_rows(name, network)
        for edge in sorted(network.edges):
            gap = gaps.get(edge) if name == backbone else None
            edges.append(
                {
                    "network": name,
                    "parent": edge.parent,
                    "child": edge.child,
                    "mechanism": (mechanisms or {}).get(edge, ""),
                    "parent_gap": gap and gap.parent_gap,
                    "child_gap": gap and gap.child_gap,
                    "joint_gap": gap and gap.joint_gap,
                }
            )
    return (
        write_rows(data, "variables", domain, backbone, variables, run=run),
        write_rows(data, "edges", domain, backbone, edges, run=run),
        write_table(data, "cpds", domain, backbone, to_cpd_columns(ordered), run=run),
    )


def write_examples(data: Path, domain: str, backbone: str, examples: Iterable[ExampleRow], *, run: str) -> Written:
    """Write ``examples``; their networks also go to :func:`write_networks`.

    Raises:
        ValueError: an example belongs to another backbone.
    """
    rows: list[dict[str, Any]] = []
    for example in sorted(examples, key=lambda example: example.example):
        if (example.domain, example.backbone) != (domain, backbone):
            raise ValueError(f"example {example.example!r} is not of backbone {domain}/{backbone}")
        network = example.network
        rows.append(
            {
                "example": example.example,
                "variables": [variable.name for variable in network.variables],
                "n_variables": len(network.variables),
                "n_edges": len(network.edges),
                "depth": network.depth,
                "text": example.text,
                "words": count_words(example.text),
                "writer": example.writer,
                "attempts": example.attempts,
                "checks": list(example.checks),
                "split": example.split,
                "network_json": to_json(network),
            }
        )
    return write_rows(data, "examples", domain, backbone, rows, run=run)


def to_variable_rows(name: str, network: Network) -> list[dict[str, Any]]:
    """The rows of ``variables`` of one network, by variable.

    Raises:
        ValueError: the edges close a cycle.
    """
    n_children = dict.fromkeys(network.by_name, 0)
    for edge in network.edges:
        n_children[edge.parent] += 1
    rows = [
        {
            "network": name,
            "variable": variable.name,
            "position": position,
            "states": variable.states,
            "level": network.levels[variable.name],
            "parents": network.cpd_of[variable.name].parents,
            "n_children": n_children[variable.name],
        }
        for position, variable in enumerate(network.variables)
    ]
    return sorted(rows, key=lambda row: row["variable"])


def write_rows(
    data: Path,
    table: str,
    domain: str,
    backbone: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    run: str,
    part: str = PART,
) -> Written:
    """Write sorted rows of any table, given as mappings from column to value."""
    columns = pa.Table.from_pylist(list(rows), schema=to_spec(table).schema)
    return write_table(data, table, domain, backbone, columns, run=run, part=part)
