"""The model catalogue: complete, strict, and open to a user's own file."""

import subprocess
import sys
from pathlib import Path

import pytest

from providers.catalogue import OWN_CATALOGUE_VARIABLE, find_model, list_models
from providers.prices import is_price_known
from schemas.errors import InputError

GOOD = """
own:model:
  provider: openai-compatible
  model: my-model
  base_url: http://127.0.0.1:8080/v1
  context_tokens: 8192
  max_output_tokens: 1024
"""


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own.yaml"
    monkeypatch.setenv(OWN_CATALOGUE_VARIABLE, str(path))
    return path


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-4-6",
        "claude-opus-4-6",
        "llama-3.3-70b-versatile",
        "gpt-5.5",
        "claude-haiku-4-5",
        "deepseek/deepseek-chat",
        "google/gemma-3-12b-it",
        "gpt-4o-mini",
        "meta-llama/llama-4-maverick",
        "qwen/qwen3-30b-a3b-instruct-2507",
        "gemini-2.5-flash",
        "llama-3.1-8b-instant",
        "gpt-5.4",
    ],
)
def test_every_model_of_the_publications_is_there_with_a_price(model: str) -> None:
    entry = next(entry for entry in list_models() if entry.model == model)
    assert entry.id.endswith(f":{model}")
    assert entry.key_env
    assert is_price_known(entry)


def test_the_key_less_models_are_there_and_free() -> None:
    for name in ("offline", "offline:rules", "local:smollm2"):
        entry = find_model(name)
        assert entry.is_key_set
        assert not entry.is_hosted
        assert is_price_known(entry)


def test_a_model_that_reasons_by_default_is_sent_no_temperature() -> None:
    assert find_model("openai:gpt-5.5").settings.model_dump(exclude_none=True) == {}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sonet", "anthropic:claude-sonnet-4-6"),
        ("claude-haiku-4-5", "anthropic:claude-haiku-4-5"),
        ("offline:rule", "offline:rules"),
        ("gpt4o-mini", "openai:gpt-4o-mini"),
    ],
)
def test_an_unknown_name_is_answered_with_close_matches(typed: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"did you mean .*{meant}"):
        find_model(typed)


def test_a_name_like_no_other_is_answered_with_all_of_them() -> None:
    with pytest.raises(InputError, match="there are offline, offline:rules, local:smollm2, "):
        find_model("zzzzzz")


def test_an_own_file_adds_a_model_and_keeps_the_others(own_file: Path) -> None:
    own_file.write_text(GOOD)
    assert find_model("own:model").base_url == "http://127.0.0.1:8080/v1"
    assert find_model("offline").provider == "offline"


def test_an_own_file_changes_only_the_fields_it_gives(own_file: Path) -> None:
    own_file.write_text("openai:gpt-4o-mini: {base_url: 'http://127.0.0.1:1/v1', key_env: OTHER_KEY}")
    entry = find_model("openai:gpt-4o-mini")
    assert (entry.base_url, entry.key_env) == ("http://127.0.0.1:1/v1", "OTHER_KEY")
    assert (entry.model, entry.max_output_tokens, entry.settings.temperature) == ("gpt-4o-mini", 16384, 0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD + "  model: other\n", "line 8: the key 'model' is given twice"),
        (GOOD + GOOD, "line 9: the key 'own:model' is given twice"),
        (GOOD + "  contxt_tokens: 1\n", "own:model: contxt_tokens: is not a field; did you mean context_tokens?"),
        (GOOD + "  settings: {heat: 1}\n", "own:model: settings.heat: is not a field"),
        (GOOD.replace("8192", "many"), "own:model: context_tokens: "),
        (GOOD.replace("  model: my-model\n", ""), "own:model: model: Field required"),
        (GOOD.replace("8192", "512"), "own:model: max_output_tokens is larger than context_tokens"),
        (GOOD.replace("http:", "ftp:"), "own:model: base_url is not an http:// or https:// address"),
        (GOOD.replace("127.0.0.1", "me:secret@127.0.0.1"), "own:model: base_url carries more than an address"),
        (GOOD.replace("8080/v1", "8080/v1?key=secret"), "own:model: base_url carries more than an address"),
        (GOOD + "  key_env: 'sk-1 2'\n", "own:model: key_env: "),
        (GOOD + "  style: wild\n", "own:model: style: "),
        (GOOD + "  id: x\n", "own:model: id: is the key above; remove the field"),
        (GOOD.replace("-compatible", "") + "  schema_mode: grammar\n", "own:model: schema_mode grammar needs"),
        ("offline: {key_env: A_KEY}", "offline: a model of the provider offline has neither base_url nor key_env"),
        ("groq:llama-3.1-8b-instant: {settings: {reasoning_effort: low}}", "settings.reasoning_effort is not sent"),
        ("own:model: 3", "own:model: must map field names to values"),
        ("[1, 2]", "must map model names to their fields"),
        ("own: {", "line 1: "),
    ],
)
def test_a_wrong_file_gives_one_line_that_names_file_and_field(own_file: Path, text: str, complaint: str) -> None:
    own_file.write_text(text)
    with pytest.raises(InputError) as caught:
        list_models()
    message = str(caught.value)
    assert message.startswith(f"{own_file}: ")
    assert complaint in message
    assert "\n" not in message
    assert "secret" not in message


def test_a_file_that_is_not_there_is_named(own_file: Path) -> None:
    with pytest.raises(InputError, match=r"own\.yaml: cannot be read: No such file"):
        list_models()
    own_file.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"own\.yaml: cannot be read: "):
        list_models()


def test_importing_the_door_loads_no_sdk() -> None:
    code = (
        "import sys, providers.asking; print(sorted({'pydantic_ai', 'openai', 'anthropic', 'groq'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "[]"
