"""What can be done with one batch: send it, look for it, follow it and read its results, each with patience."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.models.batch import Batch, BatchResult, EncodedBatchRequest

from providers.batch_search import find_batch
from providers.limits import share_limiter
from providers.retries import RetryPolicy, send_patiently, to_error
from schemas.errors import InputError, ServiceError

if TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic_ai.models import Model

    from providers.catalogue import ModelEntry
    from schemas.calls import PendingBatch

T = TypeVar("T")

POLL_VARIABLE = "PRISM_BATCH_POLL"
UNCERTAIN = frozenset({"timeout", "connection", "server", "protocol"})
"""Faults after which nobody knows whether the provider took a batch."""


@dataclass(frozen=True, slots=True)
class BatchPace:
    """How long to gather, and how often to look. Times in seconds.

    A batch is sent when ``quiet`` has passed without another request, or when it holds ``most`` requests. It is looked
    at after ``first_look``, then each time after half as long again, up to ``longest_look``. Providers end a batch
    after a day; one that has not ended after ``longest`` is given up.
    """

    quiet: float = 5.0
    most: int = 10_000
    first_look: float = 30.0
    longest_look: float = 300.0
    longest: float = 26 * 3600.0

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


class BatchClient:
    """A model's batches at its provider.

    Requests that fail are repeated, but for the one that sends a batch, where it may have been taken all the same.
    """

    def __init__(self, model: Model, entry: ModelEntry, pace: BatchPace, policy: RetryPolicy | None = None) -> None:
        self._model = model
        self._entry = entry
        self._pace = pace
        self._sending = policy or RetryPolicy()
        # A batch that is under way outlasts a broken network.
        self._looking = policy or RetryPolicy(attempts=100, total_seconds=3600)

    async def create(self, requests: Mapping[str, EncodedBatchRequest]) -> Batch:
        """Send requests as one batch.

        Raises:
            ServiceError: the provider did not take it, or, with one of the ``UNCERTAIN`` kinds, may have taken it.
        """
        send = partial(self._model.batch_create, list(requests.values()))
        return await self._call(send, replace(self._sending, final=UNCERTAIN))

    async def search(self, pending: PendingBatch, known: Collection[str]) -> Batch | None:
        """The batch that was sent, where the answer to that was lost; None if the provider has none like it."""
        return await self._call(partial(find_batch, self._model, pending, known), self._sending)

    async def look(self, batch: Batch) -> Batch:
        """The batch as it stands now."""
        return await self._call(partial(self._model.batch_status, batch), self._looking)

    async def collect(self, batch: Batch, sent_at: str, hint: str) -> Sequence[BatchResult]:
        """The results of a batch, once it has ended.

        Args:
            batch: The batch.
            sent_at: When it was sent.
            hint: What a person can do who gives it up.

        Raises:
            ServiceError: it does not end, or its results cannot be had.
        """
        looks = 0
        give_up_at = datetime.fromisoformat(sent_at).timestamp() + self._pace.longest
        while batch.status != "ended":
            if datetime.now(UTC).timestamp() > give_up_at:
                hours = self._pace.longest / 3600
                raise ServiceError(f"{self._entry.id}: batch {batch.id} has not ended in {hours:.0f} hours; {hint}")
            await asyncio.sleep(self._pace.wait(looks))
            looks += 1
            batch = await self.look(batch)
        try:
            return await self._call(partial(self._model.batch_results, batch), self._looking)
        except ServiceError as error:
            if error.kind != "protocol":
                raise
            text = f"the results of batch {batch.id} cannot be read; the same command tries again; {hint}"
            raise ServiceError(f"{self._entry.id}: {text}", error.kind) from error

    async def _call(self, send: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
        async def send_once() -> T:
            try:
                # The SDK's own limit starts again with every byte. Files are large.
                async with asyncio.timeout(4 * self._entry.timeout_seconds):
                    return await send()
            except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
                raise UnexpectedModelBehavior(f"the answer lacks what it should have: {error}") from error

        outcome = await send_patiently(send_once, share_limiter(self._entry), policy, self._entry.key_env)
        if outcome.fault is not None:
            raise to_error(outcome.fault, self._entry, outcome.attempts)
        return cast("T", outcome.value)
