r"""Means over examples with intervals, differences between models, and agreement of orderings.

Examples cut from one backbone are not independent, so the bootstrap draws backbones: as many as there are, with
replacement, each with all its examples. The mean of a resample is the sum over its examples divided by their number,
and the interval runs from the 2.5th to the 97.5th percentile of the means. With few backbones it is too narrow, with
one there is none.

A value that is undefined for an example is ``nan`` here, left out of that metric's mean and counted. A failed
prediction has a score as any other where it counts as zero, and is counted apart.

Source: Field, C. A. and Welsh, A. H. (2007). Bootstrapping clustered data. JRSS B 69(3), 369-390.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from bayes.network import FloatArray
from bayes.scoring.divergences import BoolArray

N_RESAMPLES = 2000
LEVEL = 0.95

Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One metric of one model, a row an example.

    ``values`` has ``nan`` where the metric is undefined (:func:`to_values`). ``clusters`` names each row's backbone,
    together with its domain where two domains may have a backbone of one name. ``is_failed`` and ``is_truncated`` mark
    the rows whose prediction could not be had, or was cut off.

    Raises:
        ValueError: the columns are of different lengths.
    """

    values: FloatArray
    clusters: tuple[str, ...]
    is_failed: BoolArray
    is_truncated: BoolArray

    def __post_init__(self) -> None:
        if not len(self.values) == len(self.clusters) == len(self.is_failed) == len(self.is_truncated):
            raise ValueError("a sample has one value, cluster, failure and truncation a row")

    def select(self, is_chosen: BoolArray) -> "Sample":
        """Some of the rows."""
        return Sample(
            self.values[is_chosen],
            tuple(cluster for cluster, chosen in zip(self.clusters, is_chosen.tolist(), strict=True) if chosen),
            self.is_failed[is_chosen],
            self.is_truncated[is_chosen],
        )


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over ``n_scored`` examples of ``n_clusters`` backbones, and its 95% interval.

    ``n_undefined`` rows have no value; ``n_failed`` and ``n_truncated`` count among all rows, scored or not. ``mean``
    is ``None`` without any value, ``low`` and ``high`` are with fewer than two backbones.
    """

    mean: float | None
    low: float | None
    high: float | None
    n_scored: int
    n_undefined: int
    n_failed: int
    n_truncated: int
    n_clusters: int


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Agreement of two orderings of ``n`` models, from -1 to 1; ``None`` where an ordering has nothing but ties."""

    spearman: float | None
    kendall: float | None
    n: int


def to_values(values: Iterable[float | None]) -> FloatArray:
    """Scores as an array, ``nan`` for what is undefined.

    Example:
        >>> to_values([1, None]).tolist()
        [1.0, nan]
    """
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def to_sample(
    values: Iterable[float | None],
    clusters: Iterable[str],
    is_failed: Iterable[bool] | None = None,
    is_truncated: Iterable[bool] | None = None,
) -> Sample:
    """A sample from plain columns; nothing failed or truncated by default.

    Raises:
        ValueError: the columns are of different lengths.
    """
    array = to_values(values)
    none = np.zeros(len(array), dtype=np.bool_)
    return Sample(
        array,
        tuple(clusters),
        none if is_failed is None else np.array(list(is_failed), dtype=np.bool_),
        none if is_truncated is None else np.array(list(is_truncated), dtype=np.bool_),
    )


