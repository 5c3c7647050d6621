"""A leaderboard as Markdown and CSV. Every mean stands with its interval and with what it is a mean of."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from bayes.scoring.aggregation import Mean
from schemas.leaderboard import GroupResult, Leaderboard, ModelResult
from tasks.files import replace_file
from tasks.leaderboard import METRICS
from tasks.markdown import escape, to_table

SHOWN = (
    ("node_f1", "node F1"),
    ("state_f1", "state F1"),
    ("edge_f1", "edge F1"),
    ("edge_f1_unconditional", "edge F1, all"),
    ("cpd_kl", "CPD-KL"),
    ("cpd_coverage", "covered"),
    ("marginal_tv", "marginals"),
    ("cpd_kl_released", "CPD-KL, released"),
)
"""The metrics of the leaderboard and their short names."""

NOTES = (
    "Means over examples, with 95% intervals from a bootstrap that draws backbones. A failed prediction counts as "
    "nothing found; it has no tables, so it is not in CPD-KL.",
    "State and edge F1 look at matched variables only, as published; 'edge F1, all' counts unmatched ends as errors "
    "and orders the models. CPD-KL is in nats, over matched variables; 'covered' is the share of their columns that "
    "had a prediction. 'marginals' is the total variation between the marginals of both networks.",
    "'CPD-KL, released' compares tables of one parent by position, as the published script does.",
    "sigma is the Gaussian noise on the reference that has the model's CPD-KL.",
)
_GROUP_HEADER = (
    "model",
    "group",
    "metric",
    "mean",
    "low",
    "high",
    "n_scored",
    "n_undefined",
    "n_failed",
    "n_truncated",
)


def show_mean(mean: Mean) -> str:
    """A mean and its interval, as in ``0.812 [0.770, 0.851]``; ``-`` where there is none.

    Example:
        >>> show_mean(Mean(0.8124, 0.77, 0.851, 9, 0, 0, 0, 3))
        '0.812 [0.770, 0.851]'
    """
    if mean.mean is None:
        return "-"
    interval = f" [{mean.low:.3f}, {mean.high:.3f}]" if mean.low is not None and mean.high is not None else ""
    return f"{mean.mean:.3f}{interval}"


def to_cells(result: ModelResult) -> tuple[str, ...]:
    """The row of a model: the shown metrics, sigma, and how many examples, failed, partial and truncated ones."""
    means = (show_mean(result.means[metric]) for metric, _ in SHOWN)
    counts = (result.n_examples, result.n_failed, result.n_partial, result.n_truncated)
    return (*means, show_sigma(result.sigma), *map(str, counts))


def show_sigma(sigma: float | None) -> str:
    """The noise-equivalent scale; ``-`` where no noise is as bad, or there are no tables.

    Example:
        >>> show_sigma(1.234), show_sigma(4e-6), show_sigma(None)
        ('1.2', '<0.01', '-')
    """
    if sigma is None:
        return "-"
    return f"{sigma:.2g}" if sigma >= 0.01 or not sigma else "<0.01"


HEADER = (*(name for _, name in SHOWN), "sigma", "examples", "failed", "partial", "truncated")


def to_anchor_cells(means: dict[str, float | None], n: int) -> tuple[str, ...]:
    """The row of an anchor, in the same columns."""
    found = (means.get(metric) for metric, _ in SHOWN)
    return (*("-" if value is None else f"{value:.3f}" for value in found), "-", str(n), "-", "-", "-")


def to_markdown(board: Leaderboard) -> str:
    """The leaderboard, the differences from its first model, the groups, and notes on how to read them."""
    rows = [(result.model, *to_cells(result)) for result in board.models]
    rows += [(f"anchor: {anchor.name}", *to_anchor_cells(anchor.means, anchor.n)) for anchor in board.anchors]
    parts = [
        f"# Leaderboard\n\nJudge: {escape(board.judge)}. Tables: {board.mode}. {board.n_examples} examples of "
        f"{board.n_backbones} backbones. Anchors are made from the reference.",
        to_table(("model", *HEADER), rows),
    ]
    if board.differences:
        shown = dict(SHOWN)
        parts.append(f"## Difference of {escape(board.differences[0].first)} from the others, example by example")
        parts.append(
            to_table(
                ("minus", "metric", "difference", "examples"),
                [
                    (item.second, shown[item.metric], show_mean(item.mean), item.mean.n_scored)
                    for item in board.differences
                    if item.metric in shown
                ],
            )
        )
    for title, groups in (("By domain", board.by_domain), ("By size", board.by_size)):
        parts += [f"## {title}", _write_groups(groups)]
    parts.append("\n".join(f"- {note}" for note in NOTES))
    return "\n\n".join(parts) + "\n"


def _write_groups(groups: Sequence[GroupResult]) -> str:
    rows = [
        (item.group, item.model, *(show_mean(item.means[metric]) for metric, _ in SHOWN))
        for item in sorted(groups, key=lambda item: item.group)
    ]
    return to_table(("group", "model", *(name for _, name in SHOWN)), rows)


def to_csv(board: Leaderboard) -> str:
    """Every metric of every model, over all examples and by domain and size, in long format with all digits."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("judge", "mode", *_GROUP_HEADER))
    everything = [GroupResult(result.model, "all", result.means) for result in board.models]
    for item in (*everything, *board.by_domain, *board.by_size):
        for metric in METRICS:
            writer.writerow((board.judge, board.mode, item.model, item.group, metric, *_to_row(item.means[metric])))
    return text.getvalue()


def _to_row(mean: Mean) -> Iterable[object]:
    numbers = (mean.mean, mean.low, mean.high)
    counts = (mean.n_scored, mean.n_undefined, mean.n_failed, mean.n_truncated)
    return (*("" if number is None else number for number in numbers), *counts)


def write_leaderboard(board: Leaderboard, folder: Path) -> tuple[Path, ...]:
    """Write ``leaderboard.md`` and ``leaderboard.csv`` into a folder, which is made if need be.

    Raises:
        InputError: a file cannot be written.
    """
    texts = {"leaderboard.md": to_markdown(board), "leaderboard.csv": to_csv(board)}
    for name, text in texts.items():
        replace_file(folder / name, text)
    return tuple(folder / name for name in texts)
