"""The key of a request changes with everything that may change the answer, and with nothing else."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.usage import RequestUsage

from providers.reply_shapes import ReplyShape
from providers.request_keys import from_text, to_key, to_text
from schemas.replies import EdgesReply, MarginalsReply
from tests.providers.wire import to_entry

ENTRY = to_entry()
SETTINGS: dict[str, Any] = {"max_tokens": 100, "temperature": 0.0}
PARAMETERS = ReplyShape(EdgesReply, "native").parameters


def _messages(text: str = "Which edges?", system: str = "You find edges.") -> list[ModelMessage]:
    return [ModelRequest(parts=[UserPromptPart(text)], instructions=system)]


def _key(**changes: Any) -> str:
    given: dict[str, Any] = {
        "entry": ENTRY,
        "messages": _messages(),
        "settings": SETTINGS,
        "parameters": PARAMETERS,
        "run": 0,
        **changes,
    }
    return to_key(**given).digest


def test_the_same_request_has_the_same_key_in_another_process() -> None:
    code = "from tests.providers.test_request_keys import _key, _messages; import sys; sys.stdout.write(_key())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == _key()


@pytest.mark.parametrize(
    "changes",
    [
        {"run": 1},
        {"entry": to_entry(model="gpt-4o")},
        {"entry": to_entry(base_url="http://127.0.0.1:10/v1")},
        {"entry": to_entry(provider="openai-compatible")},
        {"entry": to_entry(schema_mode="prompted")},
        {"messages": _messages("Which edges ?")},
        {"messages": _messages(system="You find causes.")},
        {"settings": {**SETTINGS, "temperature": 0.1}},
        {"settings": {**SETTINGS, "max_tokens": 200}},
        {"settings": {"max_tokens": 100}},
        {"parameters": ReplyShape(MarginalsReply, "native").parameters},
        {"parameters": ReplyShape(EdgesReply, "tool").parameters},
    ],
)
def test_another_request_has_another_key(changes: dict[str, Any]) -> None:
    assert _key(**changes) != _key()


def test_the_name_of_an_entry_its_key_variable_and_its_patience_are_no_part_of_the_key() -> None:
    assert _key(entry=to_entry(id="other:name", key_env="OTHER", timeout_seconds=9, concurrency=1)) == _key()


def test_the_order_of_schema_keys_and_settings_does_not_matter() -> None:
    shape = PARAMETERS.output_object
    assert shape is not None
    turned = dict(reversed(shape.json_schema.items()))
    assert _key(parameters=replace(PARAMETERS, output_object=replace(shape, json_schema=turned))) == _key()
    assert _key(settings=dict(reversed(SETTINGS.items()))) == _key()


def test_times_run_ids_and_message_ids_do_not_matter() -> None:
    def conversation(mark: str, year: int) -> list[ModelMessage]:
        when = datetime(year, 1, 1, tzinfo=UTC)
        return [
            ModelRequest(parts=[UserPromptPart("Which edges?", timestamp=when)], timestamp=when, run_id=mark),
            ModelResponse(
                parts=[ToolCallPart("reply", '{"id": "kept"}', tool_call_id=mark), TextPart("so", id=mark)],
                usage=RequestUsage(input_tokens=year),
                timestamp=when,
                model_name=mark,
                provider_response_id=mark,
                provider_details={"seen": mark},
                run_id=mark,
                conversation_id=mark,
            ),
            ModelRequest(parts=[ToolReturnPart("reply", "wrong", tool_call_id=mark, timestamp=when)], run_id=mark),
        ]

    assert _key(messages=conversation("a", 2025)) == _key(messages=conversation("b", 2026))


def test_what_the_model_said_before_matters() -> None:
    def conversation(arguments: str) -> list[ModelMessage]:
        return [*_messages(), ModelResponse(parts=[ToolCallPart("reply", arguments, tool_call_id="1")])]

    assert _key(messages=conversation('{"id": "a"}')) != _key(messages=conversation('{"id": "b"}'))


def test_a_kept_response_reads_back_as_it_was() -> None:
    response = ModelResponse(
        parts=[TextPart('{"edges":[]}')], usage=RequestUsage(input_tokens=3, output_tokens=5), finish_reason="length"
    )
    text = to_text(response)
    assert json.loads(text)["finish_reason"] == "length"
    assert from_text(text) == response


@pytest.mark.filterwarnings("error")
def test_odd_fields_of_a_response_are_written_without_a_warning() -> None:
    odd = cast("Any", 7)
    response = ModelResponse(parts=[TextPart("{}")], model_name=odd, provider_response_id=odd, finish_reason=odd)
    assert json.loads(to_text(response))["model_name"] == 7
    assert _key(messages=[*_messages(), response]) != _key()


@pytest.mark.parametrize("text", ["", "{", "{}", '{"parts": 3}', "[1]"])
def test_a_text_that_holds_no_response_is_none(text: str) -> None:
    assert from_text(text) is None


def test_the_length_counts_prompt_and_schema() -> None:
    bare = ModelRequestParameters(output_mode="native", output_object=OutputObjectDefinition(json_schema={}))
    short = to_key(ENTRY, _messages("a"), SETTINGS, bare, 0).characters
    assert to_key(ENTRY, _messages("a" * 1001), SETTINGS, bare, 0).characters == short + 1000
    assert to_key(ENTRY, _messages("a"), SETTINGS, PARAMETERS, 0).characters > short
