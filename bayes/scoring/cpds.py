r"""Conditional distributions against the reference's, every column of every matched variable.

For a matched reference variable C with its parents, p is the reference's column P(C | configuration) and q what the
prediction says of the same configuration. With the predicted table of C's match, made usable as
:mod:`bayes.scoring.predicted` says:

1. A predicted parent that is no reference parent of C, matched or not, is averaged out with the prediction's own
   marginal of it.
2. A reference parent that the table lacks does not change q: all its states have the same column.
3. A configuration in which a parent that the table has takes an unmatched state has no prediction.
4. Predicted child states are renamed. An unmatched reference state gets 0, the mass of an unmatched predicted state
   goes nowhere; a column whose whole mass goes nowhere is no prediction.
5. A column without prediction is uniform over the reference's states and not covered; so are all columns of a variable
   whose match has no usable table.

Then q is smoothed and compared by :func:`bayes.scoring.divergences.measure_divergences`, averaged over the columns of a
variable and then over variables. Coverage is the share of covered columns among all columns of these variables.

Variables without parents in the reference are scored the same way, apart. So a reference root that the prediction gives
parents is scored by its table with all of them averaged out (rule 1), and a reference child predicted as a root by its
prior in every column (rule 2).
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from bayes.network import FloatArray
from bayes.scoring.divergences import BoolArray, IntArray, measure_divergences
from bayes.scoring.predicted import PredictedTable, PredictedTables
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.renaming import UNMATCHED, Renaming

# Low enough that no sum of positions makes up for it.
_NOWHERE = -(1 << 40)


class RenamedColumns(NamedTuple):
    """Predicted columns in the reference's order; where a column is not covered it is zeros."""

    values: FloatArray
    is_covered: BoolArray


@dataclass(frozen=True, slots=True)
class MeanDivergences:
    """The measures of :class:`~bayes.scoring.divergences.Divergences`, averaged over columns and variables."""

    kl: float
    reverse: float
    symmetric: float
    tv: float
    js: float


@dataclass(frozen=True, slots=True)
class CpdScores:
    """Scores of a set of variables; ``None`` where it is empty."""

    divergences: MeanDivergences | None
    coverage: float | None
    n_variables: int


@dataclass(frozen=True, slots=True)
class AllCpdScores:
    """Variables with parents in the reference, and those without."""

    children: CpdScores
    roots: CpdScores


class PredictedColumns:
    """What one prediction says in the reference's terms, each table renamed once."""

    def __init__(self, reference: PreparedReference, renaming: Renaming, tables: PredictedTables) -> None:
        self._network = reference.network
        self._renaming = renaming
        self._tables = tables
        self._columns: dict[tuple[str, tuple[str, ...]], RenamedColumns] = {}

    def to_columns(self, child: str, parents: tuple[str, ...]) -> RenamedColumns:
        """What the prediction says of a matched variable in every configuration of other reference variables.

        Args:
            child: a matched variable of the reference.
            parents: other variables of the reference, its parents for instance; configurations are in C order.

        Returns:
            One row per reference state and one column per configuration, before smoothing.
        """
        key = (child, parents)
        columns = self._columns.get(key)
        if columns is None:
            columns = self._columns[key] = self._rename(child, parents)
        return columns

    def _rename(self, child: str, parents: tuple[str, ...]) -> RenamedColumns:
        by_name, renaming = self._network.by_name, self._renaming
        sizes = [by_name[parent].cardinality for parent in parents]
        table = self._tables.tables.get(renaming.predicted[child])
        if table is None:
            n_columns = prod(sizes)
            return RenamedColumns(
                np.zeros((by_name[child].cardinality, n_columns)), np.zeros(n_columns, dtype=np.bool_)
            )
        spurious = {
            name: self._tables.get_marginal(name)
            for name in table.parents
            if renaming.reference.get(name) not in parents
        }
        if spurious:
            table = table.average_out(spurious)

        rows = renaming.rows[child]
        source = self._to_source(table, parents, sizes)
        # Unmatched rows and configurations read some cell, and are set to 0 afterwards.
        values = table.values.reshape(len(table.values), -1)[np.array(rows)[:, np.newaxis], np.maximum(source, 0)]
        if UNMATCHED in rows:
            values[np.array(rows) == UNMATCHED] = 0.0
        is_covered = (source >= 0) & (values.sum(axis=0) > 0)
        return RenamedColumns(values * is_covered, is_covered)

    def _to_source(self, table: PredictedTable, parents: tuple[str, ...], sizes: list[int]) -> IntArray:
        """The predicted column for every configuration; negative where a parent's state is unmatched."""
        stride, strides = 1, dict[str, int]()
        for name, size in zip(reversed(table.parents), reversed(table.is_given.shape), strict=True):
            strides[self._renaming.reference[name]] = stride
            stride *= size
        source = [0]  # lists are faster than arrays of a few dozen numbers
        for parent, size in zip(parents, sizes, strict=True):
            stride = strides.get(parent)
            if stride is None:
                steps = [0] * size
            else:
                steps = [_NOWHERE if row == UNMATCHED else row * stride for row in self._renaming.rows[parent]]
            source = [position + step for position in source for step in steps]
        return np.array(source, dtype=np.int64)


def score_cpds(reference: PreparedReference, renaming: Renaming, columns: PredictedColumns) -> AllCpdScores:
    """Compare every column of every matched variable."""
    renamed = [
        columns.to_columns(cpd.variable, cpd.parents) if cpd.variable in renaming.predicted else None
        for cpd in reference.network.cpds
    ]
    blocks = reference.cpds
    q = blocks.stack([None if part is None else part.values for part in renamed])
    means = blocks.to_means(np.stack(measure_divergences(blocks.p, q, blocks.is_state)))
    n_covered = np.array([0 if part is None else np.count_nonzero(part.is_covered) for part in renamed])
    n_columns = np.array([n for _, n in blocks.shapes])
    is_matched = np.array([part is not None for part in renamed], dtype=np.bool_)

    def gather(is_chosen: BoolArray) -> CpdScores:
        n = int(np.count_nonzero(is_chosen))
        if not n:
            return CpdScores(None, None, 0)
        chosen = MeanDivergences(*means[:, is_chosen].mean(axis=1).tolist())
        return CpdScores(chosen, int(n_covered[is_chosen].sum()) / int(n_columns[is_chosen].sum()), n)

    return AllCpdScores(gather(is_matched & ~reference.is_root), gather(is_matched & reference.is_root))
