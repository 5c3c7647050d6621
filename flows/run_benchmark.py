"""The benchmark half of PRISM: models read networks back out of texts, a judge aligns names, code scores."""

import time
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Failed

from flows.benchmark_stages import find_predictions, judge_names, score_predictions, summarise
from flows.publishing import publish_leaderboard, publish_summary, to_state
from schemas.benchmark import BenchmarkSettings
from schemas.errors import PrismError
from schemas.rows import Written
from storage.layout import new_run_id
from tasks.example_choice import choose_examples
from tasks.session import open_session


@flow(name="run-benchmark", flow_run_name="{settings.headline}")
async def run_benchmark(settings: BenchmarkSettings = BenchmarkSettings()) -> State[Any]:
    """Read the examples of a corpus with models, align their names with the references' and score them.

    The same settings again make no model call; another model or judge asks that one only. A prediction that cannot be
    had is a row with a reason and scores as nothing found.
    """
    started = time.monotonic()
    try:
        chosen = choose_examples(settings)
        async with open_session(settings, new_run_id(), draw=settings.run) as session:
            files: list[Written] = []
            predictions = await find_predictions(session, chosen, files)
            await judge_names(session, predictions)
            scored = await score_predictions(session, predictions)
            summary = summarise(session, predictions, files, scored, time.monotonic() - started)
    except PrismError as error:  # one line for a person; a traceback would say nothing more
        return Failed(message=str(error), data=error)
    await publish_summary(summary, "benchmark")
    if summary.leaderboard is not None:
        await publish_leaderboard(summary.leaderboard)
    return to_state(summary)
