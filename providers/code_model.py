"""What models made of code have in common: they read the typed question in the settings, and no message."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings

from schemas.questions import QUESTION_SETTING
from schemas.replies import Reply


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """A reply, and the name under which it stands in the tables."""

    model: str
    reply: Reply


class CodeModel(Model, ABC):
    """A pydantic-ai model like any other, so its replies take a hosted model's way: validation, ledger, tables."""

    provider_name: ClassVar[str]

    def __init__(self, name: str) -> None:
        super().__init__(profile=ModelProfile(supports_json_schema_output=True))
        self._name = name

    @property
    def model_name(self) -> str:
        """The provider and the name, with a colon between them."""
        return f"{self.provider_name}:{self._name}"

    @property
    def system(self) -> str:
        """The provider's name."""
        return self.provider_name

    async def request(
        self,
        messages: list[ModelMessage],  # noqa: ARG002 - the question is read instead
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,  # noqa: ARG002
    ) -> ModelResponse:
        """Answer the question in the settings.

        Raises:
            InputError: there is none, or it is not for this model.
        """
        answer = self.answer(cast("dict[str, object]", model_settings or {}).get(QUESTION_SETTING))
        return ModelResponse(parts=[TextPart(answer.reply.to_text())], model_name=answer.model, finish_reason="stop")

    @abstractmethod
    def answer(self, question: object) -> CodeAnswer:
        """The reply to a question.

        Raises:
            InputError: it is not for this model.
        """
