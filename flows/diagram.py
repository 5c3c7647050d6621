"""A network in characters: boxes and lines where they fit, a staircase where they do not.

Boxes stand at their topological levels, all causes above their effects, and edges leave at the bottom and arrive at
the top::

    ┌───────┐  ┌─────┐
    │ rain  │  │ dam │
    └───┬───┘  └──┬──┘
        └──┐   ┌──┘
           │   │
         ┌─▼───▼─┐
         │ flood │
         └───────┘

A staircase needs less room and never gets entangled: one row per variable, causes first. The line that falls from a
variable's dot is the variable; every row says which of the lines it hears from::

    ● rain
    │  ● dam
    └──┴─▶● flood

In both, a line that crosses another without a joint shows as an unbroken vertical. Every variable's lines have a colour
of their own where there are colours.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len
from rich.text import Text

from bayes.drawing import Layout, Link, Slot, arrange
from bayes.network import Network
from bayes.spacing import spread, wrap
from flows.canvas import Canvas, Entangled

_COLOURS = ("cyan", "yellow", "magenta", "green", "blue", "red")
_NAME_LIMITS = (24, 18, 14, 11, 9)
_GAP = 2
# Crossings per variable above which the staircase is easier to read.
_MAX_CROSSINGS = 0.5
_NAME_ROOM = 20
_SHARED_COST = 1000
_STRAIGHT_WEIGHT = 8.0


@dataclass(frozen=True, slots=True)
class _Span:
    left: int
    right: int

    @property
    def middle(self) -> int:
        return (self.left + self.right) // 2


@dataclass(frozen=True, slots=True)
class _Net:
    """The lines between two levels that come from one slot: down from ``start``, across, and down to every end."""

    variable: str
    start: int
    ends: tuple[int, ...]

    @property
    def left(self) -> int:
        return min(self.start, *self.ends)

    @property
    def right(self) -> int:
        return max(self.start, *self.ends)


def draw_boxes(network: Network, names: Mapping[str, str], width: int, *, is_ascii: bool) -> Text | None:
    """The network as boxes and lines, or None if that does not fit legibly into ``width`` columns.

    Args:
        network: an acyclic network.
        names: what to write for every variable, without control characters.
        width: columns to fit into.
        is_ascii: draw lines with ASCII characters.
    """
    n_links = {name: max(sum(edge.child == name for edge in network.edges), 1) for name in names}
    longest = max(cell_len(word) for name in names.values() for word in name.split(" "))
    for limit in (*(limit for limit in _NAME_LIMITS if limit > longest), longest):
        lines = {variable: wrap(name, limit, cell_len) for variable, name in names.items()}
        # Odd widths have a middle column, and room for an arrowhead in every second one.
        widths = {
            variable: (max(max(map(cell_len, lines[variable])) + 4, 2 * n_links[variable] + 3)) | 1
            for variable in names
        }
        layout = arrange(network, widths=widths, pass_width=1, gap=_GAP, max_width=width)
        if layout.n_crossings > _MAX_CROSSINGS * len(names):
            return None
        if layout.width <= width:
            try:
                return _draw_layout(layout, lines, widths, is_ascii=is_ascii)
            except Entangled:
                continue
    return None


def _draw_layout(
    layout: Layout, lines: Mapping[str, tuple[str, ...]], widths: Mapping[str, int], *, is_ascii: bool
) -> Text:
    styles = {variable: _COLOURS[i % len(_COLOURS)] for i, variable in enumerate(lines)}
    spans = {
        slot: _to_span(layout.centres[slot], 1 if slot.is_pass else widths[slot.variable]) for slot in layout.centres
    }
    starts = {slot: _to_start(slot, layout.links, spans) for slot in spans}
    ends = _to_ends(layout.links, spans, starts)
    canvas = Canvas(is_ascii)
    top = 0
    for level in layout.levels:
        bottom = top + max(len(lines[slot.variable]) for slot in level if not slot.is_pass) + 1
        for slot in level:
            if slot.is_pass:
                canvas.run_down(starts[slot], top, bottom, slot.variable, styles[slot.variable])
            else:
                _draw_box(canvas, spans[slot], top, bottom, lines[slot.variable])
        for link in layout.links:
            if link.lower in level and not link.lower.is_pass:
                canvas.write(ends[link], top, "v" if is_ascii else "▼", styles[link.upper.variable])
        nets = _to_nets(level, layout.links, starts, ends)
        tracks = _to_tracks([net for net in nets if net.start != net.left or net.start != net.right])
        top = bottom + len(tracks) + (2 if nets else 1)
        for net in nets:
            style = styles[net.variable]
            turn = bottom + 1 + next((i for i, track in enumerate(tracks) if net in track), 0)
            canvas.run_down(net.start, bottom, turn, net.variable, style)
            canvas.run_across(turn, net.left, net.right, net.variable, style)
            for end in net.ends:
                canvas.run_down(end, turn, top, net.variable, style)
        for slot in level:
            if not slot.is_pass and any(link.upper == slot for link in layout.links):
                canvas.write(starts[slot], bottom, "+" if is_ascii else "┬")
    return canvas.to_text()


def _to_span(centre: float, width: int) -> _Span:
    left = math.floor(centre - width / 2 + 0.5)
    return _Span(left, left + width - 1)


def _to_start(slot: Slot, links: Sequence[Link], spans: Mapping[Slot, _Span]) -> int:
    """The column in which the lines of a slot leave it."""
    span = spans[slot]
    below = [link.lower for link in links if link.upper == slot]
    passes = [spans[lower].middle for lower in below if lower.is_pass]
    if slot.is_pass or not below:
        return span.middle
    if passes:
        return min(max(passes[0], span.left + 2), span.right - 2)
    if len(below) == 1:
        # Straight down into the box below, where the two overlap.
        left, right = max(span.left, spans[below[0]].left), min(span.right, spans[below[0]].right)
        if right - left >= 4:
            return (left + right) // 2
    return span.middle


def _to_ends(links: Sequence[Link], spans: Mapping[Slot, _Span], starts: Mapping[Slot, int]) -> dict[Link, int]:
    """The column in which every link arrives."""
    ends: dict[Link, int] = {}
    for slot, span in spans.items():
        arriving = sorted((link for link in links if link.lower == slot), key=lambda link: starts[link.upper])
        if slot.is_pass:
            ends.update(dict.fromkeys(arriving, span.middle))
            continue
        low, high = span.left + 2, span.right - 2
        wishes = [float(min(max(starts[link.upper], low), high)) for link in arriving]
        weights = [_STRAIGHT_WEIGHT if low <= starts[link.upper] <= high else 1.0 for link in arriving]
        places = spread(wishes, weights, 2.0, low, high)
        ends.update({link: math.floor(place + 0.5) for link, place in zip(arriving, places, strict=True)})
    return ends


def _to_nets(
    level: Sequence[Slot], links: Sequence[Link], starts: Mapping[Slot, int], ends: Mapping[Link, int]
) -> list[_Net]:
    nets: list[_Net] = []
    for slot in level:
        mine = tuple(ends[link] for link in links if link.upper == slot)
        if mine:
            nets.append(_Net(slot.variable, starts[slot], mine))
    return nets


def _to_tracks(nets: Sequence[_Net]) -> list[list[_Net]]:
    """The rows in which the nets run across, from top to bottom, in an order in which they cross little."""
    order: list[_Net] = []
    for net in nets:
        places = [(*order[:i], net, *order[i:]) for i in range(len(order) + 1)]
        order = list(min(places, key=_count_meetings))
    tracks: list[list[_Net]] = []
    for net in order:
        if tracks and all(net.right < other.left - 1 or other.right < net.left - 1 for other in tracks[-1]):
            tracks[-1].append(net)
        else:
            tracks.append([net])
    return tracks


def _count_meetings(order: Sequence[_Net]) -> int:
    """Crossings of nets that run across in this order; sharing a column with one above counts like very many."""
    total = 0
    for i, upper in enumerate(order):
        for lower in order[i + 1 :]:
            total += sum(lower.left < end < lower.right for end in upper.ends)
            total += upper.left < lower.start < upper.right
            total += _SHARED_COST * (lower.start in upper.ends)
    return total


def _draw_box(canvas: Canvas, span: _Span, top: int, bottom: int, lines: Sequence[str]) -> None:
    across, down, corners = ("-", "|", "++++") if canvas.is_ascii else ("─", "│", "┌┐└┘")
    inner = span.right - span.left - 1
    canvas.write(span.left, top, corners[0] + across * inner + corners[1])
    for y in range(top + 1, bottom):
        canvas.write(span.left, y, down + " " * inner + down)
    canvas.write(span.left, bottom, corners[2] + across * inner + corners[3])
    first = top + 1 + (bottom - top - 1 - len(lines)) // 2
    for y, line in enumerate(lines, start=first):
        canvas.write(span.left + 1 + (inner - cell_len(line)) // 2, y, line, "bold")


def draw_staircase(network: Network, names: Mapping[str, str], width: int, *, is_ascii: bool) -> Text:
    """The network as a staircase of variables, every one below its parents.

    Args:
        network: an acyclic network.
        names: what to write for every variable, without control characters.
        width: columns to fit into; more than about 30 variables need more than 80.
        is_ascii: draw lines with ASCII characters.
    """
    canvas = Canvas(is_ascii)
    parents = {name: tuple(edge.parent for edge in network.edges if edge.child == name) for name in names}
    order = _to_reading_order(network, parents)
    step = max(2, min(3, (width - _NAME_ROOM) // max(len(order), 1)))
    columns = {name: i * step for i, name in enumerate(order)}
    styles = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(order)}
    lines = {name: wrap(names[name], max(width - columns[name] - 2, _NAME_ROOM), cell_len) for name in order}
    rows = dict(zip(order, accumulate((len(lines[name]) for name in order), initial=0), strict=False))
    ends = {parent: rows[child] for child in order for parent in parents[child]}
    for name, end in ends.items():
        canvas.run_down(columns[name], rows[name], end, name, styles[name])
    dot, tip, across, joints = ("*", ">", "-", "++++") if is_ascii else ("●", "▶", "─", "├└┼┴")
    for name in order:
        y = rows[name]
        heard = sorted(columns[parent] for parent in parents[name])
        ending = {columns[parent] for parent in parents[name] if ends[parent] == y}
        for x in range(heard[0] if heard else columns[name], columns[name]):
            if x in heard:
                canvas.write(x, y, joints[2 * (x > heard[0]) + (x in ending)], styles[name])
            elif canvas.is_free(x, y):
                canvas.write(x, y, tip if x == columns[name] - 1 else across, styles[name])
        canvas.write(columns[name], y, dot, styles[name])
        for i, line in enumerate(lines[name]):
            canvas.write(columns[name] + 2, y + i, line, "bold")
    return canvas.to_text()


def _to_reading_order(network: Network, parents: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Parents before children, each cause as late as its first effect allows, so that lines stay short."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in order:
            return
        for parent in sorted(parents[name], key=lambda parent: network.levels[parent]):
            visit(parent)
        order[name] = None

    for name in sorted(parents, key=lambda name: network.levels[name]):
        if parents[name]:
            visit(name)
    return [*order, *(name for name in parents if name not in order)]
