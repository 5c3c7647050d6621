"""The command ``prism models``: which models there are, and whether one of them answers."""

from typing import Annotated

import typer

from flows.options import reporting_errors


def models(
    check: Annotated[
        str,
        typer.Option("--check", metavar="NAME", help="Make one tiny call to this model and say what happened."),
    ] = "",
) -> None:
    """List the models of the catalogue and of your PRISM_MODELS, or check one of them."""
    with reporting_errors():
        from flows.models_commands import print_check, print_models

        if check:
            raise typer.Exit(print_check(check))
        print_models()
