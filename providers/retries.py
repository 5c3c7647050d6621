"""Sending a request again where that can help: the one place for it, the SDKs' own retries being off.

::

    kind            what happened                                            again?  raised in the end
    timeout         no whole reply in time, or HTTP 408                      yes     ServiceError
    connection      no connection, or it broke                               yes     ServiceError
    rate_limit      HTTP 429                                                 yes     ServiceError
    overloaded      HTTP 503, 529, 498 (Groq: no capacity)                   yes     ServiceError
    server          any other HTTP 5xx                                       yes     ServiceError
    conflict        HTTP 409                                                 yes     ServiceError
    protocol        a reply that is not what the interface promises          twice   ServiceError
    quota           no credit left (HTTP 402, or a 400 or 429 that says so)  no      AccessError
    auth            HTTP 401, 403                                            no      AccessError
    not_found       HTTP 404: no such model, or a wrong base URL; or a 400   no      AccessError
                    that says that the model was withdrawn
    context_window  the prompt is longer than the model reads, or HTTP 413   no      ServiceError
    rejected        HTTP 400, 422 and the other 4xx                          no      ServiceError
    unreachable     the address was given up (:mod:`providers.outages`)      no      ServiceError

An error inside a reply with HTTP 200, as some OpenAI-compatible services send it, counts as one with the status that it
names, or 502 (:mod:`providers.models`). What the *model* does wrong is no fault of the service: a reply that breaks its
schema, is cut off or refuses is dealt with in :mod:`providers.asking`.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import quote

from pydantic_ai import exceptions as errors

from schemas.errors import AccessError, ServiceError

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry
    from providers.limits import Limiter
    from providers.outages import Outage

T = TypeVar("T")

_TRANSIENT = frozenset({"timeout", "connection", "rate_limit", "overloaded", "server", "conflict", "protocol"})
# A garbled reply may be a slip of a proxy; but it may have been paid for, and a wrong address gives it each time.
_MOST_ATTEMPTS = {"protocol": 3}
_SLOW_DOWN = frozenset({"rate_limit", "overloaded"})
_ACCESS = frozenset({"quota", "auth", "not_found"})
_DETAIL_CHARACTERS = 200
_KEY_LIKE = re.compile(r"(?:sk-|gsk_|hf_|AIza)[\w*.-]+")

_KIND_OF_STATUS = {408: "timeout", 409: "conflict", 413: "context_window", 498: "overloaded"}
_KIND_OF_CODE = {"model_decommissioned": "not_found"}
# The first that fits: subclasses stand before their bases.
_KIND_OF_ERROR: tuple[tuple[type[Exception], str], ...] = (
    (errors.ModelTimeoutError, "timeout"),
    (errors.ModelRequestTimeout, "timeout"),
    (errors.ModelConnectionError, "connection"),
    (errors.ModelQuotaExceededError, "quota"),
    (errors.ModelAuthenticationError, "auth"),
    (errors.ModelNotFoundError, "not_found"),
    (errors.ModelContextWindowExceededError, "context_window"),
    (errors.ModelRateLimitError, "rate_limit"),
    (errors.ModelUnavailableError, "overloaded"),
    (errors.ModelServerError, "server"),
    (errors.ModelHTTPError, "rejected"),
    (errors.ModelRequestRejectedError, "rejected"),
    (errors.ModelAPIError, "protocol"),
    (errors.UnexpectedModelBehavior, "protocol"),
    (TimeoutError, "timeout"),
)

_HINTS = {
    "quota": "the account has no credit or quota left",
    "auth": "the key is wrong or may not use this model; check {key}",
    "not_found": "there is no such model or address; check model and base_url in the catalogue",
    "context_window": "the request is longer than the model or the account may read at once",
    "timeout": "no whole reply within {timeout:g} s (timeout_seconds in the catalogue)",
    "connection": "no connection to {base_url}, or it broke",
    "unreachable": "no usable reply from {base_url}, given up",
    "server": "the service failed",
    "rejected": "the service refuses the request",
    "rate_limit": "it asks to slow down",
    "overloaded": "the service is overloaded",
    "protocol": "the reply is not what the interface promises; check base_url in the catalogue",
}


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and for how long a request is tried; waits double from ``first_wait`` to ``longest_wait`` seconds.

    Faults of the ``final`` kinds end it, though they may pass: for requests that must not be sent twice.
    """

    attempts: int = 8
    total_seconds: float = 900.0
    first_wait: float = 0.5
    longest_wait: float = 60.0
    final: frozenset[str] = frozenset()

    def wait(self, attempt: int) -> float:
        """Seconds to wait after that many attempts, half of it by chance."""
        longest = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries, hides nothing


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong with a request, without the request, the reply or a key."""

    kind: str
    status: int | None = None
    retry_after: float | None = None
    is_final: bool = False
    detail: str = ""

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in _TRANSIENT and not self.is_final


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """How a request ended: a value or the last fault, after ``attempts`` requests that took ``seconds`` together."""

    value: T | None
    fault: Fault | None
    attempts: int
    seconds: float


async def send_patiently(
    send: Callable[[], Awaitable[T]],
    limiter: Limiter,
    policy: RetryPolicy,
    key_env: str = "",
    *,
    tokens: int = 0,
    count: Callable[[T], int | None] = lambda _: None,
    outage: Outage | None = None,
    gate: Callable[[], AbstractAsyncContextManager[object]] = nullcontext,
) -> Outcome[T]:
    """Send a request, each time when it is its turn, until it succeeds, fails for good or the policy ends it.

    Args:
        send: Sends the request once.
        limiter: Whose turns to wait for, and whom to tell of refusals.
        policy: Bounds on attempts and time.
        key_env: The variable that holds the key, which is blotted out of fault details.
        tokens: How many tokens a request may take, for a ceiling on tokens.
        count: How many it took in the end; None where that is not known.
        outage: What is known of the address; once that is given up, nothing is sent any more.
        gate: What each request waits for after its turn has come, and holds while it is out.

    Raises:
        Exception: whatever ``gate`` raises, and what ``send`` raises that is no fault of the service.
    """
    started = time.monotonic()
    seconds = 0.0
    for attempt in range(1, policy.attempts + 1):
        if outage is not None and outage.verdict is not None:
            return Outcome(None, outage.verdict, attempt - 1, seconds)
        async with limiter.turn(tokens) as turn, gate():
            sent_at = time.monotonic()
            try:
                value = await send()
            except Exception as error:
                fault = to_fault(error, key_env)
                if fault is None:
                    raise
            else:
                turn.accept(count(value))
                if outage is not None:
                    outage.note_answer()
                return Outcome(value, None, attempt, seconds + time.monotonic() - sent_at)
            seconds += time.monotonic() - sent_at
            if outage is not None:
                outage.note_fault(fault, sent_at)
            wait = fault.retry_after if fault.retry_after is not None else policy.wait(attempt)
            left = policy.total_seconds - (time.monotonic() - started)
            most = min(policy.attempts, _MOST_ATTEMPTS.get(fault.kind, policy.attempts))
            is_final = not fault.is_transient or fault.kind in policy.final
            if is_final or attempt >= most or wait > left:
                return Outcome(None, fault, attempt, seconds)
            if fault.kind in _SLOW_DOWN:
                turn.refuse(wait)
        if fault.kind not in _SLOW_DOWN:
            await (asyncio.sleep(wait) if outage is None else outage.sleep(wait))
    raise AssertionError("the last attempt returns")


def to_fault(error: Exception, key_env: str = "") -> Fault | None:
    """What an exception of pydantic-ai or an SDK says about the request; None if it isn't about the service."""
    kind = _classify(error)
    if kind is None:
        return None
    if not isinstance(error, errors.ModelAPIError):
        return Fault(kind)
    is_final = isinstance(error, errors.ModelHTTPError) and error.provider_retry_hint is False
    status = error.status_code if isinstance(error, errors.ModelHTTPError) else None
    # Providers quote the key, in part or whole, when they refuse it.
    detail = "" if kind == "auth" else _to_detail(error, key_env)
    return Fault(kind, status, error.retry_after, is_final, detail)


