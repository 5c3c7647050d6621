"""Names are the same whatever their case, accents, hyphens, plurals and punctuation, and found only as whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.folding import Span, fold, fold_text, is_same_name, normalise, to_key, to_singular

LETTERS = st.text("abcdefghijklmnopqrstuvwxyzé", min_size=1, max_size=8)
NAMES = st.lists(LETTERS, min_size=1, max_size=4).map(" ".join)
ANY_NAME = st.text(min_size=1, max_size=12).map(lambda name: " ".join(name.split())).filter(bool)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Interest Rate", "interest rates"),
        ("land-use", "Land use"),
        ("land use", "landuse"),
        ("co-operation", "cooperation"),
        ("crises", "Crisis"),
        ("policies", "policy"),
        ("statuses", "status"),
        ("causes of deaths", "cause of death"),
        ("naïve café", "naive cafe"),
        ("Okun’s law", "Okun's law"),
        ("workers’ rights", "worker rights"),
        ("R&D", "r and d"),
        ("A—B", "a b"),
        ("$1,015", "$1015"),
        ("42.67 per cent", "42.67%"),
        (".5", "0.5"),
        ("U.S. Congress", "US Congress"),
        ("ＦＵＬＬ ｗｉｄｔｈ", "full width"),
        ("labor_market", "labor market"),
        ("Washington, D.C.", "washington dc"),
        ("COVID-19", "covid 19"),
        ("STRASSE", "straße"),
    ],
)
def test_spellings_of_one_name_are_the_same(left: str, right: str) -> None:
    assert is_same_name(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("growth", "outgrowth"),
        ("1 10", "11 0"),
        ("<5", ">5"),
        ("5", "-5"),
        ("5%", "5"),
        ("$235", "235"),
        ("C", "C++"),
        ("plan", "plane"),
        ("bus", "bu"),
        ("1990", "1990s"),
        ("cause", "cas"),
        ("+", "-"),
        ("=", "≠"),
    ],
)
def test_different_names_stay_different(left: str, right: str) -> None:
    assert not is_same_name(left, right)


@pytest.mark.parametrize("word", ["gas", "status", "basis", "class", "news", "is", "us", "series", "analysis"])
def test_words_that_only_look_like_plurals_are_left_alone(word: str) -> None:
    assert to_singular(word) == word


@given(NAMES)
def test_folding_case_hyphens_and_the_plural_of_the_last_word_changes_nothing(name: str) -> None:
    assert fold(name.upper()) == fold(name)
    assert to_key(name.replace(" ", "-")) == to_key(name)
    # Where English forms the plural with a plain -s: not after sibilants (-es), vowels and y (-ies).
    last = name.rsplit(maxsplit=1)[-1]
    if len(last) > 3 and last[-1] in "bcdfgjklmnpqrtvw" and to_singular(last) == last:
        assert to_key(name + "s") == to_key(name)


@given(ANY_NAME)
def test_a_name_never_folds_to_nothing_and_folding_twice_is_folding_once(name: str) -> None:
    assert fold(name)
    assert normalise(normalise(name)) == normalise(name)


@given(ANY_NAME.filter(lambda name: any(map(str.isalnum, normalise(name)))), NAMES, NAMES)
def test_a_name_is_found_where_it_stands_between_other_words(name: str, before: str, after: str) -> None:
    text = fold_text(f"{before} “{name}” {after}")
    start = len(fold(before))
    assert Span(start, start + len(fold(name))) in text.find(name)
    assert text.tokens[start : start + len(fold(name))] == fold(name)


def test_a_name_is_found_with_its_place() -> None:
    text = fold_text("Outgrowth is not growth, and the slow-growth firms know it.")
    assert text.find("growth") == (Span(3, 4), Span(7, 8))
    assert text.find("Slow growth") == (Span(6, 8),)
    start, end = text.spans[3]
    assert text.plain[start:end] == "growth"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tax relief", "After tax, relief came."),
        ("tax relief", "It was a tax. Relief came later."),
        ("tax relief", "This is tax\n\nrelief."),
        ("tax relief", "They call it “tax” relief."),
        ("apart", "This is a part of it."),
        ("5", "It costs $1,015 or 5.5 or 15."),
        ("growth", "undergrowth"),
    ],
)
def test_a_name_is_not_found_across_punctuation_or_inside_words(name: str, text: str) -> None:
    assert fold_text(text).find(name) == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("health care", "Good healthcare matters."),
        ("healthcare", "Good health care matters."),
        ("reelection", "He sought re-election."),
        ("re-election", "He sought reelection."),
        ("maximum weekly payment of $1,015", "a maximum weekly payment of $1,015 is paid"),
        ("Washington, D.C.", "in Washington D.C. they met"),
        ("a (b)", "this is a (b) case"),
        ("x.*[y]+", "the x.*[y]+ of it"),
        ("2008", "In 2008, it fell."),
        ("C++", "They write C++ mostly."),
        ("labour market", "the labour market’s state"),
        ("-", "The sign “-” is shown."),
    ],
)
def test_awkward_names_are_found(name: str, text: str) -> None:
    assert len(fold_text(text).find(name)) == 1
