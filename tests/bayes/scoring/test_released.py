"""The released comparison goes by position, on correct edges only."""

import math

import numpy as np
import pytest

from bayes.network import Edge
from bayes.scoring.anchors import to_identity
from bayes.scoring.predicted import PredictedTables
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.released import ReleasedScores, score_released, to_pairwise
from bayes.scoring.renaming import to_renaming
from tests.strategies_scoring import to_alignment, to_network, to_prediction

STATES = {"a": "xy", "c": "xy", "b": "xy"}
FULL = (("a", "c"), [[0.9, 0.5, 0.2, 0.4], [0.1, 0.5, 0.8, 0.6]])
NETWORK = to_network(STATES, {"a": ((), [[0.5], [0.5]]), "c": ((), [[0.25], [0.75]]), "b": FULL})
AB, CB = Edge("a", "b"), Edge("c", "b")


def score(
    prediction: Prediction, reference: Reference | None = None, alignment: Alignment | None = None
) -> ReleasedScores:
    prepared = PreparedReference(reference or Reference(NETWORK))
    renaming = to_renaming(NETWORK, prediction, alignment or to_identity(NETWORK))
    return score_released(prepared, renaming, PredictedTables(prediction))


def to_edges(*edges: Edge, **tables: list[list[float]]) -> Prediction:
    pairwise = {Edge(*name): np.array(matrix, dtype=np.float64) for name, matrix in tables.items()}
    return Prediction(to_prediction(STATES, {}).variables, edges, {}, pairwise)


def test_tables_are_derived_from_the_full_cpd_with_each_sides_own_marginals() -> None:
    prediction = to_prediction(STATES, {"a": ((), [[0.5], [0.5]]), "c": ((), [[1], [0]]), "b": FULL})
    # the prediction's c is always x: columns 1 and 3
    tables = PredictedTables(prediction)
    assert to_pairwise(tables, AB) == pytest.approx(np.array([[0.9, 0.2], [0.1, 0.8]]))
    # the reference's: 0.25 * 0.9 + 0.75 * 0.5 and 0.25 * 0.2 + 0.75 * 0.4; by c: the means of columns 1, 3 and 2, 4
    blocks = PreparedReference(Reference(NETWORK)).pairwise
    assert blocks.p[0].tolist() == pytest.approx([0.6, 0.35, 0.55, 0.45])
    kl = (0.6 * math.log(0.6 / 0.9) + 0.4 * math.log(4) + 0.35 * math.log(0.35 / 0.2) + 0.65 * math.log(0.65 / 0.8)) / 2
    # a -> b by hand, c -> b is equal on both sides
    scores = score(prediction)
    assert (scores.kl, scores.n_compared, scores.n_skipped) == (pytest.approx(kl / 2, abs=1e-4), 2, 0)


def test_given_tables_come_before_derived_ones() -> None:
    reference = Reference(NETWORK, {AB: np.array([[1.0, 0.0], [0.0, 1.0]])})
    scores = score(to_edges(AB, ab=[[2, 0], [0, 2]]), reference)
    assert (scores.kl, scores.n_compared) == (pytest.approx(0, abs=1e-5), 1)


def test_states_in_another_order_are_compared_by_position_all_the_same() -> None:
    reference = Reference(NETWORK, {AB: np.array([[1.0, 0.0], [0.0, 1.0]])})
    prediction = Prediction(
        to_prediction({"a": "xy", "b": "yx"}, {}).variables, (AB,), {}, {AB: np.array([[0.0, 1.0], [1.0, 0.0]])}
    )
    alignment = to_alignment({"a": "a", "b": "b"}, {"a": {"x": "x", "y": "y"}, "b": {"x": "x", "y": "y"}})
    # the same distribution, and log(1e6) in every column
    assert score(prediction, reference, alignment).kl == pytest.approx(math.log(1e6), abs=1e-4)


def test_a_column_without_mass_is_uniform() -> None:
    reference = Reference(NETWORK, {AB: np.array([[1.0, 0.0], [0.0, 1.0]])})
    assert score(to_edges(AB, ab=[[1, math.nan], [0, 0]]), reference).kl == pytest.approx(math.log(2) / 2, abs=1e-5)


@pytest.mark.parametrize(
    "table", [[[0.5], [0.5]], [[1, 0], [0, 1], [0, 0]], [[math.nan] * 2] * 2, [], [[0, 0], [0, 0]]]
)
def test_what_has_no_positions_to_compare_is_left_out_and_counted(table: list[list[float]]) -> None:
    reference = Reference(NETWORK, {AB: np.array([[1.0, 0.0], [0.0, 1.0]])})
    assert score(to_edges(AB, CB, ab=table, cb=[[1, 1], [0, 0]]), reference).n_skipped == 1
    assert score(to_edges(AB, ab=table), reference) == ReleasedScores(None, 0, 1)


def test_only_correct_edges_are_compared() -> None:
    assert score(to_edges(Edge("b", "a"), ba=[[1, 0], [0, 1]])) == ReleasedScores(None, 0, 0)
    assert score(Prediction(), alignment=Alignment()) == ReleasedScores(None, 0, 0)


def test_an_unusable_reference_table_is_derived_instead() -> None:
    for table in ([[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0]]):
        blocks = PreparedReference(Reference(NETWORK, {AB: np.array(table)})).pairwise
        assert blocks.p[0, :2].tolist() == pytest.approx([0.6, 0.35])
