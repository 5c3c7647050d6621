"""Two predictions of one text against each other: two models, two people, or one of each.

Neither is the reference, so each takes its turn. Structure is compared whatever the tables are like; a divergence takes
a complete and acyclic network on the side that plays the reference.
"""

from dataclasses import dataclass

import numpy as np

from bayes.network import Cpd, Network, Rule, Variable
from bayes.scoring.predicted import PredictedTables, normalise_columns
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.renaming import to_renaming
from bayes.scoring.scores import score
from bayes.scoring.structure import score_edges, score_edges_unconditionally, score_nodes, score_states


@dataclass(frozen=True, slots=True)
class MutualScores:
    """The second prediction scored against the first. ``cpd_kl`` is None where ``skipped`` says why."""

    node_f1: float
    state_f1: float
    edge_f1: float | None
    edge_f1_unconditional: float
    cpd_kl: float | None
    marginal_tv: float | None
    skipped: str | None


def score_against(first: Prediction, alignment: Alignment, second: Prediction) -> MutualScores:
    """Score ``second`` as if ``first`` were the reference.

    Args:
        first: takes the place of the reference; of two variables with one name the first counts.
        alignment: ``reference`` names are the first's, ``predicted`` names the second's.
        second: what is scored.

    Raises:
        ValueError: the alignment is not one to one, or names what is not there.
    """
    gap = PredictedTables(first).gap
    if gap is None:
        scores = score(Reference(to_network(first)), alignment, second)
        return MutualScores(
            scores.node_f1,
            scores.state_f1,
            scores.edge_f1,
            scores.edge_f1_unconditional,
            scores.cpd_kl,
            scores.marginal_tv,
            None if scores.cpd_kl is not None else "no matched variable has parents",
        )
    network = Network(_to_variables(first), ())
    renaming = to_renaming(network, second, alignment)
    edges, predicted = frozenset(first.edges), frozenset(second.edges)
    rates = score_edges(edges, renaming, predicted).rates
    return MutualScores(
        score_nodes(network, alignment, second).rates.f1,
        score_states(network, alignment, second).f1,
        None if rates is None else rates.f1,
        score_edges_unconditionally(edges, renaming, predicted),
        None,
        None,
        gap,
    )


def to_network(prediction: Prediction) -> Network:
    """A prediction whose tables are complete, as a network; columns are normalised, those without mass uniform.

    Raises:
        ValueError: a table is missing or has another shape, or the edges close a cycle.
    """
    gap = PredictedTables(prediction).gap
    if gap is not None:
        raise ValueError(gap)
    variables = _to_variables(prediction)
    cpds: list[Cpd] = []
    for variable in variables:
        table = prediction.cpds[variable.name]
        columns = normalise_columns(table.matrix)
        matrix = np.where(columns.is_given, columns.values, 1 / max(1, variable.cardinality))
        cpds.append(Cpd(variable.name, table.parents, matrix, (Rule.GIVEN,) * matrix.shape[1]))
    return Network(variables, tuple(cpds))


def _to_variables(prediction: Prediction) -> tuple[Variable, ...]:
    return tuple(prediction.by_name[name] for name in dict.fromkeys(item.name for item in prediction.variables))
