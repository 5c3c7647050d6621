"""A scripted service with a batch API, in Anthropic's and in OpenAI's wire format, on a loopback port.

A batch stays under way for some looks, then it has ended. The author of :mod:`tests.providers.author` answers its
requests and those that are sent alone; some requests of a batch may have another fate.
"""

import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.providers.author import answer, find_prompt, find_schema

Json = dict[str, Any]
Fate = Callable[[int], str]
"""By its place among all requests that came in batches: succeeded, errored, expired or missing."""


@dataclass
class BatchService:
    """What the service was sent, and how it behaves."""

    looks: int = 1
    fate: Fate = lambda _: "succeeded"
    base_url: str = ""
    status: int = 200
    garble: str = ""
    """Stands in the place of results."""
    n_lost: int = 0
    """How many times the answer to a batch that was taken gets lost."""
    sent_alone: list[Json] = field(default_factory=list[Json])
    batches: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    created_at: dict[str, datetime] = field(default_factory=dict[str, datetime])
    looked_at: dict[str, int] = field(default_factory=dict[str, int])
    files: dict[str, str] = field(default_factory=dict[str, str])
    headers: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def n_batched(self) -> int:
        """Requests that came in batches."""
        return sum(map(len, self.batches.values()))

    def begin(self, requests: list[Json]) -> str:
        """Take a batch in; its id."""
        with self.lock:
            name = f"batch_{len(self.batches) + 1}"
            for place, request in enumerate(requests, start=self.n_batched):
                request["fate"] = self.fate(place)
            self.batches[name] = requests
            self.created_at[name] = datetime.now(UTC)
            return name

    def has_ended(self, name: str) -> bool:
        """Look at a batch."""
        self.looked_at[name] = self.looked_at.get(name, 0) + 1
        return self.looked_at[name] >= self.looks


def to_message(body: Json) -> Json:
    """Anthropic's answer to a request."""
    text = answer(find_prompt(body), find_schema(body))
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }


def to_response(body: Json) -> Json:
    """The answer of OpenAI's Responses API to a request."""
    text = answer(find_prompt(body), find_schema(body))
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": body["model"],
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1000,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 100,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 1100,
        },
    }


