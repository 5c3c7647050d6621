"""Every fault of a service, in its own words: what the user sees, what is sent how often, and what is left behind.

The key is in none of it, which the fixture ``scene`` checks after each test.
"""

import asyncio
import gzip
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from providers import outages
from providers.retries import RetryPolicy
from schemas.errors import AccessError
from tests.providers.faults import PROVIDERS, Provider, answer, break_off, fail, list_providers
from tests.providers.scenes import Scene
from tests.providers.wire import EDGES_JSON, Breaks, Step, reply

REFUSED = [
    ("wrong key", "auth", "the key is wrong or may not use this model; check the variable PRISM_TEST_KEY (HTTP 401)"),
    ("forbidden", "auth", "the key is wrong or may not use this model; check the variable PRISM_TEST_KEY (HTTP 403)"),
    ("no such model", "not_found", "there is no such model or address; check model and base_url in the catalogue"),
    ("stale model", "not_found", "(HTTP 400): The model has been decommissioned"),
    ("no credit", "quota", "the account has no credit or quota left"),
    ("payment", "quota", "the account has no credit or quota left (HTTP 402)"),
]
REJECTED = [
    ("too long", "context_window", "longer than the model or the account may read at once (HTTP 400)"),
    ("too large", "context_window", "longer than the model or the account may read at once (HTTP 413)"),
    ("rejected", "rejected", "the service refuses the request (HTTP 4"),
]
PASSING = [
    ("busy", "rate_limit", "it asks to slow down (HTTP 429, 3 attempts)"),
    ("server", "server", "the service failed (HTTP 50"),
    ("unavailable", "overloaded", "the service is overloaded (HTTP 503, 3 attempts)"),
    ("overloaded", "overloaded", "the service is overloaded (HTTP "),
]


def _cases(rows: list[tuple[str, str, str]]) -> list[Any]:
    return [
        pytest.param(provider, *row, id=f"{provider}-{row[0]}") for row in rows for provider in list_providers(row[0])
    ]


@pytest.mark.parametrize(("provider", "name", "kind", "says"), _cases(REFUSED))
async def test_who_is_refused_is_told_why_at_once_and_asks_no_more(
    provider: Provider, name: str, kind: str, says: str, scene: Scene
) -> None:
    ended = await scene.ask(provider, fail(provider, name), times=2)
    assert ended.has_failed(kind, says, requests=1)
    assert isinstance(ended.error, AccessError)


@pytest.mark.parametrize(("provider", "name", "kind", "says"), _cases(REJECTED))
async def test_a_request_that_is_refused_for_what_it_is_is_not_sent_again(
    provider: Provider, name: str, kind: str, says: str, scene: Scene
) -> None:
    ended = await scene.ask(provider, fail(provider, name))
    assert ended.has_failed(kind, says, requests=1)
    assert not isinstance(ended.error, AccessError)


@pytest.mark.parametrize(("provider", "name", "kind", "says"), _cases(PASSING))
async def test_what_may_pass_is_tried_again_within_bounds(
    provider: Provider, name: str, kind: str, says: str, scene: Scene
) -> None:
    fault = fail(provider, name)
    assert (await scene.ask(provider, fault, fault, answer(provider, EDGES_JSON))).is_answered(requests=3)
    assert (await scene.ask(provider, fault)).has_failed(kind, says, requests=3)


@pytest.mark.parametrize("is_date", [False, True])
async def test_retry_after_is_obeyed_be_it_seconds_or_a_date(is_date: bool, scene: Scene) -> None:
    async def ask(provider: Provider) -> None:
        date = datetime.now(UTC) + timedelta(seconds=1.5)  # the header has whole seconds
        retry_after = format_datetime(date, usegmt=True) if is_date else "1"
        good = answer(provider, EDGES_JSON)
        ended = await scene.ask(provider, fail(provider, "busy", retry_after=retry_after), good)
        assert ended.is_answered(requests=2)
        first, second = ended.received
        assert second.at - first.at >= (0.3 if is_date else 1)

    await asyncio.gather(*map(ask, PROVIDERS))


async def test_a_longer_wait_than_there_is_time_for_is_not_begun_and_is_named(scene: Scene) -> None:
    ended = await scene.ask("groq", fail("groq", "busy", retry_after="578"))
    assert ended.has_failed("rate_limit", "(HTTP 429, asks to wait 578 s)", requests=1)


