import pytest
from pydantic_ai.exceptions import UnexpectedModelBehavior

from providers.steps.interview import Estimate
from tests.providers.steps.scripted import ScriptedModel, say


async def test_a_choice_is_one_of_the_options_and_costs_one_request() -> None:
    interview = ScriptedModel().interview
    assert await interview.choose("Which?", ("rain", "flood")) == "rain"
    assert interview.n_requests == 1
    assert (interview.usage.input_tokens, interview.usage.output_tokens) == (10, 2)


async def test_a_single_option_is_taken_without_asking() -> None:
    interview = ScriptedModel().interview
    assert await interview.choose("Which?", ("rain",)) == "rain"
    assert interview.n_requests == 0


@pytest.mark.parametrize("reply", [{"choice": "snow"}, {"other": "rain"}, ["rain"], "rain"])
async def test_an_answer_that_was_not_on_offer_is_refused(reply: object) -> None:
    interview = ScriptedModel(say(reply)).interview
    with pytest.raises(UnexpectedModelBehavior, match="a small step"):
        await interview.choose("Which?", ("rain", "flood"))


async def test_an_estimate_is_a_state_and_a_probability_of_the_menu() -> None:
    interview = ScriptedModel(say({"state": "low", "probability": 0.9})).interview
    assert await interview.estimate("Which?", ("high", "low")) == Estimate("low", 0.9)


async def test_a_probability_off_the_menu_is_refused() -> None:
    interview = ScriptedModel(say({"state": "low", "probability": 7})).interview
    with pytest.raises(UnexpectedModelBehavior):
        await interview.estimate("Which?", ("high", "low"))


async def test_the_cap_is_never_shorter_than_the_longest_option() -> None:
    """A token is at least one character, so a cap of the characters and some to spare cuts no option."""
    scripted = ScriptedModel()
    await scripted.interview.choose("Which?", ("x" * 500, "y"))
    assert scripted.settings[0]["max_tokens"] > 500
