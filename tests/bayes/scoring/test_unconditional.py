"""Marginals and joints equal sums over every assignment; what cannot be had is skipped with a reason."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.scoring.anchors import to_identity
from bayes.scoring.cpds import PredictedColumns
from bayes.scoring.predicted import PredictedTables
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.renaming import to_renaming
from bayes.scoring.unconditional import NOTHING_MATCHED, Outcome, score_joint, score_marginals
from tests.bayes.scoring.oracle import assignments, own_marginal, reference_column, renamed_column, smoothed
from tests.strategies_scoring import Case, cases, to_alignment, to_network, to_prediction

STATES = {"a": "xy", "b": "xy"}
PRIOR = ((), [[0.5], [0.5]])
COPY = (("a",), [[1, 0], [0, 1]])
NETWORK = to_network(STATES, {"a": PRIOR, "b": COPY})


def score(case: Case) -> tuple[Outcome, Outcome]:
    reference = PreparedReference(case.reference)
    renaming = to_renaming(reference.network, case.prediction, case.alignment)
    tables = PredictedTables(case.prediction)
    columns = PredictedColumns(reference, renaming, tables)
    return score_marginals(reference, renaming, tables), score_joint(reference, renaming, tables, columns)


def to_case(prediction: Prediction, alignment: Alignment | None = None) -> Case:
    return Case(Reference(NETWORK), alignment or to_identity(NETWORK), prediction)


def test_a_prediction_of_independence_by_hand() -> None:
    marginals, joint = score(to_case(to_prediction(STATES, {"a": PRIOR, "b": ((), [[0.7], [0.3]])})))
    # a is right, b is off by 0.2; the joint: 0.5 log(1 / 0.7) + 0.5 log(1 / 0.3)
    assert marginals.value == pytest.approx(0.1)
    assert joint.value == pytest.approx(-0.5 * math.log(0.21), abs=1e-4)


def test_a_reversed_edge_with_the_same_joint_is_right() -> None:
    marginals, joint = score(to_case(to_prediction(STATES, {"b": PRIOR, "a": (("b",), [[1, 0], [0, 1]])})))
    assert marginals.value == 0
    assert joint.value == pytest.approx(0, abs=1e-5)


def test_the_mass_of_unmatched_states_is_an_error_on_both_sides() -> None:
    prediction = to_prediction({"a": "xyz"}, {"a": ((), [[0.5], [0.2], [0.3]])})
    alignment = to_alignment({"a": "a"}, {"a": {"x": "x"}})
    # |0.5 - 0.5| + |0.5 - 0| + 0.5 on states that are not matched
    assert score(to_case(prediction, alignment))[0].value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("prediction", "reason"),
    [
        (to_prediction(STATES, {"a": (("b",), [[1, 0], [0, 1]]), "b": COPY}), "not a network: the edges close a cycle"),
        (to_prediction(STATES, {"a": PRIOR}), "incomplete: no usable table of 'b'"),
    ],
)
def test_cyclic_and_incomplete_predictions_are_skipped(prediction: Prediction, reason: str) -> None:
    assert score(to_case(prediction)) == (Outcome(None, reason), Outcome(None, reason))


def test_a_failed_prediction_is_skipped() -> None:
    skipped = Outcome(None, NOTHING_MATCHED)
    assert score(to_case(Prediction(), Alignment())) == (skipped, skipped)


def test_the_joint_needs_every_reference_variable() -> None:
    marginals, joint = score(to_case(to_prediction({"a": "xy"}, {"a": PRIOR}), to_alignment({"a": "a"}, {"a": {}})))
    # nothing of a's states is matched: all mass is lost
    assert marginals.value == 1
    assert joint == Outcome(None, "not every reference variable is matched")


def test_a_variable_beyond_the_reference_is_summed_out_unless_it_is_a_parent() -> None:
    right = {"a": PRIOR, "b": COPY}
    below = to_prediction({**STATES, "z": "uv"}, {**right, "z": (("b",), [[0.3, 0.6], [0.7, 0.4]])})
    assert score(to_case(below))[1].value == pytest.approx(0, abs=1e-5)
    above = to_prediction({**STATES, "z": "uv"}, {**right, "z": PRIOR, "a": (("z",), [[0.5, 0.5], [0.5, 0.5]])})
    marginals, joint = score(to_case(above))
    assert marginals.value == 0
    assert joint == Outcome(None, "a matched variable has the unmatched parent 'z'")


def test_as_many_parents_as_the_reference_are_not_the_same_parents() -> None:
    states = {"a": "xy", "c": "xy", "b": "xy"}
    network = to_network(states, {"a": PRIOR, "c": PRIOR, "b": COPY})
    prediction = to_prediction(states, {"a": PRIOR, "c": PRIOR, "b": (("c",), [[0.8, 0.4], [0.2, 0.6]])})
    _, joint = score(Case(Reference(network), to_identity(network), prediction))
    # b follows a: 1/4 log(1 / q) for each a and c: q = 0.8, 0.4, 0.2, 0.6
    assert joint.value == pytest.approx(-0.25 * math.log(0.8 * 0.4 * 0.2 * 0.6), abs=1e-4)


@settings(max_examples=30)
@given(cases())
def test_marginals_equal_the_oracle(case: Case) -> None:
    outcome, _ = score(case)
    if outcome.value is None:
        assert outcome.reason
        return
    truth = {name: own_marginal_of_reference(case, name) for name in case.reference.network.by_name}
    gaps: list[float] = []
    for ours, theirs in case.alignment.variables:
        q = own_marginal(case.prediction, theirs)
        states = {match.reference: match.predicted for match in case.alignment.states[ours]}
        lost = sum(q.values()) - sum(q[state] for state in states.values())
        gap = sum(abs(p - (q[states[state]] if state in states else 0)) for state, p in truth[ours].items())
        gaps.append((gap + lost) / 2)
    assert outcome.value == pytest.approx(sum(gaps) / len(gaps), abs=1e-7)
    assert 0 <= outcome.value <= 1


@settings(max_examples=30)
@given(cases(careless=False))
def test_the_joint_equals_the_sum_over_every_assignment(case: Case) -> None:
    network, names = case.reference.network, dict(case.alignment.variables)
    ours = {theirs: mine for mine, theirs in names.items()}
    total = 0.0
    for assignment in assignments(list(network.variables)):
        p = q = 1.0
        for name, variable in network.by_name.items():
            p *= reference_column(network, name, assignment)[assignment[name]]
            parents = [ours[parent] for parent in case.prediction.cpds[names[name]].parents]
            column = renamed_column(case, name, {parent: assignment[parent] for parent in parents}, {})
            q *= smoothed(column, variable.states)[assignment[name]]
        total += p * math.log(p / q)
    _, joint = score(case)
    assert joint.reason is None
    assert joint.value == pytest.approx(total, abs=1e-6)


def own_marginal_of_reference(case: Case, name: str) -> dict[str, float]:
    network = case.reference.network
    marginal = dict.fromkeys(network.by_name[name].states, 0.0)
    for assignment in assignments(list(network.variables)):
        columns = [reference_column(network, other, assignment)[assignment[other]] for other in network.by_name]
        marginal[assignment[name]] += float(np.prod(columns))
    return marginal
