"""An article's own sections stay, with their headings; notes, sources and links go."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.sources.sections import (
    MAX_SECTIONS,
    Section,
    is_back_matter,
    join_sections,
    read_sections,
    split_sections,
)


@pytest.mark.parametrize(
    "heading",
    ["References", "SEE ALSO", "External links", "Notes and references", "Further  reading:", "Einzelnachweise"],
)
def test_back_matter_is_known_by_its_heading(heading: str) -> None:
    assert is_back_matter(heading)


@pytest.mark.parametrize("heading", ["Causes", "Notes on method", "Literature in Angola", "Sources of income", ""])
def test_headings_that_look_alike_are_the_articles_own(heading: str) -> None:
    assert not is_back_matter(heading)


def test_what_follows_back_matter_on_its_level_is_kept_and_what_is_below_it_is_not() -> None:
    sections = [
        Section(2, "Notes", "a"),
        Section(3, "Web", "b"),
        Section(2, "Causes", "c"),
        Section(3, "See also", "d"),
        Section(3, "Rain", "e"),
    ]
    assert join_sections(sections) == "Causes\n\nc\n\nRain\n\ne"


def test_a_heading_without_anything_below_it_goes() -> None:
    sections = [
        Section(2, "A", ""),
        Section(3, "B", ""),
        Section(2, "C", ""),
        Section(3, "D", "d"),
        Section(2, "E", ""),
    ]
    assert join_sections(sections) == "C\n\nD\n\nd"


@given(
    st.lists(st.builds(Section, st.integers(1, 6), st.sampled_from(["A", "Notes", "B"]), st.sampled_from(["", "t"])))
)
def test_every_kept_text_stands_below_its_own_heading(sections: list[Section]) -> None:
    lines = join_sections(sections).split("\n\n")
    assert all(above in {"A", "B"} for above, line in pairwise(lines) if line == "t")
    assert lines[-1] in {"t", ""}


def test_a_text_is_split_at_its_headings_and_nowhere_else() -> None:
    text = "a = b == c\n= One =\nx\n==Two==\n=\n== Three == \n"
    assert split_sections(text) == (Section(1, "One", "x"), Section(2, "Two", "="), Section(2, "Three", ""))
    assert split_sections("no heading") == ()


def test_spaces_in_a_line_that_is_no_heading_cost_nothing() -> None:
    # The square of their number would be hours.
    assert split_sections("= x" + " " * 1_000_000 + "y\n== a = = ==  \nRain.") == (Section(2, "a = =", "Rain."),)


def test_an_article_has_a_bounded_number_of_sections() -> None:
    sections = split_sections("= a =\nb\n" * (MAX_SECTIONS + 5))
    assert sections == (Section(1, "a", "b"),) * MAX_SECTIONS


def test_a_section_that_is_too_long_or_costly_is_left_out() -> None:
    wikitext = "== Rain ==\nIt falls.\n== Long ==\n" + "a " * 200_000 + "\n== Costly ==\n" + "= " * 50_000
    assert read_sections(wikitext, ("file",)) == "Rain\n\nIt falls."
