"""Judges are compared by counts of pairs; ratios that have no value are None."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.judging.agreement import (
    Agreement,
    Confusion,
    LabelledPair,
    check_judge,
    compare_alignments,
    count_verdicts,
)
from bayes.judging.exact import ExactJudge
from bayes.network import Variable
from bayes.scoring.records import Alignment, Match

COUNTS = st.builds(Confusion, *[st.integers(0, 50)] * 4)


def test_kappa_of_a_table_worked_by_hand() -> None:
    # Cohen's p_o = (20 + 15)/50 = 0.7, p_e = 25/50 * 30/50 + 25/50 * 20/50 = 0.5, so kappa = 0.2/0.5.
    counts = Confusion(both=20, left_only=5, right_only=10, neither=15)
    assert counts.agreement == pytest.approx(0.7)
    assert counts.kappa == pytest.approx(0.4)
    assert counts.precision == pytest.approx(20 / 25)
    assert counts.recall == pytest.approx(20 / 30)


def test_kappa_has_no_value_if_both_judges_say_one_thing_throughout() -> None:
    assert Confusion().kappa is None
    assert Confusion(both=7).kappa is None
    assert Confusion(neither=7).kappa is None


def test_kappa_is_zero_if_one_judge_is_constant() -> None:
    assert Confusion(both=3, left_only=4).kappa == 0
    assert Confusion(left_only=5).kappa == 0


def test_ratios_without_a_base_have_no_value() -> None:
    assert Confusion().agreement is None
    assert Confusion(right_only=1).precision is None
    assert Confusion(left_only=1).recall is None


@given(COUNTS)
def test_kappa_lies_between_minus_one_and_one_and_is_one_only_in_full_agreement(counts: Confusion) -> None:
    if counts.kappa is not None:
        assert -1 <= counts.kappa <= 1
        assert (counts.kappa == 1) == (counts.left_only == counts.right_only == 0)


@given(COUNTS)
def test_kappa_does_not_depend_on_which_judge_is_left(counts: Confusion) -> None:
    swapped = Confusion(counts.both, counts.right_only, counts.left_only, counts.neither)
    assert swapped.kappa == counts.kappa
    assert swapped.precision == counts.recall


def test_every_candidate_pair_is_counted_once() -> None:
    pairs = [Match(a, b) for a in "ab" for b in "xy"]
    left, right = {Match("a", "x"), Match("b", "y")}, {Match("a", "x"), Match("b", "x")}
    assert count_verdicts(pairs, left, right) == Confusion(1, 1, 1, 1)


def test_alignments_are_compared_over_all_names_and_over_states_that_both_judges_were_asked_about() -> None:
    reference = [Variable("a", ("p", "q", "none")), Variable("b", ("r", "none"))]
    predicted = [Variable("x", ("s", "t", "none")), Variable("y", ("u",)), Variable("y", ("v",))]
    left = Alignment(
        (Match("a", "x"), Match("b", "y")), (), {"a": (Match("p", "s"), Match("none", "none")), "b": (Match("r", "u"),)}
    )
    right = Alignment((Match("a", "x"),), (), {"a": (Match("p", "s"), Match("q", "t"), Match("none", "none"))})
    # Names: 2 x 2 pairs, both match a-x, the left one b-y too. States of a-x: 2 x 2 without the baselines.
    assert compare_alignments(reference, predicted, left, right) == Agreement(
        Confusion(both=1, left_only=1, right_only=0, neither=2), Confusion(both=1, left_only=0, right_only=1, neither=2)
    )


def test_agreements_of_several_examples_add_up() -> None:
    one, two = Agreement(Confusion(1, 2, 3, 4), Confusion(5)), Agreement(Confusion(1, 1, 1, 1), Confusion(neither=2))
    assert one + two == Agreement(Confusion(2, 3, 4, 5), Confusion(both=5, neither=2))


def test_a_judge_is_checked_by_category_with_labels_on_the_right() -> None:
    pairs = [
        LabelledPair("variable", "rain", "Rain", True, "spelling", "test"),
        LabelledPair("state", "high", "elevated", True, "synonym", "test"),
        LabelledPair("state", "high", "low", False, "antonym", "test"),
        LabelledPair("variable", "cause", "causes", False, "spelling", "test"),
    ]
    assert check_judge(ExactJudge(), pairs) == {
        "spelling": Confusion(both=1, left_only=1),
        "synonym": Confusion(right_only=1),
        "antonym": Confusion(neither=1),
    }
