"""The wrapper around a real model: reply cache, limiter, budget, retries and ledger.

Each request is answered from the cache if it can be; otherwise it is sent, alone or in a batch
(:mod:`providers.batches`), and the reply is kept. Either way one row goes to the ledger.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from providers.limits import share_limiter
from providers.outages import share_outage
from providers.prices import TokenUsage, price_call
from providers.request_keys import RequestKey, from_text, to_key, to_text
from providers.retries import RetryPolicy, send_patiently, to_error
from schemas.calls import Call
from schemas.errors import AccessError, ServiceError
from schemas.questions import DRAW_SETTING, QUESTION_SETTING, Question

if TYPE_CHECKING:
    from providers.batches import BatchQueue
    from providers.budget import Budget
    from providers.catalogue import ModelEntry
    from schemas.calls import CallLedger, ReplyStore

_ERROR_OF_FINISH = {"length": "truncated", "content_filter": "refused"}


class TruncatedReply(Exception):
    """The reply hit its token cap. It stays inside the providers and is never reported as a parse failure."""


@dataclass(slots=True)
class _Effort:
    """What a request took so far; no attempts for a reply that was there already."""

    attempts: int = 0
    seconds: float = 0.0
    cost_usd: float | None = 0.0


# Requests under way, by event loop and key: whoever asks the same meanwhile waits for the same reply.
_under_way: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Future[str]]] = (
    weakref.WeakKeyDictionary()
)


class CachedModel(WrapperModel):
    """A model whose replies are kept and whose calls are counted and kept in bounds.

    The typed question is taken out of the settings, so that it never leaves the process. Only a model without a service
    gets it, since it answers nothing else.
    """

    def __init__(
        self,
        wrapped: Model,
        entry: ModelEntry,
        *,
        store: ReplyStore | None,
        ledger: CallLedger,
        budget: Budget,
        run: int = 0,
        policy: RetryPolicy | None = None,
        batches: BatchQueue | None = None,
        gate: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
    ) -> None:
        super().__init__(wrapped)
        self._entry = entry
        self._store = store
        self._ledger = ledger
        self._budget = budget
        self._run = run
        self._policy = policy or RetryPolicy()
        self._batches = batches
        self._gate = gate
        self._refusal: AccessError | None = None

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer a request from the cache, or send it.

        Raises:
            TruncatedReply: the reply hit its token cap.
            AccessError: the service refuses this account or model; said once, it is not asked again.
            ServiceError: the request failed, after retries where those can help.
            BudgetReached: the request could cost more than ``--max-usd`` leaves.
        """
        started = time.monotonic()
        settings = dict(cast("Mapping[str, Any]", model_settings or {}))
        question = settings.pop(QUESTION_SETTING, None)
        draw = int(settings.pop(DRAW_SETTING, self._run))
        if self._entry.is_code:
            draw = 0  # code answers a question the same each time
        # What is read is part of the key: the prompt, or in its place the question.
        sent = {**settings, QUESTION_SETTING: question} if self._entry.is_code else settings

        async def send() -> ModelResponse:
            try:
                # The SDKs' own time-outs begin anew with every byte.
                seconds = self._entry.timeout_seconds if self._entry.is_hosted else None
                async with asyncio.timeout(seconds):
                    response = await self.wrapped.request(
                        messages, cast("ModelSettings", sent), model_request_parameters
                    )
                _require_text(response)
            except (IndexError, KeyError, AttributeError, TypeError, ValueError, RecursionError) as error:
                # pydantic-ai and the SDKs take for granted that a reply has its choices and fields.
                if not self._entry.is_hosted:
                    raise
                raise UnexpectedModelBehavior(f"the reply lacks what it should have: {error}") from error
            return response

        key = to_key(self._entry, messages, sent, model_request_parameters, draw)
        max_tokens = int(settings.get("max_tokens", self._entry.max_output_tokens))
        effort = _Effort()

        async def deliver() -> ModelResponse:
            if self._batches is not None:
                ask = partial(
                    self._batches.ask, key.digest, messages, cast("ModelSettings", sent), model_request_parameters
                )
                response = await self._send_in_batch(key, max_tokens, ask, effort)
                if response is not None:
                    return response
            return await self._send(key, max_tokens, send, effort)

        try:
            response = await self._receive(key, deliver)
        except Exception as error:
            if effort.attempts:
                self._record(question, None, effort, error.kind if isinstance(error, ServiceError) else "internal")
            raise
        if not effort.attempts:
            effort.seconds = time.monotonic() - started
        self._record(question, response, effort)
        if response.finish_reason == "length":
            raise TruncatedReply(f"the reply of {self._entry.id} hit its cap of {max_tokens} tokens")
        return response

    async def _receive(self, key: RequestKey, deliver: Callable[[], Awaitable[ModelResponse]]) -> ModelResponse:
        under_way = _under_way.setdefault(asyncio.get_running_loop(), {})
        while True:
            kept = self._store.get(key.digest) if self._store is not None else None
            response = from_text(kept) if kept is not None else None
            if response is not None:
                self._settle(key)
                return response
            if key.digest not in under_way:
                break
            response = await _wait_for(under_way[key.digest])
            if response is not None:
                return response
        reply = under_way[key.digest] = asyncio.get_running_loop().create_future()
        try:
            response = await deliver()
            text = to_text(response)
            if self._store is not None:
                keep = self._store.put if kept is None else self._store.replace
                keep(key.digest, text)
            self._settle(key)
            reply.set_result(text)
        except Exception as error:
            reply.set_exception(error)
            reply.exception()  # taken note of, if nobody waits for it
            raise
        finally:
            reply.cancel()  # without effect unless this task was cancelled: then another one sends it
            del under_way[key.digest]
        return response

    def _settle(self, key: RequestKey) -> None:
        if self._batches is not None:
            self._batches.settle(key.digest)

    async def _send_in_batch(
        self,
        key: RequestKey,
        max_tokens: int,
        ask: Callable[[], Awaitable[ModelResponse | None]],
        effort: _Effort,
    ) -> ModelResponse | None:
        async with self._budget.reserve(self._entry, key.tokens, max_tokens, is_batched=True) as reservation:
            self._refuse()
            started = time.monotonic()
            try:
                response = await ask()
            except UnexpectedModelBehavior:
                return None  # another reply may be better, and comes sooner if it is asked for alone
            except ServiceError as error:
                effort.attempts, effort.seconds = 1, time.monotonic() - started
                self._note_refusal(error)
                raise
            if response is not None:
                effort.attempts, effort.seconds = 1, time.monotonic() - started
                effort.cost_usd = reservation.charged = self._price(response)
            return response

    async def _send(
        self, key: RequestKey, max_tokens: int, send: Callable[[], Awaitable[ModelResponse]], effort: _Effort
    ) -> ModelResponse:
        limiter = share_limiter(self._entry)
        async with limiter.slot():
            self._refuse()
            async with self._budget.reserve(self._entry, key.tokens, max_tokens) as reservation:
                outcome = await send_patiently(
                    send,
                    limiter,
                    self._policy,
                    self._entry.key_env,
                    tokens=key.tokens + max_tokens,
                    count=_count_tokens,
                    outage=share_outage(self._entry),
                    gate=self._gate,
                )
                effort.attempts, effort.seconds = outcome.attempts, outcome.seconds
                if outcome.value is not None:
                    effort.cost_usd = reservation.charged = self._price(outcome.value)
        if outcome.fault is not None:
            error = to_error(outcome.fault, self._entry, outcome.attempts)
            self._note_refusal(error)
            raise error
        return cast("ModelResponse", outcome.value)

    def _refuse(self) -> None:
        if self._refusal is not None:
            raise AccessError(str(self._refusal), self._refusal.kind)

    def _note_refusal(self, error: ServiceError) -> None:
        if isinstance(error, AccessError):
            self._refusal = error

    def _price(self, response: ModelResponse) -> float | None:
        usage = response.usage
        is_measured = not usage.unmeasured_requests and (usage.input_tokens or usage.output_tokens)
        if not is_measured and self._entry.is_hosted and self._entry.price != "free":
            return None
        tokens = TokenUsage(usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        is_batched = (response.provider_details or {}).get("processing") == "batch"
        return price_call(self._entry, tokens, is_batched=is_batched)

    def _record(self, question: object, response: ModelResponse | None, effort: _Effort, error: str = "") -> None:
        asked = question if isinstance(question, Question) else None
        finish = (response.finish_reason if response else None) or ""
        self._ledger.record(
            Call(
                stage=asked.stage if asked else "",
                domain=asked.domain if asked else "",
                backbone=asked.backbone if asked else "",
                model=(response.model_name if response and self._entry.is_code else None) or self._entry.id,
                tokens_in=response.usage.input_tokens if response else 0,
                tokens_out=response.usage.output_tokens if response else 0,
                cached=effort.attempts == 0,
                seconds=effort.seconds,
                cost_usd=effort.cost_usd,
                attempts=effort.attempts,
                finish_reason=finish,
                error=error or _ERROR_OF_FINISH.get(finish, ""),
            )
        )


def _require_text(response: ModelResponse) -> None:
    # SDKs build a reply's parts without checking them.
    texts: list[object] = [part.content for part in response.parts if isinstance(part, TextPart)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a text of it is no text")


def _count_tokens(response: ModelResponse) -> int | None:
    usage = response.usage
    return None if usage.unmeasured_requests else (usage.input_tokens + usage.output_tokens) or None


async def _wait_for(reply: asyncio.Future[str]) -> ModelResponse | None:
    """The reply to a request that another task sends; None if that task was cancelled."""
    try:
        text = await asyncio.shield(reply)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if reply.cancelled() and not (task and task.cancelling()):
            return None
        raise
    return from_text(text)
