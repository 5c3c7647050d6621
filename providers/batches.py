"""Sending requests through a provider's batch API: half the price, and up to a day of waiting.

Requests are gathered while they come in and sent together once none has come for a while, since the tasks of a run ask
in waves: all articles for their variables, then all for their edges. Then the batch is looked at, less and less often,
until the provider has ended it, and every waiting request gets its own result. pydantic-ai knows the interfaces.

A batch that was sent is noted in a journal before anything waits for it. A run that is killed meanwhile loses nothing:
the next one finds the requests there and waits for the same batch instead of paying again.

What a batch did not answer (expired, cancelled, failed or missing) is the caller's to send alone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import TypeAdapter
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError
from pydantic_ai.models.batch import Batch, BatchRequest, BatchResult, EncodedBatchRequest

from providers.limits import share_limiter
from providers.retries import RetryPolicy, send_patiently, to_error
from schemas.calls import PendingBatch
from schemas.errors import AccessError, InputError

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

    from providers.catalogue import ModelEntry
    from schemas.calls import BatchJournal

T = TypeVar("T")

POLL_VARIABLE = "PRISM_BATCH_POLL"
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


@dataclass(frozen=True, slots=True)
class BatchPace:
    """How long to gather, and how often to look. Times in seconds.

    A batch is sent when ``quiet`` has passed without another request, or when it holds ``most`` requests. It is looked
    at after ``first_look``, then each time after half as long again, up to ``longest_look``.
    """

    quiet: float = 5.0
    most: int = 10_000
    first_look: float = 30.0
    longest_look: float = 300.0

    def wait(self, looks: int) -> float:
        """Seconds until the next look, after that many.

        Example:
            >>> [BatchPace().wait(looks) for looks in (0, 1, 2, 20)]
            [30.0, 45.0, 67.5, 300.0]
        """
        return min(self.longest_look, self.first_look * 1.5 ** min(looks, 50))


def read_pace(environment: Mapping[str, str]) -> BatchPace:
    """The pace; PRISM_BATCH_POLL sets the seconds until the first look.

    Raises:
        InputError: the variable holds no positive number.
    """
    text = environment.get(POLL_VARIABLE, "").strip()
    if not text:
        return BatchPace()
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"{POLL_VARIABLE} is {text!r}; give the seconds until a batch is first looked at, such as 30")
    return BatchPace(quiet=min(5.0, seconds), first_look=seconds, longest_look=max(seconds, min(300.0, 10 * seconds)))


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
        self._sending = policy or RetryPolicy()
        # A batch that is under way outlasts a broken network.
        self._looking = policy or RetryPolicy(attempts=100, total_seconds=3600)
        self._report = report
        self._sent = {
            key: pending for pending in journal.pending() if pending.model == entry.id for key in pending.keys
        }
        self._futures: dict[str, asyncio.Future[BatchResult | None]] = {}
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

    async def _begin(self, request: BatchRequest) -> None:
        key = request.custom_id
        pending = self._sent.get(key)
        if pending is not None:
            for known in pending.keys:
                if known in self._sent:
                    self._futures[known] = asyncio.get_running_loop().create_future()
            self._n_sent += len(pending.keys)
            self._start(self._follow(pending, keys=pending.keys))
            return
        encoded = await self._model.batch_encode(request)
        if key in self._futures:  # asked for twice, meanwhile
            return
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
        self._start(self._send(gathering.requests))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(cast("Any", work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, requests: Mapping[str, EncodedBatchRequest]) -> None:
        try:
            batch = await self._call(partial(self._model.batch_create, list(requests.values())), self._sending)
            pending = PendingBatch(self._entry.id, _BATCH.dump_json(batch).decode(), tuple(requests))
            self._journal.note(pending)
            self._sent.update(dict.fromkeys(requests, pending))
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            self._fail(tuple(requests), error)
            return
        self._report(self._n_answered, self._n_sent)
        await self._follow(pending, keys=tuple(requests), batch=batch)

    async def _follow(self, pending: PendingBatch, *, keys: tuple[str, ...], batch: Batch | None = None) -> None:
        try:
            results = await self._collect(batch or _BATCH.validate_json(pending.handle), is_new=batch is not None)
        except AccessError as error:
            if error.kind != "not_found" or batch is not None:
                self._fail(keys, error)
                return
            results = {}  # the provider keeps results for some weeks only
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            self._fail(keys, error)
            return
        self._n_answered += len(keys)
        self._report(self._n_answered, self._n_sent)
        for key in keys:
            future = self._futures.get(key)
            if future is not None and not future.done():
                future.set_result(results.get(key))

    async def _collect(self, batch: Batch, *, is_new: bool) -> Mapping[str, BatchResult]:
        looks = 0
        if not is_new:
            batch = await self._call(partial(self._model.batch_status, batch), self._looking)
        while batch.status != "ended":
            await asyncio.sleep(self._pace.wait(looks))
            looks += 1
            batch = await self._call(partial(self._model.batch_status, batch), self._looking)
        results = await self._call(partial(self._model.batch_results, batch), self._looking)
        return {result.custom_id: result for result in results}

    async def _call(self, send: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
        async def send_once() -> T:
            try:
                return await send()
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise UnexpectedModelBehavior(f"the answer lacks what it should have: {error}") from error

        outcome = await send_patiently(send_once, share_limiter(self._entry), policy, self._entry.key_env)
        if outcome.fault is not None:
            raise to_error(outcome.fault, self._entry, outcome.attempts)
        return cast("T", outcome.value)

    def _fail(self, keys: tuple[str, ...], error: Exception) -> None:
        for key in keys:
            future = self._futures.pop(key, None)
            if future is not None and not future.done():
                future.set_exception(error)
                future.exception()  # taken note of, if nobody waits for it
