"""Names are cleaned of what nobody sees, and refused where they cannot be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.names import MAX_NAME, clean_name, find_name_problem, strip_unseen, to_key


@given(st.text())
def test_a_clean_name_is_printable_on_one_line_and_stays_as_it_is(text: str) -> None:
    cleaned = clean_name(text)
    assert cleaned.isprintable()
    assert clean_name(cleaned) == cleaned
    assert strip_unseen(cleaned) == cleaned


@pytest.mark.parametrize(
    "raw", ["a\u202eb", "a\u200fb", "a\x1b[31mb", "a\x00b", "a\ufe0fb", "a\U000e0101b", "a\ud800b"]
)
def test_invisible_characters_are_removed(raw: str) -> None:
    assert "b" in clean_name(raw)
    assert all(ord(char) > 31 and char not in "\u202e\u200f" for char in clean_name(raw))


def test_case_and_spaces_do_not_tell_names_apart() -> None:
    assert to_key(" Interest  RATE\n") == to_key("interest rate")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "x" * 101,
            "<b>x</b>",
            "a|b",
            "`rm`",
            "...",
            "{x}",
            "[x](y)",
            "a://b",
            "../x",
            "/x",
            "=x",
            "@x",
            "+x",
            "-x",
        ),
        *("e" + "\u0301" * 5, "\u0301e", "\u20dde"),
    ],
)
def test_names_that_cannot_be_shown_are_refused(name: str) -> None:
    assert find_name_problem(name)


@pytest.mark.parametrize(
    "name",
    [
        "2008",
        "42.67% of all",
        "maximum payment of $1,015",
        "producer's price",
        "R&D",
        "óleo",
        "+2 °C",
        "-5%",
        "and/or",
        "~10%",
        "ท\u0e35\u0e48",
        "x\u0323\u0302",
    ],
)
def test_odd_but_honest_names_are_taken(name: str) -> None:
    assert find_name_problem(clean_name(name)) is None


@given(st.text())
def test_any_name_is_usable_or_refused_in_words_that_follow_it(text: str) -> None:
    name = clean_name(text)
    problem = find_name_problem(name)
    if problem is None:
        assert 0 < len(name) <= MAX_NAME
        assert any(char.isalnum() for char in name)
    else:
        assert problem.startswith(("is ", "has ", "contains ", "looks ", "begins "))


def test_what_is_unseen_goes_and_lines_stay() -> None:
    assert strip_unseen("a\u200bb\n\tc\u200d", keep="\u200d") == "ab\n\tc\u200d"
