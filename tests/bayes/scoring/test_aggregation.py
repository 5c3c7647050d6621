"""Means by hand, intervals against enumeration and a plain loop, paired differences, orderings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.scoring.aggregation import (
    Mean,
    RankCorrelation,
    correlate_orderings,
    estimate_difference,
    estimate_groups,
    estimate_mean,
    to_sample,
    to_values,
)


def test_undefined_failed_and_truncated_rows_are_counted() -> None:
    sample = to_sample(
        [1.0, None, 0.0, 5.0], "aabb", is_failed=[False, True, True, False], is_truncated=[False, False, False, True]
    )
    mean = estimate_mean(sample, seed=0)
    assert (mean.mean, mean.n_scored, mean.n_undefined, mean.n_failed, mean.n_truncated) == (2.0, 3, 1, 2, 1)


@pytest.mark.parametrize("values", [[], [None, None]])
def test_without_values_there_is_no_mean(values: list[None]) -> None:
    mean = estimate_mean(to_sample(values, "a" * len(values)), seed=0)
    assert mean == Mean(None, None, None, 0, len(values), 0, 0, 0)


def test_one_backbone_has_no_interval() -> None:
    mean = estimate_mean(to_sample([1.0, 2.0], "aa"), seed=0)
    assert (mean.mean, mean.low, mean.high, mean.n_clusters) == (1.5, None, None, 1)


def test_backbones_are_drawn_and_not_examples() -> None:
    # 2 backbones: the mean of a resample is 0, 1 or the whole, with 1/4, 1/4 and 1/2: the interval is everything,
    # though a bootstrap of 2,000 examples would give about 0.5 +- 0.02
    sample = to_sample([0.0] * 1000 + [1.0] * 1000, ["a"] * 1000 + ["b"] * 1000)
    mean = estimate_mean(sample, seed=0)
    assert (mean.mean, mean.low, mean.high) == (0.5, 0.0, 1.0)


def test_large_backbones_weigh_by_their_examples() -> None:
    # a has one example, b three: 1/4 and not 1/2
    assert estimate_mean(to_sample([1.0, 0.0, 0.0, 0.0], "abbb"), seed=0).mean == 0.25


def test_the_interval_is_that_of_a_plain_loop() -> None:
    rng = np.random.default_rng(1)
    clusters = [f"c{i}" for i in range(12) for _ in range(1 + i % 4)]
    values = [float(int(c[1:]) + rng.normal()) for c in clusters]
    mean = estimate_mean(to_sample(values, clusters), seed=3, n_resamples=20_000)
    groups = [[v for v, c in zip(values, clusters, strict=True) if c == f"c{i}"] for i in range(12)]
    means = [np.mean(np.concatenate([groups[i] for i in rng.integers(12, size=12)])) for _ in range(4000)]
    assert [mean.low, mean.high] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.15)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(200):
        effects = np.repeat(rng.normal(size=40), 5)
        mean = estimate_mean(
            to_sample((effects + 0.2 * rng.normal(size=200)).tolist(), [str(i // 5) for i in range(200)]), seed=0
        )
        hits += (mean.low or 0) <= 0 <= (mean.high or 0)
    # 95% of 200 is 190, its sd 3; percentile intervals of 40 clusters are a little narrow
    assert 175 <= hits <= 199


@given(
    st.lists(st.tuples(st.floats(-10, 10), st.sampled_from("abcd")), min_size=1, max_size=30), st.integers(0, 2**32 - 1)
)
def test_neither_mean_nor_interval_depends_on_the_order_of_rows(rows: list[tuple[float, str]], seed: int) -> None:
    shuffled = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
    before, after = (estimate_mean(to_sample(*zip(*r, strict=True)), seed=1, n_resamples=200) for r in (rows, shuffled))
    for name in ("mean", "low", "high"):
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-9)


def test_the_seed_decides_the_interval() -> None:
    sample = to_sample(np.random.default_rng(0).normal(size=30).tolist(), [str(i) for i in range(30)])
    assert estimate_mean(sample, seed=1) == estimate_mean(sample, seed=1)
    assert estimate_mean(sample, seed=1).low != estimate_mean(sample, seed=2).low


def test_groups_are_estimated_apart() -> None:
    sample = to_sample([1.0, 2.0, None, 4.0], "abab", is_failed=[False, False, True, False])
    groups = estimate_groups(sample, [3, 3, 4, 4], seed=0)
    assert list(groups) == [3, 4]
    assert (groups[3].mean, groups[3].n_failed) == (1.5, 0)
    assert (groups[4].mean, groups[4].n_scored, groups[4].n_undefined, groups[4].n_failed) == (4.0, 1, 1, 1)
    with pytest.raises(ValueError, match="one group"):
        estimate_groups(sample, [3], seed=0)


def test_a_paired_difference_is_sharper_than_its_sides() -> None:
    rng = np.random.default_rng(0)
    difficulty = rng.normal(size=60)
    clusters = [str(i // 3) for i in range(60)]
    first, second = to_sample(difficulty + 0.1, clusters), to_sample(difficulty.tolist(), clusters)
    difference = estimate_difference(first, second, seed=0)
    assert [difference.mean, difference.low, difference.high] == pytest.approx([0.1, 0.1, 0.1])


def test_pairs_with_an_undefined_side_are_left_out_and_counted() -> None:
    first = to_sample([1.0, None, 3.0], "abc", is_failed=[False, True, False])
    second = to_sample([0.0, 1.0, None], "abc", is_truncated=[False, False, True])
    difference = estimate_difference(first, second, seed=0)
    assert difference == Mean(1.0, None, None, 1, 2, 1, 1, 1)
    back = estimate_difference(second, first, seed=0)
    assert back == Mean(-1.0, None, None, 1, 2, 1, 1, 1)


def test_unpaired_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="same examples"):
        estimate_difference(to_sample([1.0], "a"), to_sample([1.0], "b"), seed=0)
    with pytest.raises(ValueError, match="a row"):
        to_sample([1.0], "ab")


def to_numbers(correlation: RankCorrelation) -> list[float | None]:
    return [correlation.spearman, correlation.kendall, correlation.n]


def test_orderings_by_hand() -> None:
    first = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    assert to_numbers(correlate_orderings(first, first)) == pytest.approx([1, 1, 4])
    turned = {model: -value for model, value in first.items()}
    assert to_numbers(correlate_orderings(first, turned)) == pytest.approx([-1, -1, 4])
    # one neighbouring pair of 6 exchanged: rho = 1 - 6 * 2 / (4 * 15), tau = (5 - 1) / 6
    swapped = {"a": 2.0, "b": 1.0, "c": 3.0, "d": 4.0, "e": 9.0}
    assert to_numbers(correlate_orderings(first, swapped)) == pytest.approx([0.8, 2 / 3, 4])


def test_orderings_without_order_are_undefined() -> None:
    assert correlate_orderings({"a": 1.0}, {"a": 1.0}) == RankCorrelation(None, None, 1)
    assert correlate_orderings({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 2.0}) == RankCorrelation(None, None, 2)
    assert correlate_orderings({"a": 1.0, "b": None}, {"a": 1.0, "b": 2.0}) == RankCorrelation(None, None, 1)


def test_undefined_scores_become_nan() -> None:
    assert np.isnan(to_values([None, 1, 0.5])).tolist() == [True, False, False]
