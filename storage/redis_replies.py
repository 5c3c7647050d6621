"""The reply cache of many machines: replies on a Redis server, never evicted by this program.

A value is a mark, the time at which the reply was first kept, and the reply compressed. What is found under our prefix
without that mark is damaged.
"""

import logging
import os
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import NoPermissionError
from redis.retry import Retry

from schemas.calls import StoreUnreachable
from schemas.errors import InputError
from storage.redis_address import PASSWORD, check_address, show_address, to_user
from storage.replies import DATABASE, ReplyCache
from storage.reply_entries import (
    MAX_REPLY_BYTES,
    CacheStats,
    DamagedEntry,
    ReplyEntry,
    compress,
    decompress,
    is_damaged,
    to_groups,
    to_time,
)

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

PREFIX = "prism:reply:"

_MARK = b"prism1"
_TIME = struct.Struct(">Q")  # milliseconds since 1970
_LAST_BYTE = MAX_REPLY_BYTES + 1024  # of a value that is fetched; a longer one is damaged
_KEYS = 64  # fetched, added or deleted at a time


class RedisReplies:
    """The :class:`storage.reply_entries.Replies` on a Redis server, for any number of processes and machines.

    A command that finds no server is repeated for about half a minute: a server that is restarted is waited for. After
    that the cache counts as lost and every further use fails at once. A reply that was paid for meanwhile is kept in
    the spare folder and handed in by the next one that opens the cache with that folder.

    Raises:
        InputError: the address is wrong, or the server refuses us.
        StoreUnreachable: the server does not answer.
    """

    def __init__(self, address: str, *, spare: Path | None = None, n_retries: int = 10) -> None:
        """Connect.

        Args:
            address: such as ``redis://cache.example:6379/0``, without a password.
            spare: folder for replies that the server no longer takes.
            n_retries: how often a command is repeated where the server does not answer.
        """
        check_address(address)
        self._name, self._user = show_address(address), to_user(address)
        self._spare = spare
        self._lock = threading.Lock()
        self._n_hits = self._n_misses = 0
        self._lost: StoreUnreachable | None = None
        # At first a wrong port is likelier than a restart, so that is told soon.
        try:
            self._client: Any = redis.Redis.from_url(
                address,
                password=os.environ.get(PASSWORD) or None,
                protocol=2,
                encoding_errors="surrogateescape",  # keys that are not ours come as bytes and must go back as such
                socket_timeout=5,
                socket_connect_timeout=3,
                health_check_interval=30,
                retry=_to_retry(2),
            )
            self._run(lambda client: client.ping())
        except (ValueError, TypeError) as error:  # of the host's name or the options, found only when they are used
            raise InputError(f"--cache {self._name}: cannot be connected to ({self._to_line(error)})") from error
        self._client.set_retry(_to_retry(n_retries))
        self._warn_of_eviction()
        if spare is not None:
            self._hand_in(spare)

    def get(self, key: str) -> str | None:
        """The reply kept under the key, or None.

        Raises:
            StoreUnreachable: the server does not answer any more.
            InputError: it refuses us.
        """
        entry = self._fetch([key])[0]
        if entry is not None and entry.reply is None:
            _log.warning("reply cache %s: dropped the damaged entry %s", self._name, key)
            self.delete([key])
        reply = entry.reply if entry is not None else None
        with self._lock:
            if reply is None:
                self._n_misses += 1
            else:
                self._n_hits += 1
        return reply

    def put(self, key: str, reply: str) -> None:
        """Keep a reply; a key that exists is left alone. Where the server does not take it, the spare folder does.

        Raises:
            StoreUnreachable: the server does not answer any more, and there is no spare folder.
            InputError: it refuses us, being full for instance, and there is no spare folder; or that is full, too.
        """
        try:
            if self.add([ReplyEntry(key, reply)]):
                return
            found = self._fetch([key])[0]
            if found is None or found.reply is None:  # what is there is not ours, or an empty text
                self.delete([key])
                self.add([ReplyEntry(key, reply)])
        except InputError as error:
            self._keep_aside(error, lambda spare: spare.put(key, reply))

    def replace(self, key: str, reply: str) -> None:
        """Keep a reply, in place of one that could not be used. Where the server does not take it, the spare folder.

        Raises:
            StoreUnreachable: the server does not answer any more, and there is no spare folder.
            InputError: it refuses us, and there is no spare folder; or that is full, too.
        """
        try:
            self._send([("SET", PREFIX + key, _pack(ReplyEntry(key, reply)))])
        except InputError as error:
            self._keep_aside(error, lambda spare: spare.replace(key, reply))

    def entries(self) -> Iterator[ReplyEntry]:
        """All entries, in no order. One may come twice while the server grows."""
        for keys in to_groups(self._scan(), _KEYS):
            yield from filter(None, self._fetch(keys))

    def add(self, entries: Sequence[ReplyEntry]) -> int:
        """Keep entries with the time at which they were first kept; how many were new.

        Raises:
            StoreUnreachable: the server does not answer any more. Some may have been added.
            InputError: it refuses us.
        """
        n_new = 0
        for some in to_groups((entry for entry in entries if entry.reply is not None), _KEYS):
            added = self._send([("SET", PREFIX + entry.key, _pack(entry), "NX") for entry in some])
            n_new += sum(map(bool, added))
        return n_new

    def delete(self, keys: Iterable[str]) -> int:
        """Remove entries; how many there were."""
        return sum(sum(self._send([("UNLINK", PREFIX + key) for key in some])) for some in to_groups(keys, _KEYS))

    def stats(self) -> CacheStats:
        """What the cache holds now, and this process's hits and misses. Reads the length of every value."""
        n_entries = n_bytes = 0
        for keys in to_groups(self._scan(), 16 * _KEYS):
            lengths = self._send([("STRLEN", PREFIX + key) for key in keys])
            n_entries += len(lengths)
            n_bytes += sum(length for length in lengths if isinstance(length, int))
        return CacheStats(n_entries, n_bytes, self._n_hits, self._n_misses)

    def close(self) -> None:
        """Close the connections; another use opens them again."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _scan(self) -> Iterator[str]:
        cursor = 0
        while True:
            cursor, names = self._run(partial(_scan_some, cursor))
            yield from (name[len(PREFIX) :].decode("utf-8", "surrogateescape") for name in names)
            if not cursor:
                return

    def _fetch(self, keys: Sequence[str]) -> list[ReplyEntry | None]:
        # GETRANGE bounds what a value that is not ours can cost.
        values = self._send([("GETRANGE", PREFIX + key, 0, _LAST_BYTE) for key in keys])
        return [_unpack(key, value) if value != b"" else None for key, value in zip(keys, values, strict=True)]

    def _send(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """The results of some commands in one round trip; an error in place of a result on another type of value."""
        return self._run(partial(_send, commands))

    def _run(self, act: Callable[[Any], _Result]) -> _Result:
        if self._lost is not None:
            raise StoreUnreachable(str(self._lost))
        try:
            return act(self._client)
        except (redis.AuthenticationError, NoPermissionError) as error:
            raise InputError(
                f"reply cache {self._name}: refuses us ({self._to_line(error)}); the password is read from the "
                f"environment variable {PASSWORD}, a user name stands in the address"
            ) from error
        except redis.InvalidResponse as error:
            raise InputError(
                f"--cache {self._name}: what answers there is not Redis ({self._to_line(error)})"
            ) from error
        except (redis.ConnectionError, redis.TimeoutError) as error:
            self._lost = StoreUnreachable(
                f"reply cache {self._name}: does not answer ({self._to_line(error)}); when it does, run the same "
                "command again"
            )
            raise self._lost from error
        except (redis.RedisError, OSError) as error:
            raise InputError(f"reply cache {self._name}: cannot be used ({self._to_line(error)})") from error

    def _to_line(self, error: Exception) -> str:
        line = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        # Redis names the user whose rights do not do. What stands there may be a password in the wrong place.
        return line.replace(f"User {self._user} ", "this user ") if self._user else line

    def _keep_aside(self, error: InputError, keep: Callable[[ReplyCache], None]) -> None:
        if self._spare is None:
            raise error
        with ReplyCache(self._spare) as spare:
            keep(spare)
        _log.warning("%s; kept a reply in %s until the next run", error, self._spare)

    def _warn_of_eviction(self) -> None:
        try:
            memory = self._client.info("memory")
        except redis.RedisError:  # a user who may keep replies need not be allowed to ask this
            return
        policy = str(memory.get("maxmemory_policy", ""))
        if policy.startswith("allkeys") and memory.get("maxmemory"):
            _log.warning(
                "reply cache %s: the server drops replies when its memory is full (maxmemory-policy %s), so that they "
                "are paid for again; set it to noeviction",
                self._name,
                policy,
            )

    def _hand_in(self, spare: Path) -> None:
        if not (spare / DATABASE).exists():
            return
        with ReplyCache(spare) as kept:
            for entries in to_groups(kept.entries(), _KEYS):
                found = self._fetch([entry.key for entry in entries])
                self.delete(entry.key for entry in found if entry is not None and is_damaged(entry))
                self.add(entries)
                kept.delete(entry.key for entry in entries)


def _to_retry(n: int) -> Retry:
    # With ten of them 26 seconds of waiting: 0.2, 0.4, 0.8, 1.6, 3.2 and five times 4.
    return Retry(ExponentialBackoff(cap=4, base=0.1), n)


def _scan_some(cursor: int, client: Any) -> tuple[int, list[bytes]]:
    return client.scan(cursor, match=f"{PREFIX}*", count=1000)


def _send(commands: Sequence[Sequence[Any]], client: Any) -> list[Any]:
    pipeline = client.pipeline(transaction=False)
    for command in commands:
        pipeline.execute_command(*command)
    results: list[Any] = pipeline.execute(raise_on_error=False)
    for result in results:
        if isinstance(result, Exception) and not str(result).startswith("WRONGTYPE"):
            raise result
    return results


def _pack(entry: ReplyEntry) -> bytes:
    kept_at = entry.kept_at or datetime.now(UTC)
    return _MARK + _TIME.pack(max(0, int(kept_at.timestamp() * 1000))) + compress(entry.reply or "")


def _unpack(key: str, value: object) -> ReplyEntry:
    if not isinstance(value, bytes):
        return ReplyEntry(key, None)
    head = len(_MARK) + _TIME.size
    if not value.startswith(_MARK) or len(value) < head or len(value) > _LAST_BYTE:
        return ReplyEntry(key, None, None, len(value))
    kept_at = to_time(_TIME.unpack(value[len(_MARK) : head])[0] / 1000)
    try:
        return ReplyEntry(key, decompress(value[head:]), kept_at, len(value))
    except DamagedEntry:
        return ReplyEntry(key, None, kept_at, len(value))
