"""What a run leaves in the Prefect UI: a summary, a table of failures, and a state that tells the truth."""

from pathlib import Path
from typing import Any

from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Cancelled, Completed, Failed

from schemas.leaderboard import Leaderboard
from schemas.summaries import Outcome, RunSummary
from tasks.leaderboard_tables import HEADER, to_anchor_cells, to_cells
from tasks.leaderboard_tables import to_markdown as write_leaderboard_markdown
from tasks.markdown import escape, to_table

MOST_FAILURES = 200


async def publish_summary(summary: RunSummary, key: str) -> None:
    """Attach the summary and the failures to the flow run, as the artifacts ``<key>-summary`` and ``<key>-failures``.

    Failures are Markdown too: the UI renders the cells of a table artifact as markup, and titles are data.
    """
    await acreate_markdown_artifact(key=f"{key}-summary", markdown=to_markdown(summary), description=summary.headline)
    if summary.failures:
        rows = [
            (failure.item, failure.reason, failure.detail, failure.stage, f"{failure.domain}/{failure.backbone}")
            for failure in summary.failures[:MOST_FAILURES]
        ]
        table = to_table(("item", "reason", "detail", "stage", "backbone"), rows)
        more = len(summary.failures) - len(rows)
        note = f"\n\nand {more} more in the table failures" if more else ""
        await acreate_markdown_artifact(
            key=f"{key}-failures", markdown=table + note, description="What failed, and why"
        )


async def publish_markdown(markdown: str, key: str, description: str) -> None:
    """Attach a result in Markdown to the flow run."""
    await acreate_markdown_artifact(key=key, markdown=markdown, description=description)


async def publish_leaderboard(board: Leaderboard) -> None:
    """Attach a leaderboard to the flow run: as a table to look at, and in Markdown with all that belongs to it."""
    found = [(item.model, to_cells(item)) for item in board.models]
    found += [(f"anchor: {anchor.name}", to_anchor_cells(anchor.means, anchor.n)) for anchor in board.anchors]
    # The UI renders the cells of a table as markup: a model may be called anything, and a dash is a list.
    rows = [
        {"model": escape(name)}
        | {column: "" if cell == "-" else escape(cell) for column, cell in zip(HEADER, cells, strict=True)}
        for name, cells in found
    ]
    description = f"Judge {escape(board.judge)}, {board.mode} tables; means with 95% intervals"
    await acreate_table_artifact(key="benchmark-leaderboard", table=rows, description=description)
    await publish_markdown(write_leaderboard_markdown(board), "benchmark-report", description)


def to_state(summary: RunSummary) -> State[Any]:
    """The terminal state of the run: Failed where a service broke or nothing was built."""
    match summary.outcome:
        case Outcome.COMPLETE:
            return Completed(message=summary.headline, data=summary)
        case Outcome.OVER_BUDGET:
            return Cancelled(name="OverBudget", message=f"stopped at the ceiling; {summary.headline}", data=summary)
        case Outcome.INCOMPLETE:
            return Failed(message=f"incomplete: {summary.headline}; run again to resume", data=summary)
        case Outcome.EMPTY:
            return Failed(message=f"nothing came of it: {summary.headline}", data=summary)


def to_markdown(summary: RunSummary) -> str:
    """The summary as Markdown; names in it are escaped."""
    shared = (
        ("files", f"{summary.n_files}"),
        ("changed files", f"{summary.n_changed_files}"),
        ("seconds", f"{summary.seconds:.1f}"),
    )
    names, figures = zip(*summary.counts, *shared, strict=True)
    counts = to_table(names, [figures])
    stages = to_table(
        ("stage", "calls", "cached", "tokens in", "tokens out", "US dollars", "lost"),
        [
            (
                stage.stage.replace("_", " "),
                stage.n_calls,
                stage.n_cached,
                stage.tokens_in,
                stage.tokens_out,
                stage.cost,
                stage.n_failures,
            )
            for stage in summary.stages
        ],
    )
    return "\n\n".join(
        [
            f"# {summary.title.capitalize()}: {summary.outcome}",
            escape(summary.headline) + ".",
            f"Tables: {escape(Path(summary.data).resolve())}. Run: {summary.run}.",
            counts,
            "## Model calls",
            stages if summary.stages else "None.",
        ]
    )
