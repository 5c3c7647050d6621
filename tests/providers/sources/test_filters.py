"""Cleaning is the identity on clean text and removes what nobody sees; the filters say in one line what is wrong."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.sources.filters import ArticleFilters, clean_text, clean_title, find_flaw, to_title_key

PROSE = "Dry soil leads to poor harvests. " * 20  # 120 words
any_text = st.text(st.characters(exclude_categories=()) | st.sampled_from(" \t\r\n\u2028\u202e\ufeff\u0301e\u00a0"))


@given(any_text)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once


@given(any_text)
def test_clean_text_is_nfc_valid_utf8_and_holds_no_hidden_character(text: str) -> None:
    clean = clean_text(text)
    assert unicodedata.is_normalized("NFC", clean)
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert clean == clean.strip()
    assert not {unicodedata.category(character) for character in clean.replace("\n", "")} & {"Cc", "Cs"}
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u200b\U000e0041")


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one\n\n\n\ntwo", "one\n\ntwo"),
        ("  one \t two\u00a0three  ", "one two three"),
        ("cafe\u0301", "caf\u00e9"),
        ("gold\u202edlog\u202c", "golddlog"),
        ("a\x00b\x1bc\u200bd", "abcd"),
        ("na\u00adive", "naive"),
        (
            "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
    ],
)
def test_each_kind_of_dirt_is_removed_and_joiners_that_a_script_needs_are_kept(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


def test_a_title_is_one_line_of_at_most_200_characters() -> None:
    assert clean_title(" Bank_runs\n in\u202e 1930 ") == "Bank runs in 1930"
    assert len(clean_title("word " * 100)) <= 200


def test_titles_are_the_same_if_only_the_first_letters_case_or_underscores_differ() -> None:
    assert to_title_key("iron_man") == to_title_key("Iron man")
    assert to_title_key("Iron Man") != to_title_key("Iron man")


@pytest.mark.parametrize(
    "title",
    [
        *(
            "List of famines",
            "Lists of wars",
            "Index of economics articles",
            "Outline of society",
            "Timeline of the war",
        ),
        *("Liste der Banken", "Liste des crises", "Lista de bancos", "Anexo:Bancos", "Lijst van banken"),
        *("Timelines of history", "Glossary of terms", "Ada (disambiguation)", "COVID-19 timeline"),
    ],
)
def test_lists_and_their_like_are_known_by_their_titles(title: str) -> None:
    assert "list, index, outline" in str(find_flaw(title, PROSE, ArticleFilters()))


@pytest.mark.parametrize(
    "title",
    ["Template:Infobox", "Portal:Asia", "Draft:Rain", "User talk:Ada", "talk:Rain", "Wikipedia:About", "File:A.png"],
)
def test_pages_of_other_namespaces_are_known_by_their_titles(title: str) -> None:
    assert "another namespace" in str(find_flaw(title, PROSE, ArticleFilters()))


@pytest.mark.parametrize(
    "title",
    [
        "Index fund",
        "Listing",
        "Lista",
        "Indexation of wages",
        "Portal vein",
        "Draft animal",
        "Mission: Impossible",
        "Drought",
    ],
)
def test_ordinary_titles_that_look_alike_are_taken(title: str) -> None:
    assert find_flaw(title, PROSE, ArticleFilters()) is None


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("Ada may refer to:\n" + PROSE, "is a disambiguation page by its text"),
        ("Alien primarily refers to:\n\n" + PROSE, "is a disambiguation page by its text"),
        ("This is a list of characters in the novel. " + PROSE, "is a list, index, outline or timeline by its text"),
        ("The following is a brief timeline of events. " + PROSE, "is a list, index, outline or timeline by its text"),
        ("#REDIRECT [[Rain]] " + PROSE, "is a redirect by its text"),
        ("", "is empty"),
    ],
)
def test_lists_disambiguation_and_redirects_are_known_by_their_texts(text: str, flaw: str) -> None:
    assert find_flaw("Ada", text, ArticleFilters()) == flaw


def test_prose_that_says_what_a_word_refers_to_is_taken() -> None:
    assert find_flaw("Inflation", "Inflation may refer to a rise in prices. " + PROSE, ArticleFilters()) is None


@pytest.mark.parametrize(("n_words", "is_taken"), [(79, False), (80, True), (800, True), (801, False)])
def test_80_to_800_words_are_taken_by_default(n_words: int, is_taken: bool) -> None:
    assert (find_flaw("Rain", "word " * n_words, ArticleFilters()) is None) == is_taken


def test_the_limits_can_be_set_and_the_reason_names_the_setting() -> None:
    filters = ArticleFilters(min_words=3, max_words=4)
    assert find_flaw("Rain", "a b c", filters) is None
    assert find_flaw("Rain", "a b", filters) == "has 2 words; at least 3 are needed (min_words)"
    assert find_flaw("Rain", "a b c d e", filters) == "has 5 words; at most 4 are taken (max_words)"
