"""The commands of the benchmark: ``prism benchmark``, ``prism agreement`` and ``prism judges``."""

from pathlib import Path
from typing import Annotated

import typer

from flows.options import (
    BatchOption,
    CacheOption,
    DataOption,
    MaxUsdOption,
    VerboseOption,
    reporting_errors,
    to_settings,
)
from schemas.settings import RunSettings

_SHARED = RunSettings()

JudgeOption = Annotated[
    str, typer.Option("--judge", help="exact, lexical, or a model of deployments/models.yaml.", show_default="lexical")
]
ModeOption = Annotated[
    str,
    typer.Option("--mode", help="full: P(child | all its parents); pairwise: one table per edge, as published."),
]


def benchmark(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="Model that reads the texts, from deployments/models.yaml; may be repeated.",
            show_default="baseline:rules",
        ),
    ] = None,
    judge: JudgeOption = "lexical",
    mode: ModeOption = "full",
    examples: Annotated[
        int | None,
        typer.Option("--examples", help="Examples at most, spread over the backbones.", show_default="all"),
    ] = None,
    domain: Annotated[
        list[str] | None, typer.Option("--domain", help="Domain to read; may be repeated.", show_default="all")
    ] = None,
    split: Annotated[str, typer.Option("--split", help="all, train, validation or test.")] = "all",
    rescore: Annotated[
        bool, typer.Option("--rescore", help="Judge and score stored predictions; no model reads a text again.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the choice of examples, bootstrap and anchors.")] = 0,
    run: Annotated[int, typer.Option("--run", help="Draw number: another one asks the models afresh.")] = 0,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Second data folder: compare the order of the models.", show_default="none"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for leaderboard.md and leaderboard.csv.", show_default="not written"),
    ] = None,
    max_usd: MaxUsdOption = None,
    batch: BatchOption = False,
    data: DataOption = Path(_SHARED.data),
    cache: CacheOption = _SHARED.cache,
    verbose: VerboseOption = False,
) -> None:
    """Have models read the networks back out of the descriptions, and score what they read.

    Exit codes: 0 done; 1 a service broke or nothing was scored; 2 wrong input; 3 stopped by --max-usd.
    """
    with reporting_errors():
        from schemas.benchmark import BenchmarkSettings

        settings = to_settings(
            BenchmarkSettings,
            **({"models": tuple(dict.fromkeys(model))} if model else {}),
            judge=judge,
            mode=mode,
            examples=examples,
            domains=tuple(domain or ()),
            split=split,
            rescore=rescore,
            against=str(against or ""),
            seed=seed,
            run=run,
            max_usd=max_usd,
            batch=batch,
            data=str(data),
            cache=cache,
        )
        from flows.benchmark_commands import run_benchmark_command

        raise typer.Exit(run_benchmark_command(settings, out=out, is_verbose=verbose))


def agreement(
    first: Annotated[str, typer.Argument(help="A model or person whose predictions are stored.")],
    second: Annotated[str, typer.Argument(help="Another one.")],
    judge: Annotated[str, typer.Option("--judge", help="Who aligns their names: exact or lexical.")] = "lexical",
    mode: ModeOption = "full",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the bootstrap.")] = 0,
    data: DataOption = Path(_SHARED.data),
) -> None:
    """Compare two extractions of the same texts: F1 and divergence of either against the other."""
    with reporting_errors():
        from flows.benchmark_commands import print_agreement

        print_agreement(data, first, second, judge=judge, mode=mode, seed=seed)


def judges(
    first: Annotated[str, typer.Argument(help="exact, lexical, or a judge whose alignments are stored.")] = "lexical",
    second: Annotated[
        str, typer.Argument(help="Another judge, to compare both over the same pairs of names.", show_default="none")
    ] = "",
    pairs: Annotated[
        Path | None,
        typer.Option("--pairs", help="Labelled pairs as CSV.", show_default="samples/judge_pairs.csv"),
    ] = None,
    data: DataOption = Path(_SHARED.data),
    cache: CacheOption = _SHARED.cache,
) -> None:
    """Check judges: against labelled pairs, and two of them against each other on stored alignments."""
    with reporting_errors():
        from flows.benchmark_commands import print_judges

        print_judges(first, second, pairs=pairs, data=data, cache=cache)
