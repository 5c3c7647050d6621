"""The reply cache: answers that were paid for, kept on disk by content key and never evicted.

diskcache does the work, with a disk class of our own. Its default pickles whatever is no plain string, and even its
``JSONDisk`` unpickles a row that the database marks as pickled, so whoever can write the folder can run code in this
process (CVE-2025-69872). Here keys are strings, values are compressed UTF-8 text in the database itself, and anything
else found there is a damaged entry.
"""

import fcntl
import logging
import sqlite3
import threading
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import diskcache

from schemas.errors import InputError

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

DATABASE = "cache.db"
MAX_REPLY_BYTES = 2**26
_RAW = 1  # diskcache's mode of a value that stands in the row as it is
_SETTINGS: dict[str, Any] = {
    "eviction_policy": "none",
    "cull_limit": 0,
    "size_limit": 2**62,
    "statistics": 0,  # counting in the database would make every read a write
    "tag_index": 0,
}


class DamagedEntry(Exception):
    """A row of the database that this class did not write."""


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
        return 0, _RAW, None, zlib.compress(value.encode("utf-8", "surrogatepass"), 1)

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> str:
        """The reply that a row holds.

        Raises:
            DamagedEntry: the row is pickled, points to a file, or does not decompress to text of a sensible size.
        """
        if mode != _RAW or filename is not None or type(value) is not bytes or read:
            raise DamagedEntry
        decompressor = zlib.decompressobj()
        try:
            text = decompressor.decompress(value, MAX_REPLY_BYTES).decode("utf-8", "surrogatepass")
        except (zlib.error, UnicodeDecodeError) as error:
            raise DamagedEntry from error
        if not decompressor.eof:
            raise DamagedEntry
        return text

    def remove(self, file_path: str) -> None:
        """Nothing: no row owns a file, and a planted name must not delete one."""


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds, and how often this process found what it looked for."""

    n_entries: int
    n_bytes: int
    n_hits: int
    n_misses: int


class ReplyCache:
    """A :class:`schemas.calls.ReplyStore` on disk, for several threads and processes at once.

    A database that is corrupt is set aside under another name with a warning, and a new one is begun. A single damaged
    entry is dropped and asked for again.

    Example:
        >>> from tempfile import mkdtemp
        >>> with ReplyCache(Path(mkdtemp())) as cache:
        ...     cache.put("key", "{}")
        ...     cache.get("key"), cache.get("other")
        ('{}', None)

    Raises:
        InputError: the folder can be neither found nor made, or not written to.
    """

    def __init__(self, folder: Path, *, timeout: int = 60) -> None:
        """Open the cache in a folder, which is made where it is missing.

        Args:
            folder: where the database is.
            timeout: seconds to wait for another process that is writing.
        """
        self._folder = folder.absolute()
        self._timeout = timeout
        self._lock = threading.Lock()
        self._n_hits = self._n_misses = 0
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._to_input_error(error) from error
        self._cache = self._translate(self._open)

    def get(self, key: str) -> str | None:
        """The reply kept under the key, or None.

        Raises:
            InputError: the database cannot be read.
        """
        try:
            reply = self._run(lambda cache: cache.get(key))
        except DamagedEntry:
            _log.warning("reply cache %s: dropped the damaged entry %s", self._folder, key)
            self._run(lambda cache: cache.delete(key))
            reply = None
        with self._lock:
            if reply is None:
                self._n_misses += 1
            else:
                self._n_hits += 1
        return reply

    def put(self, key: str, reply: str) -> None:
        """Keep a reply; a key that exists is left alone.

        Raises:
            InputError: the database cannot be written, for instance because the disk is full.
        """
        self._run(lambda cache: cache.add(key, reply))

    def stats(self) -> CacheStats:
        """What the cache holds now, and this process's hits and misses."""
        n_entries, n_bytes = self._run(lambda cache: (len(cache), cache.volume()))
        return CacheStats(n_entries, n_bytes, self._n_hits, self._n_misses)

    def close(self) -> None:
        """Close this thread's connection; another use opens it again."""
        self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, use: Callable[[Any], _Result]) -> _Result:
        return self._translate(lambda: self._use(use))

    def _use(self, use: Callable[[Any], _Result]) -> _Result:
        try:
            return use(self._cache)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._set_aside()
            self._cache = self._connect()
            return use(self._cache)

    def _open(self) -> Any:
        try:
            return self._connect()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._set_aside()
            return self._connect()

    def _connect(self) -> Any:
        return diskcache.Cache(str(self._folder), timeout=self._timeout, disk=ReplyDisk, **_SETTINGS)

    def _translate(self, act: Callable[[], _Result]) -> _Result:
        # diskcache would retry for ever if asked to, also on a read-only database; so it is not asked to.
        try:
            return act()
        except (OSError, diskcache.Timeout, sqlite3.DatabaseError) as error:
            raise self._to_input_error(error) from error

    def _to_input_error(self, error: Exception) -> InputError:
        reason = getattr(error, "strerror", None) or str(error) or "locked or not writable"
        return InputError(
            f"reply cache {self._folder}: cannot be used ({reason}); make room there or choose another --cache folder"
        )

    def _set_aside(self) -> None:
        """Rename a corrupt database, unless another process has done so meanwhile."""
        with self._exclusive():
            path = self._folder / DATABASE
            if _is_sound(path):
                return
            suffix = f"corrupt-{datetime.now(UTC):%Y%m%dt%H%M%S%f}"
            for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
                part = self._folder / name
                if part.exists():
                    part.rename(self._folder / f"{name}.{suffix}")
            _log.warning("reply cache %s: its database is corrupt; set aside as %s.%s", self._folder, DATABASE, suffix)

    @contextmanager
    def _exclusive(self) -> Generator[None]:
        with (self._folder / ".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _is_sound(path: Path) -> bool:
    if not path.exists():
        return True
    connection = sqlite3.connect(path)
    try:
        return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()
