"""What a model does wrong, in each service's own words, is an answer with a reason, and is asked for again in bounds.

The key is in nothing that is left behind, which the fixture ``scene`` checks after each test.
"""

import pytest

from tests.providers.faults import PROVIDERS, Provider, answer, fail_generation, refuse_politely
from tests.providers.scenes import Scene
from tests.providers.wire import EDGES_JSON, Step, call_tool


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_reply_cut_at_its_cap_is_asked_for_once_more_with_twice_the_cap(
    provider: Provider, scene: Scene
) -> None:
    cut = answer(provider, '{"edges": [', finish="length")
    assert (await scene.ask(provider, cut, answer(provider, EDGES_JSON))).is_answered(requests=2)
    ended = await scene.ask(provider, cut)
    assert ended.answer is not None
    assert (ended.answer.reason, len(ended.received)) == ("truncated", 2)
    assert [(call.error, call.tokens_out) for call in ended.calls] == [("truncated", 20)] * 2


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_refusal_is_an_answer_and_not_asked_again(provider: Provider, scene: Scene) -> None:
    ended = await scene.ask(provider, refuse_politely(provider))
    assert ended.answer is not None
    assert (ended.answer.reason, ended.answer.detail) == ("refused", "the model declined to answer")
    assert [(call.error, call.tokens_out) for call in ended.calls] == [("refused", 20)]
    assert len(ended.received) == 1


@pytest.mark.parametrize("bad", ["", "Sorry.", '{"edges": 3}'])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_model_that_breaks_the_schema_twice_with_the_same_words_and_then_obeys(
    provider: Provider, bad: str, scene: Scene
) -> None:
    ended = await scene.ask(provider, answer(provider, bad), answer(provider, bad), answer(provider, EDGES_JSON))
    assert ended.is_answered(requests=3)
    assert "the same reply as before (2 times now)" in str(ended.received[2].body["messages"])


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_model_that_never_obeys_is_asked_four_times(provider: Provider, scene: Scene) -> None:
    ended = await scene.ask(provider, answer(provider, '{"edges": 3}'))
    assert ended.answer is not None
    assert (ended.answer.reason, ended.answer.detail) == ("invalid_reply", "edges: Input should be a valid array")
    assert (len(ended.received), len(ended.calls)) == (4, 4)


@pytest.mark.parametrize(
    ("code", "mode", "good"),
    [
        ("tool_use_failed", "tool", call_tool(EDGES_JSON)),
        ("json_validate_failed", "native", answer("groq", EDGES_JSON)),
    ],
)
@pytest.mark.parametrize("generation", ['{"name": "reply", "arguments": {"edges": 3}}', "<function=reply>{}", ""])
async def test_output_that_groq_refuses_is_sent_back_to_the_model_within_bounds(
    code: str, mode: str, good: Step, generation: str, scene: Scene
) -> None:
    failed = fail_generation(code, generation)
    assert (await scene.ask("groq", failed, good, schema_mode=mode)).is_answered(requests=2)
    ended = await scene.ask("groq", failed, schema_mode=mode)
    assert ended.answer is not None
    assert (ended.answer.reason, len(ended.received)) == ("invalid_reply", 4)
    assert {(call.finish_reason, call.cost_usd) for call in ended.calls} == {("error", None)}
