"""Joints equal sums over every assignment, and single-state variables have the shape of any other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes.network import Cpd, FloatArray, Network, Rule, Variable
from bayes.scoring.exact import compute_joints, compute_marginals
from tests.bayes.scoring.oracle import assignments, reference_column
from tests.strategies import networks


def with_single_states(network: Network, rng: np.random.Generator) -> Network:
    """The same edges, with some variables cut down to their first state."""
    cut = {name: Variable(name, v.states[:1]) if rng.random() < 0.5 else v for name, v in network.by_name.items()}
    cpds: list[Cpd] = []
    for cpd in network.cpds:
        n_columns = int(np.prod([cut[parent].cardinality for parent in cpd.parents], dtype=np.int64))
        matrix = rng.dirichlet(np.ones(cut[cpd.variable].cardinality), size=n_columns).T
        cpds.append(Cpd(cpd.variable, cpd.parents, np.ascontiguousarray(matrix), (Rule.GIVEN,) * n_columns))
    return Network(tuple(cut.values()), tuple(cpds))


@settings(max_examples=40)
@given(networks(min_nodes=2, max_nodes=5), st.integers(0, 2**32 - 1))
def test_marginals_and_joints_equal_sums_over_every_assignment(network: Network, seed: int) -> None:
    rng = np.random.default_rng(seed)
    network = with_single_states(network, rng)
    names = list(network.by_name)
    families = {tuple(names[i] for i in rng.permutation(len(names))[: rng.integers(2, len(names) + 1)])}
    families |= {(*cpd.parents, cpd.variable) for cpd in network.cpds if cpd.parents}
    every = [*families, *((name,) for name in names)]
    sums = {family: np.zeros([network.by_name[name].cardinality for name in family]) for family in every}
    for assignment in assignments(list(network.variables)):
        columns = [reference_column(network, name, assignment)[assignment[name]] for name in names]
        for family, total in sums.items():
            total[tuple(network.by_name[name].states.index(assignment[name]) for name in family)] += np.prod(columns)
    joints, marginals = compute_joints(network, families), compute_marginals(network)
    for family, total in sums.items():
        found = marginals[family[0]] if len(family) == 1 else joints[family]
        assert found.shape == total.shape
        assert found == pytest.approx(total, abs=1e-7)


def test_nothing_asked_is_nothing_computed() -> None:
    assert compute_joints(Network((), ()), []) == {}


def make_chain_with_loop(n: int, n_states: int) -> Network:
    """The first variable acts on all others, and each of them on the last, which so has n - 1 parents."""
    rng = np.random.default_rng(0)
    names = [f"v{i}" for i in range(n)]
    states = tuple(str(i) for i in range(n_states))
    cpds: list[Cpd] = []
    for i, name in enumerate(names):
        parents = () if i == 0 else ("v0",) if i < n - 1 else tuple(names[: n - 1])
        n_columns = n_states ** len(parents)
        cpds.append(
            Cpd(name, parents, rng.dirichlet(np.ones(n_states), size=n_columns).T.copy(), (Rule.GIVEN,) * n_columns)
        )
    return Network(tuple(Variable(name, states) for name in names), tuple(cpds))


def test_sums_and_engine_agree_where_parents_share_an_ancestor(monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_chain_with_loop(5, 3)
    family = ("v4", "v1", "v3")
    summed = compute_marginals(network), compute_joints(network, [family])
    monkeypatch.setattr("bayes.scoring.exact.MAX_CELLS", 1)
    inferred = compute_marginals(network), compute_joints(network, [family])
    for name in network.by_name:
        assert summed[0][name] == pytest.approx(inferred[0][name], abs=1e-8)
    assert summed[1][family] == pytest.approx(inferred[1][family], abs=1e-8)


def test_a_table_too_large_to_sum_is_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Network] = []

    def note(network: Network) -> dict[str, FloatArray]:
        asked.append(network)
        return {}

    monkeypatch.setattr("bayes.scoring.exact.to_marginals", note)
    large = make_chain_with_loop(9, 3)  # 3^9 = 19,683 cells, more than 16,384
    compute_marginals(large)
    compute_marginals(make_chain_with_loop(8, 3))
    assert asked == [large]


def test_a_cycle_is_told() -> None:
    both = np.full((2, 2), 0.5)
    names = ("a", "b")
    cpds = tuple(Cpd(a, (b,), both, (Rule.GIVEN,) * 2) for a, b in (names, names[::-1]))
    with pytest.raises(ValueError, match="closes a cycle"):
        compute_marginals(Network(tuple(Variable(name, ("x", "y")) for name in names), cpds))
