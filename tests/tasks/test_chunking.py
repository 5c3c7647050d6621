"""Items are asked about in chunks; what fails is halved until single items fail alone."""

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Table
from providers.asking import Answer
from schemas.articles import Article
from schemas.replies import EdgesReply
from tasks.chunking import ask_in_chunks, to_chunks

ARTICLE = Article(
    domain="environment",
    backbone="floods",
    title="Floods",
    url="",
    revision="",
    retrieved_at="2026-01-01T00:00:00Z",
    licence="",
    text="",
    sha256="",
    words=0,
)
TABLE = Table("x", (), np.ones(1))


@given(st.lists(st.integers(1, 50)), st.integers(1, 5), st.integers(1, 60))
def test_chunks_keep_all_items_in_order_and_within_both_limits(sizes: list[int], most: int, room: int) -> None:
    chunks = to_chunks(sizes, lambda size: size, most_items=most, most_size=room)
    assert [size for chunk in chunks for size in chunk] == sizes
    assert all(len(chunk) <= most for chunk in chunks)
    assert all(sum(chunk) <= room or len(chunk) == 1 for chunk in chunks)


class Model:
    """Answers chunks without a bad item; counts what it was asked."""

    def __init__(self, bad: set[int], reason: str) -> None:
        self.bad, self.reason, self.asked = bad, reason, list[tuple[int, ...]]()

    async def ask(self, items: Sequence[int]) -> Answer[EdgesReply]:
        self.asked.append(tuple(items))
        if self.bad & set(items):
            return Answer(None, "m", 1, self.reason, "why")  # type: ignore[arg-type]
        return Answer(EdgesReply(edges=[]), "m", 1)


def convert(_: EdgesReply, items: Sequence[int]) -> Mapping[int, Table]:
    return dict.fromkeys(items, TABLE)


async def test_one_bad_item_costs_only_itself() -> None:
    model = Model({3}, "truncated")
    answers = await ask_in_chunks([[1, 2, 3, 4]], model.ask, convert, str, ARTICLE, "joints")
    assert sorted(answers.results) == [1, 2, 4]
    assert [(loss.item, loss.reason, loss.detail) for loss in answers.losses] == [("3", "truncated", "why")]
    assert model.asked == [(1, 2, 3, 4), (1, 2), (3, 4), (3,), (4,)]


async def test_a_refusal_is_not_asked_again_in_halves() -> None:
    model = Model({1}, "refused")
    answers = await ask_in_chunks([[1, 2]], model.ask, convert, str, ARTICLE, "joints")
    assert model.asked == [(1, 2)]
    assert [loss.item for loss in answers.losses] == ["1", "2"]
