"""Where to draw the variables of a network: levels from top to bottom, and in each an order that crosses few edges.

The layered method of Sugiyama, Tagawa and Toda ("Methods for Visual Understanding of Hierarchical System Structures",
1981). Every variable stands at its topological level. Edges run only between neighbouring levels: where a variable has
children further down, its edges share one *pass* in every level between, a narrow slot that no box stands in. The order
within the levels comes from repeated barycentre sweeps. The positions keep edges as straight as the order allows: they
solve the linear programme of Gansner, Koutsofios, North and Vo ("A Technique for Drawing Directed Graphs", 1993).

Nothing is drawn here. Lengths are whole numbers of a unit that the caller chooses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from bayes.network import Edge, Network

_N_SWEEPS = 12
# What a link costs per unit that it goes sideways, by how many of its ends are passes: a crooked trunk looks worst.
_BEND_COST = (8, 16, 64)
_WIDTH_COST = 1


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a level: the box of a variable or, further down, the pass of its edges to deeper levels."""

    variable: str
    level: int
    is_pass: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A piece of an edge: from a slot to one in the next level."""

    upper: Slot
    lower: Slot


@dataclass(frozen=True, slots=True)
class Layout:
    """Slots from left to right within each level, the links between them, and every slot's centre.

    ``width`` is that of the whole drawing, whose left border is at 0.
    """

    levels: tuple[tuple[Slot, ...], ...]
    links: tuple[Link, ...]
    centres: Mapping[Slot, float]
    width: float
    n_crossings: int


def arrange(
    network: Network,
    *,
    widths: Mapping[str, int] | None = None,
    pass_width: int = 2,
    gap: int = 3,
    max_width: int | None = None,
) -> Layout:
    """A place for every variable and a way for every edge; always the same for the same network.

    Args:
        network: any acyclic network, connected or not.
        widths: the width of each variable's box; 10 by default.
        pass_width: the width to keep free for edges that pass a level.
        gap: the distance to keep between neighbours in a level.
        max_width: what the drawing should fit into. It gets wider only if a level does not fit even when packed.

    Raises:
        ValueError: the edges close a cycle.

    Example:
        >>> import numpy as np
        >>> from bayes.network import Cpd, Rule, Variable
        >>> def to_cpd(name, *parents):
        ...     return Cpd(name, parents, np.ones((1, 1)), (Rule.GIVEN,))
        >>> variables = tuple(Variable(name, ("none",)) for name in ("rain", "dam", "flood"))
        >>> network = Network(variables, (to_cpd("rain"), to_cpd("dam"), to_cpd("flood", "rain", "dam")))
        >>> layout = arrange(network)
        >>> [[(slot.variable, layout.centres[slot]) for slot in level] for level in layout.levels]
        [[('rain', 5.0), ('dam', 18.0)], [('flood', 11.5)]]
    """
    if not network.variables:
        return Layout((), (), {}, 0.0, 0)
    links = _to_links(network)
    levels, n_crossings = _order(_to_first_order(network, links), links)
    sizes = {
        slot: pass_width if slot.is_pass else (10 if widths is None else widths[slot.variable])
        for level in levels
        for slot in level
    }
    packed = max(sum(sizes[slot] + gap for slot in level) - gap for level in levels)
    centres = _place(levels, links, sizes, gap, None if max_width is None else max(max_width, packed))
    width = max(centres[level[-1]] + sizes[level[-1]] / 2 for level in levels)
    return Layout(levels, links, centres, width, n_crossings)


def count_crossings(levels: Sequence[Sequence[Slot]], links: Sequence[Link]) -> int:
    """How many pairs of links between the same two levels cross."""
    rank = {slot: i for level in levels for i, slot in enumerate(level)}
    ends = [(link.upper.level, rank[link.upper], rank[link.lower]) for link in links]
    return sum(a[0] == b[0] and (a[1] - b[1]) * (a[2] - b[2]) < 0 for i, a in enumerate(ends) for b in ends[i + 1 :])


def to_route(network: Network, edge: Edge) -> tuple[Slot, ...]:
    """The slots that an edge goes through, from its parent's box to its child's."""
    top, bottom = network.levels[edge.parent], network.levels[edge.child]
    way = (Slot(edge.parent, level, is_pass=level > top) for level in range(top, bottom))
    return (*way, Slot(edge.child, bottom, is_pass=False))


_Neighbours = Mapping[Slot, Sequence[Slot]]


def _to_links(network: Network) -> tuple[Link, ...]:
    # Edges of one variable share their passes, hence the same links: a dictionary keeps each once and in order.
    links = {Link(*pair): None for edge in network.edges for pair in pairwise(to_route(network, edge))}
    return tuple(links)


def _to_neighbours(links: Sequence[Link]) -> tuple[_Neighbours, _Neighbours]:
    """What every slot is linked with in the level above it, and in the one below."""
    above: dict[Slot, list[Slot]] = {}
    below: dict[Slot, list[Slot]] = {}
    for link in links:
        above.setdefault(link.lower, []).append(link.upper)
        below.setdefault(link.upper, []).append(link.lower)
    return above, below


def _to_first_order(network: Network, links: Sequence[Link]) -> list[list[Slot]]:
    """Levels in the order of a depth-first walk, so that what hangs together starts out side by side."""
    above, below = _to_neighbours(links)
    levels: list[dict[Slot, None]] = [{} for _ in range(network.depth + 1)]
    waiting = [Slot(name, network.levels[name], is_pass=False) for name in reversed(network.by_name)]
    while waiting:
        slot = waiting.pop()
        if slot not in levels[slot.level]:
            levels[slot.level][slot] = None
            waiting.extend(reversed((*below.get(slot, ()), *above.get(slot, ()))))
    return [list(level) for level in levels]


def _order(levels: list[list[Slot]], links: Sequence[Link]) -> tuple[tuple[tuple[Slot, ...], ...], int]:
    """The best order met in a number of barycentre sweeps, down and up in turn, and its crossings."""
    above, below = _to_neighbours(links)
    best, fewest = tuple(map(tuple, levels)), count_crossings(levels, links)
    for sweep in range(_N_SWEEPS):
        if fewest == 0:
            break
        is_down = sweep % 2 == 0
        rank = {slot: i for level in levels for i, slot in enumerate(level)}
        for level in levels if is_down else reversed(levels):
            _sort_by_barycentre(level, above if is_down else below, rank, keep_ties=sweep % 4 < 2)
        _swap_neighbours(levels, above, below)
        found = count_crossings(levels, links)
        if found < fewest:
            best, fewest = tuple(map(tuple, levels)), found
    return best, fewest


def _sort_by_barycentre(level: list[Slot], neighbours: _Neighbours, rank: dict[Slot, int], *, keep_ties: bool) -> None:
    """Sort a level by the mean rank of each slot's neighbours; a slot without any keeps its rank."""

    def to_key(slot: Slot) -> tuple[float, int]:
        ranks = [rank[other] for other in neighbours.get(slot, ())]
        # Ties are turned around now and then: an order that only ever keeps them can be a dead end.
        return (sum(ranks) / len(ranks) if ranks else rank[slot], rank[slot] if keep_ties else -rank[slot])

    level.sort(key=to_key)
    rank.update({slot: i for i, slot in enumerate(level)})


