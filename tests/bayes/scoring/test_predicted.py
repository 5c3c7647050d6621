"""Which predicted variables have a marginal of their own, and why a network is not complete."""

import math

import pytest
from hypothesis import given, settings

from bayes.scoring.predicted import PredictedTables
from bayes.scoring.records import Prediction
from tests.bayes.scoring.oracle import own_marginal
from tests.strategies_scoring import Case, cases, to_prediction

THREE = {"a": "xy", "b": "xy", "c": "xy"}
PRIOR = ((), [[0.25], [0.75]])
COPY = [[1, 0], [0, 1]]


@settings(max_examples=40)
@given(cases())
def test_own_marginals_equal_the_sum_over_ancestors(case: Case) -> None:
    tables = PredictedTables(case.prediction)
    for name, variable in case.prediction.by_name.items():
        expected = own_marginal(case.prediction, name)
        assert tables.get_marginal(name) == pytest.approx([expected[state] for state in variable.states], abs=1e-8)


def test_a_complete_network_has_every_marginal() -> None:
    tables = PredictedTables(to_prediction(THREE, {"a": PRIOR, "b": (("a",), COPY), "c": (("b",), COPY)}))
    assert tables.gap is None
    assert tables.get_marginal("c").tolist() == pytest.approx([0.25, 0.75])


def test_an_incomplete_network_keeps_the_marginals_whose_ancestors_are_all_there() -> None:
    tables = PredictedTables(to_prediction(THREE, {"a": PRIOR, "b": (("a",), COPY)}, [("a", "b"), ("b", "c")]))
    assert tables.gap == "incomplete: no usable table of 'c'"
    assert tables.get_marginal("b").tolist() == pytest.approx([0.25, 0.75])
    assert tables.get_marginal("c").tolist() == [0.5, 0.5]


def test_a_cycle_takes_the_marginals_of_those_behind_it() -> None:
    cycle = {"a": (("b",), COPY), "b": (("a",), COPY), "c": PRIOR}
    tables = PredictedTables(to_prediction(THREE, cycle))
    assert tables.gap == "not a network: the edges close a cycle"
    assert tables.get_marginal("a").tolist() == [0.5, 0.5]
    assert tables.get_marginal("c").tolist() == [0.25, 0.75]


def test_an_edge_to_itself_is_a_cycle() -> None:
    tables = PredictedTables(to_prediction({"a": "xy"}, {"a": PRIOR}, [("a", "a")]))
    assert tables.gap == "not a network: the edges close a cycle"


def test_a_table_over_other_parents_than_the_edges_leaves_the_network_incomplete() -> None:
    tables = PredictedTables(to_prediction(THREE, {"a": PRIOR, "b": PRIOR, "c": (("a",), COPY)}, [("b", "c")]))
    assert tables.gap == "incomplete: the table of 'c' is not over its predicted parents"
    assert tables.get_marginal("c").tolist() == [0.5, 0.5]
    prior = PredictedTables(to_prediction({"a": "xy", "b": "xy"}, {"a": PRIOR, "b": PRIOR}, [("a", "b")]))
    assert prior.gap == "incomplete: the table of 'b' is not over its predicted parents"
    assert prior.get_marginal("b").tolist() == [0.5, 0.5]


def test_a_null_column_is_uniform_in_exact_inference() -> None:
    tables = PredictedTables(to_prediction(THREE, {"a": PRIOR, "b": (("a",), [[math.nan, 0], [0, 1]]), "c": PRIOR}))
    assert tables.gap is None
    # 0.25 * 0.5 + 0.75 * 0
    assert tables.get_marginal("b").tolist() == pytest.approx([0.125, 0.875])


@pytest.mark.parametrize("parents", [("b",), ("a", "a"), ("nobody",)])
def test_a_table_over_itself_a_parent_twice_or_a_stranger_is_not_given(parents: tuple[str, ...]) -> None:
    matrix = [[1] * 2 ** len(parents)] * 2
    assert "b" not in PredictedTables(to_prediction({"a": "xy", "b": "xy"}, {"b": (parents, matrix)}, [])).tables


def test_a_variable_without_states_has_no_table_and_an_empty_marginal() -> None:
    tables = PredictedTables(to_prediction({"a": (), "b": "xy"}, {"a": ((), []), "b": (("a",), [[], []])}))
    assert tables.tables == {}
    assert tables.get_marginal("a").tolist() == []


def test_nothing_predicted_is_complete() -> None:
    assert PredictedTables(Prediction()).gap is None


def test_a_name_predicted_twice_is_one_variable() -> None:
    once = to_prediction({"a": "xy"}, {"a": PRIOR})
    twice = Prediction((*once.variables, *to_prediction({"a": "xyz"}, {}).variables), (), once.cpds)
    assert PredictedTables(twice).gap is None
    assert PredictedTables(twice).get_marginal("a").tolist() == [0.25, 0.75]
