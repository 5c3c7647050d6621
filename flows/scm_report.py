"""What is shown of elicited equations: scores in the terminal, tables and figures in a folder."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from bayes.linear.model import LinearDag, LinearVariable, Truth
from bayes.linear.results import PUBLISHED_METRICS, Metric, ResultGroup
from bayes.linear.summaries import Summary
from schemas.errors import InputError
from schemas.slugs import to_slug
from schemas.summaries import ScmSummary
from storage.scm import UnitComparison, read_groups

_SUFFIXES = (".svg", ".png")

SCORES_NOTE = (
    "Mean ± 95% interval over runs (1.96 sd/sqrt n). M1 to M3 are distances, less is better; M4 counts the variables "
    "with several parents whose coefficients are ordered right. docs/linear-scm.md explains them."
)


def print_scores(console: Console, summary: ScmSummary) -> None:
    """A table a DAG, a row a model; where the tables are, and how to draw them."""
    groups = [result.summarise() for result in summary.results]
    for (dag, condition, truth), rows in groupby(groups, key=lambda group: (group.dag, group.condition, group.truth)):
        title = f"{dag}, {condition}" + (
            f", scored with the truth set {truth}" if truth else ", no truth to score with"
        )
        console.print(_to_table(title, list(rows)))
    if any(group.is_scored for group in groups):
        console.print(Text(SCORES_NOTE))
    place = "" if summary.data == "data" else f" --data {summary.data}"
    console.print(
        Text(f"Tables: {Path(summary.data)}/scm_<table>/domain=…/backbone=…. Figures: prism scm report{place}")
    )


def _to_table(title: str, groups: Sequence[ResultGroup]) -> Table:
    table = Table(title=Text(title), title_justify="left")
    table.add_column("model", overflow="fold", min_width=20)
    for column in ("M1", "M2", "M3", "M4"):
        table.add_column(column, justify="right", no_wrap=True)
    for group in groups:
        name = Text(group.model)
        name.append(f"\n{_count(group)}", style="dim")
        table.add_row(name, *(_show(group, metric) for metric in PUBLISHED_METRICS))
    return table


def _show(group: ResultGroup, metric: Metric) -> str:
    found = group.find_distribution(metric)
    if found is None or group.is_all_failed:
        return "n/a"
    shown = _show_summary(found.summary)
    return f"{shown} of {group.m4_max}" if metric is Metric.M4 else shown


def _count(group: ResultGroup) -> str:
    """Runs and equations, and how many of these are not what was asked for."""
    of = f" of {group.n_runs * group.n_nodes}"
    odd = [
        f"{group.n_failed_nodes}{of} failed" if group.n_failed_nodes else "",
        f"{group.n_outside}{of} out of bounds" if group.n_outside else "",
    ]
    return ", ".join(filter(None, (f"{group.n_runs} runs", *odd)))


def _show_summary(summary: Summary) -> str:
    return f"{summary.mean:.4g}" + (f" ± {summary.normal:.2g}" if summary.normal else "")


def write_report(console: Console, data: Path, comparisons: Sequence[UnitComparison], out: Path) -> tuple[Path, ...]:
    """Write the tables and figures of all results of a data folder into ``out``: what was drawn, in order.

    ``scores.md``, ``.csv`` and ``.tex`` have models by DAG; ``units.csv`` whether answers agree in other units, if any
    were asked for; ``<dag>.svg`` has the distributions of M1 to M4, and ``<dag>-<condition>-<model>.svg`` the DAG with
    elicited and true coefficients. Each figure is there as PNG as well.

    Raises:
        InputError: there are no results, or a file cannot be written.
    """
    from tasks.scm_distributions import draw_scores
    from tasks.scm_figures import draw_equations
    from tasks.scm_tables import sort_groups, write_tables
    from tasks.scm_units import write_units

    groups = sort_groups(read_groups(data))
    if not groups:
        raise InputError(f"{data}: holds no equations; run `prism scm` first")
    files = [*write_tables(groups, out)]
    if comparisons:
        files.append(write_units(comparisons, out))
    by_dag = groupby(sorted(groups, key=lambda group: group.dag), key=lambda group: group.dag)
    figures: list[tuple[Path, Callable[[Path], None]]] = []
    for dag, found in by_dag:
        of_dag = list(found)
        if any(group.is_scored for group in of_dag):
            figures.append((out / dag, partial(draw_scores, of_dag, title=dag)))
        for group in of_dag:
            stem = "-".join(to_slug(part) for part in (dag, group.condition, group.truth, group.model) if part)
            figures.append((out / stem, partial(draw_equations, _to_dag(group), group)))
    for stem, draw in track(figures, description="figures", console=console, transient=True):
        for suffix in _SUFFIXES:
            files.append(stem.with_name(stem.name + suffix))
            draw(files[-1])
    return tuple(files)


def print_units(console: Console, comparisons: Sequence[UnitComparison]) -> None:
    """Whether models say the same in other units, where they were asked in both."""
    if not comparisons:
        return
    table = Table(title="the same in other units?", title_justify="left")
    for column in ("dag", "condition", "model", "relative distance", "same sign"):
        table.add_column(column, overflow="fold")
    for item in comparisons:
        distance = item.invariance.relative_distance
        cells = (
            item.series.dag,
            item.series.variant,
            item.series.model,
            "-" if distance is None else f"{distance:.3g}",
        )
        table.add_row(*map(Text, cells), f"{item.invariance.same_sign:.0%}")
    console.print(table)
    console.print(
        Text("Coefficients converted back to the original units against those elicited in them; 0 is the same.")
    )


def _to_dag(group: ResultGroup) -> LinearDag:
    """The graph of a group; its bounds are not needed for drawing."""
    edges = tuple(item.edge for item in group.edges)
    names = dict.fromkeys(name for edge in edges for name in edge)
    truth = {item.edge: item.truth for item in group.edges if item.truth is not None}
    known = Truth(truth, {}, {}) if len(truth) == len(edges) else None
    return LinearDag(tuple(map(LinearVariable, names)), edges, known)
