"""The import commands report what they met, and refuse wrong files in one line with exit code 2, nothing written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from storage.benchmark import list_predicted, read_predictions
from storage.records import read_examples, read_failures
from storage.verification import verify
from tests.storage.readings import make_nodes, make_released, write_file

RUNNER = CliRunner()
HEADER = "example,kind,variable,states,parents,parent_states,state,probability\n"


def run(*arguments: object, data: Path) -> tuple[int, str, str]:
    result = RUNNER.invoke(app, ["import", *map(str, arguments), "--data", str(data)], env={"COLUMNS": "200"})
    return result.exit_code, result.stdout, result.stderr


def load_corpus(folder: Path) -> Path:
    file = write_file(folder / "corpus.json", bn_1=make_released(), bn_2=make_released("wiki_2"))
    assert run("corpus", file, data=folder / "data")[0] == 0
    return folder / "data"


def test_a_corpus_is_loaded_and_its_oddities_and_refusals_are_told(tmp_path: Path) -> None:
    nodes = make_nodes() | {"rain": {"states": []}}
    file = write_file(tmp_path / "corpus.json", bn_1=make_released(), bn_2=make_released(nodes=nodes))
    code, out, _ = run("corpus", file, data=tmp_path / "data")
    assert code == 0
    assert "2 networks, 1 of them refused" in out
    assert "cells that are null: " in out
    assert "refused bn_2: the node 'rain' has no states" in out
    assert "1 examples of 1 backbones" in out
    assert [row.example for row in read_examples(tmp_path / "data")] == ["wiki-1-bn-1"]
    assert [(failure.stage, failure.item) for failure in read_failures(tmp_path / "data")] == [("import", "bn_2")]
    assert verify(tmp_path / "data").findings == ()


def test_a_corpus_of_refusals_only_is_exit_code_1(tmp_path: Path) -> None:
    file = write_file(tmp_path / "corpus.json", bn_1=make_released(nodes={}))
    assert run("corpus", file, data=tmp_path / "data")[0] == 1


def test_predictions_are_loaded_under_a_name(tmp_path: Path) -> None:
    data = load_corpus(tmp_path)
    file = write_file(tmp_path / "p.json", bn_1_predicted=make_released())
    code, out, _ = run("predictions", file, "--model", "gpt", data=data)
    assert code == 0
    assert "1 predictions of gpt" in out
    assert "1 examples of the corpus have none in this file" in out
    assert "ids ending in _predicted: 1" in out
    assert list_predicted(data) == (("gpt", "pairwise"),)
    assert "1 of them were there already" in run("predictions", file, "--model", "gpt", data=data)[1]


def test_annotations_are_loaded_under_the_name_of_a_person(tmp_path: Path) -> None:
    data = load_corpus(tmp_path)
    file = tmp_path / "a.csv"
    file.write_text(HEADER + "bn_1,node,Rain,heavy | none,,,,\nbn_1,cpd,Rain,,,,heavy,0.3\n")
    assert run("annotations", file, "--model", "person:anna", data=data)[0] == 0
    (row,) = read_predictions(data, "environment", "wiki-1")
    assert (row.model, row.mode, row.prediction.variables[0].states) == ("person:anna", "full", ("heavy", "none"))


def test_names_from_a_file_are_no_markup(tmp_path: Path) -> None:
    nodes = {"[red]rain": {"states": ["yes", "None"]}}
    file = write_file(tmp_path / "corpus.json", bn_1=make_released(nodes=nodes))
    assert "'[red]rain'" in run("corpus", file, data=tmp_path / "data")[1]


UNKNOWN = HEADER + "bn_9,node,Rain,heavy,,,,\n"


@pytest.mark.parametrize(
    ("command", "content", "options", "what"),
    [
        ("corpus", "[]", (), "is not a JSON object but a list"),
        ("predictions", "{}", ("--model", "m"), "bayesian_networks: is missing"),
        ("predictions", '{"bayesian_networks": {"x": {}}}', ("--model", "m"), "this file is for another corpus"),
        ("predictions", '{"bayesian_networks": {"bn_1": {}, "x": {}}}', ("--model", "m"), "'x' is no example of this"),
        ("predictions", '{"bayesian_networks": {"bn_1": {}}}', ("--model", ""), "--model '': give a name"),
        ("predictions", '{"bayesian_networks": {"bn_1": {}}}', ("--model", "a\nb"), "--model 'a b': give a name"),
        ("annotations", "example,kind\n", ("--model", "m"), "line 1: the column 'variable' is missing"),
        ("annotations", UNKNOWN, ("--model", "m"), "this file is for another corpus"),
    ],
)
def test_a_wrong_file_or_name_is_one_line_and_nothing_is_written(
    tmp_path: Path, command: str, content: str, options: tuple[str, ...], what: str
) -> None:
    data = load_corpus(tmp_path)
    before = {path: path.read_bytes() for path in data.rglob("*.parquet")}
    file = tmp_path / "wrong"
    file.write_text(content)
    code, _, error = run(command, file, *options, data=data)
    assert code == 2
    assert what in error
    assert len(error.strip().splitlines()) == 1
    assert {path: path.read_bytes() for path in data.rglob("*.parquet")} == before


@pytest.mark.parametrize("command", ["predictions", "annotations"])
def test_a_data_folder_that_is_not_there_is_named(tmp_path: Path, command: str) -> None:
    file = tmp_path / "file"
    file.write_text('{"bayesian_networks": {"x": {}}}' if command == "predictions" else UNKNOWN)
    code, _, error = run(command, file, "--model", "m", data=tmp_path / "nothing")
    assert (code, "there is no such folder" in error) == (2, True)
    assert not (tmp_path / "nothing").exists()
