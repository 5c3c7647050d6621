"""Extraction: a model reads a network back out of an example's text, in four phases.

::

    phase              asks for                                  what it builds on
    extract_variables  the names of the variables                the text alone
    extract_states     the states of each                        the names
    extract_edges      who acts directly on whom                 names and states
    extract_cpds       P(child | parents), and priors of roots   names, states and edges

The model sees the text and its own earlier replies, never the reference or a judge.

**Flaws** go back to the model, at most ``RETRIES`` times. The best of its replies is then taken as it is, without the
parts that cannot be used, as long as it holds something of everything that was asked for: scoring divides columns by
their sums and counts what is missing. Tables and states are asked for in groups; a group that cannot be had is halved.

**What is missing** is missing from the prediction, and the row is ``partial``:

- no variables: nothing else is asked, the row is ``failed`` and its prediction empty;
- no states of a variable: it is predicted without states and without every table that it would stand in;
- no edges: the priors of all variables are asked for;
- a table of more than ``MAX_CELLS`` cells: it is not asked for.

A list without variables is a reply like any other: a complete prediction of nothing.
"""

import asyncio
import json
from collections.abc import Sequence

from prefect import task

from bayes.scoring.records import Prediction
from providers.asking import Asker
from schemas.benchmark import Mode, PredictionRow, PredictionStatus
from schemas.calls import Failure
from schemas.rows import BackboneKey
from tasks.example_choice import ChosenExample
from tasks.extraction_phases import TextReader
from tasks.options import TASK_OPTIONS
from tasks.session import current_session

STAGE = "extraction"

_CONCURRENT = 32
_DETAIL_CHARACTERS = 1000


@task(name="extract-examples", task_run_name="{key.backbone} ({shard}) read by {model}", **TASK_OPTIONS)
async def extract_examples(
    key: BackboneKey,
    shard: int,  # noqa: ARG001 - tells task runs apart in the UI
    items: Sequence[ChosenExample],
    model: str,
    mode: Mode,
) -> list[PredictionRow]:
    """What one model reads out of every example of a shard. What is missing is noted as a failure as well."""
    session = current_session()
    asker = session.asker(model)
    gate = asyncio.Semaphore(session.at_once(_CONCURRENT))

    async def work(item: ChosenExample) -> PredictionRow:
        async with gate:
            return await extract(asker, key, item.example, item.text, mode)

    rows = await asyncio.gather(*(work(item) for item in items))
    session.fail(
        *(Failure(STAGE, *key, row.example, row.reason, f"{model}: {row.detail}") for row in rows if row.reason)
    )
    return rows


async def extract(asker: Asker, key: BackboneKey, example: str, text: str, mode: Mode) -> PredictionRow:
    """Read the network of one text in four phases.

    Raises:
        AccessError: the service refuses this account or model.
        ServiceError: the service stayed broken. A request that it refuses for good is a reason in the row instead.
        BudgetReached: the next call could cost more than is left.
    """
    reader = TextReader(asker, key, example, text, mode)
    prediction = await reader.read()
    reasons = [loss.reason for loss in reader.losses]
    return PredictionRow(
        domain=key.domain,
        backbone=key.backbone,
        example=example,
        model=asker.entry.id,
        mode=mode,
        status="failed" if prediction is None else _to_status(reasons),
        is_truncated="truncated" in reasons,
        reason=reader.losses[0].reason if reader.losses else "",
        detail=_summarise(reader.losses),
        prediction=prediction or Prediction(),
        raw=json.dumps(reader.raw | reader.unusable, ensure_ascii=False),
    )


def _to_status(reasons: Sequence[str]) -> PredictionStatus:
    return "partial" if reasons else "complete"


def _summarise(losses: Sequence[Failure]) -> str:
    if not losses:
        return ""
    more = f"; and {len(losses) - 1} more missing" if len(losses) > 1 else ""
    return f"{losses[0].item}: {losses[0].detail}"[:_DETAIL_CHARACTERS] + more
