"""The stepwise mode with a scripted model, and once with the embedded one: real requests, real weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters

from bayes.network import Cpd, Edge, Network, Rule, Variable
from providers.asking import Answer, Asker, Prompt
from providers.budget import Budget
from providers.catalogue import find_model
from providers.stepwise import StepwiseModel
from schemas.calls import Call
from schemas.networks import to_json
from schemas.questions import (
    QUESTION_SETTING,
    DescriptionQuestion,
    EdgesQuestion,
    EquivalentNamesQuestion,
    Family,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    Question,
    VariablesQuestion,
)
from schemas.replies import (
    DescriptionReply,
    EdgesReply,
    EquivalentNamesReply,
    JointsReply,
    MarginalsReply,
    MultiJointsReply,
    Reply,
    VariablesReply,
)
from tests.providers.steps.scripted import ARTICLE, CROPS, FLOOD, RAIN, ScriptedModel, say

VARIABLES = (RAIN, FLOOD, CROPS)
EDGES = (Edge("rainfall", "crop yields"), Edge("river floods", "crop yields"))
FAMILY = Family(child="crop yields", parents=("rainfall", "river floods"))
NETWORK = Network((RAIN,), (Cpd("rainfall", (), np.full((3, 1), 1 / 3), (Rule.PRIOR,)),))

WHERE: dict[str, Any] = {"domain": "environment", "backbone": "floods"}
ON_ARTICLE: dict[str, Any] = {**WHERE, "article": ARTICLE}
EDGES_QUESTION = EdgesQuestion(**ON_ARTICLE, variables=VARIABLES)
MARGINALS_QUESTION = MarginalsQuestion(**ON_ARTICLE, variables=VARIABLES)
JOINTS_QUESTION = JointsQuestion(**ON_ARTICLE, variables=VARIABLES, edges=EDGES)
MULTI_QUESTION = MultiJointsQuestion(**ON_ARTICLE, variables=VARIABLES, families=(FAMILY,))
DESCRIPTION_QUESTION = DescriptionQuestion(**WHERE, example="e", title="Floods", network_json=to_json(NETWORK))

CASES: tuple[tuple[Question, type[Reply], int], ...] = (
    # With the tiny requests each takes, by hand.
    (EDGES_QUESTION, EdgesReply, 3),  # three pairs
    (MARGINALS_QUESTION, MarginalsReply, 3),  # three variables
    (JOINTS_QUESTION, JointsReply, 2 * (1 + 3)),  # per edge the parent's marginal and three parent states
    (MULTI_QUESTION, MultiJointsReply, 1 + 2 * (1 + 3)),  # the strongest parent, then as above
    (DESCRIPTION_QUESTION, DescriptionReply, 1),  # one variable, no edge
    (EquivalentNamesQuestion(**WHERE, example="e", text="It pours.", names=("rain",)), EquivalentNamesReply, 1),
)


@pytest.mark.parametrize(("question", "output", "n_requests"), CASES, ids=lambda case: getattr(case, "stage", ""))
async def test_a_question_is_answered_by_tiny_requests_whose_usage_adds_up(
    question: Question, output: type[Reply], n_requests: int
) -> None:
    scripted = ScriptedModel()
    agent = Agent(StepwiseModel(scripted.model), output_type=NativeOutput(output))
    run = await agent.run("ignored", model_settings={QUESTION_SETTING: question})  # pyright: ignore[reportArgumentType]
    assert isinstance(run.output, output)
    assert len(scripted.prompts) == n_requests
    assert run.usage.input_tokens == 10 * n_requests
    assert run.usage.output_tokens == 2 * n_requests


async def test_each_tiny_request_carries_the_question_and_the_callers_settings_but_a_cap_of_its_own() -> None:
    scripted = ScriptedModel()
    settings: Any = {QUESTION_SETTING: EDGES_QUESTION, "max_tokens": 9999, "seed": 7}
    await StepwiseModel(scripted.model).request([ModelRequest(parts=[])], settings, ModelRequestParameters())
    assert all(sent[QUESTION_SETTING] is EDGES_QUESTION and sent["seed"] == 7 for sent in scripted.settings)
    assert all(sent["max_tokens"] < 200 for sent in scripted.settings)


@pytest.mark.parametrize("settings", [None, {}, {QUESTION_SETTING: "a question of another kind"}])
async def test_a_request_without_a_question_that_has_steps_is_passed_straight_on(settings: Any) -> None:
    scripted = ScriptedModel()
    response = await model_request(
        StepwiseModel(scripted.model), [ModelRequest.user_text_prompt("Hello?")], model_settings=settings
    )
    assert response.text == "free text"
    assert scripted.prompts == ["Hello?"]


# With the embedded model, through everything that a hosted model's replies go through.


@dataclass
class MemoryStore:
    """A reply store in memory."""

    replies: dict[str, str] = field(default_factory=dict[str, str])

    def get(self, key: str) -> str | None:
        return self.replies.get(key)

    def put(self, key: str, reply: str) -> None:
        self.replies.setdefault(key, reply)

    def replace(self, key: str, reply: str) -> None:
        """Keep a reply in place of another."""
        self.replies[key] = reply


@dataclass
class MemoryLedger:
    """A call ledger in memory."""

    calls: list[Call] = field(default_factory=list[Call])

    def record(self, call: Call) -> None:
        self.calls.append(call)


def open_asker(store: MemoryStore, ledger: MemoryLedger, **more: Any) -> Asker:
    return Asker(find_model("local:smollm2"), store=store, ledger=ledger, budget=Budget(), **more)


async def ask(
    asker: Asker, question: Question, output: type[Any], check: Callable[[Any], Sequence[str]]
) -> Answer[Any]:
    return await asker.ask(question, Prompt("ignored", "ignored"), output, check, max_tokens=500)


async def test_the_embedded_model_answers_every_pass_with_replies_that_hold() -> None:
    """One short article; every tiny request is a row of its pass in the ledger, and none fails."""
    names = tuple(variable.name for variable in VARIABLES)
    # The fewest states there are, for the fewest requests.
    small = tuple(Variable(name, ("high", "none")) for name in names)
    store, ledger = MemoryStore(), MemoryLedger()
    async with open_asker(store, ledger) as asker:

        async def answer(question: Question, output: type[Any]) -> Any:
            reply = await ask(asker, question, output, lambda _: [])
            assert reply.value is not None, reply.detail
            return reply.value

        variables = await answer(VariablesQuestion(**ON_ARTICLE, max_variables=2), VariablesReply)
        edges = await answer(EDGES_QUESTION, EdgesReply)
        asked = MarginalsQuestion(**ON_ARTICLE, variables=small)
        marginals = await answer(asked, MarginalsReply)
        joints = await answer(JointsQuestion(**ON_ARTICLE, variables=small, edges=EDGES), JointsReply)
        multi = await answer(MultiJointsQuestion(**ON_ARTICLE, variables=small, families=(FAMILY,)), MultiJointsReply)
        description = await answer(DESCRIPTION_QUESTION, DescriptionReply)

        assert len({item.name for item in variables.variables}) == 2
        assert all(item.states[-1] == "none" for item in variables.variables)
        assert all({edge.parent, edge.child} <= set(names) for edge in edges.edges)
        sums = [sum(cell.probability for cell in item.probabilities) for item in marginals.marginals]
        sums += [sum(cell.probability for cell in item.cells) for item in (*joints.joints, *multi.joints)]
        assert np.allclose(sums, 1)
        assert description.description.endswith(".")

        stages = ["variables", "edges", "marginals", "joints", "multi_joints", "description"]
        assert list(dict.fromkeys(call.stage for call in ledger.calls)) == stages
        assert not any(call.error for call in ledger.calls)
        assert all(call.tokens_in > 0 and call.tokens_out > 0 and call.cost_usd == 0 for call in ledger.calls)
        # Parents' marginals in pass 4 and all but the strongest parent in pass 5 were asked for before.
        assert [sum(call.stage == stage and not call.cached for call in ledger.calls) for stage in stages[3:5]] == [
            4,
            1,
        ]

        n_calls = len(ledger.calls)
        assert await answer(asked, MarginalsReply) == marginals
        assert all(call.cached for call in ledger.calls[n_calls:])


async def test_a_step_that_goes_wrong_is_an_invalid_reply_with_a_reason() -> None:
    asker = open_asker(MemoryStore(), MemoryLedger(), model=ScriptedModel(say({"choice": "perhaps"})).model)
    answer = await ask(asker, EDGES_QUESTION, EdgesReply, lambda _: [])
    assert answer.reason == "invalid_reply"
    assert "none of its 3 options" in answer.detail
