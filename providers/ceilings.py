"""A ceiling on the requests and tokens of a minute, as providers set it for an account.

The adaptive pace of :mod:`providers.limits` finds by itself what a service takes, by running into refusals. A ceiling
avoids these where the limit is known, and leaves room for others who use the same account.
"""

from collections import deque
from dataclasses import dataclass
from math import ceil

MINUTE = 60.0
"""Seconds over which requests and tokens are counted."""
_RECENT = 20


@dataclass(slots=True)
class Spent:
    """A request that was sent, and its tokens: estimated at first, then what the service counted."""

    at: float
    tokens: int
    estimate: int


class Ceiling:
    """At most ``requests`` requests and ``tokens`` tokens in any minute; None sets no bound.

    Before a request is sent its tokens are estimated with the whole reply cap, and few replies are that long; so an
    estimate is scaled by the largest share of their estimates that recent requests took. A request that has more
    tokens than the ceiling goes when nothing else was sent for a minute. Times are seconds on any clock that only goes
    forward.

    Example:
        >>> ceiling = Ceiling(requests=2)
        >>> for at in (0.0, 10.0):
        ...     _ = ceiling.note(at, 0)
        >>> ceiling.delay(15.0, 0)
        45.0
    """

    def __init__(self, requests: int | None = None, tokens: int | None = None) -> None:
        self._requests = requests
        self._tokens = tokens
        self._spent: deque[Spent] = deque()
        self._shares: deque[float] = deque(maxlen=_RECENT)

    def delay(self, now: float, tokens: int) -> float:
        """Seconds until a request of so many tokens may go; zero or less when it may go now."""
        self._forget(now)
        free_at = now
        if self._requests is not None and len(self._spent) >= self._requests:
            free_at = self._spent[len(self._spent) - self._requests].at + MINUTE
        if self._tokens is not None:
            room = self._tokens - self._scale(tokens) - sum(spent.tokens for spent in self._spent)
            for spent in self._spent:
                if room >= 0:
                    break
                room += spent.tokens
                free_at = max(free_at, spent.at + MINUTE)
        return free_at - now

    def note(self, now: float, tokens: int) -> Spent:
        """Note a request that goes out; its tokens may be put right later."""
        spent = Spent(now, self._scale(tokens), tokens)
        if self._requests is not None or self._tokens is not None:
            self._forget(now)
            self._spent.append(spent)
        return spent

    def settle(self, spent: Spent, tokens: int) -> None:
        """Put the tokens of a request right."""
        spent.tokens = tokens
        if spent.estimate:
            self._shares.append(min(1.0, tokens / spent.estimate))

    def _scale(self, tokens: int) -> int:
        return ceil(tokens * max(self._shares, default=1.0))

    def _forget(self, now: float) -> None:
        while self._spent and self._spent[0].at + MINUTE <= now:
            self._spent.popleft()
