"""The baselines: answers without knowledge, as models like any other.

They are no language models. Their replies take a hosted model's way through parser, checks and scores, so that what a
model achieves can be read against them. What they answer about equations is in :mod:`bayes.linear.baselines`. About the
text of an example ``rules`` answers what the rule reader finds in it, ``empty`` that it describes no variables.
"""

from typing import cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings

from bayes.linear.baselines import Baseline, to_baseline, write_baseline
from schemas.errors import InputError
from schemas.questions import QUESTION_SETTING, EquationQuestion, ExtractionQuestion, ExtractVariablesQuestion
from schemas.replies import FoundNamesReply, Reply, TermReply, TermsReply, TextReply


class BaselineModel(Model):
    """Answers the questions that its baseline is meant for."""

    def __init__(self, name: str) -> None:
        super().__init__(profile=ModelProfile(supports_json_schema_output=True))
        self._name = name

    @property
    def model_name(self) -> str:
        """``baseline:`` and the name."""
        return f"baseline:{self._name}"

    @property
    def system(self) -> str:
        """The provider's name."""
        return "baseline"

    async def request(
        self,
        messages: list[ModelMessage],  # noqa: ARG002 - the question is read instead
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,  # noqa: ARG002
    ) -> ModelResponse:
        """Answer the question in the settings.

        Raises:
            InputError: it is not a question for this baseline.
        """
        question = cast("dict[str, object]", model_settings or {}).get(QUESTION_SETTING)
        reply = self._answer(question)
        if reply is None:
            raise InputError(f"the model {self.model_name} does not answer questions of this kind")
        return ModelResponse(parts=[TextPart(reply.to_text())], model_name=self.model_name, finish_reason="stop")

    def _answer(self, question: object) -> Reply | None:
        match question:
            case EquationQuestion() if self._name in set(Baseline):
                return answer_equation(Baseline(self._name), question)
            case ExtractionQuestion() if self._name == "rules":
                from providers.rules.extraction import extract

                return extract(question)
            case ExtractVariablesQuestion() if self._name == "empty":
                return FoundNamesReply(variables=[])
            case _:
                return None


def answer_equation(baseline: Baseline, question: EquationQuestion) -> Reply:
    """The baseline's equation in the form that is asked for.

    Raises:
        InputError: the truth is asked for and the DAG has none.
    """
    try:
        if not question.is_structured:
            return TextReply(text=write_baseline(baseline, question.dag, question.variable))
        equation = to_baseline(baseline, question.dag, question.variable)
    except ValueError as error:
        raise InputError(f"baseline:{baseline} cannot answer about DAG {question.backbone}: {error}") from error
    terms = [TermReply(name=name, coefficient=value) for name, value in equation.coefficient_of.items()]
    return TermsReply(intercept=equation.intercept, terms=terms)
