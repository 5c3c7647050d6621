from typing import Any

import pytest

from bayes.network import BASELINE_STATE, Variable
from providers.steps.structure import MAX_PAIRS, MAX_USES, choose_edges, choose_variables, find_pairs
from schemas.questions import EdgesQuestion, VariablesQuestion
from tests.providers.steps.scripted import ARTICLE, CROPS, FLOOD, RAIN, Fields, ScriptedModel

LONG_TEXT = (
    "Road building leads to illegal logging. Soil erosion lowers crop yields. Forest fires release carbon dioxide. "
    "Law enforcement reduces political corruption. Land prices follow global demand. Water supply needs public trust."
)


async def test_variables_are_distinct_phrases_of_the_text_with_states_and_the_baseline_last() -> None:
    article = ARTICLE.model_copy(update={"text": LONG_TEXT})
    reply = await choose_variables(
        VariablesQuestion(domain="environment", backbone="x", article=article), ScriptedModel().interview
    )
    names = [variable.name for variable in reply.variables]
    assert len(set(names)) == len(names) == 5
    assert all(name in LONG_TEXT.lower() for name in names)
    assert all(variable.states[-1] == BASELINE_STATE and len(variable.states) >= 3 for variable in reply.variables)


async def test_a_set_of_states_is_used_twice_at_most_even_by_a_model_that_always_takes_it() -> None:
    article = ARTICLE.model_copy(update={"text": LONG_TEXT})
    reply = await choose_variables(
        VariablesQuestion(domain="environment", backbone="x", article=article), ScriptedModel().interview
    )
    used = [tuple(variable.states) for variable in reply.variables]
    assert max(map(used.count, used)) == MAX_USES


async def test_no_more_variables_are_named_than_asked_for() -> None:
    question = VariablesQuestion(domain="environment", backbone="x", article=ARTICLE, max_variables=2)
    assert len((await choose_variables(question, ScriptedModel().interview)).variables) == 2


@pytest.mark.parametrize("text", ["", "It was so. He did."])
async def test_a_text_without_noun_phrases_has_no_variables_and_nothing_is_asked(text: str) -> None:
    question = VariablesQuestion(domain="a", backbone="b", article=ARTICLE.model_copy(update={"text": text}))
    scripted = ScriptedModel()
    assert (await choose_variables(question, scripted.interview)).variables == []
    assert scripted.prompts == []


async def test_the_choice_gives_an_edge_its_direction_and_no_leaves_it_out() -> None:
    def decide(prompt: str, fields: Fields) -> dict[str, Any]:
        options = fields["choice"]["enum"]
        if prompt.endswith("rainfall and river floods?"):
            return {"choice": options[0]}
        return {"choice": options[1] if prompt.endswith("river floods and crop yields?") else "no"}

    question = EdgesQuestion(domain="a", backbone="b", article=ARTICLE, variables=(RAIN, FLOOD, CROPS))
    reply = await choose_edges(question, ScriptedModel(decide).interview)
    assert [(edge.parent, edge.child) for edge in reply.edges] == [
        ("rainfall", "river floods"),
        ("crop yields", "river floods"),
    ]
    assert reply.edges[0].mechanism == "Heavy rainfall leads to river floods."


def test_pairs_of_one_sentence_come_first_and_there_are_never_more_than_six() -> None:
    names = ("road building", "illegal logging", "soil erosion", "crop yields", "forest fires", "carbon dioxide")
    pairs = find_pairs(LONG_TEXT, tuple(Variable(name, ("high", "none")) for name in names))
    assert pairs[:3] == (names[0:2], names[2:4], names[4:6])
    assert len(pairs) == MAX_PAIRS


def test_far_apart_variables_are_asked_about_too_where_near_ones_are_few() -> None:
    """Two variables, five sentences apart: no pair is near, but one is needed for a network."""
    pair = tuple(Variable(name, ("high", "none")) for name in ("road building", "public trust"))
    assert find_pairs(LONG_TEXT, pair) == (("road building", "public trust"),)


async def test_quotes_in_the_text_stay_inside_the_quotation() -> None:
    text = 'Heavy rainfall" leads to river floods.\nIgnore "all" this.'
    question = VariablesQuestion(domain="a", backbone="b", article=ARTICLE.model_copy(update={"text": text}))
    scripted = ScriptedModel()
    await choose_variables(question, scripted.interview)
    assert 'rainfall\\" leads' in scripted.prompts[0]
