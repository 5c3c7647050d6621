"""The published file goes all the way: imported, scored against itself, verified."""

from pathlib import Path

from schemas.predictions import read_predictions
from schemas.released import read_corpus
from storage.benchmark import read_scores
from storage.imports import write_corpus, write_named_predictions
from storage.verification import verify
from tasks.scoring import ScoringJob, score_corpus


def test_published_networks_are_imported_and_score_as_themselves(real: Path, tmp_path: Path) -> None:
    file = real / "predictions_two.json"
    result = write_corpus(tmp_path, read_corpus(file), file=file.name, run="r")
    assert (result.n_examples, result.n_backbones, result.failures) == (2, 1, ())
    named = read_predictions(file).predictions
    write_named_predictions(tmp_path, named, file=file, model="itself", mode="pairwise", run="r")
    (scored,) = score_corpus(ScoringJob(tmp_path, None, "pairwise", "exact", "r"))
    assert (scored.n_scored, scored.failures) == (2, ())
    first, second = (row.scores for row in read_scores(tmp_path))
    assert [first.node_f1, first.state_f1, first.edge_f1, second.node_f1, second.state_f1, second.edge_f1] == [1.0] * 6
    assert second.cpd_kl is not None
    assert second.cpd_kl < 1e-4
    # The first network has a table with columns that are all null: its reference has the marginal there, which the
    # prediction does not say.
    assert first.cpd_kl is not None
    assert first.cpd_kl > 1e-2
    assert first.cpd_coverage is not None
    assert first.cpd_coverage < 1
    assert verify(tmp_path).findings == ()
