"""The Prefect server of a single run, for when no other answers.

Prefect would start one by itself, but only when the flow begins, and only after importing the whole server into this
process as well: twice the wait. This one starts first and gets ready while the flow is imported. It ends with this
process, also if that is killed.

Run as a module, this file is that server: ``python -m flows.temporary_server PORT``.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import ServiceError

_LITTLE_SPACE = 50 * 10**6
"""Bytes. The database of a run takes a few million, and SQLite as much again while it writes."""

_ENVIRONMENT = {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}


@dataclass(frozen=True, slots=True)
class TemporaryServer:
    """A server that was started; it may not answer yet."""

    process: subprocess.Popen[bytes]
    api_url: str
    folder: Path

    def wait(self, timeout: float) -> None:
        """Wait until the server answers.

        Raises:
            ServiceError: it has ended, or does not answer in time.
        """
        import httpx

        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise self._to_error(f"ended at once (exit code {self.process.returncode})")
            try:
                if httpx.get(f"{self.api_url}/health", timeout=1, trust_env=False).is_success:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise self._to_error(f"did not answer within {timeout:g} seconds")

    def _to_error(self, what: str) -> ServiceError:
        return ServiceError(f"Prefect's temporary server {what}; {describe_folder(self.folder)}")


def describe_folder(folder: Path) -> str:
    """Where a server that does not come up has its database, what is wrong with that place, and what to do."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return f"its database is in {folder}, which cannot be used ({error.strerror}); choose another folder"
    if free < _LITTLE_SPACE:
        return (
            f"its database is in {folder}, where only {free / 1e6:.1f} MB are free; make room there or choose another "
            "folder"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"its database is in {folder}, which cannot be written to; choose another folder"
    return (
        f"its database is in {folder}; run the command again, or keep a server with `prefect server start` and set "
        "PREFECT_API_URL to its address"
    )


@contextmanager
def serving(settings: Mapping[str, str], folder: Path) -> Generator[TemporaryServer]:
    """A server with these settings, as environment variables; stopped on the way out.

    Args:
        settings: Prefect's; the URL of the database among them.
        folder: where that database is, to look at if the server does not come up.
    """
    port = _find_port()
    process = subprocess.Popen(  # noqa: S603 - this file, a number, and nothing else
        [sys.executable, "-m", "flows.temporary_server", str(port)],
        env={**os.environ, **settings, **_ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the run, which tells the server how it ended
    )
    try:
        yield TemporaryServer(process, f"http://127.0.0.1:{port}/api", folder)
    finally:
        process.kill()  # nobody reads its database afterwards
        process.wait()


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> None:
    """Wait for the end of the input, which comes when the process that holds its other end is gone."""
    # Not through sys.stdin, whose lock a thread that waits for it would hold when the interpreter shuts down.
    while os.read(0, 1024):
        pass
    os._exit(0)


def _serve(port: int) -> None:
    import uvicorn

    threading.Thread(target=_end_with_parent, daemon=True).start()
    uvicorn.run(
        "prefect.server.api.server:create_app",
        factory=True,
        host="127.0.0.1",
        port=port,
        log_level="error",
        lifespan="on",
    )


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
