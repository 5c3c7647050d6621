"""A prediction's tables made usable, and its own marginals.

- A cell that is null, negative or not finite counts 0. A column is divided by its sum; a column without mass is no
  prediction.
- A table is usable if it has a row for every state of its variable and a column for every configuration of its parents,
  if the parents are different predicted variables and not the child, and if one column at least has mass. Any other
  table counts as not given.
- A variable has a marginal of its own if its table and those of all its ancestors are usable, each over exactly the
  parents that the predicted edges give, and no cycle leads to it. The marginal is that of exact inference over these
  variables, in which a column without prediction is uniform. So every variable of a complete acyclic network has one,
  and a root with a prior always. Any other variable's marginal is taken to be uniform.
- A network is complete if every predicted variable has a marginal of its own.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from bayes.graphs import to_levels
from bayes.network import Cpd, FloatArray, Network, Rule
from bayes.scoring.divergences import BoolArray
from bayes.scoring.exact import compute_marginals
from bayes.scoring.records import PredictedCpd, Prediction


class Columns(NamedTuple):
    """Columns that sum to 1 where something was predicted, and to 0 where not; and which are which."""

    values: FloatArray
    is_given: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class PredictedTable:
    """A usable table: ``values`` has the child's axis and then one per parent, ``is_given`` those of the parents."""

    child: str
    parents: tuple[str, ...]
    values: FloatArray
    is_given: BoolArray
    is_full: bool

    def average_out(self, weights: dict[str, FloatArray]) -> "PredictedTable":
        """The mean over some parents, each weighted by its marginal, independently of the others.

        Columns without prediction are left out and the weights of the others scaled up.
        """
        values, is_given = self.values, self.is_given.astype(np.float64)
        for axis in range(len(self.parents) - 1, -1, -1):
            weight = weights.get(self.parents[axis])
            if weight is not None:
                values = np.tensordot(values, weight, axes=(axis + 1, 0))
                is_given = np.tensordot(is_given, weight, axes=(axis, 0))
        kept = tuple(name for name in self.parents if name not in weights)
        is_positive = np.asarray(is_given > 0)
        if not self.is_full:
            values = values / np.where(is_positive, is_given, 1.0)
        return PredictedTable(self.child, kept, values, is_positive, self.is_full)


def normalise_columns(matrix: FloatArray) -> Columns:
    """Divide every column by its sum; what is null, negative or infinite counts 0.

    Example:
        >>> columns = normalise_columns(np.array([[3.0, np.nan, 0.0], [1.0, 2.0, np.nan]]))
        >>> columns.values.tolist(), columns.is_given.tolist()
        ([[0.75, 0.0, 0.0], [0.25, 1.0, 0.0]], [True, True, False])
    """
    sums = matrix.sum(axis=0)
    cells = matrix
    # Nothing that counts 0 may be in it: what is null or infinite makes a sum so, a negative cell hides in one.
    if not np.isfinite(sums).all() or (matrix < 0).any():
        cells = np.where((matrix > 0) & (matrix < np.inf), matrix, 0.0)
        sums = cells.sum(axis=0)
    is_given = sums > 0
    if is_given.all():
        return Columns(cells / sums, is_given)
    return Columns(cells / np.where(is_given, sums, 1.0), is_given)


class PredictedTables:
    """The usable tables of one prediction, and what follows from them."""

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        self.tables: dict[str, PredictedTable] = {}
        for name in prediction.by_name:
            cpd = prediction.cpds.get(name)
            table = None if cpd is None else self._to_table(name, cpd)
            if table is not None:
                self.tables[name] = table

    def get_marginal(self, name: str) -> FloatArray:
        """The prediction's own marginal of one of its variables, as the module defines it."""
        table = self.tables.get(name)
        if table is not None and not table.parents and name in self._grounded:
            return table.values
        marginal = self.marginals.get(name)
        if marginal is None:
            n_states = self.prediction.by_name[name].cardinality
            return np.full(n_states, 1 / max(n_states, 1))
        return marginal

    @cached_property
    def marginals(self) -> dict[str, FloatArray]:
        """The marginals of the variables that have one of their own."""
        cpds: list[Cpd] = []
        for name in self._grounded:
            table = self.tables[name]
            matrix = table.values.reshape(len(table.values), -1)
            if not table.is_full:
                matrix = np.where(table.is_given.reshape(-1), matrix, 1 / len(matrix))
            cpds.append(Cpd(name, table.parents, matrix, (Rule.GIVEN,) * matrix.shape[1]))
        return compute_marginals(Network(tuple(self.prediction.by_name[name] for name in self._grounded), tuple(cpds)))

    @cached_property
    def gap(self) -> str | None:
        """Why the prediction is no complete acyclic network; ``None`` if it is one."""
        names = self.prediction.by_name
        if len(self._grounded) == len(names):
            return None
        try:
            to_levels(tuple(names), self.prediction.edges)
        except ValueError as error:
            return f"not a network: {error}"
        missing = next((name for name in names if name not in self.tables), None)
        if missing is not None:
            return f"incomplete: no usable table of {missing!r}"
        other = next(name for name in names if set(self.tables[name].parents) != self._parents[name])
        return f"incomplete: the table of {other!r} is not over its predicted parents"

    @cached_property
    def _parents(self) -> dict[str, set[str]]:
        parents: dict[str, set[str]] = {name: set() for name in self.prediction.by_name}
        for parent, child in self.prediction.edges:
            if child in parents:
                parents[child].add(parent)
        return parents

    @cached_property
    def _grounded(self) -> dict[str, None]:
        """The variables with a marginal of their own, parents before children."""
        waiting = [name for name, table in self.tables.items() if set(table.parents) == self._parents[name]]
        grounded: dict[str, None] = {}
        while waiting:
            ready = [name for name in waiting if all(parent in grounded for parent in self.tables[name].parents)]
            if not ready:
                break
            grounded.update(dict.fromkeys(ready))
            waiting = [name for name in waiting if name not in grounded]
        return grounded

    def _to_table(self, name: str, cpd: PredictedCpd) -> PredictedTable | None:
        by_name = self.prediction.by_name
        parents = cpd.parents
        if name in parents or len(set(parents)) < len(parents) or any(parent not in by_name for parent in parents):
            return None
        shape = tuple(by_name[parent].cardinality for parent in parents)
        if cpd.matrix.shape != (by_name[name].cardinality, prod(shape)):
            return None
        values, is_given = normalise_columns(cpd.matrix)
        n_given = int(np.count_nonzero(is_given))
        if not n_given:
            return None
        is_full = n_given == len(is_given)
        return PredictedTable(name, parents, values.reshape(-1, *shape), is_given.reshape(shape), is_full)
