"""The measures by hand, within their bounds, and the same for tables side by side as one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import FloatArray
from bayes.scoring.divergences import SMOOTHING, measure_divergences, smooth, to_blocks, to_kl


def column(*values: float) -> FloatArray:
    return np.array(values)[:, np.newaxis]


def test_the_measures_by_hand() -> None:
    p, q = column(0.5, 0.5, 0.0), column(0.25, 0.25, 0.5)
    result = measure_divergences(p, q)
    # 2 * 0.5 log(0.5 / 0.25); the smoothing moves it in the sixth digit
    assert result.kl[0] == pytest.approx(math.log(2), abs=1e-5)
    # 2 * 0.25 log(0.25 / 0.5) + 0.5 log(0.5 / 1e-6), p smoothed where it divides
    assert result.reverse[0] == pytest.approx(0.5 * math.log(0.5) + 0.5 * math.log(0.5e6), abs=1e-5)
    assert result.symmetric[0] == pytest.approx((result.kl[0] + result.reverse[0]) / 2)
    # (0.25 + 0.25 + 0.5) / 2
    assert result.tv[0] == pytest.approx(0.5, abs=1e-5)
    # m = (0.375, 0.375, 0.25)
    js = 0.5 * math.log(0.5 / 0.375) + 0.5 * (0.5 * math.log(0.25 / 0.375) + 0.5 * math.log(2))
    assert result.js[0] == pytest.approx(js, abs=1e-5)


def test_a_state_that_the_prediction_rules_out_costs_the_logarithm_of_the_smoothing() -> None:
    # q = (1e-6, 1 + 1e-6) / (1 + 2e-6)
    assert measure_divergences(column(1, 0), column(0, 1)).kl[0] == pytest.approx(math.log((1 + 2e-6) / 1e-6))


def test_an_impossible_reference_state_costs_nothing_and_a_single_state_never_does() -> None:
    assert to_kl(column(1, 0), column(1, 0))[0] == 0
    assert measure_divergences(column(1), column(0)) == pytest.approx(np.zeros((5, 1)), abs=0)


def test_a_column_of_zeros_is_uniform_and_a_partial_one_is_scaled_up() -> None:
    assert smooth(column(0, 0, 0, 0)) == pytest.approx(np.full((4, 1), 0.25))
    assert smooth(column(0.3, 0.1)) == pytest.approx(column(0.75, 0.25), abs=1e-5)


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_every_measure_stays_within_its_bounds(n_states: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_states, 0.1), size=20).T
    q = rng.dirichlet(np.full(n_states, 0.1), size=20).T * (rng.random(20) < 0.8)
    result = measure_divergences(p, q)
    assert all((values >= -1e-12).all() for values in result)
    assert (result.kl <= math.log(1 / SMOOTHING + n_states) + 1e-9).all()
    assert (result.tv <= 1).all()
    assert (result.js <= math.log(2)).all()


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 5)), max_size=5), st.integers(0, 2**32 - 1))
def test_tables_side_by_side_score_as_one_by_one(shapes: list[tuple[int, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = [rng.dirichlet(np.ones(rows), size=columns).T for rows, columns in shapes]
    q = [rng.dirichlet(np.ones(rows), size=columns).T for rows, columns in shapes]
    blocks = to_blocks(p)
    together = np.stack(measure_divergences(blocks.p, blocks.stack(q), blocks.is_state))
    apart = [np.stack(measure_divergences(x, y)).mean(axis=1) for x, y in zip(p, q, strict=True)]
    assert blocks.to_means(together) == pytest.approx(np.reshape(apart, (-1, 5)).T)


def test_a_missing_table_is_uniform() -> None:
    blocks = to_blocks([np.array([[1.0], [0.0]]), np.array([[0.5], [0.25], [0.25]])])
    means = blocks.to_means(to_kl(blocks.p, smooth(blocks.stack([None, None]), blocks.is_state)))
    # log 2, and log 3 minus the entropy 1.5 log 2
    assert means == pytest.approx([math.log(2), math.log(3) - 1.5 * math.log(2)])
