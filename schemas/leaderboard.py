"""A leaderboard: what is said about a set of scores."""

from dataclasses import dataclass

from bayes.scoring.aggregation import Mean


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One model's means by metric. ``sigma`` is the noise on the reference whose CPD-KL equals the model's.

    ``sigma`` is None where the model has no CPD-KL, or where no noise is as bad.
    """

    model: str
    n_examples: int
    n_failed: int
    n_partial: int
    n_truncated: int
    means: dict[str, Mean]
    sigma: float | None


@dataclass(frozen=True, slots=True)
class AnchorResult:
    """What a prediction made from the reference scores, over the ``n`` references it was computed on."""

    name: str
    n: int
    means: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One model's means over the examples of a domain or of a size."""

    model: str
    group: str
    means: dict[str, Mean]


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of first minus second over the examples that both have a score for."""

    first: str
    second: str
    metric: str
    mean: Mean


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Everything that is said about a set of scores. ``models`` are ordered, the best first.

    The order is by ``edge_f1_unconditional``, which counts what was missed at any step before.
    """

    judge: str
    mode: str
    n_examples: int
    n_backbones: int
    models: tuple[ModelResult, ...]
    anchors: tuple[AnchorResult, ...]
    differences: tuple[Difference, ...]
    by_domain: tuple[GroupResult, ...]
    by_size: tuple[GroupResult, ...]
