"""The stepwise mode of very small models: a whole pass asked as many tiny requests, one choice at a time.

A model of 135 million parameters cannot write a table of probabilities, but it can pick one of seven words. This
wrapper reads the typed question of a pass, asks the wrapped model a tiny question for each thing the pass needs, and
answers with the pass's reply. The code decides the form, the model the choices. That proves the plumbing (requests,
cache, ledger, validation, tables), not the quality: the choices of such a model are close to chance.

The order of models is Agent -> StepwiseModel -> cache -> model, so each tiny request is cached and recorded by itself,
under the stage of its pass.
"""

from typing import cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from providers.steps.equations import choose_equation
from providers.steps.extraction import extract_in_steps
from providers.steps.interview import Interview
from providers.steps.prose import judge_names, write_description
from providers.steps.structure import choose_edges, choose_variables
from providers.steps.tables import ask_joints, ask_marginals, ask_multi_joints
from schemas.questions import (
    QUESTION_SETTING,
    DescriptionQuestion,
    EdgesQuestion,
    EquationQuestion,
    EquivalentNamesQuestion,
    ExtractionQuestion,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    VariablesQuestion,
)
from schemas.replies import Reply


class StepwiseModel(WrapperModel):
    """A model that answers the questions it has steps for in steps, and passes every other request straight on."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer the question in the settings; the response holds the reply's JSON and the summed usage.

        Raises:
            UnexpectedModelBehavior: the wrapped model answered a tiny request with something that was not on offer.
        """
        settings = model_settings or ModelSettings()
        interview = Interview(self.wrapped, settings)
        reply = await answer_in_steps(cast("dict[str, object]", settings).get(QUESTION_SETTING), interview)
        if reply is None:
            return await self.wrapped.request(messages, model_settings, model_request_parameters)
        return ModelResponse(
            parts=[TextPart(reply.to_text())],
            usage=interview.usage,
            model_name=self.model_name,
            finish_reason="stop",
        )


async def answer_in_steps(question: object, interview: Interview) -> Reply | None:
    """The reply to a question, asked in small steps; None for a question that has none. New questions go here."""
    match question:
        case VariablesQuestion():
            return await choose_variables(question, interview)
        case EdgesQuestion():
            return await choose_edges(question, interview)
        case MarginalsQuestion():
            return await ask_marginals(question, interview)
        case JointsQuestion():
            return await ask_joints(question, interview)
        case MultiJointsQuestion():
            return await ask_multi_joints(question, interview)
        case DescriptionQuestion():
            return await write_description(question, interview)
        case EquivalentNamesQuestion():
            return await judge_names(question, interview)
        case EquationQuestion():
            return await choose_equation(question, interview)
        case ExtractionQuestion():
            return await extract_in_steps(question, interview)
        case _:
            return None
