"""Every connected subset appears once; samples are uniform, reproducible and within the caps."""

from collections import Counter
from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.network import Edge
from bayes.subgraphs import SizeRange, allocate, count_connected, enumerate_connected, sample_connected, to_names
from tests.strategies import dags

Dag = tuple[tuple[str, ...], tuple[Edge, ...]]


def brute_force(names: tuple[str, ...], edges: tuple[Edge, ...], sizes: SizeRange) -> set[frozenset[str]]:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(edges)
    return {
        frozenset(subset)
        for size in range(sizes.min_nodes, sizes.max_nodes + 1)
        for subset in combinations(names, size)
        if nx.is_connected(graph.subgraph(subset)) and graph.subgraph(subset).number_of_edges() >= sizes.min_edges
    }


@settings(max_examples=150)
@given(dags(max_nodes=8), st.integers(1, 5), st.integers(0, 4), st.integers(0, 5))
def test_the_enumeration_equals_brute_force_and_has_no_repeats(dag: Dag, least: int, more: int, min_edges: int) -> None:
    names, edges = dag
    sizes = SizeRange(least, least + more, min_edges)
    found = [frozenset(to_names(names, mask)) for mask in enumerate_connected(names, edges, sizes)]
    assert len(found) == len(set(found))
    assert set(found) == brute_force(names, edges, sizes)


@given(dags(max_nodes=8))
def test_counts_equal_the_enumeration(dag: Dag) -> None:
    names, edges = dag
    sizes = SizeRange(2, 6, 1)
    sizes_found = Counter(mask.bit_count() for mask in enumerate_connected(names, edges, sizes))
    assert count_connected(names, edges, sizes) == {size: sizes_found[size] for size in range(2, 7)}


def test_a_path_of_n_nodes_has_n_minus_k_plus_1_subgraphs_of_size_k() -> None:
    names = [f"v{i}" for i in range(20)]
    edges = [Edge(a, b) for a, b in pairwise(names)]
    assert count_connected(names, edges, SizeRange(3, 9)) == {size: 21 - size for size in range(3, 10)}


@given(dags(min_nodes=3, max_nodes=8), st.integers(0, 30), st.text(max_size=5))
def test_a_sample_is_a_subset_without_repeats_and_the_seed_decides_it(dag: Dag, n: int, seed: str) -> None:
    names, edges = dag
    sizes = SizeRange(1, 5, 0)
    everything = list(enumerate_connected(names, edges, sizes))
    sample = sample_connected(names, edges, sizes, n, total=len(everything), seed=seed)
    assert sample == sample_connected(names, edges, sizes, n, total=len(everything), seed=seed)
    assert len(sample) == len(set(sample)) == min(n, len(everything))
    assert set(sample) <= set(everything)


def test_sampling_is_uniform() -> None:
    """Each of the 6 connected subsets of a 3-path (1 to 3 nodes) is drawn about equally often."""
    names, edges = "abc", [Edge("a", "b"), Edge("b", "c")]
    sizes = SizeRange(1, 3, 0)
    drawn = Counter(
        mask for i in range(3000) for mask in sample_connected(names, edges, sizes, 2, total=6, seed=str(i))
    )
    assert len(drawn) == 6
    # 6000 draws, 1000 each expected, standard deviation about 26
    assert all(850 < count < 1150 for count in drawn.values())


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(0, 500), max_size=8),
    st.integers(0, 600),
    st.integers(1, 100),
)
def test_an_allocation_uses_all_that_the_caps_allow(available: dict[str, int], total: int, cap: int) -> None:
    shares = allocate(available, total, cap)
    limits = {key: min(count, cap) for key, count in available.items()}
    assert sum(shares.values()) == min(total, sum(limits.values()))
    assert all(0 <= shares[key] <= limits[key] for key in available)
    if total >= len(available):
        assert all(shares[key] for key in available if limits[key])


def test_sizes_that_run_backwards_are_refused() -> None:
    with pytest.raises(ValueError, match="sizes run from"):
        SizeRange(5, 4)
