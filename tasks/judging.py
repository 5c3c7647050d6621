"""Alignments by a language model: binary verdicts on pairs of names, made one to one in code."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from prefect import task

from bayes.folding import is_same_name
from bayes.judging.alignment import align_verdicts, match_names, pair_variables
from bayes.judging.assignment import Verdict
from bayes.network import Variable
from bayes.scoring.records import Alignment, Match
from providers.asking import Asker
from schemas.benchmark import AlignmentRow, PredictionRow
from schemas.calls import Failure, FailureReason
from schemas.judging import JudgedPair, JudgeQuestion, JudgeReply
from schemas.rows import BackboneKey
from tasks.options import TASK_OPTIONS
from tasks.prompting import render, to_json
from tasks.session import current_session

STAGE = "judge"
PAIRS_A_CALL = 150
_CONCURRENT = 32
_TOKENS_BASE = 400
_TOKENS_A_PAIR = 4


class _Unanswered(Exception):
    """A question that the judge did not answer; stays in this module."""

    def __init__(self, reason: FailureReason, detail: str) -> None:
        super().__init__(detail)
        self.reason: FailureReason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Judged:
    """A prediction to judge and the variables of its reference."""

    row: PredictionRow
    reference: tuple[Variable, ...]


@task(name="judge-predictions", task_run_name="{key.backbone} judged by {judge}", **TASK_OPTIONS)
async def judge_predictions(key: BackboneKey, judge: str, items: Sequence[Judged]) -> list[AlignmentRow | Failure]:
    """The alignment of every prediction, or why there is none."""
    session = current_session()
    asker = session.asker(judge)
    gate = asyncio.Semaphore(session.at_once(_CONCURRENT))

    async def work(item: Judged) -> AlignmentRow | Failure:
        row = item.row
        async with gate:
            try:
                alignment = await ask_alignment(asker, key, item.reference, row.prediction.variables)
            except _Unanswered as error:
                return Failure(STAGE, *key, f"{row.example}, read by {row.model}", error.reason, error.detail)
            return AlignmentRow(*key, row.example, row.model, row.mode, judge, alignment)

    return list(await asyncio.gather(*(work(item) for item in items)))


async def ask_alignment(
    asker: Asker, key: BackboneKey, reference: Sequence[Variable], predicted: Sequence[Variable]
) -> Alignment:
    """The alignment of one prediction: names first, then the states of the variables that were matched."""
    left = dict.fromkeys(variable.name for variable in reference)
    right = dict.fromkeys(variable.name for variable in predicted)
    names = await ask_pairs(asker, key, "variable", [JudgedPair(left=a, right=b) for a in left for b in right])
    chosen = match_names(reference, predicted, (Verdict(pair.left, pair.right) for pair in names))
    pairs = pair_variables(reference, predicted, chosen.matches)
    asked = [
        JudgedPair(left=a, right=b, variable=pair.variables.reference)
        for pair in pairs
        for a in pair.reference
        for b in pair.predicted
    ]
    same = await ask_pairs(asker, key, "state", asked)
    states: dict[Match, list[Match]] = {
        pair.variables: [Match(one.left, one.right) for one in same if one.variable == pair.variables.reference]
        for pair in pairs
    }
    return align_verdicts(reference, predicted, [Match(pair.left, pair.right) for pair in names], states)


async def ask_pairs(
    asker: Asker, key: BackboneKey, kind: Literal["variable", "state"], pairs: Sequence[JudgedPair]
) -> list[JudgedPair]:
    """The pairs that mean the same. Names that differ in nothing but spelling are the same without asking.

    Raises:
        _Unanswered: the judge gave no usable reply about some of them.
    """
    same = [pair for pair in pairs if is_same_name(pair.left, pair.right)]
    open_pairs = [pair for pair in pairs if not is_same_name(pair.left, pair.right)]
    chunks = [tuple(open_pairs[i : i + PAIRS_A_CALL]) for i in range(0, len(open_pairs), PAIRS_A_CALL)]
    for found in await asyncio.gather(*(_ask_chunk(asker, key, kind, chunk) for chunk in chunks)):
        same += found
    return same


async def _ask_chunk(
    asker: Asker, key: BackboneKey, kind: Literal["variable", "state"], pairs: tuple[JudgedPair, ...]
) -> list[JudgedPair]:
    listed = [
        {"number": number, **({"variable": pair.variable} if pair.variable else {}), "names": [pair.left, pair.right]}
        for number, pair in enumerate(pairs, start=1)
    ]
    answer = await asker.ask(
        JudgeQuestion(domain=key.domain, backbone=key.backbone, kind=kind, pairs=pairs),
        render("judge", kind=kind, topic=key.backbone.replace("-", " "), pairs=to_json(listed)),
        JudgeReply,
        lambda reply: _check(reply.same, len(pairs)),
        max_tokens=_TOKENS_BASE + _TOKENS_A_PAIR * len(pairs),
    )
    if answer.value is None:
        raise _Unanswered(answer.reason or "internal", answer.detail)
    return [pairs[number - 1] for number in dict.fromkeys(answer.value.same)]


def _check(numbers: Iterable[int], n_pairs: int) -> list[str]:
    return [
        f"{number} is not the number of a pair; they run from 1 to {n_pairs}"
        for number in numbers
        if not 1 <= number <= n_pairs
    ]