def estimate_mean(sample: Sample, seed: int, n_resamples: int = N_RESAMPLES) -> Mean:
    """Mean and interval. Neither depends on the order of the rows; same seed, same interval.

    Example:
        >>> mean = estimate_mean(to_sample([1.0, 1.0, None, 3.0], ["a", "a", "a", "b"]), seed=0)
        >>> round(mean.mean, 4), mean.low, mean.high, mean.n_scored, mean.n_undefined, mean.n_clusters
        (1.6667, 1.0, 3.0, 3, 1, 2)
    """
    is_defined = ~np.isnan(sample.values)
    values = sample.values[is_defined]
    clusters = [cluster for cluster, defined in zip(sample.clusters, is_defined.tolist(), strict=True) if defined]
    low = high = None
    n_clusters = 0
    if clusters:
        names, positions = np.unique(np.array(clusters), return_inverse=True)
        n_clusters = len(names)
        if n_clusters > 1:
            sums = np.bincount(positions, weights=values, minlength=n_clusters)
            counts = np.bincount(positions, minlength=n_clusters)
            draws = _draw_clusters(n_clusters, seed, n_resamples)
            tail = (1 - LEVEL) / 2
            low, high = np.quantile((draws @ sums) / (draws @ counts), [tail, 1 - tail]).tolist()
    return Mean(
        mean=float(values.mean()) if len(values) else None,
        low=low,
        high=high,
        n_scored=len(values),
        n_undefined=len(sample.values) - len(values),
        n_failed=int(np.count_nonzero(sample.is_failed)),
        n_truncated=int(np.count_nonzero(sample.is_truncated)),
        n_clusters=n_clusters,
    )


def estimate_groups(
    sample: Sample, groups: Sequence[Group], seed: int, n_resamples: int = N_RESAMPLES
) -> dict[Group, Mean]:
    """Mean and interval of every group, a domain or a graph size for instance, in the order they first appear.

    Args:
        sample: all rows.
        groups: the group of each row.
        seed: as for :func:`estimate_mean`.
        n_resamples: how many resamples.

    Raises:
        ValueError: not one group a row.
    """
    if len(groups) != len(sample.values):
        raise ValueError("every row has one group")
    return {
        group: estimate_mean(
            sample.select(np.array([other == group for other in groups], dtype=np.bool_)), seed, n_resamples
        )
        for group in dict.fromkeys(groups)
    }


def estimate_difference(first: Sample, second: Sample, seed: int, n_resamples: int = N_RESAMPLES) -> Mean:
    """Mean of first minus second over the examples where both are defined, with its interval.

    The rows of both samples are the same examples in the same order. Pairs with an undefined side are left out and
    counted; a pair is failed or truncated if either side is.

    Raises:
        ValueError: the rows belong to different backbones.

    Example:
        >>> both = [to_sample(values, ["a", "a", "b"]) for values in ([1.0, 2.0, 3.0], [0.0, 1.0, None])]
        >>> estimate_difference(*both, seed=0).mean
        1.0
    """
    if first.clusters != second.clusters:
        raise ValueError("a paired difference needs the same examples in the same order")
    difference = Sample(
        first.values - second.values,
        first.clusters,
        first.is_failed | second.is_failed,
        first.is_truncated | second.is_truncated,
    )
    return estimate_mean(difference, seed, n_resamples)


def correlate_orderings(first: Mapping[str, float | None], second: Mapping[str, float | None]) -> RankCorrelation:
    r"""Spearman's rho and Kendall's tau-b between the scores of the same models on two sets of references.

    Models without a score on both sides are left out; fewer than two leave nothing to correlate.

    Example:
        >>> correlation = correlate_orderings({"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 5.0, "b": 9.0, "c": 7.0})
        >>> round(correlation.spearman, 4), round(correlation.kendall, 4), correlation.n
        (0.5, 0.3333, 3)
    """
    pairs = [(value, second[model]) for model, value in first.items() if model in second]
    defined = [(x, y) for x, y in pairs if x is not None and y is not None]
    if len({x for x, _ in defined}) < 2 or len({y for _, y in defined}) < 2:
        return RankCorrelation(None, None, len(defined))
    from scipy.stats import kendalltau, spearmanr

    xs, ys = np.array(defined, dtype=np.float64).T
    return RankCorrelation(float(spearmanr(xs, ys).statistic), float(kendalltau(xs, ys).statistic), len(defined))


@lru_cache(maxsize=32)
def _draw_clusters(n_clusters: int, seed: int, n_resamples: int) -> FloatArray:
    """How often each cluster stands in each resample; shared by all metrics over the same number of clusters."""
    rng = np.random.default_rng((seed, n_clusters))
    draws = rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=n_resamples).astype(np.float64)
    draws.flags.writeable = False
    return draws
