"""Limits that many processes share: Prefect's global concurrency limits, by the names that the catalogue gives.

A limit without slot decay bounds the requests that are out at once, one with it their rate. Within a process the
limiter of :mod:`providers.limits` comes first, since it is free; asking the server takes some milliseconds a request.
"""

import asyncio
import shlex
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext

import httpx
from prefect.client.orchestration import get_client
from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError, concurrency, rate_limit
from prefect.exceptions import ObjectNotFound
from prefect.logging import get_logger
from prefect.settings import PREFECT_API_URL

from schemas.errors import InputError, ServiceError


class GlobalLimits:
    """The limits of one Prefect server, as a run needs them."""

    def __init__(self) -> None:
        self._rates: dict[str, bool] = {}
        self._lock = asyncio.Lock()

    def to_gate(self, name: str) -> Callable[[], AbstractAsyncContextManager[object]]:
        """What a request waits for and holds while it is out; nothing without a name."""
        return (lambda: self.hold(name)) if name else nullcontext

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        """Take a slot of the limit while the body runs; of a limit with slot decay, take it and go on.

        A slot that cannot be given back is free again when its lease runs out: the reply it was for is not lost.

        Raises:
            InputError: the server has no such limit, or it is switched off.
            ServiceError: the server does not answer or gives no slot.
        """
        async with AsyncExitStack() as stack:
            try:
                if await self._is_rate(name):
                    await rate_limit(name, strict=True)
                else:
                    # A renewal that fails must not end a request that was paid for.
                    slot = concurrency(name, strict=True, raise_on_lease_renewal_failure=False)
                    await slot.__aenter__()
                    stack.push_async_callback(_give_back, slot, name)
            except (ConcurrencySlotAcquisitionError, httpx.HTTPError) as error:
                raise ServiceError(f"Prefect gives no slot of the global limit {name!r}: {_explain(error)}") from error
            yield

    async def _is_rate(self, name: str) -> bool:
        async with self._lock:
            if name not in self._rates:
                self._rates[name] = await _has_decay(name)
            return self._rates[name]


async def _give_back(slot: AbstractAsyncContextManager[None], name: str) -> None:
    try:
        await slot.__aexit__(None, None, None)
    except httpx.HTTPError as error:
        get_logger("limits").warning("the slot of the global limit %r was not given back: %s", name, error)


def _explain(error: Exception) -> str:
    return " ".join(f"{error} ({type(error.__cause__ or error).__name__})".split())


async def _has_decay(name: str) -> bool:
    async with get_client() as client:
        try:
            limit = await client.read_global_concurrency_limit_by_name(name)
        except ObjectNotFound as error:
            raise InputError(
                f"global_limit {name!r}: the Prefect server at {PREFECT_API_URL.value()} has no such limit; make it "
                f"with `prefect gcl create {shlex.quote(name)} --limit 8` on a server that stays (`prefect server start`), or take "
                "global_limit out of the catalogue's entry"
            ) from error
    if not limit.active:
        raise InputError(
            f"global_limit {name!r}: the limit is switched off; `prefect gcl enable {shlex.quote(name)}` switches it on"
        )
    return limit.slot_decay_per_second > 0
