"""Texts become sentences of plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.rules.sentences import MAX_WORDS, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Rain fell. Rivers rose!", ("Rain fell.", "Rivers rose!")),
        (
            "Dr. A. Smith spoke of e.g. the U.S. dollar. It fell.",
            ("Dr. A. Smith spoke of e.g. the U.S. dollar.", "It fell."),
        ),
        ("Tax (a levy (of old)) rose.", ("Tax rose.",)),
        ("# Heading\n\nRain <b>fell</b>[1] on\nthe [[roof|roofs]].", ("Rain fell on the roofs.",)),
        ("- one thing\n- another thing", ("one thing", "another thing")),
        ("", ()),
        ("\x00\x1b \u200f", ()),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(max_size=3_000))
def test_no_text_breaks_it_and_no_control_character_survives(text: str) -> None:
    assert all(sentence.isprintable() and sentence.strip() for sentence in split_sentences(text))


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    sentences = split_sentences("It rains. " * 5_000)
    assert sum(len(sentence.split()) for sentence in sentences) == MAX_WORDS
