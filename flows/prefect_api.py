"""Where a run started from the command line reports to: a Prefect server if one answers, else none that stays."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from prefect.logging.configuration import setup_logging
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_LOGGING_TO_API_ENABLED,
    PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW,
    get_current_settings,
    temporary_settings,
)

from flows.temporary_server import serving

STARTUP_SECONDS = 120


@dataclass(frozen=True, slots=True)
class ChosenApi:
    """Where a run reports to: one line about it, and what to call before the run begins."""

    where: str
    wait: Callable[[], None]


@contextmanager
def choosing_api(scratch: Path, *, is_verbose: bool) -> Generator[ChosenApi]:
    """Settings for a run from the command line.

    Args:
        scratch: folder for the database of the temporary server that serves a run where no other answers.
        is_verbose: whether Prefect's log goes to the terminal.
    """
    url = PREFECT_API_URL.value()
    settings: dict[Any, Any] = {PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW: "ignore"}
    if not is_verbose:
        quieten_console()
    if is_served():
        with temporary_settings(settings):
            yield ChosenApi(f"Prefect server at {url}: this run shows in its UI.", lambda: None)
        return
    environment = get_current_settings().to_environment_variables(exclude_unset=True) | {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{(scratch / 'prefect.db').resolve()}",
    }
    # Nobody will read there what the run logs.
    settings[PREFECT_LOGGING_TO_API_ENABLED] = False
    with serving(environment, scratch) as server, temporary_settings({**settings, PREFECT_API_URL: server.api_url}):
        where = f"at {url}" if url else "set"
        yield ChosenApi(
            f"No Prefect server {where}: starting one for this run (`prefect server start` keeps one, with its UI).",
            lambda: server.wait(STARTUP_SECONDS),
        )


def is_served() -> bool:
    """Whether a Prefect server answers at the address that is set."""
    url = PREFECT_API_URL.value()
    return bool(url) and is_reachable(url)


def is_reachable(url: str) -> bool:
    """Whether a Prefect API answers at the address within a second."""
    try:
        return httpx.get(f"{url.rstrip('/')}/health", timeout=1).is_success
    except httpx.HTTPError:
        return False


def quieten_console() -> None:
    """Keep Prefect's log out of the terminal, where progress is shown; what it sends to the server stays.

    Prefect configures logging anew when a run begins, and reads this override from the environment then.
    """
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    setup_logging()
