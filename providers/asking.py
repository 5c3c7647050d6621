"""The one door through which tasks ask models.

A question goes out as a prompt and comes back as a validated reply or a reason. In between stand, from the outside in:
the conversation with feedback (here), the stepwise mode for very small models, the cache with limiter, retries, budget
and ledger (:mod:`providers.cached`), and the real model.

The conversation is held here and not by a pydantic-ai ``Agent``, which takes 6 ms of computing time for each: more than
the SDK takes for a request (4 ms), and ten times what a cached reply takes (0.6 ms).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, cast

from pydantic import BaseModel

from providers.budget import Budget
from providers.catalogue import ModelEntry, find_model
from schemas.calls import BatchJournal, CallLedger, FailureReason, ReplyStore
from schemas.questions import DRAW_SETTING, QUESTION_SETTING, Question

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

    from providers.batch_client import BatchPace
    from providers.reply_shapes import ReplyShape
    from providers.retries import RetryPolicy

T = TypeVar("T", bound=BaseModel)

_DETAIL_CHARACTERS = 1000
_REPLY_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told: its instructions, and the request itself."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A reply that passed all checks, or why there is none.

    ``model`` is who answered; ``attempts`` counts the replies that were asked for. ``reason`` is empty where there is a
    ``value``; otherwise ``detail`` is one line about it, and ``reply`` the last text that could not be used.
    """

    value: T | None
    model: str
    attempts: int
    reason: FailureReason | Literal[""] = ""
    detail: str = ""
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Batching:
    """Requests go out in batches: where these are noted, how patiently, and who is told of answers and requests."""

    journal: BatchJournal
    pace: BatchPace | None = None
    report: Callable[[int, int], None] = lambda _answered, _sent: None


