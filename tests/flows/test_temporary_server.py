"""The server of a single run ends with the process that started it, and says when it does not come up."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.temporary_server import describe_folder, serving
from schemas.errors import ServiceError

HOLD = """
import sys, time
from pathlib import Path
from flows.temporary_server import serving
with serving({"PREFECT_SERVER_DATABASE_CONNECTION_URL": sys.argv[1]}, Path()) as server:
    print(server.process.pid, flush=True)
    time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_run_leaves_no_server_behind(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'p.db'}"
    holder = subprocess.Popen(  # noqa: S603 - the code above and a path of this test
        [sys.executable, "-c", HOLD, database], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    pid = int(holder.stdout.readline())
    assert is_alive(pid)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    end = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not is_alive(pid)


def test_a_server_that_ends_at_once_is_an_error_with_its_exit_code(tmp_path: Path) -> None:
    broken = {"PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{tmp_path}/no/such/folder/p.db"}
    told = r"ended at once \(exit code [1-9]\d*\); its database is in .*folder, which cannot be used \(No such file"
    with serving(broken, tmp_path / "no/such/folder") as server, pytest.raises(ServiceError, match=told):
        server.wait(60)


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (12_345_678, "where only 12.3 MB are free; make room there or choose another folder"),
        (0, "where only 0.0 MB are free"),
        (10**10, "run the command again, or keep a server with `prefect server start`"),
    ],
)
def test_where_a_server_does_not_come_up_its_folder_is_named_and_a_full_disk(
    tmp_path: Path, free: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(folder: Path) -> Any:
        assert folder == tmp_path
        return SimpleNamespace(free=free)

    monkeypatch.setattr("shutil.disk_usage", measure)
    text = describe_folder(tmp_path)
    assert text.startswith(f"its database is in {tmp_path}")
    assert told in text
    assert "\n" not in text


def test_leaving_stops_the_server_whether_it_was_up_or_not(tmp_path: Path) -> None:
    with serving(
        {"PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{tmp_path / 'p.db'}"}, tmp_path
    ) as server:
        pass
    assert server.process.poll() is not None


def test_a_server_that_does_not_answer_in_time_is_an_error(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'p.db'}"
    with (
        serving({"PREFECT_SERVER_DATABASE_CONNECTION_URL": database}, tmp_path) as server,
        pytest.raises(ServiceError, match=r"did not answer within 0.01 seconds; its database is in "),
    ):
        server.wait(0.01)
