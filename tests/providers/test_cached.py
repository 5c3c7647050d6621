"""The cache and what stands behind it, over the wire: hits, repeats, refusals, ledger, budget, secrets."""

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart

from providers.budget import Budget
from providers.cached import CachedModel, TruncatedReply
from providers.catalogue import find_model
from providers.models import close_model, open_model
from providers.offline import OfflineModel
from providers.reply_shapes import ReplyShape
from providers.retries import RetryPolicy
from schemas.errors import AccessError, BudgetReached, ServiceError
from schemas.questions import QUESTION_SETTING, EquivalentNamesQuestion
from schemas.replies import EdgesReply
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    MemoryStore,
    Step,
    Wire,
    refuse,
    reply,
    serve,
    to_entry,
)

QUICK = RetryPolicy(attempts=4, total_seconds=5, first_wait=0.001, longest_wait=0.002)
PARAMETERS = ReplyShape(EdgesReply, "native").parameters


@pytest.fixture(autouse=True)
def _planted_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


class Bench:
    """A scripted service, the model before it, and all that a call leaves behind."""

    def __init__(self, wire: Wire, **changes: Any) -> None:
        self.wire = wire
        self.store, self.ledger, self.budget = MemoryStore(), MemoryLedger(), changes.pop("budget", Budget())
        self.entry = to_entry(**{"base_url": wire.base_url, **changes})
        self.model = self.open()

    def open(self, run: int = 0) -> CachedModel:
        """Another model on the same store and ledger."""
        return CachedModel(
            open_model(self.entry),
            self.entry,
            store=self.store,
            ledger=self.ledger,
            budget=self.budget,
            run=run,
            policy=QUICK,
        )

    async def ask(self, text: str = "Rain.", model: CachedModel | None = None, **settings: Any) -> ModelResponse:
        """One request."""
        given: Any = {"max_tokens": 500, **settings, QUESTION_SETTING: EDGES_QUESTION}
        return await (model or self.model).request([ModelRequest(parts=[UserPromptPart(text)])], given, PARAMETERS)


@asynccontextmanager
async def bench(*steps: Step, **changes: Any) -> AsyncGenerator[Bench]:
    """Set all of it up before a service with these steps."""
    async with serve(*steps) as wire:
        made = Bench(wire, **changes)
        yield made
        await close_model(made.model)


async def test_the_same_request_is_sent_once_and_told_apart_in_the_ledger() -> None:
    async with bench(reply(EDGES_JSON)) as b:
        first, second = await b.ask(), await b.ask()
        assert first.text == second.text == EDGES_JSON
        assert len(b.wire.received) == 1
    sent, hit = b.ledger.calls
    assert (sent.stage, sent.domain, sent.backbone, sent.model) == ("edges", "environment", "floods", "test:model")
    assert (sent.tokens_in, sent.tokens_out, sent.attempts, sent.cached) == (100, 20, 1, False)
    # gpt-4o-mini: 100 x $0.15 + 20 x $0.60 per million = $0.000027.
    assert sent.cost_usd == pytest.approx(0.000027)
    assert (hit.tokens_in, hit.tokens_out, hit.attempts, hit.cached, hit.cost_usd) == (100, 20, 0, True, 0)
    assert (sent.finish_reason, sent.error, hit.finish_reason, hit.error) == ("stop", "", "stop", "")


async def test_a_reply_is_found_by_another_model_object_but_not_in_another_run() -> None:
    async with bench(reply(EDGES_JSON)) as b:
        await b.ask()
        await b.ask(model=b.open())
        assert len(b.wire.received) == 1
        await b.ask(model=b.open(run=1))
        await b.ask(temperature=1.0)
        assert len(b.wire.received) == 3


async def test_the_same_request_in_flight_is_sent_once() -> None:
    async with bench(reply(EDGES_JSON, delay=0.05)) as b:
        other = b.open()
        await asyncio.gather(*(b.ask(model=model) for model in [b.model, other] * 5))
        assert len(b.wire.received) == 1
    assert sorted(call.cached for call in b.ledger.calls) == [False] + [True] * 9


