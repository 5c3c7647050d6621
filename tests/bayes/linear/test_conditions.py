"""Units scale there and back, and spurious edges are drawn by the seed and close no cycle."""

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.linear.baselines import to_true_equation
from bayes.linear.conditions import (
    add_spurious,
    from_scaled,
    replace_bounds,
    sample_spurious,
    scale_units,
    to_scaled,
)
from bayes.linear.intervals import check_range
from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable
from tests.bayes.linear.dags import elicited_for, linear_dags, star

FACTORS = st.floats(1e-6, 1e6)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_unit_conversion_there_and_back_is_the_identity(data: st.DataObject) -> None:
    dag = data.draw(linear_dags())
    factors = data.draw(st.dictionaries(st.sampled_from(sorted(dag.bounds)), FACTORS))
    for equation in data.draw(elicited_for(dag)).values():
        back = from_scaled(to_scaled(equation, factors), factors)
        assert (back.variable, back.parents) == (equation.variable, equation.parents)
        assert back.coefficients == pytest.approx(equation.coefficients, rel=1e-14)
        assert back.intercept == pytest.approx(equation.intercept, rel=1e-14)
    again = scale_units(scale_units(dag, factors), {name: 1 / factor for name, factor in factors.items()})
    assert again.truth is not None
    assert dag.truth is not None
    assert dict(again.truth.coefficients) == pytest.approx(dict(dag.truth.coefficients), rel=1e-13)
    assert dict(again.truth.noise_sds) == pytest.approx(dict(dag.truth.noise_sds), rel=1e-13)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_truth_of_the_scaled_dag_is_the_scaled_truth(data: st.DataObject) -> None:
    dag = data.draw(linear_dags())
    factors = {name: data.draw(FACTORS) for name in dag.bounds}
    scaled = scale_units(dag, factors)
    for name in dag.targets:
        assert to_true_equation(scaled, name) == to_scaled(to_true_equation(dag, name), factors)


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from([0.25, 2.0, 1024.0]))
def test_an_equation_is_accepted_in_every_unit_or_in_none(data: st.DataObject, factor: float) -> None:
    dag = data.draw(linear_dags())
    factors = dict.fromkeys(dag.bounds, factor)  # powers of two: scaling rounds nothing
    for equation in data.draw(elicited_for(dag)).values():
        scaled = check_range(to_scaled(equation, factors), scale_units(dag, factors))
        assert scaled.accepted is check_range(equation, dag).accepted


def test_alike_scaled_variables_keep_their_coefficients() -> None:
    dag = star(2.0, bounds=Interval(1.5, None))
    scaled = scale_units(dag, {"x0": 1000.0, "y": 1000.0})
    assert scaled.truth is not None
    assert scaled.truth.coefficients == {Edge("x0", "y"): 2.0}
    assert scaled.truth.intercepts == {"y": 2000.0}
    assert scaled.bounds["x0"] == Interval(1500.0, None)
    # one factor alone: per thousandth of x0, y changes a thousandth as much
    alone = scale_units(dag, {"x0": 1000.0})
    assert alone.truth is not None
    assert alone.truth.coefficients == {Edge("x0", "y"): 0.002}


@pytest.mark.parametrize("factor", [0.0, -1.0, float("inf"), float("nan")])
def test_a_factor_must_be_positive_and_finite(factor: float) -> None:
    with pytest.raises(ValueError, match="positive and finite"):
        scale_units(star(1.0), {"y": factor})


def test_conditions_name_known_variables() -> None:
    with pytest.raises(ValueError, match="unknown variable 'q'"):
        scale_units(star(1.0), {"q": 2.0})
    with pytest.raises(ValueError, match="unknown variable 'q'"):
        replace_bounds(star(1.0), {"q": Interval()})
    assert replace_bounds(star(1.0), {"y": Interval(3, 4)}).bounds == {"y": Interval(3, 4), "x0": Interval(0.0, 1.0)}


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_spurious_edges_are_new_acyclic_and_have_true_coefficient_zero(data: st.DataObject, seed: int) -> None:
    dag = data.draw(linear_dags(min_edges=0))
    v = len(dag.variables)
    room = v * (v - 1) // 2 - len(dag.edges)
    n = data.draw(st.integers(0, room))
    drawn = sample_spurious(dag, n, seed)
    assert len(set(drawn) - set(dag.edges)) == n
    assert sample_spurious(dag, n, seed) == drawn
    wider = add_spurious(dag, drawn)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(wider.edges)))
    assert wider.truth is not None
    assert dag.truth is not None
    assert wider.truth.coefficients == {**dag.truth.coefficients, **dict.fromkeys(drawn, 0.0)}
    with pytest.raises(ValueError, match=f"room for 0 to {room}"):
        sample_spurious(dag, room + 1, seed)


def test_seeds_draw_different_edges() -> None:
    dag = LinearDag(tuple(LinearVariable(name) for name in "abcde"), ())
    assert len({sample_spurious(dag, 2, seed) for seed in range(20)}) > 10


def test_an_edge_that_is_there_or_closes_a_cycle_is_refused() -> None:
    dag = star(1.0)
    with pytest.raises(ValueError, match="there twice"):
        add_spurious(dag, [Edge("x0", "y")])
    with pytest.raises(ValueError, match="cycle"):
        add_spurious(dag, [Edge("y", "x0")])
    with pytest.raises(ValueError, match="unknown"):
        add_spurious(dag, [Edge("q", "y")])
    assert add_spurious(replace(dag, truth=None), []).truth is None


def test_a_conversion_by_hand() -> None:
    # y in tens, x in quarters: 2 per x is 2 * 10 / 4 = 5
    scaled = to_scaled(Equation("y", 1.0, ("x",), (2.0,)), {"y": 10.0, "x": 4.0})
    assert scaled == Equation("y", 10.0, ("x",), (5.0,))
    assert from_scaled(scaled, {"y": 10.0, "x": 4.0}) == Equation("y", 1.0, ("x",), (2.0,))
