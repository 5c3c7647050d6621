"""How far a predicted distribution is from the reference, column by column.

Arrays have one row per state and one column per distribution. A stack of tables of different heights is padded with
rows that are no states; ``is_state`` says which cells count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

from bayes.network import FloatArray

SMOOTHING = 1e-6

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


class Divergences(NamedTuple):
    """One number a column for every measure, in nats where it is one of information."""

    kl: FloatArray
    reverse: FloatArray
    symmetric: FloatArray
    tv: FloatArray
    js: FloatArray


def smooth(q: FloatArray, is_state: BoolArray | None = None) -> FloatArray:
    """Add ``SMOOTHING`` to every state of a column and divide by the sum. A column of zeros becomes uniform.

    A column that sums to less than 1, since the rest went to states that the reference does not have, is scaled up.

    Example:
        >>> smooth(np.array([[0.0, 0.2], [0.0, 0.2]])).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
    """
    raised = q + SMOOTHING if is_state is None else q + SMOOTHING * is_state
    return raised / raised.sum(axis=-2, keepdims=True)


def to_kl(p: FloatArray, q: FloatArray) -> FloatArray:
    r"""Kullback-Leibler divergence :math:`\sum_s p_s \log(p_s / q_s)` of every column in nats, with 0 log 0 = 0.

    ``q`` is taken as it is; smooth it first, or a state that it rules out makes the divergence infinite.

    Example:
        >>> to_kl(np.array([[1.0], [0.0]]), np.array([[0.5], [0.5]])).round(4).tolist()
        [0.6931]
    """
    return rel_entr(p, q).sum(axis=-2)


def measure_divergences(p: FloatArray, q: FloatArray, is_state: BoolArray | None = None) -> Divergences:
    r"""Every measure between the columns of ``p``, the reference, and those of ``q``, the prediction.

    ``q`` is smoothed once and stands in every formula as :math:`\tilde q`; ``p`` is smoothed where it divides only:

    ============= ===========================================================================
    ``kl``        :math:`KL(p \| \tilde q)`, at most :math:`\log(10^6 + s)` for s states
    ``reverse``   :math:`KL(\tilde q \| \tilde p)`
    ``symmetric`` the mean of the two
    ``tv``        total variation, :math:`\frac12 \sum |p - \tilde q|`, from 0 to 1
    ``js``        Jensen-Shannon, :math:`\frac12 KL(p \| m) + \frac12 KL(\tilde q \| m)` with
                  :math:`m = (p + \tilde q)/2`, from 0 to log 2
    ============= ===========================================================================

    Args:
        p: columns that sum to 1, shape (states, columns).
        q: columns of the same shape, not negative; a column of zeros counts as uniform.
        is_state: which cells are states, all by default.

    Example:
        >>> p, q = np.array([[1.0], [0.0]]), np.array([[0.0], [0.0]])
        >>> {name: round(float(values[0]), 4) for name, values in measure_divergences(p, q)._asdict().items()}
        {'kl': 0.6931, 'reverse': 6.2146, 'symmetric': 3.4539, 'tv': 0.5, 'js': 0.2158}
    """
    smoothed = smooth(q, is_state)
    kl = to_kl(p, smoothed)
    reverse = to_kl(smoothed, smooth(p, is_state))
    middle = (p + smoothed) / 2
    js = (to_kl(p, middle) + to_kl(smoothed, middle)) / 2
    return Divergences(kl, reverse, (kl + reverse) / 2, np.abs(p - smoothed).sum(axis=-2) / 2, js)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Tables side by side in one padded array, so that all their columns are compared at once.

    ``starts[i]`` is the first column of table i, ``shapes[i]`` its rows and columns.
    """

    p: FloatArray
    is_state: BoolArray
    starts: IntArray
    shapes: tuple[tuple[int, int], ...]

    def stack(self, tables: Sequence[FloatArray | None]) -> FloatArray:
        """Predicted tables side by side like the reference's; a missing one is zeros, which count as uniform."""
        q = np.zeros_like(self.p)
        for table, start, (n_rows, n_columns) in zip(tables, self.starts.tolist(), self.shapes, strict=True):
            if table is not None:
                q[:n_rows, start : start + n_columns] = table
        return q

    def to_means(self, values: FloatArray) -> FloatArray:
        """The mean over the columns of every table; the last axis of ``values`` has the columns."""
        if not self.shapes:
            return np.zeros((*values.shape[:-1], 0))
        return np.add.reduceat(values, self.starts, axis=-1) / [n_columns for _, n_columns in self.shapes]


def to_blocks(tables: Sequence[FloatArray]) -> Blocks:
    """Put tables side by side. Every table has a row and a column at least."""
    height = max((table.shape[0] for table in tables), default=1)
    ends = np.cumsum([0, *(table.shape[1] for table in tables)], dtype=np.int64)
    p = np.zeros((height, int(ends[-1])))
    is_state = np.zeros(p.shape, dtype=np.bool_)
    for table, start, end in zip(tables, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        p[: len(table), start:end] = table
        is_state[: len(table), start:end] = True
    return Blocks(p, is_state, ends[:-1], tuple((table.shape[0], table.shape[1]) for table in tables))
