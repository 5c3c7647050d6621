"""Groq's answers to output of the model that it could not take: an error, though the model did reply.

A call of a tool (``tool_use_failed``) or a JSON text (``json_validate_failed``) that does not fit its schema comes back
as HTTP 400 with what the model wrote. pydantic-ai makes a reply of the former; here the same is done for the latter, so
that either is sent back to the model with what is wrong with it, like any reply that breaks its schema.

Source: https://console.groq.com/docs/structured-outputs
"""

from __future__ import annotations

from typing import Any, cast

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

_CODE = "json_validate_failed"


class FailedGenerations(WrapperModel):
    """A model whose refused JSON is a reply with the finish reason ``error``."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send one request."""
        try:
            return await self.wrapped.request(messages, model_settings, model_request_parameters)
        except ModelHTTPError as error:
            generation = _find_generation(error)
            if generation is None:
                raise
        parts = [TextPart(generation)] if generation else []
        return ModelResponse(parts=parts, model_name=self.wrapped.model_name, finish_reason="error")


def _find_generation(error: ModelHTTPError) -> str | None:
    if error.provider_error_code != _CODE or not isinstance(error.body, dict):
        return None
    body = cast("dict[str, Any]", error.body)
    inner: Any = body.get("error", body)
    generation = inner.get("failed_generation") if isinstance(inner, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType]
    return generation if isinstance(generation, str) else ""
