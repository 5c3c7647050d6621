"""What a model answers in each elicitation pass.

The shapes are flat and every field is required, since providers refuse optional fields, bounds and free-form keys in a
schema. A probability table is an array of cells. Whether the content is usable is checked afterwards, against the
question (:mod:`tasks.checking`).
"""

from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    """Base of all replies: frozen, and nothing but the declared fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_text(self) -> str:
        """The reply as a model without a service writes it."""
        return self.model_dump_json()


class VariableReply(Reply):
    """One variable: a short noun phrase and its states, ``none`` last."""

    name: str = Field(description="Short noun phrase, unique in the list")
    states: list[str] = Field(description="Two to six concrete, mutually exclusive states, then the baseline 'none'")


class VariablesReply(Reply):
    """Pass 1: the variables of the article."""

    variables: list[VariableReply]


class EdgeReply(Reply):
    """One direct causal effect, and the words that support it."""

    parent: str = Field(description="Name of the cause, exactly as listed")
    child: str = Field(description="Name of the effect, exactly as listed")
    mechanism: str = Field(description="How the cause acts on the effect, in at most 20 words")


class EdgesReply(Reply):
    """Pass 2: the edges, most certain first."""

    edges: list[EdgeReply]


class StateProbability(Reply):
    """One cell of a marginal."""

    state: str
    probability: float


class MarginalReply(Reply):
    """The unconditional distribution of one variable."""

    variable: str
    probabilities: list[StateProbability]


class MarginalsReply(Reply):
    """Pass 3: a marginal for every variable asked about."""

    marginals: list[MarginalReply]


class PairCell(Reply):
    """P(parent state and child state)."""

    parent_state: str
    child_state: str
    probability: float


class JointReply(Reply):
    """The joint distribution of a parent and a child; all cells together sum to 1."""

    parent: str
    child: str
    cells: list[PairCell]


class JointsReply(Reply):
    """Pass 4: a pairwise joint for every edge asked about."""

    joints: list[JointReply]


class FamilyCell(Reply):
    """P(all parent states and child state); ``parent_states`` are in the order of the family's parents."""

    parent_states: list[str]
    child_state: str
    probability: float


class MultiJointReply(Reply):
    """The joint distribution of a child and its two or three parents; all cells together sum to 1."""

    child: str
    parents: list[str]
    cells: list[FamilyCell]


class MultiJointsReply(Reply):
    """Pass 5: a multi-parent joint for every family asked about."""

    joints: list[MultiJointReply]


class DescriptionReply(Reply):
    """The description of an example."""

    description: str = Field(description="Plain prose, no headings and no lists")


class EquivalentName(Reply):
    """A name that the text does not use literally, and whether it says the same in other words."""

    name: str
    is_expressed: bool


class EquivalentNamesReply(Reply):
    """The description checker's verdicts."""

    verdicts: list[EquivalentName]


class TextReply(Reply):
    """A reply in free text, with no schema to fit."""

    text: str

    def to_text(self) -> str:
        """The text itself."""
        return self.text


class TermReply(Reply):
    """One term of a linear equation."""

    name: str = Field(description="Name of the cause, exactly as listed")
    coefficient: float = Field(description="Change of the effect, in its unit, per unit of the cause")


class TermsReply(Reply):
    """A structural equation as numbers: the intercept, and one term for every cause."""

    intercept: float
    terms: list[TermReply]


class ReasonedTermsReply(Reply):
    """A structural equation as numbers, after the reasoning that leads to them."""

    reasoning: str = Field(
        description="What is known about each effect, its size in these units, the check of the limits"
    )
    intercept: float
    terms: list[TermReply]


class FoundNamesReply(Reply):
    """Extraction, phase 1: the names of the variables that a text describes."""

    variables: list[str]


class FoundStates(Reply):
    """The states of one variable that was found."""

    name: str = Field(description="Name of the variable, exactly as listed")
    states: list[str] = Field(description="The states that the text gives it; the baseline 'none' last, if it has one")


class FoundStatesReply(Reply):
    """Extraction, phase 2: the states of every variable asked about."""

    variables: list[FoundStates]


class FoundEdge(Reply):
    """One direct effect that the text states."""

    parent: str = Field(description="Name of the cause, exactly as listed")
    child: str = Field(description="Name of the effect, exactly as listed")


class FoundEdgesReply(Reply):
    """Extraction, phase 3: the edges."""

    edges: list[FoundEdge]


class CpdCell(Reply):
    """P(state of the child given these parent states); ``parent_states`` are in the order of the table's parents."""

    parent_states: list[str]
    state: str
    probability: float


class CpdReply(Reply):
    """P(child given parents). The cells with the same parent states sum to 1; a root has no parents and one column."""

    child: str
    parents: list[str]
    cells: list[CpdCell]


class CpdsReply(Reply):
    """Extraction, phase 4: a table for every family asked about."""

    tables: list[CpdReply]