def _classify(error: Exception) -> str | None:
    if isinstance(error, errors.ModelHTTPError):
        if error.provider_error_code in _KIND_OF_CODE:
            return _KIND_OF_CODE[error.provider_error_code]
        if error.status_code in _KIND_OF_STATUS:
            return _KIND_OF_STATUS[error.status_code]
    for cause, kind in _KIND_OF_ERROR:
        if isinstance(error, cause):
            return kind
    return "connection" if _is_transport_error(error) else None


def _is_transport_error(error: Exception) -> bool:
    # An SDK lets some through unwrapped, such as a connection that breaks while the reply's body is read.
    import httpx
    import httpx2

    return isinstance(error, httpx.TransportError | httpx2.TransportError)


def _to_detail(error: errors.ModelAPIError, key_env: str) -> str:
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else None  # pyright: ignore[reportUnknownVariableType]
    message = inner.get("message") if isinstance(inner, dict) else None  # pyright: ignore[reportUnknownVariableType]
    text = " ".join(message.split()) if isinstance(message, str) else ""
    for form in _to_forms(os.environ.get(key_env, "").strip() if key_env else ""):
        text = text.replace(form, "***")
    text = _KEY_LIKE.sub("***", text)
    return text if len(text) <= _DETAIL_CHARACTERS else text[: _DETAIL_CHARACTERS - 1] + "…"


def _to_forms(key: str) -> tuple[str, ...]:
    """A key as a service may quote it: as it is, in base64, and in an address."""
    if not key:
        return ()
    raw = key.encode()
    return key, base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode(), quote(key, safe="")


def to_error(fault: Fault, entry: ModelEntry, attempts: int) -> ServiceError:
    """The exception for a fault that stays, with one line that says what to do.

    Example:
        >>> from providers.catalogue import find_model
        >>> print(to_error(Fault("auth", 401), find_model("openai:gpt-4o-mini"), 1))
        openai:gpt-4o-mini: the key is wrong or may not use this model; check the variable OPENAI_API_KEY (HTTP 401)
    """
    key = f"the variable {entry.key_env}" if entry.key_env else "key_env in the catalogue, which names none"
    hint = _HINTS.get(fault.kind, "the request failed").format(
        key=key, base_url=entry.base_url, timeout=entry.timeout_seconds
    )
    facts = [
        f"HTTP {fault.status}" if fault.status else "",
        f"{attempts} attempts" if attempts > 1 and fault.kind != "unreachable" else "",
        f"asks to wait {fault.retry_after:.0f} s" if fault.retry_after else "",
    ]
    note = ", ".join(filter(None, facts))
    text = f"{entry.id}: {hint}" + (f" ({note})" if note else "") + (f": {fault.detail}" if fault.detail else "")
    return AccessError(text, fault.kind) if fault.kind in _ACCESS else ServiceError(text, fault.kind)
