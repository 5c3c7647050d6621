"""What a run leaves in the Prefect UI: a summary, a table of failures, and a state that tells the truth."""

from typing import Any

from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Cancelled, Completed, Failed

from schemas.summaries import BuildSummary, Outcome
from tasks.markdown import escape, to_table


async def publish_summary(summary: BuildSummary) -> None:
    """Attach the summary and the failures to the flow run."""
    await acreate_markdown_artifact(key="build-summary", markdown=to_markdown(summary), description=summary.headline)
    if summary.failures:
        rows = [
            {
                "stage": failure.stage,
                "domain": failure.domain,
                "backbone": failure.backbone,
                "item": failure.item,
                "reason": failure.reason,
                "detail": failure.detail,
            }
            for failure in summary.failures
        ]
        await acreate_table_artifact(key="build-failures", table=rows, description="What failed, and why")


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
        ("articles", "networks", "examples", "files", "changed", "seconds"),
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
                stage.stage,
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
            f"Model: {escape(summary.model)}. Tables: {escape(summary.data)}. Run: {summary.run}.",
            counts,
            "## Model calls",
            stages if summary.stages else "None.",
        ]
    )
