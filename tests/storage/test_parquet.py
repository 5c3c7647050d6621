"""Files are written whole or not at all, left alone where nothing changes, and named when they are broken."""

import errno
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.errors import InputError
from storage.parquet import SCRATCH, FileInfo, count_rows, read_info, read_table, write_table
from storage.tables import ArrowTable, to_spec
from tests.storage.corpora import write_corpus

EDGE = {"network": "trade", "parent": "a", "child": "b", "mechanism": "", "parent_gap": 0.1}


def to_edges(*rows: dict[str, Any]) -> ArrowTable:
    return pa.Table.from_pylist([EDGE | row for row in rows], schema=to_spec("edges").schema)


def write_edges(data: Path, rows: ArrowTable, run: str = "run-1") -> tuple[Path, bool]:
    written = write_table(data, "edges", "economics", "trade", rows, run=run)
    return written.path, written.is_changed


def list_names(data: Path) -> list[str]:
    return sorted(path.name for path in data.rglob("*") if path.is_file())


def test_what_is_written_reads_back_with_the_keys_in_front(tmp_path: Path) -> None:
    write_edges(tmp_path, to_edges({}, {"child": "c", "parent_gap": None}))
    table = read_table(tmp_path, "edges")
    assert table.column_names[:3] == ["domain", "backbone", "network"]
    assert [(row["domain"], row["backbone"], row["child"], row["parent_gap"]) for row in table.to_pylist()] == [
        ("economics", "trade", "b", 0.1),
        ("economics", "trade", "c", None),
    ]


def test_a_file_tells_its_table_version_run_and_rows(tmp_path: Path) -> None:
    path, _ = write_edges(tmp_path, to_edges({}), run="run-7")
    assert read_info(path) == FileInfo("edges", 1, "run-7", 1)
    assert count_rows(tmp_path, "edges") == 1
    assert count_rows(tmp_path, "cpds") == 0


def test_a_file_with_the_same_rows_is_left_alone_whichever_run_brings_them(tmp_path: Path) -> None:
    path, is_changed = write_edges(tmp_path, to_edges({}))
    assert is_changed
    before, stat = path.read_bytes(), path.stat()
    _, is_changed = write_edges(tmp_path, to_edges({}), run="run-2")
    assert not is_changed
    assert path.read_bytes() == before
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (stat.st_mtime_ns, stat.st_ino)


def test_rows_count_and_not_bytes_so_another_writers_file_with_the_same_rows_is_left_alone(tmp_path: Path) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    rows = to_edges({}).replace_schema_metadata(
        {"prism.table": "edges", "prism.schema_version": "1", "prism.run": "run-0"}
    )
    pq.write_table(rows, path, compression="none")
    _, is_changed = write_edges(tmp_path, to_edges({}))
    assert not is_changed
    assert read_info(path).run == "run-0"


def test_changed_rows_replace_the_file_and_its_run(tmp_path: Path) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    _, is_changed = write_edges(tmp_path, to_edges({"child": "c"}), run="run-2")
    assert is_changed
    assert read_info(path).run == "run-2"
    assert list_names(tmp_path) == ["part.parquet"]


def test_the_same_rows_make_the_same_bytes_dictionary_encoded_or_not(tmp_path: Path) -> None:
    plain = to_edges({}, {"child": "c"})
    encoded = plain.set_column(2, "child", plain.column("child").dictionary_encode())
    first, _ = write_edges(tmp_path / "1", encoded)
    again, _ = write_edges(tmp_path / "2", encoded)
    assert first.read_bytes() == again.read_bytes()
    _, is_changed = write_edges(tmp_path / "1", plain)
    assert not is_changed


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_whole_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    with pytest.raises(
        InputError, match=r"edges.*part\.parquet: cannot be written \(No space left on device\)"
    ) as info:
        write_edges(tmp_path, to_edges({"child": "c"}))
    assert "\n" not in str(info.value)
    assert path.read_bytes() == before
    assert list_names(tmp_path) == ["part.parquet"]


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(InputError, match=r"cannot be written \(Not a directory\)"):
        write_edges(tmp_path / "data", to_edges({}))


