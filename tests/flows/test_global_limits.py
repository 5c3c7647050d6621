"""Processes that report to one Prefect server keep to its limit together, and a slot is never lost."""

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.client.schemas.objects import StateType

from providers.asking import Asker, Prompt
from providers.budget import Budget
from schemas.errors import InputError, ServiceError
from schemas.replies import EdgesReply
from schemas.settings import BuildSettings
from tasks import global_limits
from tasks.global_limits import GlobalLimits
from tests.flows.test_build_corpus import start
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    reply,
    serve,
    to_entry,
)

pytestmark = pytest.mark.usefixtures("prefect", "_quick")


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(global_limits, "LOOK_SECONDS", 0.05)


async def make(name: str, limit: int = 1, **fields: Any) -> None:
    async with get_client() as client:
        await client.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=name, limit=limit, **fields))


async def count_taken(name: str) -> int:
    async with get_client() as client:
        return (await client.read_global_concurrency_limit_by_name(name)).active_slots


async def test_two_processes_never_send_more_at_a_time_than_the_limit_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process has limits of its own, and they meet at the server: here two askers that share nothing else."""
    await make("one-at-a-time")
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    async with serve(reply(EDGES_JSON, delay=0.05)) as wire:

        async def run(process: int) -> None:
            # Another model at the address each, so that the limiter within this process does not join them.
            entry = to_entry(wire.base_url, model=f"model-{process}", global_limit="one-at-a-time", price="free")
            limits = GlobalLimits()
            gate = limits.to_gate(entry)
            async with Asker(entry, store=None, ledger=MemoryLedger(), budget=Budget(), gate=gate) as asker:
                answers = await asyncio.gather(
                    *(
                        asker.ask(EDGES_QUESTION, Prompt("Find.", str(n)), EdgesReply, lambda _: (), max_tokens=500)
                        for n in range(3)
                    )
                )
            await limits.aclose()
            assert all(answer.value is not None for answer in answers)

        await asyncio.gather(run(1), run(2))
        at = [received.at for received in wire.received]
    assert len(at) == 6
    # Each is answered 0.05 s after it came, and only then the next one may come.
    assert all(later - sooner >= 0.049 for sooner, later in pairwise(at))
    assert await count_taken("one-at-a-time") == 0


async def test_a_model_without_a_limit_asks_no_server() -> None:
    limits = GlobalLimits()
    async with limits.to_gate(to_entry())():
        pass
    await limits.aclose()


async def test_a_limit_with_slot_decay_sets_the_rate() -> None:
    """Two slots that come back at ten a second: the other four of six take at least 0.4 s together."""
    await make("ten-a-second", 2, slot_decay_per_second=10.0)
    limits, clock = GlobalLimits(), asyncio.get_running_loop().time
    began = clock()
    for _ in range(6):
        async with limits.hold("ten-a-second", 60):
            pass
    assert clock() - began > 0.35
    await limits.aclose()


async def test_a_limit_that_is_missing_or_switched_off_is_named_with_the_command_that_helps() -> None:
    await make("asleep", active=False)
    limits = GlobalLimits()
    for name, command in (
        ("none such", "prefect gcl create 'none such' --limit 8"),
        ("asleep", "prefect gcl enable asleep"),
    ):
        with pytest.raises(InputError, match=command) as caught:
            async with limits.hold(name, 60):
                pass
        assert len(str(caught.value).splitlines()) == 1
    await limits.aclose()


async def test_whoever_is_cancelled_leaves_no_slot_taken() -> None:
    """One holds the slot, one waits for it; then nothing runs that could give it back later."""
    await make("cancelled")
    limits, holds = GlobalLimits(), asyncio.Event()

    async def hold() -> None:
        async with limits.hold("cancelled", 60):
            holds.set()
            await asyncio.sleep(60)

    tasks = [asyncio.create_task(hold()), asyncio.create_task(hold())]
    await holds.wait()
    await asyncio.sleep(0.1)
    assert await count_taken("cancelled") == 1
    for task in reversed(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert await count_taken("cancelled") == 0
    await limits.aclose()


async def test_a_slot_granted_after_its_asker_was_cancelled_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    await make("granted-late")
    asked = asyncio.Event()
    increment = PrefectClient.increment_concurrency_slots_with_lease

    async def answer_late(self: PrefectClient, *arguments: Any, **named: Any) -> httpx.Response:
        response = await increment(self, *arguments, **named)
        asked.set()
        await asyncio.sleep(0.05)
        return response

    monkeypatch.setattr(PrefectClient, "increment_concurrency_slots_with_lease", answer_late)
    limits = GlobalLimits()
    task = asyncio.create_task(limits.hold("granted-late", 60).__aenter__())
    await asked.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await count_taken("granted-late") == 0
    await limits.aclose()


async def test_closing_gives_back_what_nobody_gave_back() -> None:
    await make("left-open", 2)
    limits = GlobalLimits()
    held = limits.hold("left-open", 60)
    await held.__aenter__()
    assert await count_taken("left-open") == 1
    await limits.aclose()
    assert await count_taken("left-open") == 0
    await held.__aexit__(None, None, None)
    assert await count_taken("left-open") == 0


async def test_a_reply_is_not_lost_when_its_slot_cannot_be_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    await make("stuck", 2)

    async def fail(*_: Any) -> None:
        raise httpx.ConnectError("gone")

    limits, got = GlobalLimits(), []
    with monkeypatch.context() as patch:
        patch.setattr(PrefectClient, "release_concurrency_slots_with_lease", fail)
        async with limits.hold("stuck", 60):
            got.append("reply")
    assert got == ["reply"]
    await limits.aclose()


async def test_a_server_that_is_gone_is_told_as_such_and_not_as_a_fault_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await make("unreachable")

    async def fail(*_: Any, **__: Any) -> None:
        raise httpx.ConnectError("All connection attempts failed")

    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    monkeypatch.setattr(PrefectClient, "increment_concurrency_slots_with_lease", fail)
    limits = GlobalLimits()
    async with serve(reply(EDGES_JSON)) as wire:
        entry = to_entry(wire.base_url, global_limit="unreachable")
        ledger = MemoryLedger()
        async with Asker(entry, store=None, ledger=ledger, budget=Budget(), gate=limits.to_gate(entry)) as asker:
            with pytest.raises(ServiceError, match="Prefect gives no slot of the global limit 'unreachable': All"):
                await asker.ask(EDGES_QUESTION, Prompt("Find.", ""), EdgesReply, lambda _: (), max_tokens=500)
        assert not wire.received
    assert not ledger.calls
    await limits.aclose()


async def test_a_build_by_a_model_whose_limit_is_missing_ends_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "models.yaml"
    own.write_text(
        "test:limited:\n  provider: openai-compatible\n  model: m\n  base_url: http://127.0.0.1:9/v1\n"
        "  context_tokens: 128000\n  max_output_tokens: 16000\n  price: free\n  global_limit: never-made\n"
    )
    monkeypatch.setenv("PRISM_MODELS", str(own))
    places: dict[str, Any] = {"data": str(tmp_path / "data"), "cache": str(tmp_path / "cache")}
    state = await start(BuildSettings(model="test:limited", domains=("economics",), examples=1, **places))
    assert state.type is StateType.FAILED
    assert "prefect gcl create never-made --limit 8" in (state.message or "")
