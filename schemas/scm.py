"""Runs of the linear half: what is asked for, and the equations that came of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from bayes.linear.intervals import Side
from bayes.linear.model import Equation, Interval
from bayes.linear.results import ResultGroup, RunResult, summarise_runs
from schemas.calls import FailureReason
from schemas.dag_values import ORIGINAL
from schemas.settings import RunSettings
from schemas.slugs import to_slug

PromptKind = Literal["standard", "parent-effects"]
ReplyKind = Literal["text", "structured"]
Status = Literal["accepted", "out of range", "failed"]

ALL_CONDITIONS = "all"
USUAL_ROUNDS = 5


class ScmSettings(RunSettings):
    """Which DAGs to elicit equations for, from which models, and how."""

    kind: ClassVar[str] = "scm"

    dags: tuple[str, ...] = Field(
        default=(),
        title="DAGs",
        description="Names such as foodsecurity, or paths of YAML files; empty for all that come with the project",
    )
    models: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=("baseline:small", "baseline:saturating"),
        title="Models",
        description="Names from deployments/models.yaml; baselines need no key",
    )
    runs: Annotated[int, Field(ge=1, le=10_000)] = Field(
        default=25, title="Runs", description="Independent runs of each DAG and model"
    )
    feedback_rounds: Annotated[int, Field(ge=0, le=100)] = Field(
        default=USUAL_ROUNDS,
        title="Feedback rounds",
        description="Refused proposals that go back with the reason; 0 takes the first equation that can be read",
    )
    retries: Annotated[int, Field(ge=0, le=20)] = Field(
        default=2, title="Retries", description="How often an equation that could not be had is asked for from scratch"
    )
    conditions: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=(ORIGINAL,),
        title="Conditions",
        description=f"Names from the DAG files, {ORIGINAL}, or {ALL_CONDITIONS}",
    )
    truth: str = Field(
        default="", title="Truth set", description="Which of a DAG's truth sets to score with; empty for its default"
    )
    spurious: Annotated[int, Field(ge=0, le=1000)] = Field(
        default=0, title="Spurious edges", description="Random edges to add whose true coefficient is 0"
    )
    seed: Annotated[int, Field(ge=0)] = Field(default=0, title="Seed", description="Of the sampling of spurious edges")
    prompt: PromptKind = Field(
        default="standard", title="Prompt", description="parent-effects also shows the effects among the parents"
    )
    has_reasoning: bool = Field(
        default=True, title="Reasoning", description="Whether the model reasons before the equation"
    )
    reply: ReplyKind = Field(
        default="text", title="Reply", description="text as published, or structured: names and coefficients"
    )

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that are asked."""
        return self.models

    @property
    def headline(self) -> str:
        """The run in a few words, for a list of runs."""
        dags = ", ".join(self.dags) or "all DAGs"
        return f"{dags} by {', '.join(self.models)}, {self.runs} runs"


@dataclass(frozen=True, slots=True)
class Series:
    """What all runs of one series have in common, and what tells it from other series of the same DAG.

    ``condition`` includes sampled spurious edges; ``truth`` is the truth set that coefficients are scored with.
    """

    domain: str
    dag: str
    condition: str
    truth: str
    model: str
    prompt: PromptKind
    has_reasoning: bool
    reply: ReplyKind
    feedback_rounds: int

    @property
    def variant(self) -> str:
        """The condition, and what of the way of asking is not as usual."""
        odd = (
            self.prompt if self.prompt != "standard" else "",
            "" if self.has_reasoning else "no reasoning",
            self.reply if self.reply != "text" else "",
            f"{self.feedback_rounds} rounds" if self.feedback_rounds != USUAL_ROUNDS else "",
        )
        return ", ".join(filter(None, (self.condition, *odd)))

    @property
    def label(self) -> str:
        """A short name for people: the DAG, and what is not as usual."""
        return self.dag if self.variant == ORIGINAL else f"{self.dag}, {self.variant}"

    def to_part(self, *, has_truth: bool) -> str:
        """Stem of the files of this series: the model, and a digest of everything else.

        Equations do not depend on the truth set that they are scored with, so their file doesn't either.
        """
        fields = asdict(self) | ({} if has_truth else {"truth": ""})
        digest = hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:10]
        return f"{to_slug(self.model)}-{digest}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One reply on the way to an equation. ``problem`` is why it was turned down, empty for the one accepted."""

    draw: int
    round: int
    text: str
    kind: str
    """Class of the problem: one of the parser's, ``out_of_range``, or why there was no reply at all."""
    problem: str


@dataclass(frozen=True, slots=True)
class ElicitedEquation:
    """What a run says about one variable.

    ``accepted`` equations keep the variable within its bounds, as far as they are known; ``out of range`` is the last
    proposal once the feedback rounds were used up; ``failed`` means that no proposal could be read, and ``reason`` and
    ``detail`` say why. ``skipped`` names the sides that could not be checked for lack of a bound.
    """

    variable: str
    equation: Equation | None
    status: Status
    range: Interval
    skipped: tuple[Side, ...]
    history: tuple[Proposal, ...]
    reason: FailureReason | Literal[""] = ""
    detail: str = ""

    @property
    def draws(self) -> int:
        """How often it was asked for from scratch."""
        return 1 + max((proposal.draw for proposal in self.history), default=0)

    @property
    def rounds(self) -> int:
        """Proposals of the draw that counts."""
        return sum(proposal.draw == self.draws - 1 for proposal in self.history)


@dataclass(frozen=True, slots=True)
class ScmRun:
    """One run: an equation for every variable with parents, in topological order."""

    run: int
    equations: tuple[ElicitedEquation, ...]
    result: RunResult
    """Their coefficients, and their scores where the truth is known."""

    @property
    def by_variable(self) -> Mapping[str, Equation | None]:
        """The equations by variable; None for a failed one."""
        return {item.variable: item.equation for item in self.equations}


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """All runs of a series that were asked for, in order."""

    series: Series
    runs: tuple[ScmRun, ...]

    def summarise(self) -> ResultGroup:
        """What the runs say together."""
        return summarise_group(self.series, [run.result for run in self.runs])


def summarise_group(series: Series, runs: Sequence[RunResult]) -> ResultGroup:
    """What runs of a series say together, the way of asking being part of the condition's name.

    Raises:
        ValueError: there is no run, or the runs are not of one DAG.
    """
    return summarise_runs(runs, dag=series.dag, model=series.model, condition=series.variant, truth=series.truth)
