"""The stages of a benchmark: which task runs for what, and what becomes of failures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from flows.gathering import StageCounter, as_given, run_each
from schemas.benchmark import BenchmarkSettings, ScoreRow
from schemas.calls import Failure, FailureReason
from schemas.errors import InputError
from schemas.rows import BackboneKey, Written
from schemas.summaries import BenchmarkSummary
from storage.benchmark import list_predicted, read_predictions, read_scores, write_alignments, write_predictions
from storage.references import read_references
from tasks.example_choice import ChosenExample
from tasks.extraction import extract_examples
from tasks.judging import Judged, judge_predictions
from tasks.leaderboard import to_leaderboard
from tasks.scoring import BackboneScores, ScoringJob, find_judge
from tasks.scoring_run import score_each
from tasks.session import Session

READINGS_AT_ONCE = 8
SHARD = 50
"""Examples of one task: enough to keep a service busy, few enough to see progress."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One model and the chosen examples of one backbone."""

    key: BackboneKey
    model: str
    examples: tuple[ChosenExample, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the chosen examples, and how many files of alignments and scores were written."""

    rows: tuple[ScoreRow, ...]
    n_files: int
    n_changed_files: int


async def find_predictions(
    session: Session[BenchmarkSettings], chosen: Sequence[ChosenExample], files: list[Written]
) -> list[Reading]:
    """The predictions of every model for every chosen example: made now, or, to rescore, those that are stored.

    Args:
        session: the open resources.
        chosen: the examples.
        files: takes the files that are written.

    Raises:
        InputError: stored predictions are wanted and some are missing.
    """
    settings = session.settings
    by_backbone: dict[BackboneKey, list[ChosenExample]] = {}
    for item in chosen:
        by_backbone.setdefault(item.key, []).append(item)
    readings = [
        Reading(key, model, tuple(examples)) for model in settings.models for key, examples in by_backbone.items()
    ]
    if settings.rescore:
        return list(_keep_stored(settings, readings))
    count = StageCounter(session, "extraction", sum(len(reading.examples) for reading in readings))

    shard = session.at_once(SHARD)

    async def read(reading: Reading) -> Reading | Failure:
        for start in range(0, len(reading.examples), shard):
            part = reading.examples[start : start + shard]
            rows = await extract_examples(reading.key, start // shard + 1, as_given(part), reading.model, settings.mode)
            files.extend(write_predictions(Path(settings.data), *reading.key, rows, run=session.run))
            count.add(len(part))
        return reading

    return session.keep(
        await run_each(
            readings,
            read,
            _fail("extraction"),
            at_once=session.at_once(READINGS_AT_ONCE),
            is_access_shared=len(settings.models) == 1,
        )
    )


def _keep_stored(settings: BenchmarkSettings, readings: Iterable[Reading]) -> Iterable[Reading]:
    """The readings cut to the examples that have a stored prediction.

    Raises:
        InputError: a model has none at all.
    """
    found: dict[str, int] = dict.fromkeys(settings.models, 0)
    for reading in readings:
        rows = read_predictions(Path(settings.data), *reading.key, models={reading.model}, mode=settings.mode)
        stored = {row.example for row in rows}
        examples = tuple(item for item in reading.examples if item.example in stored)
        found[reading.model] += len(examples)
        if examples:
            yield Reading(reading.key, reading.model, examples)
    for model, n in found.items():
        if not n:
            others = [reading.mode for reading in list_predicted(Path(settings.data)) if reading.model == model]
            hint = f"there are some for --mode {others[0]}" if others else "run without --rescore, or import some"
            raise InputError(
                f"--rescore: {settings.data} holds no predictions of {model} in the mode {settings.mode} for these "
                f"examples; {hint}"
            )


async def judge_names(session: Session[BenchmarkSettings], readings: Sequence[Reading]) -> None:
    """The alignments of every prediction, where a model is the judge; judges that are code come with the scoring."""
    settings = session.settings
    if find_judge(settings.judge) is not None:
        return
    data = Path(settings.data)
    count = StageCounter(session, "judging", sum(len(reading.examples) for reading in readings))

    shard = session.at_once(SHARD)

    async def judge(reading: Reading) -> Reading | Failure:
        wanted = {item.example for item in reading.examples}
        references = read_references(data, *reading.key)
        rows = read_predictions(data, *reading.key, models={reading.model}, mode=settings.mode)
        items = [Judged(row, references[row.example].network.variables) for row in rows if row.example in wanted]
        for start in range(0, len(items), shard):
            part = items[start : start + shard]
            outcomes = await judge_predictions(reading.key, settings.judge, as_given(part))
            write_alignments(data, *reading.key, session.keep(outcomes), run=session.run)
            count.add(len(part))
        return reading

    session.keep(await run_each(readings, judge, _fail("judge"), at_once=session.at_once(READINGS_AT_ONCE)))


async def score_predictions(session: Session[BenchmarkSettings], readings: Sequence[Reading]) -> Scored:
    """The scores of every prediction that has an alignment."""
    settings, keys = session.settings, sorted({reading.key for reading in readings})
    job = ScoringJob(Path(settings.data), settings.models, settings.mode, settings.judge, session.run)
    count = StageCounter(session, "scoring", len(keys))

    def on_done(_: BackboneScores) -> None:
        count.add()

    results = await score_each(as_given(job), as_given(tuple(keys)), as_given(on_done))
    session.fail(*(failure for result in results for failure in result.failures))
    wanted = {(reading.key, reading.model, item.example) for reading in readings for item in reading.examples}
    rows = read_scores(job.data, judge=job.judge, models=job.models, mode=job.mode)
    return Scored(
        tuple(row for row in rows if (BackboneKey(row.domain, row.backbone), row.model, row.example) in wanted),
        n_files=sum(result.n_files for result in results),
        n_changed_files=sum(result.n_changed_files for result in results),
    )


def summarise(
    session: Session[BenchmarkSettings],
    readings: Sequence[Reading],
    files: Sequence[Written],
    scored: Scored,
    seconds: float,
) -> BenchmarkSummary:
    """What the run did, and the leaderboard."""
    settings, data = session.settings, Path(session.settings.data)
    keys = sorted({reading.key for reading in readings})
    wanted = {(reading.key, item.example) for reading in readings for item in reading.examples}
    references = [
        reference
        for key in keys
        for example, reference in sorted(read_references(data, *key).items())
        if (key, example) in wanted
    ]
    board = to_leaderboard(scored.rows, references, seed=settings.seed) if scored.rows else None
    return BenchmarkSummary(
        run=session.run,
        data=settings.data,
        n_files=len(files) + scored.n_files,
        n_changed_files=sum(file.is_changed for file in files) + scored.n_changed_files,
        seconds=seconds,
        stages=session.ledger.totals(),
        failures=session.ledger.failures,
        n_examples=len(wanted),
        n_backbones=len(keys),
        n_models=len({reading.model for reading in readings}),
        n_predictions=sum(len(reading.examples) for reading in readings),
        n_failed=sum(row.status == "failed" for row in scored.rows),
        n_judged=len(scored.rows),
        leaderboard=board,
    )


def _fail(stage: str) -> Callable[[Reading], Callable[[FailureReason, str], Failure]]:
    def to_failure(reading: Reading) -> Callable[[FailureReason, str], Failure]:
        what = f"{len(reading.examples)} examples of {reading.key.backbone}, read by {reading.model}"
        return partial(Failure, stage, *reading.key, what)

    return to_failure
