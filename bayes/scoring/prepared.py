"""What belongs to a reference alone, computed once and shared by every prediction scored against it."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from bayes.network import Edge, FloatArray
from bayes.scoring.divergences import Blocks, to_blocks
from bayes.scoring.exact import compute_joints, compute_marginals
from bayes.scoring.predicted import normalise_columns
from bayes.scoring.records import Reference


class PreparedReference:
    """A reference with its marginals, its tables side by side and the joints that were asked for."""

    def __init__(self, reference: Reference) -> None:
        self.network = reference.network
        self._pairwise = reference.pairwise
        self._joints: dict[tuple[str, ...], FloatArray] = {}
        self.is_root = np.array([not cpd.parents for cpd in self.network.cpds], dtype=np.bool_)
        self.edges = frozenset(self.network.edges)

    @cached_property
    def marginals(self) -> dict[str, FloatArray]:
        """P(variable) by exact inference."""
        return compute_marginals(self.network)

    @cached_property
    def cpds(self) -> Blocks:
        """The CPDs side by side, in the order of the network's."""
        return to_blocks([cpd.matrix for cpd in self.network.cpds])

    @cached_property
    def pairwise(self) -> Blocks:
        """One table P(child given this parent) an edge, in the order of the network's edges."""
        return to_blocks([self._to_pairwise(edge) for edge in self.network.edges])

    @cached_property
    def negative_entropy(self) -> float:
        """Sum of P log P over the joint distribution, in nats, family by family."""
        families = [(*cpd.parents, cpd.variable) for cpd in self.network.cpds]
        total = 0.0
        for cpd, joint in zip(self.network.cpds, self.to_joints(families), strict=True):
            logs = np.log(np.where(cpd.matrix > 0, cpd.matrix, 1.0))
            total += float((joint.reshape(-1, len(cpd.matrix)).T * logs).sum())
        return total

    def to_joints(self, families: Iterable[tuple[str, ...]]) -> list[FloatArray]:
        """P(these variables) by exact inference, one axis a variable in the order given; each computed once."""
        wanted = list(families)
        missing = {family for family in wanted if family not in self._joints}
        if missing:
            self._joints.update({family: self.marginals[family[0]] for family in missing if len(family) == 1})
            self._joints.update(compute_joints(self.network, [family for family in missing if len(family) > 1]))
        return [self._joints[family] for family in wanted]

    def _to_pairwise(self, edge: Edge) -> FloatArray:
        """The table that came with the reference, or the CPD with the other parents averaged out."""
        by_name = self.network.by_name
        given = self._pairwise.get(edge)
        if given is not None and given.shape == (by_name[edge.child].cardinality, by_name[edge.parent].cardinality):
            values, is_given = normalise_columns(given)
            if is_given.all():
                return values
        cpd = self.network.cpd_of[edge.child]
        table = cpd.matrix.reshape(-1, *(by_name[parent].cardinality for parent in cpd.parents))
        for axis in range(len(cpd.parents) - 1, -1, -1):
            if cpd.parents[axis] != edge.parent:
                table = np.tensordot(table, self.marginals[cpd.parents[axis]], axes=(axis + 1, 0))
        return table


def prepare(reference: Reference | PreparedReference) -> PreparedReference:
    """The reference prepared, unless it is already."""
    return reference if isinstance(reference, PreparedReference) else PreparedReference(reference)
