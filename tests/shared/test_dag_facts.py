"""The numbers of the DAGs that come with the project are those on record, digit for digit."""

import json
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bayes.network import Edge
from schemas.dags import DagFile, Truth, find_dag, load_dag

FACTS = Path(__file__).resolve().parents[2].parent / "shared" / "facts" / "linear_scm.json"
NAMES = ("algal2", "cachexia1", "expenditure", "foodsecurity", "lexical", "liquefaction", "stocks")

each_dag = pytest.mark.parametrize("name", NAMES)


class Pair(NamedTuple):
    """A DAG as it is kept here, and as it is on record."""

    dag: DagFile
    fact: dict[str, Any]


def read(name: str) -> Pair:
    return Pair(load_dag(find_dag(name)), json.loads(FACTS.read_text(encoding="utf-8"))["dags"][name])


def coefficients_on_record(fact: dict[str, Any]) -> dict[Edge, float]:
    return {
        Edge(parent, child): value
        for child, equation in fact["equations"].items()
        for parent, value in equation["coefficients"].items()
    }


def coefficients_of(truth: Truth) -> dict[Edge, float]:
    return {Edge(parent, child): value for child, row in truth.coefficients.items() for parent, value in row.items()}


def test_all_dags_on_record_are_kept() -> None:
    assert sorted(json.loads(FACTS.read_text(encoding="utf-8"))["dags"]) == list(NAMES)


@each_dag
def test_variables_and_bounds_are_those_on_record(name: str) -> None:
    dag, fact = read(name)
    assert {key: (one.lower, one.upper) for key, one in dag.variables.items()} == {
        key: (one["lower"], one["upper"]) for key, one in fact["variables"].items()
    }


@each_dag
def test_edges_are_those_on_record(name: str) -> None:
    dag, fact = read(name)
    assert set(dag.edges) == set(coefficients_on_record(fact))
    assert len(dag.edges) == fact["n_edges"]


@each_dag
def test_known_equations_are_those_on_record(name: str) -> None:
    dag, fact = read(name)
    named = dag.pick_truth("bnrep" if name == "cachexia1" else "")
    assert named is not None
    assert coefficients_of(named.truth) == coefficients_on_record(fact)
    for truth in dag.truth_sets.values():
        assert truth.intercepts == {key: one["intercept"] for key, one in fact["equations"].items()}
        assert truth.noise_sd == {key: one["noise_sd"] for key, one in fact["equations"].items()}


def test_cachexia1_is_compared_with_coefficients_of_four_decimals_unless_the_full_ones_are_asked_for() -> None:
    dag, fact = read("cachexia1")
    named = dag.pick_truth()
    assert named is not None
    assert named.name == "published"
    assert coefficients_of(named.truth) == {
        edge: round(value, 4) for edge, value in coefficients_on_record(fact).items()
    }


@pytest.mark.parametrize(
    ("name", "distance"),
    [("cachexia1", 17.229217), ("foodsecurity", 23.194637), ("lexical", 2.086836), ("stocks", 1.339671)],
)
def test_coefficients_are_as_far_from_small_ones_as_published(name: str, distance: float) -> None:
    # The published M1 of a baseline that answers 1e-4 for every edge, over the default truth set.
    named = read(name).dag.pick_truth()
    assert named is not None
    squares = sum((1e-4 - value) ** 2 for value in coefficients_of(named.truth).values())
    assert sqrt(squares) == pytest.approx(distance, rel=1e-6)


def test_the_spurious_edges_of_expenditure_are_the_four_published_ones() -> None:
    dag, fact = read("expenditure")
    for number in range(1, 5):
        [(parent, child)] = dag.pick_condition(f"s{number}").spurious
        assert f"S{number} {parent}->{child}" in fact["note"]


def test_the_corrected_bounds_of_liquefaction_are_the_logarithms_of_the_published_ones() -> None:
    dag, fact = read("liquefaction")
    corrected = dag.pick_condition("log-bounds").bounds
    assert sorted(corrected) == ["lnR", "lnamax", "lnt"]
    for name, bounds in corrected.items():
        published = fact["variables"][name]
        assert bounds.lower == pytest.approx(log(published["lower"]), rel=1e-15)
        assert bounds.upper == pytest.approx(log(published["upper"]), rel=1e-15)


@pytest.mark.parametrize(
    ("name", "condition", "factor"),
    [("cachexia1", "nanomolar", 1000), ("foodsecurity", "share", 0.01), ("stocks", "percent", 100)],
)
def test_conditions_of_one_unit_scale_every_variable_alike(name: str, condition: str, factor: float) -> None:
    dag = read(name).dag
    assert dag.pick_condition(condition).scale == dict.fromkeys(dag.variables, factor)
