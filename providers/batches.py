"""Sending requests through a provider's batch API: half the price, and up to a day of waiting.

Requests are gathered while they come in and sent together once none has come for a while, since the tasks of a run ask
in waves: all articles for their variables, then all for their edges. Then the batch is looked at, less and less often,
until the provider has ended it, and every waiting request gets its own result. pydantic-ai knows the interfaces.

A batch is noted in a journal before it is sent. A run that is killed meanwhile loses nothing: the next one finds the
requests there and waits for the same batch instead of paying again. Where it is not known whether the provider took the
batch, the provider is asked for it first (:mod:`providers.batch_search`).

What a batch did not answer (expired, cancelled, failed or missing) is the caller's to send alone.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError
from pydantic_ai.models.batch import Batch, BatchRequest, BatchResult, EncodedBatchRequest

from providers.batch_client import UNCERTAIN, BatchClient, BatchPace, read_pace
from schemas.calls import PendingBatch
from schemas.errors import ServiceError

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

    from providers.catalogue import ModelEntry
    from providers.retries import RetryPolicy
    from schemas.calls import BatchJournal

_log = logging.getLogger(__name__)

_BATCHING = frozenset({"anthropic", "openai"})
_BATCH = TypeAdapter(Batch)


def offers_batches(entry: ModelEntry) -> bool:
    """Whether the model's requests can go through a batch API.

    Example:
        >>> from providers.catalogue import find_model
        >>> [offers_batches(find_model(name)) for name in ("openai:gpt-4o-mini", "groq:llama-3.1-8b-instant")]
        [True, False]
    """
    return entry.provider in _BATCHING


@dataclass(slots=True)
class _Gathering:
    """Requests that will be sent together, by key, and the timer that ends the gathering."""

    requests: dict[str, EncodedBatchRequest] = field(default_factory=dict[str, EncodedBatchRequest])
    n_bytes: int = 0
    timer: asyncio.TimerHandle | None = None


class BatchQueue:
    """The batches of one model in one run. Any number of tasks of one event loop may ask."""

    def __init__(
        self,
        model: Model,
        entry: ModelEntry,
        journal: BatchJournal,
        *,
        pace: BatchPace | None = None,
        policy: RetryPolicy | None = None,
        report: Callable[[int, int], None] = lambda _answered, _sent: None,
    ) -> None:
        """Open the queue.

        Args:
            model: The real model.
            entry: Its catalogue entry.
            journal: Where batches are noted that were sent.
            pace: How long to gather and how often to look.
            policy: How patiently to repeat what the service turned down.
            report: Told how many requests are answered, of how many that were sent.

        Raises:
            InputError: PRISM_BATCH_POLL is no number of seconds.
        """
        self._model = model
        self._entry = entry
        self._journal = journal
        self._pace = pace or read_pace(os.environ)
        self._client = BatchClient(model, entry, self._pace, policy)
        self._report = report
        self._handles: dict[str, Batch | None] = {}
        self._sent: dict[str, PendingBatch] = {}
        for pending in journal.pending():
            if pending.model == entry.id:
                self._take_up(pending)
        self._futures: dict[str, asyncio.Future[BatchResult | Literal["again"] | None]] = {}
        self._gatherings: dict[str, _Gathering] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._n_sent = self._n_answered = 0

    async def ask(
        self,
        key: str,
        messages: list[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
    ) -> ModelResponse | None:
        """The reply to a request, from the batch it went into; None where it has to be sent alone.

        Args:
            key: What identifies the request, also in the batch: at most 64 letters and digits.
            messages: The conversation so far.
            settings: The settings to send.
            parameters: Output mode, output schema and tools.

        Raises:
            UnexpectedModelBehavior: the result is not what the interface promises.
            ServiceError: the batch could not be sent or followed.
        """
        request = BatchRequest(
            custom_id=key, messages=messages, model_settings=settings, model_request_parameters=parameters
        )
        result: BatchResult | Literal["again"] | None = "again"
        while result == "again":
            if key not in self._futures:
                try:
                    await self._begin(request)
                except UserError:
                    return None  # a setting that only single requests take
            result = await asyncio.shield(self._futures[key])
        if result is None:
            return None
        try:
            return self._model.batch_decode(result, request)
        except ModelAPIError:
            return None  # what is wrong with this request, if anything, shows best when it is sent alone
        except (IndexError, KeyError, AttributeError, TypeError, ValueError) as error:
            raise UnexpectedModelBehavior(f"the result lacks what it should have: {error}") from error

    def settle(self, key: str) -> None:
        """Note that the reply to a request is safe; a batch all of whose replies are is forgotten."""
        if key in self._sent:
            self._futures.pop(key, None)
            self._journal.settle(self._sent.pop(key), key)

    async def aclose(self) -> None:
        """Stop following batches. The provider goes on with them, and the journal keeps what is open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _take_up(self, pending: PendingBatch) -> None:
        try:
            handle = _BATCH.validate_json(pending.handle) if pending.handle else None
        except ValueError:
            _log.warning("%s: is no note of a batch; passed over", self._journal.place(pending))
            return
        self._handles[pending.name] = handle
        self._sent.update(dict.fromkeys(pending.keys, pending))

    async def _begin(self, request: BatchRequest) -> None:
        key = request.custom_id
        pending = self._sent.get(key)
        if pending is not None:
            keys = tuple(known for known in pending.keys if known in self._sent)
            for known in keys:
                self._futures[known] = asyncio.get_running_loop().create_future()
            self._n_sent += len(keys)
            self._start(self._resume(pending, keys))
            return
        encoded = await self._model.batch_encode(request)
        if key not in self._futures:  # asked for twice, meanwhile
            self._futures[key] = asyncio.get_running_loop().create_future()
            self._gather(encoded)

    def _gather(self, encoded: EncodedBatchRequest) -> None:
        n_bytes = self._model.batch_request_size(encoded)
        gathering = self._gatherings.setdefault(encoded.group, _Gathering())
        if gathering.n_bytes + n_bytes > (self._model.batch_max_bytes or float("inf")) and gathering.requests:
            self._end(encoded.group)
            gathering = self._gatherings.setdefault(encoded.group, _Gathering())
        gathering.requests[encoded.custom_id] = encoded
        gathering.n_bytes += n_bytes
        if gathering.timer is not None:
            gathering.timer.cancel()
        if len(gathering.requests) >= min(self._pace.most, self._model.batch_max_requests or self._pace.most):
            self._end(encoded.group)
        else:
            loop = asyncio.get_running_loop()
            gathering.timer = loop.call_later(self._pace.quiet, self._end, encoded.group)

    def _end(self, group: str) -> None:
        gathering = self._gatherings.pop(group)
        if gathering.timer is not None:
            gathering.timer.cancel()
        self._n_sent += len(gathering.requests)
        self._start(self._send(group, gathering.requests))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, group: str, requests: Mapping[str, EncodedBatchRequest]) -> None:
        keys = tuple(requests)
        try:
            pending = self._journal.begin(self._entry.id, group, keys)
            batch = await self._create(pending, requests)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            self._fail(keys, error)
            return
        self._report(self._n_answered, self._n_sent)
        await self._follow(pending, keys, batch)

    async def _create(self, pending: PendingBatch, requests: Mapping[str, EncodedBatchRequest]) -> Batch:
        self._handles[pending.name] = None
        self._sent.update(dict.fromkeys(requests, pending))
        try:
            batch = await self._client.create(requests)
        except ServiceError as error:
            if error.kind not in UNCERTAIN:
                self._drop(pending)
                raise
            batch = await self._search_after(error, pending)
        return self._note(pending, batch)

    async def _search_after(self, error: ServiceError, pending: PendingBatch) -> Batch:
        """The batch, if the provider took it before the answer was lost; else the error."""
        await asyncio.sleep(self._pace.quiet)
        try:
            batch = await self._client.search(pending, self._list_known())
        except ServiceError:
            raise error from None  # nobody knows; the note stays, and the next one to ask looks again
        if batch is None:
            self._drop(pending)
            raise error
        return batch

    def _list_known(self) -> set[str]:
        return {handle.id for handle in self._handles.values() if handle is not None}

    def _note(self, pending: PendingBatch, batch: Batch) -> Batch:
        self._handles[pending.name] = batch
        noted = self._journal.note(pending, _BATCH.dump_json(batch).decode())
        self._sent.update(dict.fromkeys(pending.keys, noted))
        return batch

    def _drop(self, pending: PendingBatch) -> None:
        self._journal.forget(pending)
        for key in pending.keys:
            self._sent.pop(key, None)

    async def _resume(self, pending: PendingBatch, keys: tuple[str, ...]) -> None:
        try:
            batch = self._handles[pending.name]
            if batch is None:
                found = await self._client.search(pending, self._list_known())
                if found is None:  # it was never taken
                    self._drop(pending)
                    self._release(keys)
                    return
                batch = self._note(pending, found)
            batch = await self._client.look(batch)
        except UserError:  # it was sent from another account or to another address
            batch = None
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            # The provider keeps batches for some weeks only.
            if not (isinstance(error, ServiceError) and error.kind == "not_found"):
                self._fail(keys, error)
                return
            batch = None
        if batch is None:
            self._drop(pending)
            self._answer(keys, {})
            return
        await self._follow(pending, keys, batch)

    async def _follow(self, pending: PendingBatch, keys: tuple[str, ...], batch: Batch) -> None:
        try:
            hint = f"remove {self._journal.place(pending)} to have its {len(pending.keys)} requests sent again"
            results = await self._client.collect(batch, pending.sent_at, hint)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            self._fail(keys, error)
            return
        self._answer(keys, {result.custom_id: result for result in results})

    def _answer(self, keys: tuple[str, ...], results: Mapping[str, BatchResult]) -> None:
        self._n_answered += len(keys)
        self._report(self._n_answered, self._n_sent)
        for key in keys:
            future = self._futures.get(key)
            if future is not None and not future.done():
                future.set_result(results.get(key))

    def _release(self, keys: tuple[str, ...]) -> None:
        for key in keys:
            future = self._futures.pop(key, None)
            if future is not None and not future.done():
                future.set_result("again")

    def _fail(self, keys: tuple[str, ...], error: Exception) -> None:
        for key in keys:
            future = self._futures.pop(key, None)
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # taken note of, if nobody waits for it
