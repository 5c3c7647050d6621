"""Descriptions are held against their network: what is missing, unstated, contradicted or no prose is reported."""

from functools import partial

import numpy as np
import pytest

from bayes.causal_language import Band, to_band
from bayes.coverage import CoverageReport, ProblemKind, check, count_words
from bayes.network import Cpd, Network, Rule, Variable


def make_network(**cpds: tuple[str, tuple[str, ...], tuple[str, ...], list[list[float]]]) -> Network:
    """Each value: name, states, parents, matrix."""
    variables = tuple(Variable(name, states) for name, states, _, _ in cpds.values())
    given = tuple(
        Cpd(name, parents, np.array(matrix), (Rule.GIVEN,) * len(matrix[0]))
        for name, _, parents, matrix in cpds.values()
    )
    return Network(variables, given)


FLOODS = make_network(
    rain=("rainfall", ("heavy", "light", "none"), (), [[0.3], [0.6], [0.1]]),
    #                                        heavy light none
    flood=(
        "flooding",
        ("severe", "mild", "none"),
        ("rainfall",),
        [[0.75, 0.05, 0.01], [0.2, 0.35, 0.04], [0.05, 0.6, 0.95]],
    ),
)
GOOD = (
    "Rainfall shapes flooding. When rainfall is heavy, flooding is usually severe (75%), and mild flooding follows "
    "in 20 per cent of cases. Light rainfall rarely brings severe flooding."
)
look = partial(check, min_words=1)


def kinds(report: CoverageReport) -> list[str]:
    return [problem.kind.value for problem in report.problems]


def judge(sentence: str, network: Network = FLOODS) -> list[str]:
    """Kinds of wrong claims in one sentence."""
    wanted = {ProblemKind.WRONG_STRENGTH, ProblemKind.WRONG_NUMBER}
    return [problem.kind.value for problem in look(sentence, network).problems if problem.kind in wanted]


def test_a_description_that_says_it_all_has_no_problems() -> None:
    report = look(GOOD, FLOODS)
    assert report.problems == ()
    assert report.is_covered


# ---- Length and layout ----


def test_length_is_counted_in_words_with_a_letter_or_digit() -> None:
    assert count_words("One – two & 3") == 3
    assert kinds(check(GOOD, FLOODS)) == ["too_short"]
    assert kinds(look(GOOD, FLOODS, max_words=5)) == ["too_long"]


@pytest.mark.parametrize(
    "text",
    [
        "# Floods\n\n" + GOOD,
        "Floods and rain\n\n" + GOOD,
        GOOD + "\n\n- rainfall is heavy\n- rainfall is light",
        GOOD + "\n1. rainfall drives flooding.",
        GOOD.replace("severe", "**severe**"),
        GOOD.replace("severe", "`severe`"),
        GOOD + "\n| a | b |\n",
        GOOD + " The node rainfall has states heavy, light.",
        GOOD + " Rainfall has three possible states: heavy, light and none.",
        GOOD + " The variable flooding can be severe or mild.",
        GOOD + " The possible values of it are severe and mild.",
    ],
)
def test_lists_headings_and_recitals_are_not_prose(text: str) -> None:
    assert set(kinds(look(text, FLOODS))) == {"not_prose"}


def test_states_of_a_country_and_marks_inside_names_are_prose() -> None:
    assert look(GOOD + " Some states have more rainfall than other states.", FLOODS).is_covered
    starred = make_network(a=("x**2**y", ("big", "none"), (), [[0.5], [0.5]]))
    assert look("The size of x**2**y is big.", starred).is_covered


# ---- Names ----


def test_missing_names_are_reported_each_with_a_message_that_names_it() -> None:
    report = look("Rainfall shapes flooding. Heavy rainfall makes it severe.", FLOODS)
    assert kinds(report) == ["missing_state", "missing_state"]
    assert report.missing_names == ("light", "mild")
    assert '"light" of "rainfall"' in report.problems[0].message
    assert "\n" not in report.problems[0].message


def test_names_are_found_in_another_case_hyphenation_and_number() -> None:
    network = make_network(a=("land-use policies", ("Re-zoning", "none"), (), [[0.5], [0.5]]))
    assert look("A Land use policy of rezoning came.", network).is_covered


