"""Marginals and joints by exact inference, one axis a variable.

pyAgrum may leave the axis of a single-state variable in another variable's posterior, or drop it from a joint, and does
so in one process and not in the next. Such an axis has one entry, so putting the array in its proper shape is enough.
"""

from collections.abc import Collection

import numpy as np

from bayes.inference import to_marginals, to_pyagrum
from bayes.network import FloatArray, Network


def compute_marginals(network: Network) -> dict[str, FloatArray]:
    """P(variable) of every variable, one number a state.

    Raises:
        ValueError: the parents close a cycle.
    """
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
