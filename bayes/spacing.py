"""Room for things in a row: places that keep a distance, and text that keeps to a width."""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class _Pool(NamedTuple):
    place: float
    weight: float
    size: int


def spread(wishes: Sequence[float], weights: Sequence[float], spacing: float, low: float, high: float) -> list[float]:
    """Places as near to their wishes as an order, a distance and two bounds allow.

    Wishes that are too close are pooled around their weighted mean (the pool adjacent violators algorithm of isotonic
    regression), which makes the weighted sum of squared differences the least.

    Args:
        wishes: where each would like to be; the places keep the order of the wishes given, whatever their sizes.
        weights: how much each wish counts.
        spacing: the least distance of two places. It is kept even where the bounds leave too little room.
        low: the least place.
        high: the greatest place.

    Example:
        >>> spread([0.0, 5.0, 5.0], [1.0, 1.0, 1.0], spacing=2.0, low=0.0, high=9.0)
        [0.0, 4.0, 6.0]
    """
    pools: list[_Pool] = []
    for i, (wish, weight) in enumerate(zip(wishes, weights, strict=True)):
        # With the spacing taken out, places that are just far enough apart are equal.
        pool = _Pool(wish - i * spacing, weight, 1)
        while pools and pools[-1].place >= pool.place:
            before = pools.pop()
            total = before.weight + pool.weight
            place = (before.place * before.weight + pool.place * pool.weight) / total
            pool = _Pool(place, total, before.size + pool.size)
        pools.append(pool)
    most = high - (len(wishes) - 1) * spacing
    places = [max(low, min(pool.place, most)) for pool in pools for _ in range(pool.size)]
    return [place + i * spacing for i, place in enumerate(places)]


def wrap(text: str, width: float, measure: Callable[[str], float]) -> tuple[str, ...]:
    """The text in lines no wider than ``width``, broken at spaces, and inside a word only where one is too long.

    Example:
        >>> wrap("foreign exchange", 10, len), wrap("subservience", 10, len)
        (('foreign', 'exchange'), ('subservien', 'ce'))
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if measure(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = ""
        for char in word:
            if line and measure(line + char) > width:
                lines.append(line)
                line = ""
            line += char
    return (*lines, line)
