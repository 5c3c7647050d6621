"""What the commands of the benchmark do once their options are read."""

import asyncio
from pathlib import Path
from typing import Any, cast, get_args

from rich.console import Console
from rich.text import Text

from bayes.judging.agreement import check_judge
from bayes.judging.alignment import Judge
from bayes.scoring.aggregation import correlate_orderings
from flows import judge_report, leaderboard_report, report
from flows.commands import EXIT_CODES, check_folder, check_folders, check_models, require_folder, run_flow
from schemas.benchmark import BenchmarkSettings, Mode, ScoreRow
from schemas.errors import InputError
from schemas.leaderboard import Leaderboard
from schemas.summaries import BenchmarkSummary

PARTS = ("tune", "test")
READING_BASELINES = ("rules", "empty")
SAMPLE_PAIRS = Path(__file__).parents[1] / "samples" / "judge_pairs.csv"


def run_benchmark_command(settings: BenchmarkSettings, *, out: Path | None, is_verbose: bool) -> int:
    """Run the flow, show its progress, its summary and the leaderboard; the exit code."""
    check_benchmark_settings(settings)
    if out is not None:
        check_folder("--out", out)
    console = Console()
    if any(name.startswith("local:") for name in settings.models):
        console.print(Text(report.LOCAL_NOTE))

    def load() -> Any:
        from flows.run_benchmark import run_benchmark

        return run_benchmark

    summary = run_flow(console, load, settings, BenchmarkSummary, is_verbose=is_verbose)
    report.print_summary(console, summary)
    if summary.leaderboard is not None:
        leaderboard_report.print_leaderboard(console, summary.leaderboard)
        if settings.against:
            _print_correlations(console, summary.leaderboard, settings)
        if out is not None:
            from tasks.leaderboard_tables import write_leaderboard

            for path in write_leaderboard(summary.leaderboard, out):
                console.print(Text(f"Written: {path}"))
    console.print(Text(f"Tables: {settings.data}/predictions, alignments, scores/domain=…/backbone=…"))
    return EXIT_CODES[summary.outcome]


def check_benchmark_settings(settings: BenchmarkSettings) -> None:
    """Refuse at once what would fail later.

    Raises:
        InputError: with the option and what to do.
    """
    from providers.catalogue import find_model
    from tasks.example_choice import choose_examples
    from tasks.scoring import find_judge

    if settings.batch:
        check_models(filter(lambda name: find_judge(name) is None, settings.model_names), None, is_batched=True)
    if not settings.rescore:
        check_models(settings.models, settings.max_usd)
        for name in settings.models:
            entry = find_model(name)
            if entry.provider == "baseline" and entry.model not in READING_BASELINES:
                raise InputError(f"--model {name}: reads no texts; the baselines that do are baseline:rules and :empty")
    if find_judge(settings.judge) is None:
        check_models([settings.judge], settings.max_usd)
        if find_model(settings.judge).is_code:
            raise InputError(f"--judge {settings.judge}: is no judge; there are exact, lexical and language models")
    for option, folder in (("--data", settings.data), ("--against", settings.against)):
        if folder:
            require_folder(option, Path(folder))
    choose_examples(settings)
    check_folders(settings)
    if settings.against:
        read_other_scores(settings)


def _print_correlations(console: Console, board: Leaderboard, settings: BenchmarkSettings) -> None:
    """The order of the models here against that in another corpus, by judge and mode of this run."""
    from tasks.leaderboard import to_means

    there = to_means(read_other_scores(settings))
    found = {
        metric: correlate_orderings(
            {result.model: result.means[metric].mean for result in board.models},
            {model: means[metric] for model, means in there.items()},
        )
        for metric, _ in leaderboard_report.COLUMNS
    }
    leaderboard_report.print_correlations(console, settings.against, found)


def read_other_scores(settings: BenchmarkSettings) -> tuple[ScoreRow, ...]:
    """The scores of the second corpus that the order of the models is compared with.

    Raises:
        InputError: it has none of these models by this judge in this mode.
    """
    from storage.benchmark import read_scores

    rows = read_scores(Path(settings.against), judge=settings.judge, models=settings.models, mode=settings.mode)
    if not rows:
        raise InputError(
            f"--against {settings.against}: holds no scores of these models by the judge {settings.judge}; "
            "run the same benchmark there first"
        )
    return rows


def print_agreement(data: Path, first: str, second: str, *, judge: str, mode: str, seed: int) -> None:
    """Print how far two extractions of the same texts agree, either against the other.

    Raises:
        InputError: the judge is unknown, or there are no examples that both have read.
    """
    from tasks.agreement import compare_extractions

    require_folder("--data", data)
    found = compare_extractions(data, first, second, judge=to_code_judge(judge), mode=to_mode(mode), seed=seed)
    judge_report.print_agreement(Console(), found)


def print_judges(first: str, second: str, *, pairs: Path | None, data: Path, cache: str) -> None:
    """Print how one or two judges do on labelled pairs, and how two agree on stored predictions.

    Raises:
        InputError: a judge is unknown, the pairs cannot be read, or there is nothing stored to compare two judges on.
    """
    from schemas.judge_pairs import read_judge_pairs
    from tasks.judge_checks import ask_about_pairs, compare_judges
    from tasks.scoring import find_judge

    console = Console()
    path = pairs or SAMPLE_PAIRS
    labelled = read_judge_pairs(path)
    names = [name for name in dict.fromkeys((first, second)) if name]
    for name in names:
        judge = find_judge(name)
        if judge is not None:
            checked = {part: check_judge(judge, [pair for pair in labelled if pair.part == part]) for part in PARTS}
        else:
            check_models([name], None)
            checked = asyncio.run(ask_about_pairs(name, labelled, data=data, cache=cache))
        judge_report.print_checked(console, name, checked, is_code=judge is not None)
    if second and second != first:
        judge_report.print_two(console, first, second, compare_judges(data, first, second))


def to_mode(text: str) -> Mode:
    """A mode of reading, by its name.

    Raises:
        InputError: there is none of that name.
    """
    if text not in get_args(Mode):
        raise InputError(f"--mode {text}: there are {' and '.join(get_args(Mode))}")
    return cast("Mode", text)


def to_code_judge(name: str) -> Judge:
    """A judge that is code, by its name.

    Raises:
        InputError: there is none of that name.
    """
    from tasks.scoring import find_judge

    judge = find_judge(name)
    if judge is None:
        raise InputError(f"--judge {name}: there are exact and lexical")
    return judge