JOBS = make_network(
    a=("unemployment", ("high", "none"), (), [[0.3], [0.7]]),
    b=("labour outcome", ("youth unemployment", "none"), ("unemployment",), [[0.8, 0.2], [0.2, 0.8]]),
)


def test_a_name_inside_a_longer_name_does_not_count() -> None:
    text = "With high figures, the labour outcome is youth unemployment."
    assert kinds(look(text, JOBS)) == ["missing_variable", "missing_edge"]
    assert look(f"{text} That is because unemployment acts on the labour outcome.", JOBS).is_covered


def test_words_between_names_do_not_form_a_name() -> None:
    network = make_network(a=("growth rate", ("low", "none"), (), [[0.5], [0.5]]))
    assert kinds(look("There is growth. Rate it low.", network)) == ["missing_variable"]


def test_regex_characters_commas_digits_and_a_full_stop_in_names_are_plain_text() -> None:
    names = ("a.*(b)+", "2008", "Washington, D.C.", "maximum payment of $1,015", "St. Louis & Co.", "42.67%")
    network = make_network(a=("time [t]?", (*names, "none"), (), [[1 / 7]] * 7))
    listed = "; then ".join(names)
    assert look(f"The time [t]? may be {listed}.", network).is_covered


def test_spellings_of_one_name_cover_each_other() -> None:
    network = make_network(a=("a (b)", ("A—B", "none"), (), [[0.5], [0.5]]))
    assert look("This is a (b) case.", network).is_covered
    assert look("This is an A—B case.", network).is_covered


def test_an_accepted_name_counts_as_mentioned_and_as_the_end_of_an_edge() -> None:
    text = GOOD.replace("flooding", "high water")
    assert kinds(look(text, FLOODS)) == ["missing_variable", "missing_edge"]
    assert look(text, FLOODS, accepted=frozenset({"flooding"})).is_covered


# ---- Edges ----


@pytest.mark.parametrize(
    "sentence",
    [
        "Rainfall causes flooding.",
        "Flooding depends on rainfall.",
        "Because of rainfall, there is flooding.",
        "Rainfall, in turn, affects flooding.",
        "There is flooding as a result of rainfall.",
        "Rainfalls lead to floodings.",
        "Flooding is driven by rainfall.",
    ],
)
def test_an_edge_is_stated_by_causal_words_with_both_names_in_one_sentence(sentence: str) -> None:
    text = f"{sentence} It may be heavy or light, severe or mild."
    assert look(text, FLOODS).is_covered


@pytest.mark.parametrize(
    "sentence",
    [
        "Rainfall goes together with flooding.",
        "Rainfall causes trouble. Flooding is one.",
        "Flooding is correlated with rainfall.",
    ],
)
def test_an_edge_is_not_stated_without_causal_words_or_across_sentences(sentence: str) -> None:
    text = f"{sentence} It may be heavy or light, severe or mild."
    assert kinds(look(text, FLOODS)) == ["missing_edge"]


def test_causal_words_inside_a_name_do_not_state_an_edge() -> None:
    network = make_network(
        a=("causes of death", ("cancer", "none"), (), [[0.5], [0.5]]),
        b=("panic", ("due to fear", "none"), ("causes of death",), [[0.5, 0.5], [0.5, 0.5]]),
    )
    text = "The causes of death come before panic due to fear and before cancer."
    assert kinds(look(text, network)) == ["missing_edge"]
    assert look(text.replace("come before", "lead to"), network).is_covered


def test_a_sentence_does_not_end_inside_a_name_or_after_an_abbreviation() -> None:
    network = make_network(
        a=("Dr. No. Two", ("x. Yes", "none"), (), [[0.5], [0.5]]),
        b=("St. Mary", ("calm", "none"), ("Dr. No. Two",), [[0.5, 0.5], [0.5, 0.5]]),
    )
    assert look("The x. Yes in Dr. No. Two shapes Mr. Smith and St. Mary, calm.", network).is_covered


# ---- Strength words ----


