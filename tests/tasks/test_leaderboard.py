"""Means, anchors and differences of a handful of scores that can be checked by hand."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from bayes.network import Cpd, Network, Rule, Variable
from bayes.scoring.anchors import to_copy, to_identity
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.scores import score
from schemas.benchmark import PredictionStatus, ScoreRow
from tasks.leaderboard import METRICS, to_leaderboard
from tasks.leaderboard_tables import show_mean, to_csv, to_markdown, write_leaderboard

RAIN, FLOOD = Variable("rain", ("yes", "none")), Variable("flood", ("yes", "none"))
NETWORK = Network(
    (RAIN, FLOOD),
    (
        Cpd("rain", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,)),
        Cpd("flood", ("rain",), np.array([[0.8, 0.1], [0.2, 0.9]]), (Rule.PAIRWISE,) * 2),
    ),
)
REFERENCE = Reference(NETWORK)
PERFECT = score(REFERENCE, to_identity(NETWORK), to_copy(REFERENCE))
NOTHING = score(REFERENCE, Alignment(), Prediction())


def row(model: str, backbone: str, number: int, *, is_right: bool, status: PredictionStatus = "complete") -> ScoreRow:
    scores = PERFECT if is_right else NOTHING
    return ScoreRow(
        "society", backbone, f"{backbone}-{number}", model, "full", "exact", status, status == "failed", 2, 1, scores
    )


ROWS = [
    row("good", "a", 1, is_right=True),
    row("good", "a", 2, is_right=True),
    row("good", "b", 1, is_right=True),
    row("mixed [x](y)", "a", 1, is_right=True),
    row("mixed [x](y)", "a", 2, is_right=False, status="failed"),
    row("mixed [x](y)", "b", 1, is_right=True),
]
BOARD = to_leaderboard(ROWS, [REFERENCE], seed=1)


def test_a_failed_prediction_counts_as_nothing_found_and_not_as_missing() -> None:
    """Two of three are perfect: node F1 is 2/3; there are no tables to compare in the third."""
    good, mixed = BOARD.models
    assert (good.model, mixed.model) == ("good", "mixed [x](y)")
    assert good.means["node_f1"].mean == 1
    assert mixed.means["node_f1"].mean == pytest.approx(2 / 3)
    assert (mixed.means["node_f1"].n_scored, mixed.n_failed, mixed.n_truncated) == (3, 1, 1)
    assert (mixed.means["cpd_kl"].n_scored, mixed.means["cpd_kl"].n_undefined) == (2, 1)
    assert (BOARD.n_examples, BOARD.n_backbones) == (3, 2)


def test_intervals_resample_backbones() -> None:
    """Backbone a has a mean of 1/2 and b of 1, so no resample of both is outside."""
    mean = BOARD.models[1].means["node_f1"]
    assert (mean.low, mean.high, mean.n_clusters) == (0.5, 1.0, 2)


def test_differences_are_paired_with_the_first_model() -> None:
    [difference] = [item for item in BOARD.differences if item.metric == "node_f1"]
    assert (difference.first, difference.second) == ("good", "mixed [x](y)")
    assert difference.mean.mean == pytest.approx(1 / 3)


def test_anchors_are_made_from_the_reference() -> None:
    """Uniform against (0.8, 0.2) and (0.1, 0.9): mean of ln 2 - H, with H in nats."""
    anchors = {anchor.name: anchor for anchor in BOARD.anchors}
    assert set(anchors) == {"uniform", "marginal", "dirichlet"}
    entropy = [-sum(p * np.log(p) for p in column) for column in ((0.8, 0.2), (0.1, 0.9))]
    expected = np.log(2) - float(np.mean(entropy))
    assert anchors["uniform"].means["cpd_kl"] == pytest.approx(expected, abs=1e-4)
    assert BOARD.models[0].sigma == pytest.approx(0, abs=1e-3)


def test_groups_are_by_domain_and_by_size() -> None:
    assert {item.group for item in BOARD.by_domain} == {"society"}
    assert {item.group for item in BOARD.by_size} == {"2 variables"}


def test_the_same_scores_in_another_order_make_the_same_board() -> None:
    assert to_leaderboard(ROWS[::-1], [REFERENCE], seed=1) == BOARD


def test_scores_of_two_judges_do_not_mix() -> None:
    from dataclasses import replace

    with pytest.raises(ValueError, match="one judge and one mode, not of 2"):
        to_leaderboard([ROWS[0], replace(ROWS[1], judge="lexical")], [REFERENCE], seed=1)


def test_markdown_shows_means_intervals_anchors_and_no_markup_of_a_name(tmp_path: Path) -> None:
    text = to_markdown(BOARD)
    assert "0.667 \\[0.500, 1.000\\]" in text
    assert "anchor: uniform" in text
    assert "[x](y)" not in text
    assert [path.name for path in write_leaderboard(BOARD, tmp_path)] == ["leaderboard.md", "leaderboard.csv"]


def test_the_csv_has_every_metric_of_every_group_with_its_counts() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(BOARD))))
    # 2 models, each over all, one domain and one size
    assert len(rows) == 2 * 3 * len(METRICS)
    [one] = [item for item in rows if (item["model"], item["group"], item["metric"]) == ("good", "all", "shd")]
    assert (float(one["mean"]), one["n_scored"], one["n_failed"]) == (0, "3", "0")
    assert show_mean(BOARD.models[0].means["node_f1"]) == "1.000 [1.000, 1.000]"
