"""The four metrics by hand and by their invariances, and every case that the publication leaves open."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayes.linear.baselines import to_true_equation
from bayes.linear.conditions import scale_units, to_scaled
from bayes.linear.metrics import compare_edges, is_same_order, normalise_vector, score_equations, to_true_sds
from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable, Truth
from tests.bayes.linear.dags import elicited_for, linear_dags, star


def answer(*slopes: float, intercept: float = 0.0) -> dict[str, Equation | None]:
    return {"y": Equation("y", intercept, tuple(f"x{number}" for number in range(len(slopes))), slopes)}


def test_the_published_formulas_by_hand() -> None:
    scores = score_equations(star(3.0, 4.0), answer(4.0, 3.0, intercept=5.0))
    # sqrt(1 + 1); unit vectors (0.6, 0.8) and (0.8, 0.6): sqrt(0.04 + 0.04)
    assert scores.m1 == pytest.approx(math.sqrt(2))
    assert scores.m2 == scores.m3 == pytest.approx(math.sqrt(0.08))
    assert (scores.m4, scores.m4_max, scores.n_edges) == (0, 1, 2)
    assert scores.sign_accuracy == 1
    # |4-3|/3 and |3-4|/4: the median of 1/3 and 1/4
    assert scores.median_relative_error == pytest.approx(7 / 24)
    # the true intercept is 2
    assert scores.intercept_error == pytest.approx(3)


def test_m3_and_m4_leave_single_parent_variables_out() -> None:
    scores = score_equations(star(5.0), answer(-1.0))
    # unit vectors (1) and (-1)
    assert scores.m2 == 2
    assert (scores.m3, scores.m4, scores.m4_max) == (0, 0, 0)
    assert scores.sign_accuracy == 0


def test_order_is_by_value_and_not_by_magnitude() -> None:
    # the publication's example: -0.8 < 0.5 and -2 < 3; by magnitude, -2 and 0.5 would fail
    assert score_equations(star(-2.0, 3.0), answer(-0.8, 0.5)).m4 == 1
    assert score_equations(star(-2.0, 1.0), answer(0.5, 0.8)).m4 == 1
    assert score_equations(star(-2.0, 1.0), answer(0.8, 0.5)).m4 == 0


@pytest.mark.parametrize(
    ("truth", "elicited", "same"),
    [
        ((1, 2), (5, 5), False),
        ((2, 2), (5, 5), True),
        ((2, 2), (5, 6), False),
        ((0, 1), (0.0, 9), True),
        ((0.0, 1), (-0.0, 9), True),
        ((1, 2, 2), (0, 7, 7), True),
        ((1, 2, 2), (7, 7, 0), False),
    ],
)
def test_a_tie_must_be_a_tie_in_both(truth: tuple[float, ...], elicited: tuple[float, ...], same: bool) -> None:
    assert is_same_order(truth, elicited) is same


def test_a_zero_vector_is_normalised_to_zeros_and_counted() -> None:
    scores = score_equations(star(3.0, 4.0), answer(0.0, 0.0))
    assert (scores.m1, scores.m2) == pytest.approx((5, 1))
    assert (scores.n_zero_vectors, scores.n_failed_nodes, scores.m4) == (1, 0, 0)


@pytest.mark.parametrize("elicited", [{}, {"y": None}])
def test_a_failed_variable_counts_as_zeros_without_order_and_is_counted_apart(
    elicited: dict[str, Equation | None],
) -> None:
    scores = score_equations(star(3.0, 4.0), elicited)
    assert (scores.m1, scores.m2) == pytest.approx((5, 1))
    assert (scores.n_zero_vectors, scores.n_failed_nodes, scores.m4, scores.sign_accuracy) == (0, 1, 0, 0)
    assert scores.intercept_error == pytest.approx(2)
    assert all(edge.failed for edge in compare_edges(star(3.0, 4.0), elicited))
    # a failure matches no order, not even that of equal coefficients
    assert score_equations(star(3.0, 3.0), elicited).m4 == 0


def test_a_spurious_edge_has_no_sign_and_no_relative_error() -> None:
    dag = star(3.0, 0.0)
    scores = score_equations(dag, answer(3.0, 1.0))
    assert (scores.m1, scores.sign_accuracy, scores.median_relative_error) == (1, 1, 0)
    assert [edge.relative_error for edge in compare_edges(dag, answer(3.0, 1.0))] == [0, None]


def test_where_every_truth_is_zero_there_is_no_sign_accuracy() -> None:
    scores = score_equations(star(0.0, 0.0), answer(1.0, 1.0))
    # the unit vector against zeros has distance 1
    assert scores.m2 == pytest.approx(1)
    assert (scores.sign_accuracy, scores.median_relative_error, scores.m4) == (None, None, 1)


def test_standard_deviations_follow_from_coefficients_and_noise() -> None:
    edges = (Edge("a", "b"), Edge("a", "c"), Edge("b", "c"))
    truth = Truth(dict(zip(edges, (2.0, 1.0, 3.0), strict=True)), {}, {"a": 1.0, "b": 2.0, "c": 4.0})
    dag = LinearDag(tuple(LinearVariable(name) for name in "cab"), edges, truth)
    # b = 2a + e: 4 + 4; c = 7a + 3 e_b + e: 49 + 9 * 4 + 16
    assert to_true_sds(dag) == pytest.approx({"a": 1, "b": math.sqrt(8), "c": math.sqrt(101)})
    without = replace(dag, truth=replace(truth, noise_sds={"a": 1.0, "c": 4.0}))
    assert to_true_sds(without) == {"a": 1.0, "b": None, "c": None}
    # nothing else is wrong than a -> c by 1: sd(a) / sd(c)
    elicited = {"b": Equation("b", 0, ("a",), (2,)), "c": Equation("c", 0, ("b", "a"), (3, 2))}
    assert score_equations(dag, elicited).m1_in_sds == pytest.approx(1 / math.sqrt(101))
    assert score_equations(without, elicited).m1_in_sds is None
    assert score_equations(dag, elicited).m1_in_ranges is None


def test_distances_in_ranges_use_the_widths_of_the_bounds() -> None:
    dag = LinearDag(
        (LinearVariable("x0", Interval(0, 10)), LinearVariable("y", Interval(0, 4))),
        (Edge("x0", "y"),),
        Truth({Edge("x0", "y"): 1.0}, {}, {}),
    )
    # a difference of 2 per unit, times 10 / 4
    assert score_equations(dag, answer(3.0)).m1_in_ranges == pytest.approx(5)


def test_vectors_at_the_ends_of_the_floats_are_normalised() -> None:
    assert normalise_vector((1e308, 1e308)) == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))
    assert normalise_vector((5e-324, -5e-324)) == pytest.approx((math.sqrt(0.5), -math.sqrt(0.5)))


def test_what_cannot_be_scored_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="no true coefficients"):
        score_equations(replace(star(1.0), truth=None), answer(1.0))
    with pytest.raises(ValueError, match="without edges"):
        score_equations(LinearDag((LinearVariable("y"),), (), Truth({}, {}, {})), {})
    with pytest.raises(ValueError, match="not over its parents"):
        score_equations(star(1.0), answer(1.0, 2.0))


@settings(max_examples=25, deadline=None)
@given(st.data(), st.floats(1e-6, 1e6))
def test_m2_m3_and_m4_ignore_a_positive_scale_of_one_variables_vector(data: st.DataObject, factor: float) -> None:
    dag = data.draw(linear_dags())
    elicited = data.draw(elicited_for(dag))
    name = data.draw(st.sampled_from(dag.targets))
    scaled = replace(elicited[name], coefficients=tuple(factor * slope for slope in elicited[name].coefficients))
    # two coefficients so close that scaling rounds them together are tied, which no exact arithmetic would do
    values = set(elicited[name].coefficients)
    assume(len({factor * slope for slope in values}) == len(values))
    before = score_equations(dag, elicited)
    after = score_equations(dag, {**elicited, name: scaled})
    assert (after.m2, after.m3) == pytest.approx((before.m2, before.m3), abs=1e-9)
    assert after.m4 == before.m4


@settings(max_examples=25, deadline=None)
@given(linear_dags())
def test_the_truth_scores_zero_and_the_maximum(dag: LinearDag) -> None:
    scores = score_equations(dag, {name: to_true_equation(dag, name) for name in dag.targets})
    assert (scores.m1, scores.m2, scores.m3, scores.m4) == (0, 0, 0, scores.m4_max)
    assert scores.m4_max == sum(len(parents) > 1 for parents in dag.parents.values())
    assert scores.sign_accuracy in {1, None}


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_standardised_distances_do_not_depend_on_units(data: st.DataObject) -> None:
    dag = data.draw(linear_dags())
    elicited = data.draw(elicited_for(dag))
    factors = {name: data.draw(st.sampled_from([0.001, 1.0, 2.5, 1000.0])) for name in dag.bounds}
    before = score_equations(dag, elicited)
    after = score_equations(
        scale_units(dag, factors), {name: to_scaled(equation, factors) for name, equation in elicited.items()}
    )
    assert after.m1_in_sds == pytest.approx(before.m1_in_sds, rel=1e-9)
    if before.m1_in_ranges is not None and min(bounds.width or 0.0 for bounds in dag.bounds.values()) > 1e-3:
        assert after.m1_in_ranges == pytest.approx(before.m1_in_ranges, rel=1e-6)


def test_standard_deviations_equal_those_of_the_covariance_matrix() -> None:
    dag = star(1.5, -2.0)
    assert dag.truth is not None
    dag = replace(dag, truth=replace(dag.truth, noise_sds={"x0": 1.0, "x1": 3.0, "y": 0.5}))
    slopes = np.array([[0, 0, 0], [0, 0, 0], [1.5, -2.0, 0]])
    inverse = np.linalg.inv(np.eye(3) - slopes)
    covariance = inverse @ np.diag([1.0, 9.0, 0.25]) @ inverse.T
    assert to_true_sds(dag)["y"] == pytest.approx(math.sqrt(covariance[2, 2]))
