"""The shape that a reply must have: how it is asked for, read, and sent back with what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import GenerateToolJsonSchema, ToolDefinition

from schemas.replies import TextReply

if TYPE_CHECKING:
    from providers.catalogue import SchemaMode

T = TypeVar("T", bound=BaseModel)

TOOL_NAME = "reply"
_MOST_PROBLEMS = 20
_PROBLEM_CHARACTERS = 300
_QUOTED_CHARACTERS = 20_000
_THINKING_CHARACTERS = 200_000
_NAME_CHARACTERS = 1000
_MOST_CALLS = 20


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What a response was read as: a value, or what is wrong with it, one line each."""

    value: T | None
    problems: tuple[str, ...] = ()


class ReplyShape(Generic[T]):
    """One type of reply in one schema mode. ``parameters`` go along with every request for it.

    A :class:`schemas.replies.TextReply` has no schema: any text that is not empty will do.
    """

    def __init__(self, output: type[T], mode: SchemaMode) -> None:
        self.output = output
        if issubclass(output, TextReply):
            self.parameters = ModelRequestParameters(output_mode="text", allow_text_output=True)
            return
        schema = output.model_json_schema(schema_generator=GenerateToolJsonSchema)
        schema.pop("title", None)
        description = schema.pop("description", None)
        self.parameters = _to_parameters(output.__name__, description, schema, mode)

    def read(self, response: ModelResponse) -> Reading[T]:
        """The reply in a response, checked against the schema and its bounds."""
        if issubclass(self.output, TextReply):
            text = (response.text or "").strip()
            return Reading(self.output(text=text)) if text else Reading(None, ("the reply is empty",))
        call = next((part for part in response.parts if isinstance(part, ToolCallPart)), None)
        content: object = (call.args or "") if call else _cut_json(response.text or "")
        if not content:
            return Reading(None, ("the reply is empty",))
        try:
            if isinstance(content, str):
                return Reading(self.output.model_validate_json(content))
            return Reading(self.output.model_validate(content))
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            lines = (f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}" for item in details)
            return Reading(None, to_lines(lines))

    def to_feedback(self, response: ModelResponse, problems: Sequence[str]) -> list[ModelMessage]:
        """The messages that show the model its reply, its beginning if it is huge, and what is wrong with it."""
        quoted = _to_quoted(response)
        listed = "\n".join(f"- {problem}" for problem in problems)
        if quoted is not response:
            listed += "\n- it is long: only its beginning is shown here"
        text = f"This reply cannot be used:\n{listed}\nReply again, in full and in the same form, with that put right."
        calls = [part for part in quoted.parts if isinstance(part, ToolCallPart)]
        if calls:
            answers = [ToolReturnPart(call.tool_name, text, call.tool_call_id, outcome="retried") for call in calls]
            return [quoted, ModelRequest(parts=answers)]
        feedback = ModelRequest(parts=[UserPromptPart(text)])
        # Providers refuse a turn of the model without content.
        return [quoted, feedback] if quoted.text else [feedback]


def to_lines(problems: Iterable[str]) -> tuple[str, ...]:
    """Problems as single lines of bounded length, the first ones if there are many."""
    lines = [" ".join(str(problem).split()) for problem in problems]
    shown = [line[:_PROBLEM_CHARACTERS] for line in lines[:_MOST_PROBLEMS]]
    if len(lines) > _MOST_PROBLEMS:
        shown.append(f"and {len(lines) - _MOST_PROBLEMS} more of this kind")
    return tuple(shown)


def _to_quoted(response: ModelResponse) -> ModelResponse:
    """A response as it may be sent back: itself, or the beginning of a huge one, since all of it is paid for again."""
    said = [part.content for part in response.parts if isinstance(part, TextPart)]
    thought = sum(len(part.content) for part in response.parts if isinstance(part, ThinkingPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    arguments = [call.args if isinstance(call.args, str) else json.dumps(call.args or {}) for call in calls]
    names = [name for call in calls for name in (call.tool_name, call.tool_call_id)]
    is_huge = sum(map(len, (*said, *arguments))) > _QUOTED_CHARACTERS or thought > _THINKING_CHARACTERS
    if not is_huge and len(calls) <= _MOST_CALLS and all(len(name) <= _NAME_CHARACTERS for name in names):
        return response
    parts: list[ModelResponsePart] = []
    if thought <= _THINKING_CHARACTERS:  # some services want it back whole
        parts += [part for part in response.parts if isinstance(part, ThinkingPart)]
    left = _QUOTED_CHARACTERS
    text = "".join(said)[:left]
    if text:
        parts.append(TextPart(text))
        left -= len(text)
    for call, given in zip(calls[:_MOST_CALLS], arguments, strict=False):
        # Services refuse arguments that are no JSON object, such as a piece of one.
        kept: Any = call.args if len(given) <= left else {"beginning": given[:left]}
        left -= min(left, len(given))
        parts.append(ToolCallPart(call.tool_name[:_NAME_CHARACTERS], kept, call.tool_call_id[:_NAME_CHARACTERS]))
    return replace(response, parts=parts)


def _to_parameters(
    name: str, description: str | None, schema: dict[str, Any], mode: SchemaMode
) -> ModelRequestParameters:
    if mode == "tool":
        tool = ToolDefinition(
            name=TOOL_NAME,
            parameters_json_schema=schema,
            description=description or "Hands in the reply",
            kind="output",
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    shape = OutputObjectDefinition(json_schema=schema, name=name, description=description)
    # A grammar is made from the native form by the model that stands before the server.
    output_mode = "prompted" if mode == "prompted" else "native"
    return ModelRequestParameters(output_mode=output_mode, output_object=shape)


def _cut_json(text: str) -> str:
    # Some models wrap the object in a Markdown fence or a sentence.
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text.strip()
