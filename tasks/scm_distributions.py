"""The published metrics of one DAG as a picture: every run as a dot, models below each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from bayes.linear.results import ONLY_TRUTH, PUBLISHED_METRICS, Distribution, Metric, ResultGroup
from schemas.dag_values import ORIGINAL
from schemas.names import clean_name
from tasks.canvas import INK, MUTED, painting, save, to_kind, to_short, wrap_name
from tasks.scm_cells import is_measured, sort_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABEL_WIDTH, _PANEL_WIDTH, _PANEL_GAP, _MARGIN = 170.0, 165.0, 22.0, 14.0
_ROW, _TOP, _FOOT = 30.0, 54.0, 60.0
_SIZE, _SMALL, _TITLE_SIZE = 8.0, 7.5, 13.0
_MAX_LINES, _MAX_MODEL = 3, 50
_MODEL, _BASELINE, _MEAN = "#0072b2", "#8a8f98", "#d55e00"
_BOX_FROM = 5
# Jitter from the golden ratio: neighbouring runs never lie on one another, and no chance is involved.
_GOLDEN, _SPREAD = 0.6180339887498949, 0.44
_DECADES = 100.0
_NEAR = 10.0
_LARGEST = 1e100

_TITLES = {
    Metric.M1: "M1: distance",
    Metric.M2: "M2: normalised",
    Metric.M3: "M3: several parents",
    Metric.M4: "M4: right orders",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A group and its label; ``y`` grows downwards."""

    group: ResultGroup
    label: str
    y: float


def draw_scores(groups: Sequence[ResultGroup], path: Path, *, title: str = "") -> None:
    """Draw M1 to M4 of every run for one DAG into an SVG or PNG file; the same groups give the same file.

    One row per model, baselines below, and one per condition and truth set where there are several. Each has a dot per
    run, a box from the first to the third quartile with the median where there are five runs or more, and the mean
    with its published 95% interval; it is ``n/a`` where it is in the tables. A dotted line shows the maximum of M4. M1
    has a logarithmic axis where its values differ by a factor of 100; zeros then stand at its left end. The axis is
    made for the models: a baseline ten times off it is an arrow with its mean. The order of the groups does not matter.

    Args:
        groups: all of one DAG; those without a truth are left out.
        path: where to; the suffix, ``.svg`` or ``.png``, says which.
        title: a line above the drawing; the name of the DAG by default.

    Raises:
        InputError: the suffix is another, or the file cannot be written.
        ValueError: the groups are of several DAGs, or none of them is scored.
    """
    scored = [group for group in sort_groups(groups) if group.is_scored]
    if len({group.dag for group in groups}) != 1 or not scored:
        raise ValueError("a picture of scores needs groups of one DAG, at least one of them with a truth")
    to_kind(path)
    with painting():
        _paint(_to_rows(scored), title or scored[0].dag, path)


def _to_rows(groups: Sequence[ResultGroup]) -> list[_Row]:
    has_conditions = any(group.condition != ORIGINAL for group in groups)
    has_truths = len({group.truth for group in groups}) > 1 or any(group.truth != ONLY_TRUTH for group in groups)
    rows: list[_Row] = []
    ordered = sorted(groups, key=lambda group: group.is_baseline)
    for place, (is_baseline, members) in enumerate(groupby(ordered, key=lambda group: group.is_baseline)):
        for group in members:
            extras = [group.condition] * has_conditions + [group.truth] * has_truths
            if group.n_failed_nodes:
                extras.append(f"{group.n_failed_nodes} of {group.n_runs * group.n_nodes} equations failed")
            name = group.model if len(group.model) <= _MAX_MODEL else f"{group.model[:_MAX_MODEL]}…"
            label = name + (f" ({', '.join(extras)})" if extras else "")
            # Baselines stand a little apart from what they are there to judge.
            rows.append(_Row(group, label, len(rows) + 0.4 * place * is_baseline))
    return rows


def _paint(rows: Sequence[_Row], title: str, path: Path) -> None:
    from matplotlib.figure import Figure

    n_panels = len(PUBLISHED_METRICS)
    width = 2 * _MARGIN + _LABEL_WIDTH + n_panels * (_PANEL_WIDTH + _PANEL_GAP)
    tall = (rows[-1].y + 1) * _ROW
    height = _TOP + tall + _FOOT
    figure = Figure(figsize=(width / 72, height / 72), facecolor="white")
    heading = _clip(wrap_name(title, width - 2 * _MARGIN, _TITLE_SIZE, "bold"), 1)
    figure.text(0.5, 1 - 20 / height, heading, size=_TITLE_SIZE, weight="bold", ha="center", parse_math=False)
    for place, metric in enumerate(PUBLISHED_METRICS):
        left = _MARGIN + _LABEL_WIDTH + place * (_PANEL_WIDTH + _PANEL_GAP) + _PANEL_GAP / 2
        axes = figure.add_axes((left / width, _FOOT / height, _PANEL_WIDTH / width, tall / height))
        _draw_panel(axes, rows, metric)
        if place == 0:
            labels = [_clip(wrap_name(row.label, _LABEL_WIDTH - 10, _SIZE), _MAX_LINES) for row in rows]
            axes.set_yticks([row.y for row in rows], labels, size=_SIZE, color=INK, parse_math=False)
        else:
            axes.set_yticks([])
    note = (
        "Dots: runs. Box: quartiles and median, from 5 runs. Diamond: mean with 95% interval, 1.96 sd/√n. "
        "A failed equation counts as coefficients of 0."
    )
    figure.text(0.5, 14 / height, note, size=_SMALL, color=MUTED, ha="center")
    save(figure, path)


