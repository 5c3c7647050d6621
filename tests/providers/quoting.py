"""A scripted service with Anthropic's and OpenAI's interfaces that quotes the caller's key whenever it refuses.

The author of :mod:`tests.providers.author` answers, but for the first request, whose connection is closed.
"""

import base64
import itertools
import json
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote

from tests.providers.author import find_prompt
from tests.providers.batch_wire import to_message
from tests.providers.wire import reply

REFUSED = "This article is refused."


def to_forms(key: str) -> tuple[str, ...]:
    """A key as it may be written down: as it is, in base64, and in an address."""
    raw = key.encode()
    return key, base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode(), quote(key, safe="")


@dataclass
class QuotingService:
    """How the service behaves, and what it was sent.

    ``on_request`` is called while a request is out.
    """

    is_locked: bool = False
    refused: Iterable[str] = (REFUSED,)
    on_request: Callable[[], None] = lambda: None
    base_url: str = ""
    keys: list[str] = field(default_factory=list[str])
    statuses: list[int] = field(default_factory=list[int])
    breaks_first: bool = True
    numbers: Iterator[int] = field(default_factory=itertools.count)


class _Handler(BaseHTTPRequestHandler):
    service: QuotingService
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        service = self.service
        key = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        service.keys.append(key)
        service.on_request()
        prompt = find_prompt(body)
        if next(service.numbers) == 0 and service.breaks_first:
            service.statuses.append(0)
            self.close_connection = True
        elif service.is_locked:
            self._refuse(401, "authentication_error", key)
        elif any(words in prompt for words in service.refused):
            self._refuse(400, "invalid_request_error", key)
        elif self.path.endswith("/messages"):
            self._send(200, to_message(body))
        else:
            self._send(200, dict(reply('{"variables": []}').body))  # pyright: ignore[reportArgumentType, reportCallIssue]

    def _refuse(self, status: int, kind: str, key: str) -> None:
        error = {"type": kind, "message": f"not for {' or '.join(to_forms(key))}"}
        self._send(status, {"type": "error", "error": error})

    def _send(self, status: int, body: dict[str, Any]) -> None:
        self.service.statuses.append(status)
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serve_quoting(service: QuotingService) -> Generator[QuotingService]:
    """Run the service."""
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    service.base_url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
