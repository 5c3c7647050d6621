"""The deterministic writer covers every network, says the same each time, and varies."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bayes.coverage import MAX_WORDS, check, count_words
from bayes.folding import is_same_name
from bayes.network import Cpd, Network, Rule, Variable
from providers.writer.writer import write

ORDINARY = (
    "rainfall", "soil moisture", "crop yields", "interest rate", "labor market condition", "public trust", "GDP growth",
    "GDP", "growth", "youth unemployment", "unemployment", "Interbank Contagion", "housing policy", "people", "news",
    "benefit payment level", "trade of goods", "Okun's law", "R&D spending", "high risk", "risk", "time period",
)  # fmt: skip
AWKWARD = (
    "2008", "$1,015", "42.67%", "5%", "35", "0.4", "causes", "causes of death", "rarely used", "usually", "almost never",
    "very likely", "the", "of", "chance", "the chance", "in most cases", "cases", "as", "it", "Washington, D.C.", "St. Louis",
    "U.S. Congress", "U.S.", "Yes!", "Why? Because", "a (b)", "[x]", "a.b*c+", "C++", "<5", ">5", "#1 ranking", "**bold**",
    "{C}", "<P:is|are>", "it's", "workers’ rights", "“quoted” thing", 'a "quoted" thing', "A—B", "e.g. this",
    "co-operation", "state", "states", "node", "none at all", "No", "not high", "stark & strong", "Ünïversity", "naïve",
    "one in four", "less than 10%", "effect of heat", "depends on", "leads to", "unemployment, total", "UPPER CASE",
    "ßtraße", "x", "a", "re-election as mayor", "under 1%", "growth rate", "growth rate of exports", "e-mail", "- 5", "-5",
)  # fmt: skip
LONG = st.text("abcdefghij klmnop", min_size=50, max_size=60)
names = st.one_of(
    st.sampled_from(ORDINARY),
    st.sampled_from(ORDINARY),
    st.sampled_from(AWKWARD),
    st.text("abcdefghijklmnopqrstuvwxyz -,'&$%.0123456789ABCé", min_size=1, max_size=14),
).filter(lambda name: any(map(str.isalnum, name)) and name != "none")


def is_distinct(taken: list[str], name: str) -> bool:
    return not any(is_same_name(name, other) for other in taken)


def draw_names(draw: st.DrawFn, n: int, source: st.SearchStrategy[str]) -> list[str]:
    found: list[str] = []
    while len(found) < n:
        name = draw(source.filter(lambda name: is_distinct(found, name)))
        found.append(name)
    return found


def random_network(rng: np.random.Generator, declared: list[Variable], edges: list[tuple[int, int]]) -> Network:
    """Edges go from lower to higher positions; CPDs are spiky, so that all strengths occur."""
    cpds: list[Cpd] = []
    for i, variable in enumerate(declared):
        parents = [declared[a] for a, b in edges if b == i]
        n_columns = int(np.prod([parent.cardinality for parent in parents], dtype=np.int64))
        matrix = rng.dirichlet(np.full(variable.cardinality, 0.6), size=n_columns).T
        cpds.append(Cpd(variable.name, tuple(p.name for p in parents), matrix, (Rule.GIVEN,) * n_columns))
    return Network(tuple(declared), tuple(cpds))


@st.composite
def named_networks(draw: st.DrawFn, *, max_nodes: int = 7, max_states: int = 5) -> Network:
    """Any network, with any names."""
    n = draw(st.integers(1, max_nodes))
    declared: list[Variable] = []
    for name in draw_names(draw, n, names):
        states = draw_names(draw, draw(st.integers(1, max_states - 1)), names)
        declared.append(Variable(name, (*states, "none") if draw(st.booleans()) or len(states) < 2 else tuple(states)))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n)) if pairs else []
    kept = [edge for i, edge in enumerate(edges) if sum(other[1] == edge[1] for other in edges[:i]) < 4]
    return random_network(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), declared, kept)


@given(named_networks(), st.sampled_from(["", "Bank runs", "5% of it. Usually (in 1932)", "**x**"]), st.text(max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_description_passes_all_checks_whatever_the_names(network: Network, title: str, seed: str) -> None:
    report = check(write(network, title=title, seed=seed), network)
    assert report.problems == ()
