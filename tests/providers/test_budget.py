"""The ceiling on costs is never passed, and no dollar of it lies idle for long."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.budget import Budget
from providers.catalogue import find_model
from schemas.errors import BudgetReached, InputError
from tests.providers.wire import to_entry

# $1 per million tokens in and $5 out: 200,000 tokens out are a dollar.
HAIKU = find_model("anthropic:claude-haiku-4-5")
DOLLAR = 200_000


async def test_an_estimate_above_what_is_left_is_refused_and_says_so() -> None:
    budget = Budget(1.5)
    async with budget.reserve(HAIKU, 0, DOLLAR) as reservation:
        reservation.charged = 1.0
    with pytest.raises(BudgetReached, match=r"could cost \$1\.0000, and \$0\.5000 of --max-usd 1\.5 is left"):
        async with budget.reserve(HAIKU, 0, DOLLAR):
            pass
    assert budget.spent == pytest.approx(1.0)


async def test_what_was_set_aside_and_not_spent_is_free_again() -> None:
    budget = Budget(1.0)
    for _ in range(9):
        async with budget.reserve(HAIKU, 0, DOLLAR) as reservation:
            assert budget.left == pytest.approx(1.0 - budget.spent - 1.0)
            reservation.charged = 0.0
    assert budget.left == pytest.approx(1.0)


async def test_a_call_of_unknown_cost_is_charged_its_estimate() -> None:
    budget = Budget(2.0)
    async with budget.reserve(HAIKU, 0, DOLLAR) as reservation:
        reservation.charged = None
    assert budget.spent == pytest.approx(1.0)


async def test_a_call_waits_for_those_in_flight_before_it_is_refused() -> None:
    budget, order = Budget(1.2), list[str]()
    release = asyncio.Event()

    async def first() -> None:
        async with budget.reserve(HAIKU, 0, DOLLAR) as reservation:
            await release.wait()
            order.append("first")
            reservation.charged = 0.1

    async def second() -> None:
        async with budget.reserve(HAIKU, 0, DOLLAR) as reservation:
            order.append("second")
            reservation.charged = 0.1

    tasks = [asyncio.create_task(first()), asyncio.create_task(second())]
    await asyncio.sleep(0.01)
    assert order == []
    release.set()
    await asyncio.gather(*tasks)
    assert order == ["first", "second"]


async def test_a_cancelled_call_gives_its_reservation_back() -> None:
    budget = Budget(1.0)

    async def hang() -> None:
        async with budget.reserve(HAIKU, 0, DOLLAR):
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert budget.left == pytest.approx(1.0)


def test_an_unknown_price_with_a_ceiling_is_refused_up_front() -> None:
    unknown = to_entry(model="no-such-model-anywhere")
    with pytest.raises(InputError, match="--max-usd cannot be kept with the model test:model: its price is unknown"):
        Budget(1.0).require_price(unknown)
    Budget().require_price(unknown)


@settings(max_examples=30, deadline=None)
@given(
    ceiling=st.floats(0.01, 3),
    calls=st.lists(st.tuples(st.integers(0, DOLLAR), st.floats(0, 1)), min_size=1, max_size=20),
)
def test_calls_at_the_same_time_never_spend_more_than_the_ceiling(
    ceiling: float, calls: list[tuple[int, float]]
) -> None:
    budget = Budget(ceiling)

    async def call(tokens: int, share: float) -> None:
        try:
            async with budget.reserve(HAIKU, 0, tokens) as reservation:
                await asyncio.sleep(0)
                reservation.charged = share * tokens / DOLLAR
        except BudgetReached:
            return

    async def call_all() -> None:
        await asyncio.gather(*(call(tokens, share) for tokens, share in calls))

    asyncio.run(call_all())
    assert budget.spent <= ceiling + 1e-9