def _swap_neighbours(levels: list[list[Slot]], above: _Neighbours, below: _Neighbours) -> None:
    """Swap neighbours in a level as long as every swap takes crossings away."""
    rank = {slot: i for level in levels for i, slot in enumerate(level)}

    def count(left: Slot, right: Slot) -> int:
        return sum(
            rank[a] > rank[b]
            for neighbours in (above, below)
            for a in neighbours.get(left, ())
            for b in neighbours.get(right, ())
        )

    is_better = True
    while is_better:
        is_better = False
        for level in levels:
            for i in range(len(level) - 1):
                left, right = level[i], level[i + 1]
                if count(left, right) > count(right, left):
                    level[i], level[i + 1] = right, left
                    rank[left], rank[right] = i + 1, i
                    is_better = True


def _place(
    levels: Sequence[Sequence[Slot]],
    links: Sequence[Link],
    sizes: Mapping[Slot, int],
    gap: int,
    max_width: int | None,
) -> dict[Slot, float]:
    """Centres that keep the order and the gaps and make the links as straight as possible.

    The least weighted sideways way of all links, subject to the distances between neighbours, is the dual of a
    minimum-cost flow: a link carries as much as it weighs, either way and for nothing; what flows from a slot to its
    right neighbour earns their distance. Positions are shortest paths through what the best flow leaves open. They are
    taken twice, with everything as far left and as far right as may be; the middle costs no more and looks balanced.
    """
    flows: nx.DiGraph[Slot | str] = nx.DiGraph()
    for link in links:
        weight = _BEND_COST[link.upper.is_pass + link.lower.is_pass]
        flows.add_edge(link.upper, link.lower, weight=0, capacity=weight)
        flows.add_edge(link.lower, link.upper, weight=0, capacity=weight)
    for level in levels:
        # Lengths count in halves of the unit, so that half a box is a whole number.
        flows.add_edge("left", level[0], weight=-sizes[level[0]])
        flows.add_edge(level[-1], "right", weight=-sizes[level[-1]])
        for left, right in pairwise(level):
            flows.add_edge(left, right, weight=-sizes[left] - sizes[right] - 2 * gap)
    flows.add_edge("right", "left", weight=0, capacity=_WIDTH_COST)
    if max_width is not None:
        flows.add_edge("right", "limit", weight=2 * max_width)
        flows.add_edge("limit", "left", weight=0)
    _, amounts = nx.network_simplex(flows)
    room: nx.DiGraph[Slot | str] = nx.DiGraph()
    for start, end, data in flows.edges(data=True):
        amount = amounts[start][end]
        if "capacity" not in data or amount < data["capacity"]:
            room.add_edge(start, end, weight=data["weight"])
    for start, end, data in flows.edges(data=True):
        if amounts[start][end] > 0:
            # Where both ways are open, the shorter counts.
            open_way = room.get_edge_data(end, start, {"weight": -data["weight"]})
            room.add_edge(end, start, weight=min(open_way["weight"], -data["weight"]))
    from_left = nx.single_source_bellman_ford_path_length(room, "left")
    to_right = nx.single_source_bellman_ford_path_length(room.reverse(), "right")
    width = -from_left["right"]
    return {slot: (width + to_right[slot] - from_left[slot]) / 4 for level in levels for slot in level}
