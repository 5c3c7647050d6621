"""Slugs are safe as path parts and partition keys, and different titles keep different slugs."""

import re
import unicodedata
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.slugs import MAX_SLUG_LENGTH, is_slug, to_distinct_slug, to_slug

any_text = st.text(st.characters(), max_size=90)
title_text = st.text(st.sampled_from("abAB19 -'.,:()éßİ中²ﬁ+#/\\\0\u202e\n"), max_size=12)


@pytest.mark.parametrize("text", ["economics", "a", "covid-19", "a" * 60, "none-140bed", "nano"])
def test_plain_lower_case_words_are_slugs(text: str) -> None:
    assert is_slug(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2008", "-a", "a-", "A", "a_b", "a b", "a/b", "..", "a\n", "é", "a" * 61),
        *("true", "false", "null", "nan", "inf", "none", "infinity", "epoch"),
    ],
)
def test_what_a_path_or_a_reader_could_misread_is_no_slug(text: str) -> None:
    assert not is_slug(text)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Economic crises", "economic-crises"),
        ("Deforestation", "deforestation"),
        ("Washington, D.C.", "washington-d-c"),
        ("Apollo (god)", "apollo-god"),
        ("Moore's law", "moores-law"),
        ("COVID-19", "covid-19"),
    ],
)
def test_an_ordinary_title_is_readable_and_has_no_suffix(title: str, slug: str) -> None:
    assert to_slug(title) == slug


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("São Paulo", "sao-paulo"),
        ("C++", "c"),
        ("2008 financial crisis", "article-2008-financial-crisis"),
        ("None", "none"),
        ("経済", "article"),
        ("", "article"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 61, "x" * 53),
    ],
)
def test_a_title_that_loses_something_gets_six_digits_of_its_digest(title: str, stem: str) -> None:
    assert to_slug(title) == f"{stem}-{sha256(title.encode()).hexdigest()[:6]}"


@given(any_text | title_text)
def test_every_title_gives_a_slug(title: str) -> None:
    slug = to_slug(title)
    assert is_slug(slug)
    assert len(slug) <= MAX_SLUG_LENGTH


@given(title_text, title_text)
def test_titles_that_differ_in_more_than_case_and_plain_punctuation_have_different_slugs(one: str, other: str) -> None:
    def to_loose(title: str) -> str:
        letters = re.sub(r"[ ,.:()_-]+", " ", title.lower().replace("'", "")) if title.isascii() else title
        return unicodedata.normalize("NFC", letters).strip()

    if to_loose(one) != to_loose(other):
        assert to_slug(one) != to_slug(other)


@given(any_text)
def test_a_slug_does_not_depend_on_the_unicode_form_of_the_title(title: str) -> None:
    assert to_slug(unicodedata.normalize("NFD", title)) == to_slug(unicodedata.normalize("NFC", title))


@given(st.lists(title_text, max_size=20))
def test_distinct_slugs_stay_distinct_and_safe_even_for_equal_titles(titles: list[str]) -> None:
    taken: set[str] = set()
    for title in titles:
        slug = to_distinct_slug(title, taken)
        assert is_slug(slug)
        assert slug not in taken
        taken.add(slug)


def test_the_first_title_keeps_the_plain_slug_and_the_second_gets_its_digest() -> None:
    assert to_distinct_slug("Iron Man", set()) == "iron-man"
    # The digest is that of "Iron man", so it does not depend on what came first.
    assert to_distinct_slug("Iron man", {"iron-man"}) == f"iron-man-{sha256(b'Iron man').hexdigest()[:6]}"
