"""Predictions made elsewhere are taken as they came and find their example, or the file is refused in one line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayes.network import Edge, Variable
from bayes.scoring.records import Prediction
from schemas.errors import InputError
from schemas.oddities import Oddity
from schemas.predictions import NamedPrediction, PredictionFile, match_examples, read_predictions


def read(folder: Path, networks: dict[str, Any]) -> PredictionFile:
    path = folder / "predictions.json"
    path.write_text(json.dumps({"bayesian_networks": networks}), encoding="utf-8")
    return read_predictions(path)


def name(*ids: str, parent_id: str = "") -> list[NamedPrediction]:
    return [NamedPrediction(one, parent_id, Prediction(), f"bayesian_networks.{one}") for one in ids]


def node(*states: str, **parents: Any) -> dict[str, Any]:
    return {"states": list(states), "parents": {key: {"cpd_matrix": matrix} for key, matrix in parents.items()}}


def test_a_prediction_keeps_its_cycle_its_gaps_and_its_names(tmp_path: Path) -> None:
    nodes = {"rain": node("yes", "None", flood=[[0.5, None], [0.5, None]]), "flood": node("yes", "no", rain=[])}
    [one] = read(tmp_path, {"bn_1": {"nodes": nodes}}).predictions
    assert one.prediction.variables == (Variable("rain", ("yes", "none")), Variable("flood", ("yes", "no")))
    assert one.prediction.edges == (Edge("flood", "rain"), Edge("rain", "flood"))
    assert np.isnan(one.prediction.pairwise[Edge("flood", "rain")]).tolist() == [[False, True]] * 2
    assert set(one.prediction.cpds) == {"rain"}


@pytest.mark.parametrize(
    "network", [None, "text", {}, {"nodes": {}}, {"nodes": {"": node("yes")}}, {"nodes": {"rain": {"states": 3}}}]
)
def test_an_unusable_prediction_is_an_empty_one_and_not_missing(tmp_path: Path, network: Any) -> None:
    file = read(tmp_path, {"bn_1": network})
    assert [one.prediction.edges for one in file.predictions] == [()]
    assert file.predictions[0].prediction.cpds == {}
    assert (file.report.n_networks, file.report.n_refused) == (1, 0)


def test_a_table_of_another_shape_is_left_out_and_its_edge_kept(tmp_path: Path) -> None:
    nodes = {"rain": node("yes", "none"), "flood": node("yes", "none", rain=[[1, 0, 0], [0, 1, 1]])}
    file = read(tmp_path, {"bn_1": {"nodes": nodes}})
    assert file.predictions[0].prediction.edges == (Edge("rain", "flood"),)
    assert file.predictions[0].prediction.pairwise == {}
    assert file.report.count(Oddity.SHAPE) == 1


def test_a_name_that_is_there_twice_counts_twice(tmp_path: Path) -> None:
    nodes = {"rain": node("yes", "none"), "rain ": node("no", "none")}
    [one] = read(tmp_path, {"bn_1": {"nodes": nodes}}).predictions
    assert [variable.name for variable in one.prediction.variables] == ["rain", "rain"]
    assert one.prediction.by_name["rain"].states == ("yes", "none")


def test_an_id_belongs_to_its_example_with_or_without_the_suffix() -> None:
    known = {"bn_1", "bn_2", "bn_3"}
    assert list(match_examples(name("bn_1_predicted", "bn_2"), known, where="f.json")) == ["bn_1", "bn_2"]


def test_an_id_that_is_no_example_belongs_to_its_parent_id() -> None:
    assert list(match_examples(name("x", parent_id="bn_1"), {"bn_1"}, where="f.json")) == ["bn_1"]
    assert list(match_examples(name("y_predicted", parent_id="bn_1_predicted"), {"bn_1"}, where="f.json")) == ["bn_1"]


def test_the_id_itself_goes_before_the_parent_id() -> None:
    matched = match_examples(name("bn_1_predicted", parent_id="bn_2"), {"bn_1", "bn_2"}, where="f.json")
    assert list(matched) == ["bn_1"]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("bn_1", "bn_8", "bn_9"), "f.json: bayesian_networks.bn_8: 'bn_8' is no example of this corpus (1 more ids"),
        (("bn_1", "bn_8"), "f.json: bayesian_networks.bn_8: 'bn_8' is no example of this corpus; take it out"),
        (("bn_8", "bn_9"), "f.json: none of its 2 ids is an example of this corpus (the first one is 'bn_8'): this "),
        (("bn_1", "bn_1_predicted"), "f.json: bayesian_networks.bn_1_predicted: is a second prediction for the exam"),
    ],
)
def test_a_file_for_another_corpus_or_with_strange_ids_is_refused_in_one_line(
    ids: tuple[str, ...], message: str
) -> None:
    with pytest.raises(InputError) as error:
        match_examples(name(*ids), {"bn_1"}, where="f.json")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