class Asker:
    """Asks one model. Any number of tasks of one event loop may use it at a time.

    Example::

        async with open_asker("offline", store=store, ledger=ledger) as asker:
            answer = await asker.ask(question, prompt, EdgesReply, check_edges, max_tokens=2000)
    """

    def __init__(
        self,
        entry: ModelEntry,
        *,
        store: ReplyStore | None,
        ledger: CallLedger,
        budget: Budget,
        run: int = 0,
        model: Model | None = None,
        policy: RetryPolicy | None = None,
        batching: Batching | None = None,
        gate: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
    ) -> None:
        """Open the model of a catalogue entry.

        Args:
            entry: The model.
            store: Where replies are kept; None asks afresh each time.
            ledger: Where calls are written down.
            budget: What all calls together may cost.
            run: The run index; another one asks afresh.
            model: Takes the place of the entry's real model, in tests.
            policy: How patiently a request is repeated.
            batching: Sends requests in batches where the model's provider has these.
            gate: What a request waits for before it goes out, beside the limits of this process.

        Raises:
            InputError: the model's key is not set, or its price is unknown and there is a ceiling.
        """
        from providers.batches import BatchQueue, offers_batches
        from providers.cached import CachedModel
        from providers.models import open_model

        budget.require_price(entry)
        self.entry = entry
        is_batched = batching is not None and offers_batches(entry)
        self._real = model or open_model(entry, is_batched=is_batched)
        self._batches = None
        if batching is not None and is_batched:
            self._batches = BatchQueue(
                self._real, entry, batching.journal, pace=batching.pace, policy=policy, report=batching.report
            )
        self._model: Model = CachedModel(
            self._real,
            entry,
            store=store,
            ledger=ledger,
            budget=budget,
            run=run,
            policy=policy,
            batches=self._batches,
            gate=gate,
        )
        if entry.style == "stepwise":
            from providers.stepwise import StepwiseModel

            self._model = StepwiseModel(self._model)
        self._shapes: dict[type[BaseModel], ReplyShape[Any]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections. Batches under way go on at the provider."""
        from providers.models import close_model

        if self._batches is not None:
            await self._batches.aclose()
        await close_model(self._real)

    async def ask(
        self,
        question: Question,
        prompt: Prompt,
        output: type[T],
        check: Callable[[T], Sequence[str]],
        *,
        max_tokens: int,
        retries: int = 3,
        draw: int | None = None,
    ) -> Answer[T]:
        """Ask until a reply fits its schema and passes the check.

        Args:
            question: The question as data.
            prompt: The question in words.
            output: The type of the reply.
            check: Names what is wrong with a reply, one line each, for the model to put right; nothing if it is usable.
            max_tokens: The cap on the reply. A reply that hits it is asked for once more with twice the cap.
            retries: How often an unusable reply is sent back.
            draw: The run index of this question, in place of the asker's own; another one asks afresh.

        Returns:
            The reply, or the reason ``invalid_reply``, ``truncated`` (ask for less at a time) or ``refused``.

        Raises:
            AccessError: the service refuses this account or model.
            ServiceError: the service stayed broken.
            BudgetReached: the next call could cost more than is left.
        """
        from pydantic_ai.exceptions import UnexpectedModelBehavior
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        from providers.cached import TruncatedReply
        from providers.reply_shapes import to_lines

        shape = self._find_shape(output)
        opening = ModelRequest(parts=[UserPromptPart(prompt.user)], instructions=prompt.system)
        messages: list[ModelMessage] = [opening]
        cap = min(max_tokens + self.entry.reasoning_tokens, self.entry.max_output_tokens)
        model, problems, last = self.entry.id, (), ""
        attempts, unusable, repeats, is_raised = 0, 0, 0, False
        while unusable <= retries:
            attempts += 1
            try:
                response = await self._request(question, messages, shape.parameters, cap, draw)
            except TruncatedReply as error:
                larger = min(2 * cap, self.entry.max_output_tokens)
                if is_raised or larger == cap:
                    return Answer(None, model, attempts, "truncated", str(error))
                cap, is_raised = larger, True
                continue
            except UnexpectedModelBehavior as error:
                # A small step went wrong: the same step would go wrong again.
                return Answer(None, model, attempts, "invalid_reply", to_lines([error.message])[0])
            if self.entry.is_code:
                model = response.model_name or model
            if response.finish_reason == "content_filter":
                return Answer(None, model, attempts, "refused", "the model declined to answer", _to_text(response))
            reading = shape.read(response)
            if reading.value is not None:
                problems = to_lines(check(reading.value))
                if not problems:
                    return Answer(reading.value, model, attempts)
            else:
                problems = reading.problems
            unusable += 1
            said = _to_text(response)
            repeats = repeats + 1 if unusable > 1 and said == last else 0
            # Word for word the same request would be answered from the cache.
            again = (f"it is the same reply as before ({repeats + 1} times now)",) if repeats else ()
            # The model sees the request, its last reply and what is wrong with it; earlier ones only cost tokens.
            messages = [opening, *shape.to_feedback(response, (*problems, *again))]
            last = said
        return Answer(None, model, attempts, "invalid_reply", "; ".join(problems)[:_DETAIL_CHARACTERS], last)

    async def _request(
        self,
        question: Question,
        messages: list[ModelMessage],
        parameters: ModelRequestParameters,
        max_tokens: int,
        draw: int | None,
    ) -> ModelResponse:
        from pydantic_ai.direct import model_request

        from providers.models import to_model_settings

        settings = {**to_model_settings(self.entry, max_tokens), QUESTION_SETTING: question}
        if draw is not None:
            settings[DRAW_SETTING] = draw
        return await model_request(
            self._model,
            messages,
            model_settings=cast("Any", settings),
            model_request_parameters=parameters,
            instrument=False,
        )

    def _find_shape(self, output: type[T]) -> ReplyShape[T]:
        from providers.reply_shapes import ReplyShape

        if output not in self._shapes:
            self._shapes[output] = ReplyShape(output, self.entry.schema_mode)
        return self._shapes[output]


def _to_text(response: ModelResponse) -> str:
    """What a model said, as text: what it wrote, or the arguments of its call."""
    from pydantic_ai.messages import ToolCallPart

    calls = [
        part.args if isinstance(part.args, str) else json.dumps(part.args, ensure_ascii=False)
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return "\n".join(filter(None, (response.text, *calls)))[:_REPLY_CHARACTERS]


def open_asker(
    name: str,
    *,
    store: ReplyStore | None,
    ledger: CallLedger,
    budget: Budget | None = None,
    run: int = 0,
    batching: Batching | None = None,
    gate: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
) -> Asker:
    """The asker for a model of the catalogue, by name.

    Raises:
        InputError: the name is unknown, the key is not set, or there is a ceiling and the price is unknown.
    """
    return Asker(
        find_model(name),
        store=store,
        ledger=ledger,
        budget=budget or Budget(),
        run=run,
        batching=batching,
        gate=gate,
    )
