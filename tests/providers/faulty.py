"""A scripted OpenAI-compatible service that fails now and then: ``python -m tests.providers.faulty SHARE``.

The author of :mod:`tests.providers.author` answers. A share of the requests meets a fault instead, a different one each
time; articles whose text says so are refused, or fail, every time. The first line printed is the port, and ``GET
/stats`` tells what was received, answered in full, and answered in full more than once.
"""

import asyncio
import hashlib
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.providers.author import answer, find_prompt, find_schema
from tests.providers.wire import refuse, reply

STALL_SECONDS = 60.0
ALWAYS_REFUSED = "This article is always refused."
ALWAYS_BROKEN = "This article always breaks the service."

FAULTS = (
    *("429 with seconds", "429 without", "500", "503", "529", "reset before", "reset within", "cut JSON", "HTML"),
    *("no choices", "cut reply", "no JSON", "wrong schema", "stall"),
)


def write_articles(folder: Path, n: int, *, n_refused: int = 0, n_broken: int = 0) -> None:
    """So many articles of made-up words; the first are refused every time, the next break the service."""
    folder.mkdir()
    draw = random.Random(0)  # noqa: S311 - makes up words
    syllables = [a + b for a in "bdfgklmnprstv" for b in "aeiou"]
    odd = [ALWAYS_REFUSED] * n_refused + [ALWAYS_BROKEN] * n_broken
    for number in range(n):
        words = ["".join(draw.choices(syllables, k=draw.randint(2, 5))) for _ in range(120)]
        last = odd[number] if number < len(odd) else ""
        (folder / f"article-{number:04}.txt").write_text(f"{' '.join(words).capitalize()}. {last}", encoding="utf-8")


class FaultyService:
    """Answers chat completions; ``share`` of the requests meets a fault."""

    def __init__(self, share: float, seed: int = 0, stall: float = STALL_SECONDS) -> None:
        self._share = share
        self._random = random.Random(seed)  # noqa: S311 - chooses faults
        self._stall = stall
        self.n_received = 0
        self.met: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()

    def stats(self) -> dict[str, Any]:
        """What happened so far."""
        repeated = sum(n - 1 for n in self.answered.values())
        return {"received": self.n_received, "answered": len(self.answered), "repeated": repeated, "faults": self.met}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
                raw = await reader.readexactly(int(length or 0))
                if head.startswith(b"GET /stats"):
                    self._write(writer, json.dumps(self.stats()).encode())
                else:
                    await self._answer(raw, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, raw: bytes, writer: asyncio.StreamWriter) -> None:
        self.n_received += 1
        body = json.loads(raw)
        prompt = find_prompt(body)
        if ALWAYS_REFUSED in prompt:
            message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
            self._write(writer, json.dumps(reply("", message=message).body).encode())
            return
        if ALWAYS_BROKEN in prompt:
            self._write(writer, b'{"error": {"message": "broken"}}', 500)
            return
        whole = json.dumps(reply(answer(prompt, find_schema(body))).body).encode()
        if self._random.random() < self._share:
            fault = self._random.choice(FAULTS)
            self.met[fault] += 1
            await self._fail(fault, whole, writer)
            return
        self.answered[hashlib.sha256(raw).hexdigest()] += 1
        self._write(writer, whole)

    async def _fail(self, fault: str, whole: bytes, writer: asyncio.StreamWriter) -> None:
        error = json.dumps(refuse(500).body).encode()
        match fault:
            case "429 with seconds":
                self._write(writer, error, 429, "Retry-After: 1\r\n")
            case "429 without":
                self._write(writer, error, 429)
            case "500" | "503" | "529":
                self._write(writer, error, int(fault))
            case "reset before":
                writer.transport.abort()
                raise ConnectionResetError
            case "reset within":
                self._write(writer, whole[: len(whole) // 2], length=len(whole))
                await writer.drain()
                writer.transport.abort()
                raise ConnectionResetError
            case "stall":
                self._write(writer, whole[: len(whole) // 2], length=len(whole))
                await writer.drain()
                await asyncio.sleep(self._stall)
                raise ConnectionResetError
            case "cut JSON":
                self._write(writer, whole[: len(whole) // 2])
            case "HTML":
                self._write(writer, b"<html>Bad gateway</html>")
            case "no choices":
                self._write(writer, json.dumps({**reply("").body, "choices": []}).encode())  # type: ignore[dict-item]
            case "cut reply":
                self._write(writer, json.dumps(reply('{"variables": [', finish="length").body).encode())
            case "no JSON":
                self._write(writer, json.dumps(reply("I think that it depends.").body).encode())
            case _:
                self._write(writer, json.dumps(reply('{"thoughts": []}').body).encode())

    def _write(
        self, writer: asyncio.StreamWriter, body: bytes, status: int = 200, header: str = "", length: int | None = None
    ) -> None:
        size = len(body) if length is None else length
        head = f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n{header}\r\n"
        writer.write(head.encode() + body)


async def main(share: float) -> None:
    """Serve until the process is stopped."""
    service = FaultyService(share)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - the port is what the caller waits for
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
