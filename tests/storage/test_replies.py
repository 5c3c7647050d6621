"""Replies are kept for good, shared between processes, and nothing planted in the cache is ever run."""

import logging
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.calls import ReplyStore, StoreUnreachable
from schemas.errors import InputError
from storage.replies import DATABASE, ReplyCache, list_set_aside, open_replies
from storage.reply_entries import CacheStats, ReplyEntry
from storage.reply_rows import ReplyDisk

ROOT = Path(__file__).parents[2]


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self._target = target

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self._target,))


def plant(folder: Path, **columns: object) -> None:
    """Change the row of key ``k`` behind the cache's back."""
    with sqlite3.connect(folder / DATABASE) as connection:
        for name, value in columns.items():
            connection.execute(f"UPDATE Cache SET {name} = ? WHERE key = 'k'", (value,))  # noqa: S608
    connection.close()


def test_a_reply_is_kept_for_the_next_process_and_the_first_one_stays(tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "new" / "cache") as cache:
        store: ReplyStore = cache
        assert store.get("k") is None
        store.put("k", '{"a": 1}')
        store.put("k", '{"a": 2}')
    with ReplyCache(tmp_path / "new" / "cache") as cache:
        assert cache.get("k") == '{"a": 1}'


def test_a_reply_takes_the_place_of_one_that_could_not_be_used(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "{}")
        cache.put("damaged", "{}")
        cache._cache._sql("UPDATE Cache SET value = 7 WHERE key = 'damaged'")
        for key in ("k", "damaged", "new"):
            cache.replace(key, '{"a": 1}')
            assert cache.get(key) == '{"a": 1}'
        assert cache.stats().n_entries == 3


def test_what_it_holds_and_found_is_counted(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "x" * 1000)
        cache.get("k")
        cache.get("k")
        cache.get("other")
        stats = cache.stats()
    assert (stats.n_entries, stats.n_hits, stats.n_misses) == (1, 2, 1)
    assert stats.n_bytes > 0


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_any_text_comes_back_as_it_was_even_half_a_surrogate_pair(reply: str) -> None:
    disk = ReplyDisk("unused")
    size, mode, filename, value = disk.store(reply, False)
    assert (size, filename) == (0, None)
    assert disk.fetch(mode, filename, value, False) == reply


@pytest.mark.parametrize("key", [1, b"k", ("k",), None])
def test_only_strings_are_keys_and_values_so_nothing_needs_pickling(key: object) -> None:
    disk = ReplyDisk("unused")
    with pytest.raises(TypeError):
        disk.put(key)
    with pytest.raises(TypeError):
        disk.store(key, False)


@pytest.mark.parametrize("in_file", [False, True])
def test_a_planted_pickle_is_not_run_but_dropped(tmp_path: Path, in_file: bool) -> None:
    witness = tmp_path / "witness"
    payload = pickle.dumps(Payload(witness))
    pickle.loads(payload)  # noqa: S301  (the payload does what it says)
    assert witness.exists()
    witness.unlink()
    folder = tmp_path / "cache"
    with ReplyCache(folder) as cache:
        cache.put("k", "{}")
        if in_file:
            (folder / "evil.val").write_bytes(payload)
            plant(folder, mode=4, value=None, filename="evil.val")
        else:
            plant(folder, mode=4, value=payload)
        assert cache.get("k") is None
        assert not witness.exists()
        cache.put("k", "again")
        assert cache.get("k") == "again"