async def test_who_waits_for_a_request_that_is_cancelled_sends_it_anew() -> None:
    async with bench(reply(EDGES_JSON, delay=0.1)) as b:
        first = asyncio.create_task(b.ask())
        await asyncio.sleep(0.02)
        second = asyncio.create_task(b.ask())
        await asyncio.sleep(0.02)
        first.cancel()
        assert (await second).text == EDGES_JSON
        assert len(b.wire.received) == 2
        with pytest.raises(asyncio.CancelledError):
            await first


async def test_who_stops_waiting_does_not_stop_the_request() -> None:
    async with bench(reply(EDGES_JSON, delay=0.1)) as b:
        first = asyncio.create_task(b.ask())
        await asyncio.sleep(0.02)
        second = asyncio.create_task(b.ask())
        await asyncio.sleep(0.02)
        second.cancel()
        assert (await first).text == EDGES_JSON
        assert len(b.wire.received) == 1


async def test_who_waits_for_a_request_that_fails_fails_with_it() -> None:
    async with bench(refuse(400)) as b:
        ended = await asyncio.gather(b.ask(), b.ask(), return_exceptions=True)
        assert [type(error) for error in ended] == [ServiceError, ServiceError]
        assert len(b.wire.received) == 1
    assert len(b.ledger.calls) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
async def test_transient_errors_are_tried_again(status: int) -> None:
    async with bench(refuse(status), refuse(status), reply(EDGES_JSON)) as b:
        assert (await b.ask()).text == EDGES_JSON
    (call,) = b.ledger.calls
    assert (call.attempts, call.error) == (3, "")


async def test_a_time_out_is_tried_again() -> None:
    async with bench(reply("late", delay=1.0), reply(EDGES_JSON), timeout_seconds=0.15) as b:
        assert (await b.ask()).text == EDGES_JSON
    assert b.ledger.calls[0].attempts == 2


async def test_a_service_that_is_not_there_is_a_service_error() -> None:
    async with bench(reply(EDGES_JSON), base_url="http://127.0.0.1:9/v1") as b:  # nothing listens on the discard port
        line = r"no connection to http://127\.0\.0\.1:9/v1, or it broke \(4 attempts\)"
        with pytest.raises(ServiceError, match=line) as caught:
            await b.ask()
    assert caught.value.kind == "connection"
    assert b.ledger.calls[0].error == "connection"


@pytest.mark.parametrize(
    ("step", "error", "kind"),
    [
        (refuse(400, message="bad schema"), ServiceError, "rejected"),
        (refuse(401), AccessError, "auth"),
        (refuse(403), AccessError, "auth"),
        (refuse(404, code="model_not_found"), AccessError, "not_found"),
        (refuse(429, code="insufficient_quota"), AccessError, "quota"),
        (refuse(400, code="context_length_exceeded"), ServiceError, "context_window"),
    ],
)
async def test_final_errors_are_raised_at_once_and_written_down(
    step: Step, error: type[ServiceError], kind: str
) -> None:
    async with bench(step, reply(EDGES_JSON)) as b:
        with pytest.raises(ServiceError) as caught:
            await b.ask()
        assert len(b.wire.received) == 1
    assert type(caught.value) is error
    assert caught.value.kind == kind
    (call,) = b.ledger.calls
    assert (call.error, call.attempts, call.tokens_in, call.cached) == (kind, 1, 0, False)
    assert not b.store.replies


async def test_a_service_that_refuses_the_key_is_not_asked_again() -> None:
    async with bench(refuse(401), reply(EDGES_JSON)) as b:
        for text in ("a", "b", "c"):
            with pytest.raises(AccessError, match="the key is wrong"):
                await b.ask(text)
        assert len(b.wire.received) == 1


async def test_after_a_429_no_call_is_sent_before_the_pause_is_over() -> None:
    async with bench(refuse(429, retry_after_ms="300"), reply(EDGES_JSON), concurrency=1) as b:
        await asyncio.gather(*(b.ask(str(i)) for i in range(4)))
        refused, *later = b.wire.received
    assert len(later) == 4
    assert all(received.at >= refused.at + 0.3 for received in later)


