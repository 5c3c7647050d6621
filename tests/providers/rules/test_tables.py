"""Tables are read off one network: complete, normalised, and in agreement."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bayes.network import Variable
from providers.rules.elicitor import read
from providers.rules.tables import SMALLEST_CELL, build_network, compute_joint, round_table
from providers.rules.variables import RuleEdge, RuleReading

DROUGHT = read("Drought causes famine.")


def test_a_positive_effect_goes_with_the_parent_and_a_negative_one_against_it() -> None:
    for text, direction in (("Drought causes famine.", 1), ("Drought prevents famine.", -1)):
        reading = read(text)
        parent, child = (variable for variable in reading.variables)
        assert (parent.name, child.name) == ("drought", "famine")
        joint = compute_joint(build_network(reading), (parent, child))
        given_much, given_none = joint[0] / joint[0].sum(), joint[-1] / joint[-1].sum()
        assert np.sign(given_much[0] - given_none[0]) == direction


def test_a_firmer_claim_couples_more_strongly() -> None:
    def gap(text: str) -> float:
        reading = read(text)
        joint = compute_joint(build_network(reading), reading.variables)
        return float(joint[0, 0] / joint[0].sum() - joint[-1, 0] / joint[-1].sum())

    assert gap("Drought causes famine.") > gap("Drought is associated with famine.") > 0.05


def test_two_parents_give_their_child_a_joint_that_sums_to_the_pairwise_joints() -> None:
    reading = read("Drought and war cause famine.")
    by_name = {variable.name: variable for variable in reading.variables}
    network = build_network(reading)
    family = [by_name["drought"], by_name["war"], by_name["famine"]]
    joint = compute_joint(network, family)
    assert joint.sum() == pytest.approx(1)
    np.testing.assert_allclose(joint.sum(axis=1), compute_joint(network, [family[0], family[2]]))
    np.testing.assert_allclose(joint.sum(axis=0), compute_joint(network, [family[1], family[2]]))
    np.testing.assert_allclose(joint.sum(axis=(0, 1)), compute_joint(network, [family[2]]))


def test_an_edge_that_closes_a_cycle_is_left_out_of_the_network() -> None:
    a, b = DROUGHT.variables
    edges = (RuleEdge(a.name, b.name, "", 0.9, 1), RuleEdge(b.name, a.name, "", 0.5, 1))
    network = build_network(RuleReading((a, b), (1, 1), edges))
    assert network.factors[a.name].parents == ()
    assert network.factors[b.name].parents == (a.name,)


def test_a_foreign_variable_is_uniform_and_independent() -> None:
    stranger = Variable("stranger", ("yes", "no", "none"))
    drought = DROUGHT.variables[0]
    network = build_network(DROUGHT)
    joint = compute_joint(network, (stranger, drought))
    np.testing.assert_allclose(joint, np.outer(np.full(3, 1 / 3), compute_joint(network, (drought,))))
    # the same name with other states is foreign, too
    renamed = Variable(drought.name, ("wet", "dry", "none"))
    np.testing.assert_allclose(compute_joint(network, (renamed,)), np.full(3, 1 / 3))


@given(arrays(np.float64, st.sampled_from([(3,), (4,), (3, 4), (3, 3, 3), (4, 4, 4, 4)]), elements=st.floats(0, 1)))
def test_rounded_tables_sum_to_one_without_small_cells(weights: np.ndarray) -> None:
    total = weights.sum()
    values = weights / total if total > 1e-6 else np.full(weights.shape, 1 / weights.size)
    table = round_table(values)
    assert table.sum() == pytest.approx(1, abs=1e-9)
    assert table.min() >= SMALLEST_CELL
    np.testing.assert_array_equal(table, np.round(table, 4))
