"""A released corpus is read whatever is odd in it, every oddity is counted, and what is no network is refused alone."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Rule, Variable
from schemas.errors import InputError
from schemas.oddities import Oddity, OddityLog
from schemas.released import ReleasedCorpus, read_corpus
from schemas.released_networks import read_network

RAIN_FLOOD = Edge("rain", "flood")


def table(matrix: Any, parent_states: Any = ("heavy", "none")) -> dict[str, Any]:
    states = list(parent_states) if isinstance(parent_states, tuple) else parent_states
    return {"parent_states": states, "cpd_matrix": matrix}


def make_nodes(**flood: Any) -> dict[str, Any]:
    """Rain and flood, clean but for what is given for the node flood."""
    return {
        "rain": {"states": ["heavy", "none"], "level": 0, "parents": {}, "prior": [0.3, 0.7]},
        "flood": {
            "states": ["wide", "none"],
            "level": 1,
            "parents": {"rain": table([[0.8, 0.1], [0.2, 0.9]])},
        }
        | flood,
    }


def make_network(nodes: Any = None, **fields: Any) -> dict[str, Any]:
    clean = {
        "parent_id": "wiki_1",
        "source_id": "wiki_1",
        "title": "Floods",
        "domain": "environment",
        "actual_text": "Rain brings floods.",
        "generated_text": "It rains.",
        "nodes": make_nodes() if nodes is None else nodes,
    }
    return clean | fields


def read(folder: Path, *networks: Any, **fields: Any) -> ReleasedCorpus:
    path = folder / "corpus.json"
    named = {f"bn_{i}": network for i, network in enumerate(networks, 1)}
    path.write_text(json.dumps({"bayesian_networks": named, **fields}), encoding="utf-8")
    return read_corpus(path)


def count(corpus: ReleasedCorpus) -> dict[Oddity, int]:
    return {item.kind: item.count for item in corpus.report.oddities}


def test_a_clean_network_is_read_whole_and_nothing_is_odd(tmp_path: Path) -> None:
    corpus = read(tmp_path, make_network(n_nodes=2, n_edges=1), metadata={"total": 1})
    [example] = corpus.examples
    released, reference = example.released, example.reference
    assert (released.id, released.parent_id, released.source_id) == ("bn_1", "wiki_1", "wiki_1")
    assert (released.title, released.domain) == ("Floods", "environment")
    assert (released.text, released.article) == ("It rains.", "Rain brings floods.")
    assert released.content.variables == (Variable("rain", ("heavy", "none")), Variable("flood", ("wide", "none")))
    assert reference.network.edges == (RAIN_FLOOD,)
    assert reference.network.cpd_of["flood"].matrix == pytest.approx(np.array([[0.8, 0.1], [0.2, 0.9]]))
    assert reference.network.cpd_of["rain"].rules == (Rule.PRIOR,)
    assert corpus.report.oddities == ()
    assert corpus.report.to_lines() == ("1 networks, 0 of them refused",)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        pytest.param(
            make_nodes(parents={"rain": table([[0.8, None], [0.2, 0.9]])}), {Oddity.NULL_CELLS: 1}, id="null cell"
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[None, None], [0.2, 0.9]])}), {Oddity.NULL_CELLS: 2}, id="null row"
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[0.8, None], [0.2, None]])}),
            {Oddity.NULL_CELLS: 2, Oddity.NULL_COLUMNS: 1},
            id="null column",
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[None, None], [None, None]])}),
            {Oddity.NULL_CELLS: 4, Oddity.NULL_COLUMNS: 2},
            id="null table",
        ),
        pytest.param(make_nodes(parents={"rain": table([])}), {Oddity.EMPTY_TABLE: 1}, id="empty table"),
        pytest.param(make_nodes(parents={"rain": table([[], []])}), {Oddity.EMPTY_TABLE: 1}, id="empty rows"),
        pytest.param(make_nodes(parents={"rain": table(None)}), {Oddity.EMPTY_TABLE: 1}, id="no matrix"),
        pytest.param(make_nodes(parents={"rain": None}), {Oddity.EMPTY_TABLE: 1}, id="no table"),
        pytest.param(
            make_nodes(parents={"rain": table([[0.83, 0.1], [0.2, 0.9]])}), {Oddity.COLUMN_SUM: 1}, id="sum of 1.03"
        ),
        pytest.param(make_nodes(parents={"rain": table([[1, 0], [0, 1]])}), {}, id="integers"),
        pytest.param(make_nodes(parents={"rain": table([[9.8e-05, 0.1], [0.999902, 0.9]])}), {}, id="exponents"),
        pytest.param(
            make_nodes(parents={"rain": table([[0, 0.1], [0, 0.9]])}), {Oddity.ZERO_COLUMNS: 1}, id="zero column"
        ),
        pytest.param(
            make_nodes(parents={"rain": table([["0.8", -0.1], [True, math.inf]])}),
            {Oddity.BAD_CELLS: 4, Oddity.NULL_COLUMNS: 2},
            id="no probabilities",
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[10**400, 0.1], [0.2, 0.9]])}), {Oddity.BAD_CELLS: 1}, id="huge integer"
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[0.1, 0.8], [0.9, 0.2]], ("none", "heavy"))}),
            {Oddity.PARENT_STATES: 1},
            id="parent states in another order",
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[0.8, 0.1, 0.5], [0.2, 0.9, 0.5]], ("heavy", "none", "light"))}),
            {Oddity.PARENT_STATES: 1},
            id="a parent state too many",
        ),
        pytest.param(
            make_nodes(parents={"rain": table([[0.8, 0.1], [0.2, 0.9]], None)}),
            {Oddity.PARENT_STATES: 1},
            id="no parent states",
        ),
        pytest.param(make_nodes(prior=[]), {}, id="empty prior on a child"),
        pytest.param(make_nodes(prior=[0.5, 0.5]), {Oddity.CHILD_PRIOR: 1}, id="prior on a child"),
        pytest.param(make_nodes(prior=[0.5]), {Oddity.PRIOR_SHAPE: 1}, id="short prior"),
        pytest.param(make_nodes(prior=0.5), {Oddity.PRIOR_SHAPE: 1}, id="no list for a prior"),
        pytest.param(
            make_nodes(parents={"rain": table([[0.8, 0.1], [0.2, 0.9]]), "snow": table([[1, 0], [0, 1]])}),
            {Oddity.UNKNOWN_PARENT: 1},
            id="unknown parent",
        ),
        pytest.param(
            make_nodes(parents={"Rain": table([[0.8, 0.1], [0.2, 0.9]])}), {Oddity.LETTER_CASE: 1}, id="Rain for rain"
        ),
        pytest.param(make_nodes(states=["wide", "None"]), {Oddity.BASELINE: 1}, id="None for none"),
        pytest.param(make_nodes(states=["None", "none"]), {Oddity.LETTER_CASE: 1}, id="None beside none"),
        pytest.param(
            make_nodes(states=["absent", "None"]), {Oddity.BASELINE: 1, Oddity.ABSENT: 1}, id="absent beside None"
        ),
        pytest.param(make_nodes(states=["2008", "none"]), {Oddity.SYMBOLS: 1}, id="digits only"),
        pytest.param(make_nodes(states=["$1,015.5 & more", "Okun's 5%"]), {Oddity.SYMBOLS: 2}, id="symbols"),
        pytest.param(make_nodes(states=["wi\u202ede", "none\n"]), {Oddity.CLEANED: 2}, id="invisible characters"),
        pytest.param(make_nodes(states=["w" * 101, "none"]), {Oddity.CLEANED: 1}, id="long name"),
        pytest.param({"rain": make_nodes()["rain"] | {"prior": []}}, {Oddity.NO_PRIOR: 1}, id="root with empty prior"),
        pytest.param(
            {"rain": {"states": ["heavy", "none"]}}, {Oddity.NO_PRIOR: 1}, id="root without the keys parents and prior"
        ),
        pytest.param(dict(reversed(make_nodes().items())), {Oddity.ORDER: 1}, id="child before its parent"),
        pytest.param(
            make_nodes() | {"wind": {"states": ["strong", "none"], "prior": [0.5, 0.5]}},
            {Oddity.ISOLATED: 1},
            id="isolated node",
        ),
        pytest.param(
            {
                "wind": {"states": ["strong", "none"], "prior": [0.5, 0.5]},
                **make_nodes(
                    parents={
                        "rain": table([[0.8, 0.1], [0.2, 0.9]]),
                        "wind": table([[0.6, 0.5], [0.4, 0.5]], ("strong", "none")),
                    }
                ),
            },
            {Oddity.SEVERAL_PARENTS: 1},
            id="several parents",
        ),
    ],
)
def test_an_odd_network_is_read_and_its_oddities_are_counted(
    tmp_path: Path, nodes: dict[str, Any], expected: dict[Oddity, int]
) -> None:
    corpus = read(tmp_path, make_network(nodes))
    assert corpus.failures == ()
    assert count(corpus) == expected
    for item in corpus.report.oddities:
        assert all(instance.startswith("bn_1: ") for instance in item.instances)
    for cpd in corpus.examples[0].reference.network.cpds:
        assert cpd.matrix.sum(axis=0) == pytest.approx(np.ones(cpd.matrix.shape[1]))


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"generated_text": ""}, Oddity.NO_TEXT),
        ({"generated_text": None}, Oddity.NO_TEXT),
        ({"id": "bn_7"}, Oddity.ID),
        ({"n_nodes": 3}, Oddity.COUNTS),
        ({"n_edges": "one"}, Oddity.COUNTS),
        ({"n_edges": [1]}, Oddity.COUNTS),
    ],
)
def test_odd_fields_of_a_network_are_counted(tmp_path: Path, fields: dict[str, Any], kind: Oddity) -> None:
    assert count(read(tmp_path, make_network(**fields))) == {kind: 1}


def test_columns_follow_the_states_of_the_parent_and_not_their_place_in_the_table(tmp_path: Path) -> None:
    swapped = make_nodes(parents={"rain": table([[0.1, 0.8, 0.5], [0.9, 0.2, 0.5]], ("None", "HEAVY", "light"))})
    [example] = read(tmp_path, make_network(swapped)).examples
    assert example.released.content.tables[RAIN_FLOOD].tolist() == [[0.8, 0.1], [0.2, 0.9]]


def test_a_parent_state_without_a_column_has_no_probabilities(tmp_path: Path) -> None:
    nodes = make_nodes(parents={"rain": table([[0.8], [0.2]], ("heavy",))})
    [example] = read(tmp_path, make_network(nodes)).examples
    assert np.isnan(example.released.content.tables[RAIN_FLOOD]).tolist() == [[False, True], [False, True]]
    # what is not told is the child's marginal, which is the only column there is
    assert example.reference.network.cpd_of["flood"].matrix[0] == pytest.approx([0.8, 0.8])


def test_null_cells_stay_null_in_the_record_and_get_the_floor_in_the_reference(tmp_path: Path) -> None:
    nodes = make_nodes(parents={"rain": table([[0.9999, None], [None, 1]])})
    [example] = read(tmp_path, make_network(nodes)).examples
    assert np.isnan(example.released.content.tables[RAIN_FLOOD]).tolist() == [[False, True], [True, False]]
    # 0.9999 and the floor 0.0001 sum to 1
    assert example.reference.pairwise[RAIN_FLOOD][:, 0] == pytest.approx([0.9999, 0.0001])


def test_texts_keep_their_lines_quotes_and_letters(tmp_path: Path) -> None:
    text = '# Árvíz\n\nThe "great" flood — people’s losses.\nÓ, dear.'
    [example] = read(tmp_path, make_network(generated_text=text, actual_text=f"\n{text}\ud800 ")).examples
    assert example.released.text == text
    assert example.released.article == f"{text}?"


def test_a_total_unlike_the_number_of_networks_and_repeated_keys_are_told(tmp_path: Path) -> None:
    assert count(read(tmp_path, make_network(), metadata={"total": 69})) == {Oddity.TOTAL: 1}
    assert count(read(tmp_path, make_network(), metadata=None)) == {}
    path = tmp_path / "twice.json"
    network = json.dumps(make_network())
    path.write_text(f'{{"bayesian_networks": {{"bn_1": {network}, "bn_1": {network}}}}}', encoding="utf-8")
    assert count(read_corpus(path)) == {Oddity.REPEATED_KEY: 1}


def test_a_name_with_other_states_in_another_network_is_counted_once(tmp_path: Path) -> None:
    networks = [make_network(make_nodes(states=[f"state {i}", "none"])) for i in range(3)]
    corpus = read(tmp_path, make_network(), *networks)
    assert count(corpus) == {Oddity.OTHER_STATES: 1}
    assert corpus.report.oddities[0].instances == ("bn_2: 'flood'",)


def test_an_id_that_ends_in_predicted_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"bayesian_networks": {"bn_1_predicted": make_network()}}), encoding="utf-8")
    assert read_corpus(path).report.count(Oddity.PREDICTED_ID) == 1


def test_a_report_names_three_instances_of_a_kind_at_most(tmp_path: Path) -> None:
    corpus = read(tmp_path, *[make_network(generated_text="")] * 5)
    assert corpus.report.to_lines() == (
        "5 networks, 0 of them refused",
        "networks without a generated text: 5 (bn_1; bn_2; bn_3; …)",
    )


@pytest.mark.parametrize(
    ("network", "detail"),
    [
        (make_network({}), "it has no nodes"),
        ({"id": "bn_1"}, "it has no field nodes"),
        (make_network([]), "it has no nodes"),
        (make_network([{"name": "rain"}]), "nodes is no object"),
        (None, "it has no field nodes"),
        ("text", "the network is no object"),
        (make_network({"rain": {"states": []}}), "the node 'rain' has no states"),
        (make_network({"rain": None}), "the node 'rain' has no states"),
        (make_network({"rain": {"states": ["a", "a"]}}), "the node 'rain' has the state 'a' twice"),
        (make_network({"rain": {"states": ["a", ["b"]]}}), "a state of 'rain' has a name that is no text"),
        (make_network({"rain": {"states": ["a", " "]}}), "a state of 'rain' has an empty name"),
        (make_network({"\u200b": {"states": ["a"]}}), "a node has an empty name"),
        (make_network({"rain": {"states": ["a"]}, "rain ": {"states": ["a"]}}), "there are 2 nodes called 'rain'"),
        (make_network(make_nodes(parents="rain")), "parents of 'flood' is no object"),
        (make_network(make_nodes(parents={"rain": 3})), "the table of 'rain' -> 'flood' is no object"),
        (make_network(make_nodes(parents={"rain": table([[0.5, 0.5]])})), "'rain' -> 'flood' is not 2 x 2"),
        (make_network(make_nodes(parents={"rain": table([[0.5, 0.5], [0.5]])})), "'rain' -> 'flood' is not 2 x 2"),
        (make_network(make_nodes(parents={"rain": table([0.5, 0.5])})), "'rain' -> 'flood' is not 2 x 2"),
        (make_network(make_nodes(parents={"rain": table({"a": 1})})), "'rain' -> 'flood' is not 2 x 2"),
        (make_network(make_nodes(parents={"flood": table([])})), "its edges close a cycle"),
        (
            make_network(
                make_nodes()
                | {"rain": {"states": ["heavy", "none"], "parents": {"flood": table([], ("wide", "none"))}}}
            ),
            "its edges close a cycle",
        ),
    ],
)
def test_what_is_no_network_is_refused_alone_with_a_reason(tmp_path: Path, network: Any, detail: str) -> None:
    corpus = read(tmp_path, network, make_network())
    assert [example.released.id for example in corpus.examples] == ["bn_2"]
    [failure] = corpus.failures
    assert (failure.stage, failure.item, failure.reason) == ("import", "bn_1", "rejected")
    assert detail in failure.detail
    assert (corpus.report.n_networks, corpus.report.n_refused) == (2, 1)


def test_a_failure_stands_under_the_slugs_of_its_domain_and_source(tmp_path: Path) -> None:
    corpus = read(tmp_path, make_network({}), {"nodes": {}})
    assert [(item.domain, item.backbone) for item in corpus.failures] == [
        ("environment", "wiki-1"),
        ("unassigned", "unassigned"),
    ]


def test_two_ids_that_are_one_when_cleaned_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    networks = {"bn_1": make_network(), "bn_1 ": make_network(), "\n": make_network()}
    path.write_text(json.dumps({"bayesian_networks": networks}), encoding="utf-8")
    corpus = read_corpus(path)
    assert [example.released.id for example in corpus.examples] == ["bn_1"]
    assert [item.detail for item in corpus.failures] == [
        "another network has the id 'bn_1' once it is cleaned",
        "its id is empty",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON: Expecting value at line 1, column 1"),
        (b'{"id": 1}\n{"id": 2}', "not JSON: Extra data at line 2, column 1"),
        (b"[]", "is not a JSON object but a list"),
        (b"3", "is not a JSON object but a number"),
        (b'{"nodes": []}', "bayesian_networks: is missing"),
        (b'{"bayesian_networks": []}', "bayesian_networks: is not an object but a list"),
        (b'{"bayesian_networks": null}', "bayesian_networks: is not an object but null"),
        (b'{"bayesian_networks": {}}', "bayesian_networks: is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"[" * 100_000, "not JSON of this layout (RecursionError)"),
        (b"1" * 5000, "not JSON of this layout (ValueError)"),
    ],
)
def test_a_file_of_another_layout_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_corpus(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_corpus(tmp_path / "none.json")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["rain", "none"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["nodes", "states", "parents", "prior", "rain", "flood", "cpd_matrix", "parent_states"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(VALUES, st.sampled_from(["nodes", "flood", "table", "all"]))
def test_no_json_value_in_any_place_raises(value: Any, place: str) -> None:
    network: Any = {
        "nodes": make_network(value),
        "flood": make_network({"rain": make_nodes()["rain"], "flood": value}),
        "table": make_network(make_nodes(parents={"rain": value})),
        "all": value,
    }[place]
    read = read_network("bn_1", network, OddityLog())
    shapes = {variable.name: variable.cardinality for variable in read.content.variables}
    for edge, matrix in read.content.tables.items():
        assert matrix.shape == (shapes[edge.child], shapes[edge.parent])
