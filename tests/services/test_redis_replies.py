"""Replies on a real Redis server: shared, never dropped, and never the reason why paid replies are lost."""

import logging
import socket
import subprocess
import sys
import threading
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from schemas.calls import ReplyStore, StoreUnreachable
from schemas.errors import InputError
from storage import reply_entries
from storage.redis_replies import PREFIX, RedisReplies
from storage.replies import ReplyCache, open_replies
from storage.reply_census import Criteria, count_replies, prune_replies
from storage.reply_entries import ReplyEntry, compress
from storage.reply_files import export_replies, import_replies
from tests.providers.wire import (
    EDGES_JSON,
    EDGES_QUESTION,
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    reply,
    serve,
    to_entry,
)
from tests.services.redis_server import SERVER_PASSWORD, RedisServer

ROOT = Path(__file__).parents[2]
KEYS = [f"{i:064x}" for i in range(200)]
HEAD = b"prism1" + bytes(8)
SHAPE = '{"kind":"response","parts":[]'


def test_a_reply_is_kept_for_all_and_the_first_one_stays(server: RedisServer) -> None:
    with RedisReplies(server.address) as replies:
        store: ReplyStore = replies
        assert store.get("k") is None
        store.put("k", '{"a": 1}')
        store.put("k", '{"a": 2}')
    with RedisReplies(server.address) as replies:
        assert replies.get("k") == '{"a": 1}'
        stats = replies.stats()
        assert (stats.n_entries, stats.n_hits, stats.n_misses) == (1, 1, 0)
        assert stats.n_bytes == server.admin.strlen(PREFIX + "k")


def test_a_reply_never_expires_and_is_stored_compressed(server: RedisServer) -> None:
    with RedisReplies(server.address) as replies:
        replies.put("k", "x" * 100_000)
    assert server.admin.ttl(PREFIX + "k") == -1
    assert server.admin.strlen(PREFIX + "k") < 1000


def test_any_text_comes_back_even_half_a_surrogate_pair(server: RedisServer) -> None:
    with RedisReplies(server.address) as replies:
        for i, text in enumerate(["", "ü", "\ud800", "\0", "a" * 5_000_000]):
            replies.put(str(i), text)
            assert replies.get(str(i)) == text


def test_entries_know_when_they_were_first_kept_and_can_be_removed(server: RedisServer) -> None:
    then = datetime(2020, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)
    with RedisReplies(server.address) as replies:
        assert replies.add([ReplyEntry(key, "{}", then) for key in KEYS]) == 200
        assert replies.add([ReplyEntry(key, '{"late": 1}', then) for key in KEYS] + [ReplyEntry("new", "{}")]) == 1
        found = {entry.key: entry for entry in replies.entries()}
        assert set(found) == {*KEYS, "new"}
        assert {found[key].kept_at for key in KEYS} == {then}
        assert {found[key].reply for key in KEYS} == {"{}"}
        kept_at = found["new"].kept_at
        assert kept_at is not None
        assert abs(datetime.now(UTC) - kept_at) < timedelta(hours=1)
        assert replies.delete([*KEYS, "not there"]) == 200
        assert [entry.key for entry in replies.entries()] == ["new"]


@pytest.mark.parametrize(
    "value",
    [
        b"not ours",
        b"prism1",
        HEAD,
        HEAD + b"no zlib",
        HEAD + compress("x")[:-1],
        HEAD + zlib.compress(b"\xff"),
        HEAD + compress("x" * 2000),
    ],
)
def test_a_value_that_is_not_ours_is_dropped_with_a_warning_and_asked_again(
    server: RedisServer, value: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_entries, "MAX_REPLY_BYTES", 1000)  # so that the last one is too long
    server.admin.set(PREFIX + "k", value)
    with RedisReplies(server.address) as replies, caplog.at_level(logging.WARNING):
        assert [entry.reply for entry in replies.entries()] == [None]
        assert replies.get("k") is None
        assert not server.admin.exists(PREFIX + "k")
        replies.put("k", "again")
        assert replies.get("k") == "again"
    assert "dropped the damaged entry k" in caplog.text


