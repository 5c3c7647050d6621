"""Variables, states and edges: counted by hand, with every limit case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Network, Variable
from bayes.scoring.records import Alignment, Match, Prediction
from bayes.scoring.renaming import Renaming
from bayes.scoring.structure import (
    Rates,
    score_edges,
    score_edges_unconditionally,
    score_nodes,
    score_states,
    to_hamming_distance,
)
from tests.strategies_scoring import to_alignment

ZERO = Rates(0.0, 0.0, 0.0)
PERFECT = Rates(1.0, 1.0, 1.0)


def edges(*pairs: str) -> frozenset[Edge]:
    """Edges between variables of one letter: "ab" is a -> b."""
    return frozenset(Edge(*pair) for pair in pairs)


def matched(names: str) -> Renaming:
    """Reference variables in lower case, matched with the same letter in upper case."""
    return Renaming({name: name.upper() for name in names}, {name.upper(): name for name in names}, {})


def named(*names: str, states: str = "xy") -> tuple[Variable, ...]:
    return tuple(Variable(name, tuple(states)) for name in names)


def test_duplicates_are_taken_out_of_the_predicted_count() -> None:
    alignment = Alignment((Match("a", "A"), Match("b", "B")), duplicates=("A again",))
    scores = score_nodes(Network(named(*"abcd"), ()), alignment, Prediction(named("A", "A again", "B", "C", "D")))
    # n* = max(5 - 1, 2) = 4; P = 2/4, R = 2/4
    assert (scores.rates.precision, scores.rates.recall, scores.rates.f1) == (0.5, 0.5, 0.5)
    assert (scores.n_matched, scores.n_extra, scores.n_duplicates) == (2, 2, 1)


def test_the_effective_count_never_falls_below_the_matches() -> None:
    alignment = Alignment((Match("a", "A"),), duplicates=("B", "B"))
    assert score_nodes(Network(named("a"), ()), alignment, Prediction(named("A", "B"))).rates == PERFECT


@given(st.integers(1, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_a_duplicate_never_raises_precision(n: int, k: int, n_extra: int, d: int) -> None:
    k = min(k, n)
    network = Network(named(*(f"v{i}" for i in range(n))), ())
    matches = tuple(Match(f"v{i}", f"V{i}") for i in range(k))
    predicted = named(*(f"V{i}" for i in range(k + n_extra)), *("again" for _ in range(d)))
    before = score_nodes(network, Alignment(matches, ("again",) * d), Prediction(predicted))
    grown = Prediction((*predicted, *named("again")))
    flagged = score_nodes(network, Alignment(matches, ("again",) * (d + 1)), grown)
    unflagged = score_nodes(network, Alignment(matches, ("again",) * d), grown)
    assert flagged.rates.precision <= before.rates.precision
    assert unflagged.rates.precision <= before.rates.precision
    assert flagged.rates == before.rates


def test_no_variables_predicted_and_none_matched_score_zero() -> None:
    network = Network(named("a"), ())
    assert score_nodes(network, Alignment(), Prediction()).rates == ZERO
    assert score_states(network, Alignment(), Prediction()) == ZERO
    nothing = score_nodes(network, Alignment(), Prediction(named("B", "C")))
    assert (nothing.rates, nothing.n_extra) == (ZERO, 2)


def test_states_are_averaged_over_matched_variables() -> None:
    network = Network((*named("a", states="xyzw"), *named("b"), *named("c")), ())
    prediction = Prediction((*named("A", states="xy"), *named("B"), *named("D")))
    alignment = to_alignment({"a": "A", "b": "B"}, {"a": {"x": "x", "y": "y"}})
    # a: P = 2/2, R = 2/4, F1 = 2/3; b: nothing; c is not matched and does not count
    rates = score_states(network, alignment, prediction)
    assert (rates.precision, rates.recall, rates.f1) == (0.5, 0.25, pytest.approx(1 / 3))


def test_a_predicted_variable_without_states_scores_zero() -> None:
    network, prediction = Network(named("a"), ()), Prediction((Variable("A", ()),))
    assert score_states(network, to_alignment({"a": "A"}, {}), prediction) == ZERO


def test_edges_count_where_both_ends_are_matched() -> None:
    # d is not matched: c -> d leaves the reference's side, X -> A the prediction's. In reach: ab, bc against ab, cb, ac
    scores = score_edges(edges("ab", "bc", "cd"), matched("abc"), edges("AB", "CB", "AC", "XA"))
    assert scores.rates is not None
    assert (scores.rates.precision, scores.rates.recall, scores.rates.f1) == pytest.approx((1 / 3, 0.5, 0.4))
    assert (scores.n_mapped, scores.n_correct) == (3, 1)
    assert scores.spurious_rate == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("reference", "names", "predicted", "rates", "spurious"),
    [
        ((), "ab", (), PERFECT, None),  # nothing to find, nothing claimed
        (("bc",), "ab", (), None, None),  # nothing in reach of the matches
        (("bc",), "ab", ("AB",), ZERO, 100),
        ((), "ab", ("AB",), ZERO, 100),
        (("ab",), "ab", (), ZERO, None),
        (("ab",), "ab", ("AA",), ZERO, 100),  # an edge to itself
        (("ab",), "ab", ("BA",), ZERO, 100),
        (("ab",), "", ("AB",), ZERO, None),  # no variable matched
        ((), "", (), ZERO, None),
    ],
)
def test_limit_cases_of_conditional_edges(
    reference: tuple[str, ...], names: str, predicted: tuple[str, ...], rates: Rates | None, spurious: float | None
) -> None:
    scores = score_edges(edges(*reference), matched(names), edges(*predicted))
    assert (scores.rates, scores.spurious_rate) == (rates, spurious)


def test_unconditional_edges_count_unmatched_ends_as_errors() -> None:
    # correct: ab; P = 1/4 of AB, CB, AC, XA and R = 1/3 of ab, bc, cd: 2 * 1 / (4 + 3)
    f1 = score_edges_unconditionally(edges("ab", "bc", "cd"), matched("abc"), edges("AB", "CB", "AC", "XA"))
    assert f1 == pytest.approx(2 / 7)
    assert score_edges_unconditionally(edges(), matched("a"), edges()) == 1
    assert score_edges_unconditionally(edges(), matched(""), edges()) == 0
    assert score_edges_unconditionally(edges("ab"), matched("ab"), edges()) == 0


@pytest.mark.parametrize(
    ("reference", "names", "predicted", "distance"),
    [
        (("ab", "bc"), "abc", ("AB", "BC"), 0),
        (("ab", "bc"), "abc", ("BA", "BC"), 1),  # a reversal counts once
        (("ab",), "ab", ("AB", "BA"), 1),  # both directions: one extra
        (("ab", "bc"), "abc", ("AC",), 3),  # two missing, one extra
        (("ab", "cd"), "abc", ("AB", "AX"), 2),  # cd missing, AX extra
        (("ab", "bc"), "", (), 2),  # a failed prediction
        (("ab",), "ab", ("AA",), 2),
    ],
)
def test_hamming_distance_by_hand(
    reference: tuple[str, ...], names: str, predicted: tuple[str, ...], distance: int
) -> None:
    assert to_hamming_distance(edges(*reference), matched(names), edges(*predicted)) == distance
