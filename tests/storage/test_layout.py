"""Rows lie where their keys say, and no key leads anywhere else."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import BackboneKey
from storage.layout import is_part, list_backbones, list_files, new_run_id, partition, remove_backbone, to_key

HOSTILE = ["", "..", "../x", "a/b", "A", "2008", "none", "a\0", "a b", "é", "a" * 61, "domain=x"]


def touch(data: Path, table: str, domain: str, backbone: str, name: str = "part.parquet") -> Path:
    path = data / table / f"domain={domain}" / f"backbone={backbone}" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_keys_stand_in_the_path() -> None:
    path = partition(Path("data"), "cpds", "economics", "inflation")
    assert path == Path("data/cpds/domain=economics/backbone=inflation")


@pytest.mark.parametrize("key", HOSTILE)
def test_a_key_that_is_no_slug_makes_no_path(key: str) -> None:
    with pytest.raises(ValueError, match="slug"):
        partition(Path("data"), "cpds", key, "inflation")
    with pytest.raises(ValueError, match="slug"):
        partition(Path("data"), "cpds", "economics", key)


@pytest.mark.parametrize("table", ["", "..", "cpds/x", "CPDS", "cpds.", ".runs"])
def test_a_table_name_cannot_leave_the_data_folder(table: str) -> None:
    with pytest.raises(ValueError, match="table"):
        partition(Path("data"), table, "economics", "inflation")


@given(st.text(max_size=8), st.text(max_size=8))
def test_whatever_is_accepted_stays_below_the_data_folder_and_reads_back(domain: str, backbone: str) -> None:
    try:
        folder = partition(Path("/data"), "cpds", domain, backbone)
    except ValueError:
        return
    assert folder.resolve().is_relative_to("/data/cpds")
    assert to_key(folder) == (domain, backbone)


@pytest.mark.parametrize(
    "folder", ["x", "domain=a", "backbone=a/domain=b", "domain=a/backbone=None", "domain=/backbone=b"]
)
def test_other_folders_are_no_partitions(folder: str) -> None:
    assert to_key(Path("data/cpds") / folder) is None


@pytest.mark.parametrize("name", ["", ".hidden", "_hidden", "a/b", "..", "a b", "a\n"])
def test_a_file_cannot_have_a_name_that_readers_skip_or_that_leads_elsewhere(name: str) -> None:
    assert not is_part(name)


def test_files_are_listed_in_order_without_hidden_ones_and_strays(tmp_path: Path) -> None:
    second = touch(tmp_path, "cpds", "economics", "trade")
    first = touch(tmp_path, "cpds", "economics", "inflation")
    other = touch(tmp_path, "cpds", "society", "trade")
    touch(tmp_path, "cpds", "economics", "trade", ".part.parquet.1-ab.tmp")
    touch(tmp_path, "cpds", "economics", "trade", ".part.parquet")
    touch(tmp_path, "cpds", "Economics", "trade")
    assert list(list_files(tmp_path, "cpds")) == [first, second, other]
    assert list(list_files(tmp_path, "cpds", backbone="trade")) == [second, other]
    assert list(list_files(tmp_path, "cpds", "economics", "trade")) == [second]


def test_a_filter_cannot_be_a_pattern(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="slug"):
        list(list_files(tmp_path, "cpds", "*"))


def test_backbones_are_those_with_rows_in_the_table(tmp_path: Path) -> None:
    touch(tmp_path, "backbones", "society", "trade")
    touch(tmp_path, "backbones", "economics", "trade")
    touch(tmp_path, "articles", "economics", "inflation")
    assert list_backbones(tmp_path) == (BackboneKey("economics", "trade"), BackboneKey("society", "trade"))
    assert list_backbones(tmp_path, "articles") == (BackboneKey("economics", "inflation"),)
    assert list_backbones(tmp_path / "missing") == ()


def test_removing_a_backbone_leaves_the_others_and_the_record_of_its_calls(tmp_path: Path) -> None:
    gone = [touch(tmp_path, table, "economics", "trade") for table in ("cpds", "examples", "scores")]
    kept = [touch(tmp_path, table, "economics", "trade", "run-1.parquet") for table in ("calls", "failures")]
    kept += [touch(tmp_path, "cpds", "economics", "inflation"), touch(tmp_path, "cpds", "society", "trade")]
    assert remove_backbone(tmp_path, "economics", "trade")
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in kept)
    assert not (tmp_path / "examples" / "domain=economics").exists()
    assert not remove_backbone(tmp_path, "economics", "trade")


def test_run_ids_sort_by_time_whatever_the_zone_and_name_files() -> None:
    early = new_run_id(datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2))))  # 23:00 the day before in UTC
    late = new_run_id(datetime(2026, 3, 1, 0, tzinfo=UTC))
    assert early.startswith("20260228t230000-")
    assert early < late
    assert is_part(early)
    assert new_run_id() != new_run_id()