@pytest.mark.parametrize(
    "columns", [{"value": b"no zlib"}, {"value": "text"}, {"value": 7}, {"mode": 3, "filename": "x", "value": None}]
)
def test_a_damaged_entry_is_a_miss_and_can_be_replaced(
    tmp_path: Path, columns: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    with ReplyCache(tmp_path) as cache, caplog.at_level(logging.WARNING):
        cache.put("k", "{}")
        plant(tmp_path, **columns)
        assert cache.get("k") is None
        cache.put("k", "again")
        assert cache.get("k") == "again"
    assert "damaged entry" in caplog.text


def test_a_planted_file_name_deletes_nothing(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    with ReplyCache(tmp_path / "cache") as cache:
        cache.put("k", "{}")
        plant(tmp_path / "cache", mode=2, filename="../victim", value=None)
        assert cache.get("k") is None
    assert victim.read_text() == "precious"


def test_nothing_is_evicted_whatever_the_settings_in_the_database_say(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "{}")
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        for name, value in (("eviction_policy", "least-recently-used"), ("size_limit", 1), ("cull_limit", 10)):
            connection.execute("UPDATE Settings SET value = ? WHERE key = ?", (value, name))
    connection.close()
    with ReplyCache(tmp_path) as cache:
        for i in range(30):
            cache.put(f"k{i}", "x" * 1000)
        assert cache.stats().n_entries == 31


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_corrupt_database_is_set_aside_and_a_new_one_begun(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / DATABASE).write_bytes(content)
    with caplog.at_level(logging.WARNING), ReplyCache(tmp_path) as cache:
        cache.put("k", "{}")
        assert cache.get("k") == "{}"
    (aside,) = tmp_path.glob(f"{DATABASE}.corrupt-*")
    assert aside.read_bytes() == content
    assert "set aside" in caplog.text


def test_a_database_that_breaks_while_it_is_open_is_set_aside_too(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        for i in range(200):
            cache.put(f"k{i}", "x" * 100)
    with ReplyCache(tmp_path) as cache:
        size = (tmp_path / DATABASE).stat().st_size
        with (tmp_path / DATABASE).open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        results = {cache.get(f"k{i}") for i in range(200)}
        assert results <= {None, "x" * 100}
        cache.put("new", "{}")
        assert cache.get("new") == "{}"
    assert list(tmp_path.glob(f"{DATABASE}.corrupt-*"))


def test_a_database_that_another_process_replaced_meanwhile_is_not_set_aside(tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "good") as cache:
        cache.put("k", "good")
    with ReplyCache(tmp_path / "mine") as cache:
        cache.put("k", "mine")
        for path in (tmp_path / "mine").glob(f"{DATABASE}*"):
            path.unlink()
        shutil.copy(tmp_path / "good" / DATABASE, tmp_path / "mine" / DATABASE)
        cache._set_aside()
    assert not list((tmp_path / "mine").glob("*.corrupt-*"))
    with ReplyCache(tmp_path / "mine") as cache:
        assert cache.get("k") == "good"


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"reply cache .*file/cache: cannot be used \(Not a directory\)") as info:
        ReplyCache(tmp_path / "file" / "cache")
    assert "\n" not in str(info.value)


def test_a_database_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(InputError, match="unable to open database file"):
        ReplyCache(tmp_path)


def test_a_full_disk_is_an_input_error_and_what_was_kept_stays(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "{}")
        pages = cache._cache._sql("PRAGMA page_count").fetchone()[0]
        cache._cache._sql(f"PRAGMA max_page_count = {pages}")  # as if the disk ended here
        noise = "".join(str(i * 7919 % 104729) for i in range(200_000))  # does not compress to nothing
        with pytest.raises(InputError, match="database or disk is full"):
            cache.put("big", noise)
        assert cache.get("k") == "{}"
        assert cache.get("big") is None


WORKER = """
import sys
from pathlib import Path
from storage.replies import ReplyCache
with ReplyCache(Path(sys.argv[1])) as cache:
    for i in range(40):
        cache.put(f"shared-{i}", sys.argv[2])
        cache.put(f"{sys.argv[2]}-{i}", sys.argv[2])
        assert cache.get(f"{sys.argv[2]}-{i}") == sys.argv[2]
        assert cache.get(f"shared-{i}") is not None
"""


def test_several_processes_may_open_and_fill_one_cache_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(folder), name], cwd=ROOT)  # noqa: S603
        for name in ("one", "two", "three")
    ]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    with ReplyCache(folder) as cache:
        assert cache.stats().n_entries == 4 * 40


ENDLESS = """
import sys
from pathlib import Path
from storage.replies import ReplyCache
cache, i = ReplyCache(Path(sys.argv[1])), 0
while True:
    cache.put(f"killed-{i}", "x" * 50_000 + str(i))
    if i == 20:
        print("writing", flush=True)
    i += 1
"""


def test_a_process_killed_while_it_writes_leaves_a_sound_cache_to_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    with (
        ReplyCache(folder) as cache,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", ENDLESS, str(folder)], cwd=ROOT, stdout=subprocess.PIPE
        ) as other,
    ):
        assert other.stdout is not None
        assert other.stdout.readline() == b"writing\n"
        for i in range(10):
            cache.put(f"mine-{i}", "{}")
        other.send_signal(signal.SIGKILL)
        assert other.wait(30) == -signal.SIGKILL
        cache.put("after", "{}")
        found = {entry.key: entry.reply for entry in cache.entries()}
    assert {"after", *(f"mine-{i}" for i in range(10))} <= set(found)
    killed = {key: reply for key, reply in found.items() if key.startswith("killed")}
    assert len(killed) > 20
    assert all(reply == "x" * 50_000 + key.removeprefix("killed-") for key, reply in killed.items())
    with sqlite3.connect(folder / DATABASE) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert not list_set_aside(folder)


