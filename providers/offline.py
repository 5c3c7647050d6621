"""The models without a service: recorded replies for the sample articles, rules for any other text.

They are pydantic-ai models like any other, so their replies take a hosted model's way: validation, feedback, ledger,
tables. They read the typed question that travels in the settings, not the prompt. A way to see the pipeline
work, not language models; the name in the response, ``offline:recorded`` or ``offline:rules``, says which answered.
"""

from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from providers.code_model import CodeAnswer, CodeModel
from schemas.errors import InputError
from schemas.networks import from_json
from schemas.questions import (
    ArticleQuestion,
    DescriptionQuestion,
    EdgesQuestion,
    EquivalentNamesQuestion,
    ExtractionQuestion,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    Question,
    VariablesQuestion,
)
from schemas.replies import (
    DescriptionReply,
    EdgesReply,
    EquivalentName,
    EquivalentNamesReply,
    JointsReply,
    MarginalsReply,
    MultiJointsReply,
    Reply,
    VariablesReply,
)

REPLIES = Path(__file__).parents[1] / "samples" / "replies"


class RecordedReplies(BaseModel):
    """The replies recorded for one article, whose text has this ``sha256``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sha256: str
    variables: VariablesReply
    edges: EdgesReply
    marginals: MarginalsReply
    joints: JointsReply
    multi_joints: MultiJointsReply


class OfflineModel(CodeModel):
    """Answers from the recorded replies, else by rules (``recorded``), or always by rules (``rules``)."""

    provider_name = "offline"

    def __init__(self, name: str, replies: Path = REPLIES) -> None:
        super().__init__(name)
        self._replies = replies

    def answer(self, question: object) -> CodeAnswer:
        """The recorded reply, or that of the rules.

        Raises:
            InputError: the settings hold no question, one that only a language model answers, or the recorded replies
                cannot be read.
        """
        if not isinstance(question, Question):
            raise InputError(f"the model {self.model_name} answers typed questions only")
        if self._name == "recorded" and isinstance(question, ArticleQuestion):
            recorded = _load_replies(self._replies).get(question.article.sha256)
            if recorded is not None:
                return CodeAnswer("offline:recorded", pick_reply(recorded, question))
        return CodeAnswer("offline:rules", _answer_by_rules(question))


def pick_reply(recorded: RecordedReplies, question: ArticleQuestion) -> Reply:
    """The part of an article's recorded replies that answers a question: only the tables that are asked for.

    Raises:
        InputError: no pass of the elicitation asks such a question.
    """
    match question:
        case VariablesQuestion():
            return recorded.variables
        case EdgesQuestion():
            return recorded.edges
        case MarginalsQuestion():
            names = {variable.name for variable in question.variables}
            return MarginalsReply(marginals=[item for item in recorded.marginals.marginals if item.variable in names])
        case JointsQuestion():
            edges = set(question.edges)
            return JointsReply(joints=[item for item in recorded.joints.joints if (item.parent, item.child) in edges])
        case MultiJointsQuestion():
            families = {(family.child, frozenset(family.parents)) for family in question.families}
            joints = recorded.multi_joints.joints
            return MultiJointsReply(
                joints=[item for item in joints if (item.child, frozenset(item.parents)) in families]
            )
        case _:
            raise InputError(f"the offline models answer no questions of the stage {question.stage}")


def _answer_by_rules(question: Question) -> Reply:
    match question:
        case ArticleQuestion():
            from providers.rules.elicitor import answer

            return answer(question)
        case ExtractionQuestion():
            from providers.rules.extraction import extract

            return extract(question)
        case DescriptionQuestion():
            from providers.writer.writer import write

            # Another seed after a failed attempt, or the same text would come again.
            seed = f"{question.example}\n{question.previous}" if question.previous else question.example
            network = from_json(question.network_json)
            return DescriptionReply(description=write(network, title=question.title, seed=seed))
        case EquivalentNamesQuestion():
            # Code cannot tell a paraphrase, so no name is let through.
            verdicts = [EquivalentName(name=name, is_expressed=False) for name in question.names]
            return EquivalentNamesReply(verdicts=verdicts)
        case _:
            raise InputError(f"the offline models answer no questions of the stage {question.stage}")


@lru_cache(maxsize=4)
def _load_replies(folder: Path) -> dict[str, RecordedReplies]:
    recorded: dict[str, RecordedReplies] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            replies = RecordedReplies.model_validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise InputError(f"{path}: {'.'.join(map(str, first['loc'])) or 'text'}: {first['msg']}") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        recorded[replies.sha256] = replies
    return recorded
