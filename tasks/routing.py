"""The ways of edges between cards that stand in levels: rows of the picture, touching points, curves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayes.drawing import Layout, Link, Slot
from bayes.spacing import spread

if TYPE_CHECKING:
    from matplotlib.path import Path

PORT_SPACING = 12.0
_PASS_WEIGHT = 8.0
_MIN_SPACE, _MAX_SPACE, _SLOPE = 34.0, 84.0, 0.12


@dataclass(frozen=True, slots=True)
class Band:
    """The rows of the picture that the cards of one level take."""

    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Ports:
    """Where links may touch a card: up to ``half`` from its middle, ``spacing`` apart, ``reach`` from where it is best.

    A wish further than ``reach`` from the middle is drawn nearer: an edge from far away need not touch the corner.
    """

    half: float
    spacing: float
    reach: float


def to_bands(layout: Layout, heights: Mapping[str, float], top: float) -> tuple[Band, ...]:
    """The levels from ``top`` downwards, as high as their highest card, with room between for the edges."""
    bands: list[Band] = []
    for depth, level in enumerate(layout.levels):
        if bands:
            sideways = max(
                abs(layout.centres[link.upper] - layout.centres[link.lower])
                for link in layout.links
                if link.lower.level == depth
            )
            # Long ways sideways need room, or they run flat and close to the cards.
            top = bands[-1].bottom + min(_MIN_SPACE + _SLOPE * sideways, _MAX_SPACE)
        bands.append(Band(top, top + max(heights[slot.variable] for slot in level if not slot.is_pass)))
    return tuple(bands)


def to_touch_points(
    layout: Layout,
    centres: Mapping[Slot, float],
    near: Callable[[Link], Slot],
    far: Callable[[Link], Slot],
    to_ports: Callable[[str], Ports],
) -> dict[Link, float]:
    """Where on its ``near`` slot each link starts or ends, such that as many as can be run straight.

    A card gives way to a pass; two cards that overlap sideways meet half-way.
    """
    points: dict[Link, float] = {}
    for slot, centre in centres.items():
        links = sorted((link for link in layout.links if near(link) == slot), key=lambda link: centres[far(link)])
        if slot.is_pass:
            points.update(dict.fromkeys(links, centre))
            continue
        ports = to_ports(slot.variable)
        ways = [(centres[far(link)] - centre) * (1 if far(link).is_pass else 0.5) for link in links]
        wishes = [centre + max(-ports.reach, min(ports.reach, way)) for way in ways]
        weights = [_PASS_WEIGHT if far(link).is_pass else 1.0 for link in links]
        spacing = min(ports.spacing, 2 * ports.half / max(1, len(links) - 1))
        places = spread(wishes, weights, spacing, centre - ports.half, centre + ports.half)
        points.update(zip(links, places, strict=True))
    return points


def to_curve(start: float, first: float, leave: float, end: float, last: float) -> "Path":
    """The way from (start, first) straight down to where the level ends, at ``leave``, and bent to (end, last).

    It runs between the cards of two levels, so through none: a curve stays within the hull of its four points.
    """
    from matplotlib.path import Path

    pull = (last - leave) * 0.55
    points = [(start, first), (start, leave), (start, leave + pull), (end, last - pull), (end, last)]
    return Path(points, [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
