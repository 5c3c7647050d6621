"""The scores of a whole corpus as arrays, for means over tens of thousands of rows."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayes.network import FloatArray
from bayes.scoring.aggregation import Sample
from bayes.scoring.divergences import BoolArray, IntArray
from schemas.benchmark import Mode
from storage.benchmark import SCORE_FIELDS, filter_rows
from storage.parquet import read_table
from storage.table_specs import TEXT
from storage.tables import to_spec

TextArray = NDArray[np.object_]

METRICS = tuple(name for name in SCORE_FIELDS if to_spec("scores").schema.field(name).type != TEXT)
"""The fields of :class:`~bayes.scoring.scores.Scores` that are numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """Scores, a row a prediction under one judge, ordered by domain, backbone, example, model, mode and judge.

    ``values`` has one array a metric, ``nan`` where it is undefined.
    """

    domains: TextArray
    backbones: TextArray
    examples: TextArray
    models: TextArray
    modes: TextArray
    judges: TextArray
    statuses: TextArray
    is_truncated: BoolArray
    n_variables: IntArray
    n_edges: IntArray
    values: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.examples)

    def select(self, is_chosen: BoolArray) -> "ScoreColumns":
        """Some of the rows, in the same order."""
        columns = [getattr(self, field.name)[is_chosen] for field in fields(self)[:-1]]
        return ScoreColumns(*columns, values={name: values[is_chosen] for name, values in self.values.items()})

    def to_sample(self, metric: str) -> Sample:
        """One metric of these rows for :mod:`bayes.scoring.aggregation`, clustered by backbone.

        Raises:
            KeyError: there is no such metric.
        """
        clusters = tuple(map("/".join, zip(self.domains.tolist(), self.backbones.tolist(), strict=True)))
        return Sample(self.values[metric], clusters, self.statuses == "failed", self.is_truncated)


def read_score_columns(
    data: Path,
    domain: str | None = None,
    backbone: str | None = None,
    judge: str | None = None,
    models: Collection[str] | None = None,
    mode: Mode | None = None,
) -> ScoreColumns:
    """The scores of the corpus, of a domain or of a backbone; by all judges and models or some.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    keys = ("domain", "backbone", "example", "model", "mode", "judge")
    rows = filter_rows(read_table(data, "scores", domain, backbone), models, mode, judge)
    rows = rows.sort_by([(key, "ascending") for key in keys])

    def to_array(name: str, kind: type[np.generic] | type[object]) -> Any:
        return np.array(rows.column(name).to_pylist(), dtype=kind)

    return ScoreColumns(
        *(to_array(key, object) for key in (*keys, "status")),
        is_truncated=to_array("is_truncated", np.bool_),
        n_variables=to_array("n_variables", np.int64),
        n_edges=to_array("n_edges", np.int64),
        values={name: to_array(name, np.float64) for name in METRICS},  # None becomes nan
    )
