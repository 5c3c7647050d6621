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
        if _is_interruption(error):
            _stop("interrupted; run the same command again to resume", 130)
        # Prefect's own, on SIGTERM; a plain command need not import Prefect to name its class.
        if type(error).__name__ != "TerminationSignal":
            raise
        _stop("terminated; run the same command again to resume", 143)


def _is_interruption(error: BaseException) -> bool:
    """Whether a Ctrl-C is at the bottom of an exception of a library, which may have caught it and raised its own."""
    below: BaseException | None = error
    seen: set[int] = set()
    while below is not None and id(below) not in seen:
        # pydantic wraps what is raised while it serialises, without a cause, and names it in the text only.
        is_wrapped = type(below).__name__ == "PydanticSerializationError" and "KeyboardInterrupt" in str(below)
        if is_wrapped or isinstance(below, KeyboardInterrupt):
            return True
        seen.add(id(below))
        below = below.__cause__ or below.__context__
    return False


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
