"""Scoring stored predictions, backbone by backbone, spread over the processors.

Prefect is not imported here: the processes that do the work would start with it.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from bayes.judging.alignment import Judge, align
from bayes.judging.exact import ExactJudge
from bayes.judging.lexical import LexicalJudge
from bayes.scoring.prepared import PreparedReference
from bayes.scoring.records import Alignment, Reference
from bayes.scoring.scores import score
from schemas.benchmark import AlignmentRow, Mode, PredictionRow, ScoreRow
from schemas.calls import Failure
from schemas.errors import ServiceError
from schemas.rows import BackboneKey
from storage.benchmark import read_alignments, read_predictions, write_alignments, write_scores
from storage.layout import list_backbones
from storage.parquet import count_rows
from storage.references import read_references

STAGE = "scoring"
FEW = 400
"""So many predictions are scored before further processes would have started."""

NOT_ALIGNED = "the judge has not aligned this prediction yet"


@dataclass(frozen=True, slots=True)
class ScoringJob:
    """What to score: every stored prediction of some models (None: of all) in one mode, under one judge.

    ``exact`` and ``lexical`` align here; any other judge's alignments must be there already.
    """

    data: Path
    models: tuple[str, ...] | None
    mode: Mode
    judge: str
    run: str


@dataclass(frozen=True, slots=True)
class BackboneScores:
    """What became of one backbone. ``failures`` are the predictions that could not be scored, with the reason."""

    key: BackboneKey
    n_scored: int
    n_files: int
    n_changed_files: int
    failures: tuple[Failure, ...]


def find_judge(name: str) -> Judge | None:
    """The judge of this name that is code; None where it is a model.

    Example:
        >>> find_judge("exact").name, find_judge("a model")
        ('exact', None)
    """
    return {"exact": ExactJudge, "lexical": LexicalJudge}.get(name, lambda: None)()


def align_predictions(
    references: Mapping[str, Reference], predictions: Iterable[PredictionRow], judge: Judge
) -> tuple[AlignmentRow, ...]:
    """Align every prediction by a judge that is code; those of other examples than the references' are left out."""
    return tuple(
        AlignmentRow(
            row.domain,
            row.backbone,
            row.example,
            row.model,
            row.mode,
            judge.name,
            align(references[row.example].network.variables, row.prediction.variables, judge),
        )
        for row in predictions
        if row.example in references
    )


def score_predictions(
    references: Mapping[str, Reference],
    predictions: Sequence[PredictionRow],
    alignments: Iterable[AlignmentRow],
    judge: str,
) -> tuple[tuple[ScoreRow, ...], tuple[Failure, ...]]:
    """Score every prediction of the references' examples; ordered by example.

    Returns:
        The scores, and why a prediction has none: no alignment, or one that does not fit it.
    """
    known = {(row.example, row.model, row.mode): row.alignment for row in alignments if row.judge == judge}
    rows: list[ScoreRow] = []
    failures: list[Failure] = []
    for example, group in groupby(sorted(predictions, key=_to_example), key=_to_example):
        if example not in references:
            continue
        reference = PreparedReference(references[example])
        for row in group:
            alignment = known.get((example, row.model, row.mode))
            outcome = NOT_ALIGNED if alignment is None else _score(reference, row, alignment, judge)
            if isinstance(outcome, str):
                item = f"{example}, {row.model}, {judge}"
                failures.append(Failure(STAGE, row.domain, row.backbone, item, "input", outcome))
            else:
                rows.append(outcome)
    return tuple(rows), tuple(failures)


def _score(reference: PreparedReference, row: PredictionRow, alignment: Alignment, judge: str) -> ScoreRow | str:
    try:
        scores = score(reference, alignment, row.prediction)
    except ValueError as error:
        return f"{error}; align it again"
    return ScoreRow(
        domain=row.domain,
        backbone=row.backbone,
        example=row.example,
        model=row.model,
        mode=row.mode,
        judge=judge,
        status=row.status,
        is_truncated=row.is_truncated,
        n_variables=len(reference.network.variables),
        n_edges=len(reference.network.edges),
        scores=scores,
    )


def _to_example(row: PredictionRow) -> str:
    return row.example


def score_backbone(job: ScoringJob, domain: str, backbone: str) -> BackboneScores:
    """Read, align, score and write one backbone.

    Raises:
        InputError: a file is corrupt or of another version, or cannot be written.
    """
    references = read_references(job.data, domain, backbone)
    predictions = read_predictions(job.data, domain, backbone, job.models, job.mode)
    judge = find_judge(job.judge)
    written = ()
    if judge is None:
        alignments = read_alignments(job.data, domain, backbone, job.judge, job.models, job.mode)
    else:
        alignments = align_predictions(references, predictions, judge)
        written = write_alignments(job.data, domain, backbone, alignments, run=job.run)
    rows, failures = score_predictions(references, predictions, alignments, job.judge)
    written += write_scores(job.data, domain, backbone, rows, run=job.run)
    return BackboneScores(
        BackboneKey(domain, backbone), len(rows), len(written), sum(file.is_changed for file in written), failures
    )


def score_corpus(
    job: ScoringJob,
    keys: Sequence[BackboneKey] | None = None,
    *,
    on_done: Callable[[BackboneScores], None] | None = None,
    n_processes: int | None = None,
) -> tuple[BackboneScores, ...]:
    """Score all backbones that have predictions, several at a time; memory holds one backbone a process.

    Args:
        job: what to score.
        keys: the backbones; by default all that have predictions.
        on_done: told of every backbone when it is done, in any order.
        n_processes: by default one a processor; a small corpus takes one, without starting others.

    Returns:
        What became of each backbone, in the order of the keys.

    Raises:
        InputError: as for :func:`score_backbone`. Backbones that are done stay written.
        ServiceError: a process was killed, for lack of memory for instance.
    """
    wanted = list_backbones(job.data, "predictions") if keys is None else tuple(keys)
    if n_processes is None:
        n_predictions = sum(count_rows(job.data, "predictions", *key) for key in wanted)
        n_processes = 1 if n_predictions <= FEW else _count_processors()
    n_processes = min(n_processes, len(wanted))
    results: dict[BackboneKey, BackboneScores] = {}

    def keep(result: BackboneScores) -> None:
        results[result.key] = result
        if on_done is not None:
            on_done(result)

    if n_processes <= 1:
        for key in wanted:
            keep(score_backbone(job, *key))
    else:
        _score_in_parallel(job, wanted, n_processes, keep)
    return tuple(results[key] for key in wanted)


def _score_in_parallel(
    job: ScoringJob, keys: Sequence[BackboneKey], n_processes: int, keep: Callable[[BackboneScores], None]
) -> None:
    # Not forked: a flow has threads and open connections, which a copy of the process would share.
    with ProcessPoolExecutor(n_processes, get_context("spawn"), initializer=_end_with_parent) as pool:
        futures: list[Future[BackboneScores]] = [pool.submit(score_backbone, job, *key) for key in keys]
        try:
            for future in as_completed(futures):
                keep(future.result())
        except BrokenProcessPool as error:
            raise ServiceError("a scoring process was killed, perhaps for lack of memory; run it again") from error
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work for ever."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _count_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
