"""When to give a service up: nothing but failures from its address for so long that more requests are of no use.

A single call rides out a blip (:mod:`providers.retries`). Against a dead server every call of a run would do so, one
after another, for hours. So all calls to one address share an :class:`Outage`: once it is over its time, each further
call fails at once.

::

    the address has never answered anything    given up after  60 s without a reply, and 3 failed requests
    it answered before, or answers with 5xx    given up after 300 s without a usable reply, and 3 failed requests

A server that takes requests and never answers is given up when its first requests have timed out (``timeout_seconds``
of the catalogue), or the third one, if they are sent one by one. Any answer but HTTP 5xx ends an outage: also a refusal
shows that somebody is there.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from providers.retries import Fault

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry

SILENT_SECONDS = 60.0
BROKEN_SECONDS = 300.0
FEWEST_FAILURES = 3

_SILENT = frozenset({"connection", "timeout"})
_BROKEN = frozenset({"server", "overloaded"})
_WORDS = {"connection": "without a connection", "timeout": "without a reply in time"}


class Outage:
    """How long one address has failed. Times are seconds on a clock that only goes forward.

    Example:
        >>> clock = iter([10.0, 30.0, 71.0])
        >>> outage = Outage(lambda: next(clock))
        >>> for sent_at in (9.0, 29.0, 70.0):
        ...     outage.note_fault(Fault("connection"), sent_at)
        >>> outage.verdict.detail
        '3 requests failed within 61 s, the last one without a connection'
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.verdict: Fault | None = None
        """The fault of every further call, once the service is given up."""
        self._now = now
        self._given_up = asyncio.Event()
        self._has_answered = False
        self._since: float | None = None
        self._last = 0.0
        self._failures = 0

    def note_answer(self) -> None:
        """Somebody is there."""
        self._has_answered = True
        self._since, self._failures = None, 0

    def note_fault(self, fault: Fault, sent_at: float) -> None:
        """A request that was sent at that time failed."""
        if fault.kind not in _SILENT | _BROKEN:
            self.note_answer()
            return
        now = self._now()
        self._has_answered |= fault.kind in _BROKEN
        patience = BROKEN_SECONDS if self._has_answered else SILENT_SECONDS
        if self._since is None or sent_at - self._last > patience:  # failures of long ago say nothing about today
            # Who never said a word was silent while the request waited, too.
            is_silence = fault.kind == "timeout" and not self._has_answered
            self._since, self._failures = sent_at if is_silence else now, 0
        self._last = now
        self._failures += 1
        if now - self._since >= patience and self._failures >= FEWEST_FAILURES and self.verdict is None:
            words = _WORDS.get(fault.kind, f"with HTTP {fault.status}")
            detail = f"{self._failures} requests failed within {now - self._since:.0f} s, the last one {words}"
            self.verdict = Fault("unreachable", detail=detail)
            self._given_up.set()

    async def sleep(self, seconds: float) -> None:
        """Wait that long, or until the service is given up."""
        try:
            async with asyncio.timeout(seconds):
                await self._given_up.wait()
        except TimeoutError:
            pass


_outages: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str], Outage]] = (
    weakref.WeakKeyDictionary()
)


def share_outage(entry: ModelEntry) -> Outage:
    """The running event loop's one record of the address that a model is reached at."""
    outages = _outages.setdefault(asyncio.get_running_loop(), {})
    return outages.setdefault((entry.provider, entry.base_url), Outage())
