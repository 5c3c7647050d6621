"""Baselines leave as text, are read back as any reply, and stay within bounds where they promise to."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bayes.linear.baselines import Baseline, to_baseline, write_baseline
from bayes.linear.intervals import check_range
from bayes.linear.metrics import score_equations
from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable
from bayes.linear.parsing import parse_equation
from tests.bayes.linear.dags import linear_dags, star


@settings(max_examples=25, deadline=None)
@given(linear_dags())
def test_every_baseline_is_read_back_exactly(dag: LinearDag) -> None:
    for baseline in Baseline:
        for name in dag.bounds:
            text = write_baseline(baseline, dag, name)
            assert parse_equation(text, name, dag.parents[name]) == to_baseline(baseline, dag, name)


@settings(max_examples=25, deadline=None)
@given(linear_dags())
def test_the_saturating_range_fits_and_fills_the_bounds_unless_the_scale_is_one(dag: LinearDag) -> None:
    for name in dag.targets:
        equation = to_baseline(Baseline.SATURATING, dag, name)
        check = check_range(equation, dag, tolerance=1e-6)
        scale = sum(equation.coefficients)
        own = dag.bounds[name]
        if (own.width or 0.0) < 1.0:
            continue  # rounding of parents a million times larger
        assert check.accepted, check
        assert 0 <= scale <= 1 + 1e-12
        if scale < 1 - 1e-9:
            assert (check.range.low, check.range.high) == pytest.approx((own.low, own.high), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(linear_dags())
def test_the_truth_read_from_text_scores_zero(dag: LinearDag) -> None:
    elicited: dict[str, Equation | None] = {}
    for name in dag.targets:
        equation = parse_equation(write_baseline(Baseline.TRUTH, dag, name), name, dag.parents[name])
        assert isinstance(equation, Equation)
        elicited[name] = equation
    scores = score_equations(dag, elicited)
    assert (scores.m1, scores.m2, scores.m3, scores.m4) == (0, 0, 0, scores.m4_max)


def test_constant_baselines_have_their_number_everywhere() -> None:
    dag = star(1.0, 2.0)
    for baseline, number in ((Baseline.ZERO, 0.0), (Baseline.SMALL, 1e-4), (Baseline.BIG, 1e4)):
        assert to_baseline(baseline, dag, "y") == Equation("y", number, ("x0", "x1"), (number, number))


def test_the_saturating_scale_is_the_ratio_of_widths() -> None:
    variables = (
        LinearVariable("a", Interval(0, 10)),
        LinearVariable("b", Interval(10, 40)),
        LinearVariable("y", Interval(-5, 5)),
    )
    dag = LinearDag(variables, (Edge("a", "y"), Edge("b", "y")))
    # mean width (10 + 30) / 2 = 20, own 10: scale 0.5, shares 0.25; middles 5 and 25: 0 - 0.25 * 30
    assert to_baseline(Baseline.SATURATING, dag, "y") == Equation("y", -7.5, ("a", "b"), (0.25, 0.25))
    # a root stands in its middle
    assert to_baseline(Baseline.SATURATING, dag, "b") == Equation("b", 25.0)


def test_without_bounds_the_saturating_scale_is_one_and_the_intercept_zero() -> None:
    dag = star(1.0, 2.0, bounds=Interval(None, 1.0))
    assert to_baseline(Baseline.SATURATING, dag, "y") == Equation("y", 0.0, ("x0", "x1"), (0.5, 0.5))
    assert to_baseline(Baseline.SATURATING, dag, "x0") == Equation("x0", 0.0)


def test_parents_without_width_keep_the_scale_at_one() -> None:
    assert to_baseline(Baseline.SATURATING, star(1.0, bounds=Interval(3.0, 3.0)), "y").coefficients == (1.0,)


def test_the_truth_must_be_known() -> None:
    with pytest.raises(ValueError, match="no true coefficients"):
        write_baseline(Baseline.TRUTH, replace(star(1.0), truth=None), "y")
