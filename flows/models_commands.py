"""What ``prism models`` prints."""

import asyncio
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from flows.commands import require_key
from providers.catalogue import ModelEntry, find_model, list_models
from providers.prices import TokenUsage, price_call

if TYPE_CHECKING:
    from tasks.model_check import ModelCheck

MILLION = 1_000_000


def print_models() -> None:
    """A row a model: what it is, whether its key is set, how much it reads, and what it costs."""
    table = Table(pad_edge=False)
    table.add_column("model", overflow="fold")
    for column in ("key", "context", "$/M in", "$/M out"):
        table.add_column(column, justify="left" if column == "key" else "right", no_wrap=True)
    for entry in list_models():
        name = Text(entry.id)
        name.append("\n" + ", ".join(filter(None, (entry.provider, entry.key_env, _show_settings(entry)))), style="dim")
        prices = (_show_price(entry, TokenUsage(MILLION, 0)), _show_price(entry, TokenUsage(0, MILLION)))
        table.add_row(name, _show_key(entry), f"{entry.context_tokens:,}", *prices)
    console = Console()
    console.print(table)
    console.print(
        Text(
            "deployments/models.yaml lists them; a file named in PRISM_MODELS adds models or changes fields. "
            "`prism models --check NAME` makes one tiny call. A key that is not set may be kept in a Secret block of "
            "the Prefect server."
        )
    )


def _show_key(entry: ModelEntry) -> str:
    if not entry.key_env:
        return "none needed"
    return "set" if entry.is_key_set else "not set"


def _show_price(entry: ModelEntry, usage: TokenUsage) -> str:
    price = price_call(entry, usage)
    return "unknown" if price is None else "free" if not price else f"{price:.2f}"


def _show_settings(entry: ModelEntry) -> str:
    settings = entry.settings.model_dump(exclude_none=True)
    return ", ".join(f"{name} {value}" for name, value in settings.items())


def print_check(name: str) -> int:
    """One line about one model; the exit code, 1 where it cannot be used.

    Raises:
        InputError: there is no such model, or its key is neither set nor kept.
        ServiceError: the service does not answer.
    """
    entry = find_model(name)
    require_key(entry)
    outcome = asyncio.run(_check(entry))
    Console().print(Text(" ".join(outcome.line.split())), soft_wrap=True)
    return 0 if outcome.is_usable else 1


async def _check(entry: ModelEntry) -> "ModelCheck":
    from tasks.model_check import check_model

    if not entry.is_key_set:
        from tasks.keys import load_keys

        await load_keys([entry.id])
    return await check_model(entry)
