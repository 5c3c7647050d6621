"""What the tables of scores show, before any markup: which mean stands where, how it is printed, what marks it.

A cell has the mean over runs and the half-width of the published 95% interval, 1.96 sd/√n. What a reader may rely on:

- The best mean of a column is marked: the lowest of M1 to M3, the highest of M4. Means that look alike as printed are
  all marked, since the table shows no reason to prefer one. Where one model alone has been asked, nothing is.
- Baselines stand below the models and are never marked: they are there to be beaten.
- Failed equations are counted in their cell. They count as coefficients of 0 and as no match in M4, so the best mean
  beside such a count is to be read with care. Where every equation failed there is nothing to average: the cell is
  ``n/a``, as it is for M3 and M4 of a DAG without multi-parent variables. A cell that was not asked for is empty.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bayes.linear.baselines import Baseline
from bayes.linear.results import BASELINE_PREFIX, ONLY_TRUTH, PUBLISHED_METRICS, Metric, ResultGroup
from schemas.dag_values import ORIGINAL
from schemas.names import clean_name

_TITLES = {
    Metric.M1: "M1: distance of the coefficients",
    Metric.M2: "M2: distance of the normalised coefficients",
    Metric.M3: "M3: the same over variables with two parents or more",
    Metric.M4: "M4: variables whose coefficients are in the right order",
}
_DIRECTIONS = {True: "higher is better", False: "lower is better"}
_NOTHING = "n/a"


@dataclass(frozen=True, slots=True, order=True)
class Column:
    """What a column of cells is about."""

    dag: str
    condition: str
    truth: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean and the half-width of its interval as printed, and what marks them."""

    mean: str
    half: str
    n_failed: int
    n_runs: int | None
    is_best: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A model's cells, None where it was not asked."""

    label: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One metric over all models and columns, before it is written in any markup.

    ``lines`` say more about the columns: a label, and a text for each.
    """

    metric: Metric
    columns: tuple[Column, ...]
    lines: tuple[tuple[str, ...], ...]
    models: tuple[Row, ...]
    baselines: tuple[Row, ...]

    @property
    def title(self) -> str:
        """What the metric is and in which direction it is better."""
        return f"{_TITLES[self.metric]} ({_DIRECTIONS[self.metric.is_higher_better]})"


def sort_groups(groups: Iterable[ResultGroup]) -> list[ResultGroup]:
    """Groups in the order of tables: by DAG, condition (the original first), truth set, and model, baselines last.

    Raises:
        ValueError: two groups are of the same DAG, condition, truth set and model.
    """

    def to_key(group: ResultGroup) -> tuple[str, bool, str, str, tuple[bool, int, str]]:
        is_varied = group.condition != ORIGINAL
        return (group.dag, is_varied, group.condition, group.truth, _rank_model(group.model))

    ordered = sorted(groups, key=to_key)
    for before, after in pairwise(ordered):
        if to_key(before) == to_key(after):
            raise ValueError(f"{after.model} has two groups for DAG {after.dag}, condition {after.condition}")
    return ordered


def _rank_model(model: str) -> tuple[bool, int, str]:
    """Models by name; baselines after them, in the order in which they are defined."""
    if not model.startswith(BASELINE_PREFIX):
        return (False, 0, model)
    known = [BASELINE_PREFIX + baseline.value for baseline in Baseline]
    return (True, known.index(model) if model in known else len(known), model)


def to_tables(groups: Sequence[ResultGroup]) -> list[Table]:
    """A table for each of M1 to M4, or none where no group is scored; the groups are sorted.

    Raises:
        ValueError: two groups of a column differ in their number of multi-parent variables.
    """
    scored = [group for group in groups if group.is_scored]
    columns = tuple(dict.fromkeys(to_column(group) for group in scored))
    models = sorted({group.model for group in scored}, key=_rank_model)
    found = {(group.model, to_column(group)): group for group in scored}
    shows_runs = len({group.n_runs for group in scored}) > 1
    tables: list[Table] = []
    for metric in PUBLISHED_METRICS if scored else ():
        best = find_best(scored, metric)
        rows: dict[str, Row] = {}
        for model in models:
            members = [found.get((model, column)) for column in columns]
            cells = (
                _to_cell(group, metric, is_best=(model, to_column(group)) in best, shows_runs=shows_runs)
                if group
                else None
                for group in members
            )
            rows[model] = Row(model, tuple(cells))
        lines = _to_lines(columns, metric, _to_maxima(scored))
        apart = {model for model in models if model.startswith(BASELINE_PREFIX)}
        asked = tuple(row for model, row in rows.items() if model not in apart)
        tables.append(Table(metric, columns, lines, asked, tuple(rows[model] for model in models if model in apart)))
    return tables


def to_column(group: ResultGroup) -> Column:
    """Where the scores of a group stand."""
    return Column(group.dag, group.condition, group.truth)


def _to_maxima(groups: Sequence[ResultGroup]) -> dict[Column, str]:
    maxima: dict[Column, set[int]] = {}
    for group in groups:
        maxima.setdefault(to_column(group), set()).add(group.m4_max or 0)
    for column, numbers in maxima.items():
        if len(numbers) > 1:
            raise ValueError(f"the groups of DAG {column.dag}, condition {column.condition}, are not of one graph")
    return {column: str(number) for column, (number,) in maxima.items()}


def _to_lines(columns: Sequence[Column], metric: Metric, maxima: Mapping[Column, str]) -> tuple[tuple[str, ...], ...]:
    lines: list[tuple[str, ...]] = []
    if any(column.condition != ORIGINAL for column in columns):
        lines.append(("condition", *(column.condition for column in columns)))
    if any(column.truth != ONLY_TRUTH for column in columns):
        lines.append(("truth set", *(column.truth for column in columns)))
    if metric is Metric.M4:
        lines.append(("maximum", *(maxima[column] for column in columns)))
    return tuple(lines)


def is_measured(group: ResultGroup, metric: Metric) -> bool:
    """Whether a group has a mean worth showing: some equation, and for M3 and M4 some multi-parent variable."""
    if group.is_all_failed or group.find_distribution(metric) is None:
        return False
    return bool(group.m4_max) or metric not in {Metric.M3, Metric.M4}


def find_best(groups: Sequence[ResultGroup], metric: Metric) -> set[tuple[str, Column]]:
    """The models that no other of their column beats, as far as the printed means tell; see the module."""
    means: dict[Column, dict[str, float]] = {}
    for group in groups:
        found = group.find_distribution(metric)
        if found and not group.is_baseline and is_measured(group, metric):
            means.setdefault(to_column(group), {})[group.model] = found.summary.mean
    best: set[tuple[str, Column]] = set()
    for column, rivals in means.items():
        if len(rivals) > 1:
            top = max(rivals.values()) if metric.is_higher_better else min(rivals.values())
            printed = _print_mean(top, metric)
            best |= {(model, column) for model, mean in rivals.items() if _print_mean(mean, metric) == printed}
    return best


def _to_cell(group: ResultGroup, metric: Metric, *, is_best: bool, shows_runs: bool) -> Cell:
    n_runs = group.n_runs if shows_runs else None
    found = group.find_distribution(metric)
    if found is None or not is_measured(group, metric):
        return Cell(_NOTHING, "", group.n_failed_nodes, n_runs, is_best=False)
    mean, half = found.summary.mean, found.summary.normal
    text = "" if half is None or not math.isfinite(mean) else _print(half, _pick_decimals(mean, metric))
    return Cell(_print_mean(mean, metric), text, group.n_failed_nodes, n_runs, is_best)


def _pick_decimals(mean: float, metric: Metric) -> int | None:
    """How many decimals show about four significant digits; None where only an exponent can."""
    if metric is Metric.M4 or mean == 0:
        return 2 if metric is Metric.M4 else 3
    size = abs(mean)
    if not 1e-3 <= size < 1e6:
        return None
    return max(0, 3 - math.floor(math.log10(size))) if size >= 1 else 3 + (size < 0.1) + (size < 0.01)


def _print_mean(mean: float, metric: Metric) -> str:
    return _print(mean, _pick_decimals(mean, metric))


def _print(value: float, decimals: int | None) -> str:
    if value == 0 and decimals is None:
        return "0"
    return f"{value:.2e}" if decimals is None or not abs(value) < 1e9 else f"{value:.{decimals}f}"


def to_notes(groups: Sequence[ResultGroup]) -> list[str]:
    """What a reader of the tables must know, one sentence or two each; only what these groups need."""
    scored = [group for group in groups if group.is_scored]
    unscored = sorted({clean_name(group.dag) for group in groups if not group.is_scored})
    notes: list[str] = []
    outside = [group for group in groups if group.n_outside]
    if outside:
        counts = ", ".join(
            f"{clean_name(group.model)} on {clean_name(group.dag)} {group.n_outside} of {group.n_runs * group.n_nodes}"
            for group in outside
        )
        notes.append(f"Equations that leave the bounds of their variable, taken after the last round: {counts}.")
    if scored:
        runs = sorted({group.n_runs for group in scored})
        if len(runs) == 1:
            notes.append(
                f"Mean over {runs[0]} run{'' if runs[0] == 1 else 's'} ± half of the 95% interval, 1.96 sd/√n."
            )
        else:
            notes.append("Mean over n runs ± half of the 95% interval, 1.96 sd/√n.")
        notes.append("Bold: the best mean of a column, as printed, where several models were asked.")
    if any(group.is_baseline for group in scored):
        notes.append("Baselines are no models; they stand apart and are never bold.")
    if any(group.n_failed_nodes for group in scored):
        notes.append("†k: k equations failed over all runs; they count as coefficients of 0 and as no match in M4.")
    if any(not is_measured(group, metric) for group in scored for metric in PUBLISHED_METRICS):
        notes.append("n/a: every equation failed, or no variable has two parents.")
    if unscored:
        notes.append(f"Not scored, since no true coefficients are known: {', '.join(unscored)}.")
    return notes or ["There are no scores yet."]
