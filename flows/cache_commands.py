"""What ``prism cache`` does and prints."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from schemas.errors import InputError
from storage.redis_address import show_address
from storage.replies import DATABASE, is_address, list_set_aside, open_replies
from storage.reply_census import Census, Criteria, ModelReplies, count_replies, prune_replies
from storage.reply_entries import Replies
from storage.reply_files import export_replies, import_replies

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def print_stats(cache: str) -> None:
    """Print what a cache holds, model by model.

    Raises:
        InputError: there is no such cache.
    """
    with _opening(cache) as store:
        census, n_bytes = count_replies(store.entries()), store.stats().n_bytes
    console, total = Console(), census.total
    age = f", kept {_show_range(total)}" if total.oldest else ""
    console.print(Text(f"{_show_cache(cache)}: {_count(total.n_replies, 'reply')}, {_show_size(n_bytes)}{age}"))
    if census.models:
        table = Table(pad_edge=False)
        table.add_column("model", overflow="fold")
        for column in ("replies", "size", "oldest", "newest"):
            table.add_column(column, justify="right", no_wrap=True)
        for row in census.models:
            times = (f"{time:%Y-%m-%d}" if time else "" for time in (row.oldest, row.newest))
            table.add_row(Text(_to_printable(row.model)), f"{row.n_replies:,}", _show_size(row.n_bytes), *times)
        console.print(table)
    if census.n_damaged:
        console.print(Text(f"{_count(census.n_damaged, 'damaged entry')}: `prism cache prune --damaged` removes them."))
    if aside := _list_set_aside(cache):
        console.print(
            Text(
                f"{_count(len(aside), 'file')} of corrupt databases set aside, {_show_size(_measure(aside))}: "
                "`prism cache prune --set-aside` removes them."
            )
        )


def export_to(file: Path, cache: str) -> None:
    """Write a cache to a file.

    Raises:
        InputError: there is no such cache, or the file cannot be written.
    """
    with _opening(cache) as store:
        exported = export_replies(store, file)
    left = f"; left out {_count(exported.n_damaged, 'damaged entry')}" if exported.n_damaged else ""
    Console().print(
        Text(f"{file}: {_count(exported.n_replies, 'reply')}, {_show_size(file.stat().st_size)}{left}"), soft_wrap=True
    )


def import_from(file: Path, cache: str) -> None:
    """Add the replies of a file to a cache, which is made where it is missing, unless the file is wrong.

    Raises:
        InputError: a line is wrong, or the cache cannot be used.
    """
    imported = import_replies(file, _opening(cache, is_new=True))
    Console().print(
        Text(f"{_show_cache(cache)}: {_count(imported.n_new, 'reply')} added, {imported.n_known:,} there already"),
        soft_wrap=True,
    )


def prune_cache(
    cache: str, *, older_than: str | None, models: frozenset[str], is_damaged: bool, is_set_aside: bool, is_dry: bool
) -> None:
    """Remove what is chosen, or say what would be removed.

    Raises:
        InputError: nothing is chosen, an age or a model is none, or there is no such cache.
    """
    if not all(name.strip() for name in models):
        raise InputError("--model: the name is empty; give it as `prism cache stats` shows it")
    before = datetime.now(UTC) - to_age(older_than) if older_than is not None else None
    criteria = Criteria(before, models, is_damaged)
    if criteria == Criteria() and not is_set_aside:
        raise InputError("say what to remove: --older-than AGE, --model NAME, --damaged or --set-aside")
    if is_set_aside and is_address(cache):
        raise InputError("--set-aside: only a cache in a folder sets files aside")
    done = "would be removed" if is_dry else "removed"
    console = Console()
    if criteria != Criteria():
        with _opening(cache) as store:
            if models:
                criteria = replace(criteria, models=_find_models(models, count_replies(store.entries())))
            pruned = prune_replies(store, criteria, is_dry=is_dry)
        what = "entry" if is_damaged else "reply"
        console.print(Text(f"{_count(pruned.n_entries, what)} {done}, {_show_size(pruned.n_bytes)}"))
    if is_set_aside:
        files = _list_set_aside(cache)
        size = _measure(files)
        for file in () if is_dry else files:
            file.unlink(missing_ok=True)
        console.print(Text(f"{_count(len(files), 'file')} of corrupt databases {done}, {_show_size(size)}"))


def _find_models(asked: frozenset[str], census: Census) -> frozenset[str]:
    """The names in a cache of the models asked for; a name of the catalogue stands for the id that it sends.

    Raises:
        InputError: the cache has no reply of one of them.
    """
    from providers.catalogue import list_models

    kept = {name for row in census.models for name in (row.model, row.model.partition(":")[2]) if name}
    ids = {entry.id: {f"{entry.provider}:{entry.model}", entry.model} for entry in list_models()}
    found: set[str] = set()
    for name in asked:
        names = {name} & kept or ids.get(name, set[str]()) & kept
        if not names:
            known = ", ".join(_to_printable(row.model) for row in census.models) or "none at all"
            raise InputError(f"--model {name}: the cache has no replies of it; there are {known}")
        found |= names
    return frozenset(found)


def to_age(text: str) -> timedelta:
    """An age from a number and a unit.

    Example:
        >>> to_age("90d").days
        90

    Raises:
        InputError: it is none.
    """
    found = re.fullmatch(r"(\d{1,5})([hdw])", text.strip())
    if found is None:
        raise InputError(f"--older-than {text}: give a number and h, d or w (hours, days, weeks), such as 90d")
    return int(found[1]) * _UNITS[found[2]]


@contextmanager
def _opening(cache: str, *, is_new: bool = False) -> Generator[Replies]:
    """The cache of an option. Looking at a folder that is none must not make one of it."""
    if not is_new and not is_address(cache) and not Path(cache, DATABASE).exists():
        raise InputError(f"--cache {cache}: holds no reply cache; `prism build` and `prism cache import` make one")
    with open_replies(cache) as store:
        yield store


def _show_cache(cache: str) -> str:
    return show_address(cache) if is_address(cache) else cache


def _list_set_aside(cache: str) -> tuple[Path, ...]:
    return () if is_address(cache) else list_set_aside(Path(cache))


def _measure(files: tuple[Path, ...]) -> int:
    return sum(file.stat().st_size for file in files)


def _show_range(row: ModelReplies) -> str:
    first, last = f"{row.oldest:%Y-%m-%d}", f"{row.newest:%Y-%m-%d}"
    return f"on {first}" if first == last else f"from {first} to {last}"


def _show_size(n_bytes: int) -> str:
    size, units = float(n_bytes), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        del units[0]
    return f"{size:,.0f} {units[0]}" if units[0] == "bytes" or size >= 100 else f"{size:.1f} {units[0]}"


def _count(n: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def _to_printable(text: str) -> str:
    """The name of a model as it came over the wire, without what a terminal would act on."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:100]
