"""Every call is on record, whatever becomes of the process, and the sums are right."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.calls import Call, CallLedger, Failure
from schemas.errors import InputError
from schemas.rows import StageTotals
from storage.ledger import JOURNALS, Ledger, recover_journals, to_totals
from storage.parquet import read_info, read_table
from tests.storage.corpora import BACKBONE, CALL, DOMAIN, FAILURE

ROOT = Path(__file__).parents[2]
CACHED = replace(CALL, cached=True, cost_usd=None, attempts=0, seconds=0.0)
UNPRICED = replace(CALL, stage="variables", cost_usd=None)


def list_journals(data: Path) -> list[str]:
    return sorted(path.name for path in (data / JOURNALS).iterdir())


def test_calls_and_failures_become_rows_of_their_backbone_in_a_file_of_the_run(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        port: CallLedger = ledger
        port.record(CALL)
        port.record(replace(CALL, domain="society", backbone="bread-riots"))
        ledger.record_failure(FAILURE)
    rows = read_table(tmp_path, "calls", DOMAIN, BACKBONE).to_pylist()
    assert [(row["run"], row["stage"], row["network"], row["cost_usd"]) for row in rows] == [
        ("run-1", "edges", BACKBONE, 0.25)
    ]
    assert read_table(tmp_path, "calls").num_rows == 2
    assert read_table(tmp_path, "calls").schema.field("at").type == pa.timestamp("ms", tz="UTC")
    assert read_table(tmp_path, "failures").to_pylist()[0]["detail"] == FAILURE.detail
    (path,) = (tmp_path / "failures").rglob("*.parquet")
    assert path.name == "run-1.parquet"
    assert read_info(path).run == "run-1"


def test_the_journal_goes_when_its_rows_are_written(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "run-1")
    ledger.record(CALL)
    assert list_journals(tmp_path) == ["run-1.jsonl"]
    assert [item.n_rows for item in ledger.write()] == [1]
    assert list_journals(tmp_path) == []
    assert ledger.write() == ()


def test_a_run_without_calls_leaves_no_file(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1"):
        pass
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_an_exception_does_not_cost_the_record(tmp_path: Path) -> None:
    def build() -> None:
        with Ledger(tmp_path, "run-1") as ledger:
            ledger.record(CALL)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build()
    assert read_table(tmp_path, "calls").num_rows == 1


def test_each_run_adds_its_file_to_the_others(tmp_path: Path) -> None:
    for run in ("run-1", "run-2"):
        with Ledger(tmp_path, run) as ledger:
            ledger.record(CALL)
    assert read_table(tmp_path, "calls")["run"].to_pylist() == ["run-1", "run-2"]


def test_what_belongs_to_no_backbone_is_filed_as_unassigned_under_its_own_name(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        ledger.record_failure(Failure("articles", "", "../../etc", "a\nb.txt", "input", "not UTF-8"))
        ledger.record_failure(Failure("articles", "society", "", "c.txt", "input", "empty"))
    rows = read_table(tmp_path, "failures").to_pylist()
    assert [(row["domain"], row["backbone"], row["network"]) for row in rows] == [
        ("society", "unassigned", ""),
        ("unassigned", "unassigned", "../../etc"),
    ]


def test_half_a_surrogate_pair_in_a_message_does_not_break_the_tables(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        ledger.record_failure(replace(FAILURE, detail="bad \ud800 name"))
    assert read_table(tmp_path, "failures")["detail"].to_pylist() == ["bad ? name"]


WORKER = """
import os, signal, sys
from pathlib import Path
from schemas.calls import Call, Failure
from storage.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]), "run-1")
for i in range(5):
    ledger.record(Call("edges", "economics", "trade", "m", i, 0, False, 0.1, 0.5, 1, "stop", ""))
