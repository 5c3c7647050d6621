"""An exported cache can be imported anywhere; a file with anything wrong in it changes nothing."""

import asyncio
import gzip
import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from storage import reply_files
from storage.replies import ReplyCache
from storage.reply_entries import ReplyEntry
from storage.reply_files import Exported, Imported, export_replies, import_replies
from tests.providers.wire import EDGES_JSON, EDGES_QUESTION, KEY_VARIABLE, PLANTED_KEY, MemoryLedger, reply, serve
from tests.providers.wire import to_entry as to_model_entry

THEN = datetime(2020, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)


SHAPE = {"kind": "response", "parts": [{"content": "x", "part_kind": "text"}]}


def to_digest(i: int) -> str:
    return f"{i:064x}"


def fill(folder: Path, n: int = 600) -> ReplyCache:
    """More replies than are handed on at a time."""
    cache = ReplyCache(folder)
    cache.add(
        [ReplyEntry(to_digest(i), f'{{"kind":"response","parts":[],"model_name":"ü","n":{i}}}', THEN) for i in range(n)]
    )
    return cache


@pytest.mark.parametrize("name", ["new/replies.jsonl", "replies.jsonl.gz"])
def test_what_is_exported_comes_back_with_its_time_and_only_once(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    with fill(tmp_path / "one") as one, ReplyCache(tmp_path / "two") as two:
        assert export_replies(one, file) == Exported(600, 0)
        assert import_replies(file, two) == Imported(600, 0)
        assert import_replies(file, two) == Imported(0, 600)
        copied = [(entry.key, entry.reply, entry.kept_at) for entry in two.entries()]
        assert copied == [(entry.key, entry.reply, entry.kept_at) for entry in one.entries()]
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(".")] == []


def test_a_line_is_json_that_other_programs_read(tmp_path: Path) -> None:
    with fill(tmp_path / "cache", 1) as cache:
        export_replies(cache, tmp_path / "replies.jsonl")
    assert json.loads((tmp_path / "replies.jsonl").read_bytes()) == {
        "key": to_digest(0),
        "kept_at": "2020-02-03T04:05:06.789000+00:00",
        "reply": {"kind": "response", "parts": [], "model_name": "ü", "n": 0},
    }


