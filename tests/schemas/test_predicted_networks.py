"""A prediction survives as JSON whatever is odd in it, to the last digit, and broken JSON is told in one line."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bayes.network import Edge, Variable
from bayes.scoring.assembly import to_prediction
from bayes.scoring.records import PredictedCpd, Prediction
from schemas.errors import InputError
from schemas.predicted_networks import from_json, to_json
from tests.strategies_assembly import damaged_networks
from tests.strategies_scoring import Case, cases


def is_same(first: Prediction, second: Prediction) -> bool:
    return (
        (first.variables, first.edges, list(first.cpds)) == (second.variables, second.edges, list(second.cpds))
        and all(
            (cpd.child, cpd.parents) == (second.cpds[name].child, second.cpds[name].parents)
            and np.array_equal(cpd.matrix, second.cpds[name].matrix, equal_nan=True)
            for name, cpd in first.cpds.items()
        )
        and list(first.pairwise) == list(second.pairwise)
        and all(
            np.array_equal(matrix, second.pairwise[edge], equal_nan=True) for edge, matrix in first.pairwise.items()
        )
    )


@given(cases())
def test_what_a_careless_model_predicted_comes_back_exactly(case: Case) -> None:
    text = to_json(case.prediction)
    assert is_same(from_json(text), case.prediction)
    assert to_json(from_json(text)) == text


@given(damaged_networks())
def test_gaps_cycles_and_tables_of_one_parent_come_back_exactly(network: Any) -> None:
    prediction = to_prediction(network)
    assert is_same(from_json(to_json(prediction)), prediction)


def test_a_name_twice_a_cycle_and_a_table_of_any_shape_stay() -> None:
    rain = Variable("rain", ("none",))
    prediction = Prediction(
        (rain, rain),
        (Edge("rain", "rain"), Edge("rain", "rain")),
        {"rain": PredictedCpd("rain", ("rain", "rain"), np.array([[0.1, math.nan, 1 / 3]]))},
        {Edge("rain", "rain"): np.zeros((2, 0))},
    )
    assert is_same(from_json(to_json(prediction)), prediction)


def test_what_is_not_finite_is_null_and_nan_never_stands_in_the_text() -> None:
    text = to_json(Prediction(cpds={"a": PredictedCpd("a", (), np.array([[math.inf], [math.nan], [5e-324]]))}))
    assert json.loads(text)["cpds"][0]["cpd"] == [[None], [None], [5e-324]]


NODE = {"name": "rain", "states": ["none"]}
RECORD: dict[str, Any] = {"variables": [NODE], "edges": [], "cpds": [], "pairwise": []}
CPD = {"child": "rain", "parents": [], "cpd": [[1.0]]}
TABLE = {"parent": "rain", "child": "rain", "cpd": [[1.0]]}


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ("{", "prediction JSON: text: "),
        ({}, "prediction JSON: variables: Field required"),
        (RECORD | {"edges": [["rain"]]}, "prediction JSON: edges.0.1: "),
        (RECORD | {"edges": [["rain", "sea"]]}, "edges: 'rain' -> 'sea' ends at no variable"),
        (RECORD | {"cpds": [CPD, CPD]}, "cpds: a child has two tables"),
        (RECORD | {"pairwise": [TABLE, TABLE]}, "pairwise: an edge has two tables"),
        (RECORD | {"cpds": [CPD | {"cpd": [[1], [1, 2]]}]}, "the table of 'rain' has rows of different lengths"),
        (RECORD | {"cpds": [CPD | {"cpd": [["x"]]}]}, "prediction JSON: cpds.0.cpd.0.0: "),
        (RECORD | {"more": 1}, "prediction JSON: more: "),
    ],
)
def test_broken_json_is_told_in_one_line(record: Any, what: str) -> None:
    with pytest.raises(InputError) as error:
        from_json(record if isinstance(record, str) else json.dumps(record))
    assert what in str(error.value)
    assert "\n" not in str(error.value)
