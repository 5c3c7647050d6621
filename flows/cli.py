"""The command line, ``prism``. Each command imports what it needs, so that ``prism --help`` answers at once."""

from pathlib import Path
from typing import Annotated

import typer

from flows.benchmark_cli import agreement, benchmark, judges
from flows.cache_cli import cache_app
from flows.import_cli import import_app
from flows.models_cli import models
from flows.options import (
    BatchOption,
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
app.add_typer(cache_app, name="cache")
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
        str,
        typer.Option(
            "--source", help="samples, folder:PATH, wikipedia (wikipedia:de) or dump:PATH (.xml, .bz2 or .gz)."
        ),
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
    category: Annotated[
        list[str] | None,
        typer.Option("--category", help="Category of articles; may be repeated.", show_default="the domain's"),
    ] = None,
    search: Annotated[
        list[str] | None,
        typer.Option("--search", help="Words to look for; may be repeated.", show_default="the domain's"),
    ] = None,
    article: Annotated[
        list[str] | None,
        typer.Option("--article", help="Title of an article; may be repeated.", show_default="the domain's"),
    ] = None,
    category_depth: Annotated[
        int | None,
        typer.Option("--category-depth", help="Levels of subcategories.", show_default="the seed's, or 1"),
    ] = None,
    text: Annotated[
        str, typer.Option("--text", help="lead, or full: with the sections. Word limits are on the lead.")
    ] = _DEFAULTS.text,
    lock: Annotated[
        str,
        typer.Option(
            "--lock", help="Build from the articles of this articles.lock and no others.", show_default="none"
        ),
    ] = _DEFAULTS.lock,
    on_change: Annotated[
        str,
        typer.Option("--on-change", help="Where a locked article has changed: refuse, report it, or fetch its text."),
    ] = _DEFAULTS.on_change,
    min_words: Annotated[int, typer.Option("--min-words", help="Shortest lead taken.")] = _DEFAULTS.min_words,
    max_words: Annotated[int, typer.Option("--max-words", help="Longest lead taken.")] = _DEFAULTS.max_words,
    input_tokens: Annotated[
        int, typer.Option("--input-tokens", help="Tokens of an article that the model is given, at most.")
    ] = _DEFAULTS.input_tokens,
    min_nodes: MinNodesOption = _DEFAULTS.min_nodes,
    max_nodes: MaxNodesOption = _DEFAULTS.max_nodes,
    min_edges: MinEdgesOption = _DEFAULTS.min_edges,
    examples: ExamplesOption = _DEFAULTS.examples,
    per_backbone: PerBackboneOption = _DEFAULTS.per_backbone,
    seed: SeedOption = _DEFAULTS.seed,
    run: Annotated[int, typer.Option("--run", help="Draw number: another one asks the models afresh.")] = _DEFAULTS.run,
    reconcile: ReconcileOption = _DEFAULTS.reconcile,
    max_usd: MaxUsdOption = None,
    batch: BatchOption = False,
    data: DataOption = Path(_DEFAULTS.data),
    cache: CacheOption = _DEFAULTS.cache,
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
            categories=tuple(category or ()),
            searches=tuple(search or ()),
            articles=tuple(article or ()),
            category_depth=category_depth,
            text=text,
            lock=lock,
            on_change=on_change,
            min_words=min_words,
            max_words=max_words,
            input_tokens=input_tokens,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            min_edges=min_edges,
            examples=examples,
            per_backbone=per_backbone,
            seed=seed,
            run=run,
            reconcile=reconcile,
            max_usd=max_usd,
            batch=batch,
            data=str(data),
            cache=cache,
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
