"""Runs are summarised edge by edge and metric by metric, failures are counted, and no truth is needed."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.linear.baselines import to_true_equation
from bayes.linear.metrics import score_equations
from bayes.linear.model import Edge, Equation, LinearDag
from bayes.linear.results import Coefficient, EdgeSummary, Metric, ResultGroup, RunResult, summarise_runs, to_run
from tests.bayes.linear.dags import elicited_for, linear_dags, star

STAR = star(3.0, 4.0)


def answer(*slopes: float) -> RunResult:
    return to_run(STAR, {"y": Equation("y", 2.0, ("x0", "x1"), slopes)})


FAILED = to_run(STAR, {})


def summarise(*runs: RunResult) -> ResultGroup:
    return summarise_runs(runs, dag="star", model="offline", condition="original", truth="truth")


def test_an_edge_has_mean_sd_and_number_of_the_runs_whose_equation_did_not_fail() -> None:
    group = summarise(answer(1.0, 4.0), answer(3.0, 4.0), FAILED)
    # 1 and 3: mean 2, variance ((1-2)^2 + (3-2)^2) / (2-1) = 2, exactly so in floats
    assert group.edges == (
        EdgeSummary(Edge("x0", "y"), 2, 2.0, 2**0.5, 3.0),
        EdgeSummary(Edge("x1", "y"), 2, 4.0, 0.0, 4.0),
    )


def test_the_order_of_a_failed_equation_counts_as_wrong() -> None:
    # The truth is 3 < 4: right in the first, wrong in the second, a tie in the third, failed in the fourth.
    group = summarise(answer(1.0, 2.0), answer(2.0, 1.0), answer(1.0, 1.0), FAILED)
    (order,) = group.orders
    assert (order.variable, order.n_runs, order.n_same, order.share) == ("y", 4, 1, 0.25)


def test_single_parent_variables_have_no_order() -> None:
    dag = star(3.0)
    assert summarise(to_run(dag, {"y": to_true_equation(dag, "y")})).orders == ()


def test_failed_equations_are_counted_over_all_runs() -> None:
    group = summarise(answer(1.0, 2.0), FAILED, FAILED)
    assert (group.n_runs, group.n_nodes, group.n_failed_nodes, group.is_all_failed) == (3, 1, 2, False)
    assert summarise(FAILED).is_all_failed
    assert summarise(FAILED).edges[0].mean is None


def test_metrics_are_those_of_the_runs_in_their_order() -> None:
    # Off by 1 and by 2 on one edge; a failed equation is off by the length of (3, 4).
    found = summarise(answer(4.0, 4.0), answer(3.0, 6.0), FAILED).find_distribution(Metric.M1)
    assert found is not None
    assert found.values == pytest.approx((1.0, 2.0, 5.0))
    assert found.summary.n == 3
    assert found.summary.mean == pytest.approx(8 / 3)


def test_a_metric_that_cannot_be_had_is_left_out() -> None:
    group = summarise(answer(3.0, 4.0))
    # The star's noise is unknown, its bounds are not.
    assert group.find_distribution(Metric.M1_IN_SDS) is None
    assert group.find_distribution(Metric.M1_IN_RANGES) is not None


def test_a_dag_without_truth_has_coefficients_and_no_scores() -> None:
    dag = LinearDag(STAR.variables, STAR.edges)
    runs = [to_run(dag, {"y": Equation("y", 0.0, ("x1", "x0"), (7.0, slope))}) for slope in (1.0, 2.0)]
    group = summarise_runs(runs, dag="star", model="offline")
    assert [(edge.mean, edge.truth, edge.is_sign_wrong) for edge in group.edges] == [
        (1.5, None, False),
        (7.0, None, False),
    ]
    assert (group.distributions, group.orders, group.m4_max, group.is_scored) == ((), (), None, False)


@pytest.mark.parametrize(
    ("mean", "truth", "is_wrong"),
    [
        (1.0, 2.0, False),
        (-1.0, 2.0, True),
        (0.0, -2.0, True),
        (1.0, 0.0, False),
        (None, 2.0, False),
        (1.0, None, False),
    ],
)
def test_a_sign_is_wrong_only_where_there_is_a_right_one(
    mean: float | None, truth: float | None, is_wrong: bool
) -> None:
    assert EdgeSummary(Edge("x", "y"), 1, mean, None, truth).is_sign_wrong is is_wrong


@settings(max_examples=30)
@given(linear_dags().flatmap(lambda dag: st.tuples(st.just(dag), st.lists(elicited_for(dag), min_size=1, max_size=4))))
def test_order_counts_sum_up_to_m4(drawn: "tuple[LinearDag, list[dict[str, Equation]]]") -> None:
    dag, answers = drawn
    group = summarise_runs([to_run(dag, elicited) for elicited in answers], dag="random", model="offline")
    total = sum(score_equations(dag, elicited).m4 for elicited in answers)
    assert sum(order.n_same for order in group.orders) == total
    assert len(group.orders) == group.m4_max


def test_huge_coefficients_are_summarised_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    group = summarise(answer(1e300, -1e300), answer(-1e300, 1e300))
    assert group.edges[0].mean == 0
    assert group.edges[0].sd == float("inf")
    assert not recwarn.list


def test_runs_that_do_not_belong_together_are_refused() -> None:
    other = star(3.0, 5.0)
    with pytest.raises(ValueError, match="same true coefficients"):
        summarise(answer(1.0, 2.0), to_run(other, {}))
    with pytest.raises(ValueError, match="at least one run"):
        summarise()
    with pytest.raises(ValueError, match="have scores or none"):
        summarise(answer(1.0, 2.0), replace(answer(1.0, 2.0), scores=None))
    half = (Coefficient(Edge("x0", "y"), 1.0, None), Coefficient(Edge("x1", "y"), None, None))
    with pytest.raises(ValueError, match="some of its coefficients"):
        summarise(RunResult(half, None))


def test_an_equation_over_other_parents_is_refused_with_and_without_truth() -> None:
    for dag in (STAR, LinearDag(STAR.variables, STAR.edges)):
        with pytest.raises(ValueError, match="not over its parents"):
            to_run(dag, {"y": Equation("y", 0.0, ("x0",), (1.0,))})
