"""The rows of the reply cache on disk.

diskcache does the work, with a disk class of our own. Its default pickles whatever is no plain string, and even its
``JSONDisk`` unpickles a row that the database marks as pickled, so whoever can write the folder can run code in this
process (CVE-2025-69872). Here keys are strings, values are compressed UTF-8 text in the database itself, and anything
else found there is a damaged entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import diskcache

from storage.reply_entries import DamagedEntry, ReplyEntry, compress, decompress, to_time

_ROWS = 32  # read at a time
_RAW = 1  # diskcache's mode of a value that stands in the row as it is
_ROW = "#"  # before the number of a row whose key is none of ours: so it can be named, and be deleted


class ReplyDisk(diskcache.Disk):
    """Strings as keys, compressed text as values, all inside the database; nothing is ever unpickled."""

    def __init__(self, directory: str, **_settings: object) -> None:
        super().__init__(directory)

    def put(self, key: object) -> Any:
        """The database key of a key, which must be a string."""
        if type(key) is not str:
            raise TypeError("keys of the reply cache are strings")
        return key, True

    def get(self, key: object, raw: object) -> str:
        """The key that a database key stands for."""
        if not raw or type(key) is not str:
            raise DamagedEntry
        return key

    def store(self, value: object, read: bool, key: object = None) -> Any:
        """Size, mode, file name and value of a row; replies never go to files of their own."""
        del key
        if read or type(value) is not str:
            raise TypeError("values of the reply cache are strings")
        return 0, _RAW, None, compress(value)

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> str:
        """The reply that a row holds.

        Raises:
            DamagedEntry: the row is pickled, points to a file, or does not decompress to text of a sensible size.
        """
        if mode != _RAW or filename is not None or type(value) is not bytes or read:
            raise DamagedEntry
        return decompress(value)

    def remove(self, file_path: str) -> None:
        """Nothing: no row owns a file, and a planted name must not delete one."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some entries, and the number of the last row among them."""

    entries: tuple[ReplyEntry, ...]
    last: int


def read_rows(cache: Any, after: int) -> Rows:
    """The next few entries after a row."""
    found = cache._sql(
        "SELECT rowid, key, raw, mode, filename, value, store_time FROM Cache WHERE rowid > ? ORDER BY rowid LIMIT ?",
        (after, _ROWS),
    ).fetchall()
    return Rows(tuple(_to_entry(*row) for row in found), found[-1][0] if found else after)


def add_rows(cache: Any, entries: Sequence[ReplyEntry]) -> int:
    """Add entries in one transaction, those whose key exists excepted; how many were new."""
    n_new = 0
    with cache.transact():
        for entry in entries:
            if entry.reply is not None and cache.add(entry.key, entry.reply):
                n_new += 1
                if entry.kept_at is not None:
                    at = entry.kept_at.timestamp()
                    cache._sql("UPDATE Cache SET store_time = ? WHERE key = ? AND raw = 1", (at, entry.key))
    return n_new


def delete_rows(cache: Any, keys: Sequence[str]) -> int:
    """Delete entries in one transaction; how many there were."""
    with cache.transact():
        return sum(_delete_row(cache, key) if key.startswith(_ROW) else cache.delete(key) for key in keys)


def _delete_row(cache: Any, name: str) -> bool:
    # The number may have gone to another entry meanwhile, one of ours: that stays.
    statement = "DELETE FROM Cache WHERE rowid = ? AND (raw IS NOT 1 OR typeof(key) != 'text' OR substr(key, 1, 1) = ?)"
    number = name.removeprefix(_ROW)
    return number.isdecimal() and cache._sql(statement, (int(number), _ROW)).rowcount > 0


def _to_entry(
    row: int, key: object, raw: object, mode: object, filename: object, value: object, at: object
) -> ReplyEntry:
    disk = ReplyDisk("")
    kept_at = to_time(at) if isinstance(at, float) else None
    n_bytes = len(value) if isinstance(value, bytes) else 0
    try:
        name = disk.get(key, raw)
    except DamagedEntry:
        name = _ROW
    if name.startswith(_ROW):
        return ReplyEntry(f"{_ROW}{row}", None, kept_at, n_bytes)
    try:
        return ReplyEntry(name, disk.fetch(mode, filename, value, False), kept_at, n_bytes)
    except DamagedEntry:
        return ReplyEntry(name, None, kept_at, n_bytes)
