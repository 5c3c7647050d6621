"""A data folder takes one run of a kind at a time, and is free again whatever ended the last one."""

import subprocess
import sys
from pathlib import Path

import pytest

from schemas.errors import InputError
from storage.locks import holding

HOLD = """
import sys, time
from pathlib import Path
from storage.locks import holding
with holding(Path(sys.argv[1]), "build"):
    print("held", flush=True)
    time.sleep(600)
"""


def test_another_process_is_turned_down_until_the_first_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen(  # noqa: S603 - the code above and a path of this test
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(InputError, match="another build is writing there"), holding(tmp_path, "build"):
        pass
    holder.kill()
    holder.wait()
    with holding(tmp_path, "build"):
        pass


def test_runs_of_different_kinds_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with holding(tmp_path, "build"), holding(tmp_path, "benchmark"):
        pass


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"), holding(tmp_path / "file", "build"):
        pass
