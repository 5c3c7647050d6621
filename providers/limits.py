"""How many requests are out at once, and how fast they follow one another.

A :class:`Limiter` stands before one model at one address. It adapts two things to what the service refuses (429, or
503 and 529 with the service overloaded):

- the **window**, the number of requests in flight: grows by one per window of successes and is halved by a refusal
  (additive increase, multiplicative decrease);
- the **pace**, the requests per second: unlimited until the first refusal, then what the service was seen to accept.

A refusal also stops all requests for as long as the service asks (Retry-After), not only the refused one. Halving
alone would not do: against a service that takes 10 requests a second a window of any size is either too small to
use it or runs into the limit again each second.

An account's own ceiling, where the catalogue names it, comes on top (:mod:`providers.ceilings`).

Sources: D.-M. Chiu and R. Jain, Analysis of the increase and decrease algorithms for congestion avoidance in computer
networks, 1989; for the growth of the pace, S. Ha, I. Rhee and L. Xu, CUBIC: a new TCP-friendly high-speed TCP variant,
2008.
"""

from __future__ import annotations

import asyncio
import random
import weakref
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from providers.ceilings import Ceiling, Spent

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry

MARGIN = 0.95
"""The pace set after a refusal, as a share of what the service was seen to accept."""
RECOVERY_SECONDS = 60.0
"""After this time without a refusal the pace has doubled, after twice the time it is ninefold."""
SHORTEST_PAUSE_SECONDS = 0.1