ledger.record_failure(Failure("edges", "economics", "trade", "reply", "refused", "no"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_loses_no_call(tmp_path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", WORKER, str(tmp_path)], cwd=ROOT, check=False)  # noqa: S603
    assert process.returncode == -signal.SIGKILL
    assert read_table(tmp_path, "calls").num_rows == 0
    with (tmp_path / JOURNALS / "run-1.jsonl").open("a") as file:
        file.write('{"kind": "call", "at": "2026-01-')  # the line it was killed in
    assert recover_journals(tmp_path) == ("run-1",)
    assert read_table(tmp_path, "calls")["tokens_in"].to_pylist() == [0, 1, 2, 3, 4]
    assert read_table(tmp_path, "failures").num_rows == 1
    assert list_journals(tmp_path) == []
    assert recover_journals(tmp_path) == ()


def test_a_run_can_be_carried_on_under_its_id_after_a_crash(tmp_path: Path) -> None:
    first = Ledger(tmp_path, "run-1")
    first.record(CALL)
    first._journal.close()  # what the end of a process does
    with Ledger(tmp_path, "run-1") as second:
        assert second.calls == (CALL,)
        assert second.cost_usd == 0.25
        second.record(UNPRICED)
    assert sorted(read_table(tmp_path, "calls")["stage"].to_pylist()) == ["edges", "variables"]


def test_a_run_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        ledger.record(CALL)
        with pytest.raises(InputError, match="another process is writing run 'run-1'"):
            Ledger(tmp_path, "run-1")
        assert recover_journals(tmp_path) == ()
        ledger.record(CALL)
    assert read_table(tmp_path, "calls").num_rows == 2


def test_a_finished_run_is_not_written_over(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        ledger.record(CALL)
    with pytest.raises(InputError, match="run 'run-1' has its tables already"):
        Ledger(tmp_path, "run-1")
    assert list_journals(tmp_path) == []


@pytest.mark.parametrize("run", ["", "../x", ".hidden", "a b"])
def test_a_run_id_must_be_able_to_name_a_file(tmp_path: Path, run: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of a file"):
        Ledger(tmp_path, run)


def test_a_data_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"run-1\.jsonl: cannot be written \(Not a directory\)"):
        Ledger(tmp_path / "file", "run-1")


def test_a_call_that_cannot_be_noted_is_an_error_and_counts_all_the_same(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "run-1")
    ledger._journal.close()
    with Path(os.devnull).open() as read_only:  # writing fails, as on a full disk
        ledger._journal = read_only
        with pytest.raises(InputError, match="cannot be written"):
            ledger.record(CALL)
    assert ledger.calls == (CALL,)
    assert ledger.cost_usd == 0.25


def test_threads_may_share_a_ledger(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        threads = [threading.Thread(target=lambda: [ledger.record(CALL) for _ in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ledger.calls) == 200
        assert ledger.cost_usd == 50.0  # 200 calls of a quarter
        lines = (tmp_path / JOURNALS / "run-1.jsonl").read_text().splitlines()
        assert len(lines) == 200
    assert read_table(tmp_path, "calls").num_rows == 200


def test_totals_are_by_stage_and_a_cached_call_is_a_hit_that_used_no_tokens_and_cost_nothing() -> None:
    calls: list[Call] = [CALL, CACHED, UNPRICED, CALL]
    assert to_totals(calls, [FAILURE]) == (
        StageTotals("edges", 3, 1, 0, 1800, 200, 3.0, 0.5, 0),
        StageTotals("variables", 1, 0, 0, 900, 100, 1.5, 0.0, 1),
        StageTotals("description", 0, 0, 1, 0, 0, 0.0, 0.0, 0),
    )


def test_totals_follow_the_records(tmp_path: Path) -> None:
    with Ledger(tmp_path, "run-1") as ledger:
        assert ledger.totals() == ()
        ledger.record(CALL)
        ledger.record_failure(FAILURE)
        assert [(total.stage, total.n_calls, total.n_failures) for total in ledger.totals()] == [
            ("edges", 1, 0),
            ("description", 0, 1),
        ]
        assert ledger.failures == (FAILURE,)
