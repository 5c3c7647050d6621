"""What was made elsewhere becomes tables of the corpus, under ids that lead back to the file, whole or not at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Rule
from bayes.scoring.assembly import PairwiseNetwork, to_reference
from bayes.scoring.records import Prediction
from schemas.errors import InputError
from schemas.predictions import NamedPrediction, read_predictions
from schemas.released import ImportedExample
from schemas.released_networks import ReleasedNetwork
from storage.benchmark import read_predictions as read_rows
from storage.imports import place_examples, write_named_predictions
from storage.parquet import read_table
from storage.records import read_articles, read_examples
from storage.verification import verify
from tests.storage.corpora import write_corpus
from tests.storage.readings import make_nodes, make_released, write_file, write_imported


def read_source_ids(data: Path) -> dict[str, str]:
    return {row["example"]: row["source_id"] for row in read_table(data, "imports").to_pylist()}


def test_an_imported_corpus_is_sound_and_leads_back_to_the_ids_of_its_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    result = write_imported(data)
    assert (result.n_examples, result.n_backbones) == (3, 2)
    assert read_source_ids(data) == {"wiki-1-bn-1": "bn_1", "wiki-1-bn-2": "bn_2", "wiki-2-bn-3": "bn_3"}
    assert verify(data).findings == ()
    assert read_table(data, "backbones").num_rows == read_table(data, "marginals").num_rows == 0


def test_an_example_has_its_text_its_split_and_marked_cpds(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(data, bn_1=make_released(), bn_2=make_released("wiki_2", generated_text=""))
    first, second = read_examples(data)
    assert (first.writer, first.text, second.text) == ("imported", "It rains, and it floods.", "Rain brings floods.")
    # Two backbones of one domain: by largest remainder of 1.6 to 0.2 and 0.2 both are for training.
    assert (first.split, second.split) == ("train", "train")
    rules = {name: first.network.cpd_of[name].rules for name in ("rain", "flood", "trade")}
    # The second column of flood given rain is null; trade has two parents.
    assert rules["rain"] == (Rule.PRIOR,)
    assert rules["flood"] == (Rule.PAIRWISE, Rule.MARGINAL)
    assert set(rules["trade"]) == {Rule.PRODUCT}


def test_the_tables_of_one_parent_are_there_as_given_gaps_and_all(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(data, bn_1=make_released())
    rows = [row for row in read_table(data, "pairwise").to_pylist() if row["child"] == "flood"]
    cells = [(row["parent_state"], row["state"], row["probability"], row["completed"]) for row in rows]
    # A column that tells nothing is the child's marginal, here that of the only column that does.
    assert cells == [
        ("heavy", "wide", 0.8, pytest.approx(0.8)),
        ("heavy", "none", 0.2, pytest.approx(0.2)),
        ("none", "wide", None, pytest.approx(0.8)),
        ("none", "none", None, pytest.approx(0.2)),
    ]


def test_the_article_is_the_first_text_that_the_file_has(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(
        data, bn_1=make_released(actual_text=""), bn_2=make_released(), bn_3=make_released("x", actual_text="")
    )
    articles = {article.backbone: article for article in read_articles(data)}
    assert articles["wiki-1"].text == "Rain brings floods."
    assert (articles["x"].text, articles["x"].title) == ("It rains, and it floods.", "Floods")


def test_the_same_file_again_changes_nothing(tmp_path: Path) -> None:
    write_imported(tmp_path / "data")
    assert not any(file.is_changed for file in write_imported(tmp_path / "data").written)


def test_networks_that_are_refused_do_not_keep_the_others_out(tmp_path: Path) -> None:
    nodes = make_nodes() | {"rain": {"states": []}}
    result = write_imported(tmp_path / "data", bn_1=make_released(), bn_2=make_released(nodes=nodes))
    assert (result.n_examples, [failure.item for failure in result.failures]) == (1, ["bn_2"])


@pytest.mark.parametrize(
    ("networks", "what"),
    [
        ({"bn_9": make_released()}, "the backbone environment/wiki-1 is there from another file"),
        ({"bn_1": make_released("wiki_9")}, "the example 'bn_1' is there from another file"),
        ({"bn_9": make_released("River floods")}, "the backbone environment/river-floods was built there"),
    ],
)
def test_nothing_is_written_over_what_came_from_elsewhere(
    tmp_path: Path, networks: dict[str, object], what: str
) -> None:
    data = tmp_path / "data"
    write_corpus(data)
    write_imported(data, bn_1=make_released())
    before = {path: path.read_bytes() for path in data.rglob("*.parquet")}
    with pytest.raises(InputError, match=what):
        write_imported(data, bn_0=make_released("wiki_0"), **networks)
    assert {path: path.read_bytes() for path in data.rglob("*.parquet")} == before


EMPTY = PairwiseNetwork()


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8), st.text(min_size=1, max_size=8)), max_size=8))
def test_any_ids_have_a_place_of_their_own_that_is_safe_in_a_path(names: list[tuple[str, str, str]]) -> None:
    unique = {name: (domain, source, name) for domain, source, name in names}
    placed = place_examples(
        ImportedExample(ReleasedNetwork(name, "", source, "", domain, "", "", EMPTY, ()), to_reference(EMPTY))
        for domain, source, name in unique.values()
    )
    assert len({item.id for item in placed}) == len(unique)
    for item in placed:
        assert item.id.startswith(f"{item.key.backbone}-")
        assert set(item.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    homes = {(item.key, item.example.released.domain, item.example.released.source_id) for item in placed}
    assert len({key for key, _, _ in homes}) >= len({source for _, _, source in homes if source})


def predict(data: Path, *ids: str, model: str = "m") -> int:
    named = [NamedPrediction(name, "", Prediction(), f"bayesian_networks.{name}") for name in ids]
    return write_named_predictions(
        data, named, file=Path("f.json"), model=model, mode="pairwise", run="r"
    ).n_predictions


def test_predictions_find_examples_by_the_ids_of_the_file_and_by_our_own(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_imported(data)
    file = write_file(tmp_path / "p.json", bn_1_predicted=make_released(), bn_3=make_released())
    found = read_predictions(file).predictions
    result = write_named_predictions(data, found, file=file, model="gpt", mode="pairwise", run="r")
    assert (result.n_predictions, result.n_without) == (2, 1)
    (row,) = read_rows(data, "environment", "wiki-1")
    assert (row.example, row.model, row.mode, row.status) == ("wiki-1-bn-1", "gpt", "pairwise", "complete")
    assert row.raw == '{"file": "p.json", "where": "bayesian_networks.bn_1_predicted"}'
    assert predict(data, "wiki-1-bn-2") == 1
    assert verify(data).findings == ()


def test_a_prediction_of_nothing_is_a_failed_one(tmp_path: Path) -> None:
    write_imported(tmp_path / "data")
    predict(tmp_path / "data", "bn_1")
    (row,) = read_rows(tmp_path / "data", "environment", "wiki-1")
    assert (row.status, row.reason, row.detail) == ("failed", "input", "the file has no variables for this example")


@pytest.mark.parametrize(
    ("ids", "what"),
    [
        (("bn_1", "bn_7"), "'bn_7' is no example of this corpus"),
        (("x", "y"), "none of its 2 ids is an example of this corpus"),
        (("bn_1", "bn_1_predicted"), "is a second prediction for the example 'bn_1'"),
        (("bn_1", "wiki-1-bn-1"), "'wiki-1-bn-1' and 'bn_1' are one example"),
    ],
)
def test_predictions_that_belong_to_no_example_or_to_one_twice_are_refused_whole(
    tmp_path: Path, ids: tuple[str, ...], what: str
) -> None:
    data = tmp_path / "data"
    write_imported(data)
    with pytest.raises(InputError, match=what):
        predict(data, *ids)
    assert not (data / "predictions").exists()


def test_a_folder_without_examples_has_nothing_to_predict(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no examples to predict"):
        predict(tmp_path, "bn_1")
