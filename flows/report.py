"""What the commands print: the summary of a build, an estimate. Names are data and never markup."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bayes.network import Network
from flows.terminal import render_cpd, render_description, render_network
from schemas.calls import Failure
from schemas.dags import DagFile
from schemas.errors import InputError
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary, RunSummary
from storage.layout import list_backbones
from storage.networks import read_backbone
from storage.records import find_example
from storage.verification import VerificationReport

if TYPE_CHECKING:  # it brings Prefect along, which `prism show` and `prism verify` need not wait for
    from tasks.estimation import BuildEstimate

LOCAL_NOTE = (
    "The local model has 135 million parameters: it proves the whole path of a hosted model and writes nonsense."
)
OFFLINE_NOTE = (
    "The offline model is no language model: sample articles replay replies recorded for this project, any other "
    "text is read by rules in code. It shows how the pipeline works; for a corpus worth using choose one with --model."
)
MOST_FAILURES = 12


def print_summary(console: Console, summary: RunSummary) -> None:
    """The counts, the calls, and what failed and why."""
    console.print()
    counts = _to_grid(
        [
            *summary.counts,
            ("files", f"{summary.n_files}, {summary.n_changed_files} of them changed"),
            ("seconds", f"{summary.seconds:.1f}"),
        ]
    )
    console.print(Panel(counts, title=Text(f"{summary.title} {summary.outcome}"), expand=False))
    if summary.stages:
        console.print(_to_call_table(summary))
    if summary.failures:
        console.print(_to_failure_table(summary.failures))
        n_hidden = sum(map(len, group_failures(summary.failures)[MOST_FAILURES:]))
        if n_hidden:
            console.print(_to_reason_table(summary.failures))
            console.print(Text(f"and {n_hidden} more in the table failures"))


def print_build(console: Console, summary: BuildSummary) -> None:
    """The summary of a build, one example, and where the tables are."""
    print_summary(console, summary)
    if summary.first_example:
        _print_example(console, Path(summary.data), summary.first_example)
    console.print(Text(f"Tables: {Path(summary.data)}/<table>/domain=…/backbone=…/part.parquet"))


def _print_example(console: Console, data: Path, example: str) -> None:
    shown = find_network(data, example)
    console.print()
    console.print(
        Panel(Group(render_network(shown.network), Text(), render_description(shown.text)), title=Text(shown.id))
    )
    console.print(Text(f"More of it: prism show {example}" + (f" --data {data}" if str(data) != "data" else "")))


@dataclass(frozen=True, slots=True, eq=False)
class ShownNetwork:
    """A network and what is printed with it; a backbone has no text."""

    id: str
    title: str
    network: Network
    text: str
    facts: tuple[tuple[str, str], ...]


def find_network(data: Path, name: str) -> ShownNetwork:
    """The example or backbone of this id.

    Raises:
        InputError: there is none.
    """
    row = find_example(data, name)
    if row is not None:
        facts = (
            ("domain", row.domain),
            ("backbone", row.backbone),
            ("split", row.split),
            ("written by", f"{row.writer}, attempt {row.attempts}"),
        )
        return ShownNetwork(name, name, row.network, row.text, facts)
    for key in list_backbones(data):
        if key.backbone == name:
            network = read_backbone(data, *key)
            if network is not None:
                return ShownNetwork(name, name, network, "", (("domain", key.domain),))
    raise InputError(f"{data}: holds no example or backbone called {name!r}; the table examples lists the ids")


def print_network(console: Console, shown: ShownNetwork, *, is_full: bool) -> None:
    """Drawing, facts, description and CPDs."""
    console.print(Text(shown.id, style="bold"))
    console.print(_to_grid(shown.facts))
    console.print()
    console.print(render_network(shown.network))
    if shown.text:
        console.print()
        console.print(render_description(shown.text))
    for variable in shown.network.variables:
        console.print()
        console.print(render_cpd(shown.network, variable.name, full=is_full))


def _to_grid(rows: Sequence[tuple[str, str]]) -> Table:
    grid = Table.grid(padding=(0, 2))
    for name, value in rows:
        grid.add_row(Text(name), Text(value))
    return grid


def _to_call_table(summary: RunSummary) -> Table:
    table = Table(title="model calls, their tokens in and out, and items that were lost", title_justify="left")
    table.add_column("stage", overflow="fold")
    for column in ("calls", "cached", "in", "out", "US dollars", "lost"):
        table.add_column(column, justify="right")
    for stage in summary.stages:
        table.add_row(
            stage.stage,
            str(stage.n_calls),
            str(stage.n_cached),
            str(stage.tokens_in),
            str(stage.tokens_out),
            stage.cost,
            str(stage.n_failures),
        )
    return table


def _to_failure_table(failures: Sequence[Failure]) -> Table:
    table = Table(title="what was lost, and why", title_justify="left")
    for column in ("stage", "item", "reason", "detail"):
        table.add_column(column, overflow="fold")
    for alike in group_failures(failures)[:MOST_FAILURES]:
        first = alike[0]
        others = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        table.add_row(*map(Text, (first.stage, first.item + others, first.reason, first.detail)))
    return table


def group_failures(failures: Sequence[Failure]) -> list[list[Failure]]:
    """Failures that differ in their item only, together, in the order of the first: a dead service fails many alike."""
    groups: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in failures:
        groups.setdefault((failure.stage, failure.reason, failure.detail), []).append(failure)
    return list(groups.values())


def _to_reason_table(failures: Sequence[Failure]) -> Table:
    table = Table(title="all that failed", title_justify="left")
    for column in ("stage", "reason", "of", "failures"):
        table.add_column(column, overflow="fold", justify="right" if column == "failures" else "left")
    counts = Counter((item.stage, item.reason, f"{item.domain}/{item.backbone}") for item in failures)
    for (stage, reason, backbone), n in counts.most_common(MOST_FAILURES):
        table.add_row(*map(Text, (stage, reason, backbone)), str(n))
    return table


def print_verification(console: Console, verification: VerificationReport) -> None:
    """What was looked at, and what is wrong."""
    table = Table(title="verified", title_justify="left")
    for column in ("table", "files", "rows"):
        table.add_column(column, justify="left" if column == "table" else "right")
    for count in verification.tables:
        table.add_row(count.table, str(count.n_files), str(count.n_rows))
    console.print(table)
    counted = f"{verification.n_backbones} backbones, {verification.n_networks} networks"
    if verification.is_sound:
        checked = {
            "cpds": "CPDs are what pyAgrum recovers from elicited tables",
            "scores": "scores of predictions are what scoring them again gives",
            "scm_scores": "scores of equations are what their coefficients give",
        }
        there = {count.table for count in verification.tables}
        done = "; ".join(text for table, text in checked.items() if table in there)
        console.print(Text(f"{counted}: sound. " + (f"Recomputed: {done}." if done else "")))
        return
    for finding in verification.findings:
        console.print(Text(f"{finding.file}: {finding.what}"))
    console.print(Text(f"{counted}: {len(verification.findings)} findings"))


def print_dags(console: Console, dags: Sequence[DagFile]) -> None:
    """What each DAG has: its size, how many variables have an open bound, its truth sets and conditions."""
    table = Table()
    for column in ("dag", "vars", "edges", "truth", "conditions"):
        table.add_column(column, justify="right" if column in {"vars", "edges"} else "left", overflow="fold")
    for dag in dags:
        n_open = sum(None in (item.lower, item.upper) for item in dag.variables.values())
        name = Text(dag.name)
        name.append(f"\n{dag.domain}", style="dim")
        variables = f"{len(dag.variables)}" + (f"\n{n_open} open" if n_open else "")
        sets, conditions = ("\n".join(names) or "-" for names in (dag.truth_sets, dag.conditions))
        table.add_row(name, variables, str(len(dag.edges)), Text(sets), Text(conditions))
    console.print(table)


def print_estimate(console: Console, settings: BuildSettings, estimate: "BuildEstimate") -> None:
    """A table of calls, tokens and cost by stage."""
    title = f"expected for {estimate.n_articles} articles and {estimate.n_examples} examples"
    table = Table(title=title, title_justify="left", show_footer=True)
    totals = {
        "stage": "total",
        "calls": f"{sum(stage.n_calls for stage in estimate.stages)}",
        "tokens in": f"{sum(stage.tokens_in for stage in estimate.stages)}",
        "tokens out": f"{sum(stage.tokens_out for stage in estimate.stages)}",
        "US dollars": _show_cost([stage.cost_usd for stage in estimate.stages]),
    }
    table.add_column("stage", footer=totals["stage"])
    table.add_column("model")
    for column in ("calls", "tokens in", "tokens out", "US dollars"):
        table.add_column(column, footer=totals[column], justify="right")
    for stage in estimate.stages:
        table.add_row(
            stage.stage,
            Text(stage.model),
            str(stage.n_calls),
            str(stage.tokens_in),
            str(stage.tokens_out),
            _show_cost([stage.cost_usd]),
        )
    console.print(table)
    console.print(Text(estimate.basis))
    if settings.max_usd is not None:
        console.print(Text(f"Ceiling: {settings.max_usd:.2f} US dollars (--max-usd). Cached replies cost nothing."))
    console.print(Text("Nothing was called and nothing written."))


def _show_cost(costs: Sequence[float | None]) -> str:
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return f"{sum(known):.4f} + unknown" if known else "unknown"
    return f"{sum(known):.4f}"
