"""The benchmark's records: what is asked for, what a model predicted, and how it scored."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from bayes.scoring.records import Alignment, Prediction
from bayes.scoring.scores import Scores
from schemas.calls import FailureReason
from schemas.settings import RunSettings

Mode = Literal["full", "pairwise"]
SplitChoice = Literal["all", "train", "validation", "test"]
PredictionStatus = Literal["complete", "partial", "failed"]


class BenchmarkSettings(RunSettings):
    """Which models read which examples, and who judges."""

    kind: ClassVar[str] = "benchmark"

    models: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=("baseline:rules",), title="Models", description="Names from deployments/models.yaml that read the text"
    )
    judge: str = Field(
        default="lexical",
        title="Judge",
        description="Who says that two names mean the same: exact, lexical, or a model of deployments/models.yaml",
    )
    mode: Mode = Field(
        default="full",
        title="Tables",
        description="full asks for P(child given all its parents), pairwise for one table per edge, as published",
    )
    examples: Annotated[int, Field(ge=1)] | None = Field(
        default=None, title="Examples at most", description="Spread over the backbones; empty for all"
    )
    domains: tuple[str, ...] = Field(default=(), title="Domains", description="Empty for all of the corpus")
    split: SplitChoice = Field(default="all", title="Split", description="Which examples to read")
    rescore: bool = Field(
        default=False, title="Rescore", description="Judge and score stored predictions; no model reads a text again"
    )
    against: str = Field(
        default="",
        title="Second corpus",
        description="Data folder whose scores the order of the models is compared with; empty for none",
    )
    seed: Annotated[int, Field(ge=0)] = Field(
        default=0, title="Seed", description="Of the choice of examples, bootstrap and anchors"
    )
    run: Annotated[int, Field(ge=0)] = Field(
        default=0, title="Draw", description="Another number asks the models afresh instead of reusing kept replies"
    )

    @property
    def model_names(self) -> tuple[str, ...]:
        """The readers and the judge."""
        return (*self.models, self.judge)

    @property
    def headline(self) -> str:
        """The run in a few words, for a list of runs."""
        what = "rescoring" if self.rescore else "reading"
        return f"{what} by {', '.join(self.models)}, judged by {self.judge}"


@dataclass(frozen=True, slots=True, eq=False)
class PredictionRow:
    """What one model read out of one example.

    ``complete``: all four phases were answered. ``partial``: the variables are there, and what could not be had of the
    rest is missing from ``prediction``. ``failed``: not even the variables; ``prediction`` is empty, which scores as
    nothing found. ``reason`` and ``detail`` say why anything is missing; ``is_truncated`` whether a reply that was cut
    short is among the causes. ``raw`` is what the model said as JSON: an object with the reply of every phase.
    """

    domain: str
    backbone: str
    example: str
    model: str
    mode: Mode
    status: PredictionStatus
    is_truncated: bool
    reason: FailureReason | Literal[""]
    detail: str
    prediction: Prediction
    raw: str


@dataclass(frozen=True, slots=True)
class AlignmentRow:
    """Which names of one prediction a judge holds for those of the reference."""

    domain: str
    backbone: str
    example: str
    model: str
    mode: Mode
    judge: str
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores of one prediction under one judge. ``n_variables`` and ``n_edges`` are the reference's."""

    domain: str
    backbone: str
    example: str
    model: str
    mode: Mode
    judge: str
    status: PredictionStatus
    is_truncated: bool
    n_variables: int
    n_edges: int
    scores: Scores
