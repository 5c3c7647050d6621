"""A small server that speaks OpenAI chat completions and Anthropic messages: ``python benchmarks/chat_server.py 0.25``.

Every reply takes the given time and says the same. With a second argument it accepts so many requests in any second and
refuses the others at once with 429 and Retry-After 1. The first line it prints is its port; ``GET /stats`` tells how
many requests it received and accepted.
"""

import asyncio
import json
import sys
from collections import deque

REPLY = {"edges": [{"parent": "rainfall", "child": "flood", "mechanism": "Water that cannot drain rises."}]}


def to_completion(reply: object) -> bytes:
    """The body of a chat completion whose text is the reply's JSON."""
    message = {"role": "assistant", "content": json.dumps(reply)}
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "measured",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200},
        }
    ).encode()


def to_message(reply: object) -> bytes:
    """The body of an Anthropic message whose text is the reply's JSON."""
    return json.dumps(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "measured",
            "content": [{"type": "text", "text": json.dumps(reply)}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1000, "output_tokens": 200},
        }
    ).encode()


class ChatServer:
    """Answers after ``delay`` seconds, at most ``rate`` requests in any second."""

    def __init__(self, delay: float, rate: int | None = None) -> None:
        self.delay = delay
        self.rate = rate
        self.received = 0
        self.accepted = 0
        self._recent: deque[float] = deque()
        self._completion = to_completion(REPLY)
        self._message = to_message(REPLY)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
                await reader.readexactly(int(length or 0))
                await self._answer(head, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: bytes, writer: asyncio.StreamWriter) -> None:
        if head.startswith(b"get /stats"):
            counts = json.dumps({"received": self.received, "accepted": self.accepted}).encode()
            _write(writer, b"200 OK", counts)
            return
        self.received += 1
        if self._has_room():
            self.accepted += 1
            await asyncio.sleep(self.delay)
            _write(writer, b"200 OK", self._message if head.startswith(b"post /v1/messages") else self._completion)
        else:
            _write(writer, b"429 Too Many Requests", b'{"error": {"message": "slow down"}}', b"Retry-After: 1\r\n")
        await writer.drain()

    def _has_room(self) -> bool:
        if self.rate is None:
            return True
        now = asyncio.get_running_loop().time()
        while self._recent and self._recent[0] <= now - 1:
            self._recent.popleft()
        if len(self._recent) >= self.rate:
            return False
        self._recent.append(now)
        return True


def _write(writer: asyncio.StreamWriter, status: bytes, body: bytes, headers: bytes = b"") -> None:
    writer.write(
        b"HTTP/1.1 %b\r\nContent-Type: application/json\r\n%bContent-Length: %d\r\n\r\n%b"
        % (status, headers, len(body), body)
    )


async def _main(delay: float, rate: int | None) -> None:
    chat = ChatServer(delay, rate)
    server = await asyncio.start_server(chat.serve, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None))
