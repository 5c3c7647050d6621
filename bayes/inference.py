"""Exact inference by pyAgrum.

Variables and states are handed to pyAgrum under neutral names (``v0``, states by index), since it restricts names;
everything is matched back by position in ``Network.variables``, never by pyAgrum's own ordering.
"""

from typing import Any

import numpy as np

from bayes.network import FloatArray, Network

DECIMALS = 9


def to_pyagrum(network: Network) -> Any:
    """The network as a ``pyagrum.BayesNet``; variable i of the network is called ``v<i>``.

    Raises:
        ValueError: the parents close a cycle.
    """
    import pyagrum as gum

    net = gum.BayesNet()
    index = {variable.name: i for i, variable in enumerate(network.variables)}
    for i, variable in enumerate(network.variables):
        net.add(gum.RangeVariable(f"v{i}", "", 0, variable.cardinality - 1))
    for cpd in network.cpds:
        child = index[cpd.variable]
        # A CPT has the child first and then its parents as their arcs came, and is filled with the first changing
        # fastest: in reverse, the parents' arcs give C order over the parents with the child's states innermost.
        for parent in reversed(cpd.parents):
            try:
                net.addArc(index[parent], child)
            except gum.InvalidDirectedCycle as error:
                raise ValueError(f"the edge {parent!r} -> {cpd.variable!r} closes a cycle") from error
        net.cpt(child).fillWith(cpd.matrix.T.ravel().tolist())
    return net


def to_marginals(network: Network) -> dict[str, FloatArray]:
    """P(variable) of every variable, by exact inference, rounded to ``DECIMALS``.

    pyAgrum sums in an order that changes from process to process, and with it the last bits; rounded, the same network
    gives the same numbers, and a corpus the same files.

    Example:
        >>> from bayes.network import Cpd, Rule, Variable
        >>> rain = Variable("rain", ("yes", "none"))
        >>> to_marginals(Network((rain,), (Cpd("rain", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,)),)))["rain"].tolist()
        [0.3, 0.7]
    """
    import pyagrum as gum

    if not network.variables:
        return {}
    inference = gum.LazyPropagation(to_pyagrum(network))
    inference.makeInference()
    return {
        variable.name: np.asarray(inference.posterior(i).toarray(), dtype=np.float64).reshape(-1).round(DECIMALS)
        for i, variable in enumerate(network.variables)
    }
