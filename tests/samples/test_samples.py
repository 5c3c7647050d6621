"""The samples are what the key-less run promises: short articles, each with replies that a careful reader accepts."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict

from bayes.network import BASELINE_STATE, FloatArray
from schemas.replies import EdgesReply, JointsReply, MarginalsReply, MultiJointsReply, VariablesReply

SAMPLES = Path(__file__).parents[2] / "samples"
DOMAINS = ("economics", "environment", "geopolitics", "technology", "society")
SLUGS = sorted(path.stem for path in (SAMPLES / "articles").glob("*.md"))

each_sample = pytest.mark.parametrize("slug", SLUGS)


class RecordedReplies(BaseModel):
    """The layout of a file in ``samples/replies``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    model: str
    sha256: str
    variables: VariablesReply
    edges: EdgesReply
    marginals: MarginalsReply
    joints: JointsReply
    multi_joints: MultiJointsReply


class SampleArticle(NamedTuple):
    """The front matter and the text of a file in ``samples/articles``."""

    header: dict[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class JointArray:
    """A joint of named variables as an array with one axis each, the child's last."""

    names: tuple[str, ...]
    values: FloatArray

    def to_marginal(self, name: str) -> FloatArray:
        """What the joint implies for one of its variables."""
        return self.to_pair(name, name)

    def to_pair(self, parent: str, child: str) -> FloatArray:
        """What the joint implies for two of its variables (one axis if they are the same)."""
        kept = (self.names.index(parent), self.names.index(child))
        summed = self.values.sum(axis=tuple(axis for axis in range(self.values.ndim) if axis not in kept))
        return summed if kept[0] <= kept[1] else summed.T


@cache
def read_article(slug: str) -> SampleArticle:
    opening, header, text = (SAMPLES / "articles" / f"{slug}.md").read_text("utf-8").split("---\n", 2)
    assert opening == ""
    pairs = (line.split(": ", 1) for line in header.splitlines())
    return SampleArticle(dict(pairs), text.strip())


@cache
def read_replies(slug: str) -> RecordedReplies:
    return RecordedReplies.model_validate_json((SAMPLES / "replies" / f"{slug}.json").read_text("utf-8"))


def states_of(slug: str) -> dict[str, list[str]]:
    return {variable.name: variable.states for variable in read_replies(slug).variables.variables}


def parents_of(slug: str) -> dict[str, tuple[str, ...]]:
    """Parents in the order in which the edges list them."""
    edges = read_replies(slug).edges.edges
    return {name: tuple(edge.parent for edge in edges if edge.child == name) for name in states_of(slug)}


def to_joint(slug: str, names: Sequence[str], cells: Sequence[tuple[tuple[str, ...], float]]) -> JointArray:
    """The array of these cells, which must be every combination of states exactly once."""
    states = [states_of(slug)[name] for name in names]
    assert Counter(key for key, _ in cells) == Counter(product(*states)), f"cells of {names}"
    lookup = dict(cells)
    values = np.array([lookup[key] for key in product(*states)]).reshape([len(each) for each in states])
    return JointArray(tuple(names), values)


@cache
def marginals_of(slug: str) -> dict[str, JointArray]:
    return {
        table.variable: to_joint(
            slug, [table.variable], [((cell.state,), cell.probability) for cell in table.probabilities]
        )
        for table in read_replies(slug).marginals.marginals
    }


@cache
def pairs_of(slug: str) -> tuple[JointArray, ...]:
    return tuple(
        to_joint(
            slug,
            [table.parent, table.child],
            [((cell.parent_state, cell.child_state), cell.probability) for cell in table.cells],
        )
        for table in read_replies(slug).joints.joints
    )


@cache
def families_of(slug: str) -> tuple[JointArray, ...]:
    return tuple(
        to_joint(
            slug,
            [*table.parents, table.child],
            [((*cell.parent_states, cell.child_state), cell.probability) for cell in table.cells],
        )
        for table in read_replies(slug).multi_joints.joints
    )


def total_variation(first: FloatArray, second: FloatArray) -> float:
    return 0.5 * float(np.abs(first - second).sum())


def test_every_domain_has_at_least_two_articles() -> None:
    counts = Counter(read_article(slug).header["domain"] for slug in SLUGS)
    assert set(counts) == set(DOMAINS)
    assert min(counts.values()) >= 2


def test_articles_and_replies_pair_up() -> None:
    assert sorted(path.stem for path in (SAMPLES / "replies").glob("*.json")) == SLUGS


@each_sample
def test_front_matter_has_the_four_keys_and_the_file_is_named_after_the_title(slug: str) -> None:
    header = read_article(slug).header
    assert list(header) == ["title", "domain", "licence", "written"]
    assert all(header.values())
    assert slug == header["title"].lower().replace(" ", "-")


@each_sample
def test_an_article_is_150_to_300_words_of_plain_paragraphs(slug: str) -> None:
    text = read_article(slug).text
    assert 150 <= len(text.split()) <= 300
    assert not any(line.startswith(("#", "-", "*", "|", ">")) for line in text.splitlines())


@each_sample
def test_replies_belong_to_the_text_as_it_stands(slug: str) -> None:
    assert read_replies(slug).sha256 == hashlib.sha256(read_article(slug).text.encode("utf-8")).hexdigest()


@each_sample
def test_replies_are_named_recorded(slug: str) -> None:
    assert read_replies(slug).model == "recorded"


@each_sample
def test_six_to_twelve_variables_with_unique_names_that_are_no_state(slug: str) -> None:
    variables = read_replies(slug).variables.variables
    names = [variable.name.casefold() for variable in variables]
    assert 6 <= len(variables) <= 12
    assert len(set(names)) == len(names)
    assert not set(names) & {state.casefold() for variable in variables for state in variable.states}


@each_sample
def test_every_variable_has_two_to_five_telling_states_and_then_the_baseline(slug: str) -> None:
    for name, states in states_of(slug).items():
        assert 3 <= len(states) <= 6, name
        assert states.index(BASELINE_STATE) == len(states) - 1, name
        assert len({state.casefold() for state in states}) == len(states), name


@each_sample
def test_edges_join_known_variables_once_with_a_short_mechanism(slug: str) -> None:
    edges = read_replies(slug).edges.edges
    assert {end for edge in edges for end in (edge.parent, edge.child)} <= set(states_of(slug))
    assert len({(edge.parent, edge.child) for edge in edges}) == len(edges)
    assert all(1 <= len(edge.mechanism.split()) <= 20 for edge in edges)


@each_sample
def test_edges_form_a_connected_dag_of_depth_three_or_more(slug: str) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(states_of(slug))
    graph.add_edges_from((edge.parent, edge.child) for edge in read_replies(slug).edges.edges)
    assert nx.is_directed_acyclic_graph(graph)
    assert nx.is_weakly_connected(graph)
    assert nx.dag_longest_path_length(graph) >= 3


def test_the_samples_exercise_every_rule_of_cpd_recovery() -> None:
    """No parent, one, two or three with a multi-parent joint, four without one."""
    n_parents = {len(parents) for slug in SLUGS for parents in parents_of(slug).values()}
    assert n_parents >= {0, 1, 2, 3, 4}


@each_sample
def test_every_variable_edge_and_small_family_has_one_table(slug: str) -> None:
    replies = read_replies(slug)
    parents = parents_of(slug)
    assert Counter(table.variable for table in replies.marginals.marginals) == Counter(parents.keys())
    assert Counter((table.parent, table.child) for table in replies.joints.joints) == Counter(
        (edge.parent, edge.child) for edge in replies.edges.edges
    )
    assert Counter((table.child, tuple(table.parents)) for table in replies.multi_joints.joints) == Counter(
        (child, names) for child, names in parents.items() if len(names) in (2, 3)
    )


@each_sample
def test_every_table_is_complete_and_a_distribution(slug: str) -> None:
    """Completeness (each combination of states once) is checked where the cells are read."""
    for table in (*marginals_of(slug).values(), *pairs_of(slug), *families_of(slug)):
        assert table.values.min() >= 0, table.names
        assert table.values.sum() == pytest.approx(1, abs=2e-3), table.names


@each_sample
def test_no_state_is_impossible_or_certain(slug: str) -> None:
    for name, marginal in marginals_of(slug).items():
        assert marginal.values.min() >= 0.01, name
        assert marginal.values.max() <= 0.95, name


@each_sample
def test_marginals_agree_with_every_joint(slug: str) -> None:
    marginals = marginals_of(slug)
    for table in (*pairs_of(slug), *families_of(slug)):
        for name in table.names:
            assert total_variation(table.to_marginal(name), marginals[name].values) < 0.01, (table.names, name)


@each_sample
def test_pairwise_joints_agree_with_multi_parent_joints(slug: str) -> None:
    pairs = {table.names: table.values for table in pairs_of(slug)}
    for family in families_of(slug):
        *parents, child = family.names
        for parent in parents:
            assert total_variation(family.to_pair(parent, child), pairs[parent, child]) < 0.01, (parent, child)


@each_sample
def test_every_edge_says_something(slug: str) -> None:
    """A parent that left its child's distribution as it is would not be a cause: the joint is not the product."""
    for table in pairs_of(slug):
        independent = np.outer(table.values.sum(axis=1), table.values.sum(axis=0))
        assert total_variation(table.values, independent) > 0.02, table.names


@each_sample
def test_a_replies_file_stays_small_and_its_lines_readable(slug: str) -> None:
    body = (SAMPLES / "replies" / f"{slug}.json").read_text("utf-8")
    assert len(body.encode("utf-8")) < 60_000
    assert max(map(len, body.splitlines())) < 1_000
