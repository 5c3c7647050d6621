"""What two made-up models read out of the small corpus, with alignments and scores; and a small imported corpus."""

import json
from pathlib import Path
from typing import Any

from bayes.judging.exact import ExactJudge
from bayes.network import Network
from bayes.scoring.anchors import to_copy
from bayes.scoring.records import Prediction, Reference
from schemas.benchmark import Mode, PredictionRow, ScoreRow
from schemas.released import read_corpus
from storage.benchmark import write_alignments, write_predictions, write_scores
from storage.imports import CorpusImport, write_corpus
from storage.references import read_references
from tasks.scoring import align_predictions, score_predictions
from tests.storage.corpora import BACKBONE, DOMAIN, make_networks

GOOD, BAD = "made-up:good", "made-up:bad"
EXAMPLES = (f"{BACKBONE}-3-0000000a", f"{BACKBONE}-3-0000000b")
NETWORKS = {item.id: item.network for item in make_networks()[1:]}
JUDGE = ExactJudge()


def make_prediction(
    example: str, model: str = GOOD, mode: Mode = "full", *, network: Network | None = None
) -> PredictionRow:
    """The example itself by the good model, nothing by the bad one; or any other network."""
    is_bad = model == BAD
    return PredictionRow(
        DOMAIN,
        BACKBONE,
        example,
        model,
        mode,
        status="failed" if is_bad else "complete",
        is_truncated=is_bad,
        reason="truncated" if is_bad else "",
        detail="the list of variables was cut off" if is_bad else "",
        prediction=Prediction() if is_bad else to_copy(Reference(network or NETWORKS[example])),
        raw='{"variables":"…"}',
    )


def make_predictions(mode: Mode = "full") -> list[PredictionRow]:
    return [make_prediction(example, model, mode) for example in EXAMPLES for model in (BAD, GOOD)]


def make_scores(data: Path) -> tuple[ScoreRow, ...]:
    """The scores of :func:`make_predictions` under ``exact``."""
    references, predictions = read_references(data, DOMAIN, BACKBONE), make_predictions()
    scores, failures = score_predictions(
        references, predictions, align_predictions(references, predictions, JUDGE), JUDGE.name
    )
    assert not failures
    return scores


def write_readings(data: Path, *, run: str = "run-1") -> None:
    """Predictions, alignments and scores for the backbone of :mod:`tests.storage.corpora`."""
    references, predictions = read_references(data, DOMAIN, BACKBONE), make_predictions()
    write_predictions(data, DOMAIN, BACKBONE, predictions, run=run)
    write_alignments(data, DOMAIN, BACKBONE, align_predictions(references, predictions, JUDGE), run=run)
    write_scores(data, DOMAIN, BACKBONE, make_scores(data), run=run)


def make_nodes(*, told: bool = True) -> dict[str, Any]:
    """Rain acts on flood and, with no number told, on trade; flood acts on trade too."""
    states = {"rain": ["heavy", "none"], "flood": ["wide", "none"], "trade": ["low", "none"]}
    rain, flood = (
        {"parent_states": states["rain"], "cpd_matrix": [[0.8, None], [0.2, None]]},
        {"parent_states": states["flood"], "cpd_matrix": [[0.5, 0.1], [0.5, 0.9]]},
    )
    return {
        "rain": {"states": states["rain"], "parents": {}, "prior": [0.25, 0.75] if told else []},
        "flood": {"states": states["flood"], "parents": {"rain": rain}},
        "trade": {"states": states["trade"], "parents": {"flood": flood, "rain": rain | {"cpd_matrix": []}}},
    }


def make_released(source: str = "wiki_1", **fields: Any) -> dict[str, Any]:
    clean = {"source_id": source, "title": "Floods", "domain": "environment", "actual_text": "Rain brings floods."}
    return clean | {"generated_text": "It rains, and it floods.", "nodes": make_nodes()} | fields


def write_file(path: Path, **networks: Any) -> Path:
    """A file in the published layout."""
    path.write_text(json.dumps({"bayesian_networks": networks}), encoding="utf-8")
    return path


def write_imported(data: Path, **networks: Any) -> CorpusImport:
    """Import a corpus; by default of three networks from two sources."""
    made = networks or {
        "bn_1": make_released(),
        "bn_2": make_released(nodes=make_nodes(told=False)),
        "bn_3": make_released("wiki_2", nodes={"sun": {"states": ["yes", "no"]}}),
    }
    data.mkdir(parents=True, exist_ok=True)
    file = write_file(data.parent / "corpus.json", **made)
    return write_corpus(data, read_corpus(file), file=file.name, run="run-1")
