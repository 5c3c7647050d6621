"""A network as a picture: a card for every variable with its marginal distribution, arrows from causes to effects.

One unit of the drawing is a typographic point (1/72 inch), and y grows downwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bayes.drawing import Layout, Slot, arrange
from bayes.inference import to_marginals
from bayes.network import BASELINE_STATE, FloatArray, Network, Variable
from schemas.names import clean_name
from tasks.canvas import EDGE, FRAME, INK, MUTED, NEUTRAL, painting, save, to_kind, to_sheet, wrap_name, write
from tasks.routing import PORT_SPACING, Band, Ports, to_bands, to_curve, to_touch_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CARD_WIDTH = 148
_PASS_WIDTH = 14
_GAP = 20
_MARGIN = 14
_PADDING = 7
_NAME_SIZE, _NAME_LINE = 9.5, 12.0
_STATE_SIZE, _STATE_LINE = 8.0, 10.0
_STATE_SPACING = 4.0
_TITLE_SIZE, _TITLE_LINE = 13.0, 17.0
_NUMBER_WIDTH = 26
_ROUNDING = 5
_ARROW_LENGTH, _ARROW_WIDTH = 7.0, 6.0
_MIN_WIDTH = 260
_LINKS_ORDER, _CARD_ORDER = 1.0, 3.0
_PORTS = Ports(half=_CARD_WIDTH / 2 - _PADDING, spacing=PORT_SPACING, reach=40.0)

_TRACK = "#f4f6f9"
_BAR, _BASELINE_BAR = "#9ec5f4", "#d3d9e2"


@dataclass(frozen=True, slots=True)
class _StateRow:
    lines: tuple[str, ...]
    probability: float
    is_baseline: bool

    @property
    def height(self) -> float:
        return len(self.lines) * _STATE_LINE + _STATE_SPACING


@dataclass(frozen=True, slots=True)
class _Card:
    lines: tuple[str, ...]
    rows: tuple[_StateRow, ...]

    @property
    def header(self) -> float:
        return len(self.lines) * _NAME_LINE + _PADDING

    @property
    def height(self) -> float:
        return self.header + sum(row.height for row in self.rows) + _PADDING


def draw_network(network: Network, path: Path, *, title: str = "") -> None:
    """Draw a network into an SVG or PNG file; the same network gives the same file.

    In an SVG the texts are texts, and elements carry ids by position in ``network.variables``: ``variable-3`` is the
    frame of a card, ``edge-0-3`` the head of the arrow that leads there from ``variable-0``.

    Args:
        network: any acyclic network.
        path: where to; the suffix, ``.svg`` or ``.png``, says which.
        title: a line above the drawing.

    Raises:
        InputError: the suffix is another.
        ValueError: the edges close a cycle.

    Example:
        >>> import numpy as np
        >>> from tempfile import TemporaryDirectory
        >>> from bayes.network import Cpd, Rule
        >>> prior = Cpd("rain", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
        >>> network = Network((Variable("rain", ("heavy", "none")),), (prior,))
        >>> with TemporaryDirectory() as folder:
        ...     draw_network(network, Path(folder, "rain.svg"), title="Rain")
        ...     ">rain</text>" in Path(folder, "rain.svg").read_text("utf-8")
        True
    """
    to_kind(path)
    layout = arrange(
        network,
        widths=dict.fromkeys(network.by_name, _CARD_WIDTH),
        pass_width=_PASS_WIDTH,
        gap=_GAP,
    )
    marginals = to_marginals(network)
    with painting():
        cards = {variable.name: _to_card(variable, marginals[variable.name]) for variable in network.variables}
        _paint(layout, cards, title, path)


def _to_card(variable: Variable, marginal: FloatArray) -> _Card:
    inner = _CARD_WIDTH - 2 * _PADDING
    rows = tuple(
        _StateRow(
            wrap_name(state, inner - _NUMBER_WIDTH - 4, _STATE_SIZE, "normal"),
            float(probability),
            state == BASELINE_STATE,
        )
        for state, probability in zip(variable.states, marginal, strict=True)
    )
    return _Card(wrap_name(variable.name, inner, _NAME_SIZE, "bold"), rows)


def _paint(layout: Layout, cards: Mapping[str, _Card], title: str, path: Path) -> None:
    width = max(layout.width, _MIN_WIDTH) + 2 * _MARGIN
    shift = (width - layout.width) / 2
    heading = wrap_name(title, width - 2 * _MARGIN, _TITLE_SIZE, "bold") if clean_name(title) else ()
    top = _MARGIN + len(heading) * _TITLE_LINE + (_PADDING if heading else 0)
    centres = {slot: x + shift for slot, x in layout.centres.items()}
    bands = to_bands(layout, {name: card.height for name, card in cards.items()}, top)
    height = (bands[-1].bottom if bands else top) + _MARGIN

    figure, axes = to_sheet(width, height)
    for i, line in enumerate(heading):
        write(axes, width / 2, _MARGIN + (i + 0.5) * _TITLE_LINE, line, _TITLE_SIZE, weight="bold", align="center")
    _draw_links(axes, layout, cards, centres, bands)
    for level in layout.levels:
        for slot in level:
            if not slot.is_pass:
                left, gid = centres[slot] - _CARD_WIDTH / 2, f"variable-{list(cards).index(slot.variable)}"
                _draw_card(axes, cards[slot.variable], left, bands[slot.level].top, gid)
    save(figure, path)


def _draw_links(
    axes: "Axes", layout: Layout, cards: Mapping[str, _Card], centres: Mapping[Slot, float], bands: Sequence[Band]
) -> None:
    from matplotlib.patches import PathPatch, Polygon

    starts = to_touch_points(layout, centres, lambda link: link.upper, lambda link: link.lower, lambda _: _PORTS)
    ends = to_touch_points(layout, centres, lambda link: link.lower, lambda link: link.upper, lambda _: _PORTS)
    index = {variable: i for i, variable in enumerate(cards)}
    for number, link in enumerate(layout.links):
        above, below = bands[link.upper.level], bands[link.lower.level]
        start, end = starts[link], ends[link]
        first = above.top if link.upper.is_pass else above.top + cards[link.upper.variable].height
        last = below.top if link.lower.is_pass else below.top - _ARROW_LENGTH + 1
        curve = to_curve(start, first, above.bottom, end, last)
        # A white rim, under all lines of its own variable, shows which of two edges that cross goes on where.
        order = _LINKS_ORDER + index[link.upper.variable] / len(cards)
        axes.add_patch(PathPatch(curve, fill=False, edgecolor="white", linewidth=4.5, zorder=order))
        line = PathPatch(curve, fill=False, edgecolor=EDGE, linewidth=1.3, zorder=order + 0.5 / len(cards))
        line.set_capstyle("round")
        line.set_gid(f"link-{number}")
        axes.add_patch(line)
        if not link.lower.is_pass:
            base = below.top - _ARROW_LENGTH
            corners = [(end, below.top), (end - _ARROW_WIDTH / 2, base), (end + _ARROW_WIDTH / 2, base)]
            tip = Polygon(corners, closed=True, facecolor=EDGE, edgecolor="none", zorder=_CARD_ORDER)
            tip.set_gid(f"edge-{index[link.upper.variable]}-{index[link.lower.variable]}")
            axes.add_patch(tip)


def _draw_card(axes: "Axes", card: _Card, left: float, top: float, gid: str) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    def to_box(face: str, edge: str, order: float) -> FancyBboxPatch:
        style = f"round,pad=0,rounding_size={_ROUNDING}"
        box = FancyBboxPatch((left, top), _CARD_WIDTH, card.height, boxstyle=style, facecolor=face, edgecolor=edge)
        box.set_zorder(_CARD_ORDER + order)
        return box

    body, frame = to_box("white", "none", 0.0), to_box("none", FRAME, 0.3)
    frame.set_gid(gid)
    header = Rectangle((left, top), _CARD_WIDTH, card.header, facecolor=NEUTRAL, zorder=_CARD_ORDER + 0.1)
    for patch in (body, frame, header):
        axes.add_patch(patch)
    header.set_clip_path(body)
    for i, line in enumerate(card.lines):
        y = top + _PADDING / 2 + (i + 0.5) * _NAME_LINE
        write(axes, left + _CARD_WIDTH / 2, y, line, _NAME_SIZE, weight="bold", align="center")
    y = top + card.header + _PADDING / 2
    full = _CARD_WIDTH - 2 * _PADDING - _NUMBER_WIDTH
    for row in card.rows:
        height = row.height - _STATE_SPACING + 2
        bar, ink = (_BASELINE_BAR, MUTED) if row.is_baseline else (_BAR, INK)
        for colour, length in ((_TRACK, full), (bar, full * row.probability)):
            axes.add_patch(Rectangle((left + _PADDING, y), length, height, facecolor=colour, zorder=_CARD_ORDER + 0.2))
        for i, line in enumerate(row.lines):
            write(axes, left + _PADDING + 3, y + 1 + (i + 0.5) * _STATE_LINE, line, _STATE_SIZE, ink=ink)
        right = left + _CARD_WIDTH - _PADDING
        write(axes, right, y + height / 2, f"{row.probability:.2f}", _STATE_SIZE, ink=ink, align="right")
        y += row.height
