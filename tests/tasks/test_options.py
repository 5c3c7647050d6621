"""A task is run once more where its call may succeed then, and only there."""

from typing import Any, cast

import pytest
from prefect.states import Completed, Failed

from schemas.errors import AccessError, BudgetReached, InputError, ServiceError
from tasks.options import is_transient


@pytest.mark.parametrize("kind", ["timeout", "connection", "rate_limit", "overloaded", "server", "conflict"])
async def test_a_service_that_broke_is_asked_once_more(kind: str) -> None:
    assert await _is_transient(ServiceError("x", kind))


@pytest.mark.parametrize(
    "error",
    [
        *(ServiceError("x", kind) for kind in ("rejected", "context_window", "protocol", "unreachable")),
        AccessError("x", "auth"),
        BudgetReached("x"),
        InputError("x"),
        ZeroDivisionError(),
    ],
    ids=repr,
)
async def test_what_would_end_the_same_way_is_not(error: Exception) -> None:
    assert not await _is_transient(error)


async def test_a_task_that_succeeded_is_not_run_again() -> None:
    assert not await is_transient(cast("Any", None), cast("Any", None), Completed(data=1))


async def _is_transient(error: Exception) -> bool:
    return await is_transient(cast("Any", None), cast("Any", None), Failed(data=error))
