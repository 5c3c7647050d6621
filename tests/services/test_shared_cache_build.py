"""A build that keeps its replies on a Redis server: the second one, into another folder, asks no model."""

import subprocess
import sys
from pathlib import Path

from storage.parquet import read_table
from tests.services.redis_server import SERVER_PASSWORD, RedisServer

ROOT = Path(__file__).parents[2]


def prism(server: RedisServer, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user does who has no Prefect server."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", "from flows.cli import app; app()", *words],
        cwd=ROOT,
        env={name: value for name, value in server.environment().items() if name != "PREFECT_API_URL"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_two_builds_share_their_replies_and_both_are_sound(server: RedisServer, tmp_path: Path) -> None:
    small = ["--domain", "economics", "--per-domain", "1", "--examples", "2", "--cache", server.address]
    first, second = tmp_path / "first", tmp_path / "second"
    done = [prism(server, "build", *small, "--data", str(data)) for data in (first, second)]
    assert [(run.returncode, run.stderr) for run in done] == [(0, ""), (0, "")]

    calls, repeated = (read_table(data, "calls") for data in (first, second))
    assert calls.num_rows == repeated.num_rows > 0
    assert not any(calls["cached"].to_pylist())
    assert all(repeated["cached"].to_pylist())
    examples = read_table(first, "examples")
    assert examples.num_rows == 2
    assert examples.equals(read_table(second, "examples"))
    assert prism(server, "verify", "--data", str(second)).returncode == 0

    stats = prism(server, "cache", "stats", "--cache", server.address)
    assert f"{calls.num_rows} replies" in stats.stdout
    for file in tmp_path.rglob("*"):
        if file.is_file() and "redis" not in file.relative_to(tmp_path).parts:
            assert SERVER_PASSWORD.encode() not in file.read_bytes()
    assert SERVER_PASSWORD not in "".join(run.stdout for run in (*done, stats))


def test_a_server_that_is_down_is_told_in_one_line_before_anything_is_written(
    server: RedisServer, tmp_path: Path
) -> None:
    server.stop()
    run = prism(server, "build", "--cache", server.address, "--data", str(tmp_path / "data"))
    assert run.returncode == 1
    assert "does not answer" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not list((tmp_path / "data").rglob("*.parquet"))