def test_bands_begin_at_070_040_and_010() -> None:
    bands = {
        0.70: Band.STRONG,
        0.6999: Band.MODERATE,
        0.40: Band.MODERATE,
        0.3999: Band.WEAK,
        0.10: Band.WEAK,
        0.0999: Band.RARE,
    }
    assert {p: to_band(p) for p in bands} == bands


@pytest.mark.parametrize(
    ("word", "state", "cause"),
    [
        # P(severe | heavy) = 0.75, P(mild | light) = 0.35, P(severe | light) = 0.05
        ("usually", "severe", "heavy"),
        ("very likely", "severe", "heavy"),
        ("strongly", "severe", "heavy"),
        ("likely", "severe", "heavy"),
        ("occasionally", "mild", "light"),
        ("weakly", "mild", "light"),
        ("unlikely", "mild", "light"),
        ("rarely", "severe", "light"),
        ("almost never", "severe", "light"),
        ("unlikely", "severe", "light"),
    ],
)
def test_strength_words_may_stand_where_the_cpd_agrees(word: str, state: str, cause: str) -> None:
    assert judge(f"When rainfall is {cause}, flooding is {word} {state}.") == []


@pytest.mark.parametrize(
    ("word", "state", "cause"),
    [
        ("rarely", "severe", "heavy"),
        ("moderately", "severe", "heavy"),
        ("some chance of", "severe", "heavy"),
        ("usually", "severe", "light"),
        ("often", "severe", "light"),
        ("usually", "mild", "light"),
        ("about as likely as not", "mild", "light"),
        ("hardly ever", "mild", "light"),
    ],
)
def test_strength_words_that_contradict_the_cpd_are_reported(word: str, state: str, cause: str) -> None:
    assert judge(f"When rainfall is {cause}, flooding is {word} {state}.") == ["wrong_strength"]


def test_the_message_says_which_word_and_what_the_values_are() -> None:
    (problem,) = look(GOOD.replace("usually", "seldom"), FLOODS).problems
    assert problem.names == ("flooding",)
    assert '"seldom"' in problem.message
    assert "20%, 75%" in problem.message


@pytest.mark.parametrize(
    "sentence",
    [
        "When rainfall is heavy, mild flooding is more likely than with light rainfall.",
        "With light rainfall, severe flooding is not always out of reach.",
        "Rainfall strongly affects flooding.",
        "Rarely is anything said about it.",
        "Rainfall is often light.",
        "Without rainfall, severe flooding is very unlikely.",
        "Light rainfall usually leaves nothing behind, and seldom severe flooding.",
        "Heavy rainfall, which is not rare, usually brings severe flooding.",
    ],
)
def test_comparatives_negations_and_sentences_about_other_things_claim_nothing_wrong(sentence: str) -> None:
    assert judge(sentence) == []


def test_strength_words_about_a_root_are_held_against_its_prior() -> None:
    assert judge("Rainfall is usually heavy.") == ["wrong_strength"]
    assert judge("Rainfall is sometimes heavy.") == []


def test_strength_words_inside_names_claim_nothing() -> None:
    network = make_network(
        a=("use", ("rarely used", "usually used", "none"), (), [[0.3], [0.3], [0.4]]),
        b=("wear", ("very likely", "none"), ("use",), [[0.2, 0.2, 0.2], [0.8, 0.8, 0.8]]),
    )
    assert judge("With rarely used or usually used as the use, wear is sometimes very likely.", network) == []


PAIR = make_network(
    a=("rain", ("heavy", "none"), (), [[0.5], [0.5]]),
    b=("storm", ("wild", "none"), (), [[0.5], [0.5]]),
    #                       heavy-wild heavy-none none-wild none-none
    c=("flood", ("deep", "none"), ("rain", "storm"), [[0.9, 0.2, 0.3, 0.01], [0.1, 0.8, 0.7, 0.99]]),
)


def test_columns_are_those_of_the_parent_states_that_the_sentence_mentions() -> None:
    assert judge("With heavy rain and a wild storm, a deep flood is very likely.", PAIR) == []
    assert judge("With heavy rain and a wild storm, a deep flood is unlikely.", PAIR) == ["wrong_strength"]
    # The storm is left open, so anything between 0.2 and 0.9 is a fair average.
    assert judge("With heavy rain, a deep flood is moderately likely.", PAIR) == []
    assert judge("With heavy rain, a deep flood is rarely seen.", PAIR) == ["wrong_strength"]


