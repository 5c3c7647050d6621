"""Running many items at once: some at a time, one item's failure leaving the others alone."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast

from prefect.logging import get_run_logger
from prefect.utilities.annotations import quote

from schemas.calls import Failure, FailureReason
from schemas.errors import AccessError, BudgetReached, InputError, ServiceError
from tasks.session import Session

Item = TypeVar("Item")
Result = TypeVar("Result")


def as_given(record: Item) -> Item:
    """A record for a task, out of reach of Prefect's search for futures inside it."""
    # A quote is taken off again before the task sees it, which Prefect's types do not say.
    return cast("Item", quote(record))


class StageCounter:
    """Reports how far a stage is, as its items are done."""

    def __init__(self, session: Session[Any], stage: str, total: int) -> None:
        self._session, self._stage, self._total, self._done = session, stage, total, 0
        session.report(stage, 0, total)

    def add(self, n: int = 1) -> None:
        """Count some more."""
        self._done += n
        self._session.report(self._stage, self._done, self._total)

    def after(self, work: Callable[[Item], Awaitable[Result]]) -> Callable[[Item], Awaitable[Result]]:
        """The same work, counted when it is over, however it ends."""

        async def counted(item: Item) -> Result:
            try:
                return await work(item)
            finally:
                self.add()

        return counted


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
