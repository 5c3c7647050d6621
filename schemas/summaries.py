"""What a build did, for the terminal, the exit code and the Prefect artifact."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from schemas.calls import Failure
from schemas.rows import StageTotals

EXPECTED_REASONS = frozenset({"rejected", "input"})
"""Failures of items that the corpus does not take; nothing went wrong."""

BROKEN_REASONS = frozenset({"service", "access", "internal"})
"""Failures that a later run may not have: the build is not what it should be."""


class Outcome(StrEnum):
    """How a build ended."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"  # items are missing that a rerun may bring
    EMPTY = "empty"  # no network was built
    OVER_BUDGET = "over budget"


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """Counts of one build. ``stages`` are the calls of this run by stage, ``failures`` every item given up."""

    run: str
    data: str
    model: str
    n_articles: int
    n_networks: int
    n_examples: int
    n_files: int
    n_changed_files: int
    seconds: float
    stages: tuple[StageTotals, ...]
    failures: tuple[Failure, ...]
    first_example: str | None
    """Id of one example to look at."""

    @property
    def outcome(self) -> Outcome:
        """How the build ended."""
        reasons = Counter(failure.reason for failure in self.failures)
        if reasons["budget"]:
            return Outcome.OVER_BUDGET
        if not self.n_networks:
            return Outcome.EMPTY
        if any(reasons[reason] for reason in BROKEN_REASONS):
            return Outcome.INCOMPLETE
        return Outcome.COMPLETE

    @property
    def headline(self) -> str:
        """One line that says what there is and what is missing."""
        counts = f"{self.n_networks} of {self.n_articles} articles became networks, {self.n_examples} examples"
        if not self.failures:
            return counts
        reasons = Counter(failure.reason for failure in self.failures)
        return f"{counts}; failed: " + ", ".join(f"{n} {reason}" for reason, n in reasons.most_common())