def test_a_state_that_two_variables_share_belongs_to_the_one_that_is_named() -> None:
    network = make_network(
        a=("wages", ("high", "low"), (), [[0.2], [0.8]]),
        b=("prices", ("high", "low"), (), [[0.9], [0.1]]),
    )
    assert judge("Prices are usually high.", network) == []
    assert judge("Wages are usually high.", network) == ["wrong_strength"]


# ---- Numbers ----


@pytest.mark.parametrize(
    "number",
    [
        *("75%", "75 %", "75 percent", "75 per cent", "0.75", "75.0%", "about 75%", "roughly 74%", "more than 70%"),
        *("over 70 per cent", "at least 0.7", "70-80%", "70 to 80 per cent", "between 70 and 80%"),
        *("three out of four", "3 in 4", "three times in four", "three cases in four"),
    ],
)
def test_numbers_that_are_the_cell_are_accepted(number: str) -> None:
    assert judge(f"With heavy rainfall, the flooding is severe in {number}.") == []


@pytest.mark.parametrize(
    "number",
    [
        "74%",
        "76 per cent",
        "0.9",
        "0.74",
        "75.4%",
        "about 70%",
        "more than 80%",
        "under 4%",
        "80-90%",
        "one in five",
        "60%",
    ],
)
def test_numbers_that_are_not_the_cell_are_reported(number: str) -> None:
    # 0.60 is P(no flooding | light), a cell of the table but not of heavy rainfall.
    assert judge(f"With heavy rainfall, the flooding is severe in {number}.") == ["wrong_number"]


@pytest.mark.parametrize(
    "text",
    [
        "Since 1932 heavy rainfall has caused flooding in 12 states.",
        "Rainfall of 0.5 million litres fell, 3.25 times as much as in 2017.",
        "The flooding cost $0.8 or 1,015 dollars.",
        "Flooding fell by 5 percentage points and rose by 200%.",
        "One in which rainfall led to flooding was 2008, on page 3 of 1,200.",
        "Version 2.1 is of 0.9 m.",
    ],
)
def test_years_counts_amounts_and_differences_are_not_probabilities(text: str) -> None:
    assert judge(text) == []


def test_numbers_in_names_are_not_probabilities_and_do_not_begin_a_range() -> None:
    network = make_network(
        a=("rate", ("42.67% youth unemployment", "payment of $235", "2008", "none"), (), [[0.3], [0.3], [0.2], [0.2]]),
    )
    text = "The rate is 42.67% youth unemployment, or 2008, or a payment of $235 to 30%"
    assert judge(text, network) == []
    assert judge(text + " or 42.67%.", network) == ["wrong_number"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Rainfall is heavy in 30% of cases.",
        "That happens in 35% of cases.",
        "Light rainfall leads to it in 35%.",
        "Heavy rainfall brings severe flooding in 75% of cases, against 5% otherwise.",
        "With heavy rainfall, severe flooding comes in 75%, and nothing happens in 5%.",
        "Heavy rainfall gives severe flooding in 75% of cases and light rainfall in 5%.",
    ],
)
def test_numbers_may_be_about_any_cell_that_the_sentence_can_mean(sentence: str) -> None:
    assert judge(sentence) == []


def test_numbers_are_rounded_at_their_last_digit() -> None:
    network = make_network(a=("size", ("big", "none"), (), [[2 / 3], [1 / 3]]))
    for number in ("67%", "66.7%", "0.67", "0.667", "66.67 per cent"):
        assert judge(f"The size is big in {number} of cases.", network) == [], number
    for number in ("66%", "66.6%", "0.66", "0.6"):
        assert judge(f"The size is big in {number} of cases.", network) == ["wrong_number"], number


def test_an_empty_text_and_a_single_variable_are_no_trouble() -> None:
    lone = make_network(a=("size", ("big", "none"), (), [[0.5], [0.5]]))
    assert set(kinds(check("", lone))) == {"too_short", "missing_variable", "missing_state"}
