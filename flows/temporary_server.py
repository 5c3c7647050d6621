"""The Prefect server of a single run, for when no other answers.

Prefect would start one by itself, but only when the flow begins, and only after importing the whole server into this
process as well: twice the wait. This one starts first and gets ready while the flow is imported. It ends with this
process, also if that is killed.

Run as a module, this file is that server: ``python -m flows.temporary_server PORT``.
"""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from schemas.errors import ServiceError

_ENVIRONMENT = {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}


@dataclass(frozen=True, slots=True)
class TemporaryServer:
    """A server that was started; it may not answer yet."""

    process: subprocess.Popen[bytes]
    api_url: str

    def wait(self, timeout: float) -> None:
        """Wait until the server answers.

        Raises:
            ServiceError: it has ended, or does not answer in time.
        """
        import httpx

        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise ServiceError(f"Prefect's temporary server ended at once (exit code {self.process.returncode})")
            try:
                if httpx.get(f"{self.api_url}/health", timeout=1, trust_env=False).is_success:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise ServiceError(f"Prefect's temporary server did not answer within {timeout:g} seconds")


@contextmanager
def serving(settings: Mapping[str, str]) -> Generator[TemporaryServer]:
    """A server with these settings, as environment variables; stopped on the way out."""
    port = _find_port()
    process = subprocess.Popen(  # noqa: S603 - this file, a number, and nothing else
        [sys.executable, "-m", "flows.temporary_server", str(port)],
        env={**os.environ, **settings, **_ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield TemporaryServer(process, f"http://127.0.0.1:{port}/api")
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
