"""A scripted model for tiny requests, and an article short enough for a real one."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from bayes.network import Variable
from providers.steps.interview import Interview
from schemas.articles import Article

TEXT = "Heavy rainfall leads to river floods. The river floods damage the crop yields of farmers."
ARTICLE = Article(
    domain="environment",
    backbone="floods",
    title="Floods",
    url="",
    revision="",
    retrieved_at="2026-01-01T00:00:00Z",
    licence="CC0-1.0",
    text=TEXT,
    sha256="0" * 64,
    words=len(TEXT.split()),
)
RAIN = Variable("rainfall", ("high", "low", "none"))
FLOOD = Variable("river floods", ("severe", "limited", "none"))
CROPS = Variable("crop yields", ("rising", "falling", "none"))

Fields = dict[str, dict[str, Any]]


def take_first(prompt: str, fields: Fields) -> dict[str, Any]:  # noqa: ARG001 - one of several scripts
    """Answer every field with the first thing on its menu, and a sentence with one that is no menu."""
    return {
        name: spec["enum"][0] if "enum" in spec else "It is as it is, and will be so." for name, spec in fields.items()
    }


def say(answer: Any) -> Callable[[str, Fields], Any]:
    """Give the same answer whatever is asked."""
    return lambda prompt, fields: answer  # noqa: ARG005 - a script's signature


@dataclass
class ScriptedModel:
    """Answers tiny requests from a script. Each costs ten tokens in and two out."""

    script: Callable[[str, Fields], Any] = take_first
    prompts: list[str] = field(default_factory=list[str])
    menus: list[list[Any]] = field(default_factory=list[list[Any]])
    settings: list[Any] = field(default_factory=list[Any])

    @property
    def model(self) -> FunctionModel:
        """It as a pydantic-ai model."""
        return FunctionModel(self._answer, model_name="scripted")

    @property
    def interview(self) -> Interview:
        """An interview with it."""
        return Interview(self.model, ModelSettings())

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        prompt = next(str(part.content) for part in messages[-1].parts if isinstance(part, UserPromptPart))
        self.prompts.append(prompt)
        self.settings.append(info.model_settings)
        shape = info.model_request_parameters.output_object
        if shape is None:
            return ModelResponse(parts=[TextPart("free text")], usage=RequestUsage(input_tokens=10, output_tokens=2))
        fields: Fields = shape.json_schema["properties"]
        self.menus.append(next((spec["enum"] for spec in fields.values() if "enum" in spec), []))
        text = json.dumps(self.script(prompt, fields))
        return ModelResponse(parts=[TextPart(text)], usage=RequestUsage(input_tokens=10, output_tokens=2))
