"""The services' own words: their replies, and the bodies with which each of them says what is wrong.

Sources: https://platform.claude.com/docs/en/api/errors, https://platform.openai.com/docs/guides/error-codes,
https://console.groq.com/docs/errors, https://openrouter.ai/docs/api-reference/errors, and what users of these services
reported.
"""

from dataclasses import replace
from typing import Any, Literal

from providers.catalogue import ModelEntry
from tests.providers.wire import PLANTED_KEY, Step, Wire, reply, to_entry

Provider = Literal["anthropic", "openai", "groq", "openai-compatible"]

PROVIDERS: tuple[Provider, ...] = ("anthropic", "openai", "groq", "openai-compatible")

_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_MODELS = {
    "anthropic": "claude-haiku-4-5",
    "openai": "gpt-4o-mini",
    "groq": "llama-3.3-70b-versatile",
    "openai-compatible": "qwen3",
}

# What each service says, as (status, type, code, message); Anthropic has no code.
_SAID: dict[str, dict[str, tuple[int, str | None, str | int | None, str]]] = {
    "anthropic": {
        "busy": (429, "rate_limit_error", None, "This request would exceed your organization's rate limit."),
        "server": (500, "api_error", None, "Internal server error"),
        "unavailable": (503, "api_error", None, "Service unavailable"),
        "overloaded": (529, "overloaded_error", None, "Overloaded"),
        "wrong key": (401, "authentication_error", None, f"invalid x-api-key {PLANTED_KEY}"),
        "forbidden": (403, "permission_error", None, "Your API key does not have permission to use the model."),
        "no such model": (404, "not_found_error", None, "model: claude-haiku-4-5"),
        "no credit": (
            400,
            "invalid_request_error",
            None,
            "Your credit balance is too low to access the Anthropic API.",
        ),
        "payment": (402, "billing_error", None, "There is an issue with your billing."),
        "too long": (400, "invalid_request_error", None, "prompt is too long: 208310 tokens > 200000 maximum"),
        "too large": (413, "request_too_large", None, "Request exceeds the maximum size"),
        "rejected": (400, "invalid_request_error", None, "temperature: Extra inputs are not permitted"),
    },
    "openai": {
        "busy": (429, "requests", "rate_limit_exceeded", "Rate limit reached for gpt-4o-mini in organization org-1."),
        "server": (500, "server_error", None, "The server had an error while processing your request."),
        "unavailable": (503, "server_error", None, "The engine is currently overloaded, please try again later"),
        "wrong key": (401, "invalid_request_error", "invalid_api_key", f"Incorrect API key provided: {PLANTED_KEY}."),
        "forbidden": (403, "invalid_request_error", "unsupported_country_region_territory", "Country not supported"),
        "no such model": (404, "invalid_request_error", "model_not_found", "The model `gpt-4o-mini` does not exist"),
        "no credit": (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."),
        "too long": (400, "invalid_request_error", "context_length_exceeded", "This model's maximum context length is"),
        "rejected": (400, "invalid_request_error", "unsupported_value", "'temperature' does not support 0"),
    },
    "groq": {
        "busy": (429, "tokens", "rate_limit_exceeded", "Rate limit reached on tokens per minute (TPM): Limit 6000."),
        "server": (500, "internal_server_error", None, "Internal Server Error"),
        "unavailable": (503, "internal_server_error", None, "llama-3.3-70b-versatile is currently over capacity."),
        "overloaded": (498, "internal_server_error", "capacity_exceeded", "Flex tier capacity exceeded"),
        "wrong key": (401, "invalid_request_error", "invalid_api_key", f"Invalid API Key {PLANTED_KEY}"),
        "forbidden": (403, "permissions_error", "permission_denied", "You do not have access to the model"),
        "no such model": (404, "invalid_request_error", "model_not_found", "The model `llama-9` does not exist"),
        "stale model": (400, "invalid_request_error", "model_decommissioned", "The model has been decommissioned"),
        "too long": (400, "invalid_request_error", None, "Please reduce the length of the messages or completion."),
        "too large": (413, "tokens", "rate_limit_exceeded", "Request too large on tokens per minute: Limit 6000"),
        "rejected": (400, "invalid_request_error", None, "`max_tokens` must be less than or equal to `8192`"),
    },
    "openai-compatible": {
        "busy": (429, None, 429, "Provider returned error"),
        "server": (502, None, 502, "Your chosen model is down"),
        "unavailable": (503, None, 503, "There is no available model provider that meets your routing requirements"),
        "wrong key": (401, None, 401, f"No auth credentials found for {PLANTED_KEY}"),
        "forbidden": (403, None, 403, "This key may not use the model"),
        "no such model": (404, None, 404, "No endpoints found for qwen3."),
        "payment": (402, None, 402, "This request requires more credits, or fewer max_tokens."),
        "too long": (400, "BadRequestError", 400, "This model's maximum context length is 8192 tokens."),
        "rejected": (422, None, 422, "Input should be a valid list"),
    },
}


def answer(provider: Provider, text: str, *, finish: str = "stop") -> Step:
    """A reply with this text: 100 tokens in, 20 out."""
    if provider != "anthropic":
        return reply(text, finish=finish)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": _STOP_REASONS[finish],
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
    return Step(body=body)


def refuse_politely(provider: Provider) -> Step:
    """A refusal to answer, in the provider's form: a field of its own, or a reason to stop."""
    if provider == "openai":
        message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        return reply("", message=message)
    return answer(provider, "", finish="content_filter")


def list_providers(name: str) -> tuple[Provider, ...]:
    """Who says such a thing."""
    return tuple(provider for provider in PROVIDERS if name in _SAID[provider])


def fail(provider: Provider, name: str, *, in_ok: bool = False, **headers: str) -> Step:
    """The error response of that name, in a 200 if asked for; header names are given with underscores."""
    status, kind, code, message = _SAID[provider][name]
    body: dict[str, Any] = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    if provider == "anthropic":
        body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Step(200 if in_ok else status, body, named)


def fail_generation(code: str, generation: str) -> Step:
    """Groq's answer to output of the model that it could not take for a call or for JSON."""
    message = "Failed to generate. Please adjust your prompt. See 'failed_generation' for more details."
    error = {"message": message, "type": "invalid_request_error", "code": code, "failed_generation": generation}
    return Step(400, {"error": error})


def break_off(provider: Provider, text: str, **changes: Any) -> Step:
    """A good reply that goes wrong on its way."""
    return replace(answer(provider, text), **changes)


def to_provider_entry(provider: Provider, wire: Wire, **changes: Any) -> ModelEntry:
    """The catalogue entry of a scripted service of this provider."""
    origin = wire.base_url.removesuffix("/v1")
    base_url = wire.base_url if provider.startswith("openai") else origin
    fields: dict[str, Any] = {"provider": provider, "model": _MODELS[provider], "base_url": base_url, "settings": {}}
    return to_entry(**{**fields, **changes})
