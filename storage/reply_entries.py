"""What every reply cache has in common, wherever it keeps its replies: entries, their bytes, and what can be asked.

A reply is kept as compressed UTF-8 text. Whatever else is found in its place is damaged: it is never interpreted.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Protocol, TypeVar, cast

from schemas.calls import ReplyStore

_Item = TypeVar("_Item")

MAX_REPLY_BYTES = 2**26
"""Size of the longest reply that is read back; a small damaged value must not fill the memory."""

UNKNOWN_MODEL = "unknown"
"""What stands for the model of a reply that names none."""


class DamagedEntry(Exception):
    """What is kept under a key is not what this project writes there."""


@dataclass(frozen=True, slots=True)
class ReplyEntry:
    """A reply as it is kept.

    ``reply`` is None where the entry is damaged, ``kept_at`` where it is not known; ``n_bytes`` is the size as stored.
    """

    key: str
    reply: str | None
    kept_at: datetime | None = None
    n_bytes: int = 0


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds, and how often this process found what it looked for."""

    n_entries: int
    n_bytes: int
    n_hits: int
    n_misses: int


class Replies(ReplyStore, Protocol):
    """A reply cache that can also be looked through, filled from another one, and thinned out."""

    def entries(self) -> Iterator[ReplyEntry]:
        """All entries, a few in memory at a time, damaged ones too; entries may come and go meanwhile."""
        ...

    def add(self, entries: Sequence[ReplyEntry]) -> int:
        """Keep entries with the time at which they were first kept; keys that exist are left alone.

        Returns:
            How many were new.
        """
        ...

    def delete(self, keys: Iterable[str]) -> int:
        """Remove entries; how many there were."""
        ...

    def stats(self) -> CacheStats:
        """What the cache holds now, and this process's hits and misses."""
        ...

    def close(self) -> None:
        """Close the connections; another use opens them again."""
        ...


def compress(reply: str) -> bytes:
    """A reply as the bytes that are kept.

    Example:
        >>> decompress(compress("any text"))
        'any text'
    """
    return zlib.compress(reply.encode("utf-8", "surrogatepass"), 1)


def decompress(value: bytes) -> str:
    """The reply that some bytes hold.

    Raises:
        DamagedEntry: they do not decompress to text of a sensible size.
    """
    decompressor = zlib.decompressobj()
    try:
        text = decompressor.decompress(value, MAX_REPLY_BYTES).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedEntry from error
    if not decompressor.eof:
        raise DamagedEntry
    return text


def to_groups(items: Iterable[_Item], size: int) -> Iterator[tuple[_Item, ...]]:
    """The items in their order, so many at a time.

    Example:
        >>> list(to_groups("abcde", 2))
        [('a', 'b'), ('c', 'd'), ('e',)]
    """
    rest = iter(items)
    while group := tuple(islice(rest, size)):
        yield group


def to_time(seconds: float) -> datetime | None:
    """The time so many seconds after the beginning of 1970 (UTC); None where there is no such year.

    Example:
        >>> to_time(1.5e9).isoformat()
        '2017-07-14T02:40:00+00:00'
        >>> to_time(float("inf")) is None
        True
    """
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def to_fields(reply: str) -> dict[str, Any] | None:
    """The fields of a reply; None where it is no JSON object."""
    try:
        fields = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", fields) if isinstance(fields, dict) else None


def is_response(fields: object) -> bool:
    """Whether some JSON has the least shape of a response: without it no run can use a reply, whoever wrote it.

    Example:
        >>> is_response({"kind": "response", "parts": [{"part_kind": "text", "content": "any"}]})
        True
        >>> is_response({"kind": "response"}), is_response({"model_name": "m"}), is_response([])
        (False, False, False)
    """
    if not isinstance(fields, dict):
        return False
    response = cast("dict[str, object]", fields)
    parts = response.get("parts")
    return (
        response.get("kind") == "response"
        and isinstance(parts, list)
        and all(
            isinstance(part, dict) and isinstance(cast("dict[str, object]", part).get("part_kind"), str)
            for part in cast("list[object]", parts)
        )
    )


def is_damaged(entry: ReplyEntry) -> bool:
    """Whether an entry holds no reply: it cannot be read, or is no response."""
    return entry.reply is None or not is_response(to_fields(entry.reply))


def to_model(reply: str) -> str:
    """Who gave a reply, as ``provider:model``; code is known by its name alone.

    Example:
        >>> to_model('{"provider_name": "openai", "model_name": "gpt-4o-mini-2024-07-18"}')
        'openai:gpt-4o-mini-2024-07-18'
        >>> to_model('{"model_name": "offline:rules"}'), to_model("{}")
        ('offline:rules', 'unknown')
    """
    fields = to_fields(reply) or {}
    model, provider = fields.get("model_name"), fields.get("provider_name")
    if not isinstance(model, str) or not model:
        return UNKNOWN_MODEL
    return f"{provider}:{model}" if isinstance(provider, str) and provider else model
