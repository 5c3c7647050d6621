"""Scores of variables, states and edges.

Everywhere precision P = correct / predicted, recall R = correct / reference and F1 is their harmonic mean. A quotient
by 0 is 0, and so is F1 when both are 0. Where nothing is matched, nothing was found: states and edges score 0 then, so
that a failed prediction counts as zero structure.
"""

from dataclasses import dataclass

from bayes.network import Edge, Network
from bayes.scoring.records import Alignment, Prediction
from bayes.scoring.renaming import Renaming


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and F1, each from 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class NodeScores:
    """Variables found, and the predicted ones that are neither a match nor a duplicate."""

    rates: Rates
    n_matched: int
    n_extra: int
    n_duplicates: int


@dataclass(frozen=True, slots=True)
class EdgeScores:
    """Edges between matched variables; ``spurious_rate`` in percent. What is undefined is ``None``."""

    rates: Rates | None
    spurious_rate: float | None
    n_mapped: int
    n_correct: int


def to_rates(n_correct: int, n_predicted: int, n_reference: int) -> Rates:
    """Precision, recall and F1 from counts.

    Example:
        >>> to_rates(2, 4, 2)
        Rates(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    precision = n_correct / n_predicted if n_predicted else 0.0
    recall = n_correct / n_reference if n_reference else 0.0
    return Rates(precision, recall, _to_f1(precision, recall))


def score_nodes(network: Network, alignment: Alignment, prediction: Prediction) -> NodeScores:
    r"""Variables: k matches, d duplicates, n reference and :math:`\hat n` predicted variables.

    P = k/n* with :math:`n^* = \max(\hat n - d, k)`, so that a duplicate neither helps nor hurts; R = k/n; n* - k are
    extra.
    """
    n_matched, n_duplicates = len(alignment.variables), len(alignment.duplicates)
    n_effective = max(len(prediction.variables) - n_duplicates, n_matched)
    rates = to_rates(n_matched, n_effective, len(network.variables))
    return NodeScores(rates, n_matched, n_effective - n_matched, n_duplicates)


def score_states(network: Network, alignment: Alignment, prediction: Prediction) -> Rates:
    """States of the matched variables: P, R and F1 of each, then the means over the matched variables."""
    if not alignment.variables:
        return Rates(0.0, 0.0, 0.0)
    rates = [
        to_rates(
            len(alignment.states.get(ours, ())),
            prediction.by_name[theirs].cardinality,
            network.by_name[ours].cardinality,
        )
        for ours, theirs in alignment.variables
    ]
    n = len(rates)
    return Rates(
        sum(rate.precision for rate in rates) / n,
        sum(rate.recall for rate in rates) / n,
        sum(rate.f1 for rate in rates) / n,
    )


def score_edges(edges: frozenset[Edge], renaming: Renaming, predicted: frozenset[Edge]) -> EdgeScores:
    """Edges with both ends matched, on either side, as sets; a reversed edge is wrong.

    ``rates`` without any edge on either side: 1 if the reference has no edges at all, else undefined, since the matched
    variables leave nothing to judge; 0 where no variable is matched. ``spurious_rate`` = 100 (mapped - correct) /
    mapped is undefined where no predicted edge has both ends matched.
    """
    if not renaming.predicted:
        return EdgeScores(Rates(0.0, 0.0, 0.0), None, 0, 0)
    mapped = to_mapped_edges(renaming, predicted)
    in_reach = {edge for edge in edges if edge.parent in renaming.predicted and edge.child in renaming.predicted}
    n_correct = len(mapped & in_reach)
    spurious = 100 * (len(mapped) - n_correct) / len(mapped) if mapped else None
    if mapped or in_reach:
        rates = to_rates(n_correct, len(mapped), len(in_reach))
    else:
        rates = None if edges else Rates(1.0, 1.0, 1.0)
    return EdgeScores(rates, spurious, len(mapped), n_correct)


def score_edges_unconditionally(edges: frozenset[Edge], renaming: Renaming, predicted: frozenset[Edge]) -> float:
    """F1 over all edges of both sides; one with an unmatched end is an error of its side.

    Without any edge on either side it is 1, or 0 where no variable is matched.
    """
    if not renaming.predicted:
        return 0.0
    if not edges and not predicted:
        return 1.0
    return to_rates(len(to_mapped_edges(renaming, predicted) & edges), len(predicted), len(edges)).f1


def to_hamming_distance(edges: frozenset[Edge], renaming: Renaming, predicted: frozenset[Edge]) -> int:
    """Structural Hamming distance: edges missing plus edges extra, a reversed edge counted once.

    Edges of unmatched variables are missing or extra. Where the prediction has both directions of a reference edge, the
    wrong one is extra.
    """
    mapped = to_mapped_edges(renaming, predicted)
    missing, extra = edges - mapped, mapped - edges
    n_reversed = sum(Edge(edge.child, edge.parent) in extra for edge in missing)
    return len(missing) + len(extra) - n_reversed + len(predicted) - len(mapped)


def to_mapped_edges(renaming: Renaming, predicted: frozenset[Edge]) -> frozenset[Edge]:
    """The predicted edges with both ends matched, under the reference's names."""
    renamed = (renaming.to_reference_edge(edge) for edge in predicted)
    return frozenset(edge for edge in renamed if edge is not None)


def _to_f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
