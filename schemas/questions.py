"""What is asked of a model, as data.

A hosted model sees the rendered prompt. The question itself travels along in the model settings under
``QUESTION_SETTING`` and never leaves the process: models that are code (recorded replies, rules) and the stepwise mode
of very small models read it instead of parsing a prompt.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from bayes.linear.model import LinearDag
from bayes.network import Edge, Variable
from schemas.articles import Article

QUESTION_SETTING = "prism_question"
DRAW_SETTING = "prism_draw"
"""Under this the settings carry the draw of a question that is asked several times, each to be answered afresh."""


class Question(BaseModel):
    """Base of all questions. ``stage`` names the pass in the call ledger and in failures."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    stage: ClassVar[str]

    domain: str
    backbone: str


class ArticleQuestion(Question):
    """Base of the five elicitation passes."""

    article: Article


class VariablesQuestion(ArticleQuestion):
    """Pass 1: which variables does the article speak of, and in which states? Reply: ``VariablesReply``."""

    stage: ClassVar[str] = "variables"
    max_variables: int = 20


class EdgesQuestion(ArticleQuestion):
    """Pass 2: which variable acts directly on which? Reply: ``EdgesReply``."""

    stage: ClassVar[str] = "edges"
    variables: tuple[Variable, ...]


class MarginalsQuestion(ArticleQuestion):
    """Pass 3: how likely is each state of these variables? Reply: ``MarginalsReply``."""

    stage: ClassVar[str] = "marginals"
    variables: tuple[Variable, ...]


class JointsQuestion(ArticleQuestion):
    """Pass 4: the pairwise joints of these edges. ``variables`` are those at their ends. Reply: ``JointsReply``."""

    stage: ClassVar[str] = "joints"
    variables: tuple[Variable, ...]
    edges: tuple[Edge, ...]


class Family(BaseModel):
    """A child and its parents, in order."""

    model_config = ConfigDict(frozen=True)

    child: str
    parents: tuple[str, ...]


class MultiJointsQuestion(ArticleQuestion):
    """Pass 5: the joints of these children with all their parents. Reply: ``MultiJointsReply``."""

    stage: ClassVar[str] = "multi_joints"
    variables: tuple[Variable, ...]
    families: tuple[Family, ...]


class DescriptionQuestion(Question):
    """Describe this network in prose. Reply: ``DescriptionReply``.

    ``network_json`` is the example's canonical JSON. After a failed attempt ``previous`` is its text and ``problems``
    what was wrong with it.
    """

    stage: ClassVar[str] = "description"
    example: str
    title: str
    network_json: str
    previous: str = ""
    problems: tuple[str, ...] = ()


class EquivalentNamesQuestion(Question):
    """Does the text express these names in other words? Reply: ``EquivalentNamesReply``."""

    stage: ClassVar[str] = "check"
    example: str
    text: str
    names: tuple[str, ...]


class EquationQuestion(Question):
    """Which structural equation has this variable of a linear DAG? Reply: ``TextReply`` or ``TermsReply``.

    ``units`` are by variable. ``problem`` says what was wrong with the last proposal, if there was one.
    """

    stage: ClassVar[str] = "scm_equation"
    dag: LinearDag
    variable: str
    units: Mapping[str, str]
    is_structured: bool = False
    problem: str = ""


class ExtractionQuestion(Question):
    """Base of the four phases that read a network back out of an example's text; none of them holds the reference."""

    example: str
    text: str


class ExtractVariablesQuestion(ExtractionQuestion):
    """Phase 1: which variables does the text describe? Reply: ``FoundNamesReply``."""

    stage: ClassVar[str] = "extract_variables"


class ExtractStatesQuestion(ExtractionQuestion):
    """Phase 2: in which states can these variables be? Reply: ``FoundStatesReply``."""

    stage: ClassVar[str] = "extract_states"
    names: tuple[str, ...]


class ExtractEdgesQuestion(ExtractionQuestion):
    """Phase 3: which of these variables acts directly on which? Reply: ``FoundEdgesReply``."""

    stage: ClassVar[str] = "extract_edges"
    variables: tuple[Variable, ...]


class ExtractCpdsQuestion(ExtractionQuestion):
    """Phase 4: the table P(child given parents) of each of these families. Reply: ``CpdsReply``.

    A family without parents asks for the prior of a root. In mode ``full`` a family has all parents that were found,
    in mode ``pairwise`` one of them. ``variables`` are the members of the families.
    """

    stage: ClassVar[str] = "extract_cpds"
    variables: tuple[Variable, ...]
    families: tuple[Family, ...]
    mode: Literal["full", "pairwise"]
