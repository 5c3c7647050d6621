"""Edges are added in order of trust; levels are longest paths from a root."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.graphs import DroppedEdge, is_connected, keep_acyclic, to_levels
from bayes.network import Edge
from tests.strategies import dags


def test_each_kind_of_bad_edge_is_dropped_with_its_reason() -> None:
    edges = [Edge("a", "b"), Edge("a", "x"), Edge("b", "b"), Edge("a", "b"), Edge("b", "c"), Edge("c", "a")]
    result = keep_acyclic(("a", "b", "c"), edges)
    assert result.kept == (Edge("a", "b"), Edge("b", "c"))
    assert result.dropped == (
        DroppedEdge("a", "x", "unknown_name"),
        DroppedEdge("b", "b", "self_edge"),
        DroppedEdge("a", "b", "duplicate"),
        DroppedEdge("c", "a", "closes_cycle"),
    )


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"))))
def test_what_is_kept_is_acyclic_and_nothing_is_lost(pairs: list[tuple[str, str]]) -> None:
    result = keep_acyclic("abcde", (Edge(*pair) for pair in pairs))
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(result.kept)))
    assert len(result.kept) + len(result.dropped) == len(pairs)


@given(dags())
def test_levels_equal_the_topological_generations_of_networkx(dag: tuple[tuple[str, ...], tuple[Edge, ...]]) -> None:
    names, edges = dag
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(edges)
    expected = {name: i for i, generation in enumerate(nx.topological_generations(graph)) for name in generation}
    assert to_levels(names, edges) == expected


def test_levels_of_a_cycle_are_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        to_levels(("a", "b"), (Edge("a", "b"), Edge("b", "a")))


def test_levels_of_an_unknown_name_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown variable"):
        to_levels(("a",), (Edge("a", "b"),))


def test_connectedness_ignores_directions() -> None:
    assert is_connected("abc", (Edge("a", "b"), Edge("c", "b")))
    assert not is_connected("abc", (Edge("a", "b"),))
    assert not is_connected("", ())
