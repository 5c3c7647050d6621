"""The interval of an equation holds every value it can take, reaches both ends, and is held against the bounds."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.linear.intervals import check_range, to_range
from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable
from tests.bayes.linear.dags import elicited_for, linear_dags


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_sampled_point_lies_in_the_range_and_both_ends_are_attained(data: st.DataObject) -> None:
    dag = data.draw(linear_dags())
    equation = data.draw(st.sampled_from(sorted(data.draw(elicited_for(dag)).items())))[1]
    found = to_range(equation, dag)
    assert found.low is not None
    assert found.high is not None
    ends = [(bounds.low or 0.0, bounds.high or 0.0) for bounds in (dag.bounds[name] for name in equation.parents)]

    def at(point: tuple[float, ...]) -> float:
        return math.fsum((equation.intercept, *(b * x for b, x in zip(equation.coefficients, point, strict=True))))

    point = tuple(data.draw(st.floats(low, high)) for low, high in ends)
    corners = [at(corner) for corner in product(*ends)]
    # rounding is monotone, so the comparison is exact
    assert found.low <= at(point) <= found.high
    assert (min(corners), max(corners)) == (found.low, found.high)


def one_parent(own: Interval, parents: Interval) -> LinearDag:
    return LinearDag((LinearVariable("x", parents), LinearVariable("y", own)), (Edge("x", "y"),))


@pytest.mark.parametrize(
    ("own", "parent", "slope", "accepted", "skipped", "told"),
    [
        (Interval(0, 10), Interval(0, 5), 1.0, True, (), None),
        # 1 + 2 * 5 = 11 is above 10
        (Interval(0, 10), Interval(0, 5), 2.0, False, (), "predicted maximum 11 of 'y' is above its upper bound 10"),
        # 1 - 5 = -4 is below 0
        (Interval(0, 10), Interval(0, 5), -1.0, False, (), "predicted minimum -4 of 'y' is below its lower bound 0"),
        (Interval(0, None), Interval(0, 5), 2.0, True, ("upper",), None),
        (Interval(None, None), Interval(0, 5), 2.0, True, ("lower", "upper"), None),
        # with a positive slope a missing upper bound of the parent leaves the upper end open, with a negative the lower
        (Interval(0, 10), Interval(0, None), 1.0, True, ("upper",), None),
        (Interval(0, 10), Interval(0, None), -1.0, True, ("lower",), None),
        (Interval(2, 10), Interval(0, None), 1.0, False, ("upper",), "predicted minimum 1"),
        (Interval(0, 10), Interval(None, None), 0.0, True, (), None),
    ],
)
def test_a_range_is_accepted_rejected_or_skipped_side_by_side(
    own: Interval, parent: Interval, slope: float, accepted: bool, skipped: tuple[str, ...], told: str | None
) -> None:
    check = check_range(Equation("y", 1.0, ("x",), (slope,)), one_parent(own, parent))
    assert (check.accepted, check.skipped) == (accepted, skipped)
    assert (told is None and check.reason is None) or (told is not None and told in (check.reason or ""))


def test_both_violations_are_told_in_one_line() -> None:
    check = check_range(Equation("y", 0.0, ("x",), (1.0,)), one_parent(Interval(-1, 1), Interval(-2, 2)))
    assert check.reason is not None
    assert "minimum -2" in check.reason
    assert "maximum 2" in check.reason
    assert "\n" not in check.reason


def test_the_tolerance_is_relative_to_the_larger_bound_of_the_variable() -> None:
    # bounds 0 to 1000, tolerance 1e-3: 1 more than 1000 is forgiven, 1.5 is not
    dag = one_parent(Interval(0, 1000), Interval(0, 1))
    assert check_range(Equation("y", 0.0, ("x",), (1001.0,)), dag, 1e-3).accepted
    assert not check_range(Equation("y", 0.0, ("x",), (1001.5,)), dag, 1e-3).accepted
    assert not check_range(Equation("y", 0.0, ("x",), (1001.0,)), dag).accepted


def test_a_violation_too_small_for_six_digits_is_shown_in_full() -> None:
    check = check_range(Equation("y", 0.0, ("x",), (1.0000001,)), one_parent(Interval(0, 1), Interval(0, 1)))
    assert check.reason == "the predicted maximum 1.0000001 of 'y' is above its upper bound 1.0"


def test_ranges_beyond_the_largest_float_are_finite_and_rejected() -> None:
    dag = one_parent(Interval(0, 1), Interval(0, 1e300))
    check = check_range(Equation("y", 1e308, ("x",), (1e300,)), dag)
    assert not check.accepted
    assert check.range.high is not None
    assert math.isfinite(check.range.high)
