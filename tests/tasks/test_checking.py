"""Replies are converted under the listed names, and what cannot be used is said in words for the model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Variable
from schemas.questions import Family
from schemas.replies import (
    EdgeReply,
    EdgesReply,
    FamilyCell,
    JointReply,
    JointsReply,
    MarginalReply,
    MarginalsReply,
    MultiJointReply,
    MultiJointsReply,
    PairCell,
    StateProbability,
    VariableReply,
    VariablesReply,
)
from tasks import checking

RAIN = Variable("rain", ("heavy", "none"))
FLOOD = Variable("flood", ("wide", "none"))
NAMES = {"rain": RAIN, "flood": FLOOD}


def variables_reply(*items: tuple[str, list[str]]) -> VariablesReply:
    return VariablesReply(variables=[VariableReply(name=name, states=states) for name, states in items])


def marginals_reply(variable: str, **cells: float) -> MarginalsReply:
    probabilities = [StateProbability(state=state, probability=p) for state, p in cells.items()]
    return MarginalsReply(marginals=[MarginalReply(variable=variable, probabilities=probabilities)])


def joints_reply(*cells: tuple[str, str, float], parent: str = "rain", child: str = "flood") -> JointsReply:
    rows = [PairCell(parent_state=a, child_state=c, probability=p) for a, c, p in cells]
    return JointsReply(joints=[JointReply(parent=parent, child=child, cells=rows)])


def test_the_baseline_is_put_last_and_added_where_it_is_missing() -> None:
    reply = variables_reply(("Rain", ["None", "heavy", "light"]), ("flood", ["wide", "local"]))
    assert checking.check_variables(reply, max_variables=20) == []
    assert checking.to_variables(reply) == (
        Variable("Rain", ("heavy", "light", "none")),
        Variable("flood", ("wide", "local", "none")),
    )


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (variables_reply(), "is empty"),
        (variables_reply(("a", ["x", "y"]), ("b", ["x", "y"]), ("c", ["x", "y"])), "at most 2"),
        (variables_reply(("a", ["x", "y"]), ("A ", ["x", "y"])), "listed twice"),
        (variables_reply(("a", ["x", "X"])), "listed twice"),
        (variables_reply(("a", ["x", "none"])), "1 states besides"),
        (variables_reply(("a", list("abcdefg"))), "7 states besides"),
        (variables_reply(("", ["x", "y"])), "is empty"),
        (variables_reply(("x" * 5000, ["x", "y"])), "longer than 100"),
        (variables_reply(("<script>", ["x", "y"])), "markup"),
        (variables_reply(("--", ["x", "y"])), "no letter"),
    ],
)
def test_each_kind_of_bad_variable_is_named(reply: VariablesReply, problem: str) -> None:
    assert any(problem in line for line in checking.check_variables(reply, max_variables=2))


def test_control_and_direction_characters_are_cleaned_from_names() -> None:
    reply = variables_reply(("ra\u202ein\n level", ["hea\x00vy", "light"]))
    assert checking.to_variables(reply)[0] == Variable("rain level", ("heavy", "light", "none"))


def test_edges_get_the_listed_names_and_bad_ones_are_dropped_with_reasons() -> None:
    pairs = [("RAIN", "flood"), ("rain", "flood"), ("flood", "rain"), ("rain", "snow"), ("rain", "rain")]
    reply = EdgesReply(edges=[EdgeReply(parent=a, child=b, mechanism="it wets") for a, b in pairs])
    edges = checking.to_edges(reply, (RAIN, FLOOD))
    assert edges.acyclic.kept == (Edge("rain", "flood"),)
    assert [drop.reason for drop in edges.acyclic.dropped] == ["duplicate", "closes_cycle", "unknown_name", "self_edge"]
    assert edges.mechanisms == {Edge("rain", "flood"): "it wets"}


def test_no_edges_are_an_answer_but_only_unusable_edges_are_a_problem() -> None:
    assert checking.check_edges(EdgesReply(edges=[]), (RAIN, FLOOD)) == []
    bad = EdgesReply(edges=[EdgeReply(parent="snow", child="hail", mechanism="")])
    assert "'rain'" in checking.check_edges(bad, (RAIN, FLOOD))[0]


def test_a_marginal_is_matched_regardless_of_case_and_completed() -> None:
    reply = marginals_reply("Rain", Heavy=0.5)
    assert checking.check_marginals(reply, [RAIN]) == []
    table = checking.to_marginals(reply, [RAIN])["rain"]
    # one cell of two is missing: 0.5 and the floor 1e-4, divided by 0.5001
    assert table.values == pytest.approx(np.array([0.5, 0.0001]) / 0.5001)
    assert (table.raw_sum, table.n_floored) == (0.5, 1)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (marginals_reply("snow", heavy=1), "table is missing"),
        (marginals_reply("rain"), "table is missing"),
        (marginals_reply("rain", heavy=-0.1), "is not a probability"),
        (marginals_reply("rain", heavy=float("nan")), "is not a probability"),
        (marginals_reply("rain", heavy=float("inf")), "is not a probability"),
        (marginals_reply("rain", weak=1), "no state 'weak'"),
        (marginals_reply("rain", heavy=0.5, HEAVY=0.5), "given twice"),
        (marginals_reply("rain", heavy=0), "sum to 0"),
    ],
)
def test_each_kind_of_bad_table_is_named(reply: MarginalsReply, problem: str) -> None:
    (line,) = checking.check_marginals(reply, [RAIN])
    assert problem in line


def test_a_joint_has_the_parent_on_the_first_axis() -> None:
    reply = joints_reply(("heavy", "wide", 0.3), ("heavy", "none", 0.2), ("none", "wide", 0.1), ("none", "none", 0.4))
    edge = Edge("rain", "flood")
    assert checking.check_joints(reply, [edge], NAMES) == []
    assert checking.to_joints(reply, [edge], NAMES)[edge].values.tolist() == [[0.3, 0.2], [0.1, 0.4]]


def test_a_joint_of_another_direction_is_missing() -> None:
    reply = joints_reply(("wide", "heavy", 1.0), parent="flood", child="rain")
    assert "table is missing" in checking.check_joints(reply, [Edge("rain", "flood")], NAMES)[0]


def test_a_family_may_list_its_parents_in_another_order() -> None:
    wind = Variable("wind", ("strong", "none"))
    family = Family(child="flood", parents=("rain", "wind"))
    cells = [
        FamilyCell(parent_states=[w, r], child_state=c, probability=0.125)
        for w in wind.states
        for r in RAIN.states
        for c in FLOOD.states
    ]
    reply = MultiJointsReply(joints=[MultiJointReply(child="flood", parents=["Wind", "rain"], cells=cells)])
    names = {**NAMES, "wind": wind}
    assert checking.check_multi_joints(reply, [family], names) == []
    table = checking.to_multi_joints(reply, [family], names)["flood"]
    assert table.parents == ("wind", "rain")
    assert table.values.shape == (2, 2, 2)


def test_a_family_with_other_parents_is_refused() -> None:
    family = Family(child="flood", parents=("rain", "wind"))
    cell = FamilyCell(parent_states=["heavy"], child_state="wide", probability=1)
    reply = MultiJointsReply(joints=[MultiJointReply(child="flood", parents=["rain"], cells=[cell])])
    assert "must be just these" in checking.check_multi_joints(reply, [family], NAMES)[0]


@given(st.lists(st.tuples(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=8)), max_size=25))
def test_whatever_a_model_answers_is_either_a_problem_or_usable(items: list[tuple[str, list[str]]]) -> None:
    reply = variables_reply(*items)
    if not checking.check_variables(reply, max_variables=20):
        for variable in checking.to_variables(reply):
            assert variable.states[-1] == "none"
            assert len(set(variable.states)) == len(variable.states) >= 3
            assert variable.name.isprintable()
