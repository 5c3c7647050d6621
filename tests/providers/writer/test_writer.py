"""The deterministic writer covers every network, says the same each time, and varies."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bayes.coverage import check, count_words
from bayes.folding import to_key
from bayes.network import Cpd, Network, Rule, Variable
from providers.writer.writer import write

ORDINARY = (
    "rainfall", "soil moisture", "crop yields", "interest rate", "labor market condition", "public trust", "GDP growth",
    "GDP", "growth", "youth unemployment", "unemployment", "Interbank Contagion", "housing policy", "people", "news",
    "benefit payment level", "trade of goods", "Okun's law", "R&D spending", "high risk", "risk", "time period",
)  # fmt: skip
AWKWARD = (
    "2008", "$1,015", "42.67%", "5%", "35", "0.4", "causes", "causes of death", "rarely used", "usually",
    "almost never", "very likely", "the", "of", "chance", "the chance", "in most cases", "cases", "as", "it",
    "Washington, D.C.",
    "St. Louis", "U.S. Congress", "U.S.", "Yes!", "Why? Because", "a (b)", "[x]", "a.b*c+", "C++", "<5", ">5",
    "#1 ranking", "**bold**", "{C}", "<P:is|are>", "it's", "workers’ rights", "“quoted” thing", 'a "quoted" thing',
    "A—B", "e.g. this", "co-operation", "state", "states", "node", "none at all", "No", "not high", "stark & strong",
    "Ünïversity", "naïve", "one in four", "less than 10%", "effect of heat", "depends on", "leads to", "UPPER CASE",
    "unemployment, total", "ßtraße", "x", "a", "re-election as mayor", "under 1%", "growth rate", "e-mail", "- 5", "-5",
    "growth rate of exports",
)  # fmt: skip
names = st.one_of(
    st.sampled_from(ORDINARY),
    st.sampled_from(ORDINARY),
    st.sampled_from(AWKWARD),
    st.text("abcdefghijklmnopqrstuvwxyz -,'&$%.0123456789ABCé", min_size=1, max_size=14),
).filter(lambda name: any(map(str.isalnum, name)) and name != "none")


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
    for name in draw(st.lists(names, min_size=n, max_size=n, unique_by=to_key)):
        states = draw(st.lists(names, min_size=1, max_size=max_states - 1, unique_by=to_key))
        declared.append(Variable(name, (*states, "none") if draw(st.booleans()) or len(states) < 2 else tuple(states)))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=2 * n)) if pairs else []
    kept = [edge for i, edge in enumerate(edges) if sum(other[1] == edge[1] for other in edges[:i]) < 4]
    return random_network(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), declared, kept)


FIRST_WORDS = "This account of Famines is concerned with public unrest and with what lies further back: rainfall."
TITLES = st.sampled_from(["", "Bank runs", "5% of it. Usually (in 1932)", "**x**"])


@given(named_networks(), TITLES, st.text(max_size=3))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_every_description_passes_all_checks_whatever_the_names(network: Network, title: str, seed: str) -> None:
    report = check(write(network, title=title, seed=seed), network)
    assert report.problems == ()


def made_up_network(n: int, n_edges: int, n_states: int, length: int, seed: int = 0) -> Network:
    """A network with ordinary words, at most three parents a child, and names of about ``length`` characters."""
    rng = np.random.default_rng(seed)
    words = [
        f"{a}{b}" for a in ("wa", "fo", "cre", "bor", "gra", "li") for b in ("ter", "rest", "dit", "der", "nary", "mon")
    ]
    taken: list[str] = []
    while len(taken) < n * n_states:
        name = ""
        while len(name) < length:
            name = f"{name} {words[int(rng.integers(len(words)))]}".strip()
        if name not in taken:
            taken.append(name)
    declared = [Variable(taken[i], (*taken[n + i * (n_states - 1) :][: n_states - 1], "none")) for i in range(n)]
    edges: list[tuple[int, int]] = []
    pairs = list(combinations(range(n), 2))
    for i in rng.permutation(len(pairs)):
        if len(edges) < n_edges and sum(child == pairs[i][1] for _, child in edges) < 3:
            edges.append(pairs[i])
    return random_network(rng, declared, edges)


@pytest.mark.parametrize(
    ("n", "n_edges", "n_states", "length"),
    [(1, 0, 2, 5), (2, 1, 2, 6), (2, 1, 7, 40), (9, 14, 7, 14), (9, 14, 7, 52), (20, 26, 7, 10), (20, 30, 4, 14)],
)
def test_the_smallest_and_the_largest_networks_fit_the_length(n: int, n_edges: int, n_states: int, length: int) -> None:
    network = made_up_network(n, n_edges, n_states, length)
    assert check(write(network, title="A title", seed="s"), network).is_covered


def test_names_too_long_for_the_limit_break_that_check_and_no_other() -> None:
    network = made_up_network(20, 26, 7, 60)
    problems = check(write(network), network).problems
    assert [problem.kind.value for problem in problems] == ["too_long"]


def weather(seed: int = 5) -> Network:
    names = ("rainfall", "soil moisture", "crop yields", "food prices", "public unrest")
    states = (("heavy", "scanty"), ("high", "low"), ("good", "poor"), ("rising", "falling"), ("protests", "riots"))
    declared = [Variable(name, (*found, "none")) for name, found in zip(names, states, strict=True)]
    return random_network(np.random.default_rng(seed), declared, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])


def to_sentences(text: str) -> set[str]:
    return set(re.split(r"(?<=[.!?])\s+", text))


def test_the_same_seed_gives_the_same_text_and_another_seed_another_one() -> None:
    texts = [write(weather(), title="Famines", seed=seed) for seed in ("a", "a", "b")]
    assert texts[0] == texts[1]
    assert len(to_sentences(texts[0]) & to_sentences(texts[2])) <= len(to_sentences(texts[0])) // 4


def test_the_text_follows_from_nothing_but_network_title_and_seed() -> None:
    # Fixed once and for all: what Random("...").random() yields does not change between Python versions.
    assert write(weather(), title="Famines", seed="a").startswith(FIRST_WORDS)


def test_examples_of_one_backbone_do_not_read_like_one_template() -> None:
    openings = {write(weather(), title="Famines", seed=str(i)).split(". ")[0] for i in range(12)}
    assert len(openings) >= 7


def test_a_text_gives_numbers_and_strength_words_and_no_lists() -> None:
    text = write(weather(), title="Famines", seed="c")
    assert len(re.findall(r"\d+(?:%| per ?cent)", text)) >= 8
    assert re.search(r"usually|often|likely|chance|most cases|as a rule", text)
    assert not re.search(r"^\s*[-*#\d]|\bstates\b|\bnode\b|\bvariable\b", text, re.MULTILINE)
    assert 200 <= count_words(text) <= 600
    assert text.count("\n\n") >= 3


def test_the_baseline_is_never_called_none() -> None:
    assert not any(re.search(r"\bnone\b(?! of)", write(weather(i), seed=str(i))) for i in range(5))


def test_names_with_markup_and_slots_come_through_as_they_are() -> None:
    network = random_network(
        np.random.default_rng(1),
        [Variable("{C} of <P:is|are>", ("{pct}", "100%", "none")), Variable("<b>bold</b>", ("%s", "\\1", "none"))],
        [(0, 1)],
    )
    text = write(network, title="{T}", seed="x")
    for name in ("{C} of <P:is|are>", "{pct}", "<b>bold</b>", "%s", "\\1"):
        assert name in text
    assert check(text, network).is_covered


def test_a_title_that_would_break_the_checks_is_left_out_and_others_stand_in_the_opening() -> None:
    assert "**" not in write(weather(), title="**Famines**", seed="a")
    assert "12%" not in write(weather(), title="Famines of 12%", seed="a")
    first = write(weather(), title="Famines (disambiguation)\nin Europe", seed="a").split("\n\n")[0]
    assert "amines (disambiguation) in Europe" in first


def test_unmentionable_states_do_not_stop_the_writer() -> None:
    network = random_network(
        np.random.default_rng(2), [Variable("sign", ("+", "-", "?", "none")), Variable("size", ("<5", ">5"))], [(0, 1)]
    )
    assert check(write(network, seed="q"), network).is_covered
