"""From a catalogue entry to the pydantic-ai model that talks to the service.

This is the only place that reads a key, and it hands the key to the SDK's client and to nobody else.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from schemas.errors import InputError

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.settings import ModelSettings

    from providers.catalogue import ModelEntry

CONNECT_SECONDS = 10.0


def open_model(entry: ModelEntry, *, is_batched: bool = False) -> Model:
    """The model of a catalogue entry, ready for requests. The SDK sends each request once: retries are made elsewhere.

    Of OpenAI's two interfaces only the Responses API has batches, so that is what a batched model speaks.

    Raises:
        InputError: the entry's key variable is not set or holds no key, or the embedded model's packages are missing.
    """
    _quieten_warnings()
    match entry.provider:
        case "offline":
            from providers.offline import OfflineModel

            return OfflineModel(entry.model)
        case "baseline":
            from providers.baselines import BaselineModel

            return BaselineModel(entry.model)
        case "local":
            from providers.local import open_local_model

            return open_local_model(entry)
        case "anthropic":
            return _open_anthropic(entry)
        case "groq":
            return _open_groq(entry)
        case "openai" | "openai-compatible":
            return _open_openai(entry, is_batched=is_batched)


@cache
def _quieten_warnings() -> None:
    # What a service says oddly is for the program to deal with, not for the terminal.
    from pydantic_ai.exceptions import UsageExtractionFailedWarning

    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    warnings.filterwarnings("ignore", category=UsageExtractionFailedWarning)


async def close_model(model: Model) -> None:
    """Close the model's connections; a model without any is left alone."""
    client = getattr(model, "client", None)
    if client is not None:
        await client.close()


def to_model_settings(entry: ModelEntry, max_tokens: int) -> ModelSettings:
    """The settings of a request: the cap on the reply and what the catalogue lists for the model, nothing else.

    Example:
        >>> from providers.catalogue import find_model
        >>> to_model_settings(find_model("openai:gpt-5.4"), 500)
        {'max_tokens': 500, 'temperature': 0.0, 'openai_reasoning_effort': 'none'}
    """
    settings = cast("dict[str, Any]", {"max_tokens": max_tokens})
    settings |= entry.settings.model_dump(exclude_none=True)
    if "reasoning_effort" in settings:
        settings["openai_reasoning_effort"] = settings.pop("reasoning_effort")
    return cast("ModelSettings", settings)


def _read_key(entry: ModelEntry) -> str:
    if not entry.key_env:
        return "none"
    key = os.environ.get(entry.key_env, "").strip()
    if not key:
        raise InputError(f"the model {entry.id} needs a key: set the variable {entry.key_env}")
    # An HTTP library names the header's value when it refuses it.
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"the variable {entry.key_env} holds no key: there are characters in it that no key has")
    return key


def _open_anthropic(entry: ModelEntry) -> Model:
    from anthropic import AsyncAnthropic
    from httpx2 import Timeout
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.providers.anthropic import AnthropicProvider

    timeout = Timeout(entry.timeout_seconds, connect=CONNECT_SECONDS)
    client = AsyncAnthropic(api_key=_read_key(entry), base_url=entry.base_url, max_retries=0, timeout=timeout)
    profile = ModelProfile(supports_json_schema_output=True) if entry.schema_mode == "native" else None
    return AnthropicModel(entry.model, provider=AnthropicProvider(anthropic_client=client), profile=profile)


def _open_groq(entry: ModelEntry) -> Model:
    from groq import AsyncGroq
    from httpx import Timeout
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.providers.groq import GroqProvider

    timeout = Timeout(entry.timeout_seconds, connect=CONNECT_SECONDS)
    client = AsyncGroq(api_key=_read_key(entry), base_url=entry.base_url, max_retries=0, timeout=timeout)
    profile = ModelProfile(supports_json_schema_output=True) if entry.schema_mode == "native" else None
    model = GroqModel(entry.model, provider=GroqProvider(groq_client=client), profile=profile)
    if entry.schema_mode == "native":
        from providers.failed_generations import FailedGenerations

        return FailedGenerations(model)
    return model


def _open_openai(entry: ModelEntry, *, is_batched: bool) -> Model:
    from httpx2 import Timeout
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    timeout = Timeout(entry.timeout_seconds, connect=CONNECT_SECONDS)
    client = AsyncOpenAI(
        api_key=_read_key(entry),
        base_url=entry.base_url,
        max_retries=0,
        timeout=timeout,
        http_client=DefaultAsyncHttpxClient(timeout=timeout, event_hooks={"response": [_unwrap_error]}),
    )
    if entry.provider == "openai":
        provider = OpenAIProvider(openai_client=client)
        if is_batched:
            return OpenAIResponsesModel(entry.model, provider=provider, profile=_openai_profile(entry))
    else:
        provider = OpenAICompatibleProvider("openai-compatible", openai_client=client)
    model = OpenAIChatModel(entry.model, provider=provider, profile=_openai_profile(entry))
    if entry.schema_mode == "grammar":
        from providers.local import GrammarModel

        return GrammarModel(model)
    return model


async def _unwrap_error(response: httpx2.Response) -> None:
    """Give a response that holds an error instead of choices the status that the error names, or 502.

    OpenRouter and others pass on failures of the service behind them in a response with HTTP 200.
    Source: https://openrouter.ai/docs/api-reference/errors
    """
    if response.status_code != HTTPStatus.OK or not response.request.url.path.endswith("/chat/completions"):
        return
    body = await response.aread()
    if b'"error"' not in body:
        return
    try:
        content: Any = json.loads(body)
    except ValueError:
        return
    if not isinstance(content, dict) or content.get("choices") or not content.get("error"):
        return
    error: Any = content["error"]
    code = str(error.get("code")) if isinstance(error, dict) else ""
    response.status_code = int(code) if re.fullmatch("[45][0-9][0-9]", code) else 502


def _openai_profile(entry: ModelEntry) -> OpenAIModelProfile:
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    profile = OpenAIModelProfile()
    if entry.provider == "openai-compatible":
        # Most such services know the older name of the cap only.
        profile["openai_chat_supports_max_completion_tokens"] = False
    if entry.schema_mode == "native":
        profile["supports_json_schema_output"] = True
    return profile
