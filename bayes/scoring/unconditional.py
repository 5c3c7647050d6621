"""Scores of the distribution as a whole, by exact inference in both networks.

Both need a complete acyclic prediction (:mod:`bayes.scoring.predicted`) and are skipped with a reason otherwise.
"""

from dataclasses import dataclass

import numpy as np

from bayes.inference import DECIMALS
from bayes.scoring.cpds import PredictedColumns
from bayes.scoring.divergences import smooth
from bayes.scoring.predicted import PredictedTables
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.renaming import UNMATCHED, Renaming

NOTHING_MATCHED = "no variable is matched"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value, or the reason why there is none."""

    value: float | None
    reason: str | None


def score_marginals(reference: PreparedReference, renaming: Renaming, tables: PredictedTables) -> Outcome:
    r"""Mean over the matched variables of the total variation between the two networks' marginals.

    :math:`\frac12 (\sum_s |p_s - q_s| + u)` over the reference's states s, where an unmatched state has q = 0 and u is
    the predicted mass of unmatched states. Nothing is smoothed.
    """
    reason = NOTHING_MATCHED if not renaming.predicted else tables.gap
    if reason is not None:
        return Outcome(None, reason)
    total = 0.0
    for ours, theirs in renaming.predicted.items():
        predicted = tables.marginals[theirs].tolist()
        q = [0.0 if row == UNMATCHED else predicted[row] for row in renaming.rows[ours]]
        differences = [abs(x - y) for x, y in zip(reference.marginals[ours].tolist(), q, strict=True)]
        total += (sum(differences) + max(1.0 - sum(q), 0.0)) / 2
    return Outcome(round(total / len(renaming.predicted), DECIMALS), None)


def score_joint(
    reference: PreparedReference, renaming: Renaming, tables: PredictedTables, columns: PredictedColumns
) -> Outcome:
    r"""KL(P || Q) in nats between the joint distributions over the reference's variables, family by family.

    .. math:: KL(P \| Q) = \sum_C \sum_{c, pa} P(c, pa) \log P(c | pa)
              - \sum_C \sum_{c, \hat{pa}} P(c, \hat{pa}) \log \tilde Q(c | \hat{pa})

    where pa are C's parents in the reference and :math:`\hat{pa}` those in the prediction, renamed, and
    :math:`\tilde Q` the predicted CPD renamed and smoothed as in :mod:`bayes.scoring.cpds`. P of a family is exact, so
    the sum is.

    Every reference variable must be matched. Predicted variables beyond the reference's may be there as long as no
    matched variable has one as a parent: they are then summed out by leaving them away. Otherwise Q does not factorise
    over the reference's variables, and the score is skipped.
    """
    if len(renaming.predicted) < len(reference.network.variables):
        return Outcome(None, "not every reference variable is matched" if renaming.predicted else NOTHING_MATCHED)
    if tables.gap is not None:
        return Outcome(None, tables.gap)
    parents_of: dict[str, tuple[str, ...]] = {}
    for cpd in reference.network.cpds:
        predicted = tables.tables[renaming.predicted[cpd.variable]].parents
        foreign = next((name for name in predicted if name not in renaming.reference), None)
        if foreign is not None:
            return Outcome(None, f"a matched variable has the unmatched parent {foreign!r}")
        renamed = tuple(renaming.reference[name] for name in predicted)
        # In the reference's order, where both have the same parents, the columns and joints are there already.
        parents_of[cpd.variable] = cpd.parents if set(renamed) == set(cpd.parents) else renamed
    joints = reference.to_joints((*parents, child) for child, parents in parents_of.items())
    divergence = reference.negative_entropy
    for (child, parents), joint in zip(parents_of.items(), joints, strict=True):
        q = smooth(columns.to_columns(child, parents).values)
        divergence -= float((joint.reshape(-1, len(q)).T * np.log(q)).sum())
    # Not below 0 in exact arithmetic: the smoothed columns make a distribution.
    return Outcome(max(round(divergence, DECIMALS), 0.0), None)
