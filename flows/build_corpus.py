"""The construction half of PRISM: articles become a corpus of text-network pairs."""

import time
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Failed

from flows.build_stages import elicit_backbones, find_sources, recover_backbones, summarise, write_backbones
from flows.publishing import publish_summary, to_state
from schemas.errors import PrismError
from schemas.settings import BuildSettings
from storage.layout import new_run_id
from tasks.session import open_session


@flow(name="build-corpus", flow_run_name="{settings.source} by {settings.model}")
async def build_corpus(settings: BuildSettings = BuildSettings()) -> State[Any]:
    """Build or update a corpus: elicit a network from every article, cut it into examples, describe and store them.

    The same settings again make no model call and change no file. An article that fails is a row of `failures`; the
    others finish. The run ends Failed where a service broke or nothing could be built.
    """
    started = time.monotonic()
    try:
        async with open_session(settings, new_run_id(), draw=settings.run) as session:
            sources = await find_sources(session)
            backbones = await elicit_backbones(session, sources)
            recovered = await recover_backbones(session, backbones)
            written = await write_backbones(session, sources, recovered)
            summary = summarise(session, sources, written, time.monotonic() - started)
    except PrismError as error:  # one line for a person; a traceback would say nothing more
        return Failed(message=str(error), data=error)
    await publish_summary(summary, "build")
    return to_state(summary)
