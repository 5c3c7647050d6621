"""An address is given up after nothing but failures for a while, and not for less."""

import asyncio
import time

import pytest
from pydantic_ai.exceptions import ModelConnectionError

from providers.limits import Limiter
from providers.outages import BROKEN_SECONDS, SILENT_SECONDS, Outage, share_outage
from providers.retries import Fault, RetryPolicy, send_patiently, to_error
from schemas.errors import AccessError
from tests.providers.wire import to_entry

GONE = Fault("connection")


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.time = time.monotonic()

    def __call__(self) -> float:
        return self.time


def _note(outage: Outage, clock: Clock, fault: Fault, *, after: float, took: float = 0.0) -> bool:
    sent_at = clock.time + after
    clock.time = sent_at + took
    outage.note_fault(fault, sent_at)
    return outage.verdict is not None


def _open() -> tuple[Outage, Clock]:
    clock = Clock()
    return Outage(clock), clock


def test_an_address_that_never_answers_is_given_up_after_a_minute() -> None:
    outage, clock = _open()
    assert not _note(outage, clock, GONE, after=0)
    assert not _note(outage, clock, GONE, after=SILENT_SECONDS - 1)
    assert _note(outage, clock, GONE, after=1)
    assert outage.verdict == Fault(
        "unreachable", detail="3 requests failed within 60 s, the last one without a connection"
    )


def test_two_failures_are_too_few_whatever_time_passes() -> None:
    outage, clock = _open()
    assert not _note(outage, clock, GONE, after=0)
    assert not _note(outage, clock, GONE, after=SILENT_SECONDS)


def test_an_address_that_answered_once_gets_five_minutes() -> None:
    outage, clock = _open()
    outage.note_answer()
    for after in (0, SILENT_SECONDS, SILENT_SECONDS, BROKEN_SECONDS - 2 * SILENT_SECONDS - 1):
        assert not _note(outage, clock, GONE, after=after)
    assert _note(outage, clock, GONE, after=1)


def test_an_address_that_answers_with_server_errors_gets_five_minutes_and_its_status_is_told() -> None:
    outage, clock = _open()
    down = Fault("overloaded", 503)
    for after in (0, SILENT_SECONDS, SILENT_SECONDS):
        assert not _note(outage, clock, down, after=after)
    assert _note(outage, clock, down, after=BROKEN_SECONDS - 2 * SILENT_SECONDS)
    assert outage.verdict is not None
    assert outage.verdict.detail == "4 requests failed within 300 s, the last one with HTTP 503"


def test_three_requests_that_time_out_together_are_enough_where_nothing_was_ever_heard() -> None:
    outage, clock = _open()
    sent_at = clock.time
    clock.time += 300
    for _ in range(3):
        assert outage.verdict is None
        outage.note_fault(Fault("timeout"), sent_at)
    assert outage.verdict is not None
    assert outage.verdict.detail == "3 requests failed within 300 s, the last one without a reply in time"


def test_requests_that_hang_together_are_sent_once_more_where_it_has_answered_before() -> None:
    outage, clock = _open()
    outage.note_answer()
    for _ in range(2):
        assert outage.verdict is None
        sent_at = clock.time
        clock.time += 300
        for _ in range(8):
            outage.note_fault(Fault("timeout"), sent_at)
    assert outage.verdict is not None


@pytest.mark.parametrize("fault", [Fault("rate_limit", 429), Fault("rejected", 400), Fault("auth", 401)])
def test_any_answer_ends_an_outage_be_it_a_refusal(fault: Fault) -> None:
    outage, clock = _open()
    for after in (0, 30, 29):
        assert not _note(outage, clock, GONE, after=after)
    assert not _note(outage, clock, fault, after=0)
    for after in (10, 100, 100, 99):
        assert not _note(outage, clock, GONE, after=after)


def test_failures_before_a_long_pause_without_requests_do_not_count() -> None:
    outage, clock = _open()
    for after in (0, 1, 1):
        assert not _note(outage, clock, GONE, after=after)
    assert not _note(outage, clock, GONE, after=3600)


async def test_once_given_up_every_call_fails_at_once_and_waits_are_cut_short() -> None:
    outage, clock = _open()
    policy = RetryPolicy(attempts=9, total_seconds=99999, first_wait=3600, longest_wait=3600)

    async def call(seconds: float) -> tuple[str, int]:
        async def send() -> str:
            clock.time += seconds
            raise ModelConnectionError("m", "gone")

        outcome = await send_patiently(send, Limiter(9), policy, outage=outage)
        assert outcome.fault is not None
        return outcome.fault.kind, outcome.attempts

    async with asyncio.timeout(5):
        ended = await asyncio.gather(call(0), call(30), call(40))
        assert ended == [("unreachable", 1)] * 3
        assert await call(0) == ("unreachable", 0)


def test_what_the_user_sees_is_one_line_that_names_the_address() -> None:
    error = to_error(Fault("unreachable", detail="9 requests failed within 60 s"), to_entry(), 4)
    assert str(error) == (
        "test:model: no usable reply from http://127.0.0.1:9/v1, given up: 9 requests failed within 60 s"
    )
    assert not isinstance(error, AccessError)
    assert error.kind == "unreachable"


async def test_the_models_of_one_address_share_what_is_known_of_it() -> None:
    first = share_outage(to_entry(model="a"))
    assert share_outage(to_entry(model="b")) is first
    assert share_outage(to_entry("http://127.0.0.1:10/v1")) is not first
