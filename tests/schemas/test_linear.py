"""A DAG file under a condition becomes the graph that is asked about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.linear.baselines import Baseline, to_baseline
from bayes.linear.conditions import from_scaled
from bayes.linear.metrics import score_equations
from bayes.linear.model import Equation, Interval, LinearDag
from bayes.network import Edge
from schemas.dags import find_dag, list_dags, load_dag
from schemas.errors import InputError
from schemas.linear import ask_about

FILES = {path.stem: load_dag(path) for path in list_dags()}
SCALED = [(name, key) for name, file in FILES.items() for key, item in file.conditions.items() if item.scale]


def test_bounds_units_and_truth_are_those_of_the_file() -> None:
    asked = ask_about(FILES["foodsecurity"])
    assert (asked.condition, asked.truth, asked.spurious) == ("original", "truth", ())
    assert asked.dag.bounds["Health"] == Interval(0, 100)
    assert asked.dag.truth is not None
    assert set(asked.dag.truth.coefficients) == set(asked.dag.edges)


def test_a_scaled_variable_changes_bounds_and_the_coefficients_on_both_of_its_sides() -> None:
    """TP and TP_PS in mg/L: their coefficient stays, that on chlorophyll is 0.47 / 0.001."""
    asked = ask_about(FILES["algal2"], "phosphorus-milligrams")
    plain = ask_about(FILES["algal2"])
    assert asked.units["TP"] == "mg/L"
    assert asked.dag.truth is not None
    assert plain.dag.truth is not None
    assert asked.dag.truth.coefficients[Edge("TP", "ChiA")] == pytest.approx(470)
    assert asked.dag.truth.coefficients[Edge("TP_PS", "TP")] == pytest.approx(0.61)
    low, high = plain.dag.bounds["TP"].low, plain.dag.bounds["TP"].high
    assert low is not None
    assert high is not None
    assert asked.dag.bounds["TP"] == Interval(low * 0.001, high * 0.001)


def test_the_bounds_of_a_condition_take_the_place_of_the_scaled_ones() -> None:
    assert ask_about(FILES["liquefaction"], "log-bounds").dag.bounds != ask_about(FILES["liquefaction"]).dag.bounds


def test_spurious_edges_of_a_condition_and_sampled_ones_have_the_coefficient_0_in_truth() -> None:
    asked = ask_about(FILES["expenditure"], "s1", n_spurious=2, seed=5)
    assert asked.condition == "s1+2-spurious-seed-5"
    assert asked.spurious[0] == Edge("Owner", "Expenditure")
    assert len(asked.spurious) == 3
    assert asked.dag.truth is not None
    assert [asked.dag.truth.coefficients[edge] for edge in asked.spurious] == [0, 0, 0]
    assert asked == ask_about(FILES["expenditure"], "s1", n_spurious=2, seed=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"condition": "percent"}, "has no condition 'percent'; it has original, share"),
        ({"truth": "bnrep"}, "has no truth set 'bnrep'; it has truth"),
        ({"n_spurious": 9}, "9 spurious edges were asked for; this DAG has room for 0 to 2"),
    ],
)
def test_what_the_file_lacks_is_refused_with_what_it_has(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match="DAG foodsecurity") as caught:
        ask_about(FILES["foodsecurity"], **arguments)  # pyright: ignore[reportArgumentType]
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "condition"), SCALED)
def test_an_answer_that_is_right_in_one_unit_is_right_in_the_other(name: str, condition: str) -> None:
    """Elicited in scaled units and converted back, the true equations are those of the original DAG."""
    file = load_dag(find_dag(name))
    plain, scaled = ask_about(file), ask_about(file, condition)
    factors = file.conditions[condition].scale
    answers = to_answers(scaled.dag, Baseline.TRUTH)
    assert score_equations(scaled.dag, answers).m1 == 0
    back = {key: from_scaled(item, factors) for key, item in answers.items()}
    assert score_equations(plain.dag, back).m1 == pytest.approx(0, abs=1e-9)


@given(st.sampled_from(SCALED), st.lists(st.floats(-100, 100), min_size=30, max_size=30))
def test_metrics_free_of_units_are_the_same_for_the_same_answer_in_either_unit(
    which: tuple[str, str], numbers: list[float]
) -> None:
    """m1 in ranges and the signs do not change when elicited coefficients are converted to a condition's units."""
    name, condition = which
    plain, scaled = ask_about(FILES[name]), ask_about(FILES[name], condition)
    factors = FILES[name].conditions[condition].scale
    source = iter(numbers)
    answers = {
        child: Equation(child, 1.0, scaled.dag.parents[child], tuple(next(source) for _ in scaled.dag.parents[child]))
        for child in scaled.dag.targets
    }
    there = score_equations(scaled.dag, answers)
    here = score_equations(plain.dag, {key: from_scaled(item, factors) for key, item in answers.items()})
    assert here.sign_accuracy == there.sign_accuracy
    if not FILES[name].conditions[condition].bounds:
        assert here.m1_in_ranges == pytest.approx(there.m1_in_ranges)


def to_answers(dag: LinearDag, baseline: Baseline) -> dict[str, Equation]:
    return {child: to_baseline(baseline, dag, child) for child in dag.targets}
