"""Parquet files, written whole or not at all, and read back.

A file is written under ``<data>/.tmp``, synced and renamed over the old one. The same rows make the same bytes, and a
file that holds its rows already is left alone. Its metadata carries the table's name and
version and the run that produced the rows.
"""

import base64
import os
import secrets
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.errors import InputError
from schemas.rows import Written
from storage.layout import PART, is_part, list_files, partition, to_key
from storage.tables import ArrowSchema, ArrowTable, ArrowType, TableSpec, to_spec

SCRATCH = ".tmp"
"""Folder below the data folder where files are made before they are renamed into their place."""

_TABLE_ENTRY, _VERSION_ENTRY, _RUN_ENTRY = b"prism.table", b"prism.schema_version", b"prism.run"
_STALE_SECONDS = 3600.0
_COMPRESSION_LEVEL = 3
_KEYS = ("domain", "backbone")


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What a file says about itself."""

    table: str
    version: int
    run: str
    n_rows: int


def write_table(
    data: Path, table: str, domain: str, backbone: str, rows: ArrowTable, *, run: str, part: str = PART
) -> Written:
    """Write one file of one table, sorted rows given, in place of the one that is there.

    Args:
        data: the data folder; made where it is missing.
        table: a name from :data:`storage.tables.TABLES`.
        domain: slug.
        backbone: slug.
        rows: the table's columns in order; text columns may be dictionary-encoded, which is faster.
        run: id of the run that produced the rows. A file with the same rows keeps the id that it has.
        part: stem of the file.

    Raises:
        ValueError: a key or the part is no safe name, or the columns are not the table's.
        InputError: the file cannot be written. What was there is still there, whole.
    """
    spec = to_spec(table)
    if not is_part(part):
        raise ValueError(f"{part!r} is not the stem of a file")
    _check_columns(spec, rows)
    path = partition(data, table, domain, backbone) / f"{part}.parquet"
    if _is_same(path, spec, rows):
        return Written(path, rows.num_rows, False)
    replace_file(path, _to_bytes(spec, rows, run), data / SCRATCH)
    return Written(path, rows.num_rows, True)


def read_table(
    data: Path,
    table: str,
    domain: str | None = None,
    backbone: str | None = None,
    columns: Sequence[str] | None = None,
) -> ArrowTable:
    """The rows of a table, of one domain or of one backbone, with ``domain`` and ``backbone`` as columns in front.

    No file is no rows: an empty table with the same columns.

    Args:
        data: the data folder.
        table: a name from :data:`storage.tables.TABLES`.
        domain: only this domain.
        backbone: only this backbone.
        columns: only these, in the table's order; ``domain`` and ``backbone`` count among them.

    Raises:
        ValueError: there is no such table or column, or a key is no slug.
        InputError: a file is corrupt, of another table or of another version; the text names it.
    """
    spec = to_spec(table)
    names = [*_KEYS, *spec.schema.names]
    wanted = names if columns is None else list(columns)
    if unknown := set(wanted) - set(names):
        raise ValueError(f"{table} has no column {min(unknown)!r}")
    stored = [name for name in spec.schema.names if name in wanted]
    keys = [key for key in _KEYS if key in wanted]
    schema = pa.schema(
        [pa.field(key, pa.string(), nullable=False) for key in keys] + [spec.schema.field(name) for name in stored]
    )
    tables = [
        _with_keys(read_file(path, spec, stored), path, keys, schema)
        for path in list_files(data, table, domain, backbone)
    ]
    return pa.concat_tables(tables) if tables else schema.empty_table()


def read_file(path: Path, spec: TableSpec, columns: Sequence[str] | None = None) -> ArrowTable:
    """The rows of one file, page checksums verified.

    Raises:
        InputError: the file is corrupt, of another table or of another version.
    """
    names = spec.schema.names if columns is None else list(columns)
    with _reading(path):
        # Reading repeated text as dictionaries and spelling it out afterwards takes a third of the time.
        file = pq.ParquetFile(path, read_dictionary=_to_leaves(spec.schema), page_checksum_verification=True)
        with file:
            info = _to_info(file)
            if not (info.table == spec.name and info.version == spec.version):
                raise InputError(
                    f"{path}: holds table {info.table or 'unknown'!r} in version {info.version} instead of "
                    f"{spec.name!r} in version {spec.version}; build its backbone again with this program"
                )
            if _to_plain(file.schema_arrow) != _to_plain(spec.schema):
                raise InputError(f"{path}: its columns are not those of table {spec.name!r}; build its backbone again")
            rows = file.read(columns=names)
    fields = [spec.schema.field(name) for name in names]
    return (
        pa.Table.from_arrays([rows.column(field.name).cast(field.type) for field in fields], schema=pa.schema(fields))
        if fields
        else rows
    )


def read_info(path: Path) -> FileInfo:
    """What a file says about itself, without reading its rows.

    Raises:
        InputError: the file is no readable Parquet file.
    """
    with _reading(path), pq.ParquetFile(path) as file:
        return _to_info(file)


def count_rows(data: Path, table: str, domain: str | None = None, backbone: str | None = None) -> int:
    """How many rows a table holds, by the files' own account.

    Raises:
        InputError: a file is no readable Parquet file.
    """
    to_spec(table)
    return sum(read_info(path).n_rows for path in list_files(data, table, domain, backbone))


@contextmanager
def _reading(path: Path) -> Generator[None]:
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path}: cannot be read ({reason}); remove it and build its backbone again") from error


def _to_info(file: Any) -> FileInfo:
    entries: dict[bytes, bytes] = file.metadata.metadata or {}
    version = entries.get(_VERSION_ENTRY, b"").decode("utf-8", "replace")
    return FileInfo(
        table=entries.get(_TABLE_ENTRY, b"").decode("utf-8", "replace"),
        version=int(version) if version.isdecimal() else 0,
        run=entries.get(_RUN_ENTRY, b"").decode("utf-8", "replace"),
        n_rows=file.metadata.num_rows,
    )


def _with_keys(rows: ArrowTable, path: Path, keys: Sequence[str], schema: ArrowSchema) -> ArrowTable:
    key = to_key(path.parent)
    constants = [pa.repeat(pa.scalar(getattr(key, name), pa.string()), rows.num_rows) for name in keys]
    return pa.Table.from_arrays([*constants, *rows.columns], schema=schema)


def _check_columns(spec: TableSpec, rows: ArrowTable) -> None:
    if _to_plain(rows.schema) != _to_plain(spec.schema):
        raise ValueError(f"these are not the columns of table {spec.name!r}: {rows.schema.to_string()}")
    for field, column in zip(spec.schema, rows.columns, strict=True):
        if column.null_count and not field.nullable:
            raise ValueError(f"column {field.name!r} of table {spec.name!r} holds nulls")


def _to_plain(schema: ArrowSchema) -> list[tuple[str, str]]:
    """Names and types of the columns with dictionary encoding taken off, in a form that compares."""
    return [(field.name, str(_decode(field.type))) for field in schema]


def _decode(kind: ArrowType) -> ArrowType:
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_list(kind) and pa.types.is_dictionary(kind.value_type):
        return pa.list_(kind.value_field.with_type(kind.value_type.value_type))
    return kind


def _to_leaves(schema: ArrowSchema) -> list[str]:
    """The Parquet columns under the text columns and lists of text."""
    leaves: list[str] = []
    for field in schema:
        if pa.types.is_string(field.type):
            leaves.append(field.name)
        elif pa.types.is_list(field.type) and pa.types.is_string(field.type.value_type):
            leaves.append(f"{field.name}.list.element")
    return leaves


def _to_bytes(spec: TableSpec, rows: ArrowTable, run: str) -> bytes:
    fields = [
        pa.field(field.name, column.type, nullable=field.nullable)
        for field, column in zip(spec.schema, rows.columns, strict=True)
    ]
    encoded = pa.Table.from_arrays(rows.columns, schema=pa.schema(fields))
    sink = pa.BufferOutputStream()
    # Dictionary-encoded text is written several times faster, but would come back from pyarrow and polars as
    # dictionaries, which their users do not expect. So the file declares the plain schema instead of the one in hand.
    declared = base64.b64encode(spec.schema.serialize().to_pybytes()).decode()
    entries = {
        "ARROW:schema": declared,
        _TABLE_ENTRY.decode(): spec.name,
        _VERSION_ENTRY.decode(): str(spec.version),
        _RUN_ENTRY.decode(): run,
    }
    with pq.ParquetWriter(
        sink,
        encoded.schema,
        compression="zstd",
        compression_level=_COMPRESSION_LEVEL,
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        writer.write_table(encoded)
        writer.add_key_value_metadata(entries)
    return sink.getvalue().to_pybytes()


def _is_same(path: Path, spec: TableSpec, rows: ArrowTable) -> bool:
    try:
        if path.read_bytes() == _to_bytes(spec, rows, read_info(path).run):
            return True
        # Another release of pyarrow may write other bytes for the same rows.
        return bool(read_file(path, spec).equals(rows.cast(spec.schema)))
    except (OSError, InputError):
        return False


def replace_file(path: Path, content: bytes, scratch: Path) -> None:
    """Write a file whole, by way of the scratch folder, or leave what is there.

    Raises:
        InputError: it cannot be written.
    """
    # The temporary file is not beside its target: polars reads every file of a folder, hidden ones too.
    temporary = scratch / f"{os.getpid()}-{secrets.token_hex(8)}"
    try:
        for folder in (scratch, path.parent):
            folder.mkdir(parents=True, exist_ok=True)
        _sweep(scratch)
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{path}: cannot be written ({reason}); make room there or choose another folder") from error


def _sweep(scratch: Path) -> None:
    """Remove what killed processes left; an hour old, it is nobody's work in progress."""
    for left in scratch.iterdir():
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                left.unlink()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
