"""Layouts: every variable and edge has its place, nothing overlaps, and little crosses."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.drawing import Layout, Link, Slot, arrange, count_crossings, to_route
from bayes.network import Cpd, Edge, Network, Rule, Variable
from tests.strategies import networks


def to_network(parents: dict[str, tuple[str, ...]]) -> Network:
    one = np.ones((1, 1))
    return Network(
        tuple(Variable(name, ("none",)) for name in parents),
        tuple(Cpd(name, above, one, (Rule.GIVEN,)) for name, above in parents.items()),
    )


def to_order(layout: Layout) -> list[list[str]]:
    return [[slot.variable for slot in level] for level in layout.levels]


@given(networks(max_nodes=7))
@settings(max_examples=60)
def test_every_variable_has_one_box_at_its_level(network: Network) -> None:
    boxes = [slot for level in arrange(network).levels for slot in level if not slot.is_pass]
    assert {slot.variable: slot.level for slot in boxes} == network.levels
    assert len(boxes) == len(network.variables)


@given(networks(max_nodes=7))
@settings(max_examples=60)
def test_every_edge_is_a_way_along_links_and_every_link_part_of_an_edge(network: Network) -> None:
    layout = arrange(network)
    steps = {Link(*pair) for edge in network.edges for pair in pairwise(to_route(network, edge))}
    assert steps == set(layout.links)
    assert all(link.lower.level == link.upper.level + 1 for link in layout.links)
    for edge in network.edges:
        first, *between, last = to_route(network, edge)
        assert (first.variable, last.variable) == (edge.parent, edge.child)
        assert all(slot.is_pass for slot in between)


@given(networks(max_nodes=7), st.integers(1, 30), st.integers(1, 5), st.integers(0, 9))
@settings(max_examples=60)
def test_nothing_in_a_level_overlaps(network: Network, box: int, pass_width: int, gap: int) -> None:
    layout = arrange(network, widths=dict.fromkeys(network.by_name, box), pass_width=pass_width, gap=gap)
    for level in layout.levels:
        edges = [(layout.centres[slot], (pass_width if slot.is_pass else box) / 2) for slot in level]
        assert edges[0][0] - edges[0][1] >= 0
        assert edges[-1][0] + edges[-1][1] <= layout.width
        assert all(b - b_half - (a + a_half) >= gap for (a, a_half), (b, b_half) in pairwise(edges))


@given(networks(max_nodes=7))
@settings(max_examples=30)
def test_a_layout_depends_on_the_network_alone(network: Network) -> None:
    again = Network(network.variables, network.cpds)
    assert arrange(network) == arrange(again)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=9), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_a_forest_is_drawn_without_a_crossing(draws: list[int], random: Random) -> None:
    # Variable i + 1 has the parent draws[i] % (i + 1): one parent each, so edges join neighbouring levels only, and an
    # order that keeps siblings together crosses nothing. The names come in any order.
    names = [f"v{i}" for i in range(len(draws) + 1)]
    parents: dict[str, tuple[str, ...]] = {"v0": ()}
    parents |= {names[i + 1]: (names[draw % (i + 1)],) for i, draw in enumerate(draws)}
    shuffled = list(parents)
    random.shuffle(shuffled)
    assert arrange(to_network({name: parents[name] for name in shuffled})).n_crossings == 0


def test_crossings_are_taken_out_by_the_order() -> None:
    # As declared, a -> d and b -> c cross; swapping either pair undoes it.
    layout = arrange(to_network({"a": (), "b": (), "c": ("b",), "d": ("a",)}))
    assert layout.n_crossings == 0
    assert to_order(layout) in ([["a", "b"], ["d", "c"]], [["b", "a"], ["c", "d"]])


def test_the_crossings_of_a_complete_bipartite_graph_are_counted() -> None:
    # K(3,3): every pair above and every pair below give one crossing in any order, 3 x 3 = 9.
    above = ("a", "b", "c")
    layout = arrange(to_network({**dict.fromkeys(above, ()), **dict.fromkeys("xyz", above)}))
    assert layout.n_crossings == 9
    assert count_crossings(layout.levels, layout.links) == 9


def test_a_chain_is_straight_and_its_bypass_too() -> None:
    network = to_network({"a": (), "b": ("a",), "c": ("b",), "d": ("c", "a")})
    layout = arrange(network)
    way = [layout.centres[slot] for slot in to_route(network, Edge("a", "d"))]
    assert len(set(way)) == 1
    assert layout.centres[Slot("b", 1, is_pass=False)] == layout.centres[Slot("c", 2, is_pass=False)]


def test_a_parent_stands_in_the_middle_of_two_children() -> None:
    # Boxes of 10 with a gap of 3: the children's centres are 5 and 18, the parent's 11.5.
    layout = arrange(to_network({"a": (), "b": ("a",), "c": ("a",)}))
    assert sorted(layout.centres.values()) == [5.0, 11.5, 18.0]


def test_edges_of_one_variable_share_a_pass() -> None:
    network = to_network({"a": (), "b": ("a",), "c": ("b", "a"), "d": ("b", "a")})
    passes = [slot for level in arrange(network).levels for slot in level if slot.is_pass]
    assert passes == [Slot("a", 1, is_pass=True)]


@given(networks(max_nodes=7))
@settings(max_examples=40)
def test_the_width_is_kept_wherever_packing_keeps_it(network: Network) -> None:
    free = arrange(network)
    packed = max(sum((2 if slot.is_pass else 10) + 3 for slot in level) - 3 for level in free.levels)
    assert arrange(network, max_width=0).width == packed
    assert arrange(network, max_width=1000).width == free.width


def test_no_variables_have_an_empty_layout() -> None:
    assert arrange(Network((), ())) == Layout((), (), {}, 0.0, 0)


def test_a_cycle_has_no_layout() -> None:
    with pytest.raises(ValueError, match="cycle"):
        arrange(to_network({"a": ("b",), "b": ("a",)}))
