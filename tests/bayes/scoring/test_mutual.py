"""Two extractions of one text against each other."""

import numpy as np
import pytest

from bayes.judging.alignment import align
from bayes.judging.exact import ExactJudge
from bayes.network import Edge, Variable
from bayes.scoring.mutual import score_against, to_network
from bayes.scoring.records import PredictedCpd, Prediction

RAIN, FLOOD = Variable("rain", ("yes", "none")), Variable("flood", ("yes", "none"))
EDGE = Edge("rain", "flood")
PRIOR = PredictedCpd("rain", (), np.array([[0.3], [0.7]]))
TABLE = PredictedCpd("flood", ("rain",), np.array([[0.8, 0.1], [0.2, 0.9]]))
WHOLE = Prediction((RAIN, FLOOD), (EDGE,), {"rain": PRIOR, "flood": TABLE})
BARE = Prediction((RAIN, FLOOD), (EDGE,))
CYCLIC = Prediction((RAIN, FLOOD), (EDGE, Edge("flood", "rain")), {"flood": TABLE})


def test_an_extraction_agrees_with_itself() -> None:
    scores = score_against(WHOLE, align(WHOLE.variables, WHOLE.variables, ExactJudge()), WHOLE)
    assert (scores.node_f1, scores.state_f1, scores.edge_f1, scores.edge_f1_unconditional) == (1, 1, 1, 1)
    assert scores.cpd_kl == pytest.approx(0, abs=1e-4)
    assert scores.skipped is None


def test_divergence_depends_on_who_plays_the_reference() -> None:
    """With tables that differ, KL(p||q) and KL(q||p) differ, structure does not."""
    other = Prediction(
        (RAIN, FLOOD),
        (EDGE,),
        {"rain": PRIOR, "flood": PredictedCpd("flood", ("rain",), np.array([[0.5, 0.9], [0.5, 0.1]]))},
    )
    alignment = align(WHOLE.variables, other.variables, ExactJudge())
    there, back = score_against(WHOLE, alignment, other), score_against(other, alignment, WHOLE)
    assert there.edge_f1 == back.edge_f1 == 1
    assert there.cpd_kl is not None
    assert back.cpd_kl is not None
    # columns (0.8, 0.2) | (0.5, 0.5) and (0.1, 0.9) | (0.9, 0.1)
    p, q = np.array([[0.8, 0.1], [0.2, 0.9]]), np.array([[0.5, 0.9], [0.5, 0.1]])
    assert there.cpd_kl == pytest.approx(float((p * np.log(p / q)).sum(axis=0).mean()), abs=1e-4)
    assert back.cpd_kl == pytest.approx(float((q * np.log(q / p)).sum(axis=0).mean()), abs=1e-4)


@pytest.mark.parametrize(("first", "reason"), [(BARE, "no usable table"), (CYCLIC, "close a cycle")])
def test_structure_is_compared_without_tables_and_the_rest_is_skipped_with_a_reason(
    first: Prediction, reason: str
) -> None:
    scores = score_against(first, align(first.variables, WHOLE.variables, ExactJudge()), WHOLE)
    assert scores.node_f1 == 1
    assert scores.edge_f1 is not None
    assert scores.cpd_kl is None
    assert reason in (scores.skipped or "")


def test_a_network_is_made_of_complete_tables_only() -> None:
    network = to_network(WHOLE)
    assert network.edges == (EDGE,)
    assert network.cpd_of["flood"].matrix.tolist() == [[0.8, 0.1], [0.2, 0.9]]
    with pytest.raises(ValueError, match="no usable table"):
        to_network(BARE)


def test_nothing_against_something_has_nothing_in_common() -> None:
    empty = Prediction()
    for first, second in ((empty, WHOLE), (WHOLE, empty)):
        scores = score_against(first, align(first.variables, second.variables, ExactJudge()), second)
        assert scores.node_f1 == 0
