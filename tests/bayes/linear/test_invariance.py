"""A model that knows what a unit is says the same in both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.linear.invariance import measure_invariance
from bayes.network import Edge

XY, ZY = Edge("x", "y"), Edge("z", "y")


@given(st.floats(0.1, 100), st.floats(0.1, 100), st.floats(1e-3, 1e3))
def test_converted_answers_have_no_distance(first: float, second: float, factor: float) -> None:
    factors = {XY: factor, ZY: 1 / factor}
    original = {XY: [first, first], ZY: [-second]}
    scaled = {edge: [value * factors[edge] for value in values] for edge, values in original.items()}
    found = measure_invariance(original, scaled, factors)
    assert found is not None
    assert found.relative_distance == pytest.approx(0, abs=1e-9)
    assert found.same_sign == 1


def test_a_model_that_repeats_the_number_in_another_unit_is_off_by_the_factor() -> None:
    """3 and 4 in metres, the same in millimetres: 0.003 and 0.004; the distance is 0.999 of the norm 5."""
    found = measure_invariance({XY: [3], ZY: [4]}, {XY: [3], ZY: [4]}, {XY: 1000, ZY: 1000})
    assert found is not None
    assert found.relative_distance == pytest.approx(0.999)


def test_edges_that_failed_in_one_unit_are_left_out_and_without_any_there_is_nothing_to_say() -> None:
    found = measure_invariance({XY: [0], ZY: []}, {XY: [-1], ZY: [2]}, {XY: 2, ZY: 2})
    assert found is not None
    assert (len(found.edges), found.relative_distance, found.same_sign) == (1, None, 0)
    assert measure_invariance({XY: []}, {XY: [1]}, {XY: 2}) is None
