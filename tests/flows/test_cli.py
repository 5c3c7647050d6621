"""Wrong input is one line on standard error and exit code 2; nothing is written."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app

RUNNER = CliRunner()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--source", "folder:/no/such/folder"], "/no/such/folder"),
        (["--source", "ftp:x"], "ftp:x"),
        (["--source", "folder:"], "path is missing"),
        (["--model", "anthropic:claude-sonet"], "claude-sonnet-4-6"),
        (["--model", "anthropic:claude-sonnet-4-6"], "ANTHROPIC_API_KEY"),
        (["--domain", "cooking"], "unknown domain 'cooking'"),
        (["--min-nodes", "9", "--max-nodes", "3"], "min_nodes (9) is larger than max_nodes (3)"),
        (["--examples", "-1"], "--examples"),
        (["--per-domain", "0"], "--per-domain"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    data = tmp_path / "data"
    result = RUNNER.invoke(app, ["build", *options, "--data", str(data), "--cache", str(tmp_path / "cache")])
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not list(data.rglob("*.parquet")) if data.exists() else True


def test_an_unwritable_data_folder_is_refused(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    result = RUNNER.invoke(app, ["build", "--data", str(blocker / "data"), "--cache", str(tmp_path / "cache")])
    assert result.exit_code == 2
    assert "--data" in result.stderr
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize("command", [["verify"], ["show", "x"]])
def test_reading_a_folder_that_is_not_there_is_refused(command: list[str], tmp_path: Path) -> None:
    result = RUNNER.invoke(app, [*command, "--data", str(tmp_path / "nothing")])
    assert result.exit_code == 2
    assert "no such folder" in result.stderr


def test_a_dry_run_prints_every_stage_and_writes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    result = RUNNER.invoke(app, ["build", "--dry-run", "--data", str(data), "--cache", str(tmp_path / "cache")])
    assert result.exit_code == 0
    for stage in ("variables", "edges", "marginals", "joints", "multi_joints", "description"):
        assert stage in result.stdout
    assert "Nothing was called" in result.stdout
    assert not data.exists()


def test_help_loads_neither_prefect_nor_an_sdk() -> None:
    code = (
        "import sys; sys.argv = ['prism', '--help']\n"
        "from flows.cli import app\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "heavy = {'prefect', 'pydantic_ai', 'anthropic', 'openai', 'groq', 'pyarrow', 'pyagrum', 'matplotlib'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert "LOADED []" in result.stdout


def test_the_seven_dags_of_the_project_are_listed() -> None:
    result = RUNNER.invoke(app, ["scm", "list"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    for name in ("cachexia1", "expenditure", "foodsecurity", "algal2", "lexical", "liquefaction", "stocks"):
        assert name in result.stdout


def test_a_broken_dag_file_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text("name: my\nname: twice\n")
    result = RUNNER.invoke(app, ["scm", "check", str(file)])
    assert result.exit_code == 2
    assert "my.yaml" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
