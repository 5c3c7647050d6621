"""Where a run started from the command line reports to: a Prefect server if one answers, else none that stays."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from prefect.logging.configuration import setup_logging
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW,
    PREFECT_SERVER_ALLOW_EPHEMERAL_MODE,
    PREFECT_SERVER_ANALYTICS_ENABLED,
    PREFECT_SERVER_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS,
    temporary_settings,
)


@contextmanager
def choosing_api(scratch: Path, *, is_verbose: bool) -> Generator[str]:
    """Settings for a run from the command line; yields one line that says where the run can be watched.

    Args:
        scratch: folder for the database of the temporary server that serves a run where no other answers.
        is_verbose: whether Prefect's log goes to the terminal.
    """
    url = PREFECT_API_URL.value()
    settings: dict[Any, Any] = {PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW: "ignore"}
    if not is_verbose:
        quieten_console()
    if url and is_reachable(url):
        with temporary_settings(settings):
            yield f"Prefect server at {url}: this run shows in its UI."
        return
    settings |= {
        PREFECT_SERVER_ALLOW_EPHEMERAL_MODE: True,
        PREFECT_SERVER_ANALYTICS_ENABLED: False,
        PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS: 120,
        PREFECT_SERVER_DATABASE_CONNECTION_URL: f"sqlite+aiosqlite:///{(scratch / 'prefect.db').resolve()}",
    }
    with temporary_settings(settings, restore_defaults={PREFECT_API_URL}):
        where = f"at {url}" if url else "set"
        yield f"No Prefect server {where}: running without one (start it with `prefect server start` to watch runs)."


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