class _Handler(BaseHTTPRequestHandler):
    service: BatchService
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        service, path = self.service, self.path.partition("?")[0]
        service.headers.append(dict(self.headers))
        if service.status != 200:
            self._send({"error": {"message": "no", "type": "api_error"}}, service.status)
        elif path == "/v1/messages/batches":
            name = service.begin(json.loads(raw)["requests"])
            self._confirm(_to_anthropic(service, name, "in_progress"))
        elif path == "/v1/messages":
            service.sent_alone.append(json.loads(raw))
            self._send(to_message(service.sent_alone[-1]))
        elif path == "/v1/responses":
            service.sent_alone.append(json.loads(raw))
            self._send(to_response(service.sent_alone[-1]))
        elif path == "/v1/files":
            name = f"file_{len(service.files) + 1}"
            lines = [line for line in raw.decode().splitlines() if line.startswith('{"')]
            service.files[name] = "\n".join(lines)
            self._send({"id": name, "object": "file", "bytes": len(raw), "created_at": 1, "filename": "batch.jsonl",
                        "purpose": "batch", "status": "processed"})  # fmt: skip
        elif path == "/v1/batches":
            source = json.loads(raw)["input_file_id"]
            requests = [json.loads(line) for line in service.files[source].splitlines()]
            self._confirm(_to_openai(service, service.begin(requests), "validating", source))
        else:
            self._send({"error": {"message": f"no {path}", "type": "not_found_error"}}, 404)

    def do_GET(self) -> None:
        service, parts = self.service, self.path.partition("?")[0].strip("/").split("/")
        match parts:
            case _ if service.status != 200:
                self._send({"error": {"message": "no", "type": "api_error"}}, service.status)
            case ["v1", "messages", "batches"]:
                found = [_to_anthropic(service, name, "in_progress") for name in reversed(service.batches)]
                self._send({"data": found, "has_more": False, "first_id": None, "last_id": None})
            case ["v1", "batches"]:
                found = [_to_openai(service, name, "in_progress", "file_1") for name in reversed(service.batches)]
                self._send({"object": "list", "data": found, "has_more": False})
            case ["v1", "messages", "batches", name] if name in service.batches:
                self._send(_to_anthropic(service, name, "ended" if service.has_ended(name) else "in_progress"))
            case ["v1", "messages", "batches", name, "results"]:
                self._send_lines(
                    [_to_anthropic_result(item) for item in service.batches[name] if item["fate"] != "missing"]
                )
            case ["v1", "batches", name] if name in service.batches:
                self._send(
                    _to_openai(service, name, "completed" if service.has_ended(name) else "in_progress", "file_1")
                )
            case ["v1", "files", name, "content"] if name.startswith("out_"):
                requests = service.batches[name.removeprefix("out_")]
                self._send_lines([_to_openai_result(item) for item in requests if item["fate"] != "missing"])
            case _:
                self._send({"error": {"message": "no such batch", "type": "not_found_error"}}, 404)

    def do_DELETE(self) -> None:
        self._send({"id": self.path.rsplit("/", 1)[-1], "object": "file", "deleted": True})

    def _confirm(self, body: Json) -> None:
        if self.service.n_lost:
            self.service.n_lost -= 1
            self.close_connection = True
        else:
            self._send(body)

    def _send(self, body: Json, status: int = 200) -> None:
        self._send_bytes(json.dumps(body).encode(), status)

    def _send_lines(self, items: list[Json]) -> None:
        lines = self.service.garble or "".join(json.dumps(item) + "\n" for item in items)
        self._send_bytes(lines.encode(), 200)

    def _send_bytes(self, content: bytes, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _to_anthropic(service: BatchService, name: str, status: str) -> Json:
    counts = {"processing": 0, "succeeded": len(service.batches[name]), "errored": 0, "canceled": 0, "expired": 0}
    has_ended = status == "ended"
    return {
        "id": name,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": counts,
        "created_at": service.created_at[name].isoformat(),
        "expires_at": "2026-01-02T00:00:00Z",
        "ended_at": "2026-01-01T01:00:00Z" if has_ended else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": f"{service.base_url}/v1/messages/batches/{name}/results" if has_ended else None,
    }


def _to_anthropic_result(request: Json) -> Json:
    match request["fate"]:
        case "succeeded":
            result: Json = {"type": "succeeded", "message": to_message(request["params"])}
        case "errored":
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
            result = {"type": "errored", "error": {**error, "request_id": None}}
        case fate:
            result = {"type": fate}
    return {"custom_id": request["custom_id"], "result": result}


def _to_openai(service: BatchService, name: str, status: str, source: str) -> Json:
    return {
        "id": name,
        "object": "batch",
        "endpoint": "/v1/responses",
        "completion_window": "24h",
        "created_at": int(service.created_at[name].timestamp()),
        "input_file_id": source,
        "status": status,
        "output_file_id": f"out_{name}" if status == "completed" else None,
        "request_counts": {"total": len(service.batches[name]), "completed": 0, "failed": 0},
    }


def _to_openai_result(request: Json) -> Json:
    line: Json = {"id": "line", "custom_id": request["custom_id"], "response": None, "error": None}
    match request["fate"]:
        case "succeeded":
            line["response"] = {"status_code": 200, "request_id": "r", "body": to_response(request["body"])}
        case "errored":
            body = {"error": {"message": "too long", "type": "invalid_request_error", "code": None}}
            line["response"] = {"status_code": 400, "request_id": "r", "body": body}
        case _:
            line["error"] = {"code": "batch_expired", "message": "ran out of time"}
    return line


@contextmanager
def serve_batches(service: BatchService) -> Generator[BatchService]:
    """Run the service."""
    handler = type("Handler", (_Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    service.base_url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
