"""Verdicts become one-to-one matches of the largest weight, whatever the order of names."""

from collections.abc import Iterable
from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bayes.folding import is_same_name
from bayes.judging.assignment import Assignment, Verdict, assign
from bayes.scoring.records import Match
from tests.strategies_judging import name_lists, verdict_lists


def to_total(pairs: Iterable[tuple[str, str]], weights: dict[tuple[str, str], float]) -> tuple[int, int]:
    """The sum of weights in thousandths, then the pairs of one folded name, twice if spelled alike."""
    pairs = set(pairs)
    return sum(max(1, round(weights[pair] * 1000)) for pair in pairs), sum(
        is_same_name(*pair) + (pair[0] == pair[1]) for pair in pairs
    )


def find_best(weights: dict[tuple[str, str], float]) -> tuple[int, int]:
    """The best total by trying everything."""
    left, right = sorted({a for a, _ in weights}), sorted({b for _, b in weights})
    padded = right + [""] * len(left)
    return max(
        to_total({pair for pair in zip(left, chosen, strict=True) if pair in weights}, weights)
        for chosen in set(permutations(padded[: max(len(left), len(right))], len(left)))
    )


def test_the_sum_of_weights_decides_not_the_single_best_pair() -> None:
    # a-x alone weighs 0.9, but a-y and b-x together 0.6 + 0.6.
    verdicts = [Verdict("a", "x", 0.9), Verdict("a", "y", 0.6), Verdict("b", "x", 0.6)]
    assert assign("ab", "xy", verdicts).matches == (Match("a", "y"), Match("b", "x"))


def test_of_equal_sums_the_one_with_the_same_names_wins() -> None:
    pairs = [("rain", "rainfall"), ("rain", "Rain"), ("rainfall", "rainfall"), ("rainfall", "Rain")]
    found = assign(["rainfall", "rain"], ["Rain", "rainfall"], [Verdict(*pair) for pair in pairs])
    assert found.matches == (Match("rainfall", "rainfall"), Match("rain", "Rain"))


def test_of_two_spellings_the_reference_s_own_wins() -> None:
    assert assign(["rain"], ["Rain", "rain"], [Verdict("rain", "Rain"), Verdict("rain", "rain")]).matches == (
        Match("rain", "rain"),
    )


def test_of_equal_names_the_alphabet_decides() -> None:
    verdicts = [Verdict(a, b) for a in "qp" for b in "zyx"]
    assert assign("qp", "zyx", verdicts) == Assignment((Match("q", "y"), Match("p", "x")), ("z",))


def test_a_predicted_name_for_a_taken_reference_is_a_duplicate_and_a_strange_one_is_not() -> None:
    verdicts = [Verdict("rain", "rain"), Verdict("rain", "rainfall", 0.5)]
    assert assign(["rain"], ["rainfall", "rain", "wind"], verdicts).duplicates == ("rainfall",)


def test_a_copy_of_a_predicted_name_is_a_duplicate_each_time_if_it_means_a_reference_name() -> None:
    verdicts = [Verdict("rain", "rain"), Verdict("rainfall", "rain")]
    found = assign(["rain", "rainfall"], ["rain", "wind", "rain", "wind", "rain"], verdicts)
    assert found == Assignment((Match("rain", "rain"),), ("rain", "rain"))


def test_verdicts_of_no_weight_or_about_other_names_are_ignored() -> None:
    verdicts = [Verdict("a", "x", 0.0), Verdict("b", "x"), Verdict("a", "y"), Verdict("a", "x", -1.0)]
    assert assign("a", "x", verdicts) == Assignment(())


def test_nothing_is_matched_with_nothing() -> None:
    assert assign([], [], []) == assign(["a"], [], []) == assign([], ["a"], [Verdict("a", "a")]) == Assignment(())


@given(name_lists, name_lists, verdict_lists)
def test_matches_are_one_to_one_and_only_where_there_is_a_verdict(
    reference: list[str], predicted: list[str], verdicts: list[Verdict]
) -> None:
    found = assign(reference, predicted, verdicts)
    meant = {(v.reference, v.predicted) for v in verdicts if v.weight > 0}
    assert set(found.matches) <= meant
    assert len({m.reference for m in found.matches}) == len({m.predicted for m in found.matches}) == len(found.matches)
    assert {m.reference for m in found.matches} <= set(reference)
    assert {m.predicted for m in found.matches} <= set(predicted)


@given(name_lists, name_lists, verdict_lists)
def test_duplicates_are_what_means_a_taken_name_and_is_not_matched(
    reference: list[str], predicted: list[str], verdicts: list[Verdict]
) -> None:
    found = assign(reference, predicted, verdicts)
    taken = {match.reference for match in found.matches}
    matched = {match.predicted for match in found.matches}
    expected = [
        name
        for i, name in enumerate(predicted)
        if any(v.predicted == name and v.reference in reference and v.weight > 0 for v in verdicts)
        and not (name in matched and name not in predicted[:i])
    ]
    assert sorted(found.duplicates) == sorted(expected)
    for name in found.duplicates:
        assert any(v.predicted == name and v.reference in taken for v in verdicts if v.weight > 0)


@given(name_lists, name_lists, verdict_lists, st.randoms(use_true_random=False))
def test_the_order_of_names_and_verdicts_does_not_matter(
    reference: list[str], predicted: list[str], verdicts: list[Verdict], rng: Random
) -> None:
    first = assign(reference, predicted, verdicts)
    rng.shuffle(reference)
    rng.shuffle(predicted)
    rng.shuffle(verdicts)
    second = assign(reference, predicted, verdicts)
    assert set(first.matches) == set(second.matches)
    assert sorted(first.duplicates) == sorted(second.duplicates)


@given(verdict_lists)
def test_no_assignment_has_a_larger_sum_or_at_the_same_sum_more_pairs_of_one_name(drawn: list[Verdict]) -> None:
    verdicts = [v for v in drawn if v.weight > 0][:8]
    weights: dict[tuple[str, str], float] = {}
    for v in verdicts:
        pair = (v.reference, v.predicted)
        weights[pair] = max(weights.get(pair, 0.0), v.weight)
    found = assign([a for a, _ in weights], [b for _, b in weights], verdicts)
    if weights:
        assert to_total(found.matches, weights) == find_best(weights)
