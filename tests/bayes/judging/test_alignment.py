"""Names are matched first, then states; the baseline matches itself, and no judge is asked about it."""

from collections.abc import Sequence

from hypothesis import given

from bayes.judging.alignment import align, align_verdicts, is_baseline, match_names, match_states, pair_states
from bayes.judging.assignment import Verdict
from bayes.judging.exact import ExactJudge
from bayes.network import Variable
from bayes.scoring.records import Alignment, Match
from tests.strategies_judging import variable_lists

RAIN = Variable("rain", ("heavy", "light", "none"))
FLOOD = Variable("flood", ("wide", "none"))


class EagerJudge:
    """Takes everything for the same, and remembers which states it was asked about."""

    name = "eager"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def compare_names(self, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:
        return [Verdict(a, b) for a in reference for b in predicted]

    def compare_states(self, variables: Match, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:
        assert variables.reference
        self.asked += [*reference, *predicted]
        return self.compare_names(reference, predicted)


def test_an_alignment_has_variables_duplicates_and_states() -> None:
    predicted = [
        Variable("Floods", ("Wide", "narrow", "None")),
        Variable("Rain", ("HEAVY", "None")),
        Variable("wind", ("strong", "None")),
        Variable("rains", ("light", "None")),
    ]
    assert align([RAIN, FLOOD], predicted, ExactJudge()) == Alignment(
        (Match("rain", "Rain"), Match("flood", "Floods")),
        ("rains",),
        {
            "rain": (Match("heavy", "HEAVY"), Match("none", "None")),
            "flood": (Match("wide", "Wide"), Match("none", "None")),
        },
    )


def test_of_two_predicted_variables_with_one_name_the_first_gives_the_states() -> None:
    predicted = [Variable("rain", ("light",)), Variable("rain", ("heavy",))]
    found = align([RAIN], predicted, ExactJudge())
    assert found.states == {"rain": (Match("light", "light"),)}
    assert found.duplicates == ("rain",)


def test_the_baseline_matches_itself_although_a_judge_would_take_it_for_another_state() -> None:
    judge = EagerJudge()
    found = align([RAIN], [Variable("rain", ("absent", "NONE"))], judge)
    assert found.states["rain"][-1] == Match("none", "NONE")
    assert judge.asked == ["heavy", "light", "absent"]


def test_a_baseline_that_only_one_side_has_is_a_state_like_any_other() -> None:
    pair = pair_states(Match("rain", "rain"), ("heavy", "none"), ("heavy", "no rain"))
    assert pair.baseline == ()
    assert match_states(pair, [Verdict("none", "no rain")]) == (Match("none", "no rain"),)


def test_of_two_spellings_of_the_baseline_one_is_matched_and_the_other_with_nothing() -> None:
    pair = pair_states(Match("rain", "rain"), ("none",), ("none", "None"))
    assert match_states(pair, [Verdict("none", "none")]) == (Match("none", "None"),)


def test_verdicts_from_outside_become_the_alignment_that_a_code_judge_with_them_would_make() -> None:
    predicted = [Variable("downpour", ("strong", "None")), Variable("precipitation", ("strong", "weak", "None"))]
    names = [Match("rain", "precipitation"), Match("rain", "downpour"), Match("flood", "unknown")]
    states = {
        Match("rain", "downpour"): [Match("heavy", "strong"), Match("light", "None"), Match("heavy", "unknown")],
        Match("rain", "precipitation"): [Match("light", "weak")],
    }
    assert align_verdicts([RAIN, FLOOD], predicted, names, states) == Alignment(
        (Match("rain", "downpour"),),
        ("precipitation",),
        {"rain": (Match("heavy", "strong"), Match("none", "None"))},
    )


def test_a_matched_pair_without_verdicts_keeps_its_baseline_only() -> None:
    found = align_verdicts([FLOOD], [Variable("deluge", ("wide", "none"))], [Match("flood", "deluge")], {})
    assert found.states == {"flood": (Match("none", "none"),)}


def test_an_empty_prediction_is_an_empty_alignment() -> None:
    assert align([RAIN], [], ExactJudge()) == align([], [RAIN], ExactJudge()) == Alignment()


def test_both_steps_by_hand_make_the_same_alignment() -> None:
    predicted = [Variable("Rain", ("Light", "None"))]
    names = match_names([RAIN], predicted, [Verdict("rain", "Rain")])
    pair = pair_states(names.matches[0], RAIN.states, predicted[0].states)
    whole = align([RAIN], predicted, ExactJudge())
    assert whole.variables == names.matches
    assert whole.states["rain"] == match_states(pair, [Verdict("light", "Light")])


@given(variable_lists, variable_lists)
def test_the_baseline_is_matched_wherever_both_have_it_and_never_with_another_state_there(
    reference: list[Variable], predicted: list[Variable]
) -> None:
    found = align(reference, predicted, EagerJudge())
    first = {v.name: v.states for v in reversed(reference)}, {v.name: v.states for v in reversed(predicted)}
    for match in found.variables:
        left, right = first[0][match.reference], first[1][match.predicted]
        pairs = found.states[match.reference]
        assert len({pair.reference for pair in pairs}) == len({pair.predicted for pair in pairs}) == len(pairs)
        if any(map(is_baseline, left)) and any(map(is_baseline, right)):
            touching = [pair for pair in pairs if is_baseline(pair.reference) or is_baseline(pair.predicted)]
            assert len(touching) == 1
            assert all(map(is_baseline, touching[0]))


@given(variable_lists)
def test_a_reference_is_aligned_with_itself_name_by_name(reference: list[Variable]) -> None:
    unique = list({variable.name: variable for variable in reference}.values())
    found = align(unique, unique[::-1], ExactJudge())
    assert found.variables == tuple(Match(variable.name, variable.name) for variable in unique)
    assert found.duplicates == ()
