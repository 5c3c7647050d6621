"""A key that is not in the environment is taken from a Secret block of the Prefect server, and from nowhere else."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prefect.blocks.system import Secret
from prefect.settings import PREFECT_API_URL, temporary_settings
from typer.testing import CliRunner, Result

from flows.cli import app
from providers.catalogue import find_model
from schemas.errors import InputError
from tasks.keys import is_key_kept, load_keys
from tests.providers.quoting import QuotingService, serve_quoting

pytestmark = pytest.mark.usefixtures("prefect")

MODEL = "test:kept"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QuotingService]:
    with serve_quoting(QuotingService(breaks_first=False)) as running:
        monkeypatch.setenv("PRISM_MODELS", str(tmp_path / "models.yaml"))
        yield running


def name_variable(service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """Have the model's key in this variable, which is not set."""
    monkeypatch.setenv(variable, "")  # set to nothing, so that what is put there is taken away again
    (tmp_path / "models.yaml").write_text(
        f"{MODEL}:\n  provider: openai\n  model: gpt-4o-mini\n  base_url: {service.base_url}/v1\n"
        f"  key_env: {variable}\n  context_tokens: 128000\n  max_output_tokens: 16000\n"
    )


async def keep(name: str, value: Any) -> None:
    await Secret(value=value).asave(name, overwrite=True)


def build(tmp_path: Path) -> Result:
    places = ["--data", str(tmp_path / "data"), "--cache", str(tmp_path / "cache")]
    return CliRunner().invoke(app, ["build", "--domain", "economics", "--model", MODEL, "--examples", "1", *places])


def test_a_kept_key_is_sent_by_a_build_and_by_a_check(
    service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "KEPT_KEY")
    asyncio.run(keep("kept-key", " kept-1 "))
    result = CliRunner().invoke(app, ["models", "--check", MODEL])
    assert f"{MODEL}: answers" in result.stdout, result.stderr
    monkeypatch.setenv("KEPT_KEY", "")
    result = build(tmp_path)
    assert "set its key" not in result.stderr
    assert len(service.keys) > 1
    assert set(service.keys) == {"kept-1"}


async def test_the_environment_comes_first(
    service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "FIRST_KEY")
    await keep("first-key", "kept")
    monkeypatch.setenv("FIRST_KEY", "exported")
    await load_keys([MODEL])
    assert os.environ["FIRST_KEY"] == "exported"


async def test_a_key_of_digits_stays_a_text(
    service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "DIGITS_KEY")
    await keep("digits-key", "0012")
    await load_keys([MODEL, "exact"])
    assert os.environ["DIGITS_KEY"] == "0012"


@pytest.mark.parametrize(
    "value", [{"key": "hidden-9"}, ["hidden-9"], 12, "  "], ids=["object", "list", "number", "blank"]
)
async def test_what_is_no_text_is_refused_without_being_shown(
    value: Any, service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "SHAPED_KEY")
    await keep("shaped-key", value)
    with pytest.raises(InputError, match="'shaped-key' holds no text; put there what SHAPED_KEY would hold") as caught:
        await load_keys([MODEL])
    assert "hidden" not in str(caught.value)
    assert not find_model(MODEL).is_key_set


def test_a_key_that_is_nowhere_ends_the_command_with_one_line_that_names_variable_and_block(
    service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "LOST_KEY")
    for result in (build(tmp_path), CliRunner().invoke(app, ["models", "--check", MODEL])):
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1
        assert "environment variable LOST_KEY" in result.stderr
        assert "Secret block lost-key" in result.stderr
    assert not service.keys
    assert not (tmp_path / "data").exists()


def test_without_a_server_a_block_is_not_looked_for(
    service: QuotingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_variable(service, tmp_path, monkeypatch, "OFFLINE_KEY")
    asyncio.run(keep("offline-key", "kept"))
    assert is_key_kept("OFFLINE_KEY")
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        result = build(tmp_path)
    assert result.exit_code == 2
    assert "environment variable OFFLINE_KEY" in result.stderr
