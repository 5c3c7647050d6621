"""CPDs follow the rules of the module's table, column by column."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.cross_check import measure_recovery_gap
from bayes.network import Edge, Network, Rule, Table, Tables, Variable
from bayes.recovery import CpdRecovery, recover_cpd, recover_network
from bayes.subgraphs import SizeRange, enumerate_connected, to_names
from tests.strategies import elicited_tables


def make_tables(multi: dict[str, Table] | None = None, c_marginal: tuple[float, float] = (0.4, 0.6)) -> Tables:
    """Two parents a and b of c, two states each, with tables that are easy to divide by hand."""
    a, b, c = (Variable(name, ("yes", "none")) for name in "abc")
    return Tables(
        (a, b, c),
        (Edge("a", "c"), Edge("b", "c")),
        {
            "a": Table("a", (), np.array([0.5, 0.5])),
            "b": Table("b", (), np.array([0.2, 0.8])),
            "c": Table("c", (), np.array(c_marginal)),
        },
        {
            Edge("a", "c"): Table("c", ("a",), np.array([[0.3, 0.2], [0.1, 0.4]])),
            Edge("b", "c"): Table("c", ("b",), np.array([[0.1, 0.1], [0.2, 0.6]])),
        },
        multi or {},
    )


def test_a_root_has_its_marginal_as_prior() -> None:
    cpd = recover_cpd(make_tables(), "c", ())
    assert cpd.matrix.tolist() == [[0.4], [0.6]]
    assert cpd.rules == (Rule.PRIOR,)


def test_one_parent_divides_the_pairwise_joint_by_its_row_sums() -> None:
    # rows (0.3, 0.2) and (0.1, 0.4) both sum to 0.5
    cpd = recover_cpd(make_tables(), "c", ("a",))
    assert cpd.matrix == pytest.approx(np.array([[0.6, 0.2], [0.4, 0.8]]))
    assert cpd.rules == (Rule.PAIRWISE, Rule.PAIRWISE)


def test_without_a_multi_parent_joint_two_parents_use_the_product_rule() -> None:
    # a=yes, b=yes: P(c|a)=(0.6, 0.4), P(c|b)=(0.5, 0.5), P(c)=(0.4, 0.6), exponent 1:
    # (0.6*0.5/0.4, 0.4*0.5/0.6) = (0.75, 0.3333), normalised (0.692308, 0.307692)
    cpd = recover_cpd(make_tables(), "c", ("a", "b"))
    assert cpd.matrix[:, 0] == pytest.approx([0.692308, 0.307692], abs=1e-6)
    assert set(cpd.rules) == {Rule.PRODUCT}


def test_the_prior_is_divided_out_once_less_than_there_are_parents() -> None:
    """With three parents the exponent is 2; dividing once would give another column."""
    names = ("a", "b", "d", "c")
    pairwise = {Edge(parent, "c"): Table("c", (parent,), np.array([[0.3, 0.2], [0.1, 0.4]])) for parent in "abd"}
    marginals = {name: Table(name, (), np.array([0.4, 0.6])) for name in names}
    variables = tuple(Variable(name, ("yes", "none")) for name in names)
    tables = Tables(variables, tuple(pairwise), marginals, pairwise, {})
    # all parents yes: (0.6^3 / 0.4^2, 0.4^3 / 0.6^2) = (1.35, 0.177778), normalised (0.883636, 0.116364)
    assert recover_cpd(tables, "c", ("a", "b", "d")).matrix[:, 0] == pytest.approx([0.883636, 0.116364], abs=1e-6)


def test_a_multi_parent_joint_decides_alone_and_in_the_order_of_the_parents() -> None:
    values = np.arange(1, 9, dtype=float).reshape(2, 2, 2) / 36  # axes b, a, c
    tables = make_tables({"c": Table("c", ("b", "a"), values)})
    cpd = recover_cpd(tables, "c", ("a", "b"))
    # column a=yes, b=none is values[1, 0] = (5, 6)
    assert cpd.matrix[:, 1] == pytest.approx([5 / 11, 6 / 11])
    assert set(cpd.rules) == {Rule.JOINT}


def test_a_column_without_mass_falls_back_alone_from_joint_to_product() -> None:
    values = np.array([[[0.0, 0.0], [0.2, 0.2]], [[0.1, 0.2], [0.2, 0.1]]])
    tables = make_tables({"c": Table("c", ("a", "b"), values)})
    cpd = recover_cpd(tables, "c", ("a", "b"))
    assert cpd.rules == (Rule.PRODUCT, Rule.JOINT, Rule.JOINT, Rule.JOINT)
    assert cpd.matrix[:, 0] == pytest.approx([0.692308, 0.307692], abs=1e-6)


def test_a_pairwise_column_without_mass_falls_back_to_the_marginal() -> None:
    tables = make_tables()
    pairwise = {**tables.pairwise, Edge("a", "c"): Table("c", ("a",), np.array([[0.0, 0.0], [0.5, 0.5]]))}
    emptied = Tables(tables.variables, tables.edges, tables.marginals, pairwise, {})
    cpd = recover_cpd(emptied, "c", ("a",))
    assert cpd.rules == (Rule.MARGINAL, Rule.PAIRWISE)
    assert cpd.matrix[:, 0].tolist() == [0.4, 0.6]


def test_a_product_without_mass_falls_back_to_the_marginal() -> None:
    """Parents that contradict each other outright leave no state possible."""
    tables = make_tables()
    pairwise = {
        Edge("a", "c"): Table("c", ("a",), np.array([[0.5, 0.0], [0.0, 0.5]])),
        Edge("b", "c"): Table("c", ("b",), np.array([[0.0, 0.5], [0.5, 0.0]])),
    }
    cpd = recover_cpd(Tables(tables.variables, tables.edges, tables.marginals, pairwise, {}), "c", ("a", "b"))
    assert cpd.rules[0] is Rule.MARGINAL
    assert cpd.matrix[:, 0].tolist() == [0.4, 0.6]


def test_a_marginal_of_zero_makes_no_column_undefined() -> None:
    cpd = recover_cpd(make_tables(c_marginal=(0.0, 1.0)), "c", ("a", "b"))
    assert np.isfinite(cpd.matrix).all()
    assert cpd.matrix.sum(axis=0) == pytest.approx(1)


def subgraphs(tables: Tables) -> list[Network]:
    recovery = CpdRecovery(tables)
    names = [variable.name for variable in tables.variables]
    return [
        recovery.to_network(to_names(names, mask))
        for mask in enumerate_connected(names, tables.edges, SizeRange(1, len(names), 0))
    ]


@settings(max_examples=60)
@given(elicited_tables())
def test_every_column_of_every_subgraph_sums_to_one(tables: Tables) -> None:
    for network in [recover_network(tables), *subgraphs(tables)]:
        for cpd in network.cpds:
            assert np.abs(cpd.matrix.sum(axis=0) - 1).max() < 1e-9
            assert (cpd.matrix >= 0).all()
            n_columns = np.prod([network.by_name[parent].cardinality for parent in cpd.parents], dtype=int)
            assert cpd.matrix.shape == (network.by_name[cpd.variable].cardinality, n_columns)
            assert len(cpd.rules) == n_columns


@settings(max_examples=40)
@given(elicited_tables())
def test_pyagrum_recovers_the_same_cpds(tables: Tables) -> None:
    for network in [recover_network(tables), *subgraphs(tables)[:5]]:
        assert measure_recovery_gap(tables, network) < 1e-9


@settings(max_examples=60)
@given(elicited_tables())
def test_cells_equal_a_plain_python_oracle(tables: Tables) -> None:
    for cpd in recover_network(tables).cpds:
        cards = [tables.by_name[parent].cardinality for parent in cpd.parents]
        for column, states in enumerate(product(*(range(n) for n in cards))):
            expected = oracle(tables, cpd.variable, cpd.parents, states)
            if expected is not None:
                assert cpd.matrix[:, column] == pytest.approx(expected, abs=1e-9)


def oracle(tables: Tables, child: str, parents: tuple[str, ...], states: tuple[int, ...]) -> list[float] | None:
    """One column by the definition, with loops; None where its mass is too small to be defined."""
    prior = tables.marginals[child].values.tolist()
    if not parents:
        return prior
    multi = tables.multi.get(child)
    if len(parents) >= 2 and multi is not None:
        index = tuple(states[parents.index(name)] for name in multi.parents)
        weights = [float(multi.values[(*index, c)]) for c in range(len(prior))]
    elif len(parents) == 1:
        weights = tables.pairwise[Edge(parents[0], child)].values[states[0]].tolist()
    else:
        weights = [1 / p ** (len(parents) - 1) for p in prior]
        for parent, state in zip(parents, states, strict=True):
            row = tables.pairwise[Edge(parent, child)].values[state]
            weights = [w * float(x) / float(row.sum()) for w, x in zip(weights, row, strict=True)]
    mass = sum(weights)
    return None if mass < 1e-8 else [w / mass for w in weights]


def test_subgraphs_of_one_backbone_share_equal_cpds() -> None:
    recovery = CpdRecovery(make_tables())
    assert recovery.to_network(("a", "c")).cpd_of["c"] is recovery.to_network(("c", "a")).cpd_of["c"]


def test_a_variable_whose_parents_were_cut_becomes_a_root_with_its_marginal() -> None:
    network = CpdRecovery(make_tables()).to_network(("b", "c"))
    assert network.edges == (Edge("b", "c"),)
    assert CpdRecovery(make_tables()).to_network(("c",)).cpd_of["c"].rules == (Rule.PRIOR,)
    assert network.levels == {"b": 0, "c": 1}
