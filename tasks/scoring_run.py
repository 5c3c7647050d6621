"""Scoring as a task: the processes that do the work are started from a thread, so that the flow stays responsive."""

import asyncio
from collections.abc import Callable, Sequence

from prefect import task

from schemas.rows import BackboneKey
from tasks.options import TASK_OPTIONS
from tasks.scoring import BackboneScores, ScoringJob, score_corpus


@task(name="score-predictions", task_run_name="scores by the judge {job.judge}", **TASK_OPTIONS)
async def score_each(
    job: ScoringJob, keys: Sequence[BackboneKey], on_done: Callable[[BackboneScores], None]
) -> tuple[BackboneScores, ...]:
    """Align, where the judge is code, and score every stored prediction of these backbones."""
    return await asyncio.to_thread(score_corpus, job, keys, on_done=on_done)
