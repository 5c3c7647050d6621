"""A question ends in a reply that passed all checks, or in a reason."""

import asyncio
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from providers.asking import Answer, Asker, Prompt, open_asker
from providers.budget import Budget
from providers.retries import RetryPolicy
from schemas.errors import AccessError, BudgetReached, InputError, ServiceError
from schemas.questions import EquivalentNamesQuestion
from schemas.replies import EdgesReply, EquivalentNamesReply
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    MemoryStore,
    Step,
    Wire,
    call_tool,
    refuse,
    reply,
    serve,
    to_entry,
)

NO_EDGES = '{"edges": []}'
PROMPT = Prompt("You find edges.", "Heavy rainfall leads to floods.")


@pytest.fixture(autouse=True)
def _planted_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


def _need_edges(value: EdgesReply) -> Sequence[str]:
    return () if value.edges else ("there are no edges; name at least one",)


def _open(wire: Wire, **changes: Any) -> Asker:
    given: dict[str, Any] = {name: changes.pop(name) for name in ("store", "budget", "run") if name in changes}
    policy = RetryPolicy(attempts=2, first_wait=0.001)
    fields: dict[str, Any] = {"store": None, "ledger": MemoryLedger(), "budget": Budget(), "policy": policy, **given}
    return Asker(to_entry(wire.base_url, **changes), **fields)


async def _ask(asker: Asker, **changes: Any) -> Answer[EdgesReply]:
    given: dict[str, Any] = {"max_tokens": 500, **changes}
    return await asker.ask(EDGES_QUESTION, PROMPT, EdgesReply, _need_edges, **given)


async def _ask_service(*steps: Step, **changes: Any) -> tuple[Answer[EdgesReply], Wire]:
    asked = {name: changes.pop(name) for name in ("max_tokens", "retries") if name in changes}
    async with serve(*steps) as wire, _open(wire, **changes) as asker:
        return await _ask(asker, **asked), wire


async def test_a_good_reply_is_the_answer() -> None:
    answer, wire = await _ask_service(reply(EDGES_JSON))
    assert answer == Answer(EdgesReply.model_validate_json(EDGES_JSON), "test:model", 1)
    assert [message["content"] for message in wire.received[0].body["messages"]] == [PROMPT.system, PROMPT.user]


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (NO_EDGES, "- there are no edges; name at least one"),
        ('{"edges": 3}', "- edges: Input should be a valid array"),
        ("Sorry.", "- reply: Invalid JSON: "),
    ],
)
async def test_a_bad_reply_is_sent_back_with_what_is_wrong_and_the_next_one_counts(bad: str, complaint: str) -> None:
    answer, wire = await _ask_service(reply(bad), reply(EDGES_JSON))
    assert answer.value is not None
    assert answer.attempts == 2
    system, user, said, feedback = wire.received[1].body["messages"]
    assert (system["content"], user["content"]) == (PROMPT.system, PROMPT.user)
    assert (said["role"], said["content"]) == ("assistant", bad)
    assert feedback["role"] == "user"
    assert complaint in feedback["content"]


async def test_in_tool_mode_the_feedback_answers_the_call() -> None:
    answer, wire = await _ask_service(call_tool(NO_EDGES, "call-7"), call_tool(EDGES_JSON), schema_mode="tool")
    assert answer.value is not None
    feedback = wire.received[1].body["messages"][-1]
    assert (feedback["role"], feedback["tool_call_id"]) == ("tool", "call-7")
    assert "there are no edges" in feedback["content"]


async def test_after_the_retries_the_reason_is_invalid_reply_with_the_last_problems() -> None:
    answer, wire = await _ask_service(reply("Sorry."), reply(NO_EDGES), retries=2)
    assert (answer.value, answer.reason, answer.attempts) == (None, "invalid_reply", 3)
    assert answer.detail == "there are no edges; name at least one"
    assert len(wire.received) == 3


async def test_only_the_last_bad_reply_is_sent_along() -> None:
    _, wire = await _ask_service(reply("Sorry."), reply(NO_EDGES), retries=2)
    assert [len(received.body["messages"]) for received in wire.received] == [2, 4, 4]
    assert "Sorry." not in str(wire.received[2].body)


async def test_a_cut_off_reply_is_asked_for_once_more_with_twice_the_cap() -> None:
    answer, wire = await _ask_service(reply('{"edges": [', finish="length"), reply(EDGES_JSON))
    assert answer.value is not None
    assert [received.body["max_completion_tokens"] for received in wire.received] == [500, 1000]
    assert wire.received[0].body["messages"] == wire.received[1].body["messages"]


async def test_cut_off_twice_is_truncated_and_no_parse_failure() -> None:
    answer, wire = await _ask_service(reply(EDGES_JSON, finish="length"))
    assert (answer.value, answer.reason, answer.attempts) == (None, "truncated", 2)
    assert "cap of 1000 tokens" in answer.detail
    assert len(wire.received) == 2


async def test_the_cap_stays_within_what_the_model_can_write() -> None:
    answer, wire = await _ask_service(reply("", finish="length"), max_output_tokens=600)
    assert answer.reason == "truncated"
    assert [received.body["max_completion_tokens"] for received in wire.received] == [500, 600]
    answer, wire = await _ask_service(reply("", finish="length"), max_output_tokens=300)
    assert [received.body["max_completion_tokens"] for received in wire.received] == [300]


