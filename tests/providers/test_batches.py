"""Requests go through real batch interfaces: sent once, found again, and alone where a batch gives nothing."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from providers.asking import Answer, Asker, Batching, Prompt
from providers.batch_client import BatchPace, read_pace
from providers.batches import offers_batches
from providers.budget import Budget
from providers.retries import RetryPolicy
from schemas.errors import AccessError, InputError, ServiceError
from storage.batches import BatchFolder
from tests.providers.batch_wire import BatchService, serve_batches
from tests.providers.wire import EDGES_QUESTION, KEY_VARIABLE, PLANTED_KEY, MemoryLedger, MemoryStore, to_entry

PACE = BatchPace(quiet=0.05, first_look=0.05, longest_look=0.1)
PROVIDERS = ("anthropic", "openai")


class Days(BaseModel):
    """How many days a week has."""

    days: int


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def service() -> Iterator[BatchService]:
    with serve_batches(BatchService()) as running:
        yield running


class Run:
    """One run against a service: its askers share a journal and a store."""

    def __init__(
        self,
        service: BatchService,
        provider: str,
        folder: Path,
        *,
        store: MemoryStore | None = None,
        pace: BatchPace = PACE,
    ) -> None:
        path = "/v1" if provider == "openai" else ""
        model = "gpt-4o-mini" if provider == "openai" else "claude-haiku-4-5"
        self.entry = to_entry(service.base_url + path, provider=provider, model=model, settings={})
        self.ledger = MemoryLedger()
        self.store = store if store is not None else MemoryStore()
        self.reports: list[tuple[int, int]] = []
        self.asker = Asker(
            self.entry,
            store=self.store,
            ledger=self.ledger,
            budget=Budget(1.0),
            policy=RetryPolicy(attempts=2, first_wait=0.01),
            batching=Batching(BatchFolder(folder), pace, lambda done, sent: self.reports.append((done, sent))),
        )

    async def ask(self, n: int) -> list[Answer[Days]]:
        return await asyncio.gather(*(self._ask(place) for place in range(n)))

    async def _ask(self, place: int) -> Answer[Days]:
        question = EDGES_QUESTION
        prompt = Prompt("Answer with JSON.", f"Week {place}: how many days?")
        return await self.asker.ask(question, prompt, Days, lambda _: (), max_tokens=100)


async def _wait_for_batch(folder: Path) -> None:
    while not any(batch.handle for batch in BatchFolder(folder).pending()):  # noqa: ASYNC110 - another task writes it
        await asyncio.sleep(0.02)


async def test_requests_asked_together_go_out_as_one_batch_at_half_the_price(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.looks = 3
    run = Run(service, provider, tmp_path)
    answers = await run.ask(5)
    await run.asker.aclose()
    assert [answer.value for answer in answers] == [Days(days=7)] * 5
    assert ([len(batch) for batch in service.batches.values()], service.sent_alone) == ([5], [])
    # A million tokens in and out cost $0.15 and $0.60 (gpt-4o-mini), $1 and $5 (claude-haiku-4-5); here 1,000 and 100.
    full = {"openai": 0.00021, "anthropic": 0.0015}[provider]
    assert [call.cost_usd for call in run.ledger.calls] == pytest.approx([full / 2] * 5)
    assert run.reports[-1] == (5, 5)
    assert not BatchFolder(tmp_path).pending()


async def test_a_second_run_takes_the_replies_from_the_cache(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    first = Run(service, provider, tmp_path)
    await first.ask(2)
    second = Run(service, provider, tmp_path, store=first.store)
    await second.ask(2)
    assert (service.n_batched, [call.cached for call in second.ledger.calls]) == (2, [True, True])


@pytest.mark.parametrize("fate", ["errored", "expired", "missing"])
async def test_what_a_batch_does_not_answer_is_sent_alone(
    service: BatchService, provider: str, tmp_path: Path, fate: str
) -> None:
    service.fate = lambda place: fate if place == 1 else "succeeded"
    run = Run(service, provider, tmp_path)
    answers = await run.ask(3)
    assert [answer.value for answer in answers] == [Days(days=7)] * 3
    assert (service.n_batched, len(service.sent_alone)) == (3, 1)
    costs = sorted(call.cost_usd or 0 for call in run.ledger.calls)
    assert costs[2] == pytest.approx(2 * costs[0])
    assert not BatchFolder(tmp_path).pending()


async def test_a_run_that_was_stopped_finds_its_batch_again(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.looks = 1000
    run = Run(service, provider, tmp_path)
    asking = asyncio.create_task(run.ask(4))
    await _wait_for_batch(tmp_path)
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    await run.asker.aclose()
    assert PLANTED_KEY not in next((tmp_path / ".batches").glob("*.json")).read_text()

    service.looks = 0
    again = Run(service, provider, tmp_path, store=run.store)
    answers = await again.ask(6)  # two of them are new
    assert [answer.value for answer in answers] == [Days(days=7)] * 6
    assert [len(batch) for batch in service.batches.values()] == [4, 2]
    assert service.sent_alone == []
    assert not BatchFolder(tmp_path).pending()


async def test_a_batch_that_the_provider_no_longer_has_is_given_up_and_its_requests_sent_alone(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.looks = 1000
    run = Run(service, provider, tmp_path)
    asking = asyncio.create_task(run.ask(1))
    await _wait_for_batch(tmp_path)
    asking.cancel()
    await run.asker.aclose()
    service.batches.clear()
    again = Run(service, provider, tmp_path)
    [answer] = await again.ask(1)
    assert (answer.value, len(service.sent_alone)) == (Days(days=7), 1)
    assert not BatchFolder(tmp_path).pending()


@pytest.mark.parametrize(("status", "error"), [(401, AccessError), (400, ServiceError), (500, ServiceError)])
async def test_a_batch_that_is_refused_fails_its_requests_with_one_line(
    service: BatchService, provider: str, tmp_path: Path, status: int, error: type[Exception]
) -> None:
    service.status = status
    run = Run(service, provider, tmp_path)
    with pytest.raises(error, match=rf"HTTP {status}") as caught:
        await run.ask(3)
    assert PLANTED_KEY not in str(caught.value)
    # Nobody knows whether the provider took the batch that it answered with 500.
    assert len(BatchFolder(tmp_path).pending()) == (status == 500)
    service.status = 200
    again = Run(service, provider, tmp_path)
    await again.ask(3)
    assert ([len(batch) for batch in service.batches.values()], service.sent_alone) == ([3], [])
    assert not BatchFolder(tmp_path).pending()


async def test_a_batch_whose_confirmation_got_lost_is_found_and_not_sent_again(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.n_lost = 1
    run = Run(service, provider, tmp_path)
    answers = await run.ask(3)
    assert [answer.value for answer in answers] == [Days(days=7)] * 3
    assert ([len(batch) for batch in service.batches.values()], service.sent_alone) == ([3], [])
    assert not BatchFolder(tmp_path).pending()


async def test_a_run_killed_before_the_confirmation_leaves_a_note_by_which_the_next_one_finds_the_batch(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.looks = 1000
    run = Run(service, provider, tmp_path)
    asking = asyncio.create_task(run.ask(2))
    await _wait_for_batch(tmp_path)
    asking.cancel()
    await run.asker.aclose()
    [note] = (tmp_path / ".batches").glob("*.json")
    note.write_text(json.dumps({**json.loads(note.read_text()), "handle": ""}))
    service.looks = 0
    await Run(service, provider, tmp_path).ask(2)
    assert ([len(batch) for batch in service.batches.values()], service.sent_alone) == ([2], [])


async def test_nothing_is_sent_where_a_batch_cannot_be_noted(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    (tmp_path / ".batches").write_text("in the way")
    with pytest.raises(InputError, match="without it no batch is sent"):
        await Run(service, provider, tmp_path).ask(2)
    assert service.n_batched == 0


@pytest.mark.parametrize(
    "change",
    [
        {"handle": "garbage"},
        {"handle": "{}"},
        {"keys": "abc"},
        {"keys": [1]},
        {"sent_at": "yesterday"},
        {"sent_at": "2020-01-01T00:00:00+00:00"},
        {"group": 5},
    ],
    ids=str,
)
async def test_a_damaged_or_very_old_note_is_passed_over(
    service: BatchService, provider: str, tmp_path: Path, change: dict[str, Any]
) -> None:
    service.looks = 1000
    run = Run(service, provider, tmp_path)
    asking = asyncio.create_task(run.ask(1))
    await _wait_for_batch(tmp_path)
    asking.cancel()
    await run.asker.aclose()
    [note] = (tmp_path / ".batches").glob("*.json")
    note.write_text(json.dumps({**json.loads(note.read_text()), **change}))
    service.looks = 0
    [answer] = await Run(service, provider, tmp_path).ask(1)
    assert (answer.value, service.n_batched) == (Days(days=7), 2)


async def test_a_batch_that_never_ends_is_given_up_with_what_to_do(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.looks = 10**6
    run = Run(service, provider, tmp_path, pace=replace(PACE, longest=0.3))
    with pytest.raises(ServiceError, match=r"has not ended in 0 hours; remove .*\.json to have its 2 requests sent"):
        await run.ask(2)


async def test_results_that_cannot_be_read_are_not_paid_twice_without_being_asked(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    service.garble = "<html>"
    with pytest.raises(ServiceError, match=r"cannot be read; the same command tries again; remove .*\.json"):
        await Run(service, provider, tmp_path).ask(2)
    service.garble = ""
    answers = await Run(service, provider, tmp_path).ask(2)
    assert [answer.value for answer in answers] == [Days(days=7)] * 2
    assert (service.n_batched, service.sent_alone) == (2, [])


async def test_requests_that_do_not_fit_one_batch_fill_several(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    run = Run(service, provider, tmp_path)
    run.asker = Asker(
        run.entry,
        store=None,
        ledger=run.ledger,
        budget=Budget(),
        batching=Batching(BatchFolder(tmp_path), BatchPace(quiet=0.05, most=2, first_look=0.05)),
    )
    await run.ask(5)
    assert [len(batch) for batch in service.batches.values()] == [2, 2, 1]


async def test_a_ceiling_on_cost_counts_the_price_of_batches(
    service: BatchService, provider: str, tmp_path: Path
) -> None:
    run = Run(service, provider, tmp_path)
    run.asker = Asker(
        run.entry,
        store=None,
        ledger=run.ledger,
        budget=Budget(0.0),
        batching=Batching(BatchFolder(tmp_path), PACE),
    )
    with pytest.raises(Exception, match="could cost"):
        await run.ask(1)
    assert service.n_batched == 0


def test_the_poll_variable_must_be_a_positive_number() -> None:
    assert read_pace({}) == BatchPace()
    assert read_pace({"PRISM_BATCH_POLL": "2"}).wait(0) == 2
    for text in ("soon", "0", "-1", "inf", "nan"):
        with pytest.raises(InputError, match="PRISM_BATCH_POLL"):
            read_pace({"PRISM_BATCH_POLL": text})


def test_only_anthropic_and_openai_offer_batches() -> None:
    assert [
        offers_batches(to_entry(provider=name)) for name in ("anthropic", "openai", "groq", "openai-compatible")
    ] == [
        True,
        True,
        False,
        False,
    ]
