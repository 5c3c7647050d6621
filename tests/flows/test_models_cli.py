"""`prism models` lists what there is without a key, and a check says in one line what happened."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from providers.catalogue import find_model, list_models
from schemas.errors import ServiceError
from tasks.model_check import check_model
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY, refuse, reply, serve, to_entry

RUNNER = CliRunner()


def test_the_list_says_whether_a_key_is_set_and_never_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    catalogue = tmp_path / "own.yaml"
    catalogue.write_text(
        f"own:model:\n  provider: openai-compatible\n  model: m\n  base_url: http://127.0.0.1:9/v1\n"
        f"  key_env: {KEY_VARIABLE}\n  context_tokens: 8192\n  max_output_tokens: 1024\n"
    )
    monkeypatch.setenv("PRISM_MODELS", str(catalogue))
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    result = RUNNER.invoke(app, ["models"])
    assert result.exit_code == 0, result.stderr
    assert PLANTED_KEY not in result.stdout
    lines = result.stdout.splitlines()
    [own] = [line for line in lines if "own:model" in line]
    assert " set " in own
    assert "unknown" in own
    assert all(entry.id[:20] in result.stdout for entry in list_models())
    assert "not set" in result.stdout


async def test_a_model_that_answers_is_usable_and_what_it_took_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 tokens in and 20 out at the price of gpt-4o-mini: 100 x 0.15 + 20 x 0.60 dollars per million, 0.000027."""
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    async with serve(reply('{"days": 7}')) as wire:
        outcome = await check_model(to_entry(wire.base_url))
        assert len(wire.received) == 1
    assert outcome.is_usable
    assert "100 tokens in, 20 out; 0.000027 US dollars" in outcome.line


async def test_an_answer_in_another_form_is_told_with_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    async with serve(reply("Seven, I think.")) as wire:
        outcome = await check_model(to_entry(wire.base_url))
        assert len(wire.received) == 1
    assert not outcome.is_usable
    assert "not in the form asked for (invalid_reply:" in outcome.line


async def test_a_refused_key_and_a_body_without_choices_are_errors_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    empty = reply("x")
    body = {**empty.body, "choices": []}  # pyright: ignore
    for step, message in (
        (refuse(401), f"check the variable {KEY_VARIABLE}"),
        (type(empty)(body=body), "the reply is not what the interface promises"),
    ):
        async with serve(step) as wire:
            with pytest.raises(ServiceError, match=message) as caught:
                await check_model(to_entry(wire.base_url))
        assert PLANTED_KEY not in str(caught.value)
        assert "\n" not in str(caught.value)


async def test_code_needs_no_check_and_the_embedded_model_passes_it() -> None:
    assert (await check_model(find_model("baseline:zero"))).line.endswith("needs no check")
    assert (await check_model(find_model("local:smollm2"))).is_usable


def test_an_unknown_name_is_refused_with_close_ones() -> None:
    result = RUNNER.invoke(app, ["models", "--check", "openai:gpt-4o-mimi"])
    assert result.exit_code == 2
    assert "openai:gpt-4o-mini" in result.stderr
