"""Replies in a file: JSON Lines, one entry a line, to move a cache to another place or to read it elsewhere.

A line has ``key`` (64 hexadecimal digits), ``kept_at`` (ISO 8601, UTC; null where it is not known) and ``reply``, the
response as a JSON object (:func:`storage.reply_entries.is_response`).
"""

import gzip
import json
import os
import re
import secrets
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

from schemas.errors import InputError
from storage.reply_entries import MAX_REPLY_BYTES, Replies, ReplyEntry, is_response, to_fields, to_groups

_KEY = re.compile(r"[0-9a-f]{64}")
_FIELDS = {"key", "kept_at", "reply"}
_LINES = 256  # handed to the cache at a time
_BLANK = 100_000  # bytes of empty lines in a file; a small packed one could hold them without an end


@dataclass(frozen=True, slots=True)
class Exported:
    """How many replies a file got, and how many entries were left out because they are damaged."""

    n_replies: int
    n_damaged: int


@dataclass(frozen=True, slots=True)
class Imported:
    """How many replies of a file were new to the cache, and how many it had already."""

    n_new: int
    n_known: int


def export_replies(store: Replies, file: Path) -> Exported:
    """Write all replies of a cache; the file is complete or not there.

    Raises:
        InputError: the file's name ends neither in ``.jsonl`` nor in ``.jsonl.gz``, or it cannot be written.
    """
    _check_name(file)
    temporary = file.with_name(f".{file.name}-{secrets.token_hex(8)}")
    n_replies = n_damaged = 0
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as raw:
                with _packing(raw) if file.suffix == ".gz" else nullcontext(raw) as out:
                    for entry in store.entries():
                        line = _to_line(entry)
                        n_replies += line is not None
                        n_damaged += line is None
                        out.write(line or b"")
                raw.flush()
                os.fsync(raw.fileno())
            temporary.replace(file)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{file}: cannot be written ({error.strerror}); choose another place") from error
    return Exported(n_replies, n_damaged)


def import_replies(file: Path, opening: AbstractContextManager[Replies]) -> Imported:
    """Add the replies of a file to a cache; keys that it has are left alone.

    The whole file is read first: where a line is wrong nothing is added, and the cache is not even opened.

    Args:
        file: the replies.
        opening: the cache, opened when it is entered.

    Raises:
        InputError: the file cannot be read or a line is wrong, which the text names; or the cache cannot be written.
    """
    _check_name(file)
    for _ in _read_entries(file):
        pass
    n_lines = n_new = 0
    with opening as store:
        for entries in to_groups(_read_entries(file), _LINES):
            n_lines += len(entries)
            n_new += store.add(entries)
    return Imported(n_new, n_lines - n_new)


def _check_name(file: Path) -> None:
    if not file.name.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"{file}: the file's name must end in .jsonl or .jsonl.gz")


def _packing(raw: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    # Neither name nor time: the same replies make the same file.
    return cast("Any", gzip.GzipFile("", "wb", 6, raw, 0))


def _to_line(entry: ReplyEntry) -> bytes | None:
    reply = to_fields(entry.reply) if entry.reply is not None else None
    if not is_response(reply) or not _KEY.fullmatch(entry.key):
        return None
    kept_at = entry.kept_at.isoformat() if entry.kept_at is not None else None
    line = {"key": entry.key, "kept_at": kept_at, "reply": reply}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _read_entries(file: Path) -> Iterator[ReplyEntry]:
    number = n_blank = 0
    try:
        if file.exists() and not file.is_file():  # a pipe would be waited for
            raise InputError(f"{file}: cannot be read (it is no regular file); give the file that was exported")
        with cast("IO[bytes]", gzip.open(file)) if file.suffix == ".gz" else file.open("rb") as lines:
            while line := lines.readline(MAX_REPLY_BYTES):
                number += 1
                if line.strip():
                    yield _to_entry(line)
                else:
                    n_blank = _add_blank(n_blank, line)
    except _WrongLine as error:
        raise InputError(f"{file}: line {number}: {error}; nothing was imported") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{file}: is no whole gzip file ({error}); nothing was imported") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error})") from error


class _WrongLine(Exception):
    """What is wrong with a line."""


def _add_blank(n_blank: int, line: bytes) -> int:
    if n_blank + len(line) > _BLANK:
        raise _WrongLine(f"too many empty lines, over {_BLANK:,} bytes of them")
    return n_blank + len(line)


def _to_entry(line: bytes) -> ReplyEntry:
    if len(line) >= MAX_REPLY_BYTES:
        raise _WrongLine(f"is longer than {MAX_REPLY_BYTES:,} bytes")
    try:
        fields = to_fields(line.decode())
    except UnicodeDecodeError as error:
        raise _WrongLine(f"is not UTF-8 (byte {error.start})") from error
    if fields is None:
        raise _WrongLine("is no JSON object")
    if unknown := set(fields) - _FIELDS:
        raise _WrongLine(f"has the unknown field {min(unknown)[:60]!r}")
    key, kept_at, reply = (fields.get(name) for name in ("key", "kept_at", "reply"))
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise _WrongLine("key: must be 64 hexadecimal digits in lower case")
    if not isinstance(reply, dict):
        raise _WrongLine("reply: must be a JSON object")
    if not is_response(reply):
        raise _WrongLine('reply: is no response: "kind" must be "response", "parts" a list of objects with "part_kind"')
    return ReplyEntry(key, json.dumps(reply, ensure_ascii=False, separators=(",", ":")), _to_time(kept_at))


def _to_time(text: object) -> datetime | None:
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(cast("str", text))
        # Without a zone it is UTC. The conversion fails for years that do not exist in it.
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise _WrongLine("kept_at: must be a time such as 2026-01-31T12:00:00+00:00, or null") from None
