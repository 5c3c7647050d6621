"""pyAgrum's exact marginals equal summing over every assignment."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.inference import to_marginals, to_pyagrum
from bayes.network import Cpd, Network, Rule, Variable
from tests.strategies import networks


@settings(max_examples=30, deadline=None)
@given(networks(max_nodes=5))
def test_marginals_equal_the_sum_over_all_assignments(network: Network) -> None:
    names = [variable.name for variable in network.variables]
    sums = {variable.name: np.zeros(variable.cardinality) for variable in network.variables}
    for states in product(*(range(variable.cardinality) for variable in network.variables)):
        assignment = dict(zip(names, states, strict=True))
        probability = 1.0
        for cpd in network.cpds:
            column = 0
            for parent in cpd.parents:
                column = column * network.by_name[parent].cardinality + assignment[parent]
            probability *= cpd.matrix[assignment[cpd.variable], column]
        for name, state in assignment.items():
            sums[name][state] += probability
    for name, marginal in to_marginals(network).items():
        assert marginal == pytest.approx(sums[name], abs=1e-8)


def test_a_network_without_variables_has_no_marginals() -> None:
    assert to_marginals(Network((), ())) == {}


def test_a_cycle_is_refused() -> None:
    two = tuple(Variable(name, ("yes", "none")) for name in "ab")
    half = np.full((2, 2), 0.5)
    cycle = (Cpd("a", ("b",), half, (Rule.GIVEN,) * 2), Cpd("b", ("a",), half, (Rule.GIVEN,) * 2))
    with pytest.raises(ValueError, match="closes a cycle"):
        to_pyagrum(Network(two, cycle))
