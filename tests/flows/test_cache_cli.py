"""`prism cache` shows, moves and thins out replies; wrong input is one line and exit code 2."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.cli import app
from storage.replies import DATABASE, ReplyCache
from storage.reply_entries import ReplyEntry

RUNNER = CliRunner()
NOW = datetime.now(UTC)
GPT = '{"kind":"response","parts":[],"provider_name":"openai","model_name":"gpt"}'
RULES = '{"kind":"response","parts":[],"model_name":"offline:\\u001b[31mrules"}'


def run(*words: object, cache: Path | str) -> Result:
    """A command in a terminal of 80 columns."""
    environment = {"COLUMNS": "80", "PRISM_CACHE": str(cache)}
    return RUNNER.invoke(app, ["cache", *map(str, words)], env=environment)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    with ReplyCache(folder) as made:
        made.add(
            [
                ReplyEntry(f"{1:064x}", GPT, NOW),
                ReplyEntry(f"{2:064x}", GPT, NOW - timedelta(days=100)),
                ReplyEntry(f"{3:064x}", RULES, NOW - timedelta(days=100)),
                ReplyEntry(f"{4:064x}", "no JSON", NOW),
            ]
        )
    (folder / f"{DATABASE}.corrupt-20260101t000000000000").write_bytes(b"x" * 1500)
    return folder


def test_the_numbers_are_shown_by_model_and_nothing_of_a_reply_reaches_the_terminal(cache: Path) -> None:
    shown = run("stats", cache=cache)
    assert shown.exit_code == 0
    assert "3 replies," in shown.stdout
    assert f"{NOW - timedelta(days=100):%Y-%m-%d}" in shown.stdout
    [row] = [line for line in shown.stdout.splitlines() if "openai:gpt" in line]
    assert " 2 " in row
    assert "1 damaged entry: `prism cache prune --damaged`" in shown.stdout
    assert "1 file of corrupt databases set aside, 1.5 kB" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())


def test_an_export_goes_into_another_cache_once(cache: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "replies.jsonl.gz", tmp_path / "other"
    assert "3 replies, " in run("export", file, cache=cache).stdout
    assert "left out 1 damaged entry" in run("export", file, cache=cache).stdout
    assert "3 replies added, 0 there already" in run("import", file, cache=other).stdout
    assert "0 replies added, 3 there already" in run("import", file, cache=other).stdout
    assert run("stats", cache=other).stdout.count("openai:gpt") == 1


@pytest.mark.parametrize(
    ("options", "told", "n_left"),
    [
        (["--older-than", "90d"], "2 replies", 2),
        (["--older-than", "90d", "--model", "gpt"], "1 reply", 3),
        (["--model", "openai:gpt", "--damaged"], "3 entries", 1),
        (["--older-than", "20w"], "0 replies", 4),
    ],
)
def test_replies_are_removed_only_without_dry_run(cache: Path, options: list[str], told: str, n_left: int) -> None:
    dry = run("prune", *options, "--dry-run", cache=cache)
    assert f"{told} would be removed" in dry.stdout
    with ReplyCache(cache) as left:
        assert left.stats().n_entries == 4
    assert f"{told} removed" in run("prune", *options, cache=cache).stdout
    with ReplyCache(cache) as left:
        assert left.stats().n_entries == n_left


def test_databases_set_aside_are_removed_on_request_and_nothing_else(cache: Path) -> None:
    assert (
        "1 file of corrupt databases would be removed, 1.5 kB"
        in run("prune", "--set-aside", "--dry-run", cache=cache).stdout
    )
    assert len(list(cache.glob("*.corrupt-*"))) == 1
    assert "1 file of corrupt databases removed" in run("prune", "--set-aside", cache=cache).stdout
    assert not list(cache.glob("*.corrupt-*"))
    with ReplyCache(cache) as left:
        assert left.stats().n_entries == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["prune"], "say what to remove"),
        (["prune", "--dry-run"], "say what to remove"),
        (["prune", "--older-than", "soon"], "--older-than soon: give a number and h, d or w"),
        (["prune", "--older-than", ""], "--older-than : give a number"),
        (["prune", "--older-than", "", "--model", "gpt"], "--older-than : give a number"),
        (["prune", "--model", ""], "--model: the name is empty"),
        (["prune", "--model", "gpt", "--model", " "], "--model: the name is empty"),
        (["export", "replies.csv"], "must end in .jsonl or .jsonl.gz"),
        (["import", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["stats", "--cache", "not-there"], "holds no reply cache"),
        (["import", "missing.jsonl", "--cache", "not-there"], "missing.jsonl: cannot be read"),
        (["stats", "--cache", "redis://:planted@127.0.0.1:9/0"], "PRISM_REDIS_PASSWORD"),
        (["stats", "--cache", "redis://u%3Aplanted@127.0.0.1:9/0"], "PRISM_REDIS_PASSWORD"),
        (["stats", "--cache", "REDIS://planted@127.0.0.1:9/0"], "the address is none"),
        (["stats", "--cache", " redis://planted@127.0.0.1:9/0"], "the address is none"),
        (["import", "missing.jsonl", "--cache", "redis:/planted@127.0.0.1"], "missing.jsonl: cannot be read"),
        (["stats", "--cache", "redis:/planted@127.0.0.1"], "the address is none"),
        (["stats", "--cache", "unix:///planted.sock?db=x"], "the option db"),
        (["stats", "--cache", "redis://127.0.0.1:9/0?ssl_ca_certs=/x"], "are for rediss:// only"),
        (["stats", "--cache", f"redis://{'x' * 70}.example/0"], "cannot be connected to"),
        (["prune", "--set-aside", "--cache", "redis://127.0.0.1:9/0"], "only a cache in a folder"),
    ],
)
def test_wrong_input_is_refused_in_one_line(
    cache: Path, words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words, cache=cache)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "planted" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "not-there").exists()


def test_a_build_refuses_a_password_in_the_address_and_a_server_that_is_down_before_it_writes(tmp_path: Path) -> None:
    for address, code, message in (
        ("redis://:planted@127.0.0.1:9/0", 2, "PRISM_REDIS_PASSWORD"),
        ("redis://planted@127.0.0.1:9/0", 1, "reply cache redis://127.0.0.1:9/0: does not answer"),
    ):
        result = RUNNER.invoke(app, ["build", "--cache", address, "--data", str(tmp_path / "data")])
        assert result.exit_code == code
        assert message in result.stderr
        assert "planted" not in result.stderr + result.stdout
        assert not list(tmp_path.rglob("*.parquet"))


def test_a_model_may_be_named_as_the_catalogue_does_and_one_without_replies_is_refused(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = tmp_path / "models.yaml"
    catalogue.write_text(
        "mine:\n  provider: openai\n  model: gpt\n  base_url: http://127.0.0.1:9/v1\n"
        "  context_tokens: 1000\n  max_output_tokens: 100\n"
    )
    monkeypatch.setenv("PRISM_MODELS", str(catalogue))
    assert "2 replies would be removed" in run("prune", "--model", "mine", "--dry-run", cache=cache).stdout
    refused = run("prune", "--model", "nosuch", cache=cache)
    assert refused.exit_code == 2
    assert "--model nosuch: the cache has no replies of it; there are " in refused.stderr
    assert "openai:gpt" in refused.stderr
