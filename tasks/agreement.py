"""Two extractions of the same texts against each other: models, people, or one of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bayes.judging.alignment import Judge, align
from bayes.scoring.aggregation import Mean, estimate_mean, to_sample
from bayes.scoring.mutual import MutualScores, score_against
from schemas.benchmark import Mode, PredictionRow
from schemas.errors import InputError
from storage.benchmark import list_predicted, read_predictions
from storage.layout import list_backbones

METRICS = ("node_f1", "state_f1", "edge_f1", "edge_f1_unconditional", "cpd_kl", "marginal_tv")


@dataclass(frozen=True, slots=True)
class Direction:
    """One extraction scored as if the other were the reference."""

    reference: str
    scored: str
    means: dict[str, Mean]


@dataclass(frozen=True, slots=True)
class ExtractionAgreement:
    """Both directions, over the ``n_examples`` that both have read."""

    n_examples: int
    judge: str
    directions: tuple[Direction, Direction]


def compare_extractions(
    data: Path, first: str, second: str, *, judge: Judge, mode: Mode, seed: int
) -> ExtractionAgreement:
    """Score either extraction against the other on every example that both have read.

    Raises:
        InputError: one has no predictions, or they have no example in common.
    """
    known = {reading.model for reading in list_predicted(data) if reading.mode == mode}
    for name in (first, second):
        if name not in known:
            others = [reading.mode for reading in list_predicted(data) if reading.model == name]
            hint = f"there are some for --mode {others[0]}" if others else f"there are {_list(known)}"
            raise InputError(f"{data}: holds no predictions of {name!r} in the mode {mode}; {hint}")
    pairs: list[tuple[PredictionRow, PredictionRow]] = []
    for key in list_backbones(data, "predictions"):
        rows = {
            (row.model, row.example): row for row in read_predictions(data, *key, models={first, second}, mode=mode)
        }
        examples = sorted({example for _, example in rows})
        pairs += [
            (rows[first, example], rows[second, example])
            for example in examples
            if (first, example) in rows and (second, example) in rows
        ]
    if not pairs:
        raise InputError(
            f"{data}: there is no example that both {first!r} and {second!r} have read; have a model read all of them "
            "with `prism benchmark` without --examples"
        )
    turned = [(right, left) for left, right in pairs]
    return ExtractionAgreement(
        len(pairs), judge.name, (_score(pairs, first, second, judge, seed), _score(turned, second, first, judge, seed))
    )


def _score(
    pairs: Sequence[tuple[PredictionRow, PredictionRow]], reference: str, scored: str, judge: Judge, seed: int
) -> Direction:
    scores: list[MutualScores] = []
    for left, right in pairs:
        alignment = align(left.prediction.variables, right.prediction.variables, judge)
        scores.append(score_against(left.prediction, alignment, right.prediction))
    clusters = [f"{row.domain}/{row.backbone}" for row, _ in pairs]
    failed = [left.status == "failed" or right.status == "failed" for left, right in pairs]

    def estimate(metric: str) -> Mean:
        pick: Callable[[MutualScores], float | None] = lambda item: getattr(item, metric)  # noqa: E731
        return estimate_mean(to_sample(map(pick, scores), clusters, failed), seed)

    return Direction(reference, scored, {metric: estimate(metric) for metric in METRICS})


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"
