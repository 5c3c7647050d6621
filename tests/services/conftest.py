"""A Redis server for each test; where redis-server is missing, these tests fail rather than skip."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.redis_server import SERVER_PASSWORD, RedisServer


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    folder = tmp_path / "redis"
    folder.mkdir()
    monkeypatch.setenv("PRISM_REDIS_PASSWORD", SERVER_PASSWORD)
    made = RedisServer(folder)
    made.start()
    try:
        yield made
    finally:
        made.stop()