async def test_retry_after_in_seconds_is_waited_for() -> None:
    async with bench(refuse(503, retry_after="1"), reply(EDGES_JSON)) as b:
        await b.ask()
        first, second = b.wire.received
    assert second.at - first.at >= 1


async def test_a_truncated_reply_is_kept_and_raised_as_such() -> None:
    async with bench(reply('{"edges": [', finish="length")) as b:
        for _ in range(2):
            with pytest.raises(TruncatedReply, match="hit its cap of 500 tokens"):
                await b.ask()
        assert len(b.wire.received) == 1
    assert [(call.error, call.finish_reason, call.cached) for call in b.ledger.calls] == [
        ("truncated", "length", False),
        ("truncated", "length", True),
    ]


async def test_usage_that_is_not_reported_is_of_unknown_cost() -> None:
    body: Any = reply(EDGES_JSON).body
    async with bench(Step(body={**body, "usage": None})) as b:
        await b.ask()
    assert b.ledger.calls[0].cost_usd is None


async def test_a_call_that_does_not_fit_the_budget_is_not_sent() -> None:
    # 500 tokens of gpt-4o-mini cost up to $0.0003; the prompt and its schema little more than a tenth of that.
    async with bench(reply(EDGES_JSON), budget=Budget(0.0004)) as b:
        await b.ask()
        assert b.budget.spent == pytest.approx(0.000027)
        await b.ask()  # from the cache, for nothing
        b.budget.spent = 0.0002
        with pytest.raises(BudgetReached, match="is left"):
            await b.ask("another")
        assert len(b.wire.received) == 1
    assert len(b.ledger.calls) == 2


async def test_a_kept_text_that_cannot_be_read_any_more_is_asked_for_again() -> None:
    async with bench(reply(EDGES_JSON)) as b:
        await b.ask()
        b.store.replies = dict.fromkeys(b.store.replies, "{from another version")
        assert (await b.ask()).text == EDGES_JSON
        assert len(b.wire.received) == 2


async def test_a_model_without_a_service_is_kept_by_its_question_since_it_reads_no_prompt() -> None:
    store, ledger = MemoryStore(), MemoryLedger()
    model = CachedModel(OfflineModel("rules"), find_model("offline:rules"), store=store, ledger=ledger, budget=Budget())
    for name in ("rainfall", "rainfall", "flood"):
        question = EquivalentNamesQuestion(domain="d", backbone="b", example="e", text="t", names=(name,))
        settings: Any = {QUESTION_SETTING: question}
        response = await model.request([ModelRequest(parts=[UserPromptPart("?")])], settings, PARAMETERS)
        assert name in (response.text or "")
    assert [(call.model, call.stage, call.cached, call.cost_usd) for call in ledger.calls] == [
        ("offline:rules", "check", False, 0.0),
        ("offline:rules", "check", True, 0.0),
        ("offline:rules", "check", False, 0.0),
    ]


@pytest.mark.parametrize(
    "step",
    [
        reply(EDGES_JSON),
        refuse(400, message=f"you sent {PLANTED_KEY}"),
        refuse(401, message=f"Incorrect API key provided: {PLANTED_KEY}"),
        refuse(500, message=f"key {PLANTED_KEY}"),
        Step(200, f"Bearer {PLANTED_KEY}"),
    ],
)
async def test_the_key_is_in_no_key_value_record_message_traceback_or_log(
    step: Step, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    left: list[str] = []
    async with bench(step) as b:
        try:
            await b.ask()
        except ServiceError as error:
            left += [str(error), repr(error), *traceback.format_exception(error), repr(error.__context__)]
        assert PLANTED_KEY in b.wire.received[0].headers["authorization"]
        left += [repr(b.model), repr(vars(b.model)), repr(b.entry)]
    left += [repr(b.store.replies), repr(b.ledger.calls), repr(b.budget), caplog.text]
    assert PLANTED_KEY not in "\n".join(left)
