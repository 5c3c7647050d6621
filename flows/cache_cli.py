"""The commands that look at the reply cache, move it and thin it out: ``prism cache``."""

from pathlib import Path
from typing import Annotated

import typer

from flows.options import CacheOption, reporting_errors
from schemas.settings import RunSettings

cache_app = typer.Typer(help="Look at the reply cache, move it, thin it out.", no_args_is_help=True)

_DEFAULTS = RunSettings()

FileArgument = Annotated[Path, typer.Argument(help="JSON Lines, packed or not: FILE.jsonl or FILE.jsonl.gz.")]


@cache_app.command("stats")
def stats(cache: CacheOption = _DEFAULTS.cache) -> None:
    """Show how many replies there are, how large and how old, model by model."""
    with reporting_errors():
        from flows.cache_commands import print_stats

        print_stats(cache)


@cache_app.command("export")
def export_cache(file: FileArgument, cache: CacheOption = _DEFAULTS.cache) -> None:
    """Write all replies to a file, to read them elsewhere or to import them into another cache."""
    with reporting_errors():
        from flows.cache_commands import export_to

        export_to(file, cache)


@cache_app.command("import")
def import_cache(file: FileArgument, cache: CacheOption = _DEFAULTS.cache) -> None:
    """Add the replies of an exported file. What is there already stays; where a line is wrong, nothing is added."""
    with reporting_errors():
        from flows.cache_commands import import_from

        import_from(file, cache)


@cache_app.command("prune")
def prune(
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="AGE", help="Replies kept longer ago: 90d, 12h, 4w.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", help="Replies of this model, as `prism cache stats` names it; may be repeated."),
    ] = None,
    damaged: Annotated[bool, typer.Option("--damaged", help="Entries that cannot be read, too.")] = False,
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Databases, too, that were found corrupt and set aside.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed, and remove nothing.")] = False,
    cache: CacheOption = _DEFAULTS.cache,
) -> None:
    """Remove replies by age and model: with both options those that are old and of the model.

    What is removed is asked for, and paid for, when a run needs it again.
    """
    with reporting_errors():
        from flows.cache_commands import prune_cache

        prune_cache(
            cache,
            older_than=older_than,
            models=frozenset(model or ()),
            is_damaged=damaged,
            is_set_aside=set_aside,
            is_dry=dry_run,
        )
