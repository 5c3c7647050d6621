"""Running many items at once: some at a time, one item's failure leaving the others alone."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast

from prefect.logging import get_run_logger
from prefect.utilities.annotations import quote

from schemas.calls import Failure, FailureReason
from schemas.errors import AccessError, BudgetReached, InputError, ServiceError

Item = TypeVar("Item")
Result = TypeVar("Result")


def as_given(record: Item) -> Item:
    """A record for a task, out of reach of Prefect's search for futures inside it."""
    # A quote is taken off again before the task sees it, which Prefect's types do not say.
    return cast("Item", quote(record))


async def run_each(
    items: Sequence[Item],
    work: Callable[[Item], Awaitable[Result | Failure]],
    to_failure: Callable[[Item], Callable[[FailureReason, str], Failure]],
    *,
    at_once: int,
    is_access_shared: bool = True,
) -> list[Result | Failure]:
    """The result of every item, in order; a failure where it had none.

    A budget that is reached and a service that stays broken fail their item. What would fail every item alike (a
    refused key, a full disk) ends the run: the items under way are cancelled.

    Args:
        items: what to work on.
        work: does one item.
        to_failure: for an item, a function from reason and detail to its failure.
        at_once: most items under way.
        is_access_shared: whether all items ask the same models, so that a refused key fails them all; otherwise it
            fails its item.
    """
    gate = asyncio.Semaphore(at_once)

    async def guard(item: Item) -> Result | Failure:
        fail = to_failure(item)
        async with gate:
            try:
                return await work(item)
            except InputError:
                raise
            except AccessError as error:
                if is_access_shared:
                    raise
                return fail("access", str(error))
            except BudgetReached as error:
                return fail("budget", str(error))
            except ServiceError as error:
                return fail("service", str(error))
            except Exception as error:  # noqa: BLE001 - a fault of ours in one item must not take the others along
                get_run_logger().exception("unexpected fault")
                return fail("internal", f"{type(error).__name__}: {str(error)[:300]}")

    tasks = [asyncio.ensure_future(guard(item)) for item in items]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
