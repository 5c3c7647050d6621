"""CPD-KL equals a slow oracle on careless predictions, and every rule holds by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.scoring.anchors import to_identity
from bayes.scoring.cpds import CpdScores, PredictedColumns, score_cpds
from bayes.scoring.predicted import PredictedTables
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.renaming import to_renaming
from tests.bayes.scoring.oracle import cpd_kl
from tests.strategies_scoring import Case, cases, to_alignment, to_network, to_prediction

# b depends on a; c is a root; every column of b is telling
NETWORK = to_network(
    {"a": "xy", "c": "xy", "b": "xy"},
    {"a": ((), [[0.5], [0.5]]), "c": ((), [[0.5], [0.5]]), "b": (("a",), [[0.9, 0.2], [0.1, 0.8]])},
)
STATES = {"a": "xy", "c": "xy", "b": "xy"}


def to_scores(prediction: Prediction, alignment: Alignment | None = None) -> tuple[CpdScores, CpdScores]:
    reference = PreparedReference(Reference(NETWORK))
    renaming = to_renaming(NETWORK, prediction, alignment or to_identity(NETWORK))
    scores = score_cpds(reference, renaming, PredictedColumns(reference, renaming, PredictedTables(prediction)))
    return scores.children, scores.roots


def to_columns(prediction: Prediction, alignment: Alignment | None = None) -> tuple[list[list[float]], list[bool]]:
    """What the prediction says of b for a = x and a = y."""
    reference = PreparedReference(Reference(NETWORK))
    renaming = to_renaming(NETWORK, prediction, alignment or to_identity(NETWORK))
    columns = PredictedColumns(reference, renaming, PredictedTables(prediction)).to_columns("b", ("a",))
    return columns.values.T.tolist(), columns.is_covered.tolist()


def entropy(*p: float) -> float:
    return -sum(x * math.log(x) for x in p if x)


@settings(max_examples=60)
@given(cases())
def test_mean_and_coverage_equal_the_oracle(case: Case) -> None:
    reference = PreparedReference(case.reference)
    renaming = to_renaming(reference.network, case.prediction, case.alignment)
    columns = PredictedColumns(reference, renaming, PredictedTables(case.prediction))
    scores = score_cpds(reference, renaming, columns)
    for ours, roots in ((scores.children, False), (scores.roots, True)):
        kl, coverage = cpd_kl(case, roots=roots)
        if kl is None:
            assert ours == CpdScores(None, None, 0)
        else:
            assert ours.divergences is not None
            # own marginals are rounded to nine decimals, and divided by probabilities of 1e-6 at least
            assert ours.divergences.kl == pytest.approx(kl, abs=1e-5)
            assert ours.coverage == pytest.approx(coverage)


def test_a_reference_parent_that_the_prediction_lacks_does_not_change_the_column() -> None:
    # a reference child that is predicted as a root: its prior in every column
    prediction = to_prediction(STATES, {"b": ((), [[0.6], [0.4]])})
    assert to_columns(prediction) == ([pytest.approx([0.6, 0.4])] * 2, [True, True])


def test_a_spurious_parent_is_averaged_out_with_the_predictions_own_marginal() -> None:
    prediction = to_prediction(
        STATES, {"a": ((), [[1], [0]]), "c": ((), [[0.25], [0.75]]), "b": (("c",), [[1.0, 0.2], [0.0, 0.8]])}
    )
    # 0.25 * 1 + 0.75 * 0.2
    assert to_columns(prediction)[0] == [pytest.approx([0.4, 0.6])] * 2


def test_a_spurious_parent_without_marginal_is_averaged_out_uniformly() -> None:
    prediction = to_prediction(STATES, {"b": (("c",), [[1.0, 0.2], [0.0, 0.8]])})
    assert to_columns(prediction)[0] == [pytest.approx([0.6, 0.4])] * 2


def test_an_unmatched_spurious_parent_is_averaged_out_as_well() -> None:
    prediction = to_prediction(
        {**STATES, "z": "uv"}, {"z": ((), [[1], [3]]), "b": (("z", "a"), [[1, 0, 0.2, 0.4], [0, 1, 0.8, 0.6]])}
    )
    # a = x: 0.25 * 1 + 0.75 * 0.2; a = y: 0.25 * 0 + 0.75 * 0.4
    assert to_columns(prediction)[0] == [pytest.approx([0.4, 0.6]), pytest.approx([0.3, 0.7])]


def test_columns_without_prediction_are_left_out_of_an_average() -> None:
    prediction = to_prediction(STATES, {"c": ((), [[0.25], [0.75]]), "b": (("c",), [[0, 0.2], [math.nan, 0.8]])})
    assert to_columns(prediction) == ([pytest.approx([0.2, 0.8])] * 2, [True, True])
    # all weight on the column that is not there
    prediction = to_prediction(STATES, {"c": ((), [[1], [0]]), "b": (("c",), [[0, 0.2], [math.nan, 0.8]])})
    assert to_columns(prediction) == ([[0, 0]] * 2, [False, False])


def test_an_unmatched_parent_state_leaves_its_configuration_without_prediction() -> None:
    prediction = to_prediction(STATES, {"b": (("a",), [[0.9, 0.2], [0.1, 0.8]])})
    alignment = to_alignment({"a": "a", "b": "b"}, {"a": {"x": "x"}, "b": {"x": "x", "y": "y"}})
    assert to_columns(prediction, alignment) == ([pytest.approx([0.9, 0.1]), [0, 0]], [True, False])
    children, roots = to_scores(prediction, alignment)
    assert children.divergences is not None
    # 0 for the first column, log 2 - H(0.2, 0.8) for the uniform second
    assert children.divergences.kl == pytest.approx((math.log(2) - entropy(0.2, 0.8)) / 2, abs=1e-5)
    assert children.coverage == 0.5
    # a is matched and has no table: uniform, as its prior is
    assert roots.divergences is not None
    assert (roots.divergences.kl, roots.coverage) == (pytest.approx(0), 0)


def test_an_unmatched_child_state_gets_nothing() -> None:
    prediction = to_prediction({"a": "xy", "b": "uv"}, {"b": (("a",), [[0.9, 0.0], [0.1, 1.0]])})
    alignment = to_alignment({"a": "a", "b": "b"}, {"a": {"x": "x", "y": "y"}, "b": {"x": "u"}})
    # the second column's mass is all on the unmatched v
    assert to_columns(prediction, alignment) == ([pytest.approx([0.9, 0]), [0, 0]], [True, False])
    children, _ = to_scores(prediction, alignment)
    # first column: q = (0.9 + 1e-6, 1e-6) / (0.9 + 2e-6); second: uniform
    first = 0.9 * math.log(0.9) + 0.1 * math.log(0.1 / (1e-6 / 0.9))
    second = math.log(2) - entropy(0.2, 0.8)
    assert children.divergences is not None
    assert children.divergences.kl == pytest.approx((first + second) / 2, abs=1e-5)


def test_states_are_renamed_wherever_they_stand() -> None:
    prediction = to_prediction({"a": "YX", "b": "QYX"}, {"b": (("a",), [[0, 0], [8, 1], [2, 9]])})
    alignment = to_alignment({"a": "a", "b": "b"}, {"a": {"x": "X", "y": "Y"}, "b": {"x": "X", "y": "Y"}})
    assert to_columns(prediction, alignment)[0] == [pytest.approx([0.9, 0.1]), pytest.approx([0.2, 0.8])]


@pytest.mark.parametrize("matrix", [[[0, 0], [0, 0]], [[math.nan] * 2] * 2, [[1], [0]], [], [[1, 1]]])
def test_a_table_without_mass_or_of_another_shape_is_not_given(matrix: list[list[float]]) -> None:
    children, _ = to_scores(to_prediction(STATES, {"b": (("a",), matrix)}))
    assert children.divergences is not None
    kl = (2 * math.log(2) - entropy(0.9, 0.1) - entropy(0.2, 0.8)) / 2
    assert (children.divergences.kl, children.coverage) == (pytest.approx(kl), 0)


def test_null_cells_count_zero_and_a_null_column_is_uniform() -> None:
    children, _ = to_scores(to_prediction(STATES, {"b": (("a",), [[9, math.nan], [1, math.nan]])}))
    assert children.divergences is not None
    assert children.coverage == 0.5
    assert children.divergences.kl == pytest.approx((math.log(2) - entropy(0.2, 0.8)) / 2, abs=1e-5)
    assert to_columns(to_prediction(STATES, {"b": (("a",), [[3, math.nan], [math.inf, -1]])})) == (
        [[1, 0], [0, 0]],
        [True, False],
    )


def test_a_reference_root_that_was_given_parents_is_scored_by_its_average() -> None:
    prediction = to_prediction(STATES, {"c": ((), [[0.5], [0.5]]), "a": (("c",), [[1, 0], [0, 1]])})
    _, roots = to_scores(prediction, to_alignment({"a": "a"}, {"a": {"x": "x", "y": "y"}}))
    assert roots.divergences is not None
    # 0.5 * (1, 0) + 0.5 * (0, 1) is the reference prior
    assert (roots.divergences.kl, roots.coverage, roots.n_variables) == (pytest.approx(0), 1, 1)


def test_nothing_matched_has_no_scores() -> None:
    assert to_scores(Prediction(), Alignment()) == (CpdScores(None, None, 0), CpdScores(None, None, 0))


def test_a_reference_column_with_zeros_is_finite_in_every_measure() -> None:
    network = to_network({"a": "xy", "b": "xyz"}, {"a": ((), [[1], [0]]), "b": (("a",), [[1, 0], [0, 0], [0, 1]])})
    prediction = to_prediction({"a": "xy", "b": "xyz"}, {"b": (("a",), [[0, 0], [1, 0], [0, 1]])})
    reference = PreparedReference(Reference(network))
    renaming = to_renaming(network, prediction, to_identity(network))
    scores = score_cpds(reference, renaming, PredictedColumns(reference, renaming, PredictedTables(prediction)))
    measures = scores.children.divergences
    assert measures is not None
    # one column is right, in the other all mass is on a state that the other side rules out: log(1e6) either way
    values = [measures.kl, measures.reverse, measures.symmetric, measures.tv, measures.js]
    log = math.log(1e6)
    assert values == pytest.approx([log / 2, log / 2, log / 2, 0.5, math.log(2) / 2], abs=1e-4)
    assert np.isfinite(values).all()
