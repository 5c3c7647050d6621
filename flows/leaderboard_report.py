"""A leaderboard in the terminal: means with their intervals below, and anchors."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bayes.scoring.aggregation import Mean, RankCorrelation
from schemas.leaderboard import Leaderboard, ModelResult
from tasks.leaderboard_tables import show_sigma

COLUMNS = (
    ("node_f1", "nodes"),
    ("state_f1", "states"),
    ("edge_f1", "edges"),
    ("edge_f1_unconditional", "all"),
    ("cpd_kl", "CPD-KL"),
)
"""The metrics that fit into 80 columns; ``--out`` writes all of them."""

NOTE = (
    "F1 of nodes, states, edges between matched nodes, and all edges; CPD-KL in nats; 95% intervals over backbones "
    "below. Failed predictions count as nothing found; they have no tables and are not in CPD-KL. cov.: columns that "
    "had a prediction. sigma: Gaussian noise on the reference with the same CPD-KL; - where no noise is as bad. "
    "docs/benchmark.md explains every column."
)


def print_leaderboard(console: Console, board: Leaderboard) -> None:
    """A row a model, the anchors, and a note on how to read them."""
    title = f"judge {board.judge}, {board.mode} tables, {board.n_examples} examples of {board.n_backbones} backbones"
    table = Table(title=Text(title), title_justify="left", pad_edge=False)
    table.add_column("model", overflow="fold", min_width=16)
    for column in (*(name for _, name in COLUMNS), "sigma"):
        table.add_column(column, justify="right", no_wrap=True)
    for result in board.models:
        name = Text(result.model)
        name.append(f"\n{_count(result)}", style="dim")
        cells = [_to_cell(result.means[metric]) for metric, _ in COLUMNS]
        coverage = result.means["cpd_coverage"].mean
        if coverage is not None:
            cells[-1].append(f"\ncov. {coverage:.0%}", style="dim")
        table.add_row(name, *cells, show_sigma(result.sigma))
    table.add_section()
    for anchor in board.anchors:
        kl = anchor.means["cpd_kl"]
        table.add_row(Text(f"anchor {anchor.name}"), *("",) * 4, "-" if kl is None else f"{kl:.3f}", "")
    console.print(table)
    console.print(Text(NOTE))


def _to_cell(mean: Mean) -> Text:
    if mean.mean is None:
        return Text("-")
    cell = Text(f"{mean.mean:.3f}")
    if mean.low is not None and mean.high is not None:
        cell.append(f"\n{_clip(mean.low)}-{_clip(mean.high)}", style="dim")
    return cell


def _clip(value: float) -> str:
    """At most three characters, so that two ends fit beside each other."""
    if value >= 9.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


def _count(result: ModelResult) -> str:
    odd = {"failed": result.n_failed, "partial": result.n_partial, "cut short": result.n_truncated}
    shown = ", ".join(f"{n} {what}" for what, n in odd.items() if n)
    return f"{result.n_examples} examples" + (f": {shown}" if shown else "")


def print_correlations(console: Console, other: str, correlations: dict[str, RankCorrelation]) -> None:
    """How far two corpora agree on the order of the models, metric by metric."""
    table = Table(title=Text(f"order of the models, here and in {other}"), title_justify="left")
    for column in ("metric", "models", "Spearman", "Kendall"):
        table.add_column(column, justify="left" if column == "metric" else "right")
    for metric, found in correlations.items():
        values = ("-" if value is None else f"{value:.2f}" for value in (found.spearman, found.kendall))
        table.add_row(metric, str(found.n), *values)
    console.print(table)
