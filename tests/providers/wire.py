"""A scripted service on loopback for the tests, and fakes for what a model call leaves behind."""

import asyncio
import json
import socket
import struct
import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from bayes.network import Variable
from providers.catalogue import ModelEntry
from schemas.articles import Article
from schemas.calls import Call
from schemas.questions import EdgesQuestion

KEY_VARIABLE = "PRISM_TEST_KEY"
PLANTED_KEY = "sk-planted-7f3a9c41d2"

EDGES_JSON = '{"edges":[{"parent":"rainfall","child":"flood","mechanism":"Water rises."}]}'

ARTICLE = Article(
    domain="environment",
    backbone="floods",
    title="Floods",
    url="",
    revision="",
    retrieved_at="2026-01-01T00:00:00Z",
    licence="CC0-1.0",
    text="Heavy rainfall leads to floods.",
    sha256="0" * 64,
    words=5,
)
VARIABLES = (Variable("rainfall", ("heavy", "none")), Variable("flood", ("severe", "none")))
EDGES_QUESTION = EdgesQuestion(domain="environment", backbone="floods", article=ARTICLE, variables=VARIABLES)


Breaks = Literal["", "unanswered", "reset", "cut", "stalled", "dripping"]


@dataclass(frozen=True, slots=True)
class Step:
    """One response of the service.

    ``breaks`` says how it goes wrong below HTTP: the connection is reset before the first byte (unanswered) or in the
    middle of the body (reset), closed there (cut), left open there in silence (stalled), or a byte comes now and then
    without an end (dripping).
    """

    status: int = 200
    body: object = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    delay: float = 0.0
    breaks: Breaks = ""

    def to_bytes(self) -> tuple[bytes, bytes]:
        """Head and body as they go over the wire."""
        match self.body:
            case bytes() as body:
                pass
            case str() as text:
                body = text.encode()
            case content:
                body = json.dumps(content).encode()
        length = 10**9 if self.breaks == "dripping" else len(body)
        headers = {"Content-Type": "application/json", "Content-Length": str(length), **self.headers}
        lines = [f"HTTP/1.1 {self.status} -", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode(), body


@dataclass(frozen=True, slots=True)
class Received:
    """One request as the service saw it."""

    at: float
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def reply(content: str, *, finish: str = "stop", delay: float = 0.0, message: dict[str, Any] | None = None) -> Step:
    """A chat completion with this text: 100 tokens in, 20 out."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "model-2026-01-01",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": message or {"role": "assistant", "content": content}}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return Step(body=body, delay=delay)


def call_tool(arguments: str, call_id: str = "call-1") -> Step:
    """A chat completion that calls the reply tool."""
    call = {"id": call_id, "type": "function", "function": {"name": "reply", "arguments": arguments}}
    return reply("", finish="tool_calls", message={"role": "assistant", "content": None, "tool_calls": [call]})


def refuse(status: int, *, code: str | None = None, message: str = "no", **headers: str) -> Step:
    """An error response; header names are given with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status, {"error": {"message": message, "type": code, "code": code}}, named)


class Wire:
    """The service: answers with its steps in order, the last one again and again."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = list(steps)
        self.received: list[Received] = []
        self.base_url = ""
        self.connections: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        self.connections.add(writer)
        try:
            while True:
                step = await self._receive(reader)
                await asyncio.sleep(step.delay)
                head, body = step.to_bytes()
                if step.breaks:
                    await _break_off(step.breaks, head, body, reader, writer)
                    return
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the test is over, or the other side hung up
        finally:
            writer.close()

    async def _receive(self, reader: asyncio.StreamReader) -> Step:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.received.append(Received(time.monotonic(), first.split()[1], headers, json.loads(body)))
        return self.steps[min(len(self.received), len(self.steps)) - 1]


async def _break_off(
    breaks: Breaks, head: bytes, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    if breaks != "unanswered":
        writer.write(head + body[: len(body) // 2])
        await writer.drain()
    if breaks == "stalled":
        await reader.read(1)  # until the other side hangs up
    while breaks == "dripping" and not reader.at_eof():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)
    if breaks in {"unanswered", "reset"}:
        # A lingering time of zero makes the system send a reset instead of an orderly end.
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        await asyncio.sleep(0.01)  # the other side has read what was sent
        writer.transport.abort()


@asynccontextmanager
async def serve(*steps: Step) -> AsyncGenerator[Wire]:
    """A scripted service on a loopback port."""
    wire = Wire(steps)
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    wire.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield wire
    finally:
        server.close()
        for connection in wire.connections:
            connection.close()
        await asyncio.sleep(0)


class MemoryStore:
    """A reply cache in memory that keeps the first reply of a key, and is empty and false at first."""

    def __init__(self) -> None:
        self.replies: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.replies)

    def get(self, key: str) -> str | None:
        """The reply kept under the key."""
        return self.replies.get(key)

    def put(self, key: str, reply: str) -> None:
        """Keep a reply."""
        self.replies.setdefault(key, reply)

    def replace(self, key: str, reply: str) -> None:
        """Keep a reply in place of another."""
        self.replies[key] = reply


class MemoryLedger:
    """A ledger in memory."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def record(self, call: Call) -> None:
        """Note one call."""
        self.calls.append(call)


def to_entry(base_url: str = "http://127.0.0.1:9/v1", **changes: Any) -> ModelEntry:
    """A catalogue entry for the scripted service; its price is that of gpt-4o-mini."""
    fields = {
        "id": "test:model",
        "provider": "openai",
        "model": "gpt-4o-mini",
        "base_url": base_url,
        "key_env": KEY_VARIABLE,
        "settings": {"temperature": 0},
        "context_tokens": 128_000,
        "max_output_tokens": 16_000,
        "timeout_seconds": 5,
    }
    return ModelEntry.model_validate({**fields, **changes})
