"""Scores as arrays say the same as their rows, in one order, ready for means."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from bayes.scoring.aggregation import estimate_mean
from bayes.scoring.scores import Scores
from storage.benchmark import read_scores, write_scores
from storage.score_columns import METRICS, ScoreColumns, read_score_columns
from tests.storage.corpora import BACKBONE, DOMAIN, write_backbone_tables
from tests.storage.readings import BAD, GOOD, make_scores, write_readings


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_backbone_tables(folder)
    write_readings(folder)
    return folder


@pytest.fixture(scope="module")
def columns(data: Path) -> ScoreColumns:
    return read_score_columns(data)


def test_every_number_is_that_of_its_row_and_nan_where_it_is_undefined(data: Path, columns: ScoreColumns) -> None:
    rows = read_scores(data)
    assert len(columns) == len(rows) == 4
    own = zip(columns.domains, columns.backbones, columns.examples, columns.models, columns.judges, strict=True)
    assert list(own) == [(row.domain, row.backbone, row.example, row.model, row.judge) for row in rows]
    assert columns.statuses.tolist() == [row.status for row in rows]
    assert columns.n_edges.tolist() == [row.n_edges for row in rows]
    for name in METRICS:
        expected = np.array([getattr(row.scores, name) for row in rows], dtype=float)
        assert np.array_equal(columns.values[name], expected, equal_nan=True), name
    assert set(METRICS) == {f.name for f in fields(Scores)} - {"marginal_tv_skipped", "joint_kl_skipped"}


def test_a_sample_counts_failed_and_truncated_predictions_of_a_model(columns: ScoreColumns) -> None:
    mean = estimate_mean(columns.select(columns.models == BAD).to_sample("node_f1"), seed=0)
    assert (mean.mean, mean.n_scored, mean.n_failed, mean.n_truncated, mean.n_clusters) == (0.0, 2, 2, 2, 1)
    sample = columns.select(columns.models == GOOD).to_sample("node_f1")
    assert sample.clusters == (f"{DOMAIN}/{BACKBONE}",) * 2
    assert (sample.values == 1).all()
    assert not sample.is_failed.any()


def test_only_what_is_asked_for_is_read(data: Path) -> None:
    assert set(read_score_columns(data, models=[GOOD]).models) == {GOOD}
    assert len(read_score_columns(data, judge="lexical")) == len(read_score_columns(data, "society")) == 0
    assert len(read_score_columns(data, DOMAIN, BACKBONE, mode="full")) == 4


def test_the_order_does_not_depend_on_the_files(data: Path, columns: ScoreColumns) -> None:
    write_scores(data, DOMAIN, BACKBONE, make_scores(data)[::-1], run="r")
    assert read_score_columns(data).examples.tolist() == columns.examples.tolist() == sorted(columns.examples)
