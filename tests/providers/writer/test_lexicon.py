"""Phrasings keep their promises to the checks: edges are causal, strength comes from probabilities alone."""

from collections.abc import Iterator

import pytest

from bayes.causal_language import BAND_RANGES, CAUSAL_CUES, STRENGTH_WORDS, Range
from bayes.folding import fold_text
from providers.writer import framings, lexicon
from providers.writer.grammar import StateClass, to_state_class, with_article
from providers.writer.templates import Chooser, Phrase, fill, to_literal, to_sentence

EDGES = (*framings.EDGES_ONE, *framings.EDGES_CHAIN, *framings.EDGES_MANY, *framings.EDGES_FORMAL)
EVEN = (*lexicon.ADVERBS_EVEN, *lexicon.ALWAYS_EVEN, *lexicon.ADJECTIVES_EVEN, *lexicon.CHANCES_EVEN)
CERTAIN = (*lexicon.ADVERBS_CERTAIN, *lexicon.ALWAYS_CERTAIN, *lexicon.ADJECTIVES_CERTAIN)


def to_strengths(text: str) -> list[Range]:
    tokens = fold_text(text).tokens
    return [hit.value for hit in STRENGTH_WORDS.scan(tokens, bytearray(len(tokens)), 0, len(tokens))]


def strength_phrases() -> Iterator[tuple[str, Range]]:
    """Every phrase of strength and the probabilities with which the writer uses it."""
    for decks in (lexicon.ADVERBS, lexicon.ALWAYS, lexicon.ADJECTIVES, lexicon.CHANCES):
        for band, deck in decks.items():
            yield from ((phrase, BAND_RANGES[band]) for phrase in deck)
    yield from ((phrase, Range(0.45, 0.55)) for phrase in EVEN)
    yield from ((phrase, Range(0.93, 1.0)) for phrase in CERTAIN)


@pytest.mark.parametrize("template", EDGES)
@pytest.mark.parametrize("is_plural", [False, True])
def test_every_edge_phrasing_is_causal_and_names_both_ends(template: str, is_plural: bool) -> None:
    text = fill(template, P=Phrase("xx", is_plural), C=Phrase("yy", is_plural), N="two", A="both")
    tokens = fold_text(text).tokens
    assert {"xx", "yy"} <= set(tokens)
    assert any(CAUSAL_CUES.scan(tokens, bytearray(len(tokens)), 0, len(tokens)))


@pytest.mark.parametrize(("phrase", "used"), strength_phrases())
def test_a_strength_phrase_claims_no_less_than_the_range_it_is_used_for(phrase: str, used: Range) -> None:
    (claimed,) = to_strengths(phrase)
    assert claimed.low <= used.low
    assert claimed.high >= used.high


def test_no_other_phrasing_claims_a_strength() -> None:
    known = {phrase for phrase, _ in strength_phrases()}
    decks = [deck for module in (framings, lexicon) for deck in vars(module).values() if isinstance(deck, tuple)]
    templates = [item for deck in decks for item in deck if isinstance(item, str) and item not in known]
    assert len(templates) > 150
    claiming = {template for template in templates for text in to_literal(template) if to_strengths(text)}
    # The one pair of phrasings for what stays below 0.10 in every circumstance.
    assert claiming == set(lexicon.LEFTOVERS_RARE)


def test_verbs_agree_and_phrases_are_not_read_as_templates() -> None:
    assert fill("{P} <P:is|are> {C}", P=Phrase("<C:a|b> {C}", is_plural=True), C="x") == "<C:a|b> {C} are x"
    assert to_sentence("“all” is well") == "“All” is well."


def test_a_deck_is_used_up_before_a_phrasing_comes_again_and_clashing_ones_are_spared() -> None:
    deck = ("one {x}", "two {x}", "three {x}")
    chooser = Chooser("s")
    assert {chooser.draw(deck) for _ in deck} == set(deck)
    chooser = Chooser("s", clashing=["Two"])
    assert {chooser.draw(deck) for _ in range(9)} == {"one {x}", "three {x}"}
    assert Chooser("s", clashing=["one", "two", "three"]).draw(deck) in deck


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("high", StateClass.ADJECTIVE),
        ("very low", StateClass.ADJECTIVE),
        ("partially enforced", StateClass.ADJECTIVE),
        ("below average", StateClass.PREDICATE),
        ("unemployment", StateClass.NOUN),
        ("gradual rent rises", StateClass.NOUN),
        ("New Jersey", StateClass.PROPER),
        ("2008", StateClass.PROPER),
        ("claim completely invalidated", StateClass.SAID),
        ("rules vary", StateClass.SAID),
        ("eligible for benefits", StateClass.SAID),
        ("a; b", StateClass.SAID),
    ],
)
def test_states_are_classed_by_their_form(state: str, expected: StateClass) -> None:
    assert to_state_class(state) is expected


def test_the_article_follows_the_sound() -> None:
    phrases = ("hour", "union", "urban plan", "8% rise", "one-off", "European plan", "ample supply")
    assert [with_article(phrase).split()[0] for phrase in phrases] == ["an", "a", "an", "an", "a", "a", "an"]