def test_a_value_of_another_type_is_dropped_too_and_counts_as_damaged_until_then(server: RedisServer) -> None:
    for name in "ab":
        server.admin.rpush(PREFIX + name, "an", "array")
    with RedisReplies(server.address) as replies:
        assert count_replies(replies.entries()).n_damaged == 2
        assert replies.stats().n_entries == 2
        assert replies.get("a") is None
        assert prune_replies(replies, Criteria(is_damaged=True)).n_entries == 1
        assert not server.admin.exists(PREFIX + "a", PREFIX + "b")


def test_an_empty_value_does_not_keep_a_reply_from_being_kept(server: RedisServer) -> None:
    server.admin.set(PREFIX + "k", b"")
    with RedisReplies(server.address) as replies:
        assert replies.get("k") is None
        replies.put("k", "{}")
        assert replies.get("k") == "{}"


def test_a_reply_takes_the_place_of_one_that_could_not_be_used(server: RedisServer) -> None:
    server.admin.rpush(PREFIX + "array", "x")
    with RedisReplies(server.address) as replies:
        replies.put("k", "{}")
        for key in ("k", "array", "new"):
            replies.replace(key, '{"a": 1}')
            assert replies.get(key) == '{"a": 1}'


def test_a_replacement_that_the_server_does_not_take_is_handed_in_by_the_next_run(
    server: RedisServer, tmp_path: Path
) -> None:
    usable = SHAPE + "}"
    with RedisReplies(server.address, spare=tmp_path / "spare", n_retries=1) as replies:
        replies.put("unusable", '{"model_name":"m"}')
        replies.put("usable", usable)
        server.stop()
        replies.put("unusable", "{}")
        replies.replace("unusable", usable)
        replies.put("usable", "late")
    server.start()
    with RedisReplies(server.address, spare=tmp_path / "spare") as replies:
        assert (replies.get("unusable"), replies.get("usable")) == (usable, usable)
    with RedisReplies(server.address, n_retries=1) as replies:
        server.stop()
        with pytest.raises(StoreUnreachable):
            replies.replace("unusable", usable)


def test_a_damaged_entry_can_be_removed_whatever_the_bytes_of_its_key(server: RedisServer) -> None:
    for name in (b"", b"\xff", b"a\xfeb", "ü".encode(), b"\r\n", b"k"):
        server.admin.set(PREFIX.encode() + name, b"not ours")
    with RedisReplies(server.address) as replies:
        assert replies.stats().n_bytes == 6 * len(b"not ours")
        assert prune_replies(replies, Criteria(is_damaged=True)).n_entries == 6
        assert not list(replies.entries())
    assert not server.admin.keys()


def test_no_message_shows_the_user_who_may_be_a_password_in_the_wrong_place(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.admin.execute_command("ACL", "SETUSER", "planted-user", "on", ">its-password")
    monkeypatch.setenv("PRISM_REDIS_PASSWORD", "its-password")
    for user in ("planted-user", "planted%2Duser", "planted-stranger"):
        with pytest.raises(InputError, match=r"refuses us .*PRISM_REDIS_PASSWORD") as info:
            RedisReplies(f"redis://{user}@127.0.0.1:{server.port}/0?db=0")
        assert "planted" not in str(info.value)
        assert f"redis://127.0.0.1:{server.port}/0:" in str(info.value)


def test_an_address_that_fails_only_when_it_is_used_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("none")
    for address in (
        f"redis://{'x' * 70}.example/0",
        "redis://cache..example/0",
        "redis://cache%00.example/0",
        f"unix:///{'x' * 200}",
        "unix:///x%00",
        f"rediss://127.0.0.1:9/0?ssl_ca_certs={tmp_path}/missing.pem",
        f"rediss://127.0.0.1:9/0?ssl_certfile={tmp_path}/ca.pem",
    ):
        with pytest.raises(InputError, match=r"cache redis|cache unix") as info:
            RedisReplies(address)
        assert "\n" not in str(info.value)


def test_what_else_is_on_the_server_is_not_touched(server: RedisServer) -> None:
    server.admin.set("other", "value")
    server.admin.set("prism:other", "value")
    with RedisReplies(server.address) as replies:
        replies.put("k", "{}")
        criteria = Criteria(before=datetime.now(UTC) + timedelta(days=1), is_damaged=True)
        assert prune_replies(replies, criteria).n_entries == 1
    assert sorted(server.admin.keys()) == [b"other", b"prism:other"]


WORKER = """
import sys
from storage.redis_replies import RedisReplies
with RedisReplies(sys.argv[1]) as replies:
    for i in range(40):
        replies.put(f"shared-{i}", sys.argv[2])
        replies.put(f"{sys.argv[2]}-{i}", sys.argv[2])
        assert replies.get(f"{sys.argv[2]}-{i}") == sys.argv[2]
        assert replies.get(f"shared-{i}") in ("one", "two")
"""


def test_two_processes_may_fill_it_at_once(server: RedisServer) -> None:
    workers = [
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", WORKER, server.address, name], cwd=ROOT, env=server.environment()
        )
        for name in ("one", "two")
    ]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    with RedisReplies(server.address) as replies:
        assert replies.stats().n_entries == 3 * 40


