"""An article is cut at a budget of tokens, where something ends, and the cut is known afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.catalogue import ModelEntry
from schemas.errors import InputError
from tasks.input_budget import (
    OVERHEAD_TOKENS,
    count_room,
    count_tokens,
    cut_article,
    cut_text,
    find_budget,
    is_cut,
    note_cut,
)
from tests.providers.wire import ARTICLE


def entry(context: int, output: int, reasoning: int = 0) -> ModelEntry:
    return ModelEntry(
        id="m",
        provider="openai-compatible",
        model="m",
        base_url="http://localhost",
        context_tokens=context,
        max_output_tokens=output,
        reasoning_tokens=reasoning,
    )


@given(st.text(), st.integers(min_value=0, max_value=60))
def test_a_cut_text_is_a_beginning_of_the_text_within_the_budget(text: str, budget: int) -> None:
    cut = cut_text(text, budget)
    assert text.startswith(cut)
    assert count_tokens(cut) <= budget
    if count_tokens(text) <= budget:
        assert cut == text


@given(st.text(), st.text())
def test_a_longer_text_never_has_fewer_tokens(first: str, second: str) -> None:
    assert count_tokens(first) <= count_tokens(first + second) <= count_tokens(first) + count_tokens(second)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a" * 400, 100),
        ("é" * 400, 100),
        ("ж" * 400, 200),
        ("ع" * 400, 200),
        ("水" * 400, 400),
        ("🔥" * 400, 400),
    ],
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "budget", "cut"),
    [
        # 10 tokens are 40 characters: the first paragraph has 28 of them, the second does not fit.
        ("It rained. The river rose up.\n\nThen the dam broke and all fled.", 10, "It rained. The river rose up."),
        # The paragraph ends before half of what fits; a sentence ends after it.
        ("Rain.\n\nThe river rose all day long. It broke the dam.", 10, "Rain.\n\nThe river rose all day long."),
        ("the river rose all day long and it broke the dam", 10, "the river rose all day long and it broke"),
        ("He said: “It rose.” Then it fell again slowly.", 6, "He said: “It rose.”"),
        ("雨が降った。川が増水した。堤防が切れた。", 14, "雨が降った。川が増水した。"),
        ("x" * 100, 10, "x" * 40),
        ("any words", 0, ""),
    ],
)
def test_the_cut_is_at_a_paragraph_else_a_sentence_else_a_word(text: str, budget: int, cut: str) -> None:
    assert cut_text(text, budget) == cut


def test_a_cut_article_is_the_article_of_its_beginning_and_the_whole_one_knows_how_much_was_read() -> None:
    whole = ARTICLE.model_copy(update={"text": "Rain fell all day long. Rivers rose.", "words": 7})
    cut = cut_article(whole, 8)
    assert (cut.text, cut.words) == ("Rain fell all day long.", 5)
    assert cut.sha256 != whole.sha256
    noted = note_cut(whole, 8)
    assert (noted.text, noted.words, noted.read_words, is_cut(noted)) == (whole.text, 7, 5, True)
    assert not is_cut(note_cut(whole, 9))
    assert not is_cut(whole)


def test_the_budget_is_what_was_asked_for_or_what_the_context_leaves() -> None:
    assert find_budget("offline:rules", 8000) == 8000
    # A reply of 14,500 tokens is the largest that is asked for: 1,000 and 45 for each of 300 cells.
    assert count_room(entry(100_000, 64_000)) == 100_000 - 14_500 - OVERHEAD_TOKENS
    assert count_room(entry(100_000, 64_000, 16_000)) == 100_000 - 30_500 - OVERHEAD_TOKENS
    assert count_room(entry(8192, 1024)) == 8192 - 1024 - OVERHEAD_TOKENS
    assert find_budget("local:smollm2", 8000) == 8192 - 1024 - OVERHEAD_TOKENS


def test_a_model_whose_context_has_no_room_for_an_article_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_small(_: str) -> ModelEntry:
        return entry(4096, 2048)

    monkeypatch.setattr("tasks.input_budget.find_model", find_small)
    with pytest.raises(InputError, match=r"model m: its context_tokens leave no room"):
        find_budget("m", 8000)
