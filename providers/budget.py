"""The ceiling on what a run may cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from providers.prices import TokenUsage, is_price_known, price_call
from schemas.errors import BudgetReached, InputError

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry


@dataclass(slots=True)
class Reservation:
    """Money set aside for one call. ``charged`` is what it cost in the end; None counts as the estimate."""

    estimate: float
    charged: float | None = 0.0


class Budget:
    """At most ``max_usd`` US dollars for all calls together; None sets no ceiling.

    Before a call its estimate is set aside: the prompt's tokens and the whole reply cap at list price. Afterwards the
    actual cost takes its place. An estimate that doesn't fit beside the calls in flight waits for them, since they
    mostly cost less than was set aside; one that wouldn't fit alone raises. So the ceiling is never passed, whatever
    the replies' lengths, as far as the prompt's tokens are estimated high enough.

    Example:
        >>> Budget(0.5).left
        0.5
    """

    def __init__(self, max_usd: float | None = None) -> None:
        self.max_usd = max_usd
        self.spent = 0.0
        self._reserved = 0.0
        self._in_flight = 0
        self._settled = asyncio.Condition()

    @property
    def left(self) -> float:
        """What is neither spent nor set aside, in US dollars; infinite without a ceiling."""
        return float("inf") if self.max_usd is None else self.max_usd - self.spent - self._reserved

    def require_price(self, entry: ModelEntry) -> None:
        """Make sure that the model's calls can be counted.

        Raises:
            InputError: there is a ceiling, and the model's price is unknown.
        """
        if self.max_usd is not None and not is_price_known(entry):
            raise InputError(
                f"--max-usd cannot be kept with the model {entry.id}: its price is unknown; "
                "give its entry in the catalogue a price, or leave --max-usd out"
            )

    @asynccontextmanager
    async def reserve(
        self, entry: ModelEntry, tokens_in: int, tokens_out: int, *, is_batched: bool = False
    ) -> AsyncGenerator[Reservation]:
        """Set the estimated cost of a call aside while the body makes it; the body notes what was charged.

        Raises:
            BudgetReached: the estimate is more than what is left once all calls in flight have ended.
        """
        if self.max_usd is None:
            reservation = Reservation(0.0)
            yield reservation
            self.spent += reservation.charged or 0.0
            return
        estimate = price_call(entry, TokenUsage(tokens_in, tokens_out), is_batched=is_batched) or 0.0
        reservation = Reservation(estimate)
        async with self._settled:
            await self._settled.wait_for(lambda: estimate <= self.left or not self._in_flight)
            if estimate > self.left:
                raise BudgetReached(
                    f"the next call to {entry.id} could cost ${estimate:.4f}, "
                    f"and ${max(self.left, 0):.4f} of --max-usd {self.max_usd:g} is left"
                )
            self._reserved += estimate
            self._in_flight += 1
        try:
            yield reservation
        finally:
            self._in_flight -= 1
            # Sums of floats leave crumbs, which an idle budget must not carry along.
            self._reserved = self._reserved - estimate if self._in_flight else 0.0
            self.spent += estimate if reservation.charged is None else reservation.charged
            async with self._settled:
                self._settled.notify_all()
