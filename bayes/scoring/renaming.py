"""From the prediction's names to the reference's: an alignment, checked and turned into lookups."""

from dataclasses import dataclass

from bayes.network import Edge, Network
from bayes.scoring.records import Alignment, Prediction

UNMATCHED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Renaming:
    """Lookups of one alignment.

    ``rows[reference variable][i]`` is the position of the predicted state that matches reference state i, or
    ``UNMATCHED``.
    """

    predicted: dict[str, str]
    reference: dict[str, str]
    rows: dict[str, list[int]]

    def to_reference_edge(self, edge: Edge) -> Edge | None:
        """A predicted edge under the reference's names; ``None`` where an end is unmatched."""
        parent, child = self.reference.get(edge.parent), self.reference.get(edge.child)
        return None if parent is None or child is None else Edge(parent, child)


def to_renaming(network: Network, prediction: Prediction, alignment: Alignment) -> Renaming:
    """Check an alignment against both networks and turn it into lookups.

    Raises:
        ValueError: the alignment is not one to one, or names a variable or state that is not there.
    """
    predicted = dict(alignment.variables)
    reference = {match.predicted: match.reference for match in alignment.variables}
    if not len(predicted) == len(reference) == len(alignment.variables):
        raise ValueError("the alignment matches a variable twice")
    rows: dict[str, list[int]] = {}
    for ours, theirs in alignment.variables:
        if ours not in network.by_name or theirs not in prediction.by_name:
            raise ValueError(f"the alignment matches {ours!r} with {theirs!r}, and one of them is not there")
        matches = alignment.states.get(ours, ())
        given = dict(matches)
        if not len(given) == len(set(given.values())) == len(matches):
            raise ValueError(f"the alignment matches a state of {ours!r} twice")
        known, states = network.by_name[ours].states, prediction.by_name[theirs].states
        if not (given.keys() <= set(known) and set(given.values()) <= set(states)):
            raise ValueError(f"the alignment matches a state of {ours!r} that is not there")
        rows[ours] = [states.index(given[state]) if state in given else UNMATCHED for state in known]
    return Renaming(predicted, reference, rows)
