"""A real Redis server on loopback for the tests, with a password, in a folder of its own."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import redis

SERVER_PASSWORD = "planted-redis-password-51c7"  # noqa: S105 - of a server that lives as long as a test


class RedisServer:
    """A server that can be stopped and started again on the same port; it keeps what it was given."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("redis-server")
        assert found is not None, "redis-server is missing: apt-get install redis-server"
        self._program, self._folder = found, folder
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])

    @property
    def address(self) -> str:
        """Where it is, without the password."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def admin(self) -> Any:
        """A client that may do everything."""
        return redis.Redis(port=self.port, password=SERVER_PASSWORD, protocol=2)

    def start(self) -> None:
        """Start it and wait until it answers."""
        config = {
            "port": self.port,
            "bind": "127.0.0.1",
            "requirepass": SERVER_PASSWORD,
            "dir": self._folder,
            "appendonly": "yes",
            "appendfsync": "always",
        }
        self._process = subprocess.Popen(  # noqa: S603 - the server and our own options
            [self._program, *(word for name, value in config.items() for word in (f"--{name}", str(value)))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while True:
            try:
                self.admin.ping()
            except redis.ConnectionError:
                assert time.monotonic() < end, "redis-server does not answer"
                assert self._process.poll() is None, "redis-server ended at once"
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def environment(self) -> dict[str, str]:
        """The environment of a process that uses it."""
        return {**os.environ, "PRISM_REDIS_PASSWORD": SERVER_PASSWORD}
