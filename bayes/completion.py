"""From the cells of a reply to a probability table: completed, refused or renormalised.

Models leave cells out and miss the sum of 1 by some per cent. A missing cell is floored at ``FLOOR``, since an
impossible combination would veto everything in products of CPDs; the sum is put right; both are recorded. A negative
or non-finite cell, one above ``MAX_CELL`` and a table that sums to less than ``MIN_SUM`` say that the reply was not
understood, and are refused.
"""

import math
from collections.abc import Mapping

import numpy as np

from bayes.network import Table

FLOOR = 1e-4

MAX_CELL = 1000.0
"""The largest cell of a table that may be renormalised: ten times the whole in per cent."""

MIN_SUM = 1e-6
"""The least sum of a table that may be renormalised: below it a single cell at the floor outweighs all others."""


def complete_table(
    child: str, parents: tuple[str, ...], shape: tuple[int, ...], cells: Mapping[tuple[int, ...], float]
) -> Table:
    """A normalised table from the cells that were given.

    Args:
        child: the variable of the last axis.
        parents: the variables of the axes before it, in order.
        shape: number of states along each axis.
        cells: probability by state indices, one per axis. Cells that are missing get ``FLOOR``.

    Raises:
        ValueError: a cell is negative, not finite, above ``MAX_CELL`` or outside the shape, or all sum to less than
            ``MIN_SUM``.

    Example:
        >>> table = complete_table("rain", (), (3,), {(0,): 0.5, (1,): 0.5})
        >>> table.values.round(6).tolist(), table.raw_sum, table.n_floored
        ([0.49995, 0.49995, 0.0001], 1.0, 1)
    """
    values = np.full(shape, math.nan)
    for index, probability in cells.items():
        if not 0 <= probability <= MAX_CELL:
            raise ValueError(f"{child}: the probability {probability} is not a number from 0 to {MAX_CELL:.0f}")
        try:
            values[index] = probability
        except IndexError as error:
            raise ValueError(f"{child}: there is no cell {index} in a table of shape {shape}") from error
    missing = np.isnan(values)
    raw_sum = float(values[~missing].sum())
    if raw_sum < MIN_SUM:
        raise ValueError(f"{child}: no cell of the table is clearly above 0")
    values[missing] = FLOOR
    values /= values.sum()
    return Table(child, parents, values, raw_sum, int(missing.sum()))
