"""Descriptions of examples: written by a model, checked in code, and by the writer in code where the model fails."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from prefect import task

from bayes.coverage import CoverageReport, check
from bayes.network import Network
from providers.sources.filters import clean_text
from providers.writer.writer import write
from schemas.backbones import Backbone
from schemas.calls import Failure
from schemas.names import to_key
from schemas.networks import to_json as network_to_json
from schemas.questions import DescriptionQuestion, EquivalentNamesQuestion
from schemas.replies import DescriptionReply, EquivalentNamesReply
from schemas.settings import BuildSettings
from tasks.chunking import to_failure
from tasks.examples import ExampleDraft
from tasks.options import TASK_OPTIONS
from tasks.prompting import describe_network, render, to_json
from tasks.session import Session, current_session

ATTEMPTS = 4
"""The first attempt and three retries."""

STAGE = "description"

CODE_WRITER = "offline:rules"
_CONCURRENT = 64


@dataclass(frozen=True, slots=True, eq=False)
class DescribedExample:
    """An example with the description that passed its checks, who wrote it, and at which attempt.

    ``accepted`` are names that the checker found expressed in other words.
    """

    example: str
    network: Network
    text: str
    writer: str
    attempts: int
    accepted: tuple[str, ...]


@task(name="describe-examples", task_run_name="descriptions of {backbone.backbone} ({shard})", **TASK_OPTIONS)
async def describe_examples(
    backbone: Backbone,
    shard: int,  # noqa: ARG001 - tells task runs apart in the UI
    drafts: Sequence[ExampleDraft],
    settings: BuildSettings,
) -> list[DescribedExample | Failure]:
    """A description for every example of a shard, or the reason why there is none."""
    session = current_session()
    gate = asyncio.Semaphore(session.at_once(_CONCURRENT))

    async def work(draft: ExampleDraft) -> DescribedExample | Failure:
        async with gate:
            return await describe(session, backbone, draft, settings)

    return list(await asyncio.gather(*(work(draft) for draft in drafts)))


async def describe(
    session: Session[Any], backbone: Backbone, draft: ExampleDraft, settings: BuildSettings
) -> DescribedExample | Failure:
    """Ask the writing model until a text passes; after the last attempt, write it in code."""
    asker = session.asker(settings.writer or settings.model)
    network_json = network_to_json(draft.network)
    shown = describe_network(draft.network)
    previous = ""
    problems: tuple[str, ...] = ()
    for attempt in range(1, ATTEMPTS + 1):
        answer = await asker.ask(
            DescriptionQuestion(
                domain=backbone.domain,
                backbone=backbone.backbone,
                example=draft.example,
                title=backbone.title,
                network_json=network_json,
                previous=previous,
                problems=problems,
            ),
            render("description", title=backbone.title, network=shown, previous=previous, problems=problems),
            DescriptionReply,
            lambda _: [],
            max_tokens=3000,
        )
        if answer.value is None:  # no text to improve on: the same question would get the same answer
            lost = to_failure(answer, STAGE, *backbone.key, draft.example)
            break
        previous = clean_text(answer.value.description)
        report = check(previous, draft.network)
        accepted = await _accept_equivalents(session, backbone, draft, previous, report, settings)
        if accepted:
            report = check(previous, draft.network, accepted=frozenset(accepted))
        if report.is_covered:
            return DescribedExample(draft.example, draft.network, previous, answer.model, attempt, accepted)
        problems = tuple(problem.message for problem in report.problems)
    else:
        first = next(iter(problems), "").rstrip(".")
        detail = f"{len(problems)} problems after {ATTEMPTS} attempts, the first: {first}"
        lost = Failure(STAGE, *backbone.key, draft.example, "invalid_reply", detail)
    session.fail(replace(lost, detail=f"{lost.detail}; written in code instead"))
    return _write_in_code(backbone, draft)


async def _accept_equivalents(
    session: Session[Any],
    backbone: Backbone,
    draft: ExampleDraft,
    text: str,
    report: CoverageReport,
    settings: BuildSettings,
) -> tuple[str, ...]:
    """The missing names that the checker, if there is one, finds expressed in other words."""
    missing = report.missing_names
    if not settings.checker or not missing:
        return ()
    answer = await session.asker(settings.checker).ask(
        EquivalentNamesQuestion(
            domain=backbone.domain, backbone=backbone.backbone, example=draft.example, text=text, names=missing
        ),
        render("check", text=text, names=to_json(list(missing))),
        EquivalentNamesReply,
        lambda _: [],
        max_tokens=1000,
    )
    if answer.value is None:
        return ()
    expressed = {to_key(verdict.name) for verdict in answer.value.verdicts if verdict.is_expressed}
    return tuple(name for name in missing if to_key(name) in expressed)


def _write_in_code(backbone: Backbone, draft: ExampleDraft) -> DescribedExample | Failure:
    text = write(draft.network, title=backbone.title, seed=draft.example)
    report = check(text, draft.network)
    if not report.is_covered:
        detail = f"no text passes the checks: {report.problems[0].message}"
        return Failure(STAGE, *backbone.key, draft.example, "rejected", detail)
    return DescribedExample(draft.example, draft.network, text, CODE_WRITER, ATTEMPTS, ())
