"""Each provider's path, from the catalogue entry through its real SDK, is answered by a real model over its protocol.

The peer is llama.cpp's server with the embedded model. Where it accepts a request and does not do what it says, a front
translates (:mod:`tests.providers.front`).
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from providers.asking import Asker, Prompt
from providers.budget import Budget
from providers.catalogue import ModelEntry
from providers.local import get_server
from schemas.errors import AccessError
from schemas.replies import Reply, TextReply
from tasks.model_check import check_model
from tests.providers.front import stand_before
from tests.providers.wire import EDGES_QUESTION, KEY_VARIABLE, PLANTED_KEY, MemoryLedger, MemoryStore, to_entry


class WeatherReply(Reply):
    """The weather, and how sure that is."""

    weather: Literal["rain", "sun", "snow"]
    probability: Literal["0.2", "0.5", "0.8"]


@dataclass(frozen=True, slots=True)
class Path:
    """The fields of a catalogue entry that lead to the peer: straight to its port, or through the front."""

    provider: str
    model: str
    base_url: str
    schema_mode: str = "native"
    finish: str = "stop"


# Anthropic's and Groq's SDKs add their own path to the base URL, OpenAI's does not.
PATHS = {
    "openai": Path("openai", "gpt-4o-mini", "{peer}/openai/v1"),
    "openai-compatible": Path("openai-compatible", "smollm2", "{peer}/openai/v1"),
    "openai-compatible, grammar": Path("openai-compatible", "smollm2", "{peer}/openai/v1", "grammar"),
    "openai-compatible, tool": Path("openai-compatible", "smollm2", "{front}/v1", "tool", "tool_call"),
    "groq": Path("groq", "openai/gpt-oss-20b", "{peer}"),
    "groq, tool": Path("groq", "llama-3.3-70b-versatile", "{front}", "tool", "tool_call"),
    "anthropic": Path("anthropic", "claude-haiku-4-5", "{front}"),
    "anthropic, tool": Path("anthropic", "claude-haiku-4-5", "{front}", "tool", "tool_call"),
}
TEXT_PATHS = {name: PATHS[name] for name in ("openai", "openai-compatible", "groq")} | {
    "anthropic": Path("anthropic", "claude-haiku-4-5", "{peer}/openai")
}


@pytest.fixture(scope="module")
def addresses() -> Generator[dict[str, str]]:
    """The peer's address and its front's."""
    port = get_server("smollm2").start()
    with stand_before(port) as front:
        yield {"peer": f"http://127.0.0.1:{port}", "front": front}


@pytest.fixture(autouse=True)
def _planted_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


def _to_entry(path: Path, addresses: dict[str, str]) -> ModelEntry:
    fields: dict[str, Any] = {"provider": path.provider, "model": path.model, "schema_mode": path.schema_mode}
    return to_entry(path.base_url.format(**addresses), timeout_seconds=60, **fields)


async def _ask(entry: ModelEntry, prompt: Prompt, output: type[Reply], store: MemoryStore, ledger: MemoryLedger) -> Any:
    async with Asker(entry, store=store, ledger=ledger, budget=Budget()) as asker:
        answer = await asker.ask(EDGES_QUESTION, prompt, output, lambda _: (), max_tokens=60, retries=0)
        assert answer.value is not None, answer
        return answer.value


@pytest.mark.parametrize("name", PATHS)
async def test_a_structured_request_is_answered_priced_and_kept(name: str, addresses: dict[str, str]) -> None:
    store, ledger = MemoryStore(), MemoryLedger()
    entry = _to_entry(PATHS[name], addresses)
    prompt = Prompt("You answer with JSON.", "Dark clouds gather. Give the weather and its probability.")
    value = await _ask(entry, prompt, WeatherReply, store, ledger)
    assert isinstance(value, WeatherReply)
    assert await _ask(entry, prompt, WeatherReply, store, ledger) == value
    sent, kept = ledger.calls
    assert (sent.attempts, sent.cached, sent.error, sent.finish_reason) == (1, False, "", PATHS[name].finish)
    assert sent.tokens_in > 10
    assert 5 < sent.tokens_out < 60
    assert (sent.cost_usd is None) == (entry.provider == "openai-compatible")  # nobody lists a price for it
    assert sent.cost_usd is None or 0 < sent.cost_usd < 0.01
    assert (kept.attempts, kept.cached, kept.tokens_in, kept.cost_usd) == (0, True, sent.tokens_in, 0)
    assert len(store) == 1


@pytest.mark.parametrize("name", TEXT_PATHS)
async def test_plain_text_is_answered_without_a_front(name: str, addresses: dict[str, str]) -> None:
    ledger = MemoryLedger()
    prompt = Prompt("You answer in one short sentence.", "How many days has a week?")
    value = await _ask(_to_entry(TEXT_PATHS[name], addresses), prompt, TextReply, MemoryStore(), ledger)
    assert value.text
    assert [(call.attempts, call.error, call.finish_reason) for call in ledger.calls] == [(1, "", "stop")]
    assert ledger.calls[0].tokens_in > 10
    assert ledger.calls[0].tokens_out > 0


@pytest.mark.parametrize("name", PATHS)
async def test_the_check_of_a_model_says_in_one_line_that_it_answers(name: str, addresses: dict[str, str]) -> None:
    check = await check_model(_to_entry(PATHS[name], addresses))
    assert check.is_usable, check.line
    assert check.line.startswith("test:model: answers in ")
    assert " tokens in, " in check.line
    assert len(check.line.splitlines()) == 1
    assert PLANTED_KEY not in check.line


async def test_the_check_of_a_model_at_a_path_that_is_not_there_names_the_base_url(addresses: dict[str, str]) -> None:
    with pytest.raises(AccessError, match=r"no such model or address; check model and base_url .*HTTP 404"):
        await check_model(_to_entry(Path("openai", "gpt-4o-mini", "{peer}/v1"), addresses))
