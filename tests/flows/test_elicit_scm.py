"""Equations for whole DAGs: through the flow, into the tables, and a second time without a call."""

from pathlib import Path
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State, StateType
from typer.testing import CliRunner

from flows.cli import app
from flows.elicit_scm import elicit_scm
from schemas.errors import InputError
from schemas.scm import ScmSettings
from schemas.summaries import Outcome, ScmSummary
from storage.parquet import count_rows, read_table
from storage.verification import verify

pytestmark = pytest.mark.usefixtures("prefect")
RUNNER = CliRunner()


def settings(folder: Path, **values: Any) -> ScmSettings:
    return ScmSettings(data=str(folder / "data"), cache=str(folder / "cache"), **values)


async def run(wanted: ScmSettings) -> tuple[State[Any], ScmSummary]:
    # Prefect's types know no flow that returns a state itself.
    state = await cast("Any", elicit_scm)(wanted, return_state=True)
    return state, cast("ScmSummary", await state.aresult(raise_on_failure=False))


async def test_baselines_score_what_they_must_and_a_second_run_asks_and_changes_nothing(tmp_path: Path) -> None:
    """foodsecurity: M1 of small is that of the released script; truth has distance 0 and every order right."""
    wanted = settings(tmp_path, dags=("foodsecurity",), models=("baseline:small", "baseline:truth"), runs=3)
    state, summary = await run(wanted)
    assert state.type is StateType.COMPLETED
    assert (summary.n_series, summary.n_done, summary.outcome) == (2, 2, Outcome.COMPLETE)
    data = Path(wanted.data)
    assert [count_rows(data, f"scm_{table}") for table in ("equations", "coefficients", "scores")] == [18, 24, 6]
    scores = {row["model"]: row for row in read_table(data, "scm_scores").to_pylist()}
    assert scores["baseline:small"]["m1"] == pytest.approx(23.194637, rel=1e-6)
    truth = scores["baseline:truth"]
    assert (truth["m1"], truth["m2"], truth["m3"], truth["m4"]) == (0, 0, 0, truth["m4_max"])
    assert verify(data).is_sound

    state, summary = await run(wanted)
    assert summary.n_changed_files == 0
    assert all(stage.n_cached == stage.n_calls for stage in summary.stages)


async def test_a_dag_of_ones_own_without_truth_gets_equations_and_no_scores(tmp_path: Path) -> None:
    file = tmp_path / "kettle.yaml"
    file.write_text(
        "name: kettle\ndomain: household\npersona: a physicist\noverview: Kettles heat water.\nvariables:\n"
        "  fill level: {description: water, unit: litres, lower: 0.2, upper: 1.7}\n"
        "  time: {description: until it boils, unit: s, lower: 0, upper: 900}\nedges:\n  - [fill level, time]\n"
    )
    state, summary = await run(settings(tmp_path, dags=(str(file),), models=("baseline:saturating",), runs=1))
    assert state.type is StateType.COMPLETED
    assert summary.results[0].runs[0].result.scores is None
    assert count_rows(tmp_path / "data", "scm_equations") == 1


async def test_an_unknown_dag_ends_the_flow_with_one_line(tmp_path: Path) -> None:
    state, result = await run(settings(tmp_path, dags=("kettel",)))
    assert state.type is StateType.FAILED
    assert isinstance(result, InputError)
    assert "unknown DAG 'kettel'" in (state.message or "")


def invoke(folder: Path, *arguments: str) -> Any:
    return RUNNER.invoke(app, ["scm", *arguments, "--data", str(folder / "data"), "--cache", str(folder / "cache")])


def test_the_command_prints_a_table_a_dag(tmp_path: Path) -> None:
    result = invoke(tmp_path, "foodsecurity", "--model", "baseline:truth", "--runs", "2")
    assert result.exit_code == 0, result.stderr
    assert "foodsecurity, original, scored with the truth set truth" in result.stdout
    assert "1 of 1" in result.stdout
    report = RUNNER.invoke(app, ["scm", "report", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out")])
    assert report.exit_code == 0, report.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"scores.md", "scores.csv", "scores.tex"} <= names
    assert any(name.endswith(".svg") for name in names)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kettel"], "unknown DAG 'kettel'"),
        (["foodsecurity", "--condition", "warm"], "has no condition 'warm'"),
        (["foodsecurity", "--truth", "x"], "has no truth set 'x'"),
        (["foodsecurity", "--spurious", "99"], "99 spurious edges were asked for"),
        (["foodsecurity", "--model", "offline"], "knows no coefficients"),
        (["foodsecurity", "--model", "baseline:empty"], "knows no coefficients"),
        (["foodsecurity", "--model", "baseline:smal"], "baseline:small"),
        (["foodsecurity", "--runs", "0"], "--runs"),
        (["foodsecurity", "--prompt", "loud"], "--prompt"),
        (["foodsecurity", "foodsecurity.yaml"], "unknown DAG 'foodsecurity.yaml'"),
    ],
)
def test_wrong_options_are_refused_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = invoke(tmp_path, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.rglob("*.parquet"))


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", tmp_path):
        result = RUNNER.invoke(app, ["scm", "report", "--data", str(folder), "--out", str(tmp_path / "out")])
        assert result.exit_code == 2
        assert "run `prism scm` first" in result.stderr