def test_the_same_replies_make_the_same_file(tmp_path: Path) -> None:
    with fill(tmp_path / "cache") as cache:
        for name in ("a.jsonl.gz", "b.jsonl.gz"):
            export_replies(cache, tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


@given(st.dictionaries(st.text(st.characters(exclude_categories=())), st.none() | st.floats() | st.text()))
def test_any_reply_survives_the_way_through_a_file(fields: dict[str, Any]) -> None:
    text = json.dumps({**fields, **SHAPE})
    line = reply_files._to_line(ReplyEntry(to_digest(1), text, THEN))
    assert line is not None
    entry = reply_files._to_entry(line)
    assert (entry.key, entry.kept_at) == (to_digest(1), THEN)
    assert json.dumps(json.loads(entry.reply or "")) == text


def test_damaged_entries_are_left_out_and_counted(tmp_path: Path) -> None:
    with fill(tmp_path / "cache", 2) as cache:
        cache.put("no digest", json.dumps(SHAPE))
        cache.put(to_digest(9), "[1]")
        cache.put(to_digest(10), "{}")
        assert export_replies(cache, tmp_path / "replies.jsonl") == Exported(2, 3)
    assert len((tmp_path / "replies.jsonl").read_bytes().splitlines()) == 2


GOOD = json.dumps({"key": to_digest(1), "reply": SHAPE})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is no JSON object"),
        ("[]", "is no JSON object"),
        ("[" * 100_000, "is no JSON object"),
        ("{}", "key: must be 64 hexadecimal digits"),
        ('{"key": "../../etc/passwd", "reply": {}}', "key: must be 64 hexadecimal digits"),
        (json.dumps({"key": "A" * 64, "reply": {}}), "key: must be 64 hexadecimal digits"),
        (json.dumps({"key": to_digest(1)}), "reply: must be a JSON object"),
        (json.dumps({"key": to_digest(1), "reply": "{}"}), "reply: must be a JSON object"),
        (json.dumps({"key": to_digest(1), "reply": {}}), "reply: is no response"),
        (json.dumps({"key": to_digest(1), "reply": {"model_name": "m"}}), "reply: is no response"),
        (json.dumps({"key": to_digest(1), "reply": {**SHAPE, "parts": ["x"]}}), "reply: is no response"),
        (json.dumps({"key": to_digest(1), "reply": {}, "value": 1}), "has the unknown field 'value'"),
        (json.dumps({"key": to_digest(1), "reply": SHAPE, "kept_at": 5}), "kept_at: must be a time"),
        (json.dumps({"key": to_digest(1), "reply": SHAPE, "kept_at": "soon"}), "kept_at: must be a time"),
        (json.dumps({"key": to_digest(1), "reply": SHAPE, "kept_at": "0001-01-01T00:00+14:00"}), "kept_at: must be"),
        ("\udcff", "is not UTF-8"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_imported(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_bytes("\n".join([GOOD, "", line, GOOD]).encode("utf-8", "surrogateescape"))
    with ReplyCache(tmp_path / "cache") as cache:
        with pytest.raises(InputError, match=rf"replies.jsonl: line 3: {message}.*; nothing was imported") as info:
            import_replies(file, cache)
        assert not list(cache.entries())
    assert "\n" not in str(info.value)


def test_an_endless_line_is_refused_without_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_files, "MAX_REPLY_BYTES", 1000)
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb") as file:
        file.write(b"x" * 1_000_000)
    with ReplyCache(tmp_path / "cache") as cache, pytest.raises(InputError, match="line 1: is longer than 1,000 bytes"):
        import_replies(tmp_path / "bomb.jsonl.gz", cache)


@pytest.mark.parametrize("blank", [b"\n", b" \n", b" "])
def test_empty_lines_without_an_end_are_refused_and_a_few_are_not(tmp_path: Path, blank: bytes) -> None:
    few, many = tmp_path / "few.jsonl.gz", tmp_path / "many.jsonl.gz"
    few.write_bytes(gzip.compress(blank * 1000 + b"\n" + GOOD.encode() + blank * 1000))
    many.write_bytes(gzip.compress(blank * 200_000))
    with ReplyCache(tmp_path / "cache") as cache:
        assert import_replies(few, cache).n_new == 1
        with pytest.raises(InputError, match=r"many.jsonl.gz: line \d+: too many empty lines, over 100,000 bytes"):
            import_replies(many, cache)


@pytest.mark.parametrize("name", ["pipe.jsonl", "pipe.jsonl.gz"])
def test_a_pipe_is_refused_without_being_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    # So that a reader would get a wrong line and not wait for ever.
    threading.Thread(target=(tmp_path / name).write_bytes, args=(b"{}\n",), daemon=True).start()
    with ReplyCache(tmp_path / "cache") as cache, pytest.raises(InputError, match="it is no regular file"):
        import_replies(tmp_path / name, cache)
    assert (tmp_path / name).read_bytes() == b"{}\n"  # nobody has read it; and the thread ends


@pytest.mark.parametrize("content", [None, b"{}\n"])
def test_a_file_that_is_wrong_or_missing_leaves_no_new_cache(tmp_path: Path, content: bytes | None) -> None:
    @contextmanager
    def opening() -> Generator[ReplyCache]:
        with ReplyCache(tmp_path / "cache") as cache:
            yield cache

    if content is not None:
        (tmp_path / "replies.jsonl").write_bytes(content)
    with pytest.raises(InputError):
        import_replies(tmp_path / "replies.jsonl", opening())
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("content", [gzip.compress(GOOD.encode() * 100)[:-9], GOOD.encode(), b"\x1f\x8b\x08"])
def test_a_file_that_is_no_whole_gzip_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "half.jsonl.gz").write_bytes(content)
    with ReplyCache(tmp_path / "cache") as cache:
        with pytest.raises(InputError, match=r"half.jsonl.gz: is no whole gzip file"):
            import_replies(tmp_path / "half.jsonl.gz", cache)
        assert not list(cache.entries())


def test_a_name_or_place_that_does_not_do_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with ReplyCache(tmp_path / "cache") as cache:
        with pytest.raises(InputError, match=r"must end in .jsonl or .jsonl.gz"):
            export_replies(cache, tmp_path / "replies.csv")
        with pytest.raises(InputError, match="cannot be written"):
            export_replies(cache, tmp_path / "file" / "replies.jsonl")
        with pytest.raises(InputError, match="cannot be read"):
            import_replies(tmp_path / "missing.jsonl", cache)


def test_an_export_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "replies.jsonl"
    file.write_text("old")
    with fill(tmp_path / "cache", 3) as cache:
        monkeypatch.setattr("os.fsync", fail)
        with pytest.raises(InputError, match="No space left"):
            export_replies(cache, file)
    assert file.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "replies.jsonl"]


def test_neither_cache_nor_export_holds_the_key_with_which_replies_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from providers.asking import Asker, Prompt
    from providers.budget import Budget
    from schemas.replies import EdgesReply

    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)

    async def ask(cache: ReplyCache) -> None:
        async with serve(reply(EDGES_JSON)) as wire:
            entry = to_model_entry(wire.base_url)
            async with Asker(entry, store=cache, ledger=MemoryLedger(), budget=Budget()) as asker:
                await asker.ask(EDGES_QUESTION, Prompt("s", "u"), EdgesReply, lambda _reply: (), max_tokens=500)
            assert PLANTED_KEY in wire.received[0].headers["authorization"]

    with ReplyCache(tmp_path / "cache") as cache:
        asyncio.run(ask(cache))
        assert export_replies(cache, tmp_path / "replies.jsonl").n_replies == 1
        assert PLANTED_KEY not in "".join(entry.reply or "" for entry in cache.entries())
    assert "rainfall" in (tmp_path / "replies.jsonl").read_text()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or PLANTED_KEY.encode() not in file.read_bytes()
