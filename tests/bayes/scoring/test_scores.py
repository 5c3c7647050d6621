"""The whole record: perfect for the reference itself, the same in any order, within bounds, defined in every limit."""

import math
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.network import Network, Variable
from bayes.scoring.anchors import to_copy, to_identity
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Alignment, Match, Prediction, Reference
from bayes.scoring.scores import Scores, score
from tests.strategies import networks
from tests.strategies_scoring import Case, cases, reorder, to_alignment, to_network, to_prediction

STATES = {"a": "xy", "b": "xy"}
PRIOR = ((), [[0.5], [0.5]])
COPY = (("a",), [[1, 0], [0, 1]])
NETWORK = to_network(STATES, {"a": PRIOR, "b": COPY})
BY_POSITION = frozenset({"cpd_kl_released", "n_released_edges", "n_released_skipped"})


def score_case(case: Case) -> Scores:
    return score(case.reference, case.alignment, case.prediction)


def to_numbers(scores: Scores, *, but: frozenset[str] = frozenset()) -> dict[str, float]:
    return {
        name: math.nan if value is None else value
        for name, value in asdict(scores).items()
        if not name.endswith("_skipped") and name not in but
    }


def is_perfect(scores: Scores, network: Network) -> bool:
    has_edges = bool(network.edges)
    divergences = [scores.cpd_kl, scores.cpd_kl_reverse, scores.cpd_kl_symmetric, scores.cpd_tv, scores.cpd_js]
    return (
        [scores.node_precision, scores.node_recall, scores.node_f1] == [1, 1, 1]
        and [scores.state_precision, scores.state_recall, scores.state_f1] == [1, 1, 1]
        and [scores.edge_precision, scores.edge_recall, scores.edge_f1, scores.edge_f1_unconditional] == [1, 1, 1, 1]
        and (scores.extra_nodes, scores.n_duplicates, scores.shd) == (0, 0, 0)
        and scores.spurious_edge_rate == (0 if has_edges else None)
        and all((value is not None and value < 1e-4) if has_edges else value is None for value in divergences)
        and scores.cpd_coverage == (1 if has_edges else None)
        and (scores.prior_kl or 0) < 1e-4
        and scores.prior_coverage == 1
        and scores.marginal_tv == pytest.approx(0, abs=1e-7)
        and scores.joint_kl is not None
        and scores.joint_kl < 1e-4
    )


@settings(max_examples=40)
@given(networks(max_nodes=6), st.integers(0, 2**32 - 1))
def test_a_reference_against_itself_is_perfect_in_any_order(network: Network, seed: int) -> None:
    reference = Reference(network)
    case = Case(reference, to_identity(network), to_copy(reference))
    scores = score_case(case)
    assert is_perfect(scores, network)
    assert (scores.cpd_kl_released or 0) < 1e-4
    assert scores.n_released_edges == len(network.edges)
    assert is_perfect(score_case(reorder(case, np.random.default_rng(seed))), network)


@settings(max_examples=40)
@given(cases(), st.integers(0, 2**32 - 1))
def test_no_order_changes_a_score(case: Case, seed: int) -> None:
    before, after = score_case(case), score_case(reorder(case, np.random.default_rng(seed)))
    # exact inference is rounded to nine decimals, and the smallest q is 1e-6
    assert to_numbers(after, but=BY_POSITION) == pytest.approx(
        to_numbers(before, but=BY_POSITION), abs=1e-5, nan_ok=True
    )
    assert (after.marginal_tv_skipped is None) == (before.marginal_tv_skipped is None)
    assert (after.joint_kl_skipped is None) == (before.joint_kl_skipped is None)


@settings(max_examples=40)
@given(cases())
def test_every_number_stays_within_its_bounds(case: Case) -> None:
    scores = score_case(case)
    for name, value in asdict(scores).items():
        if isinstance(value, int | float):
            assert value >= 0
            if name.endswith(("_precision", "_recall", "_f1", "_tv", "_coverage")) or name == "edge_f1_unconditional":
                assert value <= 1
    assert (scores.spurious_edge_rate or 0) <= 100
    assert (scores.cpd_js or 0) <= math.log(2)
    n_edges = len(case.reference.network.edges)
    assert abs(n_edges - len(case.prediction.edges)) <= scores.shd <= n_edges + len(case.prediction.edges)
    assert (scores.marginal_tv is None) != (scores.marginal_tv_skipped is None)
    assert (scores.joint_kl is None) != (scores.joint_kl_skipped is None)


@settings(max_examples=30)
@given(cases())
def test_a_duplicate_never_raises_a_score(case: Case) -> None:
    before = score_case(case)
    grown = replace(case.prediction, variables=(*case.prediction.variables, Variable("again", ("x",))))
    unflagged = score(case.reference, case.alignment, grown)
    flagged = score(case.reference, replace(case.alignment, duplicates=("again",)), grown)
    assert flagged.node_precision == before.node_precision
    assert unflagged.node_precision <= before.node_precision
    assert flagged.n_duplicates == 1
    unchanged = ("state_f1", "edge_f1", "edge_f1_unconditional", "cpd_kl", "shd", "prior_kl")
    assert [getattr(flagged, name) for name in unchanged] == [getattr(before, name) for name in unchanged]


