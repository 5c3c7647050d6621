"""A linear model as a picture: on every edge the elicited coefficient above the true one.

A coefficient stands in a tag where its edge arrives, above the card of the child. Cards are as wide as their tags need,
so that tags never overlap and each belongs to one edge at a glance. A variable with several parents is coloured by the
share of runs that put its coefficients in the right order.

One unit of the drawing is a typographic point (1/72 inch), and y grows downwards.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bayes.drawing import Layout, Slot, arrange
from bayes.linear.model import LinearDag
from bayes.linear.results import ONLY_TRUTH, EdgeSummary, OrderSummary, ResultGroup
from bayes.network import Cpd, Edge, Network, Rule, Variable
from schemas.names import clean_name
from tasks.canvas import (
    EDGE,
    FRAME,
    INK,
    MUTED,
    NEUTRAL,
    measure,
    painting,
    save,
    to_kind,
    to_sheet,
    to_short,
    wrap_name,
    write,
)
from tasks.routing import PORT_SPACING, Band, Ports, to_bands, to_curve, to_touch_points
from tasks.scm_legend import DASHES, WRONG, WRONG_FACE, draw_legend, to_entries, to_fill, to_ink, to_legend_height

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path as Curve

_MIN_CARD, _MAX_NAME, _PASS_WIDTH, _GAP, _MARGIN, _PADDING = 104, 180, 14, 20, 14, 6
_NAME_SIZE, _NAME_LINE = 9.5, 12.0
_TAG_SIZE, _TAG_LINE, _TAG_PADDING, _TAG_GAP = 8.0, 9.5, 4.0, 5.0
_NOTE_SIZE, _NOTE_LINE = 7.5, 10.0
_TITLE_SIZE, _TITLE_LINE = 13.0, 17.0
_SUBTITLE_SIZE, _SUBTITLE_LINE = 8.5, 12.0
_ARROW, _ARROW_LENGTH, _ARROW_WIDTH = 15.0, 7.0, 6.0
_MIN_WIDTH = 340
_LINKS_ORDER, _CARD_ORDER, _TAG_ORDER = 1.0, 3.0, 3.2


@dataclass(frozen=True, slots=True)
class _Tag:
    """What stands on an edge: mean, spread and truth, a line each."""

    lines: tuple[str, ...]
    is_wrong: bool
    width: float

    @property
    def height(self) -> float:
        return len(self.lines) * _TAG_LINE + _TAG_PADDING


@dataclass(frozen=True, slots=True)
class _Card:
    """A variable with the tags of its edges; ``share`` is that of right orders, if an order there is."""

    lines: tuple[str, ...]
    notes: tuple[str, ...]
    share: float | None
    width: int
    tag_spacing: float
    tags_height: float

    @property
    def top(self) -> float:
        """Where the frame begins, below the top of the tags."""
        return self.tags_height + (_ARROW if self.tags_height else 0.0)

    @property
    def height(self) -> float:
        text = len(self.lines) * _NAME_LINE + len(self.notes) * _NOTE_LINE
        return self.top + text + 2 * _PADDING


def draw_equations(
    dag: LinearDag, group: ResultGroup, path: Path, *, title: str = "", spurious: Collection[Edge] | None = None
) -> None:
    """Draw a DAG with what was elicited for its edges into an SVG or PNG file; the same input gives the same file.

    On every edge stand the mean over runs, the standard deviation if there is one, and the true coefficient if it is
    known. A mean with the wrong sign has a heavy frame and is red, as is its arrow. Spurious edges are dashed. In an
    SVG, texts are texts; ``variable-3`` is the frame of the variable at that position of the DAG, ``edge-0-3`` the head
    of the arrow that leads there from ``variable-0``, and ``tag-0-3`` the frame around its coefficient.

    Args:
        dag: the graph that was asked for, spurious edges included.
        group: the runs to draw.
        path: where to; the suffix, ``.svg`` or ``.png``, says which.
        title: a line above the drawing; the name of the DAG by default.
        spurious: the edges to dash; by default those whose true coefficient is 0.

    Raises:
        InputError: the suffix is another, or the file cannot be written.
        ValueError: the group is not over the edges of the DAG.
    """
    if {edge.edge for edge in group.edges} != set(dag.edges):
        raise ValueError(f"the results of {group.dag!r} are not over the edges of the graph given")
    to_kind(path)
    dashed = {edge.edge for edge in group.edges if edge.truth == 0} if spurious is None else frozenset(spurious)
    with painting():
        tags = {edge.edge: _to_tag(edge, group.n_runs) for edge in group.edges}
        cards = _to_cards(dag, group, tags)
        widths = {name: card.width for name, card in cards.items()}
        layout = arrange(_to_skeleton(dag), widths=widths, pass_width=_PASS_WIDTH, gap=_GAP)
        _Picture(layout, cards, tags, frozenset(dashed)).paint(group, title or group.dag, path)


def _to_skeleton(dag: LinearDag) -> Network:
    """The graph as the layout takes it: every variable with one state only."""
    variables = tuple(Variable(variable.name, ("any",)) for variable in dag.variables)
    certain = np.ones((1, 1))
    return Network(variables, tuple(Cpd(name, dag.parents[name], certain, (Rule.GIVEN,)) for name in dag.bounds))


def _to_tag(edge: EdgeSummary, n_runs: int) -> _Tag:
    lines = ["failed" if edge.mean is None else to_short(edge.mean)]
    if n_runs > 1 and edge.mean is not None and edge.sd is not None:
        lines.append(f"± {to_short(edge.sd)}")
    if edge.truth is not None:
        lines.append(f"true {to_short(edge.truth)}")
    width = max(measure(line, _TAG_SIZE, "bold" if i == 0 else "normal") for i, line in enumerate(lines))
    return _Tag(tuple(lines), edge.is_sign_wrong, width + 2 * _TAG_PADDING)


def _to_cards(dag: LinearDag, group: ResultGroup, tags: Mapping[Edge, _Tag]) -> dict[str, _Card]:
    order_of = {order.variable: order for order in group.orders}
    n_of = {edge.edge.child: edge.n for edge in group.edges}
    return {
        name: _to_card(
            name,
            order_of.get(name),
            group.n_runs - n_of.get(name, group.n_runs),
            [tags[Edge(parent, name)] for parent in dag.parents[name]],
        )
        for name in dag.bounds
    }


def _to_card(name: str, order: OrderSummary | None, n_failed: int, tags: Sequence[_Tag]) -> _Card:
    spacing = max((tag.width for tag in tags), default=0.0) + _TAG_GAP
    # A word is broken only where it is too long for any card.
    word = max((measure(word, _NAME_SIZE, "bold") for word in clean_name(name).split()), default=0.0)
    width = max(_MIN_CARD, math.ceil(len(tags) * spacing), math.ceil(min(word, _MAX_NAME)) + 2 * _PADDING)
    notes = [f"order right: {order.n_same} of {order.n_runs}"] if order else []
    if n_failed:
        notes.append(f"equations failed: {n_failed}")
    return _Card(
        lines=wrap_name(name, width - 2 * _PADDING, _NAME_SIZE, "bold"),
        notes=tuple(notes),
        share=order.share if order else None,
        width=width,
        tag_spacing=spacing,
        tags_height=max((tag.height for tag in tags), default=0.0),
    )


@dataclass(frozen=True, slots=True)
class _Picture:
    """A layout and all that is to be drawn on it."""

    layout: Layout
    cards: Mapping[str, _Card]
    tags: Mapping[Edge, _Tag]
    dashed: frozenset[Edge]

    def paint(self, group: ResultGroup, title: str, path: Path) -> None:
        width = max(self.layout.width, _MIN_WIDTH) + 2 * _MARGIN
        heading = wrap_name(title, width - 2 * _MARGIN, _TITLE_SIZE, "bold")
        subtitle = wrap_name(_to_subtitle(group), width - 2 * _MARGIN, _SUBTITLE_SIZE)
        top = _MARGIN + len(heading) * _TITLE_LINE + len(subtitle) * _SUBTITLE_LINE + _PADDING
        shift = (width - self.layout.width) / 2
        centres = {slot: x + shift for slot, x in self.layout.centres.items()}
        bands = to_bands(self.layout, {name: card.height for name, card in self.cards.items()}, top)
        bottom = (bands[-1].bottom if bands else top) + _MARGIN
        legend = to_entries(group, self.dashed)
        figure, axes = to_sheet(width, bottom + to_legend_height(legend, width - 2 * _MARGIN) + _MARGIN)
        for i, line in enumerate(heading):
            y = _MARGIN + (i + 0.5) * _TITLE_LINE
            write(axes, width / 2, y, line, _TITLE_SIZE, weight="bold", align="center")
        for i, line in enumerate(subtitle):
            y = _MARGIN + len(heading) * _TITLE_LINE + (i + 0.5) * _SUBTITLE_LINE
            write(axes, width / 2, y, line, _SUBTITLE_SIZE, ink=MUTED, align="center")
        self._draw_links(axes, centres, bands)
        for slot, centre in centres.items():
            if not slot.is_pass:
                self._draw_card(axes, slot.variable, centre, bands[slot.level].top)
        draw_legend(axes, legend, _MARGIN, bottom, width - 2 * _MARGIN)
        save(figure, path)

    def _draw_links(self, axes: "Axes", centres: Mapping[Slot, float], bands: Sequence[Band]) -> None:
        starts = to_touch_points(self.layout, centres, lambda link: link.upper, lambda link: link.lower, self._to_exits)
        ends = to_touch_points(self.layout, centres, lambda link: link.lower, lambda link: link.upper, self._to_entries)
        edges_in = self._find_edges()
        for link in self.layout.links:
            parent, child = link.upper.variable, link.lower.variable
            above, below = bands[link.upper.level], bands[link.lower.level]
            first = above.bottom if link.upper.is_pass else above.top + self.cards[parent].height
            curve = to_curve(starts[link], first, above.bottom, ends[link], below.top)
            self._draw_line(axes, curve, edges_in[link.lower, parent])
            if not link.lower.is_pass:
                self._draw_tag(axes, Edge(parent, child), ends[link], below.top)
        for slot, centre in centres.items():
            if slot.is_pass:
                band = bands[slot.level]
                curve = to_curve(centre, band.top, band.bottom, centre, band.bottom)
                self._draw_line(axes, curve, edges_in[slot, slot.variable])

    def _draw_line(self, axes: "Axes", curve: "Curve", edges: Sequence[Edge]) -> None:
        """A piece that some edges of one variable share; it is red or dashed only where they all are."""
        from matplotlib.patches import PathPatch

        ink = WRONG if all(self.tags[edge].is_wrong for edge in edges) else EDGE
        is_dashed = all(edge in self.dashed for edge in edges)
        # A white rim, under all lines of its own variable, shows which of two edges that cross goes on where.
        order = _LINKS_ORDER + list(self.cards).index(edges[0].parent) / len(self.cards)
        rim = PathPatch(curve, fill=False, edgecolor="white", linewidth=4.5, zorder=order)
        line = PathPatch(curve, fill=False, edgecolor=ink, linewidth=1.3, zorder=order + 0.5 / len(self.cards))
        rim.set_capstyle("butt")
        line.set_capstyle("butt" if is_dashed else "round")
        line.set_linestyle((0, DASHES) if is_dashed else "solid")
        for patch in (rim, line):
            axes.add_patch(patch)

    def _find_edges(self) -> dict[tuple[Slot, str], list[Edge]]:
        """The edges that arrive at a slot from a variable, or pass it."""
        level = {slot.variable: slot.level for row in self.layout.levels for slot in row if not slot.is_pass}
        found: dict[tuple[Slot, str], list[Edge]] = {}
        for edge in self.tags:
            child = Slot(edge.child, level[edge.child], is_pass=False)
            passes = (Slot(edge.parent, row, is_pass=True) for row in range(level[edge.parent] + 1, child.level))
            for slot in (*passes, child):
                found.setdefault((slot, edge.parent), []).append(edge)
        return found

    def _to_exits(self, name: str) -> Ports:
        return Ports(self.cards[name].width / 2 - _PADDING, PORT_SPACING, reach=40.0)

    def _to_entries(self, name: str) -> Ports:
        card = self.cards[name]
        return Ports((card.width - card.tag_spacing) / 2, card.tag_spacing, reach=math.inf)

    def _draw_tag(self, axes: "Axes", edge: Edge, x: float, top: float) -> None:
        from matplotlib.patches import FancyBboxPatch, Polygon

        place = "-".join(str(list(self.cards).index(name)) for name in edge)
        tag, card = self.tags[edge], self.cards[edge.child]
        ink = WRONG if tag.is_wrong else EDGE
        box = FancyBboxPatch(
            (x - tag.width / 2, top),
            tag.width,
            tag.height,
            boxstyle="round,pad=0,rounding_size=2.5",
            facecolor=WRONG_FACE if tag.is_wrong else "white",
            edgecolor=ink if tag.is_wrong else FRAME,
            linewidth=1.8 if tag.is_wrong else 0.7,
            zorder=_TAG_ORDER,
        )
        box.set_gid(f"tag-{place}")
        axes.add_patch(box)
        for i, line in enumerate(tag.lines):
            y = top + _TAG_PADDING / 2 + (i + 0.5) * _TAG_LINE
            colour = (ink if tag.is_wrong else INK) if i == 0 else MUTED
            weight = "bold" if i == 0 else "normal"
            write(axes, x, y, line, _TAG_SIZE, ink=colour, weight=weight, align="center")
        foot = top + card.top
        is_dashed = edge in self.dashed
        axes.plot(
            [x, x],
            [top + tag.height, foot - _ARROW_LENGTH + 1],
            color=ink,
            linewidth=1.3,
            linestyle=(0, DASHES) if is_dashed else "solid",
            zorder=_CARD_ORDER,
        )
        corners = [(x + side * _ARROW_WIDTH / 2, foot - _ARROW_LENGTH) for side in (-1, 1)]
        tip = Polygon([(x, foot), *corners], closed=True, facecolor=ink, edgecolor="none", zorder=_CARD_ORDER + 0.1)
        tip.set_gid(f"edge-{place}")
        axes.add_patch(tip)

    def _draw_card(self, axes: "Axes", name: str, centre: float, top: float) -> None:
        from matplotlib.patches import FancyBboxPatch

        card = self.cards[name]
        fill = NEUTRAL if card.share is None else to_fill(card.share)
        ink = to_ink(fill)
        frame = FancyBboxPatch(
            (centre - card.width / 2, top + card.top),
            card.width,
            card.height - card.top,
            boxstyle="round,pad=0,rounding_size=5",
            facecolor=fill,
            edgecolor=FRAME,
            zorder=_CARD_ORDER,
        )
        frame.set_gid(f"variable-{list(self.cards).index(name)}")
        axes.add_patch(frame)
        y = top + card.top + _PADDING
        for i, line in enumerate(card.lines):
            write(axes, centre, y + (i + 0.5) * _NAME_LINE, line, _NAME_SIZE, ink=ink, weight="bold", align="center")
        y += len(card.lines) * _NAME_LINE
        for i, line in enumerate(card.notes):
            write(axes, centre, y + (i + 0.5) * _NOTE_LINE, line, _NOTE_SIZE, ink=ink, align="center")


def _to_subtitle(group: ResultGroup) -> str:
    parts = [group.model, f"condition {group.condition}"]
    if group.truth not in {"", ONLY_TRUTH}:
        parts.append(f"truth set {group.truth}")
    parts.append(f"{group.n_runs} run{'' if group.n_runs == 1 else 's'}")
    return " · ".join(clean_name(part) for part in parts)
