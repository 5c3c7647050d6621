"""What a run did, for the terminal, the exit code and the Prefect artifact."""

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from schemas.calls import Failure
from schemas.leaderboard import Leaderboard
from schemas.rows import StageTotals
from schemas.scm import SeriesResult

EXPECTED_REASONS = frozenset({"rejected", "input"})
"""Failures of items that the corpus does not take; nothing went wrong."""

BROKEN_REASONS = frozenset({"service", "access", "internal"})
"""Failures that a later run may not have: the result is not what it should be."""


class Outcome(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"  # items are missing that a rerun may bring
    EMPTY = "empty"  # nothing came of it
    OVER_BUDGET = "over budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary(ABC):
    """Counts of one run. ``stages`` are the calls of this run by stage, ``failures`` every item given up."""

    run: str
    data: str
    n_files: int
    n_changed_files: int
    seconds: float
    stages: tuple[StageTotals, ...]
    failures: tuple[Failure, ...]

    @property
    @abstractmethod
    def title(self) -> str:
        """What the run was, such as ``corpus``."""

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether nothing came of it."""

    @property
    @abstractmethod
    def counts(self) -> tuple[tuple[str, str], ...]:
        """The figures of this kind of run, by what they count."""

    @property
    @abstractmethod
    def achieved(self) -> str:
        """One line that says what there is."""

    @property
    def outcome(self) -> Outcome:
        """How the run ended."""
        reasons = Counter(failure.reason for failure in self.failures)
        if reasons["budget"]:
            return Outcome.OVER_BUDGET
        if self.is_empty:
            return Outcome.EMPTY
        if any(reasons[reason] for reason in BROKEN_REASONS):
            return Outcome.INCOMPLETE
        return Outcome.COMPLETE

    @property
    def headline(self) -> str:
        """One line that says what there is and what is missing."""
        if not self.failures:
            return self.achieved
        reasons = Counter(failure.reason for failure in self.failures)
        return f"{self.achieved}; failed: " + ", ".join(f"{n} {reason}" for reason, n in reasons.most_common())


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary(RunSummary):
    """Counts of one build."""

    model: str
    n_articles: int
    n_networks: int
    n_examples: int
    first_example: str | None
    """Id of one example to look at."""
    n_cut: int = 0
    """Articles of which the elicitation model was given only the beginning."""

    @property
    def title(self) -> str:
        """What the run was."""
        return "corpus"

    @property
    def is_empty(self) -> bool:
        """Whether no network was built."""
        return not self.n_networks

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """Articles, networks and examples."""
        cut = f", {self.n_cut} of them cut to --input-tokens" if self.n_cut else ""
        return (
            ("articles", f"{self.n_articles}{cut}"),
            ("networks", f"{self.n_networks}"),
            ("examples", f"{self.n_examples}"),
        )

    @property
    def achieved(self) -> str:
        """One line that says what there is."""
        return f"{self.n_networks} of {self.n_articles} articles became networks, {self.n_examples} examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScmSummary(RunSummary):
    """Counts of one elicitation of linear equations, and its results."""

    n_series: int
    n_done: int
    results: tuple[SeriesResult, ...]

    @property
    def title(self) -> str:
        """What the run was."""
        return "equations"

    @property
    def is_empty(self) -> bool:
        """Whether no series has come to its end."""
        return not self.n_done

    @property
    def n_equations(self) -> int:
        """Equations asked for, failed ones included."""
        return sum(len(run.equations) for result in self.results for run in result.runs)

    @property
    def n_failed(self) -> int:
        """Equations that could not be had."""
        return sum(item.equation is None for result in self.results for run in result.runs for item in run.equations)

    @property
    def n_outside(self) -> int:
        """Equations that leave the bounds of their variable and were taken after the last feedback round."""
        return sum(
            item.status == "out of range" for result in self.results for run in result.runs for item in run.equations
        )

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """Series, runs and equations."""
        return (
            ("series", f"{self.n_done} of {self.n_series}"),
            ("runs", f"{sum(len(result.runs) for result in self.results)}"),
            ("equations", f"{self.n_equations}, {self.n_outside} out of bounds, {self.n_failed} failed"),
        )

    @property
    def achieved(self) -> str:
        """One line that says what there is."""
        return (
            f"{self.n_done} of {self.n_series} series, {self.n_equations} equations, "
            f"{self.n_outside} out of bounds, {self.n_failed} failed"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSummary(RunSummary):
    """Counts of one benchmark. ``n_judged`` of ``n_predictions`` have scores; the others' judge did not answer."""

    n_examples: int
    n_backbones: int
    n_models: int
    n_predictions: int
    n_failed: int
    n_judged: int
    leaderboard: Leaderboard | None

    @property
    def title(self) -> str:
        """What the run was."""
        return "benchmark"

    @property
    def is_empty(self) -> bool:
        """Whether nothing was scored."""
        return not self.n_judged

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """Examples, models and predictions."""
        return (
            ("examples", f"{self.n_examples} of {self.n_backbones} backbones"),
            ("models", f"{self.n_models}"),
            ("predictions", f"{self.n_predictions}, {self.n_failed} of them failed"),
            ("scored", f"{self.n_judged}"),
        )

    @property
    def achieved(self) -> str:
        """One line that says what there is."""
        return (
            f"{self.n_judged} of {self.n_predictions} predictions scored, {self.n_models} models on {self.n_examples} "
            f"examples of {self.n_backbones} backbones"
        )