def _draw_panel(axes: "Axes", rows: Sequence[_Row], metric: Metric) -> None:
    axes.set_ylim(rows[-1].y + 0.6, -0.6)
    axes.set_title(_TITLES[metric], size=9, weight="bold", color=INK)
    axes.set_xlabel(f"{'higher' if metric.is_higher_better else 'lower'} is better", size=_SMALL, color=MUTED)
    axes.tick_params(labelsize=_SMALL, colors=INK)
    axes.grid(visible=True, axis="x", color="#e5e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    shown = [row.group for row in rows if is_measured(row.group, metric)]
    _scale(axes, metric, shown)
    for row in rows:
        found = row.group.find_distribution(metric)
        if found is None or not is_measured(row.group, metric):
            _write_beside(axes, row, "n/a", at=0.02)
        else:
            _draw_row(axes, row, found)


def _scale(axes: "Axes", metric: Metric, groups: Sequence[ResultGroup]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    if metric is Metric.M4:
        most = max((group.m4_max or 0 for group in groups), default=0)
        axes.set_xlim(-0.05 * max(most, 1), 1.08 * max(most, 1))
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.axvline(most, color=MUTED, linewidth=0.9, linestyle=":")
        return
    values = _pick_values(groups, metric)
    positive = [value for value in values if value > 0]
    if metric is not Metric.M1 or not positive or max(positive) / min(positive) < _DECADES:
        most = max(positive, default=1.0)
        axes.set_xlim(-0.04 * most, 1.06 * most)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        return
    low, high = math.log10(min(positive)), math.log10(max(positive))
    if len(positive) < len(values):
        # A decade of its own for the zeros, which have no logarithm.
        axes.set_xscale("symlog", linthresh=10.0 ** math.floor(low), linscale=1.0)
        axes.set_xlim(-(10.0 ** (math.floor(low) - 1)), 10 ** (high + 0.2))
        step = max(1, math.ceil((high - low + 1) / 5))
        axes.set_xticks([0.0, *(10.0**power for power in range(math.floor(low), math.floor(high) + 1, step))])
    else:
        axes.set_xscale("log")
        axes.set_xlim(10 ** (low - 0.15), 10 ** (high + 0.15))
        axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(_print_tick))


def _print_tick(value: float, _: int | None) -> str:
    return f"{value:g}"


def _pick_values(groups: Sequence[ResultGroup], metric: Metric) -> list[float]:
    """The values that the axis is made for: of the models, and of baselines that are not far off."""
    values: dict[bool, list[float]] = {True: [], False: []}
    for group in groups:
        if found := group.find_distribution(metric):
            values[group.is_baseline] += _keep_drawable(found.values)
    models = [value for value in values[False] if value > 0]
    if metric is not Metric.M1 or not models:
        return values[False] + values[True]
    near = [value for value in values[True] if min(models) / _NEAR <= value <= max(models) * _NEAR]
    return values[False] + near


def _draw_row(axes: "Axes", row: _Row, found: Distribution) -> None:
    values = _keep_drawable(found.values)
    mean, half = found.summary.mean, found.summary.normal
    left, right = axes.get_xlim()
    if not left <= mean <= right:
        text = f"← {to_short(mean)}" if mean < left else f"{to_short(mean)} →"
        _write_beside(axes, row, text, at=0.02 if mean < left else 0.98)
        return
    colour = _BASELINE if row.group.is_baseline else _MODEL
    if len(values) >= _BOX_FROM and min(values) < max(values):
        axes.boxplot(
            [values],
            positions=[row.y],
            widths=0.62,
            orientation="horizontal",
            manage_ticks=False,
            showfliers=False,
            showcaps=False,
            patch_artist=True,
            boxprops={"facecolor": "#eef2f7", "edgecolor": colour, "linewidth": 0.8},
            medianprops={"color": colour, "linewidth": 1.4},
            whiskerprops={"color": colour, "linewidth": 0.8},
        )
    offsets = [(((i + 1) * _GOLDEN) % 1 - 0.5) * _SPREAD for i in range(len(values))]
    places = [row.y + offset for offset in offsets] if len(values) > 1 else [row.y]
    axes.scatter(values, places, s=9, color=colour, alpha=0.55, linewidths=0, zorder=3)
    if half is not None and math.isfinite(half):
        # No metric is negative.
        axes.plot([max(0.0, mean - half), mean + half], [row.y, row.y], color=_MEAN, linewidth=1.6, zorder=4)
    axes.scatter([mean], [row.y], s=26, marker="D", color=_MEAN, edgecolors="white", linewidths=0.6, zorder=5)


def _write_beside(axes: "Axes", row: _Row, text: str, *, at: float) -> None:
    """Write in place of what cannot be drawn, at a share of the width of the panel."""
    axes.text(
        at,
        row.y,
        text,
        transform=axes.get_yaxis_transform(),
        size=_SMALL,
        color=MUTED,
        ha="left" if at < 0.5 else "right",
        va="center",
    )


def _keep_drawable(values: Sequence[float]) -> list[float]:
    """The values that an axis can hold; a model that answers 1e200 has left every scale."""
    return [value for value in values if math.isfinite(value) and abs(value) < _LARGEST]


def _clip(lines: Sequence[str], most: int) -> str:
    kept = list(lines[:most])
    if len(lines) > most:
        kept[-1] = f"{clean_name(kept[-1])[:-1]}…"
    return "\n".join(kept)
