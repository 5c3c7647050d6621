"""What all pictures share: fonts and colours, text that is never markup, and files that come out the same every time.

One unit of a drawing is a typographic point (1/72 inch), and y grows downwards.
"""

import math
import unicodedata
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from bayes.spacing import wrap
from schemas.errors import InputError
from schemas.names import clean_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED = "#1f2937", "#6b7280"
FRAME, NEUTRAL, EDGE = "#94a3b8", "#e2e8f0", "#475569"

_WIDE = 1.2
_DPI = 160
_MAX_PIXELS = 60_000

# matplotlib's settings are global: a picture gets its own for as long as it is drawn, one picture at a time.
_LOCK = Lock()
_SETTINGS = {"svg.hashsalt": "prism-bn", "svg.fonttype": "none", "path.simplify": False}


def to_kind(path: Path) -> str:
    """``svg`` or ``png``, by the suffix of a picture's path.

    Raises:
        InputError: the suffix is another.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in {"svg", "png"}:
        raise InputError(f"cannot draw {path.name!r}: a picture is a .svg or a .png file")
    return kind


@contextmanager
def painting() -> Generator[None]:
    """The settings of a picture, whatever the user's are; every use of matplotlib belongs inside."""
    from matplotlib import style

    with _LOCK, style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # Scripts that the bundled fonts lack are shown as placeholder glyphs; that is no news for the user's log.
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        yield


def to_sheet(width: float, height: float) -> "tuple[Figure, Axes]":
    """An empty white picture, and axes that cover it with the origin at the top left."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), facecolor="white")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    return figure, axes


def save(figure: "Figure", path: Path) -> None:
    """Write a picture, without a date or anything else that changes from one day to the next.

    Raises:
        InputError: the suffix is neither ``.svg`` nor ``.png``, or the file cannot be written.
    """
    kind = to_kind(path)
    # Agg has a limit; what is larger than any network of an article gets coarser.
    dpi = min(_DPI, _MAX_PIXELS / max(figure.get_size_inches()))
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    try:
        figure.savefig(path, format=kind, dpi=dpi, metadata=metadata)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another place") from error


def to_short(value: float) -> str:
    """A number in about three significant digits, none of those before the point dropped.

    Example:
        >>> to_short(-0.0083262), to_short(2463.54), to_short(1.2e-7), to_short(0.0)
        ('−0.00833', '2464', '1.2e−7', '0')
    """
    size = abs(value)
    if not math.isfinite(value):
        text = "?" if math.isnan(value) else f"{'-' if value < 0 else ''}∞"
    elif size and not 1e-4 <= size < 1e6:
        mantissa, exponent = f"{value:.2e}".split("e")
        text = f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    else:
        text = f"{value:.0f}" if size >= 100 else f"{value:.3g}"
    return text.replace("-", "−")


def wrap_name(text: str, width: float, size: float, weight: str = "normal") -> tuple[str, ...]:
    """A cleaned name in lines no wider than ``width``; a question mark where nothing visible is left of it."""
    return wrap(clean_name(text) or "?", width, lambda line: measure(line, size, weight))


def measure(text: str, size: float, weight: str = "normal") -> float:
    """The width of a text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    # East Asian text is set in a font of its own, every character about as wide as the font's size.
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    rest = "".join(char for char in text if unicodedata.east_asian_width(char) not in "WF")
    width, _, _ = text_to_path.get_text_width_height_descent(
        rest, FontProperties(size=size, weight=weight), ismath=False
    )
    return width + wide * size * _WIDE


def write(
    axes: "Axes",
    x: float,
    y: float,
    line: str,
    size: float,
    *,
    ink: str = INK,
    weight: str = "normal",
    align: str = "left",
    order: float = 3.4,
) -> None:
    """Write one line, its middle at y; ``order`` says what it lies above."""
    # parse_math=False: a name may hold dollar signs, and they are not the start of a formula.
    text = axes.text(x, y, line, size=size, color=ink, weight=weight, ha=align, va="center_baseline", parse_math=False)
    text.set_zorder(order)
