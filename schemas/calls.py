"""The records a model call leaves behind, and the ports through which providers hand them on."""

from dataclasses import dataclass
from typing import Literal, Protocol

from schemas.errors import InputError

FailureReason = Literal[
    "invalid_reply",  # broke the schema or the checks after all retries
    "truncated",  # hit the token limit even with a raised cap and a split request
    "refused",  # the model declined
    "rejected",  # the article or network is not one the corpus takes
    "service",  # the service failed after all retries
    "access",  # bad key, no quota, unknown model
    "budget",  # --max-usd was reached before it
    "input",  # the item itself cannot be read
    "internal",  # a fault of this program
]


@dataclass(frozen=True, slots=True)
class Call:
    """One model call: what it was for, what it took, how it ended.

    ``cost_usd`` is None where the price is unknown. ``attempts`` counts requests sent, transient failures included; a
    cached call sent none. ``error`` is a short class, empty where the call succeeded.
    """

    stage: str
    domain: str
    backbone: str
    model: str
    tokens_in: int
    tokens_out: int
    cached: bool
    seconds: float
    cost_usd: float | None
    attempts: int
    finish_reason: str
    error: str


@dataclass(frozen=True, slots=True)
class PendingBatch:
    """Requests that a provider works on as one batch, or may do.

    ``name`` tells it from others in the journal and ``model`` is the catalogue's name. ``group`` is what the requests
    have in common, in pydantic-ai's words. ``sent_at`` is in ISO 8601, UTC. ``handle`` finds the batch again, as JSON
    without a key; it is empty until the provider has said that it took the batch. ``keys`` are those of the requests in
    the reply cache.
    """

    name: str
    model: str
    group: str
    sent_at: str
    handle: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that did not make it, and why. ``detail`` is one line for a person."""

    stage: str
    domain: str
    backbone: str
    item: str
    reason: FailureReason
    detail: str


class ReplyStore(Protocol):
    """Where replies are kept between runs: a map from a content key to a JSON text."""

    def get(self, key: str) -> str | None:
        """The reply kept under the key, or None."""
        ...

    def put(self, key: str, reply: str) -> None:
        """Keep a reply; a key that exists is left alone."""
        ...

    def replace(self, key: str, reply: str) -> None:
        """Keep a reply, in place of one that could not be used."""
        ...


class StoreUnreachable(InputError):
    """The reply store is on a server that does not answer. It ends the run, which can be resumed: exit code 1."""


class CallLedger(Protocol):
    """Where calls are written down."""

    def record(self, call: Call) -> None:
        """Note one call."""
        ...


class BatchJournal(Protocol):
    """Where batches are written down that were sent and not yet collected, so that a later run finds them."""

    def pending(self) -> tuple[PendingBatch, ...]:
        """The batches noted and not settled, those of earlier runs included."""
        ...

    def begin(self, model: str, group: str, keys: tuple[str, ...]) -> PendingBatch:
        """Note a batch that is about to be sent. Nothing is sent where this fails."""
        ...

    def note(self, batch: PendingBatch, handle: str) -> PendingBatch:
        """Note that the provider took a batch, and how it is found again."""
        ...

    def settle(self, batch: PendingBatch, key: str) -> None:
        """Note that the reply to one request is kept; a batch with none left is forgotten."""
        ...

    def forget(self, batch: PendingBatch) -> None:
        """Forget a batch that does not exist."""
        ...

    def place(self, batch: PendingBatch) -> str:
        """Where a batch is noted, for a person to look at."""
        ...
