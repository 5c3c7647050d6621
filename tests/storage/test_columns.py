"""The rows of the large tables say cell by cell what the matrices say."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.network import Cpd, Network, Rule, Variable
from schemas.rows import NamedNetwork
from storage.columns import Pool, to_configurations, to_cpd_columns, to_joint_columns
from tests.storage.corpora import make_networks, make_tables
from tests.strategies import networks


def test_a_pool_gives_each_string_one_index_in_order_of_appearance() -> None:
    pool = Pool()
    assert pool.add_all(["b", "a", "b"]).tolist() == [0, 1, 0]
    assert pool.to_column(np.array([1, 0], dtype=np.int32)).to_pylist() == ["a", "b"]


def test_lists_take_as_many_values_as_their_lengths_say() -> None:
    pool = Pool()
    values = pool.add_all(["a", "b", "a"])
    lists = pool.to_lists(values, np.array([2, 0, 1], dtype=np.int32))
    assert lists.to_pylist() == [["a", "b"], [], ["a"]]


def test_configurations_are_in_c_order_the_last_parent_fastest() -> None:
    assert to_configurations((2, 3)).tolist() == [list(pair) for pair in product(range(2), range(3))]


def test_a_cpd_reads_as_its_matrix_column_by_column() -> None:
    # Rows of the matrix are states, so P(b given yes) is its first column, 0.9 and 0.1.
    a, b = Variable("a", ("yes", "none")), Variable("b", ("on", "none"))
    matrix = np.array([[0.9, 0.2], [0.1, 0.8]])
    network = Network(
        (b, a),
        (
            Cpd("b", ("a",), matrix, (Rule.PAIRWISE, Rule.MARGINAL)),
            Cpd("a", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,)),
        ),
    )
    rows = [tuple(row.values()) for row in to_cpd_columns([NamedNetwork("n", network)]).to_pylist()]
    assert rows == [
        ("n", "a", [], [], "yes", 0.3, "prior"),
        ("n", "a", [], [], "none", 0.7, "prior"),
        ("n", "b", ["a"], ["yes"], "on", 0.9, "pairwise"),
        ("n", "b", ["a"], ["yes"], "none", 0.1, "pairwise"),
        ("n", "b", ["a"], ["none"], "on", 0.2, "marginal"),
        ("n", "b", ["a"], ["none"], "none", 0.8, "marginal"),
    ]


@settings(max_examples=40)
@given(networks())
def test_every_cell_of_every_cpd_has_exactly_one_row(network: Network) -> None:
    rows = to_cpd_columns([NamedNetwork("n", network)]).to_pylist()
    cells = {(row["variable"], *row["parent_states"], row["state"]): row["probability"] for row in rows}
    assert len(cells) == len(rows) == sum(cpd.matrix.size for cpd in network.cpds)
    for cpd in network.cpds:
        axes = [network.by_name[parent].states for parent in cpd.parents]
        for j, configuration in enumerate(product(*axes)):
            for s, state in enumerate(network.by_name[cpd.variable].states):
                assert cells[cpd.variable, *configuration, state] == cpd.matrix[s, j]


def test_networks_that_share_a_cpd_each_have_its_rows() -> None:
    named = make_networks()
    together = to_cpd_columns(named).to_pylist()
    apart = [row for item in named for row in to_cpd_columns([item]).to_pylist()]
    assert together == apart


def test_no_networks_are_no_rows() -> None:
    assert to_cpd_columns([]).num_rows == 0


def test_the_same_cpd_over_other_states_is_not_mistaken_for_the_first() -> None:
    cpd = Cpd("a", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
    one, two = Network((Variable("a", ("x", "none")),), (cpd,)), Network((Variable("a", ("y", "none")),), (cpd,))
    rows = to_cpd_columns([NamedNetwork("1", one), NamedNetwork("2", two)]).to_pylist()
    assert [row["state"] for row in rows] == ["x", "none", "y", "none"]


@pytest.mark.parametrize(
    ("cpd", "message"),
    [
        (Cpd("a", (), np.array([[1.0]]), (Rule.PRIOR,)), r"the CPD of 'a' is \(1, 1\), its variables ask for \(2, 1\)"),
        (Cpd("a", (), np.array([[0.5], [0.5]]), ()), "the CPD of 'a'"),
        (Cpd("a", ("b",), np.array([[0.5], [0.5]]), (Rule.PRIOR,)), "names 'b', which is no variable"),
    ],
)
def test_a_cpd_that_does_not_fit_its_variables_is_refused(cpd: Cpd, message: str) -> None:
    network = Network((Variable("a", ("x", "none")),), (cpd,))
    with pytest.raises(ValueError, match=message):
        to_cpd_columns([NamedNetwork("n", network)])


def test_a_joint_has_one_row_per_configuration_and_state() -> None:
    tables = make_tables()
    joints = [("multi", tables.multi["river"]), ("pairwise", tables.pairwise[tables.edges[2]])]
    rows = to_joint_columns("n", joints, tables.by_name).to_pylist()
    assert len(rows) == 3 * 2 * 2 + 2 * 2
    # rain is light, dam open, river full: values[1, 0, 0] of the table.
    cell = next(row for row in rows if row["kind"] == "multi" and row["parent_states"] == ["light", "open"])
    assert (cell["parents"], cell["child"], cell["state"], cell["probability"]) == (
        ["rain", "dam"],
        "river",
        "full",
        0.05,
    )
    assert [row["probability"] for row in rows[12:]] == [0.15, 0.19, 0.05, 0.61]
    assert [row["child"] for row in rows[12:]] == ["flood"] * 4
