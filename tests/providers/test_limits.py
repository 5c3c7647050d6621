"""The limiter keeps the pauses it is asked for, stays in its window and finds the pace a service accepts."""

import asyncio
import heapq
import random
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.limits import Limiter, Pace, Window, share_limiter
from tests.providers.wire import to_entry


@given(ceiling=st.integers(1, 200), outcomes=st.lists(st.booleans(), max_size=300))
def test_the_window_stays_between_one_and_its_ceiling(ceiling: int, outcomes: list[bool]) -> None:
    window = Window(ceiling)
    for is_success in outcomes:
        before = window.size
        if is_success:
            window.grow()
            assert before <= window.size <= before + 1
        else:
            window.shrink()
            assert window.size == max(1, before // 2) or window.size == max(1, (before + 1) // 2)
        assert 1 <= window.size <= ceiling


def test_a_window_of_n_grows_by_one_with_about_n_successes() -> None:
    window = Window(100)
    for _ in range(4):
        window.shrink()  # 100 -> 50 -> 25 -> 12.5 -> 6.25
    for _ in range(7):
        window.grow()  # seven steps of about 1/6.5
    assert window.size == 7


def test_the_pace_is_unlimited_until_a_refusal() -> None:
    pace = Pace()
    for _ in range(1000):
        assert pace.delay(5.0) <= 0
        pace.note_sent(5.0)
    assert pace.rate(5.0) == float("inf")


def test_the_pace_after_a_burst_is_95_percent_of_what_was_accepted() -> None:
    pace = Pace(draw=lambda: 0.0)
    for _ in range(32):
        pace.note_sent(100.0)
    news = [pace.note_refused(100.0, 100.01, wait=1.0) for _ in range(22)]
    assert news == [True] + [False] * 21  # one burst
    assert pace.delay(100.01) == pytest.approx(1.0)
    pace.note_sent(101.01)
    # 10 of 32 were accepted, and the service asks for pauses of 1 s: 0.95 x 10 a second.
    assert pace.rate(101.01) == pytest.approx(9.5)
    # A minute without a refusal doubles it: 1 + (60/60)^3.
    assert pace.rate(161.01) == pytest.approx(19.0)


def test_a_lull_before_a_burst_does_not_lower_the_pace() -> None:
    pace = Pace(draw=lambda: 0.0)
    pace.note_sent(0.0)
    for _ in range(32):
        pace.note_sent(1000.0)
    for _ in range(22):
        pace.note_refused(1000.0, 1000.0, wait=1.0)
    pace.note_sent(1001.0)
    assert pace.rate(1001.0) == pytest.approx(9.5)


@given(events=st.lists(st.tuples(st.floats(0, 2), st.one_of(st.none(), st.floats(0, 30))), max_size=60))
def test_nothing_is_sent_before_a_pause_is_over(events: list[tuple[float, float | None]]) -> None:
    pace, now, resume_at, sent_at = Pace(), 0.0, 0.0, 0.0
    pace.note_sent(now)
    for step, wait in events:
        now += step
        if wait is None:
            now += max(0.0, pace.delay(now))
            assert now >= resume_at - 1e-9
            pace.note_sent(now)
            sent_at = now
        else:
            pace.note_refused(sent_at, now, wait)
            resume_at = max(resume_at, now + wait)


@settings(max_examples=25, deadline=None)
@given(rate=st.integers(3, 40), seconds=st.floats(0.01, 0.5), seed=st.integers(0, 2**16))
def test_a_service_with_a_rate_limit_is_used_well_and_not_hammered(rate: int, seconds: float, seed: int) -> None:
    """In simulated time: a service takes ``rate`` requests in any second and answers them after ``seconds``."""
    draw = random.Random(seed).random  # noqa: S311 - jitter, not a secret
    pace, window = Pace(draw), Window(32)
    recent: deque[float] = deque()
    replies: list[tuple[float, int, bool, float]] = []  # when, number, accepted, sent at
    now, sent, in_flight, done, total = 0.0, 0, 0, 0, 20 * rate
    while done < total:
        sending_at = now + max(0.0, pace.delay(now))
        may_send = in_flight < window.size and done + in_flight < total
        if may_send and (not replies or sending_at <= replies[0][0]):
            now = sending_at
            pace.note_sent(now)
            sent, in_flight = sent + 1, in_flight + 1
            while recent and recent[0] <= now - 1:
                recent.popleft()
            is_accepted = len(recent) < rate
            if is_accepted:
                recent.append(now)
            heapq.heappush(replies, (now + (seconds if is_accepted else 0.005), sent, is_accepted, now))
            continue
        when, _, is_accepted, sent_at = heapq.heappop(replies)
        now, in_flight = max(now, when), in_flight - 1
        if is_accepted:
            done += 1
            window.grow()
        elif pace.note_refused(sent_at, now, wait=1.0):
            window.shrink()
    assert total / now >= 0.8 * rate
    assert sent / total <= 1.6


async def test_never_more_than_the_window_is_in_flight() -> None:
    limiter, in_flight, most = Limiter(3), 0, 0

    async def call() -> None:
        nonlocal in_flight, most
        async with limiter.slot(), limiter.turn() as turn:
            in_flight += 1
            most = max(most, in_flight)
            await asyncio.sleep(0.001)
            in_flight -= 1
            turn.accept()

    await asyncio.gather(*(call() for _ in range(20)))
    assert most == 3


async def test_a_refusal_halves_the_window_and_holds_back_those_that_wait() -> None:
    clock = asyncio.get_running_loop().time
    limiter = Limiter(4)
    async with limiter.turn() as turn:
        turn.refuse(0.2)
    refused_at = clock()
    assert limiter.window.size == 2

    async def call() -> float:
        async with limiter.turn():
            return clock() - refused_at

    waited = await asyncio.gather(*(call() for _ in range(3)))
    assert min(waited) >= 0.2


async def test_a_cancelled_wait_leaves_the_gate_open() -> None:
    limiter = Limiter(1)
    async with limiter.turn():
        waiting = asyncio.create_task(limiter.turn().__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(1), limiter.turn():
        pass


async def test_a_model_has_one_limiter_at_each_address() -> None:
    entry = to_entry()
    assert share_limiter(entry) is share_limiter(to_entry(id="other:name"))
    assert share_limiter(entry) is not share_limiter(to_entry(base_url="http://127.0.0.1:10/v1"))
    assert share_limiter(entry) is not share_limiter(to_entry(model="gpt-5.4"))
