"""The command line, ``prism``. Each command imports what it needs, so that ``prism --help`` answers at once."""

from pathlib import Path
from typing import Annotated

import typer

from flows.benchmark_cli import agreement, benchmark, judges
from flows.import_cli import import_app
from flows.models_cli import models
from flows.options import (
    CacheOption,
    CheckerOption,
    DataOption,
    ExamplesOption,
    MaxNodesOption,
    MaxUsdOption,
    MinEdgesOption,
    MinNodesOption,
    PerBackboneOption,
    ReconcileOption,
    SeedOption,
    VerboseOption,
    WriterOption,
    reporting_errors,
    to_settings,
)
from flows.scm_cli import scm_app
from schemas.settings import BuildSettings

app = typer.Typer(
    name="prism",
    help="Bayesian networks elicited from language models, kept as Parquet.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(import_app, name="import")
app.add_typer(scm_app, name="scm")
app.command()(benchmark)
app.command()(agreement)
app.command()(judges)
app.command()(models)

_DEFAULTS = BuildSettings()

ModelOption = Annotated[
    str, typer.Option("--model", help="Elicitation model, a name from deployments/models.yaml or your PRISM_MODELS.")
]


@app.command()
def build(
    source: Annotated[
        str, typer.Option("--source", help="samples, folder:PATH, wikipedia or dump:PATH (.xml or .xml.bz2).")
    ] = _DEFAULTS.source,
    model: ModelOption = _DEFAULTS.model,
    writer: WriterOption = _DEFAULTS.writer,
    checker: CheckerOption = _DEFAULTS.checker,
    domain: Annotated[
        list[str] | None, typer.Option("--domain", help="Domain to build; may be repeated.", show_default="all")
    ] = None,
    per_domain: Annotated[
        int, typer.Option("--per-domain", help="Articles per domain at most.")
    ] = _DEFAULTS.per_domain,
    min_words: Annotated[int, typer.Option("--min-words", help="Shortest article taken.")] = _DEFAULTS.min_words,
    max_words: Annotated[int, typer.Option("--max-words", help="Longest article taken.")] = _DEFAULTS.max_words,
    min_nodes: MinNodesOption = _DEFAULTS.min_nodes,
    max_nodes: MaxNodesOption = _DEFAULTS.max_nodes,
    min_edges: MinEdgesOption = _DEFAULTS.min_edges,
    examples: ExamplesOption = _DEFAULTS.examples,
    per_backbone: PerBackboneOption = _DEFAULTS.per_backbone,
    seed: SeedOption = _DEFAULTS.seed,
    run: Annotated[int, typer.Option("--run", help="Draw number: another one asks the models afresh.")] = _DEFAULTS.run,
    reconcile: ReconcileOption = _DEFAULTS.reconcile,
    max_usd: MaxUsdOption = None,
    data: DataOption = Path(_DEFAULTS.data),
    cache: CacheOption = Path(_DEFAULTS.cache),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the calls, tokens and cost to expect, and call nothing.")
    ] = False,
    verbose: VerboseOption = False,
) -> None:
    """Build or update a corpus of text-network pairs.

    Exit codes: 0 done; 1 a service broke or nothing could be built; 2 wrong input; 3 stopped by --max-usd.
    """
    with reporting_errors():
        settings = to_settings(
            BuildSettings,
            source=source,
            model=model,
            writer=writer,
            checker=checker,
            domains=tuple(domain or ()),
            per_domain=per_domain,
            min_words=min_words,
            max_words=max_words,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            min_edges=min_edges,
            examples=examples,
            per_backbone=per_backbone,
            seed=seed,
            run=run,
            reconcile=reconcile,
            max_usd=max_usd,
            data=str(data),
            cache=str(cache),
        )
        if dry_run:
            from flows.commands import print_estimate

            print_estimate(settings)
        else:
            from flows.commands import run_build

            raise typer.Exit(run_build(settings, is_verbose=verbose))


@app.command()
def verify(data: DataOption = Path(_DEFAULTS.data)) -> None:
    """Check everything that a reader of the tables relies on. Exit code 1 and a list where something fails."""
    with reporting_errors():
        from flows.commands import run_verify

        raise typer.Exit(run_verify(data))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of an example, or of a backbone.")],
    data: DataOption = Path(_DEFAULTS.data),
    full: Annotated[bool, typer.Option("--full", help="Print every column of every CPD.")] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="Also draw the network into this .svg or .png file.")
    ] = None,
) -> None:
    """Draw a network in the terminal, with its description and CPDs."""
    with reporting_errors():
        from flows.commands import run_show

        run_show(data, name, is_full=full, figure=figure)
