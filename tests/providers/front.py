"""What llama.cpp's server accepts and does not do, done in front of it, so that each SDK gets what it asks for.

A schema in Anthropic's ``output_config`` and a forced tool call become a grammar, and what the model writes becomes the
message or the call that was asked for. Everything else is passed on as it is. The model behind it gives the answers.
"""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from providers.local import to_grammar

_PREFIX = "/openai"
_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens"}


def _find_forced(body: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The name and schema of the only form that a reply may have: a tool's name, or none for plain JSON."""
    config = body.get("output_config") or {}
    if "format" in config:
        return "", config["format"]["schema"]
    choice = body.get("tool_choice") or "auto"
    if choice == "auto" or (isinstance(choice, dict) and choice.get("type") == "auto"):
        return None
    tool = body["tools"][0]
    inner = tool.get("function", tool)
    return inner["name"], inner.get("parameters") or inner["input_schema"]


def _to_text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content or ())


def _to_chat(body: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    system = [{"role": "system", "content": _to_text(body["system"])}] if "system" in body else []
    turns = [{"role": turn["role"], "content": _to_text(turn.get("content"))} for turn in body["messages"]]
    cap = body.get("max_tokens") or body.get("max_completion_tokens")
    return {"messages": system + turns, "max_tokens": cap, "temperature": 0, "grammar": to_grammar(schema)}


def _to_message(reply: dict[str, Any], tool: str) -> dict[str, Any]:
    (choice,) = reply["choices"]
    text, usage = choice["message"]["content"], reply["usage"]
    block = {"type": "text", "text": text}
    if tool:
        block = {"type": "tool_use", "id": "call_1", "name": tool, "input": json.loads(text)}
    return {
        "id": reply["id"],
        "type": "message",
        "role": "assistant",
        "model": reply["model"],
        "content": [block],
        "stop_reason": "tool_use" if tool else _STOP_REASONS[choice["finish_reason"]],
        "stop_sequence": None,
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }


def _to_call(reply: dict[str, Any], tool: str) -> dict[str, Any]:
    (choice,) = reply["choices"]
    function = {"name": tool, "arguments": choice["message"]["content"]}
    choice["message"] = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }
    choice["finish_reason"] = "tool_calls"
    return reply


class _Handler(BaseHTTPRequestHandler):
    server_port: int

    def do_POST(self) -> None:
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.removeprefix(_PREFIX)
        forced = _find_forced(body)
        if forced is None:
            self._reply(*self._ask(path, body))
            return
        tool, schema = forced
        status, reply = self._ask("/v1/chat/completions", _to_chat(body, schema))
        if status == 200:
            reply = _to_message(reply, tool) if path.startswith("/v1/messages") else _to_call(reply, tool)
        self._reply(status, reply)

    def _ask(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        url = f"http://127.0.0.1:{self.server_port}{_PREFIX}{path}"
        response = httpx.post(url, json=body, timeout=60, trust_env=False)
        return response.status_code, response.json()

    def _reply(self, status: int, reply: dict[str, Any]) -> None:
        content = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def stand_before(server_port: int) -> Generator[str]:
    """The front's address while the body runs."""
    handler = type("Handler", (_Handler,), {"server_port": server_port})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as front:
        threading.Thread(target=front.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{front.server_port}"
        front.shutdown()
