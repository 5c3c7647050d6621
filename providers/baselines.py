"""The baselines: answers without knowledge, as models like any other.

They are no language models. Their replies take a hosted model's way through parser, checks and scores, so that what a
model achieves can be read against them. What they answer about equations is in :mod:`bayes.linear.baselines`. About the
text of an example ``rules`` answers what the rule reader finds in it, ``empty`` that it describes no variables.
"""

from bayes.linear.baselines import Baseline, to_baseline, write_baseline
from providers.code_model import CodeAnswer, CodeModel
from schemas.errors import InputError
from schemas.questions import EquationQuestion, ExtractionQuestion, ExtractVariablesQuestion
from schemas.replies import FoundNamesReply, Reply, TermReply, TermsReply, TextReply


class BaselineModel(CodeModel):
    """Answers the questions that its baseline is meant for."""

    provider_name = "baseline"

    def answer(self, question: object) -> CodeAnswer:
        """The baseline's reply.

        Raises:
            InputError: it is not a question for this baseline.
        """
        reply = self._answer(question)
        if reply is None:
            raise InputError(f"the model {self.model_name} does not answer questions of this kind")
        return CodeAnswer(self.model_name, reply)

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
