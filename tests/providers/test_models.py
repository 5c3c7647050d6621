"""Models are opened with the catalogue's settings, and the key goes to the service and nowhere else."""

import pytest
from pydantic_ai.models import Model

from providers.asking import Asker, Prompt
from providers.budget import Budget
from providers.catalogue import ModelEntry, find_model
from providers.models import CONNECT_SECONDS, open_model, to_model_settings
from schemas.errors import InputError
from schemas.replies import EdgesReply
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    Received,
    Step,
    call_tool,
    reply,
    serve,
    to_entry,
)

ANTHROPIC_REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-4-5",
    "content": [{"type": "text", "text": EDGES_JSON}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 100, "output_tokens": 20},
}


@pytest.fixture(autouse=True)
def _planted_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


async def _ask_once(step: Step, **changes: object) -> Received:
    async with serve(step) as wire:
        base_url = wire.base_url if "openai" in str(changes.get("provider", "openai")) else wire.base_url[:-3]
        entry = to_entry(base_url, **changes)
        async with Asker(entry, store=None, ledger=MemoryLedger(), budget=Budget()) as asker:
            answer = await asker.ask(
                EDGES_QUESTION, Prompt("Find edges.", "Rain."), EdgesReply, lambda _: (), max_tokens=500
            )
        assert answer.value is not None, answer
        (received,) = wire.received
        return received


@pytest.mark.parametrize("name", ["anthropic:claude-sonnet-4-6", "groq:llama-3.1-8b-instant", "openai:gpt-5.4"])
def test_a_missing_key_is_an_input_error_that_names_the_variable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = find_model(name)
    monkeypatch.delenv(entry.key_env, raising=False)
    assert not entry.is_key_set
    with pytest.raises(InputError, match=f"the model {name} needs a key: set the variable {entry.key_env}"):
        open_model(entry)


@pytest.mark.parametrize("key", ["sk-1\nsk-2", "sk-1 sk-2", "sk-ключ"])
def test_what_cannot_be_a_key_is_refused_without_being_quoted(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(InputError, match=f"the variable {KEY_VARIABLE} holds no key") as caught:
        open_model(to_entry())
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("provider", ["openai", "openai-compatible", "anthropic", "groq"])
def test_the_sdk_never_retries_and_waits_as_long_as_the_catalogue_says(provider: str) -> None:
    model = open_model(to_entry(provider=provider, timeout_seconds=77))
    assert model.client.max_retries == 0  # pyright: ignore[reportAttributeAccessIssue]
    timeout = model.client.timeout  # pyright: ignore[reportAttributeAccessIssue]
    assert (timeout.read, timeout.connect) == (77, CONNECT_SECONDS)


@pytest.mark.parametrize("provider", ["openai", "openai-compatible", "anthropic", "groq"])
def test_no_representation_shows_the_key(provider: str) -> None:
    entry = to_entry(provider=provider)
    model: Model = open_model(entry)
    shown = " ".join(map(repr, (entry, model, model.provider, vars(model)))) + entry.model_dump_json()
    assert PLANTED_KEY not in shown


async def test_openai_gets_key_settings_and_a_strict_schema() -> None:
    received = await _ask_once(reply(EDGES_JSON))
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {PLANTED_KEY}"
    assert received.body["temperature"] == 0
    assert received.body["max_completion_tokens"] == 500
    assert received.body["response_format"]["type"] == "json_schema"
    assert received.body["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in received.body["messages"]] == ["system", "user"]
    assert "prism_question" not in str(received.body)


async def test_only_the_settings_of_the_catalogue_are_sent() -> None:
    received = await _ask_once(reply(EDGES_JSON), settings={})
    assert not {"temperature", "top_p", "seed", "reasoning_effort"} & set(received.body)


async def test_a_compatible_server_needs_no_key_and_gets_the_older_cap() -> None:
    received = await _ask_once(reply(EDGES_JSON), provider="openai-compatible", key_env="")
    assert received.body["max_tokens"] == 500
    assert PLANTED_KEY not in str(received)


async def test_in_prompted_mode_the_schema_stands_in_the_prompt() -> None:
    received = await _ask_once(reply(EDGES_JSON), provider="openai-compatible", schema_mode="prompted")
    assert "mechanism" in str(received.body["messages"])
    assert received.body.get("response_format", {}).get("type") != "json_schema"


async def test_in_tool_mode_groq_is_made_to_call_the_reply_tool() -> None:
    received = await _ask_once(call_tool(EDGES_JSON), provider="groq", schema_mode="tool")
    assert received.path == "/openai/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {PLANTED_KEY}"
    assert [tool["function"]["name"] for tool in received.body["tools"]] == ["reply"]
    assert received.body["tool_choice"] == "required"


async def test_anthropic_gets_the_schema_as_its_output_format() -> None:
    received = await _ask_once(Step(body=ANTHROPIC_REPLY), provider="anthropic", model="claude-haiku-4-5", settings={})
    assert received.path == "/v1/messages"
    assert PLANTED_KEY in received.headers["authorization"]
    assert received.body["max_tokens"] == 500
    assert "temperature" not in received.body
    assert "mechanism" in str(received.body["output_config"])


def test_settings_of_the_catalogue_get_their_names_for_the_request() -> None:
    entry: ModelEntry = to_entry(settings={"reasoning_effort": "none", "temperature": 0.5, "seed": 3})
    assert to_model_settings(entry, 10) == {
        "max_tokens": 10,
        "temperature": 0.5,
        "seed": 3,
        "openai_reasoning_effort": "none",
    }
