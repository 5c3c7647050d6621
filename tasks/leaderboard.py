"""Scores of many examples as a leaderboard: means with intervals, anchors, groups, and differences between models."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

import numpy as np

from bayes.scoring.aggregation import Sample, estimate_difference, estimate_groups, estimate_mean, to_sample
from bayes.scoring.anchors import NoiseSweep, sweep_noise, to_dirichlet, to_identity, to_marginal, to_uniform
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Prediction, Reference
from bayes.scoring.scores import Scores, score
from schemas.benchmark import ScoreRow
from schemas.leaderboard import AnchorResult, Difference, GroupResult, Leaderboard, ModelResult

METRICS = (
    "node_f1",
    "node_precision",
    "node_recall",
    "extra_nodes",
    "state_f1",
    "edge_f1",
    "edge_precision",
    "edge_recall",
    "spurious_edge_rate",
    "edge_f1_unconditional",
    "shd",
    "cpd_kl",
    "cpd_kl_reverse",
    "cpd_kl_symmetric",
    "cpd_tv",
    "cpd_js",
    "cpd_coverage",
    "prior_kl",
    "prior_coverage",
    "cpd_kl_released",
    "marginal_tv",
    "joint_kl",
)
"""The fields of :class:`bayes.scoring.scores.Scores` that are averaged."""

LOWER_IS_BETTER = frozenset(
    name for name in METRICS if "kl" in name or name in {"cpd_tv", "cpd_js", "marginal_tv", "shd", "extra_nodes"}
) | {"spurious_edge_rate"}
MOST_ANCHORED = 300
"""References that anchors are computed on; more change the third digit and take minutes."""


def to_leaderboard(rows: Sequence[ScoreRow], references: Sequence[Reference], *, seed: int) -> Leaderboard:
    """Means, intervals, groups, differences and anchors of the scores of one judge and one mode.

    Args:
        rows: the scores; for paired differences, models that lack an example are compared over those they share.
        references: what was scored against, for the anchors.
        seed: of bootstrap and anchors.

    Raises:
        ValueError: there are no scores, or they are of several judges or modes.
    """
    kinds = {(row.judge, row.mode) for row in rows}
    if len(kinds) != 1:
        raise ValueError(f"a leaderboard is made of the scores of one judge and one mode, not of {len(kinds)}")
    [(judge, mode)] = kinds
    by_model: dict[str, list[ScoreRow]] = {}
    for row in sorted(rows, key=lambda row: (row.domain, row.backbone, row.example)):
        by_model.setdefault(row.model, []).append(row)
    anchors, sweep = measure_anchors(references, seed)
    models = [_to_result(model, found, sweep, seed) for model, found in sorted(by_model.items())]
    models.sort(key=lambda result: -(result.means["edge_f1_unconditional"].mean or 0.0))
    return Leaderboard(
        judge=judge,
        mode=mode,
        n_examples=len({(row.domain, row.backbone, row.example) for row in rows}),
        n_backbones=len({(row.domain, row.backbone) for row in rows}),
        models=tuple(models),
        anchors=anchors,
        differences=_to_differences([result.model for result in models], by_model, seed),
        by_domain=_to_groups(by_model, lambda row: row.domain, seed),
        by_size=_to_groups(by_model, lambda row: f"{row.n_variables} variables", seed),
    )


def to_means(rows: Iterable[ScoreRow]) -> dict[str, dict[str, float | None]]:
    """Every model's means by metric, without intervals."""
    by_model: dict[str, list[Scores]] = {}
    for row in rows:
        by_model.setdefault(row.model, []).append(row.scores)
    return {model: {metric: _mean(scores, metric) for metric in METRICS} for model, scores in by_model.items()}


def measure_anchors(references: Sequence[Reference], seed: int) -> tuple[tuple[AnchorResult, ...], NoiseSweep | None]:
    """The anchors over at most :data:`MOST_ANCHORED` references, drawn with the seed; no sweep without any edge."""
    chosen = _draw(references, seed)
    prepared = [PreparedReference(reference) for reference in chosen]
    anchors: dict[str, Callable[[PreparedReference, int], Prediction]] = {
        "uniform": lambda reference, _: to_uniform(reference),
        "marginal": lambda reference, _: to_marginal(reference),
        "dirichlet": lambda reference, i: to_dirichlet(reference, (seed, i)),
    }
    results: list[AnchorResult] = []
    for name, make in anchors.items():
        scores = [score(item, to_identity(item.network), make(item, i)) for i, item in enumerate(prepared)]
        means = {
            metric: _mean(scores, metric) for metric in ("cpd_kl", "cpd_tv", "prior_kl", "marginal_tv", "joint_kl")
        }
        results.append(AnchorResult(name, len(scores), means))
    has_edges = any(reference.network.edges for reference in chosen)
    return tuple(results), sweep_noise(prepared, seed) if has_edges else None


def _draw(references: Sequence[Reference], seed: int) -> list[Reference]:
    if len(references) <= MOST_ANCHORED:
        return list(references)
    picked = np.random.default_rng(seed).choice(len(references), MOST_ANCHORED, replace=False)
    return [references[i] for i in sorted(picked.tolist())]


def _mean(scores: Sequence[Scores], metric: str) -> float | None:
    values = [value for item in scores if (value := getattr(item, metric)) is not None]
    return fmean(values) if values else None


def _to_result(model: str, rows: Sequence[ScoreRow], sweep: NoiseSweep | None, seed: int) -> ModelResult:
    means = {metric: estimate_mean(_to_sample(rows, metric), seed) for metric in METRICS}
    kl = means["cpd_kl"].mean
    return ModelResult(
        model=model,
        n_examples=len(rows),
        n_failed=sum(row.status == "failed" for row in rows),
        n_partial=sum(row.status == "partial" for row in rows),
        n_truncated=sum(row.is_truncated for row in rows),
        means=means,
        sigma=sweep.to_sigma(kl) if sweep is not None and kl is not None else None,
    )


def _to_sample(rows: Sequence[ScoreRow], metric: str) -> Sample:
    return to_sample(
        [getattr(row.scores, metric) for row in rows],
        [f"{row.domain}/{row.backbone}" for row in rows],
        [row.status == "failed" for row in rows],
        [row.is_truncated for row in rows],
    )


def _to_differences(models: Sequence[str], by_model: dict[str, list[ScoreRow]], seed: int) -> tuple[Difference, ...]:
    """Every model against the best one."""
    best, *others = models
    found: list[Difference] = []
    for other in others:
        theirs = {(row.domain, row.backbone, row.example): row for row in by_model[other]}
        pairs = [
            (row, theirs[key]) for row in by_model[best] if (key := (row.domain, row.backbone, row.example)) in theirs
        ]
        if not pairs:
            continue
        first, second = zip(*pairs, strict=True)
        found += [
            Difference(
                best, other, metric, estimate_difference(_to_sample(first, metric), _to_sample(second, metric), seed)
            )
            for metric in METRICS
        ]
    return tuple(found)


def _to_groups(
    by_model: dict[str, list[ScoreRow]], to_group: Callable[[ScoreRow], str], seed: int
) -> tuple[GroupResult, ...]:
    results: list[GroupResult] = []
    for model, rows in sorted(by_model.items()):
        groups = [to_group(row) for row in rows]
        by_metric = {metric: estimate_groups(_to_sample(rows, metric), groups, seed) for metric in METRICS}
        results += [
            GroupResult(model, group, {metric: by_metric[metric][group] for metric in METRICS})
            for group in sorted(set(groups))
        ]
    return tuple(results)
