"""Replies are read from whatever form a model gives them, and sent back with what is wrong."""

import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from providers.reply_shapes import ReplyShape, to_lines
from schemas.replies import EdgeReply, EdgesReply
from tests.providers.wire import EDGES_JSON

EDGES = EdgesReply(edges=[EdgeReply(parent="rainfall", child="flood", mechanism="Water rises.")])


class _Bounded(BaseModel):
    share: Annotated[float, Field(ge=0, le=1)]


def _say(text: str) -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)])


@pytest.mark.parametrize(
    "text",
    [EDGES_JSON, f"```json\n{EDGES_JSON}\n```", f"Here they are:\n{EDGES_JSON}\nAnything else?", f" {EDGES_JSON} "],
)
def test_json_is_found_in_text_with_and_without_a_fence(text: str) -> None:
    assert ReplyShape(EdgesReply, "prompted").read(_say(text)).value == EDGES


@pytest.mark.parametrize("arguments", [EDGES_JSON, EDGES.model_dump()])
def test_the_arguments_of_a_tool_call_are_the_reply(arguments: str | dict[str, object]) -> None:
    response = ModelResponse(parts=[ToolCallPart("reply", arguments, tool_call_id="1")])
    assert ReplyShape(EdgesReply, "tool").read(response).value == EDGES


def test_a_model_that_writes_instead_of_calling_the_tool_is_understood() -> None:
    assert ReplyShape(EdgesReply, "tool").read(_say(EDGES_JSON)).value == EDGES


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply is empty"),
        ("Sorry, no.", "reply: Invalid JSON: expected value at line 1 column 1"),
        ('{"edges": [{"parent": "a", "child": "b"}]}', "edges.0.mechanism: Field required"),
        ('{"edges": [], "notes": 1}', "notes: Extra inputs are not permitted"),
        ('{"edges": [{"parent": ', "reply: Invalid JSON: "),
    ],
)
def test_each_fault_of_a_reply_is_named_with_its_place(text: str, problem: str) -> None:
    reading = ReplyShape(EdgesReply, "native").read(_say(text))
    assert reading.value is None
    assert reading.problems[0].startswith(problem)


def test_bounds_are_checked_on_our_side() -> None:
    problems = ReplyShape(_Bounded, "native").read(_say('{"share": 1.5}')).problems
    assert problems == ("share: Input should be less than or equal to 1",)


def test_feedback_on_text_follows_the_reply_as_a_request() -> None:
    response = _say("{}")
    said, request = ReplyShape(EdgesReply, "native").to_feedback(response, ["edges: Field required"])
    assert said is response
    assert isinstance(request, ModelRequest)
    (part,) = request.parts
    assert isinstance(part, UserPromptPart)
    assert "- edges: Field required\n" in str(part.content)


def test_feedback_on_tool_calls_answers_every_call() -> None:
    calls = [ToolCallPart("reply", "{}", tool_call_id="1"), ToolCallPart("reply", "{}", tool_call_id="2")]
    _, request = ReplyShape(EdgesReply, "tool").to_feedback(ModelResponse(parts=calls), ["wrong"])
    answers = [part for part in request.parts if isinstance(part, ToolReturnPart)]
    assert [(part.tool_call_id, part.outcome) for part in answers] == [("1", "retried"), ("2", "retried")]


def test_an_empty_turn_of_the_model_is_not_sent_back() -> None:
    assert len(ReplyShape(EdgesReply, "native").to_feedback(ModelResponse(parts=[]), ["the reply is empty"])) == 1


def _count_characters(messages: list[ModelMessage]) -> int:
    return len(ModelMessagesTypeAdapter.dump_json(messages))


HUGE = "x" * 2_000_000


@pytest.mark.parametrize(
    "parts",
    [
        [TextPart(HUGE)],
        [TextPart("x" * 1000)] * 2000,
        [ThinkingPart(HUGE), TextPart("{}")],
        [ToolCallPart("reply", f'{{"name": "{HUGE}"}}', tool_call_id="1")],
        [ToolCallPart("reply", {"name": HUGE}, tool_call_id="1"), ToolCallPart("reply", "{}", tool_call_id="2")],
        [TextPart(HUGE), ToolCallPart("reply", HUGE, tool_call_id="1")],
        [ToolCallPart("reply", "{}", tool_call_id=str(number)) for number in range(5000)],
        [ToolCallPart(HUGE, "{}", tool_call_id=HUGE)],
    ],
    ids=["text", "texts", "thinking", "arguments", "record", "text and call", "calls", "names"],
)
def test_of_a_huge_reply_the_beginning_goes_back_and_every_call_in_it_is_answered(
    parts: list[ModelResponsePart],
) -> None:
    messages = ReplyShape(EdgesReply, "tool").to_feedback(ModelResponse(parts=parts), ["wrong"])
    assert _count_characters(messages) < 40_000
    said, request = messages
    assert isinstance(said, ModelResponse)
    calls = [part for part in said.parts if isinstance(part, ToolCallPart)]
    assert all(isinstance(json.loads(call.args_as_json_str()), dict) for call in calls)
    assert bool(calls) == any(isinstance(part, ToolCallPart) for part in parts)
    answers = [part for part in request.parts if isinstance(part, ToolReturnPart)]
    assert [answer.tool_call_id for answer in answers] == [call.tool_call_id for call in calls]
    (content, *_) = [str(part.content) for part in request.parts if isinstance(part, ToolReturnPart | UserPromptPart)]
    assert "only its beginning is shown here" in content


@pytest.mark.parametrize(
    "part", [TextPart("x" * 19_000), ToolCallPart("reply", "x" * 19_000), ThinkingPart("x" * 100_000)]
)
def test_a_reply_of_the_usual_length_goes_back_as_it_came(part: ModelResponsePart) -> None:
    response = ModelResponse(parts=[ThinkingPart("Well."), part, ToolCallPart("reply", "{}")])
    said, request = ReplyShape(EdgesReply, "native").to_feedback(response, ["wrong"])
    assert said is response
    assert "beginning" not in str(request)


@given(problems=st.lists(st.text(max_size=1000), max_size=60))
def test_problems_are_a_few_short_lines_whatever_a_check_says(problems: list[str]) -> None:
    lines = to_lines(problems)
    assert len(lines) <= 21
    assert bool(lines) == bool(problems)
    assert all(len(line) <= 300 and len(line.splitlines()) <= 1 for line in lines)


def test_schemas_have_no_bounds_no_optional_fields_and_are_closed() -> None:
    """Providers answer 400 to bounds; the strict ones ask for closed objects with all fields required."""
    shape = ReplyShape(EdgesReply, "native").parameters.output_object
    assert shape is not None
    assert shape.name == "EdgesReply"
    assert shape.json_schema["additionalProperties"] is False
    assert shape.json_schema["required"] == ["edges"]
    assert "title" not in shape.json_schema
