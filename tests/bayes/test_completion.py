"""Tables are completed, refused or renormalised, and how far they were off is recorded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.completion import FLOOR, complete_table


def test_a_missing_cell_gets_the_floor_before_renormalising() -> None:
    # cells 0.3 and 0.6, one floor: the sum is 0.9001
    table = complete_table("c", ("p",), (1, 3), {(0, 0): 0.3, (0, 1): 0.6})
    assert table.values == pytest.approx(np.array([[0.3, 0.6, FLOOR]]) / 0.9001)
    assert table.raw_sum == pytest.approx(0.9)
    assert table.n_floored == 1


def test_a_given_zero_is_kept() -> None:
    assert complete_table("c", (), (2,), {(0,): 0.0, (1,): 1.0}).values.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("bad", [-0.1, math.nan, math.inf, 1e308, 1001.0])
def test_negative_huge_and_non_finite_cells_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="c: the probability"):
        complete_table("c", (), (2,), {(0,): bad})


@pytest.mark.parametrize("mass", [0.0, 5e-324, 1e-320, 1e-9])
def test_a_table_without_mass_is_refused(mass: float) -> None:
    with pytest.raises(ValueError, match="no cell"):
        complete_table("c", (), (2,), {(0,): mass})


def test_a_cell_outside_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no cell"):
        complete_table("c", (), (2,), {(5,): 0.5})


@given(st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 3)), st.floats(1e-6, 100), min_size=1))
def test_every_completed_table_sums_to_one_and_has_no_hole(cells: dict[tuple[int, ...], float]) -> None:
    table = complete_table("c", ("p",), (3, 4), cells)
    assert table.values.sum() == pytest.approx(1, abs=1e-12)
    assert (table.values > 0).all()
    assert table.n_floored == 12 - len(cells)
