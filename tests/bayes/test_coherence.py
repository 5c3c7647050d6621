"""Disagreement between tables is measured, and reconciliation removes it."""

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.coherence import measure_coherence, total_variation
from bayes.inference import to_marginals
from bayes.network import Edge, Table, Tables, Variable
from bayes.reconciliation import Margin, fit_margins, reconcile
from bayes.recovery import recover_network
from tests.strategies import elicited_tables


def test_gaps_are_total_variations_between_what_different_tables_say() -> None:
    a, c = Variable("a", ("yes", "none")), Variable("c", ("yes", "none"))
    tables = Tables(
        (a, c),
        (Edge("a", "c"),),
        {"a": Table("a", (), np.array([0.5, 0.5])), "c": Table("c", (), np.array([0.9, 0.1]))},
        {Edge("a", "c"): Table("c", ("a",), np.array([[0.3, 0.3], [0.2, 0.2]]))},
        {},
    )
    coherence = measure_coherence(tables, to_marginals(recover_network(tables)))
    # the joint implies P(a) = (0.6, 0.4) and P(c) = (0.5, 0.5)
    assert coherence.edges[0].parent_gap == pytest.approx(0.1)
    assert coherence.edges[0].child_gap == pytest.approx(0.4)
    assert coherence.edges[0].joint_gap is None
    # the network's own P(c) is (0.5, 0.5) as both columns are
    assert coherence.network_gaps["c"] == pytest.approx(0.4)
    assert coherence.max_gap == pytest.approx(0.4)


def test_fitting_keeps_the_odds_ratio() -> None:
    joint = np.array([[0.4, 0.1], [0.2, 0.3]])
    fitted = fit_margins(joint, [Margin((0,), np.array([0.7, 0.3])), Margin((1,), np.array([0.2, 0.8]))])
    assert fitted.sum(axis=1) == pytest.approx([0.7, 0.3])
    # 0.4 * 0.3 / (0.1 * 0.2) = 6
    assert fitted[0, 0] * fitted[1, 1] / (fitted[0, 1] * fitted[1, 0]) == pytest.approx(6)


def test_margins_that_a_zero_forbids_are_reported_as_residual() -> None:
    a, c = Variable("a", ("yes", "none")), Variable("c", ("yes", "none"))
    tables = Tables(
        (a, c),
        (Edge("a", "c"),),
        {"a": Table("a", (), np.array([0.9, 0.1])), "c": Table("c", (), np.array([0.1, 0.9]))},
        {Edge("a", "c"): Table("c", ("a",), np.array([[0.5, 0.0], [0.0, 0.5]]))},
        {},
    )
    assert reconcile(tables).max_residual > 0.1


@settings(max_examples=40, deadline=None)
@given(elicited_tables(max_nodes=5))
def test_after_reconciling_joints_and_marginals_agree(tables: Tables) -> None:
    result = reconcile(tables)
    gaps = measure_coherence(result.tables, {}).edges
    assert result.max_residual < 1e-6
    assert all(max(gap.parent_gap, gap.child_gap, gap.joint_gap or 0) < 1e-6 for gap in gaps)
    assert 0 <= result.max_move <= 1


def test_reconciling_coherent_tables_moves_nothing() -> None:
    joint = np.array([[0.3, 0.2], [0.1, 0.4]])
    a, c = Variable("a", ("yes", "none")), Variable("c", ("yes", "none"))
    edge = Edge("a", "c")
    marginals = {"a": Table("a", (), joint.sum(axis=1)), "c": Table("c", (), joint.sum(axis=0))}
    result = reconcile(Tables((a, c), (edge,), marginals, {edge: Table("c", ("a",), joint)}, {}))
    assert result.max_move < 1e-12
    assert total_variation(result.tables.pairwise[edge].values, joint) < 1e-12