@pytest.mark.parametrize("breaks", ["unanswered", "reset", "cut"])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_connection_that_breaks_is_opened_again(provider: Provider, breaks: Breaks, scene: Scene) -> None:
    broken = break_off(provider, EDGES_JSON, breaks=breaks)
    assert (await scene.ask(provider, broken, answer(provider, EDGES_JSON))).is_answered(requests=2)
    assert (await scene.ask(provider, broken)).has_failed("connection", ", or it broke (3 attempts)", requests=3)


@pytest.mark.parametrize("slow", [{"delay": 3.0}, {"breaks": "stalled"}, {"breaks": "dripping"}])
async def test_a_reply_that_does_not_come_to_an_end_in_time_is_given_up(slow: dict[str, Any], scene: Scene) -> None:
    async def ask(provider: Provider) -> None:
        late = break_off(provider, EDGES_JSON, **slow)
        policy = RetryPolicy(attempts=2, first_wait=0.001)
        ended = await scene.ask(provider, late, timeout_seconds=0.3, policy=policy)
        line = "test:model: no whole reply within 0.3 s (timeout_seconds in the catalogue) (2 attempts)"
        assert str(ended.error) == line
        assert [(call.attempts, call.error) for call in ended.calls] == [(2, "timeout")]
        assert not ended.replies

    for provider in PROVIDERS:  # an SDK takes its time over the first request
        assert (await scene.ask(provider, answer(provider, EDGES_JSON))).is_answered(requests=1)
    await asyncio.gather(*map(ask, PROVIDERS))


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nobody_at_the_address(provider: Provider, scene: Scene) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        base_url = f"http://127.0.0.1:{server.getsockname()[1]}"
    ended = await scene.ask(provider, base_url=base_url)
    assert ended.error is not None
    assert str(ended.error) == f"test:model: no connection to {base_url}, or it broke (3 attempts)"
    assert [(call.attempts, call.error) for call in ended.calls] == [(3, "connection")]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_run_against_nobody_gives_up_and_sends_no_more(
    provider: Provider, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "SILENT_SECONDS", 0.01)
    patient = RetryPolicy(attempts=1000, first_wait=0.005, longest_wait=0.005)
    ended = await scene.ask(provider, base_url="http://127.0.0.1:9", policy=patient, times=50)
    assert ended.error is not None
    assert "no usable reply from http://127.0.0.1:9, given up: " in str(ended.error)
    assert ended.error.kind == "unreachable"
    assert len(ended.calls) == 1  # the calls after the first one sent nothing


GARBLED: dict[str, Callable[[bytes], Step]] = {
    "truncated JSON": lambda body: Step(body=body[: len(body) // 2]),
    "a page of a proxy": lambda _: Step(body="<html>Sign in</html>", headers={"Content-Type": "text/html"}),
    "a page that claims to be JSON": lambda _: Step(body="<html>Sign in</html>"),
    "nothing": lambda _: Step(body=b""),
    "a list": lambda _: Step(body=[]),
    "broken gzip": lambda body: Step(body=gzip.compress(body)[:-20], headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("garble", GARBLED)
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_garbled_reply_is_asked_for_twice_more(provider: Provider, garble: str, scene: Scene) -> None:
    good = answer(provider, EDGES_JSON)
    garbled = GARBLED[garble](good.to_bytes()[1])
    patient = RetryPolicy(attempts=9, first_wait=0.001, longest_wait=0.002)
    assert (await scene.ask(provider, garbled, good, policy=patient)).is_answered(requests=2)
    ended = await scene.ask(provider, garbled, policy=patient)
    assert ended.has_failed("protocol", "not what the interface promises; check base_url", requests=3)


@pytest.mark.parametrize("choices", [[], None, [{"index": 0, "finish_reason": "stop", "message": None}]])
@pytest.mark.parametrize("provider", ["openai", "groq", "openai-compatible"])
async def test_a_reply_without_choices_is_a_garbled_one(provider: Provider, choices: object, scene: Scene) -> None:
    body: Any = reply("").body
    ended = await scene.ask(provider, Step(body={**body, "choices": choices}))
    assert ended.has_failed("protocol", "not what the interface promises", requests=3)


@pytest.mark.parametrize(
    ("name", "kind", "requests"), [("busy", "rate_limit", 3), ("server", "server", 3), ("wrong key", "auth", 1)]
)
async def test_an_error_in_a_reply_with_status_200_is_one_of_the_status_it_names(
    name: str, kind: str, requests: int, scene: Scene
) -> None:
    ended = await scene.ask("openai-compatible", fail("openai-compatible", name, in_ok=True))
    assert ended.has_failed(kind, "(HTTP ", requests=requests)
