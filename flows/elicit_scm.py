"""The linear half: DAGs with known meaning, a model's structural equations, and their distance from the truth."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Failed

from flows.gathering import StageCounter, as_given, run_each
from flows.publishing import publish_markdown, publish_summary, to_state
from schemas.calls import Failure, FailureReason
from schemas.errors import PrismError
from schemas.linear import AskedDag
from schemas.rows import Written
from schemas.scm import ScmSettings, Series, SeriesResult
from schemas.summaries import ScmSummary
from storage.layout import new_run_id
from storage.scm import write_series
from tasks.scm import STAGE, elicit_equations, to_series
from tasks.scm_dags import load_dags
from tasks.scm_tables import to_markdown
from tasks.session import Session, open_session

SERIES_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """A series and the DAG that it is about."""

    dag: AskedDag
    series: Series


@dataclass(frozen=True, slots=True)
class Done:
    """The runs of a series, stored."""

    result: SeriesResult
    files: tuple[Written, ...]


@flow(name="elicit-scm", flow_run_name="{settings.headline}")
async def elicit_scm(settings: ScmSettings = ScmSettings()) -> State[Any]:
    """Elicit the structural equations of DAGs from models, score and store them.

    The same settings again make no model call and change no file. An equation that cannot be had is marked in its run,
    counted in its scores and is a row of `failures`.
    """
    started = time.monotonic()
    try:
        asked = list_series(settings)
        async with open_session(settings, new_run_id()) as session:
            done = await elicit_each(session, asked)
            summary = summarise(session, asked, done, time.monotonic() - started)
    except PrismError as error:  # one line for a person; a traceback would say nothing more
        return Failed(message=str(error), data=error)
    await publish_summary(summary, "scm")
    if summary.results:
        scores = to_markdown([result.summarise() for result in summary.results])
        await publish_markdown(scores, "scm-scores", "M1 to M4 by model and DAG")
    return to_state(summary)


def list_series(settings: ScmSettings) -> tuple[Asked, ...]:
    """Every DAG under every condition, by every model.

    Raises:
        InputError: a DAG, condition or truth set is unknown or wrong.
    """
    return tuple(
        Asked(dag, to_series(dag, model, settings)) for dag in load_dags(settings) for model in settings.models
    )


async def elicit_each(session: Session[ScmSettings], asked: Sequence[Asked]) -> list[Done]:
    """All runs of every series, stored as soon as a series is done."""
    count = StageCounter(session, "series", len(asked))

    async def elicit(item: Asked) -> Done | Failure:
        result = await elicit_equations(as_given(item.dag), as_given(item.series), as_given(session.settings))
        files = write_series(Path(session.settings.data), item.dag, result, run=session.run)
        count.add()
        return Done(result, files)

    def fail(item: Asked) -> Callable[[FailureReason, str], Failure]:
        series = item.series
        return partial(Failure, STAGE, series.domain, series.dag, f"all runs of {series.label} by {series.model}")

    outcomes = await run_each(
        asked, elicit, fail, at_once=session.at_once(SERIES_AT_ONCE), is_access_shared=len(session.settings.models) == 1
    )
    return session.keep(outcomes)


def summarise(
    session: Session[ScmSettings], asked: Sequence[Asked], done: Sequence[Done], seconds: float
) -> ScmSummary:
    """What the run did."""
    files = [file for item in done for file in item.files]
    return ScmSummary(
        run=session.run,
        data=session.settings.data,
        n_files=len(files),
        n_changed_files=sum(file.is_changed for file in files),
        seconds=seconds,
        stages=session.ledger.totals(),
        failures=session.ledger.failures,
        n_series=len(asked),
        n_done=len(done),
        results=tuple(item.result for item in done),
    )
