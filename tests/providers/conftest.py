"""Fixtures for the tests of the services."""

import logging
import ssl
from collections.abc import Generator

import pytest

from tests.providers.scenes import Scene
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY

# Each client of an SDK reads the system's certificates, which takes longer than a test.
_CERTIFICATES = ssl.create_default_context()


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Generator[Scene]:
    """A scene with a key, after which the key is looked for in all that is left and in every library's log."""
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    for name in ("", "httpx", "httpx2", "httpcore", "httpcore2", "openai", "anthropic", "groq"):
        caplog.set_level(logging.DEBUG, logger=name)
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: _CERTIFICATES)  # pyright: ignore[reportUnknownLambdaType]
    made = Scene()
    yield made
    logged = [caplog.handler.format(record) for record in caplog.get_records("call")]
    assert logged
    assert PLANTED_KEY not in "\n".join((*made.left, *logged))
