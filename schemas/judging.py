"""What a model is asked as a judge, and what it answers: which pairs of names mean the same."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from schemas.questions import Question
from schemas.replies import Reply


class JudgedPair(BaseModel):
    """Two names to compare: of variables, or of states of a variable that is then named in ``variable``."""

    model_config = ConfigDict(frozen=True)

    left: str
    right: str
    variable: str = ""


class JudgeQuestion(Question):
    """Which of these pairs mean the same? Reply: ``JudgeReply``."""

    stage: ClassVar[str] = "judge"
    kind: Literal["variable", "state"]
    pairs: tuple[JudgedPair, ...]


class JudgeReply(Reply):
    """The verdicts: the numbers of the pairs that mean the same, all others do not."""

    same: list[int] = Field(description="Numbers of the pairs that mean the same; empty if none does")
