"""Asking about many items in few calls, and again in halves where a reply was cut short or could not be used."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from providers.asking import Answer
from schemas.calls import Failure
from schemas.replies import Reply

ReplyT = TypeVar("ReplyT", bound=Reply)
Item = TypeVar("Item")
Key = TypeVar("Key")
Value = TypeVar("Value")

EDGES_A_CALL = 10
CELLS_A_CALL = 300
MAX_CELLS = 1200
"""A table with more cells than this is not asked for."""

_WORTH_SPLITTING = {"truncated", "invalid_reply"}
_TOKENS_A_CELL = 45
_TOKENS_BASE = 1000


class Place(Protocol):
    """What failures are filed under: an article, or the key of a backbone."""

    @property
    def domain(self) -> str:
        """The slug of the domain."""
        ...

    @property
    def backbone(self) -> str:
        """The slug of the backbone."""
        ...


@dataclass(frozen=True, slots=True)
class ChunkedAnswers(Generic[Key, Value, ReplyT]):
    """What was had of the items, a failure for every item that was not, and the replies in the order of the items."""

    results: Mapping[Key, Value]
    losses: tuple[Failure, ...]
    replies: tuple[ReplyT, ...]


def to_chunks(
    items: Sequence[Item], size: Callable[[Item], int], *, most_items: int, most_size: int
) -> list[list[Item]]:
    """Items in order, as many to a chunk as stay within both limits; one at least.

    Example:
        >>> to_chunks([5, 5, 9, 1, 1], lambda size: size, most_items=2, most_size=10)
        [[5, 5], [9, 1], [1]]
    """
    chunks: list[list[Item]] = []
    room = 0
    for item in items:
        cost = size(item)
        if not chunks or len(chunks[-1]) == most_items or cost > room:
            chunks.append([])
            room = most_size
        chunks[-1].append(item)
        room -= cost
    return chunks


def to_max_tokens(n_cells: int) -> int:
    """The token limit for a reply with so many cells."""
    return _TOKENS_BASE + _TOKENS_A_CELL * n_cells


def to_failure(answer: Answer[ReplyT], stage: str, domain: str, backbone: str, item: str) -> Failure:
    """The row for an answer that could not be had."""
    return Failure(stage, domain, backbone, item, answer.reason or "internal", answer.detail)


async def ask_in_chunks(
    chunks: Sequence[Sequence[Item]],
    ask: Callable[[Sequence[Item]], Awaitable[Answer[ReplyT]]],
    convert: Callable[[ReplyT, Sequence[Item]], Mapping[Key, Value]],
    name: Callable[[Item], str],
    place: Place,
    stage: str,
) -> ChunkedAnswers[Key, Value, ReplyT]:
    """Ask about every chunk at once; a chunk that fails is halved until single items fail alone.

    Args:
        chunks: the items, grouped.
        ask: one call about some items.
        convert: what a reply that passed its checks says of each item.
        name: how an item is called in a failure.
        place: what it is about.
        stage: the pass.
    """
    results: dict[Key, Value] = {}
    losses: list[Failure] = []

    async def work(items: Sequence[Item]) -> list[ReplyT]:
        answer = await ask(items)
        if answer.value is not None:
            results.update(convert(answer.value, items))
            return [answer.value]
        if len(items) > 1 and answer.reason in _WORTH_SPLITTING:
            middle = len(items) // 2
            halves = await asyncio.gather(work(items[:middle]), work(items[middle:]))
            return [reply for half in halves for reply in half]
        losses.extend(to_failure(answer, stage, place.domain, place.backbone, name(item)) for item in items)
        return []

    replies = await asyncio.gather(*(work(items) for items in chunks))
    return ChunkedAnswers(
        results,
        tuple(sorted(losses, key=lambda loss: loss.item)),
        tuple(reply for some in replies for reply in some),
    )
