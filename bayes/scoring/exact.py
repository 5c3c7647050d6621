"""Marginals and joints by exact inference, one axis a variable.

**Small networks** are summed out from below. The joint of some variables S, of which v comes last in a topological
order, is

    P(S) = sum over v's parents outside S of P(v | parents) P(S without v, parents)

where the joint on the right has no variable after v's parents and those of S; if v shares no ancestor with the rest of
S, it is P(v) P(S without v). Joints are kept, so that later ones build on them. For a network that a text describes
this is several times faster than an engine.

**Others**, where a joint on the way would have more than ``MAX_CELLS`` cells, are left to pyAgrum. It may leave the
axis of a single-state variable in another variable's posterior, or drop it from a joint, and does so in one process and
not in the next. Such an axis has one entry, so putting the array in its proper shape is enough.
"""

from collections.abc import Collection, Sequence
from math import prod

import numpy as np

from bayes.inference import DECIMALS, to_marginals, to_pyagrum
from bayes.network import Cpd, FloatArray, Network

MAX_CELLS = 1 << 14
"""Largest table that is summed here rather than by an engine, which orders its sums better."""

_MAX_VARIABLES = 52  # as many axes as numpy.einsum can name


def compute_marginals(network: Network) -> dict[str, FloatArray]:
    """P(variable) of every variable, one number a state, rounded as by :func:`bayes.inference.to_marginals`.

    Raises:
        ValueError: the parents close a cycle.
    """
    small = _SmallNetwork.build(network)
    try:
        if small is not None:
            return {name: small.to_joint((name,)).round(DECIMALS) for name in network.by_name}
    except _TooLargeError:
        pass
    return {name: marginal.reshape(-1) for name, marginal in to_marginals(network).items()}


def compute_joints(network: Network, families: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], FloatArray]:
    """P(variables) of every family of two variables or more, its axes in the order given.

    Raises:
        ValueError: the parents close a cycle.

    Example:
        >>> from bayes.network import Cpd, Rule, Variable
        >>> a, b = Variable("a", ("x", "y")), Variable("b", ("x", "y"))
        >>> prior, copy = np.array([[0.3], [0.7]]), np.eye(2)
        >>> rules = (Rule.GIVEN, Rule.GIVEN)
        >>> network = Network((a, b), (Cpd("a", (), prior, rules[:1]), Cpd("b", ("a",), copy, rules)))
        >>> compute_joints(network, [("b", "a")])["b", "a"].round(6).tolist()
        [[0.3, 0.0], [0.0, 0.7]]
    """
    if not families:
        return {}
    small = _SmallNetwork.build(network)
    try:
        if small is not None:
            return {family: small.to_joint(family) for family in families}
    except _TooLargeError:
        pass
    return _infer_joints(network, families)


class _TooLargeError(Exception):
    """A table on the way is too large; stays in this module."""


class _SmallNetwork:
    """The joints of one network, each computed once; variables are known by their place in a topological order."""

    def __init__(self, network: Network, order: list[str]) -> None:
        self._place = {name: i for i, name in enumerate(order)}
        self._parents = [tuple(self._place[parent] for parent in network.cpd_of[name].parents) for name in order]
        self._sizes = [network.by_name[name].cardinality for name in order]
        self._tables = [
            network.cpd_of[name].matrix.reshape(self._sizes[i], *(self._sizes[parent] for parent in self._parents[i]))
            for i, name in enumerate(order)
        ]
        self._ancestors: list[int] = []
        for i, parents in enumerate(self._parents):
            mask = 1 << i
            for parent in parents:
                mask |= self._ancestors[parent]
            self._ancestors.append(mask)
        self._joints: dict[tuple[int, ...], FloatArray] = {(): np.ones(())}

    @classmethod
    def build(cls, network: Network) -> "_SmallNetwork | None":
        """The network, unless it has too many variables or a cycle."""
        if len(network.variables) > _MAX_VARIABLES:
            return None
        order: dict[str, None] = {}
        waiting: Sequence[Cpd] = network.cpds
        while waiting:
            later: list[Cpd] = []
            for cpd in waiting:
                if all(map(order.__contains__, cpd.parents)):
                    order[cpd.variable] = None
                else:
                    later.append(cpd)
            if len(later) == len(waiting):
                return None
            waiting = later
        return cls(network, list(order))

    def to_joint(self, names: tuple[str, ...]) -> FloatArray:
        """P(names), one axis a name in this order."""
        places = [self._place[name] for name in names]
        order = sorted(places)
        return self._sum(tuple(order)).transpose([order.index(place) for place in places])

    def _sum(self, places: tuple[int, ...]) -> FloatArray:
        joint = self._joints.get(places)
        if joint is None:
            joint = self._joints[places] = self._sum_afresh(places)
        return joint

    def _sum_afresh(self, places: tuple[int, ...]) -> FloatArray:
        *rest, last = places
        mask = 0
        for place in rest:
            mask |= self._ancestors[place]
        if rest and not mask & self._ancestors[last]:
            return np.multiply.outer(self._sum(tuple(rest)), self._sum((last,)))
        parents = self._parents[last]
        if not parents:
            return self._tables[last]
        above = sorted({*rest, *parents})
        if prod(self._sizes[place] for place in (*above, last)) > MAX_CELLS:
            raise _TooLargeError
        joint = self._sum(tuple(above))
        return np.einsum(joint, above, self._tables[last], [last, *parents], list(places))  # pyright: ignore[reportCallIssue, reportArgumentType]  # numpy's stubs know subscripts as text only


def _infer_joints(network: Network, families: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], FloatArray]:
    import pyagrum as gum

    node = {variable.name: f"v{i}" for i, variable in enumerate(network.variables)}
    inference = gum.LazyPropagation(to_pyagrum(network))
    for family in families:
        inference.addJointTarget({node[name] for name in family})
    inference.makeInference()
    joints: dict[tuple[str, ...], FloatArray] = {}
    for family in families:
        posterior = inference.jointPosterior({node[name] for name in family})
        # pyAgrum's arrays have its names as axes in reverse.
        axes = list(reversed(posterior.names))
        order = [axes.index(node[name]) for name in family if node[name] in axes]
        order += [axis for axis in range(len(axes)) if axis not in order]
        values = np.asarray(posterior.toarray(), dtype=np.float64).transpose(order)
        joints[family] = values.reshape([network.by_name[name].cardinality for name in family])
    return joints