def test_what_a_killed_writer_left_is_swept_after_an_hour_and_a_live_writers_file_is_not(tmp_path: Path) -> None:
    scratch = tmp_path / SCRATCH
    scratch.mkdir()
    for name, age in (("dead", 4000), ("live", 60)):
        (scratch / name).write_bytes(b"PAR1")
        changed = (scratch / name).stat().st_mtime - age
        os.utime(scratch / name, (changed, changed))
    write_edges(tmp_path, to_edges({}))
    assert [path.name for path in scratch.iterdir()] == ["live"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (pa.table({"network": ["trade"]}), "not the columns of table 'edges'"),
        (
            to_edges({}).select(["parent", "network", "child", "mechanism", *to_spec("edges").schema.names[4:]]),
            "not the",
        ),
        (to_edges({"parent": None}), "'parent' of table 'edges' holds nulls"),
    ],
)
def test_rows_of_another_shape_are_refused(tmp_path: Path, rows: ArrowTable, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write_edges(tmp_path, rows)
    assert list_names(tmp_path) == []


def test_a_part_cannot_lead_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stem of a file"):
        write_table(tmp_path, "edges", "economics", "trade", to_edges({}), run="r", part="../../x")


def test_no_files_are_no_rows_with_the_same_columns(tmp_path: Path) -> None:
    empty = read_table(tmp_path / "missing", "edges")
    assert empty.num_rows == 0
    write_edges(tmp_path, to_edges({}))
    assert empty.schema == read_table(tmp_path, "edges").schema


def test_reading_can_be_narrowed_to_a_domain_a_backbone_and_columns(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    assert set(read_table(tmp_path, "edges", "society")["backbone"].to_pylist()) == {"bread-riots"}
    assert set(read_table(tmp_path, "edges", backbone="river-floods")["domain"].to_pylist()) == {"environment"}
    assert read_table(tmp_path, "edges", "society", "river-floods").num_rows == 0
    # The table's order of columns holds, and one column suffices to count.
    assert read_table(tmp_path, "edges", columns=["child", "domain"]).column_names == ["domain", "child"]
    assert read_table(tmp_path, "edges", columns=["domain"]).num_rows == read_table(tmp_path, "edges").num_rows


def test_an_unknown_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="edges has no column 'colour'"):
        read_table(tmp_path, "edges", columns=["colour"])


@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet at all, but long enough to have a footer"])
def test_a_corrupt_file_is_named_and_the_next_write_repairs_it(tmp_path: Path, content: bytes) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"domain=economics/backbone=trade/part\.parquet: cannot be read") as info:
        read_table(tmp_path, "edges")
    assert "\n" not in str(info.value)
    _, is_changed = write_edges(tmp_path, to_edges({}))
    assert is_changed
    assert read_table(tmp_path, "edges").num_rows == 1


def test_a_flipped_bit_in_the_data_is_found_and_repaired(tmp_path: Path) -> None:
    rows = to_edges(*({"child": f"child {i}"} for i in range(500)))
    path, _ = write_edges(tmp_path, rows)
    content = bytearray(path.read_bytes())
    content[200] ^= 1  # well inside the first pages, far from the footer
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path, "edges")
    assert write_edges(tmp_path, rows)[1]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({}, "holds table 'unknown' in version 0"),
        ({"prism.table": "edges", "prism.schema_version": "2"}, "in version 2 instead of 'edges' in version 1"),
        ({"prism.table": "cpds", "prism.schema_version": "1"}, "holds table 'cpds'"),
    ],
)
def test_a_file_of_another_table_or_version_is_refused(tmp_path: Path, entries: dict[str, str], message: str) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    pq.write_table(to_edges({}).replace_schema_metadata(entries), path)
    with pytest.raises(InputError, match=message):
        read_table(tmp_path, "edges")


def test_a_file_with_other_columns_is_refused_even_if_it_claims_the_version(tmp_path: Path) -> None:
    path, _ = write_edges(tmp_path, to_edges({}))
    claims = {"prism.table": "edges", "prism.schema_version": "1"}
    pq.write_table(to_edges({}).drop_columns(["joint_gap"]).replace_schema_metadata(claims), path)
    with pytest.raises(InputError, match="columns are not those of table 'edges'"):
        read_table(tmp_path, "edges")