async def test_a_model_that_thinks_first_gets_room_for_it() -> None:
    _, wire = await _ask_service(reply(EDGES_JSON), reasoning_tokens=4000)
    assert wire.received[0].body["max_completion_tokens"] == 4500


async def test_a_tool_call_that_groq_cannot_parse_is_sent_back_like_any_bad_reply() -> None:
    error = {"message": "no", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": NO_EDGES}
    ledger = MemoryLedger()
    async with serve(Step(400, {"error": error}), call_tool(EDGES_JSON)) as wire:
        entry = to_entry(wire.base_url[:-3], provider="groq", model="llama-3.1-8b-instant", schema_mode="tool")
        async with Asker(entry, store=None, ledger=ledger, budget=Budget()) as asker:
            answer = await _ask(asker)
    assert answer.value is not None
    assert answer.attempts == 2
    assert [(call.finish_reason, call.cost_usd is None) for call in ledger.calls] == [
        ("error", True),
        ("tool_call", False),
    ]


@pytest.mark.parametrize(
    "step",
    [
        reply("", finish="content_filter"),
        reply("", message={"role": "assistant", "content": None, "refusal": "I can't help with that."}),
    ],
)
async def test_a_refusal_is_not_asked_again(step: Step) -> None:
    answer, wire = await _ask_service(step)
    assert (answer.value, answer.reason) == (None, "refused")
    assert len(wire.received) == 1


async def test_a_broken_service_raises() -> None:
    with pytest.raises(ServiceError):
        await _ask_service(refuse(500))
    with pytest.raises(AccessError):
        await _ask_service(refuse(401))
    with pytest.raises(BudgetReached):
        await _ask_service(reply(EDGES_JSON), budget=Budget(0.000001))


async def test_a_second_run_of_a_whole_conversation_calls_nobody() -> None:
    store = MemoryStore()
    steps = [reply('{"edges": [', finish="length"), reply("Sorry."), reply(EDGES_JSON)]
    async with serve(*steps) as wire:
        async with _open(wire, store=store) as asker:
            first = await _ask(asker)
        async with _open(wire, store=store) as asker:
            assert await _ask(asker) == first
        assert len(wire.received) == 3
        async with _open(wire, store=store, run=1) as asker:
            await _ask(asker)
        assert len(wire.received) == 4
    assert first.attempts == 3


async def test_many_tasks_share_one_asker() -> None:
    async with serve(reply(EDGES_JSON, delay=0.01)) as wire, _open(wire, concurrency=8) as asker:
        answers = await asyncio.gather(
            *(
                asker.ask(EDGES_QUESTION, Prompt("s", str(i)), EdgesReply, _need_edges, max_tokens=500)
                for i in range(40)
            )
        )
    assert all(answer.value for answer in answers)
    assert len(wire.received) == 40


async def test_an_offline_answer_tells_who_gave_it() -> None:
    ledger = MemoryLedger()
    question = EquivalentNamesQuestion(domain="d", backbone="b", example="e", text="t", names=("x",))
    async with open_asker("offline", store=MemoryStore(), ledger=ledger) as asker:
        answer = await asker.ask(question, PROMPT, EquivalentNamesReply, lambda _: (), max_tokens=100)
    assert answer.value is not None
    assert answer.model == "offline:rules"
    assert [(call.model, call.tokens_in, call.tokens_out) for call in ledger.calls] == [("offline:rules", 0, 0)]


def test_a_ceiling_with_an_unknown_price_and_an_unknown_name_are_refused_up_front() -> None:
    with pytest.raises(InputError, match="its price is unknown"):
        Asker(to_entry(model="no-such-model"), store=None, ledger=MemoryLedger(), budget=Budget(1))
    with pytest.raises(InputError, match="did you mean"):
        open_asker("offlin", store=None, ledger=MemoryLedger())


async def test_a_model_can_be_put_in_the_place_of_the_real_one() -> None:
    def answer(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert info.model_settings is not None
        assert "prism_question" not in info.model_settings
        return ModelResponse(parts=[TextPart(EDGES_JSON)], finish_reason="stop")

    model = FunctionModel(answer, profile={"supports_json_schema_output": True})
    async with Asker(to_entry(), store=None, ledger=MemoryLedger(), budget=Budget(), model=model) as asker:
        assert (await _ask(asker)).value is not None


class _Steps(WrapperModel):
    """Asks the wrapped model twice and answers itself, or fails at the second step."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        for _ in range(2):
            response = await self.wrapped.request(messages, model_settings, model_request_parameters)
            if response.text != EDGES_JSON:
                raise UnexpectedModelBehavior("a step was not\nanswered", response.text)
        return ModelResponse(parts=[TextPart(EDGES_JSON)], finish_reason="stop")


@pytest.mark.parametrize(("said", "reason"), [(EDGES_JSON, ""), ("no", "invalid_reply")])
async def test_stepwise_models_ask_through_the_cache(said: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("providers.stepwise")
    module.StepwiseModel = _Steps  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "providers.stepwise", module)
    async with serve(reply(said)) as wire, _open(wire, style="stepwise", store=MemoryStore()) as asker:
        answer = await _ask(asker)
        assert answer.reason == reason
        assert answer.detail == ("a step was not answered" if reason else "")
        assert len(wire.received) == 1  # the second step is a hit
