"""Transient errors are tried again in bounds, others not; and what is said about them holds no secret."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import httpx2
import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)

from providers.limits import Limiter
from providers.retries import Fault, RetryPolicy, send_patiently, to_error, to_fault
from schemas.errors import AccessError, ServiceError
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY, to_entry

QUICK = RetryPolicy(attempts=4, total_seconds=5, first_wait=0.001, longest_wait=0.002)


def _http(status: int, **details: object) -> ModelHTTPError:
    from pydantic_ai import _model_errors  # pyright: ignore[reportPrivateUsage]

    category = _model_errors.http_status_category(status)
    return ModelHTTPError.for_category(category, status_code=status, model_name="m", **details)  # pyright: ignore[reportArgumentType]


def _fail(*errors: Exception) -> Callable[[], Awaitable[str]]:
    left = list(errors)

    async def send() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return send


@pytest.mark.parametrize(
    ("error", "kind", "is_transient"),
    [
        (ModelTimeoutError("m", "late"), "timeout", True),
        (ModelRequestTimeout("m", 3), "timeout", True),
        (ModelConnectionError("m", "gone"), "connection", True),
        (httpx.ReadError("gone"), "connection", True),
        (httpx2.RemoteProtocolError("gone"), "connection", True),
        (_http(408), "timeout", True),
        (_http(409), "conflict", True),
        (_http(429), "rate_limit", True),
        (_http(500), "server", True),
        (_http(502), "server", True),
        (_http(503), "overloaded", True),
        (_http(504), "server", True),
        (_http(529), "overloaded", True),
        (_http(400), "rejected", False),
        (_http(401), "auth", False),
        (_http(402), "quota", False),
        (_http(403), "auth", False),
        (_http(404), "not_found", False),
        (_http(418), "rejected", False),
        (_http(422), "rejected", False),
        (ModelQuotaExceededError("m", "no credit"), "quota", False),
        (ModelAPIError("m", "no JSON"), "protocol", True),
        (UnexpectedModelBehavior("no choices"), "protocol", True),
        (TimeoutError(), "timeout", True),
        (_http(413), "context_window", False),
        (_http(498), "overloaded", True),
        (_http(400, provider_error_code="model_decommissioned"), "not_found", False),
    ],
)
def test_errors_are_sorted_into_transient_and_final_ones(error: Exception, kind: str, is_transient: bool) -> None:
    fault = to_fault(error)
    assert fault is not None
    assert (fault.kind, fault.is_transient) == (kind, is_transient)


def test_a_service_that_says_not_to_retry_is_believed() -> None:
    fault = to_fault(_http(500, headers={"X-Should-Retry": "false"}))
    assert fault is not None
    assert not fault.is_transient


def test_retry_after_is_read_as_seconds_and_as_a_date() -> None:
    seconds = to_fault(_http(429, headers={"Retry-After": "7"}))
    assert seconds is not None
    assert seconds.retry_after == 7
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    date = to_fault(_http(503, headers={"Retry-After": later}))
    assert date is not None
    assert date.retry_after == pytest.approx(100, abs=10)


def test_a_fault_of_the_program_is_not_taken_for_one_of_the_service() -> None:
    assert to_fault(KeyError("x")) is None


@pytest.mark.parametrize("n_faults", [1, 3])
async def test_a_transient_fault_is_tried_again(n_faults: int) -> None:
    outcome = await send_patiently(_fail(*[_http(500)] * n_faults), Limiter(1), QUICK)
    assert (outcome.value, outcome.fault, outcome.attempts) == ("done", None, n_faults + 1)


async def test_the_attempts_are_bounded() -> None:
    outcome = await send_patiently(_fail(*[_http(503)] * 9), Limiter(1), QUICK)
    assert outcome.fault is not None
    assert (outcome.value, outcome.fault.kind, outcome.attempts) == (None, "overloaded", 4)


async def test_a_final_fault_is_not_tried_again() -> None:
    outcome = await send_patiently(_fail(_http(401)), Limiter(1), QUICK)
    assert outcome.attempts == 1


async def test_a_garbled_reply_is_asked_for_three_times_at_most() -> None:
    outcome = await send_patiently(_fail(*[ModelAPIError("m", "no JSON")] * 9), Limiter(1), QUICK)
    assert outcome.fault is not None
    assert (outcome.fault.kind, outcome.attempts) == ("protocol", 3)


async def test_a_wait_longer_than_the_time_left_is_not_begun() -> None:
    error = ModelRateLimitError("m", "slow down", retry_after=3600)
    async with asyncio.timeout(2):
        outcome = await send_patiently(_fail(error), Limiter(1), QUICK)
    assert outcome.fault is not None
    assert (outcome.attempts, outcome.fault.retry_after) == (1, 3600)


async def test_a_fault_of_the_program_goes_on_as_it_is_and_frees_the_turn() -> None:
    limiter = Limiter(1)
    with pytest.raises(ZeroDivisionError):
        await send_patiently(_fail(ZeroDivisionError()), limiter, QUICK)
    assert (await send_patiently(_fail(), limiter, QUICK)).value == "done"


def test_waits_double_and_have_a_ceiling() -> None:
    policy = RetryPolicy(first_wait=1, longest_wait=5)
    for attempt, longest in enumerate((1, 2, 4, 5, 5), start=1):
        assert longest / 2 <= policy.wait(attempt) <= longest


@pytest.mark.parametrize(
    ("kind", "error"),
    [("auth", AccessError), ("quota", AccessError), ("not_found", AccessError), ("server", ServiceError)],
)
def test_what_no_retry_can_help_is_an_access_error(kind: str, error: type[ServiceError]) -> None:
    raised = to_error(Fault(kind, 400), to_entry(), 1)
    assert type(raised) is error
    assert raised.kind == kind


def test_the_message_names_model_cause_and_remedy() -> None:
    assert str(to_error(Fault("auth", 401), to_entry(), 1)) == (
        f"test:model: the key is wrong or may not use this model; check the variable {KEY_VARIABLE} (HTTP 401)"
    )
    assert str(to_error(Fault("rate_limit", 429, retry_after=60), to_entry(), 8)) == (
        "test:model: it asks to slow down (HTTP 429, 8 attempts, asks to wait 60 s)"
    )


def test_neither_the_key_nor_a_whole_body_gets_into_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    message = f"temperature is not taken; you sent {PLANTED_KEY} and sk-other-12345678\nwith " + "a long prompt " * 99
    body = {"error": {"message": message}, "request": PLANTED_KEY}
    fault = to_fault(_http(400, body=body), KEY_VARIABLE)
    assert fault is not None
    text = str(to_error(fault, to_entry(), 1))
    assert "temperature is not taken" in text
    assert PLANTED_KEY not in text + repr(fault)
    assert "sk-other" not in text
    assert len(text) < 300
    assert len(text.splitlines()) == 1
    refused = to_fault(_http(401, body=body), KEY_VARIABLE)
    assert refused is not None
    assert refused.detail == ""
    assert PLANTED_KEY not in "".join(traceback.format_exception(to_error(refused, to_entry(), 1)))
