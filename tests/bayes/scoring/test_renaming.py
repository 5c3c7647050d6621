"""An alignment that is not one to one, or names what is not there, is refused."""

import pytest

from bayes.network import Edge
from bayes.scoring.records import Alignment, Match, Prediction
from bayes.scoring.renaming import UNMATCHED, to_renaming
from tests.strategies_scoring import to_alignment, to_network, to_prediction

NETWORK = to_network({"a": "xy", "b": "xy"}, {"a": ((), [[1], [0]]), "b": ((), [[1], [0]])})
PREDICTION = to_prediction({"A": ("Y", "Z", "X"), "B": "XY"}, {}, [("A", "B")])


def test_rows_point_from_reference_states_to_predicted_ones() -> None:
    renaming = to_renaming(NETWORK, PREDICTION, to_alignment({"a": "A", "b": "B"}, {"a": {"x": "X", "y": "Y"}}))
    assert renaming.rows == {"a": [2, 0], "b": [UNMATCHED, UNMATCHED]}
    assert renaming.to_reference_edge(Edge("A", "B")) == Edge("a", "b")


def test_an_edge_with_an_unmatched_end_has_no_name() -> None:
    assert to_renaming(NETWORK, PREDICTION, to_alignment({"a": "A"}, {})).to_reference_edge(Edge("A", "B")) is None


@pytest.mark.parametrize(
    "alignment",
    [
        Alignment((Match("a", "A"), Match("a", "B"))),
        Alignment((Match("a", "A"), Match("b", "A"))),
        to_alignment({"c": "A"}, {}),
        to_alignment({"a": "C"}, {}),
        to_alignment({"a": "A"}, {"a": {"x": "W"}}),
        to_alignment({"a": "A"}, {"a": {"w": "X"}}),
        to_alignment({"a": "A"}, {"a": {"x": "X", "y": "X"}}),
        Alignment((Match("a", "A"),), states={"a": (Match("x", "X"), Match("x", "Y"))}),
    ],
)
def test_what_cannot_be_an_alignment_is_refused(alignment: Alignment) -> None:
    with pytest.raises(ValueError, match="the alignment matches"):
        to_renaming(NETWORK, PREDICTION, alignment)


def test_nothing_matched_is_an_alignment() -> None:
    assert to_renaming(NETWORK, Prediction(), Alignment()).predicted == {}