def test_entries_know_when_they_were_first_kept_and_can_be_removed(tmp_path: Path) -> None:
    then = datetime(2020, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)
    keys = [str(i) for i in range(100)]
    with ReplyCache(tmp_path) as cache:
        assert cache.add([ReplyEntry(key, "{}", then) for key in keys]) == 100
        assert cache.add([*(ReplyEntry(key, '{"late": 1}', then) for key in keys), ReplyEntry("new", "{}")]) == 1
        entries = list(cache.entries())
        assert [entry.key for entry in entries] == [*keys, "new"]
        assert {(entry.reply, entry.kept_at) for entry in entries[:-1]} == {("{}", then)}
        kept_at = entries[-1].kept_at
        assert kept_at is not None
        assert abs(datetime.now(UTC) - kept_at) < timedelta(hours=1)
        assert cache.delete([*keys, "not there"]) == 100
        assert [entry.key for entry in cache.entries()] == ["new"]


def test_entries_may_be_removed_while_they_are_looked_through(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.add([ReplyEntry(str(i), "{}") for i in range(100)])
        assert sum(cache.delete([entry.key]) for entry in cache.entries()) == 100


def test_removed_entries_give_their_room_back(tmp_path: Path) -> None:
    with ReplyCache(tmp_path) as cache:
        noise = [str(i * 7919 % 104729) * 500 for i in range(300)]
        cache.add([ReplyEntry(str(i), "".join(noise[i:] + noise[:i])) for i in range(50)])
        before = cache.stats().n_bytes
        cache.delete([str(i) for i in range(50)])
        assert cache.stats().n_bytes < before / 2


@pytest.mark.parametrize("columns", [{"value": b"no zlib"}, {"mode": 4}, {"filename": "x"}, {"store_time": 1e300}])
def test_looking_through_the_entries_interprets_no_damaged_one(tmp_path: Path, columns: dict[str, object]) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "{}")
        plant(tmp_path, **columns)
        [entry] = cache.entries()
        assert (entry.key, entry.reply) == ("k", "{}" if "store_time" in columns else None)
        assert (entry.kept_at is None) == ("store_time" in columns)


@pytest.mark.parametrize(
    ("key", "raw"), [(5, 1), (5.5, 1), (b"bytes", 1), (b"\x80\x05K\x01.", 0), ("k", 0), ("#9", 1), ("#k", 1)]
)
def test_an_entry_whose_key_is_none_of_ours_can_be_removed_and_no_other_is(
    tmp_path: Path, key: object, raw: int
) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("planted", "{}")
        cache.put("k", "{}")
        cache._cache._sql("UPDATE Cache SET key = ?, raw = ? WHERE key = 'planted'", (key, raw))
        [name] = [entry.key for entry in cache.entries() if entry.reply is None]
        assert cache.delete([name, "#2", "#x", "#"]) == 1  # the second row is ours
        assert [entry.key for entry in cache.entries()] == ["k"]
        assert cache.stats().n_entries == 1


def test_a_server_is_told_from_a_folder_by_its_address(tmp_path: Path) -> None:
    with open_replies(str(tmp_path / "redis")) as cache:
        assert isinstance(cache, ReplyCache)
    with pytest.raises(StoreUnreachable, match="does not answer"):
        open_replies("redis://127.0.0.1:9/0")


def test_without_the_redis_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "storage.redis_replies", raising=False)
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(InputError, match="pip install"):
        open_replies("redis://127.0.0.1:9/0")


def test_several_threads_may_use_one_cache(tmp_path: Path) -> None:
    found: list[str | None] = []

    def fill(name: str) -> None:
        for i in range(20):
            cache.put(f"{name}-{i}", name)
            found.append(cache.get(f"{name}-{i}"))

    with ReplyCache(tmp_path) as cache:
        threads = [threading.Thread(target=fill, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found, key=str) == ["a"] * 20 + ["b"] * 20 + ["c"] * 20
        assert cache.stats() == CacheStats(60, cache.stats().n_bytes, 60, 0)
