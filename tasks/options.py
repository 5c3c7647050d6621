"""What all tasks of the pipeline share: how they are retried, and that Prefect does not cache them.

Model replies are cached by content below Prefect (:mod:`storage.replies`), where a changed prompt, model or schema
misses and everything else hits, whatever run asks; a second cache of task results could only go stale. Inside a task a
single call rides out a blip (:mod:`providers.retries`); the task's own retry is for an outage that lasts longer, and is
the one that shows in the UI.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict

from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task

from schemas.errors import AccessError, ServiceError

# Kinds of providers/retries.py whose calls would end the same way a few seconds later.
_LASTING = frozenset({"context_window", "protocol", "rejected", "unreachable"})


async def is_transient(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether trying again may help: the service broke, but does not refuse us or this request."""
    try:
        await state.aresult()
    except AccessError:
        return False
    except ServiceError as error:
        return error.kind not in _LASTING
    except Exception:  # noqa: BLE001 - anything else is a fault that a retry would only hide
        return False
    return False


class TaskOptions(TypedDict):
    """The options shared by all tasks."""

    cache_policy: Any
    persist_result: bool
    retries: int
    retry_delay_seconds: float
    retry_condition_fn: Callable[[Task[..., Any], TaskRun, State[Any]], Awaitable[bool]]


TASK_OPTIONS: TaskOptions = {
    "cache_policy": NO_CACHE,
    "persist_result": False,
    "retries": 1,
    "retry_delay_seconds": 15,
    "retry_condition_fn": is_transient,
}
