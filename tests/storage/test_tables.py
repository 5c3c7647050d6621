"""Every table says what its columns mean, and the five usual readers agree on what is in it."""

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from storage.layout import partition
from storage.parquet import SCRATCH
from storage.scm import write_series
from storage.tables import TABLES, to_spec
from tests.storage.corpora import write_corpus
from tests.storage.readings import write_imported, write_readings
from tests.storage.scm_runs import ASKED, to_result

NAMES = sorted(TABLES)


@pytest.mark.parametrize("name", NAMES)
def test_the_keys_of_the_path_are_no_columns_and_every_file_can_be_told_by_itself(name: str) -> None:
    spec = to_spec(name)
    assert not {"domain", "backbone"} & set(spec.schema.names)
    assert {"network", "example"} & set(spec.schema.names)
    assert set(spec.key) <= set(spec.schema.names)


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_described_and_every_measure_has_a_unit(name: str) -> None:
    for field in to_spec(name).schema:
        assert field.metadata[b"description"]
        if pa.types.is_floating(field.type):
            assert field.metadata[b"unit"], field.name


def test_an_unknown_table_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'cpd' is not a table; there are .*cpds"):
        to_spec("cpd")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_corpus(folder)
    write_readings(folder)
    write_imported(folder)
    write_series(folder, ASKED, to_result(), run="run-1")
    (folder / SCRATCH / "1-ab").write_bytes(b"PAR1 half")  # as a killed writer leaves it
    return folder


def read_all_ways(folder: Path) -> dict[str, pd.DataFrame]:
    """The same folder by the plainest call of each reader."""
    with duckdb.connect() as connection:
        by_duckdb = connection.read_parquet(f"{folder}/**/*.parquet", hive_partitioning=True).df()
    return {
        "pandas": pd.read_parquet(folder),
        "pyarrow": pq.read_table(folder).to_pandas(),
        "dataset": ds.dataset(folder, partitioning="hive").to_table().to_pandas(),
        "duckdb": by_duckdb,
        "polars": pl.read_parquet(folder).to_pandas(),
        "polars, lazily": pl.scan_parquet(folder, hive_partitioning=True).collect().to_pandas(),
    }


def to_plain(frame: pd.DataFrame, key: tuple[str, ...]) -> list[dict[str, object]]:
    """Rows as Python values in one order; lists as lists, whatever array type a reader uses."""
    names = sorted(frame.columns)
    plain = pa.Table.from_pandas(frame[names].astype({"domain": object, "backbone": object}), preserve_index=False)
    rows = plain.select(names).to_pylist()
    return sorted(rows, key=lambda row: (row["domain"], row["backbone"], *(str(row[name]) for name in key)))


@pytest.mark.parametrize("name", NAMES)
def test_five_readers_see_the_same_rows_with_the_keys_as_text(name: str, data: Path) -> None:
    frames = read_all_ways(data / name)
    key = (
        *to_spec(name).key,
        *(column for column in ("parent_states", "state") if column in to_spec(name).schema.names),
    )
    expected = to_plain(frames.pop("pyarrow"), key)
    assert expected
    assert {row["domain"] for row in expected} <= {"environment", "society", ASKED.domain}
    for reader, frame in frames.items():
        assert to_plain(frame, key) == expected, reader


def test_text_columns_come_back_as_text_and_lists_as_lists_of_text(data: Path) -> None:
    schema = pq.read_table(data / "cpds").schema
    assert schema.field("variable").type == pa.string()
    assert schema.field("parents").type == pa.list_(pa.field("element", pa.string(), nullable=False))
    assert pl.read_parquet(data / "cpds").schema["parent_states"] == pl.List(pl.String)


def test_a_file_out_of_its_folder_still_says_whose_it_is(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "lost.parquet"
    path.write_bytes((partition(data, "cpds", "society", "bread-riots") / "part.parquet").read_bytes())
    file = pq.ParquetFile(path)
    assert set(file.read()["network"].to_pylist()) == {
        "bread-riots",
        "bread-riots-3-0000000a",
        "bread-riots-3-0000000b",
    }
    assert file.metadata.metadata[b"prism.table"] == b"cpds"
    assert file.metadata.metadata[b"prism.schema_version"] == b"1"
    assert file.metadata.metadata[b"prism.run"] == b"run-2"
    assert file.schema_arrow.field("probability").metadata[b"unit"] == b"1"
