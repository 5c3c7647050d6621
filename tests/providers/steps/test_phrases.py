from hypothesis import given
from hypothesis import strategies as st

from providers.steps.phrases import find_passage, find_phrases, is_mentioned, split_passages, split_sentences

TEXT = (
    "Rising demand for beef raises the price of land. Higher land prices encourage illegal logging. "
    "Forest fires release carbon dioxide, and illegal logging goes on."
)


def test_phrases_are_noun_phrases_of_the_text_and_the_frequent_one_comes_first() -> None:
    phrases = find_phrases(TEXT)
    assert phrases[0] == "illegal logging"
    assert {"land prices", "forest fires", "carbon dioxide"} <= set(phrases)
    assert not {"release", "encourage", "of", "rising", "continues."} & set(phrases)


@given(st.text(max_size=300))
def test_phrases_are_distinct_short_and_found_in_the_text_again(text: str) -> None:
    phrases = find_phrases(text)
    assert len(set(phrases)) == len(phrases)
    lowered = text.lower()
    for phrase in phrases:
        assert 1 <= len(phrase.split()) <= 3
        assert len(phrase) <= 60
        assert all(word in lowered for word in phrase.split())


@given(st.lists(st.sampled_from(["Rain fell.", "Is it so?", "No!", "Rivers rose"]), max_size=12), st.integers(1, 5))
def test_passages_hold_every_sentence_once_and_in_order(parts: list[str], n: int) -> None:
    text = " ".join(parts)
    passages = split_passages(text, n)
    assert len(passages) <= n
    assert " ".join(passages) == " ".join(split_sentences(text))


def test_a_phrase_is_mentioned_only_as_whole_words() -> None:
    assert is_mentioned("forest fire", "Forest fires spread.")
    assert is_mentioned("crop yields", "The crop yield fell.")
    assert not is_mentioned("rain", "The train left.")
    assert not is_mentioned("a.c", "abc")


def test_the_passage_of_names_apart_is_the_first_mention_of_each() -> None:
    assert find_passage(TEXT, ("beef", "forest fires")) == (
        "Rising demand for beef raises the price of land. "
        "Forest fires release carbon dioxide, and illegal logging goes on."
    )


def test_the_passage_of_names_together_is_the_one_sentence_that_has_them() -> None:
    assert find_passage(TEXT, ("land prices", "illegal logging")) == "Higher land prices encourage illegal logging."


def test_a_text_without_the_names_or_without_sentences_has_a_passage_all_the_same() -> None:
    assert find_passage("It rains. It pours.", ("inflation",)) == "It rains."
    assert find_passage("", ("inflation",)) == ""
    assert len(find_passage("word " * 500, ("word",)).split()) == 60
