"""Connected induced subgraphs of a backbone: enumerated once each, counted without building, sampled uniformly.

A node set is a bit mask over the variables in their order. The enumeration is Wernicke's ESU: a set is grown from its
lowest variable only, and only by variables that became reachable through the one added last, so every connected set is
reached by exactly one path.

Source: Wernicke, S. (2006). Efficient detection of network motifs. IEEE/ACM TCBB 3(4), 347-359.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bayes.network import Edge


@dataclass(frozen=True, slots=True)
class SizeRange:
    """Which subgraphs count as examples: least and most variables, and how many edges at least.

    Raises:
        ValueError: fewer than 1 variable, or the least above the most.
    """

    min_nodes: int = 3
    max_nodes: int = 9
    min_edges: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.min_nodes <= self.max_nodes:
            raise ValueError(f"sizes run from {self.min_nodes} to {self.max_nodes}")


def enumerate_connected(names: Sequence[str], edges: Sequence[Edge], sizes: SizeRange) -> Iterator[int]:
    """Every connected node set within the sizes, exactly once, as a bit mask over ``names``.

    The order depends only on the arguments.

    Example:
        >>> chain = [Edge("a", "b"), Edge("b", "c")]
        >>> [bin(mask) for mask in enumerate_connected("abc", chain, SizeRange(2, 3, 1))]
        ['0b11', '0b111', '0b110']
    """
    masks = _enumerate(_to_adjacency(names, edges), sizes)
    if sizes.min_edges < sizes.min_nodes:  # n connected variables have n - 1 edges at least
        return masks
    ends = _to_masks(names, edges)
    return (mask for mask in masks if sum(mask & end == end for end in ends) >= sizes.min_edges)


def _enumerate(adjacency: Sequence[int], sizes: SizeRange) -> Iterator[int]:
    smallest, largest = sizes.min_nodes, sizes.max_nodes
    for root in range(len(adjacency)):
        above = -1 << (root + 1)
        stack = [(1 << root, adjacency[root] & above, (1 << root) | adjacency[root], 1)]
        while stack:
            subset, extension, seen, size = stack.pop()
            if size >= smallest:
                yield subset
            if size + 1 == largest:  # the last level is most of the work and needs no frontier of its own
                while extension:
                    bit = extension & -extension
                    extension ^= bit
                    yield subset | bit
            elif size < largest:
                while extension:
                    bit = extension & -extension
                    extension ^= bit
                    near = adjacency[bit.bit_length() - 1]
                    stack.append((subset | bit, extension | (near & ~seen & above), seen | near, size + 1))


def count_connected(names: Sequence[str], edges: Sequence[Edge], sizes: SizeRange) -> dict[int, int]:
    """How many connected node sets there are of each size within the range.

    Example:
        >>> count_connected("abc", [Edge("a", "b"), Edge("b", "c")], SizeRange(2, 3, 1))
        {2: 2, 3: 1}
    """
    counts = dict.fromkeys(range(sizes.min_nodes, sizes.max_nodes + 1), 0)
    for mask in enumerate_connected(names, edges, sizes):
        counts[mask.bit_count()] += 1
    return counts


def sample_connected(
    names: Sequence[str], edges: Sequence[Edge], sizes: SizeRange, n: int, *, total: int, seed: str
) -> tuple[int, ...]:
    """A uniform sample without replacement of the connected node sets, in the order of the enumeration.

    Memory holds the sample only, however many sets there are.

    Args:
        names: the variables.
        edges: the edges among them.
        sizes: which sets count.
        n: size of the sample; all sets where there are no more.
        total: how many sets there are, from :func:`count_connected`.
        seed: same seed and network, same sample.
    """
    masks = enumerate_connected(names, edges, sizes)
    if n >= total:
        return tuple(masks)
    # The seed makes a corpus reproducible; nothing here needs secrecy.
    picked = sorted(random.Random(seed).sample(range(total), n))  # noqa: S311
    sample: list[int] = []
    position = 0
    for index in picked:
        sample.append(next(islice(masks, index - position, None)))
        position = index + 1
    return tuple(sample)


def to_names(names: Sequence[str], mask: int) -> tuple[str, ...]:
    """The variables of a bit mask, in their order.

    Example:
        >>> to_names("abc", 0b101)
        ('a', 'c')
    """
    return tuple(name for i, name in enumerate(names) if mask >> i & 1)


def allocate(available: Mapping[str, int], total: int, cap: int) -> dict[str, int]:
    """Share ``total`` examples out over backbones in proportion to what each has, at most ``cap`` each.

    What a capped backbone leaves is shared among the others. Every backbone that has any gets one first, as far as
    the total goes, so that a small network is not drowned by large ones. Ties go to the key that sorts first.

    Example:
        >>> allocate({"big": 300, "mid": 100, "tiny": 1}, 41, 1000)
        {'big': 30, 'mid': 10, 'tiny': 1}
        >>> allocate({"big": 300, "mid": 100}, 40, 20)
        {'big': 20, 'mid': 20}
    """
    limits = {key: min(count, cap) for key, count in available.items()}
    shares = dict.fromkeys(limits, 0)
    left = min(total, sum(limits.values()))
    for key in sorted(key for key, limit in limits.items() if limit):
        if left:
            shares[key] = 1
            left -= 1
    while left:
        open_keys = [key for key, limit in limits.items() if shares[key] < limit]
        weight = sum(available[key] for key in open_keys)
        quotas = {key: left * available[key] / weight for key in open_keys}
        grants = {key: min(int(quotas[key]), limits[key] - shares[key]) for key in open_keys}
        if not any(grants.values()):  # less than one each is left: by largest remainder
            for key in sorted(open_keys, key=lambda key: (-quotas[key], key))[:left]:
                grants[key] = 1
        for key, grant in grants.items():
            shares[key] += grant
        left -= sum(grants.values())
    return shares


def _to_masks(names: Sequence[str], edges: Iterable[Edge]) -> tuple[int, ...]:
    index = {name: i for i, name in enumerate(names)}
    return tuple(1 << index[edge.parent] | 1 << index[edge.child] for edge in edges)


def _to_adjacency(names: Sequence[str], edges: Iterable[Edge]) -> tuple[int, ...]:
    index = {name: i for i, name in enumerate(names)}
    adjacency = [0] * len(names)
    for parent, child in edges:
        adjacency[index[parent]] |= 1 << index[child]
        adjacency[index[child]] |= 1 << index[parent]
    return tuple(adjacency)
