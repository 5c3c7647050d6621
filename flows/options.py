"""What the commands share: options, settings from options, and errors as one line and an exit code."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from schemas.calls import StoreUnreachable
from schemas.errors import AccessError, BudgetReached, InputError, ServiceError
from schemas.settings import RunSettings

SettingsT = TypeVar("SettingsT", bound=RunSettings)

DataOption = Annotated[Path, typer.Option("--data", help="Folder of the Parquet tables.")]
CacheOption = Annotated[
    str,
    typer.Option("--cache", help="Reply cache: a folder, or redis://HOST:PORT/NUMBER.", envvar="PRISM_CACHE"),
]
MaxUsdOption = Annotated[
    float | None,
    typer.Option("--max-usd", help="Stop before calls cost more than this; resumable.", show_default="no ceiling"),
]
BatchOption = Annotated[
    bool, typer.Option("--batch", help="Ask through the provider's batch API: half the price, up to a day of waiting.")
]
VerboseOption = Annotated[bool, typer.Option("--verbose", help="Show Prefect's log.")]

WriterOption = Annotated[
    str, typer.Option("--writer", help="Model that writes descriptions.", show_default="the elicitation model")
]
CheckerOption = Annotated[
    str, typer.Option("--checker", help="Model that accepts equivalent names in descriptions.", show_default="none")
]
MinNodesOption = Annotated[int, typer.Option("--min-nodes", help="Variables of the smallest example.")]
MaxNodesOption = Annotated[int, typer.Option("--max-nodes", help="Variables of the largest example.")]
MinEdgesOption = Annotated[int, typer.Option("--min-edges", help="Edges an example has at least.")]
ExamplesOption = Annotated[int, typer.Option("--examples", help="Examples of the corpus at most.")]
PerBackboneOption = Annotated[int, typer.Option("--per-backbone", help="Examples of one backbone at most.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the sampling of examples.")]
ReconcileOption = Annotated[
    bool, typer.Option("--reconcile", help="Fit the joints to the marginals before recovering CPDs.")
]


@contextmanager
def reporting_errors() -> Generator[None]:
    """Turn the project's exceptions into one line on standard error and an exit code."""
    try:
        yield
    except StoreUnreachable as error:
        _stop(str(error), 1)
    except InputError as error:
        _stop(str(error), 2)
    except (AccessError, ServiceError) as error:
        _stop(str(error), 1)
    except BudgetReached as error:
        _stop(str(error), 3)
    except KeyboardInterrupt:
        _stop("interrupted; run the same command again to resume", 130)
    except BaseException as error:
        # Prefect's own, on SIGTERM; a plain command need not import Prefect to name its class.
        if type(error).__name__ != "TerminationSignal":
            raise
        _stop("terminated; run the same command again to resume", 143)


def _stop(message: str, code: int) -> None:
    print("prism: " + " ".join(message.split()), file=sys.stderr)  # noqa: T201 - the one line of an error
    raise typer.Exit(code)


def to_settings(kind: type[SettingsT], **values: Any) -> SettingsT:
    """Settings from options.

    Raises:
        InputError: an option is out of bounds; the text names it.
    """
    from pydantic import ValidationError

    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        option = f"--{str(first['loc'][0]).replace('_', '-')}: " if first["loc"] else ""
        raise InputError(option + first["msg"].removeprefix("Value error, ")) from error
