"""The reply cache: answers that were paid for, kept by content key and never evicted; here on disk.

:mod:`storage.redis_replies` keeps them on a server for many machines; :func:`open_replies` opens the one that an option
names.
"""

import fcntl
import logging
import sqlite3
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import diskcache

from schemas.errors import InputError
from storage.ledger import JOURNALS
from storage.reply_entries import CacheStats, DamagedEntry, ReplyEntry
from storage.reply_rows import ReplyDisk, add_rows, delete_rows, read_rows

if TYPE_CHECKING:
    from storage.redis_replies import RedisReplies

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

DATABASE = "cache.db"
SPARE = Path(JOURNALS, "replies")
"""Below a data folder: replies that a server did not take when they came."""
_SETTINGS: dict[str, Any] = {
    "eviction_policy": "none",
    "cull_limit": 0,
    "size_limit": 2**62,
    "statistics": 0,  # counting in the database would make every read a write
    "tag_index": 0,
}


class ReplyCache:
    """The :class:`storage.reply_entries.Replies` on disk, for several threads and processes at once.

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

    def replace(self, key: str, reply: str) -> None:
        """Keep a reply, in place of one that could not be used.

        Raises:
            InputError: the database cannot be written.
        """
        self._run(lambda cache: cache.set(key, reply))

    def entries(self) -> Iterator[ReplyEntry]:
        """All entries, in the order in which they were kept."""
        rows = self._run(lambda cache: read_rows(cache, 0))
        while rows.entries:
            yield from rows.entries
            rows = self._run(partial(read_rows, after=rows.last))

    def add(self, entries: Sequence[ReplyEntry]) -> int:
        """Keep entries with the time at which they were first kept, all of them or none; how many were new.

        Raises:
            InputError: the database cannot be written.
        """
        return self._run(lambda cache: add_rows(cache, entries))

    def delete(self, keys: Iterable[str]) -> int:
        """Remove entries; how many there were. The database shrinks."""
        chosen = tuple(keys)
        return self._run(lambda cache: delete_rows(cache, chosen))

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


def list_set_aside(folder: Path) -> tuple[Path, ...]:
    """The files of corrupt databases that were set aside in a cache folder."""
    return tuple(sorted(path for path in folder.glob(f"{DATABASE}*.corrupt-*") if path.is_file()))


def is_address(cache: str) -> bool:
    """Whether an option names a server rather than a folder, be it with a slip.

    Example:
        >>> is_address("redis://cache.example:6379/0"), is_address("redis:/cache.example"), is_address("cache")
        (True, True, False)
    """
    return "://" in cache or cache.lstrip().lower().startswith(("redis:", "rediss:", "unix:"))


def open_replies(cache: str, *, spare: Path | None = None) -> "ReplyCache | RedisReplies":
    """The reply cache that an option names: a folder, or the address of a Redis server.

    Args:
        cache: the folder or the address.
        spare: folder for replies that a server no longer takes; the next one to open the cache hands them in.

    Raises:
        InputError: the folder cannot be used, the address is wrong, or the server refuses us.
        StoreUnreachable: the server does not answer.
    """
    if not is_address(cache):
        return ReplyCache(Path(cache))
    try:
        from storage.redis_replies import RedisReplies
    except ModuleNotFoundError as error:
        if error.name != "redis":
            raise
        raise InputError("--cache: a server needs the package redis: pip install 'redis>=8'") from error
    return RedisReplies(cache, spare=spare)
