"""Directed acyclic graphs: adding edges one by one without closing a cycle, and topological levels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import networkx as nx

from bayes.network import Edge

DropReason = Literal["unknown_name", "self_edge", "duplicate", "closes_cycle", "no_table"]


@dataclass(frozen=True, slots=True)
class DroppedEdge:
    """An edge that did not make it into the graph, and why."""

    parent: str
    child: str
    reason: DropReason


@dataclass(frozen=True, slots=True)
class AcyclicEdges:
    """The edges that were kept, in the order given, and those that were dropped."""

    kept: tuple[Edge, ...]
    dropped: tuple[DroppedEdge, ...]


def keep_acyclic(names: Iterable[str], edges: Iterable[Edge]) -> AcyclicEdges:
    """Add edges in the order given, dropping each that would make the graph something else than a DAG.

    Dropped are edges that name an unknown variable, lead from a variable to itself, were there before, or close a cycle
    with the edges kept so far. Earlier edges win: the order is taken as an order of trust.

    Example:
        >>> keep_acyclic(("a", "b"), (Edge("a", "b"), Edge("b", "a"))).dropped
        (DroppedEdge(parent='b', child='a', reason='closes_cycle'),)
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    kept: list[Edge] = []
    dropped: list[DroppedEdge] = []
    for parent, child in edges:
        reason: DropReason | None = None
        if parent not in graph or child not in graph:
            reason = "unknown_name"
        elif parent == child:
            reason = "self_edge"
        elif graph.has_edge(parent, child):
            reason = "duplicate"
        elif nx.has_path(graph, child, parent):
            reason = "closes_cycle"
        if reason is None:
            graph.add_edge(parent, child)
            kept.append(Edge(parent, child))
        else:
            dropped.append(DroppedEdge(parent, child, reason))
    return AcyclicEdges(tuple(kept), tuple(dropped))


def to_levels(names: Sequence[str], edges: Iterable[Edge]) -> dict[str, int]:
    """Topological level of every variable: 0 for a root, else one more than its highest parent.

    Kahn's algorithm, written out because it runs once per example (networkx takes ten times as long).

    Raises:
        ValueError: the edges close a cycle, or name a variable that is not in ``names``.

    Example:
        >>> to_levels(("a", "b", "c"), (Edge("a", "b"), Edge("b", "c"), Edge("a", "c")))
        {'a': 0, 'b': 1, 'c': 2}
    """
    levels = dict.fromkeys(names, 0)
    children: dict[str, list[str]] = {name: [] for name in names}
    waiting = dict.fromkeys(names, 0)
    for parent, child in edges:
        if parent not in levels or child not in levels:
            raise ValueError(f"edge {parent!r} -> {child!r} names an unknown variable")
        children[parent].append(child)
        waiting[child] += 1
    ready = [name for name, count in waiting.items() if count == 0]
    n_done = 0
    while ready:
        name = ready.pop()
        n_done += 1
        for child in children[name]:
            levels[child] = max(levels[child], levels[name] + 1)
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    if n_done < len(levels):
        raise ValueError("the edges close a cycle")
    return levels


def is_connected(names: Sequence[str], edges: Iterable[Edge]) -> bool:
    """Whether the variables hang together when directions are ignored. No variables at all are not connected."""
    if not names:
        return False
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(edges)
    return bool(nx.is_connected(graph))
