"""Names are clean noun phrases: what they keep, what they drop, what is no name at all."""

import pytest

from providers.rules.naming import Mention, name_phrase, to_key
from providers.rules.phrases import Phrase, build_items
from providers.rules.tagging import tag_sentence


def name(text: str) -> Mention | None:
    """The mention of the object of a sentence about ``text``."""
    items = build_items(tag_sentence(f"They saw {text}."))
    phrase = next(item for item in items if isinstance(item, Phrase))
    return name_phrase(phrase)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the very high prices", "prices"),
        ("the price of oil", "oil price"),
        ("the loss of tropical forests", "tropical forest loss"),
        ("the quality of life", "quality of life"),
        ("the demand for cars", "car demand"),
        ("access to clean water", "access to clean water"),
        ("the country's political and social institutions", "social institutions"),
        ("three hundred new laws", "laws"),
        ("a series of severe droughts", "droughts"),
        ("the 26-year-long civil war", "civil war"),
        ("the spread of new ideas", "idea spread"),
        ("the American Revolutionary War", "American Revolutionary War"),
        ("British forces", "British forces"),
        ("the GDP", "GDP"),
        ("the dissolution of the Soviet Union", "Soviet Union dissolution"),
        ("the population of Angola", "population"),
    ],
)
def test_a_name_keeps_the_classifying_words_only(text: str, expected: str) -> None:
    mention = name(text)
    assert mention is not None
    assert mention.name == expected


@pytest.mark.parametrize(
    "text",
    [
        *("the farmers", "many people", "the number of people", "the same way", "three years", "the results"),
        *("this process", "France", "Jonas Savimbi", "the village", "Monday", "the United States", "other examples"),
    ],
)
def test_people_places_times_and_empty_words_are_no_names(text: str) -> None:
    assert name(text) is None


@pytest.mark.parametrize(
    ("text", "expected", "polarity"),
    [
        ("an increase in oil prices", "oil prices", 1),
        ("a decline in fish stocks", "fish stocks", -1),
        ("lack of rain", "rain", -1),
        ("low wages", "wages", -1),
        ("a lack of low wages", "wages", 1),
        ("the oil price rise", "oil price", 1),
        ("the risk of flooding", "flooding", 1),
    ],
)
def test_words_of_change_give_the_polarity_and_leave_the_name(text: str, expected: str, polarity: int) -> None:
    mention = name(text)
    assert mention is not None
    assert (mention.name, mention.polarity) == (expected, polarity)


def test_singular_and_plural_have_one_key() -> None:
    assert to_key("Banking Crises") == to_key("banking crisis") == "banking crisis"