@given(cases())
@settings(max_examples=20)
def test_a_prepared_reference_scores_the_same_however_often_it_is_used(case: Case) -> None:
    prepared = PreparedReference(case.reference)
    assert [score(prepared, case.alignment, case.prediction) for _ in range(2)] == [score_case(case)] * 2


def test_a_failed_prediction_counts_as_zero_structure() -> None:
    scores = score(Reference(NETWORK), Alignment(), Prediction())
    zeros = (scores.node_precision, scores.node_recall, scores.node_f1, scores.state_precision, scores.state_recall)
    assert zeros == (0, 0, 0, 0, 0)
    assert (scores.state_f1, scores.edge_precision, scores.edge_recall, scores.edge_f1) == (0, 0, 0, 0)
    assert (scores.edge_f1_unconditional, scores.shd, scores.extra_nodes, scores.n_matched) == (0, 1, 0, 0)
    undefined = (scores.spurious_edge_rate, scores.cpd_kl, scores.cpd_coverage, scores.prior_kl, scores.cpd_kl_released)
    assert undefined == (None,) * 5
    assert (scores.marginal_tv, scores.joint_kl) == (None, None)
    assert scores.marginal_tv_skipped == scores.joint_kl_skipped == "no variable is matched"


def test_no_variable_matched_is_the_same_with_extras() -> None:
    scores = score(Reference(NETWORK), Alignment(), to_prediction({"z": "xy", "w": "xy"}, {}, [("z", "w")]))
    assert (scores.node_f1, scores.state_f1, scores.edge_f1, scores.edge_f1_unconditional) == (0, 0, 0, 0)
    # both the reference's edge and the predicted one are wrong
    assert (scores.extra_nodes, scores.shd, scores.cpd_kl) == (2, 2, None)


def test_a_cyclic_prediction_is_kept_for_edges_and_tables() -> None:
    prediction = to_prediction(STATES, {"a": (("b",), [[1, 0], [0, 1]]), "b": COPY})
    scores = score(Reference(NETWORK), to_identity(NETWORK), prediction)
    assert (scores.edge_precision, scores.edge_recall, scores.shd) == (0.5, 1, 1)
    assert scores.cpd_kl == pytest.approx(0, abs=1e-5)
    # the reference's root: the table averaged over b, whose marginal behind the cycle is uniform
    assert (scores.prior_kl, scores.prior_coverage) == (pytest.approx(0, abs=1e-5), 1)
    assert scores.marginal_tv is None
    assert scores.marginal_tv_skipped == scores.joint_kl_skipped == "not a network: the edges close a cycle"


def test_a_single_state_variable_is_right_whatever_is_predicted() -> None:
    network = to_network({"a": "x", "b": "xy"}, {"a": ((), [[1]]), "b": (("a",), [[0.3], [0.7]])})
    assert is_perfect(score(Reference(network), to_identity(network), to_copy(Reference(network))), network)
    nothing = score(Reference(network), to_identity(network), to_prediction({"a": "x", "b": "xy"}, {}, [("a", "b")]))
    assert (nothing.prior_kl, nothing.prior_coverage) == (0, 0)


def test_the_same_name_predicted_twice_is_one_variable_and_counts_twice() -> None:
    twice = replace(to_copy(Reference(NETWORK)), variables=(*NETWORK.variables, Variable("a", tuple("xyz"))))
    scores = score(Reference(NETWORK), replace(to_identity(NETWORK), duplicates=("a",)), twice)
    assert is_perfect(replace(scores, n_duplicates=0), NETWORK)
    # unless the judge misses it
    assert score(Reference(NETWORK), to_identity(NETWORK), twice).node_precision == pytest.approx(2 / 3)


def test_an_edge_at_a_duplicate_is_an_edge_at_an_unmatched_variable() -> None:
    prediction = to_prediction({**STATES, "a again": "xy"}, {"a": PRIOR, "a again": PRIOR}, [("a again", "b")])
    scores = score(Reference(NETWORK), replace(to_identity(NETWORK), duplicates=("a again",)), prediction)
    assert (scores.edge_f1, scores.edge_f1_unconditional, scores.shd) == (0, 0, 2)


def test_an_edge_predicted_twice_is_one() -> None:
    copy = to_copy(Reference(NETWORK))
    scores = score(Reference(NETWORK), to_identity(NETWORK), replace(copy, edges=copy.edges * 2))
    assert is_perfect(scores, NETWORK)


def test_tables_without_any_edge_on_either_side_leave_priors_only() -> None:
    network = to_network({"a": "xy"}, {"a": ((), [[0.9], [0.1]])})
    scores = score(Reference(network), to_identity(network), to_prediction({"a": "xy"}, {"a": PRIOR}))
    assert (scores.edge_f1, scores.spurious_edge_rate, scores.cpd_kl, scores.cpd_coverage) == (1, None, None, None)
    # log 2 - H(0.9, 0.1)
    assert scores.prior_kl == pytest.approx(math.log(2) + 0.9 * math.log(0.9) + 0.1 * math.log(0.1))
    assert scores.joint_kl == pytest.approx(scores.prior_kl)


def test_a_broken_alignment_is_refused() -> None:
    with pytest.raises(ValueError, match="is not there"):
        score(Reference(NETWORK), Alignment((Match("a", "z"),)), to_copy(Reference(NETWORK)))
    with pytest.raises(ValueError, match="twice"):
        score(Reference(NETWORK), to_alignment({"a": "a", "b": "a"}, {}), to_copy(Reference(NETWORK)))
