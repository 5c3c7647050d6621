"""Limits that many processes share: Prefect's global concurrency limits, by the names that the catalogue gives.

A limit without slot decay bounds the requests that are out at once, one with it their rate. Within a process the
limiter of :mod:`providers.limits` comes first, since it is free; a slot costs two requests to the Prefect server.

Prefect's own ``concurrency()`` opens a client for every slot that is given back, which takes five times as long as the
rest, and while all slots are taken it waits longer and longer until it looks again. Here all slots go through one
client, one request at a time, which a server on SQLite answers fastest, and each process looks about once a second:
none is nearer to a slot than another. A request has its time-out, so its lease needs no renewal; the slots of a process
that was killed are free again when their leases run out.
"""

import asyncio
import random
import shlex
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from http import HTTPStatus
from uuid import UUID

import httpx
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.responses import ConcurrencyLimitWithLeaseResponse
from prefect.exceptions import ObjectNotFound
from prefect.settings import PREFECT_API_URL

from providers.catalogue import ModelEntry
from schemas.errors import InputError, ServiceError

_LEAST_LEASE_SECONDS = 60.0  # Prefect grants no shorter one
LOOK_SECONDS = 1.0
"""How long a process waits at most until it looks again whether a slot is free."""


class GlobalLimits:
    """The limits of one Prefect server, as a run needs them."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._client: PrefectClient | None = None
        self._limits: dict[str, _GlobalLimit] = {}

    def to_gate(self, entry: ModelEntry) -> Callable[[], AbstractAsyncContextManager[object]]:
        """What a request to a model waits for and holds while it is out; nothing where the entry names no limit."""
        name = entry.global_limit
        return (lambda: self.hold(name, entry.timeout_seconds)) if name else nullcontext

    @asynccontextmanager
    async def hold(self, name: str, timeout_seconds: float) -> AsyncGenerator[None]:
        """Take a slot of the limit while the body runs; of a limit with slot decay, take it and go on.

        Args:
            name: the limit.
            timeout_seconds: the body takes no longer.

        Raises:
            InputError: the server has no such limit, or it is switched off.
            ServiceError: the server does not answer or gives no slot.
        """
        try:
            limit = await self._find(name)
            lease = await limit.take(timeout_seconds)
        except httpx.HTTPError as error:
            text = " ".join(str(error).split()) or type(error).__name__
            raise ServiceError(f"Prefect gives no slot of the global limit {name!r}: {text}", "connection") from error
        try:
            yield
        finally:
            await limit.give_back(lease)

    async def aclose(self) -> None:
        """Give back what is still held, as after an interruption, and close the connection."""
        for limit in self._limits.values():
            await limit.give_all_back()
        await self._stack.aclose()

    async def _find(self, name: str) -> "_GlobalLimit":
        async with self._opening:
            if self._client is None:
                self._client = await self._stack.enter_async_context(get_client())
            if name not in self._limits:
                self._limits[name] = _GlobalLimit(name, self._client, has_decay=await _has_decay(self._client, name))
            return self._limits[name]


class _GlobalLimit:
    def __init__(self, name: str, client: PrefectClient, *, has_decay: bool) -> None:
        self._name = name
        self._client = client
        self._has_decay = has_decay
        self._leases: set[UUID] = set()
        self._queue = asyncio.Lock()
        self._line = asyncio.Lock()

    async def take(self, timeout_seconds: float) -> UUID | None:
        """Wait for a slot, first come, first served within this process; its lease, if it has to be given back."""
        async with self._queue:
            while True:
                asking = asyncio.ensure_future(self._ask(timeout_seconds))
                try:
                    return await asyncio.shield(asking)
                except httpx.HTTPStatusError as error:
                    if error.response.status_code != HTTPStatus.LOCKED:
                        raise
                    wait = float(error.response.headers["Retry-After"])
                except asyncio.CancelledError:
                    with suppress(httpx.HTTPError):  # what is granted after all is not kept
                        await self.give_back(await asking)
                    raise
                longest = LOOK_SECONDS * random.uniform(0.5, 1.0)  # noqa: S311 - keeps processes out of step
                await asyncio.sleep(min(wait, longest))

    async def _ask(self, timeout_seconds: float) -> UUID | None:
        async with self._line:
            if self._has_decay:
                await self._client.increment_concurrency_slots([self._name], 1, "rate_limit")
                return None
            response = await self._client.increment_concurrency_slots_with_lease(
                [self._name], 1, "concurrency", lease_duration=timeout_seconds + _LEAST_LEASE_SECONDS
            )
        granted = ConcurrencyLimitWithLeaseResponse.model_validate(response.json())
        if not granted.limits:
            raise _to_missing(self._name)
        self._leases.add(granted.lease_id)
        return granted.lease_id

    async def give_back(self, lease: UUID | None) -> None:
        """Free a slot. Where that fails it is free when its lease runs out: the reply it was for is not lost."""
        if lease is None or lease not in self._leases:
            return
        with suppress(httpx.HTTPError):
            async with self._line:
                await self._client.release_concurrency_slots_with_lease(lease)
        self._leases.discard(lease)

    async def give_all_back(self) -> None:
        """Free what is still taken."""
        for lease in tuple(self._leases):
            await self.give_back(lease)


async def _has_decay(client: PrefectClient, name: str) -> bool:
    try:
        limit = await client.read_global_concurrency_limit_by_name(name)
    except ObjectNotFound as error:
        raise _to_missing(name) from error
    if not limit.active:
        command = f"prefect gcl enable {shlex.quote(name)}"
        raise InputError(f"global_limit {name!r}: the limit is switched off; `{command}` switches it on")
    return limit.slot_decay_per_second > 0


def _to_missing(name: str) -> InputError:
    return InputError(
        f"global_limit {name!r}: the Prefect server at {PREFECT_API_URL.value()} has no such limit; make it with "
        f"`prefect gcl create {shlex.quote(name)} --limit 8` on a server that stays (`prefect server start`), or take "
        "global_limit out of the catalogue's entry"
    )
