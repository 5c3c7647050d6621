"""Tables of one parent each become full CPDs by the product rule, whatever is missing in them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Network, Rule, Variable
from bayes.scoring.assembly import PairwiseNetwork, complete_columns, to_prediction, to_reference
from tests.strategies_assembly import damaged_networks, forests

NAN = np.nan
AC, BC = Edge("a", "c"), Edge("b", "c")
STATES = ("yes", "none")


def make(
    tables: dict[Edge, list[list[float]]], priors: dict[str, list[float]] | None = None, names: str = "abc"
) -> PairwiseNetwork:
    """Variables of two states each, with the edges of ``tables``; an empty table is an edge without one."""
    return PairwiseNetwork(
        tuple(Variable(name, STATES) for name in names),
        tuple(tables),
        {edge: np.array(table) for edge, table in tables.items() if table},
        {name: np.array(prior) for name, prior in (priors or {}).items()},
    )


class TestCompleting:
    def test_a_missing_cell_gets_the_floor_and_the_column_is_renormalised(self) -> None:
        # 0.9, 0.1 and the floor 0.0001 sum to 1.0001
        column = complete_columns(np.array([[0.9], [NAN], [0.1]]))[:, 0]
        assert column == pytest.approx([0.9 / 1.0001, 0.0001 / 1.0001, 0.1 / 1.0001])

    def test_a_column_of_zeros_or_of_nothing_stays_all_zero(self) -> None:
        assert complete_columns(np.array([[0.0, NAN, NAN], [0.0, NAN, 0.0]])).tolist() == [[0.0] * 3] * 2

    def test_a_column_summing_to_1_03_is_divided_by_it(self) -> None:
        assert complete_columns(np.array([[0.53], [0.5]]))[0, 0] == pytest.approx(0.53 / 1.03)


class TestReference:
    def test_two_parents_are_joined_by_the_product_rule_with_the_propagated_marginal(self) -> None:
        network = make(
            {AC: [[0.6, 0.2], [0.4, 0.8]], BC: [[0.5, 0.1], [0.5, 0.9]]}, {"a": [0.5, 0.5], "b": [0.25, 0.75]}
        )
        # P_a(c=yes) = 0.5*0.6 + 0.5*0.2 = 0.4; P_b(c=yes) = 0.25*0.5 + 0.75*0.1 = 0.2; mean P(c) = (0.3, 0.7)
        # a=yes, b=yes: (0.6*0.5/0.3, 0.4*0.5/0.7) = (1, 0.285714), normalised (0.777778, 0.222222)
        cpd = to_reference(network).network.cpd_of["c"]
        assert cpd.parents == ("a", "b")
        assert cpd.matrix[:, 0] == pytest.approx([7 / 9, 2 / 9])
        # a=none, b=yes is the third column: (0.2*0.5/0.3, 0.8*0.5/0.7) = (0.333333, 0.571429)
        assert cpd.matrix[0, 2] == pytest.approx((1 / 3) / (1 / 3 + 4 / 7))
        assert set(cpd.rules) == {Rule.PRODUCT}

    def test_a_prior_told_for_a_child_is_its_marginal(self) -> None:
        network = make({AC: [[0.6, 0.2], [0.4, 0.8]], BC: [[0.5, 0.1], [0.5, 0.9]]}, {"c": [0.5, 0.5]})
        # a=yes, b=yes with P(c) even: (0.3, 0.2) normalised
        assert to_reference(network).network.cpd_of["c"].matrix[:, 0] == pytest.approx([0.6, 0.4])

    def test_marginals_go_down_a_chain_whatever_the_order_of_the_nodes(self) -> None:
        tables = {
            Edge("c", "b"): [[1.0, 0.5], [0.0, 0.5]],
            Edge("b", "a"): [[0.2, 0.6], [0.8, 0.4]],
            Edge("a", "d"): [[0.9, 0.4], [0.1, 0.6]],
            Edge("e", "d"): [[NAN, NAN], [NAN, NAN]],
            Edge("f", "d"): [[0.0, NAN], [NAN, NAN]],
        }
        network = make(tables, {"c": [0.2, 0.8]}, "abcdef")
        # P(b=yes) = 0.2 + 0.8*0.5 = 0.6; P(a=yes) = 0.6*0.2 + 0.4*0.6 = 0.36; P(d=yes) = 0.36*0.9 + 0.64*0.4 = 0.58
        network.tables[Edge("a", "d")][:, 1] = NAN
        untold = to_reference(network).network.cpd_of["d"]
        assert untold.matrix[0, -1] == pytest.approx(0.9)
        network.tables[Edge("a", "d")][:, 1] = [0.4, 0.6]
        network.tables[Edge("f", "d")][:, 0] = [0.5, 0.5]
        # f=none tells nothing and e nothing at all; P(d=yes) is the mean of 0.58 and 0.5
        told = to_reference(network).network.cpd_of["d"]
        # a=yes, e=yes, f=yes: (0.9*0.5/0.54, 0.1*0.5/0.46), the prior being divided out once: e cancels
        assert told.matrix[0, 0] == pytest.approx((0.45 / 0.54) / (0.45 / 0.54 + 0.05 / 0.46))

    def test_a_null_column_is_the_marginal_that_the_other_columns_imply(self) -> None:
        network = make({AC: [[0.6, NAN], [0.4, NAN]]}, {"a": [0.1, 0.9]})
        reference = to_reference(network)
        cpd = reference.network.cpd_of["c"]
        assert cpd.matrix == pytest.approx(np.array([[0.6, 0.6], [0.4, 0.4]]))
        assert cpd.rules == (Rule.PAIRWISE, Rule.MARGINAL)
        assert reference.pairwise[AC] == pytest.approx(np.array([[0.6, 0.6], [0.4, 0.4]]))

    @pytest.mark.parametrize("table", [[], [[NAN, NAN], [NAN, NAN]], [[0.0, 0.0], [0.0, 0.0]]])
    def test_an_edge_without_a_telling_table_stays_with_uniform_columns(self, table: list[list[float]]) -> None:
        reference = to_reference(make({AC: table}))
        assert reference.network.edges == (AC,)
        assert reference.network.cpd_of["c"].matrix.tolist() == [[0.5, 0.5], [0.5, 0.5]]
        assert reference.network.cpd_of["c"].rules == (Rule.MARGINAL, Rule.MARGINAL)
        assert reference.pairwise == {}

    def test_a_parent_without_a_table_does_not_change_the_product(self) -> None:
        cpd = to_reference(make({AC: [[0.6, 0.2], [0.4, 0.8]], BC: []})).network.cpd_of["c"]
        assert cpd.matrix[0].tolist() == pytest.approx([0.6, 0.6, 0.2, 0.2])

    def test_a_configuration_that_no_parent_tells_of_is_marked_as_the_marginal(self) -> None:
        cpd = to_reference(make({AC: [[0.6, NAN], [0.4, NAN]], BC: [[0.8, 0.0], [0.2, 0.0]]})).network.cpd_of["c"]
        assert cpd.rules == (Rule.PRODUCT, Rule.PRODUCT, Rule.PRODUCT, Rule.MARGINAL)
        # the mean of the two estimates 0.6 and 0.8
        assert cpd.matrix[0, 3] == pytest.approx(0.7)

    def test_roots_have_their_prior_or_are_uniform_and_marked_so(self) -> None:
        network = to_reference(make({}, {"a": [0.2, 0.8], "b": [NAN, NAN]})).network
        assert network.cpd_of["a"].matrix.tolist() == [[0.2], [0.8]]
        assert [network.cpd_of[name].rules for name in "abc"] == [(Rule.PRIOR,), (Rule.MARGINAL,), (Rule.MARGINAL,)]
        assert network.cpd_of["b"].matrix.tolist() == [[0.5], [0.5]]

    @pytest.mark.parametrize(
        ("network", "message"),
        [
            (make({AC: [], Edge("c", "a"): []}), "cycle"),
            (make({AC: []}, names="acc"), "two variables called 'c'"),
            (PairwiseNetwork((Variable("a", ()),)), "'a' has no states"),
            (make({Edge(name, "z"): [] for name in "abcdefghijklmnopqrst"}, names="abcdefghijklmnopqrstz"), "1000000"),
        ],
    )
    def test_what_is_no_network_is_refused(self, network: PairwiseNetwork, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            to_reference(network)

    @given(forests())
    def test_single_parent_tables_give_the_network_back(self, network: Network) -> None:
        tables = {edge: network.cpd_of[edge.child].matrix for edge in network.edges}
        priors = {cpd.variable: cpd.matrix[:, 0] for cpd in network.cpds if not cpd.parents}
        reference = to_reference(PairwiseNetwork(network.variables, network.edges, tables, priors))
        assert reference.network.edges == network.edges
        for before, after in zip(network.cpds, reference.network.cpds, strict=True):
            assert after.matrix == pytest.approx(before.matrix, abs=1e-12)
            assert set(after.rules) == {Rule.PAIRWISE if after.parents else Rule.PRIOR}
        for edge, table in tables.items():
            assert reference.pairwise[edge] == pytest.approx(table, abs=1e-12)

    @given(damaged_networks(is_acyclic=True))
    def test_every_column_sums_to_1_whatever_is_missing(self, network: PairwiseNetwork) -> None:
        reference = to_reference(network)
        for cpd in reference.network.cpds:
            assert cpd.matrix.sum(axis=0) == pytest.approx(np.ones(cpd.matrix.shape[1]))
            assert len(cpd.rules) == cpd.matrix.shape[1]
        for table in reference.pairwise.values():
            assert table.sum(axis=0) == pytest.approx(np.ones(table.shape[1]))


class TestPrediction:
    def test_one_parent_keeps_its_table_as_it_came(self) -> None:
        prediction = to_prediction(make({AC: [[0.53, NAN], [0.5, NAN]]}))
        expected = [[0.53, NAN], [0.5, NAN]]
        assert np.array_equal(prediction.cpds["c"].matrix, expected, equal_nan=True)
        assert np.array_equal(prediction.pairwise[AC], expected, equal_nan=True)
        assert set(prediction.cpds) == {"c"}

    def test_several_parents_have_their_product_and_nothing_where_none_tells(self) -> None:
        prediction = to_prediction(make({AC: [[0.6, NAN], [0.4, NAN]], BC: [[0.8, 0.0], [0.2, 0.0]]}))
        matrix = prediction.cpds["c"].matrix
        assert np.isnan(matrix).tolist() == [[False, False, False, True]] * 2
        # P(c) = (0.7, 0.3), both yes: (0.6*0.8/0.7, 0.4*0.2/0.3) = (0.685714, 0.266667), normalised 0.72
        assert matrix[0, 0] == pytest.approx(0.72)

    def test_parents_without_a_table_do_not_stand_in_the_full_table(self) -> None:
        prediction = to_prediction(make({AC: [[0.6, 0.2], [0.4, 0.8]], BC: []}))
        assert prediction.cpds["c"].parents == ("a",)
        assert prediction.edges == (AC, BC)

    def test_a_root_has_its_prior_only_where_it_came(self) -> None:
        prediction = to_prediction(make({}, {"a": [0.2, 0.7], "b": []}))
        assert prediction.cpds["a"].matrix.tolist() == [[0.2], [0.7]]
        assert set(prediction.cpds) == {"a"}

    def test_a_cycle_keeps_its_edges_and_takes_uniform_marginals(self) -> None:
        table = [[0.6, 0.2], [0.4, 0.8]]
        edges = [*pairwise("abca"), ("b", "a")]
        prediction = to_prediction(make({Edge(*edge): table for edge in edges}))
        assert prediction.edges == tuple(Edge(*edge) for edge in edges)
        # a has the parents c and b; P(a) is uniform: (0.36, 0.16) normalised
        assert prediction.cpds["a"].matrix[0, 0] == pytest.approx(0.36 / 0.52)

    def test_a_variable_that_is_its_own_parent_keeps_the_edge_and_has_no_such_column(self) -> None:
        loop = Edge("c", "c")
        prediction = to_prediction(make({loop: [[0.6, 0.2], [0.4, 0.8]], AC: [[0.1, 0.2], [0.9, 0.8]]}))
        assert prediction.edges == (loop, AC)
        assert prediction.cpds["c"].parents == ("a",)

    def test_a_name_twice_stays_twice_and_the_first_one_counts(self) -> None:
        variables = (Variable("a", STATES), Variable("a", ("x", "y", "z")))
        prediction = to_prediction(PairwiseNetwork(variables, (), {}, {"a": np.array([0.1, 0.9])}))
        assert prediction.variables == variables
        assert prediction.cpds["a"].matrix.shape == (2, 1)

    def test_a_table_too_large_for_the_memory_is_left_out(self) -> None:
        names = "abcdefghijklmnopqrst"
        tables = {Edge(name, "z"): [[0.6, 0.2], [0.4, 0.8]] for name in names}
        prediction = to_prediction(make(tables, names=f"{names}z"))
        assert "z" not in prediction.cpds
        assert len(prediction.pairwise) == 20

    def test_nothing_gives_nothing(self) -> None:
        prediction = to_prediction(PairwiseNetwork())
        assert (prediction.variables, prediction.edges, prediction.cpds) == ((), (), {})

    @given(damaged_networks(), st.booleans())
    def test_no_pattern_of_missing_cells_and_no_cycle_raises(self, network: PairwiseNetwork, is_twice: bool) -> None:
        if is_twice:
            doubled = (*network.variables, *network.variables)
            network = PairwiseNetwork(doubled, network.edges, network.tables, network.priors)
        prediction = to_prediction(network)
        for cpd in prediction.cpds.values():
            n_columns = np.prod([prediction.by_name[name].cardinality for name in cpd.parents], dtype=int)
            assert cpd.matrix.shape == (prediction.by_name[cpd.child].cardinality, n_columns)
            if len(cpd.parents) > 1:
                sums = cpd.matrix.sum(axis=0)
                assert np.all(np.isnan(sums) | (np.abs(sums - 1) < 1e-9))
