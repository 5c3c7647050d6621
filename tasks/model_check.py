"""One tiny real call to a model: does it answer, in the form that is asked for, and what does that take?"""

import time
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from providers.asking import Asker, Prompt
from providers.budget import Budget
from providers.catalogue import ModelEntry
from providers.retries import RetryPolicy
from schemas.calls import Call
from schemas.errors import ServiceError
from schemas.questions import Question
from schemas.replies import Reply

_PROMPT = Prompt("You answer with JSON.", 'How many days has a week? Answer with {"days": NUMBER}.')
_MAX_TOKENS = 100
_PATIENCE = RetryPolicy(attempts=2, total_seconds=60)
_TIMEOUT_SECONDS = 60.0


class CheckQuestion(Question):
    """How many days has a week? Reply: ``DaysReply``."""

    stage: ClassVar[str] = "check"


class DaysReply(Reply):
    """The number of days."""

    days: int = Field(description="Number of days")


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What happened, in one line, and whether the model can be used."""

    is_usable: bool
    line: str


class _OneCall:
    """A ledger of nothing but the last call: a check is no part of any corpus."""

    def __init__(self) -> None:
        self.call: Call | None = None

    def record(self, call: Call) -> None:
        """Note the call."""
        self.call = call


async def check_model(entry: ModelEntry) -> ModelCheck:
    """Ask a model how many days a week has, once, without the cache.

    Raises:
        InputError: its key is not set, or the packages of an embedded model are missing.
        AccessError: the service refuses this account or model.
        ServiceError: the service does not answer.
    """
    if entry.is_code:
        return ModelCheck(True, f"{entry.id}: is code in this project and needs no check")
    entry = entry.model_copy(update={"timeout_seconds": min(entry.timeout_seconds, _TIMEOUT_SECONDS)})
    ledger, started = _OneCall(), time.monotonic()
    async with Asker(entry, store=None, ledger=ledger, budget=Budget(), policy=_PATIENCE) as asker:
        try:
            answer = await asker.ask(
                CheckQuestion(domain="", backbone=""),
                _PROMPT,
                DaysReply,
                lambda _: (),
                max_tokens=_MAX_TOKENS,
                retries=0,
            )
        except ServiceError as error:
            if error.kind != "timeout":
                raise
            text = (
                f"no whole reply within {entry.timeout_seconds:g} s; a build waits for as long as timeout_seconds says"
            )
            raise ServiceError(f"{entry.id}: {text}", error.kind) from error
    seconds, call = time.monotonic() - started, ledger.call
    cost = "price unknown" if call is None or call.cost_usd is None else f"{call.cost_usd:.6f} US dollars"
    tokens = f"{call.tokens_in} tokens in, {call.tokens_out} out" if call is not None else "no call"
    if answer.value is None:
        return ModelCheck(
            False, f"{entry.id}: answers, but not in the form asked for ({answer.reason}: {answer.detail})"
        )
    wrong = "" if answer.value.days == 7 else f", and thinks that a week has {answer.value.days} days"
    return ModelCheck(True, f"{entry.id}: answers in {seconds:.1f} s; {tokens}; {cost}{wrong}")
