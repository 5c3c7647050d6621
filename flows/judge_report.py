"""Judges and extractions in the terminal: how right they are, and how far they agree."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bayes.judging.agreement import Agreement, Confusion
from tasks.agreement import METRICS, ExtractionAgreement
from tasks.leaderboard_tables import show_mean

_NAMES = {
    "node_f1": "node F1",
    "state_f1": "state F1",
    "edge_f1": "edge F1, matched ends",
    "edge_f1_unconditional": "edge F1, all edges",
    "cpd_kl": "CPD-KL (nats)",
    "marginal_tv": "marginals (total variation)",
}


def print_checked(
    console: Console, judge: str, checked: Mapping[str, Mapping[str, Confusion]], *, is_code: bool
) -> None:
    """A judge on labelled pairs, category by category on the part that is reported, and both parts in sum."""
    table = Table(title=Text(f"{judge} on labelled pairs, categories of the part test"), title_justify="left")
    for column in ("pairs", "n", "accuracy", "precision", "recall", "kappa"):
        table.add_column(column, justify="left" if column == "pairs" else "right")
    for category, found in checked.get("test", {}).items():
        table.add_row(Text(category), *_to_cells(found))
    table.add_section()
    for part, categories in checked.items():
        table.add_row(f"all of the part {part}", *_to_cells(sum(categories.values(), Confusion())))
    console.print(table)
    if is_code:
        console.print(Text("Word lists were made with the part tune in view; only test says how good a judge is."))


def print_two(console: Console, first: str, second: str, found: Agreement) -> None:
    """Two judges over the same pairs of names."""
    table = Table(title=Text(f"{first} and {second} over the same pairs"), title_justify="left")
    for column in ("kind", "pairs", "same for both", "only first", "only second", "agreement", "kappa"):
        table.add_column(column, justify="left" if column == "kind" else "right")
    for kind, item in (("variables", found.variables), ("states", found.states)):
        counts = map(str, (item.n, item.both, item.left_only, item.right_only))
        table.add_row(kind, *counts, _show(item.agreement), _show(item.kappa))
    console.print(table)


def print_agreement(console: Console, found: ExtractionAgreement) -> None:
    """Two extractions, either scored against the other."""
    title = f"{found.n_examples} examples that both have read, names aligned by the judge {found.judge}"
    table = Table(title=Text(title), title_justify="left")
    table.add_column("")
    for direction in found.directions:
        table.add_column(Text(f"{direction.scored} against {direction.reference}"), justify="right", overflow="fold")
    for metric in METRICS:
        table.add_row(_NAMES[metric], *(show_mean(direction.means[metric]) for direction in found.directions))
    console.print(table)
    n_tables = [direction.means["cpd_kl"].n_scored for direction in found.directions]
    console.print(
        Text(
            f"Means with 95% intervals over backbones. CPD-KL over {n_tables[0]} and {n_tables[1]} examples, those "
            "whose tables are complete on the side compared against."
        )
    )


def _to_cells(found: Confusion) -> tuple[str, ...]:
    values = (found.agreement, found.precision, found.recall, found.kappa)
    return (str(found.n), *map(_show, values))


def _show(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
