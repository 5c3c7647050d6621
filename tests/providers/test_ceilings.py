"""A ceiling holds in every minute, whatever is sent, and no request waits longer for it than it has to."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers import ceilings
from providers.asking import Asker, Prompt
from providers.budget import Budget
from providers.catalogue import find_model
from providers.ceilings import MINUTE, Ceiling, Spent
from providers.limits import Limiter
from schemas.errors import InputError
from schemas.replies import EdgesReply
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    Step,
    reply,
    serve,
    to_entry,
)

ROUNDING = 1e-6

sends = st.lists(st.tuples(st.floats(0, 90), st.integers(0, 150), st.integers(0, 150)), min_size=1, max_size=60)
"""Seconds that pass before a request comes up, its tokens as estimated, and as the service counts them."""


@given(requests=st.none() | st.integers(1, 8), tokens=st.none() | st.integers(1, 200), coming=sends)
def test_no_minute_holds_more_than_the_ceiling(
    requests: int | None, tokens: int | None, coming: list[tuple[float, int, int]]
) -> None:
    """Counted with the tokens known at the time: the estimate of what is out, less where the service counted less."""
    ceiling, now = Ceiling(requests, tokens), 0.0
    sent: list[Spent] = []
    for passed, estimate, counted in coming:
        now += passed
        now += max(0.0, ceiling.delay(now, estimate)) + ROUNDING
        assert ceiling.delay(now, estimate) <= 0
        sent.append(ceiling.note(now, estimate))
        recent = [spent for spent in sent if spent.at > now - MINUTE + ROUNDING]
        assert requests is None or len(recent) <= requests
        assert tokens is None or len(recent) == 1 or sum(spent.tokens for spent in recent) <= tokens
        sent[-1].tokens = min(counted, estimate)


@given(requests=st.none() | st.integers(1, 8), tokens=st.none() | st.integers(1, 200), coming=sends)
def test_a_request_that_has_to_wait_would_break_the_ceiling_if_it_went_sooner(
    requests: int | None, tokens: int | None, coming: list[tuple[float, int, int]]
) -> None:
    ceiling, now = Ceiling(requests, tokens), 0.0
    sent: list[Spent] = []
    for passed, estimate, _ in coming:
        now += passed
        delay = ceiling.delay(now, estimate)
        if delay > 10 * ROUNDING:
            sooner = now + delay - 2 * ROUNDING
            recent = [spent.tokens for spent in sent if spent.at > sooner - MINUTE]
            too_many = requests is not None and len(recent) + 1 > requests
            too_large = tokens is not None and bool(recent) and sum(recent) + estimate > tokens
            assert too_many or too_large
        now += max(0.0, delay) + ROUNDING
        sent.append(ceiling.note(now, estimate))


def test_without_a_bound_nothing_waits_and_nothing_is_kept() -> None:
    ceiling = Ceiling()
    for _ in range(1000):
        ceiling.note(5.0, 10**9)
        assert ceiling.delay(5.0, 10**9) <= 0


def test_tokens_that_are_put_right_make_room_at_once() -> None:
    ceiling = Ceiling(tokens=1000)
    first = ceiling.note(0.0, 900)
    assert ceiling.delay(10.0, 500) == pytest.approx(50.0)
    first.tokens = 200
    assert ceiling.delay(10.0, 500) <= 0


def test_a_request_larger_than_the_ceiling_goes_alone() -> None:
    ceiling = Ceiling(tokens=1000)
    ceiling.note(0.0, 1)
    assert ceiling.delay(20.0, 5000) == pytest.approx(40.0)
    ceiling.note(60.0, 5000)
    assert ceiling.delay(70.0, 1) == pytest.approx(50.0)


async def test_a_request_that_waits_for_room_goes_when_another_took_less_than_was_thought() -> None:
    """It would have waited for a minute; nothing but the other one's true count can let it go within five seconds."""
    limiter = Limiter(4, minute=Ceiling(tokens=1000))
    went = asyncio.Event()

    async def wait() -> None:
        async with limiter.turn(900):
            went.set()

    async with limiter.turn(900) as turn, asyncio.timeout(5):
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0.01)
        assert not went.is_set()
        turn.accept(100)
    await asyncio.wait_for(waiting, 5)


async def _ask(asker: Asker, text: str) -> None:
    await asker.ask(EDGES_QUESTION, Prompt("Find edges.", text), EdgesReply, lambda _: (), max_tokens=500)


async def _when(monkeypatch: pytest.MonkeyPatch, minute: float, *steps: Step, n: int, **changes: int) -> list[float]:
    """When each request for ``n`` questions to two askers at once was sent, the minute being so many seconds."""
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    monkeypatch.setattr(ceilings, "MINUTE", minute)
    sent: list[float] = []
    note = Ceiling.note

    def note_time(self: Ceiling, now: float, tokens: int) -> Spent:
        sent.append(now)
        return note(self, now, tokens)

    monkeypatch.setattr(Ceiling, "note", note_time)
    async with serve(*steps) as wire:
        entry = to_entry(wire.base_url, **changes)
        made = [Asker(entry, store=None, ledger=MemoryLedger(), budget=Budget()) for _ in range(2)]
        async with made[0], made[1]:
            await asyncio.gather(*(_ask(made[place % 2], f"Rain {place}.") for place in range(n)))
        assert len(wire.received) == len(sent)
    return sent


async def test_two_askers_of_one_model_share_its_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six requests at three in 0.4 s: the fourth goes 0.4 s after the first, and so on."""
    at = await _when(monkeypatch, 0.4, reply(EDGES_JSON), n=6, requests_per_minute=3)
    assert len(at) == 6
    assert all(at[place + 3] - at[place] > 0.4 - ROUNDING for place in range(3))


async def test_replies_that_are_shorter_than_their_caps_let_the_next_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take 700 or so and takes 120: of 1,200 in 30 s, the first has to be answered for more to go."""
    async with asyncio.timeout(20):
        at = await _when(monkeypatch, 30.0, reply(EDGES_JSON, delay=0.02), n=3, tokens_per_minute=1200)
    assert at[1] - at[0] > 0.019


async def test_a_request_that_is_sent_again_counts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    at = await _when(monkeypatch, 0.4, Step(500, {"error": {}}), reply(EDGES_JSON), n=1, requests_per_minute=1)
    assert len(at) == 2
    assert at[1] - at[0] > 0.4 - ROUNDING


@pytest.mark.parametrize("line", ["requests_per_minute: 0", "tokens_per_minute: -5", "requests_per_minute: many"])
def test_a_ceiling_of_nothing_is_refused_with_its_field(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"openai:gpt-4o-mini:\n  {line}\n")
    monkeypatch.setenv("PRISM_MODELS", str(own))
    with pytest.raises(InputError, match=line.partition(":")[0]):
        find_model("openai:gpt-4o-mini")
