"""Ids come from the content; plans respect caps; samples are reproducible."""

import re
from dataclasses import replace

from hypothesis import given, settings

from bayes.coherence import Coherence
from bayes.network import Network, Tables
from bayes.recovery import recover_network
from bayes.subgraphs import count_connected
from schemas.backbones import Backbone
from schemas.settings import BuildSettings
from tasks.examples import plan_examples, sample_examples, to_id
from tasks.recovery import RecoveredBackbone, to_sizes
from tests.strategies import elicited_tables, networks

SETTINGS = BuildSettings(min_nodes=2, max_nodes=4, min_edges=1, examples=20, per_backbone=5)


def recovered(tables: Tables, slug: str = "floods") -> RecoveredBackbone:
    backbone = Backbone("environment", slug, "Floods", "", "m", "", "", tables, {}, ())
    names = [variable.name for variable in tables.variables]
    n = sum(count_connected(names, tables.edges, to_sizes(SETTINGS)).values())
    return RecoveredBackbone(backbone, recover_network(tables), {}, Coherence((), {}), None, n)


@given(networks())
def test_an_id_names_backbone_size_and_eight_digits_whatever_the_order(network: Network) -> None:
    example = to_id("floods", network)
    assert re.fullmatch(rf"floods-{len(network.variables)}-[0-9a-f]{{8}}", example)
    turned = Network(network.variables[::-1], network.cpds[::-1])
    assert to_id("floods", turned) == example


@given(networks())
def test_another_state_gives_another_id(network: Network) -> None:
    first = network.variables[0]
    changed = replace(first, states=("something else", *first.states[1:]))
    assert to_id("floods", Network((changed, *network.variables[1:]), network.cpds)) != to_id("floods", network)


@settings(max_examples=30)
@given(elicited_tables())
def test_a_sample_has_unique_ids_in_order_and_the_same_ones_again(tables: Tables) -> None:
    source = recovered(tables)
    first = sample_examples.fn(source, 5, SETTINGS)
    ids = [draft.example for draft in first]
    assert ids == sorted(set(ids))
    assert ids == [draft.example for draft in sample_examples.fn(source, 5, SETTINGS)]
    assert len(ids) == min(5, source.n_subgraphs)


@settings(max_examples=20)
@given(elicited_tables(), elicited_tables())
def test_a_plan_keeps_both_caps(one: Tables, two: Tables) -> None:
    plan = plan_examples([recovered(one, "one"), recovered(two, "two")], SETTINGS)
    assert sum(plan.values()) <= SETTINGS.examples
    assert all(n <= SETTINGS.per_backbone for n in plan.values())
