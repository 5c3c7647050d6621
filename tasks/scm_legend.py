"""The colours of a linear model's picture, and the legend that explains them.

The share of right orders goes from pale yellow over green to dark blue (YlGnBu): it only ever darkens, so that it can
be told in grey and by colour-blind readers. A wrong sign is vermilion of Okabe and Ito's palette and has a heavy frame
as well.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bayes.linear.results import ResultGroup
from bayes.network import Edge
from tasks.canvas import EDGE, FRAME, INK, NEUTRAL, measure, wrap_name, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WRONG, WRONG_FACE = "#b84600", "#fdf0e6"
DASHES = (4.0, 3.0)

_MAP, _FROM, _TO = "YlGnBu", 0.06, 0.92
_N_STEPS = 24
_SIZE, _LINE, _SPACE = 8.0, 11.0, 4.0
_SAMPLE, _SAMPLE_HEIGHT = 120.0, 9.0


class Sign(StrEnum):
    """What a line of the legend explains."""

    SCALE = "scale"
    NEUTRAL = "neutral"
    TAG = "tag"
    WRONG = "wrong"
    SPURIOUS = "spurious"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: a sample to the left, its meaning to the right."""

    sign: Sign
    text: str


def to_entries(group: ResultGroup, dashed: Collection[Edge]) -> tuple[Entry, ...]:
    """What needs an explanation in the picture of a group whose ``dashed`` edges are spurious."""
    what = "the mean over the runs, the standard deviation" if group.n_runs > 1 else "the elicited coefficient"
    truth = ", the true coefficient" if any(edge.truth is not None for edge in group.edges) else ""
    entries = [Entry(Sign.TAG, f"on every edge: {what}{truth}")]
    if any(edge.is_sign_wrong for edge in group.edges):
        entries.append(Entry(Sign.WRONG, "the sign is wrong"))
    if any(edge.edge in dashed for edge in group.edges):
        entries.append(Entry(Sign.SPURIOUS, "spurious edge: no such effect in truth"))
    if group.orders:
        entries.append(Entry(Sign.SCALE, "share of runs with the coefficients of all parents in the true order"))
        entries.append(Entry(Sign.NEUTRAL, "fewer than two parents: no order"))
    return tuple(entries)


def to_fill(share: float) -> str:
    """The colour of a share between 0 and 1."""
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    return to_hex(mpl.colormaps[_MAP](_FROM + (_TO - _FROM) * share))


def to_ink(fill: str) -> str:
    """Dark or white, whichever has the greater contrast with a colour (the relative luminance of WCAG 2)."""
    channels = [int(fill[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    luminance = sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#ffffff" if luminance < 0.18 else INK


def to_legend_height(entries: Sequence[Entry], width: float) -> float:
    """How much room the legend takes within a width."""
    return sum(len(_wrap(entry, width)) * _LINE + _SPACE for entry in entries)


def draw_legend(axes: "Axes", entries: Sequence[Entry], left: float, top: float, width: float) -> None:
    """Draw the entries one below the other."""
    for entry in entries:
        lines = _wrap(entry, width)
        _draw_sample(axes, entry.sign, left, top + _LINE / 2)
        for i, line in enumerate(lines):
            write(axes, left + _SAMPLE + 10, top + (i + 0.5) * _LINE, line, _SIZE)
        top += len(lines) * _LINE + _SPACE


def _wrap(entry: Entry, width: float) -> tuple[str, ...]:
    return wrap_name(entry.text, width - _SAMPLE - 10, _SIZE)


def _draw_sample(axes: "Axes", sign: Sign, left: float, middle: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    def add_box(start: float, width: float, face: str, edge: str, line: float) -> None:
        corner = (start, middle - _SAMPLE_HEIGHT / 2)
        style = "round,pad=0,rounding_size=2.5"
        axes.add_patch(FancyBboxPatch(corner, width, _SAMPLE_HEIGHT, style, fc=face, ec=edge, lw=line))

    right = left + _SAMPLE
    match sign:
        case Sign.SCALE:
            low, high = measure("0%", _SIZE) + 4, measure("100%", _SIZE) + 4
            step = (_SAMPLE - low - high) / _N_STEPS
            for i in range(_N_STEPS):
                corner = (left + low + i * step, middle - _SAMPLE_HEIGHT / 2)
                fill = to_fill(i / (_N_STEPS - 1))
                axes.add_patch(Rectangle(corner, step, _SAMPLE_HEIGHT, facecolor=fill, edgecolor=fill, linewidth=0.3))
            write(axes, left, middle, "0%", _SIZE)
            write(axes, right, middle, "100%", _SIZE, align="right")
        case Sign.NEUTRAL:
            add_box(right - 40, 40, NEUTRAL, FRAME, 1.0)
        case Sign.TAG:
            add_box(right - 40, 40, "white", FRAME, 0.7)
            write(axes, right - 20, middle, "0.42", _SIZE - 1, weight="bold", align="center")
        case Sign.WRONG:
            add_box(right - 40, 40, WRONG_FACE, WRONG, 1.8)
            write(axes, right - 20, middle, "0.42", _SIZE - 1, ink=WRONG, weight="bold", align="center")
        case Sign.SPURIOUS:
            axes.plot([right - 40, right], [middle, middle], color=EDGE, linewidth=1.3, linestyle=(0, DASHES))
