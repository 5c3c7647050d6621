"""Tables are converted under the listed names, and what cannot be used is said in words for the model."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Table, Tables, Variable
from bayes.reconciliation import reconcile
from bayes.recovery import recover_network
from schemas.questions import Family
from schemas.replies import (
    FamilyCell,
    JointReply,
    JointsReply,
    MarginalReply,
    MarginalsReply,
    MultiJointReply,
    MultiJointsReply,
    PairCell,
    StateProbability,
)
from tasks import table_checking as checking
from tasks.checking import PATIENCE, insist

RAIN = Variable("rain", ("heavy", "none"))
FLOOD = Variable("flood", ("wide", "none"))
NAMES = {"rain": RAIN, "flood": FLOOD}


def marginals_reply(variable: str, **cells: float) -> MarginalsReply:
    probabilities = [StateProbability(state=state, probability=p) for state, p in cells.items()]
    return MarginalsReply(marginals=[MarginalReply(variable=variable, probabilities=probabilities)])


def joints_reply(*cells: tuple[str, str, float], parent: str = "rain", child: str = "flood") -> JointsReply:
    rows = [PairCell(parent_state=a, child_state=c, probability=p) for a, c, p in cells]
    return JointsReply(joints=[JointReply(parent=parent, child=child, cells=rows)])


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
        (marginals_reply("rain", heavy=1e308, none=1e308), "is not a probability"),
        (marginals_reply("rain", heavy=1001, none=1), "is not a probability"),
        (marginals_reply("rain", heavy=1e-320, none=1e-320), "sum to 0"),
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


def test_a_joint_given_under_child_and_parent_exchanged_is_turned() -> None:
    cells = [("wide", "heavy", 0.3), ("none", "heavy", 0.2), ("wide", "none", 0.1), ("none", "none", 0.4)]
    reply, edge = joints_reply(*cells, parent="flood", child="rain"), Edge("rain", "flood")
    assert checking.check_joints(reply, [edge], NAMES, is_strict=True) == []
    table = checking.to_joints(reply, [edge], NAMES)[edge]
    assert (table.parents, table.child) == (("rain",), "flood")
    assert table.values.tolist() == [[0.3, 0.2], [0.1, 0.4]]


def test_a_joint_whose_columns_alone_are_exchanged_is_named() -> None:
    reply = joints_reply(("wide", "heavy", 0.5), ("none", "none", 0.5))
    assert checking.check_joints(reply, [Edge("rain", "flood")], NAMES) == [
        "Joint of 'rain' and 'flood': 'rain' has no state 'wide'; it has 'heavy', 'none'.",
        "Joint of 'rain' and 'flood': 'flood' has no state 'heavy'; it has 'wide', 'none'.",
    ]


def test_percentages_and_small_errors_of_the_sum_are_put_right() -> None:
    for cells in ({"heavy": 30, "none": 70}, {"heavy": 0.27, "none": 0.63}):
        reply = marginals_reply("rain", **cells)
        assert checking.check_marginals(reply, [RAIN], is_strict=True) == []
        assert checking.to_marginals(reply, [RAIN])["rain"].values == pytest.approx([0.3, 0.7])


def test_a_missing_cell_that_leaves_no_room_is_an_impossible_one() -> None:
    assert checking.check_marginals(marginals_reply("rain", heavy=1), [RAIN], is_strict=True) == []


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (
            marginals_reply("rain", heavy=0.6),
            "Marginal of 'rain': cell missing: 'none'. The others sum to 0.6; the probabilities of all its states must "
            "sum to 1.",
        ),
        (
            marginals_reply("rain", heavy=0.9, none=0.9),
            "Marginal of 'rain': the cells sum to 1.8; the probabilities of all its states must sum to 1.",
        ),
        (
            marginals_reply("rain", heavy=30, none=0.7),
            "Marginal of 'rain': the cells sum to 30.7; the probabilities of all its states must sum to 1.",
        ),
    ],
)
def test_a_doubtful_sum_is_fed_back_and_in_the_end_taken(reply: MarginalsReply, problem: str) -> None:
    look: Callable[[MarginalsReply], list[str]] = insist(partial(checking.check_marginals, variables=[RAIN]))
    assert [look(reply) for _ in range(PATIENCE)] == [[problem]] * PATIENCE
    assert look(reply) == []


def test_conditional_probabilities_in_place_of_a_joint_are_noticed() -> None:
    reply = joints_reply(("heavy", "wide", 0.8), ("heavy", "none", 0.2), ("none", "wide", 0.1), ("none", "none", 0.9))
    (problem,) = checking.check_joints(reply, [Edge("rain", "flood")], NAMES, is_strict=True)
    assert "the cells sum to 2; all cells of one table, P(parent state and child state), must sum to 1" in problem


def test_states_are_matched_without_hyphens_and_plurals_but_never_guessed() -> None:
    rain = Variable("rain", ("very low", "low", "none"))
    reply = MarginalsReply(
        marginals=[
            MarginalReply(
                variable="Rains",
                probabilities=[
                    StateProbability(state=state, probability=p)
                    for state, p in (("very-low", 0.2), ("LOW", 0.3), ("none (baseline)", 0.5))
                ],
            )
        ]
    )
    assert checking.check_marginals(reply, [rain], is_strict=True) == []
    assert checking.to_marginals(reply, [rain])["rain"].values == pytest.approx([0.2, 0.3, 0.5])
    scarce = marginals_reply("rain", scarce=0.5, none=0.5)
    assert checking.check_marginals(scarce, [rain]) == [
        "Marginal of 'rain': 'rain' has no state 'scarce'; it has 'very low', 'low', 'none'."
    ]


@given(st.lists(st.tuples(st.text(max_size=20), st.floats()), max_size=6))
def test_whatever_cells_a_model_gives_are_either_a_problem_or_a_distribution(cells: list[tuple[str, float]]) -> None:
    probabilities = [StateProbability(state=state, probability=p) for state, p in cells]
    reply = MarginalsReply(marginals=[MarginalReply(variable="rain", probabilities=probabilities)])
    if not checking.check_marginals(reply, [RAIN]):
        assert checking.to_marginals(reply, [RAIN])["rain"].values.sum() == pytest.approx(1)


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


HUGE_CELL, TINY_CELL = st.floats(1e300, 1.7e308), st.floats(0, 1e-300)
USABLE_CELL = st.one_of(st.floats(0, 1), st.floats(0, 1000), TINY_CELL)
ANY_CELL = st.one_of(st.floats(), USABLE_CELL, HUGE_CELL)
GATE = Variable("gate", ("open", "none"))
FAMILY = Family(child="flood", parents=("rain", "gate"))


def _say_marginal(variable: Variable, p: Sequence[float]) -> MarginalReply:
    cells = [StateProbability(state=state, probability=x) for state, x in zip(variable.states, p, strict=True)]
    return MarginalReply(variable=variable.name, probabilities=cells)


def _say_joint(parent: str, p: Sequence[float]) -> JointReply:
    pairs = product((RAIN if parent == "rain" else GATE).states, FLOOD.states)
    cells = [PairCell(parent_state=a, child_state=c, probability=x) for (a, c), x in zip(pairs, p, strict=False)]
    return JointReply(parent=parent, child="flood", cells=cells)


@pytest.mark.filterwarnings("error")
@given(data=st.data())
def test_whatever_numbers_a_model_gives_a_table_is_refused_or_sums_to_one_and_can_be_recovered(
    data: st.DataObject,
) -> None:
    def draw(n: int, least: int) -> list[float]:
        kinds = (USABLE_CELL, HUGE_CELL, TINY_CELL, ANY_CELL)
        return data.draw(st.one_of(*(st.lists(kind, min_size=least, max_size=n) for kind in kinds)))

    variables, edges = (RAIN, GATE, FLOOD), (Edge("rain", "flood"), Edge("gate", "flood"))
    by_name = {variable.name: variable for variable in variables}
    tables: list[Table] = []
    marginals = {variable.name: Table(variable.name, (), np.array([0.5, 0.5])) for variable in variables}
    said = MarginalsReply(marginals=[_say_marginal(variable, draw(2, 2)) for variable in variables])
    if not checking.check_marginals(said, variables):
        marginals = checking.to_marginals(said, variables)
        tables += marginals.values()
    joints = {edge: Table("flood", (edge.parent,), np.full((2, 2), 0.25)) for edge in edges}
    for edge in edges:
        pair = JointsReply(joints=[_say_joint(edge.parent, draw(4, 1))])
        if not checking.check_joints(pair, [edge], by_name):
            joints |= checking.to_joints(pair, [edge], by_name)
            tables.append(joints[edge])
    multi: dict[str, Table] = {}
    states = product(RAIN.states, GATE.states, FLOOD.states)
    cells = [
        FamilyCell(parent_states=[a, b], child_state=c, probability=x)
        for (a, b, c), x in zip(states, draw(8, 0), strict=False)
    ]
    family = MultiJointsReply(joints=[MultiJointReply(child="flood", parents=["rain", "gate"], cells=cells)])
    if not checking.check_multi_joints(family, [FAMILY], by_name):
        multi = checking.to_multi_joints(family, [FAMILY], by_name)
        tables += multi.values()
    for table in tables:
        assert (table.values >= 0).all()
        assert table.values.sum() == pytest.approx(1, abs=1e-9)
    elicited = Tables(variables, edges, marginals, joints, multi)
    for recovered in (recover_network(elicited), recover_network(reconcile(elicited).tables)):
        for cpd in recovered.cpds:
            assert np.abs(cpd.matrix.sum(axis=0) - 1).max() <= 1e-9
            assert (cpd.matrix >= 0).all()
