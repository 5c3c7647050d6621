"""A network as a picture: a card for every variable with its marginal distribution, arrows from causes to effects.

One unit of the drawing is a typographic point (1/72 inch), and y grows downwards.
"""

import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from bayes.drawing import Layout, Link, Slot, arrange
from bayes.inference import to_marginals
from bayes.network import BASELINE_STATE, FloatArray, Network, Variable
from bayes.spacing import spread, wrap
from schemas.errors import InputError
from schemas.names import clean_name

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
_WIDE = 1.2
_PORT_SPACING, _REACH, _PASS_WEIGHT = 12.0, 40.0, 8.0
_ARROW_LENGTH, _ARROW_WIDTH = 7.0, 6.0
_MIN_WIDTH = 260
_DPI = 160
_MAX_PIXELS = 60_000
_LINKS_ORDER, _CARD_ORDER = 1.0, 3.0

_INK, _MUTED = "#1f2937", "#6b7280"
_FRAME, _HEADER, _TRACK = "#94a3b8", "#e2e8f0", "#f4f6f9"
_BAR, _BASELINE_BAR, _EDGE = "#9ec5f4", "#d3d9e2", "#475569"

# matplotlib's settings are global: a picture gets its own for as long as it is drawn, one picture at a time.
_LOCK = Lock()
_SETTINGS = {"svg.hashsalt": "prism-bn", "svg.fonttype": "none", "path.simplify": False}


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
    kind = path.suffix.lower().removeprefix(".")
    if kind not in {"svg", "png"}:
        raise InputError(f"cannot draw {path.name!r}: a picture is a .svg or a .png file")
    layout = arrange(
        network,
        widths=dict.fromkeys(network.by_name, _CARD_WIDTH),
        pass_width=_PASS_WIDTH,
        gap=_GAP,
    )
    marginals = to_marginals(network)
    from matplotlib import style

    with _LOCK, style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # Scripts that the bundled fonts lack are shown as placeholder glyphs; that is no news for the user's log.
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        cards = {variable.name: _to_card(variable, marginals[variable.name]) for variable in network.variables}
        _paint(layout, cards, title, path, kind)


def _to_card(variable: Variable, marginal: FloatArray) -> _Card:
    inner = _CARD_WIDTH - 2 * _PADDING
    rows = tuple(
        _StateRow(
            _wrap(state, inner - _NUMBER_WIDTH - 4, _STATE_SIZE, "normal"),
            float(probability),
            state == BASELINE_STATE,
        )
        for state, probability in zip(variable.states, marginal, strict=True)
    )
    return _Card(_wrap(variable.name, inner, _NAME_SIZE, "bold"), rows)


def _wrap(text: str, width: float, size: float, weight: str) -> tuple[str, ...]:
    return wrap(clean_name(text) or "?", width, lambda line: _measure(line, size, weight))


def _measure(text: str, size: float, weight: str) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    # East Asian text is set in a font of its own, every character about as wide as the font's size.
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    rest = "".join(char for char in text if unicodedata.east_asian_width(char) not in "WF")
    width, _, _ = text_to_path.get_text_width_height_descent(
        rest, FontProperties(size=size, weight=weight), ismath=False
    )
    return width + wide * size * _WIDE


def _paint(layout: Layout, cards: Mapping[str, _Card], title: str, path: Path, kind: str) -> None:
    from matplotlib.figure import Figure

    width = max(layout.width, _MIN_WIDTH) + 2 * _MARGIN
    shift = (width - layout.width) / 2
    heading = _wrap(title, width - 2 * _MARGIN, _TITLE_SIZE, "bold") if clean_name(title) else ()
    top = _MARGIN + len(heading) * _TITLE_LINE + (_PADDING if heading else 0)
    centres = {slot: x + shift for slot, x in layout.centres.items()}
    bands = _to_bands(layout, cards, top)
    height = (bands[-1].bottom if bands else top) + _MARGIN

    figure = Figure(figsize=(width / 72, height / 72), facecolor="white")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    for i, line in enumerate(heading):
        _write(axes, width / 2, _MARGIN + (i + 0.5) * _TITLE_LINE, line, _TITLE_SIZE, weight="bold", align="center")
    _draw_links(axes, layout, cards, centres, bands)
    for level in layout.levels:
        for slot in level:
            if not slot.is_pass:
                left, gid = centres[slot] - _CARD_WIDTH / 2, f"variable-{list(cards).index(slot.variable)}"
                _draw_card(axes, cards[slot.variable], left, bands[slot.level].top, gid)
    # Agg has a limit; what is larger than any network of an article gets coarser.
    dpi = min(_DPI, _MAX_PIXELS * 72 / max(width, height))
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    try:
        figure.savefig(path, format=kind, dpi=dpi, metadata=metadata)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another place") from error


@dataclass(frozen=True, slots=True)
class _Band:
    """The rows of the picture that the cards of one level take."""

    top: float
    bottom: float


def _to_bands(layout: Layout, cards: Mapping[str, _Card], top: float) -> tuple[_Band, ...]:
    bands: list[_Band] = []
    for depth, level in enumerate(layout.levels):
        if bands:
            sideways = max(
                abs(layout.centres[link.upper] - layout.centres[link.lower])
                for link in layout.links
                if link.lower.level == depth
            )
            # Long ways sideways need room, or they run flat and close to the cards.
            top = bands[-1].bottom + min(34 + 0.12 * sideways, 84)
        bands.append(_Band(top, top + max(cards[slot.variable].height for slot in level if not slot.is_pass)))
    return tuple(bands)


