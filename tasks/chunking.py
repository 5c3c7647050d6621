"""Asking about many items in few calls, and again in halves where a reply was cut short or could not be used."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bayes.network import Table
from providers.asking import Answer
from schemas.articles import Article
from schemas.calls import Failure
from schemas.replies import Reply

ReplyT = TypeVar("ReplyT", bound=Reply)
Item = TypeVar("Item")
Key = TypeVar("Key")

_WORTH_SPLITTING = {"truncated", "invalid_reply"}


@dataclass(frozen=True, slots=True)
class ChunkedAnswers(Generic[Key]):
    """The tables that were had, and a failure for every item that was not."""

    results: Mapping[Key, Table]
    losses: tuple[Failure, ...]


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


def to_failure(answer: Answer[ReplyT], stage: str, domain: str, backbone: str, item: str) -> Failure:
    """The row for an answer that could not be had."""
    return Failure(stage, domain, backbone, item, answer.reason or "internal", answer.detail)


async def ask_in_chunks(
    chunks: Sequence[Sequence[Item]],
    ask: Callable[[Sequence[Item]], Awaitable[Answer[ReplyT]]],
    convert: Callable[[ReplyT, Sequence[Item]], Mapping[Key, Table]],
    name: Callable[[Item], str],
    article: Article,
    stage: str,
) -> ChunkedAnswers[Key]:
    """Ask about every chunk at once; a chunk that fails is halved until single items fail alone.

    Args:
        chunks: the items, grouped.
        ask: one call about some items.
        convert: the tables of a reply that passed its checks.
        name: how an item is called in a failure.
        article: what it is about.
        stage: the pass.
    """
    results: dict[Key, Table] = {}
    losses: list[Failure] = []

    async def work(items: Sequence[Item]) -> None:
        answer = await ask(items)
        if answer.value is not None:
            results.update(convert(answer.value, items))
        elif len(items) > 1 and answer.reason in _WORTH_SPLITTING:
            middle = len(items) // 2
            await asyncio.gather(work(items[:middle]), work(items[middle:]))
        else:
            losses.extend(to_failure(answer, stage, article.domain, article.backbone, name(item)) for item in items)

    await asyncio.gather(*(work(items) for items in chunks))
    return ChunkedAnswers(results, tuple(sorted(losses, key=lambda loss: loss.item)))