def test_a_server_that_is_restarted_is_waited_for(server: RedisServer) -> None:
    with RedisReplies(server.address) as replies:
        replies.put("before", "{}")
        server.stop()
        restart = threading.Timer(0.5, server.start)
        restart.start()
        replies.put("after", "{}")  # sent while nobody listens
        restart.join()
        assert (replies.get("before"), replies.get("after")) == ("{}", "{}")


def test_a_reply_that_the_server_no_longer_takes_is_handed_in_by_the_next_run(
    server: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spare = tmp_path / "data" / "spare"
    with RedisReplies(server.address, spare=spare, n_retries=1) as replies:
        assert not spare.exists()
        server.stop()
        replies.put("paid", '{"worth": 1}')
        replies.put("paid, too", "{}")
        with pytest.raises(StoreUnreachable, match=r"does not answer .*run the same command again") as info:
            replies.get("other")
    assert "\n" not in str(info.value)
    assert "until the next run" in caplog.text
    server.start()
    with RedisReplies(server.address, spare=spare) as replies:
        assert replies.get("paid") == '{"worth": 1}'
        assert replies.get("paid, too") == "{}"
    with ReplyCache(spare) as kept:
        assert not list(kept.entries())


def test_without_a_spare_folder_the_loss_is_an_error(server: RedisServer) -> None:
    with RedisReplies(server.address, n_retries=1) as replies:
        server.stop()
        with pytest.raises(StoreUnreachable, match="does not answer"):
            replies.put("paid", "{}")


async def test_a_call_under_way_when_the_server_goes_is_noted_and_not_paid_twice(
    server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    from providers.budget import Budget
    from providers.cached import CachedModel
    from providers.models import close_model, open_model
    from providers.reply_shapes import ReplyShape
    from schemas.questions import QUESTION_SETTING
    from schemas.replies import EdgesReply

    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    ledger = MemoryLedger()

    async def ask(replies: RedisReplies) -> str | None:
        model = CachedModel(open_model(entry), entry, store=replies, ledger=ledger, budget=Budget())
        settings = {"max_tokens": 500, QUESTION_SETTING: EDGES_QUESTION}
        response = await model.request(
            [ModelRequest(parts=[UserPromptPart("Rain.")])],
            settings,  # pyright: ignore[reportArgumentType]  # our own setting beside pydantic-ai's
            ReplyShape(EdgesReply, "native").parameters,
        )
        await close_model(model)
        return response.text

    async with serve(reply(EDGES_JSON)) as wire:
        entry = to_entry(wire.base_url)
        with RedisReplies(server.address, spare=tmp_path / "spare", n_retries=1) as replies:
            find = replies.get

            def find_and_lose(key: str) -> str | None:
                kept = find(key)
                server.stop()
                return kept

            monkeypatch.setattr(replies, "get", find_and_lose)
            assert await ask(replies) == EDGES_JSON
        server.start()
        with RedisReplies(server.address, spare=tmp_path / "spare") as replies:
            assert await ask(replies) == EDGES_JSON
        assert len(wire.received) == 1
    assert [call.cached for call in ledger.calls] == [False, True]


def test_a_full_server_keeps_what_it_has_and_the_spare_folder_takes_the_rest(
    server: RedisServer, tmp_path: Path
) -> None:
    spare = tmp_path / "spare"
    with RedisReplies(server.address, spare=spare) as replies:
        replies.put("k", "{}")
        server.admin.config_set("maxmemory", 1)
        replies.put("paid", "{}")
        assert replies.get("k") == "{}"
        with ReplyCache(spare) as kept:
            assert kept.get("paid") == "{}"
    with RedisReplies(server.address) as replies, pytest.raises(InputError, match=r"cannot be used .*maxmemory"):
        replies.put("paid", "{}")


@pytest.mark.parametrize(
    ("policy", "limit", "is_warned"),
    [("allkeys-lru", "100mb", True), ("allkeys-lru", "0", False), ("noeviction", "100mb", False)],
)
def test_a_server_that_drops_keys_when_full_is_warned_of(
    server: RedisServer, policy: str, limit: str, is_warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    server.admin.config_set("maxmemory-policy", policy)
    server.admin.config_set("maxmemory", limit)
    RedisReplies(server.address).close()
    assert ("set it to noeviction" in caplog.text) == is_warned


def test_a_user_who_may_only_keep_replies_may_use_it(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    rights = ["~prism:reply:*", "+ping", "+getrange", "+set", "+scan", "+strlen", "+unlink"]
    server.admin.execute_command("ACL", "SETUSER", "team", "on", ">its-password", *rights)
    monkeypatch.setenv("PRISM_REDIS_PASSWORD", "its-password")
    with RedisReplies(f"redis://team@127.0.0.1:{server.port}/0") as replies:
        replies.put("k", "{}")
        assert replies.get("k") == "{}"
        assert (replies.stats().n_entries, replies.delete(["k"])) == (1, 1)
    server.admin.execute_command("ACL", "SETUSER", "team", "-set")
    with (
        RedisReplies(f"redis://team@127.0.0.1:{server.port}/0") as replies,
        pytest.raises(InputError, match="refuses us"),
    ):
        replies.put("k", "{}")


@pytest.mark.parametrize("password", ["planted-wrong-password", ""])
def test_a_wrong_password_is_one_line_that_names_the_variable_and_no_password(
    server: RedisServer, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_REDIS_PASSWORD", password)
    with pytest.raises(InputError, match="PRISM_REDIS_PASSWORD") as info:
        RedisReplies(server.address)
    assert not isinstance(info.value, StoreUnreachable)
    assert "planted" not in str(info.value)
    assert "\n" not in str(info.value)


def test_another_service_at_that_port_is_no_redis() -> None:
    def answer() -> None:
        for _ in range(3):
            connection, _address = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(InputError, match="not Redis"):
            RedisReplies(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")


def test_a_cache_moves_from_a_folder_to_a_server_and_back_unchanged_and_without_a_key(
    server: RedisServer, tmp_path: Path
) -> None:
    there, back = tmp_path / "there.jsonl", tmp_path / "back.jsonl.gz"
    then = datetime(2020, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)
    with ReplyCache(tmp_path / "one") as folder:
        folder.add([ReplyEntry(key, f'{SHAPE},"n":{i}}}', then) for i, key in enumerate(KEYS)])
        export_replies(folder, there)
    with open_replies(server.address) as replies:
        assert import_replies(there, replies).n_new == len(KEYS)
        assert import_replies(there, replies).n_known == len(KEYS)
        export_replies(replies, back)
    with ReplyCache(tmp_path / "two") as folder:
        import_replies(back, folder)
        assert {entry.key: (entry.reply, entry.kept_at) for entry in folder.entries()} == {
            key: (f'{SHAPE},"n":{i}}}', then) for i, key in enumerate(KEYS)
        }
    assert SERVER_PASSWORD not in there.read_text()