def _draw_links(
    axes: "Axes", layout: Layout, cards: Mapping[str, _Card], centres: Mapping[Slot, float], bands: Sequence[_Band]
) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path as Curve

    starts = _to_touch_points(layout, centres, lambda link: link.upper, lambda link: link.lower)
    ends = _to_touch_points(layout, centres, lambda link: link.lower, lambda link: link.upper)
    index = {variable: i for i, variable in enumerate(cards)}
    for number, link in enumerate(layout.links):
        above, below = bands[link.upper.level], bands[link.lower.level]
        start, end = starts[link], ends[link]
        first = above.top if link.upper.is_pass else above.top + cards[link.upper.variable].height
        last = below.top if link.lower.is_pass else below.top - _ARROW_LENGTH + 1
        pull = (last - above.bottom) * 0.55
        # Between the cards of two levels, so through none: a curve stays within the hull of its four points.
        points = [(start, first), (start, above.bottom)]
        points += [(start, above.bottom + pull), (end, last - pull), (end, last)]
        curve = Curve(points, [Curve.MOVETO, Curve.LINETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
        # A white rim, under all lines of its own variable, shows which of two edges that cross goes on where.
        order = _LINKS_ORDER + index[link.upper.variable] / len(cards)
        axes.add_patch(PathPatch(curve, fill=False, edgecolor="white", linewidth=4.5, zorder=order))
        line = PathPatch(curve, fill=False, edgecolor=_EDGE, linewidth=1.3, zorder=order + 0.5 / len(cards))
        line.set_capstyle("round")
        line.set_gid(f"link-{number}")
        axes.add_patch(line)
        if not link.lower.is_pass:
            base = below.top - _ARROW_LENGTH
            corners = [(end, below.top), (end - _ARROW_WIDTH / 2, base), (end + _ARROW_WIDTH / 2, base)]
            tip = Polygon(corners, closed=True, facecolor=_EDGE, edgecolor="none", zorder=_CARD_ORDER)
            tip.set_gid(f"edge-{index[link.upper.variable]}-{index[link.lower.variable]}")
            axes.add_patch(tip)


def _to_touch_points(
    layout: Layout, centres: Mapping[Slot, float], near: Callable[[Link], Slot], far: Callable[[Link], Slot]
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
        ways = [(centres[far(link)] - centre) * (1 if far(link).is_pass else 0.5) for link in links]
        wishes = [centre + max(-_REACH, min(_REACH, way)) for way in ways]
        weights = [_PASS_WEIGHT if far(link).is_pass else 1.0 for link in links]
        half = _CARD_WIDTH / 2 - _PADDING
        spacing = min(_PORT_SPACING, 2 * half / len(links)) if links else _PORT_SPACING
        places = spread(wishes, weights, spacing, centre - half, centre + half)
        points.update(zip(links, places, strict=True))
    return points


def _draw_card(axes: "Axes", card: _Card, left: float, top: float, gid: str) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    def to_box(face: str, edge: str, order: float) -> FancyBboxPatch:
        style = f"round,pad=0,rounding_size={_ROUNDING}"
        box = FancyBboxPatch((left, top), _CARD_WIDTH, card.height, boxstyle=style, facecolor=face, edgecolor=edge)
        box.set_zorder(_CARD_ORDER + order)
        return box

    body, frame = to_box("white", "none", 0.0), to_box("none", _FRAME, 0.3)
    frame.set_gid(gid)
    header = Rectangle((left, top), _CARD_WIDTH, card.header, facecolor=_HEADER, zorder=_CARD_ORDER + 0.1)
    for patch in (body, frame, header):
        axes.add_patch(patch)
    header.set_clip_path(body)
    for i, line in enumerate(card.lines):
        y = top + _PADDING / 2 + (i + 0.5) * _NAME_LINE
        _write(axes, left + _CARD_WIDTH / 2, y, line, _NAME_SIZE, weight="bold", align="center")
    y = top + card.header + _PADDING / 2
    full = _CARD_WIDTH - 2 * _PADDING - _NUMBER_WIDTH
    for row in card.rows:
        height = row.height - _STATE_SPACING + 2
        bar, ink = (_BASELINE_BAR, _MUTED) if row.is_baseline else (_BAR, _INK)
        for colour, length in ((_TRACK, full), (bar, full * row.probability)):
            axes.add_patch(Rectangle((left + _PADDING, y), length, height, facecolor=colour, zorder=_CARD_ORDER + 0.2))
        for i, line in enumerate(row.lines):
            _write(axes, left + _PADDING + 3, y + 1 + (i + 0.5) * _STATE_LINE, line, _STATE_SIZE, ink=ink)
        right = left + _CARD_WIDTH - _PADDING
        _write(axes, right, y + height / 2, f"{row.probability:.2f}", _STATE_SIZE, ink=ink, align="right")
        y += row.height


def _write(
    axes: "Axes",
    x: float,
    y: float,
    line: str,
    size: float,
    *,
    ink: str = _INK,
    weight: str = "normal",
    align: str = "left",
) -> None:
    # parse_math=False: a name may hold dollar signs, and they are not the start of a formula.
    text = axes.text(x, y, line, size=size, color=ink, weight=weight, ha=align, va="center_baseline", parse_math=False)
    text.set_zorder(_CARD_ORDER + 0.4)