class Window:
    """The number of requests that may be in flight: at least one, at most ``ceiling``.

    Example:
        >>> window = Window(8)
        >>> window.shrink()
        >>> window.size
        4
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = ceiling
        self._size = float(ceiling)

    @property
    def size(self) -> int:
        """Requests that may be in flight now."""
        return int(self._size)

    def grow(self) -> None:
        """Note a success: a window of n grows by one with n of them."""
        self._size = min(float(self.ceiling), self._size + 1 / self._size)

    def shrink(self) -> None:
        """Halve, down to one."""
        self._size = max(1.0, self._size / 2)


class Pace:
    """When the next request may be sent. Times are seconds on any clock that only goes forward.

    Requests refused before the pause after the first of them is over are one burst: they were in flight together, and
    only the first says something about the pace. That is learnt when the pause is over: the requests sent and not
    refused are what the service accepts, counted over the pause's length up to the refusal, or over the whole time
    since the last burst if that gives more. A service with Retry-After 1 that took 10 of 32 requests sent at once takes
    10 a second.
    """

    def __init__(self, draw: Callable[[], float] = random.random) -> None:
        self._draw = draw
        self._base = float("inf")
        self._since = float("-inf")
        self._sent: deque[float] = deque(maxlen=4096)
        self._refused = 0
        self._first_refusal: float | None = None
        self._pause = 0.0
        self._resume_at = float("-inf")
        self._next_at = float("-inf")

    def rate(self, now: float) -> float:
        """Requests per second allowed at a time; infinite before the first refusal."""
        if self._base == float("inf"):
            return self._base
        return self._base * (1 + ((now - self._since) / RECOVERY_SECONDS) ** 3)

    def delay(self, now: float) -> float:
        """Seconds until the next request may go; zero or less when it may go now."""
        return max(self._resume_at, self._next_at) - now

    def note_sent(self, now: float) -> None:
        """Note that a request goes out."""
        if self._first_refusal is not None and now >= self._resume_at:
            self._learn(self._first_refusal)
            self._since, self._refused, self._first_refusal, self._pause = now, 0, None, 0.0
            self._sent.clear()
        self._sent.append(now)
        interval = 1 / self.rate(now)
        # A timer that fired a little late is made up for. The jitter keeps processes out of step.
        start = self._next_at if now - interval / 2 < self._next_at else now
        self._next_at = start + interval * (0.98 + 0.04 * self._draw())

    def note_refused(self, sent_at: float, now: float, wait: float) -> bool:
        """Note a refusal that asks to wait; True where it opens a new burst."""
        wait = max(wait, SHORTEST_PAUSE_SECONDS)
        self._resume_at = max(self._resume_at, now + wait * (1 + 0.05 * self._draw()))
        if sent_at < self._since:
            return False
        self._refused += 1
        self._pause = max(self._pause, wait)
        is_new = self._first_refusal is None
        if is_new:
            self._first_refusal = now
        return is_new

    def _learn(self, first_refusal: float) -> None:
        recent = sum(sent_at > first_refusal - self._pause for sent_at in self._sent)
        whole = max(first_refusal - self._sent[0], self._pause)
        accepted = max((recent - self._refused) / self._pause, (len(self._sent) - self._refused) / whole)
        # Where everything was refused nothing was learnt; the window and the waits deal with that.
        if accepted > 0:
            self._base = MARGIN * accepted


class Turn:
    """The permission to send one request; its outcome is reported back through it."""

    def __init__(self, limiter: Limiter, sent_at: float, spent: Spent) -> None:
        self._limiter = limiter
        self._sent_at = sent_at
        self._spent = spent

    def accept(self, tokens: int | None = None) -> None:
        """The service answered, and the request took so many tokens, where that is known."""
        self._limiter.window.grow()
        if tokens is not None:
            self._limiter.minute.settle(self._spent, tokens)

    def refuse(self, wait: float) -> None:
        """The service asks everybody to slow down and wait that many seconds."""
        now = self._limiter.now()
        if self._limiter.pace.note_refused(self._sent_at, now, wait):
            self._limiter.window.shrink()


class Limiter:
    """The gate before one model at one address.

    A call holds a ``slot`` from its first request to its last, so that as many calls as the catalogue allows are
    under way and the others have not begun; each of its requests waits for its ``turn``, first come, first served.
    """

    def __init__(self, ceiling: int, now: Callable[[], float] | None = None, minute: Ceiling | None = None) -> None:
        self.window = Window(ceiling)
        self.pace = Pace()
        self.minute = minute or Ceiling()
        self._now = now
        self._slots = asyncio.Semaphore(ceiling)
        self._queue = asyncio.Lock()
        self._room = asyncio.Event()
        self._in_flight = 0

    def now(self) -> float:
        """The time on the limiter's clock, in seconds."""
        return self._now() if self._now else asyncio.get_running_loop().time()

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """Hold one of the slots while the body makes its call."""
        async with self._slots:
            yield

    @asynccontextmanager
    async def turn(self, tokens: int = 0) -> AsyncGenerator[Turn]:
        """Wait until one more request of about so many tokens may go; it is in flight while the body sends it."""
        # The lock queues in order of arrival; whoever holds it is next.
        async with self._queue:
            while self._in_flight >= self.window.size:
                self._room.clear()
                await self._room.wait()
            # A late refusal prolongs the pause; a request that took less than was thought shortens it.
            while (delay := self._delay(tokens)) > 0:
                self._room.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(delay):
                        await self._room.wait()
            sent_at = self.now()
            self.pace.note_sent(sent_at)
            spent = self.minute.note(sent_at, tokens)
            self._in_flight += 1
        try:
            yield Turn(self, sent_at, spent)
        finally:
            self._in_flight -= 1
            self._room.set()

    def _delay(self, tokens: int) -> float:
        now = self.now()
        return max(self.pace.delay(now), self.minute.delay(now, tokens))


_limiters: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str, str], Limiter]] = (
    weakref.WeakKeyDictionary()
)


def share_limiter(entry: ModelEntry) -> Limiter:
    """The running event loop's one limiter for a model at its address; whoever asks first sets the ceiling."""
    limiters = _limiters.setdefault(asyncio.get_running_loop(), {})
    address = (entry.provider, entry.base_url, entry.model)
    if address not in limiters:
        minute = Ceiling(entry.requests_per_minute, entry.tokens_per_minute)
        limiters[address] = Limiter(entry.concurrency, minute=minute)
    return limiters[address]
