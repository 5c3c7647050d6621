"""The lexical judge knows some synonyms, and is not taken in by opposites, numbers and wider terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.folding import fold
from bayes.judging import vocabulary
from bayes.judging.lexical import LexicalJudge, to_weight
from bayes.judging.synonyms import SYNONYMS as SYNONYM_LINES
from bayes.scoring.records import Match

JUDGE = LexicalJudge()


def read_groups(lines: str) -> list[list[str]]:
    groups = lines.replace("\n", ";").split(";")
    return [[entry.strip() for entry in group.split(",") if entry.strip()] for group in groups if group.strip()]


ANTONYMS = [(left, right) for left, right in read_groups(vocabulary.ANTONYMS) + read_groups(vocabulary.OPPOSITES)]
SYNONYMS = read_groups(SYNONYM_LINES)
NAMES = st.lists(
    st.sampled_from(
        [entry for group in SYNONYMS for entry in group] + ["not", "unpaid", "GDP", "5%", "to", "BMI", "%"]
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Interest rate", "interest rates"),
        ("crop price", "price of crops"),
        ("children's health", "health of kids"),
        ("labour regulation", "labor regulations"),
        ("regulated trade", "regulation of trade"),
        ("level of rainfall", "precipitation"),
        ("lack of support", "no support"),
        ("not enforced", "unenforced"),
        ("absent", "not present"),
        ("unemployment", "lack of employment"),
        ("less than 5 years", "< 5 years"),
        ("30-40%", "30 to 40 percent"),
        ("65 and over", "at least 65"),
        ("twenty-six weeks", "26 weeks"),
        ("WHO guideline", "World Health Organization guideline"),
        ("$1,015", "1015 dollars"),
    ],
)
def test_paraphrases_by_words_are_the_same(left: str, right: str) -> None:
    assert to_weight(left, right) > 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("youth unemployment rate", "unemployment rate"),
        ("interest rate", "inflation rate"),
        ("employer share", "employee share"),
        ("very high", "high"),
        ("partially funded", "fully funded"),
        ("exports of France to Spain", "exports of Spain to France"),
        ("regulated banks", "unregulated banks"),
        ("tax compliance", "tax non-compliance"),
        ("less than 5 years", "more than 5 years"),
        ("at least 5", "more than 5"),
        ("growth in 2008", "growth in 2009"),
        ("5%", "5"),
        ("26 weeks", "26 months"),
        ("3 million", "3 billion"),
        ("unskilled unemployment", "skilled employment"),
        ("EU mandate", "UN mandate"),
        ("rain", ""),
    ],
)
def test_opposites_wider_terms_and_other_numbers_are_not(left: str, right: str) -> None:
    assert to_weight(left, right) == 0


@pytest.mark.parametrize(("left", "right"), ANTONYMS)
def test_antonyms_of_its_list_are_never_the_same_whatever_else_is(left: str, right: str) -> None:
    for rest in ("", "price", "soil water crop policy", "child health"):
        assert to_weight(f"{left} {rest}", f"{right} {rest}") == 0


def test_no_word_stands_in_two_groups_of_synonyms() -> None:
    groups: dict[tuple[str, ...], set[int]] = {}
    for i, group in enumerate(SYNONYMS):
        for entry in group:
            groups.setdefault(fold(entry), set()).add(i)
    assert {entry for entry, found in groups.items() if len(found) > 1} == set()


@given(NAMES, NAMES, st.sampled_from(["", "risk", "crop price"]))
def test_weights_are_symmetric_and_bounded_and_a_name_is_itself(left: str, right: str, variable: str) -> None:
    weight = to_weight(left, right)
    assert weight == to_weight(right, left)
    assert weight == 0 or 0.5 < weight <= 1
    assert to_weight(left, left.upper()) == 1
    forth = JUDGE.compare_states(Match(variable, variable), [left], [right])
    back = JUDGE.compare_states(Match(variable, variable), [right], [left])
    assert [verdict.weight for verdict in forth] == [verdict.weight for verdict in back]


def test_the_same_name_weighs_more_than_a_synonym_and_that_more_than_one_with_another_measure_word() -> None:
    weights = [to_weight("wage level", name) for name in ("wage levels", "pay level", "pay rate")]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


@pytest.mark.parametrize(
    ("variable", "left", "right"),
    [
        ("rainfall", "heavy rainfall", "heavy"),
        ("unemployment", "low", "low unemployment"),
        ("government support", "no government support", "absent"),
    ],
)
def test_words_of_the_variable_say_nothing_about_its_states(variable: str, left: str, right: str) -> None:
    assert JUDGE.compare_states(Match(variable, variable), [left], [right])


def test_words_of_the_variable_that_tell_its_states_apart_are_kept() -> None:
    variable = Match("imports and exports", "imports and exports")
    found = JUDGE.compare_states(variable, ["high imports", "high exports"], ["exports high"])
    assert [verdict[:2] for verdict in found] == [("high exports", "exports high")]
