"""What a run leaves in the Prefect UI: a summary, a table of failures, and a state that tells the truth."""

from pathlib import Path
from typing import Any

from prefect.artifacts import acreate_markdown_artifact
from prefect.client.schemas.objects import State
from prefect.states import Cancelled, Completed, Failed

from schemas.summaries import BuildSummary, Outcome
from tasks.markdown import escape, to_table

MOST_FAILURES = 200


async def publish_summary(summary: BuildSummary) -> None:
    """Attach the summary and the failures to the flow run.

    Failures are Markdown too: the UI renders the cells of a table artifact as markup, and titles are data.
    """
    await acreate_markdown_artifact(key="build-summary", markdown=to_markdown(summary), description=summary.headline)
    if summary.failures:
        rows = [
            (failure.item, failure.reason, failure.detail, failure.stage, f"{failure.domain}/{failure.backbone}")
            for failure in summary.failures[:MOST_FAILURES]
        ]
        table = to_table(("item", "reason", "detail", "stage", "backbone"), rows)
        more = len(summary.failures) - len(rows)
        note = f"\n\nand {more} more in the table failures" if more else ""
        await acreate_markdown_artifact(key="build-failures", markdown=table + note, description="What failed, and why")


def to_state(summary: BuildSummary) -> State[Any]:
    """The terminal state of the run: Failed where a service broke or nothing was built."""
    match summary.outcome:
        case Outcome.COMPLETE:
            return Completed(message=summary.headline, data=summary)
        case Outcome.OVER_BUDGET:
            return Cancelled(name="OverBudget", message=f"stopped at the ceiling; {summary.headline}", data=summary)
        case Outcome.INCOMPLETE:
            return Failed(message=f"incomplete: {summary.headline}; run again to resume", data=summary)
        case Outcome.EMPTY:
            return Failed(message=f"no network was built: {summary.headline}", data=summary)


def to_markdown(summary: BuildSummary) -> str:
    """The summary as Markdown; names in it are escaped."""
    counts = to_table(
        ("articles", "networks", "examples", "files", "changed files", "seconds"),
        [
            (
                summary.n_articles,
                summary.n_networks,
                summary.n_examples,
                summary.n_files,
                summary.n_changed_files,
                f"{summary.seconds:.1f}",
            )
        ],
    )
    stages = to_table(
        ("stage", "calls", "cached", "failed", "tokens in", "tokens out", "US dollars"),
        [
            (
                stage.stage.replace("_", " "),
                stage.n_calls,
                stage.n_cached,
                stage.n_failures,
                stage.tokens_in,
                stage.tokens_out,
                f"{stage.cost_usd:.4f}" + (f" + {stage.n_unknown_cost} unknown" if stage.n_unknown_cost else ""),
            )
            for stage in summary.stages
        ],
    )
    return "\n\n".join(
        [
            f"# Corpus build: {summary.outcome}",
            escape(summary.headline) + ".",
            f"Model: {escape(summary.model)}. Tables: {escape(Path(summary.data).resolve())}. Run: {summary.run}.",
            counts,
            "## Model calls",
            stages if summary.stages else "None.",
        ]
    )
