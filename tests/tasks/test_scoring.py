"""Stored predictions are scored the same in one process and in several, and what cannot be scored says why."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bayes.scoring.records import Alignment, Match
from schemas.benchmark import AlignmentRow
from schemas.errors import InputError
from schemas.rows import BackboneKey
from storage.benchmark import read_alignments, read_predictions, read_scores, write_alignments, write_predictions
from storage.layout import partition
from storage.references import read_references
from storage.verification import verify
from tasks.scoring import (
    NOT_ALIGNED,
    ScoringJob,
    align_predictions,
    find_judge,
    score_backbone,
    score_corpus,
    score_predictions,
)
from tests.storage.corpora import BACKBONE, DOMAIN, write_backbone_tables
from tests.storage.readings import BAD, EXAMPLES, GOOD, JUDGE, make_prediction, make_predictions

KEY = BackboneKey(DOMAIN, BACKBONE)
OTHER = BackboneKey("society", "bread-riots")


def write_two(data: Path) -> ScoringJob:
    """Two backbones with four predictions each."""
    for key in (KEY, OTHER):
        write_backbone_tables(data, *key)
        rows = [
            replace(
                row,
                domain=key.domain,
                backbone=key.backbone,
                example=row.example.replace(BACKBONE, key.backbone),
            )
            for row in make_predictions()
        ]
        write_predictions(data, *key, rows, run="r")
    return ScoringJob(data, None, "full", "exact", "r")


def test_a_backbone_is_aligned_scored_and_written_and_then_left_alone(tmp_path: Path) -> None:
    job = write_two(tmp_path)
    result = score_backbone(job, *KEY)
    assert (result.key, result.n_scored, result.n_files, result.n_changed_files) == (KEY, 4, 4, 4)
    assert {row.model: row.scores.node_f1 for row in read_scores(tmp_path)} == {GOOD: 1.0, BAD: 0.0}
    assert score_backbone(job, *KEY).n_changed_files == 0
    assert verify(tmp_path).findings == ()


def test_several_processes_write_what_one_does(tmp_path: Path) -> None:
    files: list[dict[str, bytes]] = []
    for n in (1, 2):
        data = tmp_path / str(n)
        job = write_two(data)
        seen: list[BackboneKey] = []
        results = score_corpus(job, on_done=lambda result: seen.append(result.key), n_processes=n)  # noqa: B023
        assert [result.key for result in results] == sorted(seen) == [KEY, OTHER]
        files.append(
            {path.relative_to(data).as_posix(): path.read_bytes() for path in data.rglob("scores/**/*.parquet")}
        )
    assert files[0] == files[1]
    assert len(files[0]) == 4


def test_only_the_models_asked_for_are_scored(tmp_path: Path) -> None:
    job = replace(write_two(tmp_path), models=(GOOD,))
    assert [result.n_scored for result in score_corpus(job)] == [2, 2]
    assert [result.n_scored for result in score_corpus(replace(job, mode="pairwise"))] == [0, 0]
    assert score_corpus(job, []) == ()


def test_the_alignments_of_a_model_that_judges_are_taken_as_they_are(tmp_path: Path) -> None:
    job = replace(write_two(tmp_path), judge="some-model")
    result = score_backbone(job, *KEY)
    assert result.n_scored == 0
    assert {failure.detail for failure in result.failures} == {NOT_ALIGNED}
    assert [failure.item for failure in result.failures[:1]] == [f"{EXAMPLES[0]}, {BAD}, some-model"]
    references, predictions = read_references(tmp_path, *KEY), read_predictions(tmp_path, *KEY)
    given = [replace(row, judge="some-model") for row in align_predictions(references, predictions, JUDGE)]
    write_alignments(tmp_path, *KEY, given, run="r")
    assert score_backbone(job, *KEY).n_scored == 4
    assert {row.judge for row in read_alignments(tmp_path, *KEY)} == {"some-model"}


def test_an_alignment_that_does_not_fit_is_told_and_the_others_are_scored(tmp_path: Path) -> None:
    write_two(tmp_path)
    references = read_references(tmp_path, *KEY)
    predictions = [make_prediction(example) for example in EXAMPLES]
    wrong = Alignment((Match("rain", "sea"),), (), {"rain": ()})
    first, second = align_predictions(references, predictions, JUDGE)
    rows, failures = score_predictions(references, predictions, [replace(first, alignment=wrong), second], "exact")
    assert [row.example for row in rows] == [EXAMPLES[1]]
    assert [failure.detail for failure in failures] == [
        "the alignment matches 'rain' with 'sea', and one of them is not there; align it again"
    ]


def test_predictions_of_examples_that_are_gone_are_passed_over() -> None:
    row = make_prediction(EXAMPLES[0])
    given = AlignmentRow(DOMAIN, BACKBONE, EXAMPLES[0], GOOD, "full", "exact", Alignment())
    assert align_predictions({}, [row], JUDGE) == ()
    assert score_predictions({}, [row], [given], "exact") == ((), ())


def test_a_broken_file_is_an_input_error(tmp_path: Path) -> None:
    job = write_two(tmp_path)
    (broken,) = partition(tmp_path, "examples", *OTHER).glob("*.parquet")
    broken.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="cannot be read"):
        score_corpus(job)


def test_judges_that_are_code_are_known_by_name() -> None:
    assert [getattr(find_judge(name), "name", None) for name in ("exact", "lexical", "none")] == [
        "exact",
        "lexical",
        None,
    ]


def test_the_processes_that_score_do_not_load_prefect_or_an_sdk() -> None:
    code = (
        "import sys\nimport tasks.scoring\n"
        "heavy = {'prefect', 'pydantic_ai', 'anthropic', 'openai', 'groq', 'matplotlib'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert "LOADED []" in result.stdout


def test_no_process_outlives_the_one_that_started_it() -> None:
    code = (
        "import os, sys, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from tasks.scoring import _end_with_parent\n"
        "pool = ProcessPoolExecutor(1, get_context('spawn'), initializer=_end_with_parent)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:  # noqa: S603
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)  # it is there
        parent.kill()
    for _ in range(100):
        if not is_running(worker):
            break
        time.sleep(0.1)
    assert not is_running(worker)


def is_running(process: int) -> bool:
    """Whether a process is there and no zombie that nobody has taken leave of."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
