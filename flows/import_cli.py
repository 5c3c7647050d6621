"""The commands that load what was made elsewhere, ``prism import``: backbones, a corpus, predictions, annotations."""

from pathlib import Path
from typing import Annotated, Literal

import typer

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
from schemas.settings import BuildSettings

import_app = typer.Typer(help="Load what was made elsewhere.", no_args_is_help=True)

_DEFAULTS = BuildSettings()

ModeOption = Annotated[
    Literal["full", "pairwise"],
    typer.Option("--mode", help="What tables it has: one for each child given all its parents, or one for each edge."),
]


@import_app.command("backbones")
def import_backbones(
    file: Annotated[Path, typer.Argument(help="JSON Lines, one raw elicited backbone a line.")],
    writer: WriterOption = _DEFAULTS.writer,
    checker: CheckerOption = _DEFAULTS.checker,
    min_nodes: MinNodesOption = _DEFAULTS.min_nodes,
    max_nodes: MaxNodesOption = _DEFAULTS.max_nodes,
    min_edges: MinEdgesOption = _DEFAULTS.min_edges,
    examples: ExamplesOption = _DEFAULTS.examples,
    per_backbone: PerBackboneOption = _DEFAULTS.per_backbone,
    seed: SeedOption = _DEFAULTS.seed,
    reconcile: ReconcileOption = _DEFAULTS.reconcile,
    max_usd: MaxUsdOption = None,
    batch: BatchOption = False,
    data: DataOption = Path(_DEFAULTS.data),
    cache: CacheOption = _DEFAULTS.cache,
    verbose: VerboseOption = False,
) -> None:
    """Build a corpus from elicited networks in the released raw layout, without a model."""
    with reporting_errors():
        from flows.commands import run_build

        settings = to_settings(
            BuildSettings,
            source=f"backbones:{file}",
            writer=writer,
            checker=checker,
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            min_edges=min_edges,
            examples=examples,
            per_backbone=per_backbone,
            seed=seed,
            reconcile=reconcile,
            max_usd=max_usd,
            batch=batch,
            data=str(data),
            cache=cache,
        )
        raise typer.Exit(run_build(settings, is_verbose=verbose))


@import_app.command("corpus")
def import_corpus(
    file: Annotated[Path, typer.Argument(help="JSON in the layout of the published corpus.")],
    data: DataOption = Path(_DEFAULTS.data),
) -> None:
    """Load a published corpus as examples to evaluate on, and report what is odd in it. No model is asked.

    Networks that cannot be read are refused alone and stand in the table failures. Exit code 1 if all are refused.
    """
    with reporting_errors():
        from flows.import_commands import load_corpus

        raise typer.Exit(load_corpus(file, data))


@import_app.command("predictions")
def import_predictions(
    file: Annotated[Path, typer.Argument(help="JSON in the layout of the published corpus.")],
    model: Annotated[str, typer.Option("--model", help="Name under which they are scored.")],
    mode: ModeOption = "pairwise",
    data: DataOption = Path(_DEFAULTS.data),
) -> None:
    """Load predictions made elsewhere, to score them like a model's. No model is asked."""
    with reporting_errors():
        from flows.import_commands import load_predictions

        load_predictions(file, model, mode, data)


@import_app.command("annotations")
def import_annotations(
    file: Annotated[Path, typer.Argument(help="CSV with a row for each node, edge and probability.")],
    model: Annotated[str, typer.Option("--model", help="Name under which they are scored, such as person:anna.")],
    mode: ModeOption = "full",
    data: DataOption = Path(_DEFAULTS.data),
) -> None:
    """Load what a person read out of descriptions, to score it like a model's."""
    with reporting_errors():
        from flows.import_commands import load_annotations

        load_annotations(file, model, mode, data)
