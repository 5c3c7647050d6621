"""The publication's comparison of tables, for comparison with its numbers only.

One table P(child given one parent) per correct edge. **Rows and columns are compared by position**: the publication's
released script does so although the names of the states were aligned before. A prediction that has the same states in
another order is therefore punished here and not in :mod:`bayes.scoring.cpds`.

- Predicted and reference tables are P(child given this parent). Where either side has none for an edge, it is derived
  from the full CPD, the other parents averaged out with that side's own marginals of them.
- KL(p || q) in nats, q smoothed as everywhere, mean over the reference's columns, then over the edges of the example.
- A predicted column without mass is uniform.
- A predicted table of another shape, one without any mass or none at all has no positions to compare: the edge is left
  out and counted. The publication does not say what it does there.

Source: Bhattacharya et al., PRISM-BN (arXiv 2609.21673), section 5.
"""

from dataclasses import dataclass

import numpy as np

from bayes.network import Edge, FloatArray
from bayes.scoring.divergences import smooth, to_kl
from bayes.scoring.predicted import PredictedTables, normalise_columns
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.renaming import Renaming


@dataclass(frozen=True, slots=True)
class ReleasedScores:
    """``kl`` over ``n_compared`` correct edges; ``n_skipped`` correct edges had no table to compare."""

    kl: float | None
    n_compared: int
    n_skipped: int


def score_released(reference: PreparedReference, renaming: Renaming, tables: PredictedTables) -> ReleasedScores:
    """Compare the tables of all correct edges by position."""
    predicted_edges = frozenset(tables.prediction.edges)
    found: list[FloatArray | None] = []
    n_correct = 0
    for edge, shape in zip(reference.network.edges, reference.pairwise.shapes, strict=True):
        parent, child = renaming.predicted.get(edge.parent), renaming.predicted.get(edge.child)
        table = None
        if parent is not None and child is not None and Edge(parent, child) in predicted_edges:
            n_correct += 1
            table = to_pairwise(tables, Edge(parent, child))
            if table is not None and table.shape != shape:
                table = None
        found.append(table)
    is_compared = np.array([table is not None for table in found], dtype=np.bool_)
    n_compared = int(np.count_nonzero(is_compared))
    if not n_compared:
        return ReleasedScores(None, 0, n_correct)
    blocks = reference.pairwise
    kl = blocks.to_means(to_kl(blocks.p, smooth(blocks.stack(found), blocks.is_state)))
    return ReleasedScores(float(kl[is_compared].mean()), n_compared, n_correct - n_compared)


def to_pairwise(tables: PredictedTables, edge: Edge) -> FloatArray | None:
    """P(child given this parent) as predicted, or derived from the full CPD; ``None`` where neither has any mass.

    Columns sum to 1, or to 0 where nothing was predicted.
    """
    given = tables.prediction.pairwise.get(edge)
    if given is not None and given.ndim == 2 and given.size:
        values, is_given = normalise_columns(given)
        return values if is_given.any() else None
    table = tables.tables.get(edge.child)
    if table is None or edge.parent not in table.parents:
        return None
    others = {parent: tables.get_marginal(parent) for parent in table.parents if parent != edge.parent}
    return table.average_out(others).values if others else table.values
