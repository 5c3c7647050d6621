from typing import Any

import numpy as np

from bayes.network import Cpd, Network, Rule
from providers.steps.prose import find_slots, judge_names, write_description
from schemas.networks import to_json
from schemas.questions import DescriptionQuestion, EquivalentNamesQuestion
from tests.providers.steps.scripted import FLOOD, RAIN, Fields, ScriptedModel, say

NETWORK = Network(
    (RAIN, FLOOD),
    (
        Cpd("rainfall", (), np.full((3, 1), 1 / 3), (Rule.PRIOR,)),
        Cpd("river floods", ("rainfall",), np.full((3, 3), 1 / 3), (Rule.PAIRWISE,) * 3),
    ),
)


def ask_for(previous: str = "", problems: tuple[str, ...] = ()) -> DescriptionQuestion:
    return DescriptionQuestion(
        domain="a",
        backbone="b",
        example="b-2-0",
        title="Floods",
        network_json=to_json(NETWORK),
        previous=previous,
        problems=problems,
    )


async def test_the_first_attempt_has_a_sentence_for_every_variable_and_edge() -> None:
    scripted = ScriptedModel()
    reply = await write_description(ask_for(), scripted.interview)
    assert len(scripted.prompts) == len(find_slots(NETWORK)) == 3
    assert "rainfall" in scripted.prompts[0]
    assert "high or low" in scripted.prompts[0]
    assert scripted.prompts[2] == "Write one sentence that says how rainfall leads to river floods."
    assert reply.description.count(".") == 3


async def test_a_later_attempt_rewrites_only_the_sentences_that_a_problem_speaks_of() -> None:
    scripted = ScriptedModel(say({"sentence": "Rainfall leads to river floods."}))
    reply = await write_description(
        ask_for("The first one. The second one. The third one.", ("The edge rainfall -> River Floods is not stated.",)),
        scripted.interview,
    )
    assert reply.description == "The first one. The second one. Rainfall leads to river floods."
    assert len(scripted.prompts) == 1


async def test_a_problem_with_one_variable_rewrites_that_variables_sentence() -> None:
    scripted = ScriptedModel(say({"sentence": "New."}))
    reply = await write_description(ask_for("One. Two. Three.", ("rainfall is missing",)), scripted.interview)
    assert reply.description == "New. Two. Three."


async def test_a_previous_text_of_other_making_is_written_anew() -> None:
    scripted = ScriptedModel()
    await write_description(ask_for("Just one sentence.", ("rainfall is missing",)), scripted.interview)
    assert len(scripted.prompts) == 3


async def test_each_name_is_judged_by_one_yes_or_no() -> None:
    def decide(prompt: str, fields: Fields) -> dict[str, Any]:  # noqa: ARG001 - a script's signature
        return {"choice": "yes" if prompt.endswith("rain?") else "no"}

    question = EquivalentNamesQuestion(domain="a", backbone="b", example="e", text="It pours.", names=("rain", "wind"))
    reply = await judge_names(question, ScriptedModel(decide).interview)
    assert [(verdict.name, verdict.is_expressed) for verdict in reply.verdicts] == [("rain", True), ("wind", False)]
