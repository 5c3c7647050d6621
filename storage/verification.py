"""Everything a consumer of the corpus relies on, checked file by file and backbone by backbone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import get_args

import pyarrow as pa

from schemas.calls import FailureReason
from schemas.errors import InputError
from schemas.rows import BackboneKey
from storage.benchmark import read_alignments, read_predictions, read_scores
from storage.benchmark_checks import (
    BenchmarkRows,
    check_alignment_rows,
    check_prediction_rows,
    check_score_rows,
    check_scores,
)
from storage.checks import BackboneTables, check_backbone_tables
from storage.layout import BENCHMARK, HISTORY, SCM, UNASSIGNED, is_part, list_backbones, list_files, partition, to_key
from storage.parquet import read_file, read_info
from storage.references import read_references
from storage.scm_checks import check_scm_rows
from storage.tables import TABLES, ArrowTable, TableSpec

MAX_FINDINGS = 20
"""Findings listed for one table of one backbone; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it must be: in which table, which file or folder below the data folder, and what."""

    table: str
    file: str
    what: str


@dataclass(frozen=True, slots=True)
class TableCount:
    """Files and rows of one table."""

    table: str
    n_files: int
    n_rows: int


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """What was looked at and what was found; no findings, a sound corpus."""

    findings: tuple[Finding, ...]
    tables: tuple[TableCount, ...]
    n_backbones: int
    n_networks: int

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def verify(data: Path) -> VerificationReport:
    """Check the whole corpus; memory holds one backbone at a time.

    Args:
        data: the data folder.

    Raises:
        InputError: there is no data folder, or no table in it.
    """
    present = [spec for spec in TABLES.values() if (data / spec.name).is_dir()]
    if not present:
        raise InputError(f"{data}: there are no tables in this folder; build a corpus first or give another --data")
    findings: list[Finding] = []
    counts = {spec.name: [0, 0] for spec in present}
    for spec in present:
        findings += _find_strays(data, spec)
    n_networks = 0
    owners: dict[str, BackboneKey] = {}
    corpus = [spec for spec in TABLES.values() if spec.name not in (*HISTORY, *SCM, *BENCHMARK)]
    keys = sorted({key for spec in corpus for key in list_backbones(data, spec.name)})
    for key in keys:
        tables: dict[str, ArrowTable] = {}
        damaged: set[str] = set()
        for spec in corpus:
            rows, problems = _read_partition(data, spec, key, counts)
            findings += problems
            if rows is not None:
                tables[spec.name] = rows
            if problems:
                damaged.add(spec.name)
        result = check_backbone_tables(BackboneTables(key, tables, frozenset(damaged)))
        n_networks += result.n_networks
        findings += _cap(data, key, result.problems)
        for example in result.example_ids:
            other = owners.setdefault(example, key)
            if other != key:
                findings.append(_finding(data, "examples", key, f"{example!r} is also in {'/'.join(other)}"))
    for key in sorted({key for name in BENCHMARK for key in list_backbones(data, name)}):
        findings += _check_benchmark(data, key, counts)
    for key in sorted({key for name in SCM for key in list_backbones(data, name)}):
        findings += _check_scm(data, key, counts)
    for name in HISTORY:
        for key in list_backbones(data, name):
            findings += _check_history(data, name, key, counts)
    return VerificationReport(
        tuple(findings),
        tuple(TableCount(name, n_files, n_rows) for name, (n_files, n_rows) in counts.items()),
        len(keys),
        n_networks,
    )


def _check_benchmark(data: Path, key: BackboneKey, counts: dict[str, list[int]]) -> Iterator[Finding]:
    try:
        references = read_references(data, *key)
    except InputError:
        references = None  # a finding of another table already
    is_sound = references is not None
    problems: dict[str, list[str]] = {}
    for name, check in zip(BENCHMARK, (check_prediction_rows, check_alignment_rows, check_score_rows), strict=True):
        rows, found = _read_partition(data, TABLES[name], key, counts)
        yield from found
        if rows is not None and references is not None:
            problems[name] = list(check(rows.to_pylist(), references))
        is_sound = is_sound and not found and not problems.get(name)
    if is_sound and references is not None:  # with any problem, a difference would say nothing new
        stored = BenchmarkRows(
            references, read_predictions(data, *key), read_alignments(data, *key), read_scores(data, *key)
        )
        problems["scores"] = list(check_scores(stored))
    yield from _cap(data, key, problems)


def _check_scm(data: Path, key: BackboneKey, counts: dict[str, list[int]]) -> Iterator[Finding]:
    rows: list[list[dict[str, object]]] = []
    for name in SCM:
        found, problems = _read_partition(data, TABLES[name], key, counts)
        yield from problems
        rows.append(found.to_pylist() if found is not None and not problems else [])
    yield from _cap(data, key, {SCM[-1]: list(check_scm_rows(*rows))})


def _finding(data: Path, table: str, key: BackboneKey, what: str) -> Finding:
    return Finding(table, partition(data, table, *key).relative_to(data).as_posix(), what)


def _find_strays(data: Path, spec: TableSpec) -> Iterator[Finding]:
    for path in sorted((data / spec.name).rglob("*")):
        is_hidden = any(part.startswith((".", "_")) for part in path.relative_to(data).parts)
        if path.is_dir() or is_hidden:
            continue
        depth = len(path.relative_to(data / spec.name).parts)
        if not (path.suffix == ".parquet" and is_part(path.name) and depth == 3 and to_key(path.parent)):
            where = path.relative_to(data).as_posix()
            yield Finding(spec.name, where, "is no file of the form domain=<slug>/backbone=<slug>/<part>.parquet")


def _read_partition(
    data: Path, spec: TableSpec, key: BackboneKey, counts: dict[str, list[int]]
) -> tuple[ArrowTable | None, list[Finding]]:
    """The sound rows of one partition (None if there are none) and what is wrong with its files."""
    tables: list[ArrowTable] = []
    findings: list[Finding] = []
    for path in list_files(data, spec.name, *key):
        where = path.relative_to(data).as_posix()
        try:
            rows, info = read_file(path, spec), read_info(path)
        except InputError as error:
            findings.append(Finding(spec.name, where, str(error)))
            continue
        counts[spec.name][0] += 1
        counts[spec.name][1] += rows.num_rows
        tables.append(rows)
        if not info.run:
            findings.append(Finding(spec.name, where, "does not say which run produced it"))
        findings += [Finding(spec.name, where, what) for what in _check_ids(spec, key, rows)]
    return (pa.concat_tables(tables) if tables else None), findings


def _check_ids(spec: TableSpec, key: BackboneKey, rows: ArrowTable) -> Iterator[str]:
    if UNASSIGNED not in key:
        for name in rows.column(spec.id_column).unique().to_pylist():
            is_own = spec.id_column == "network" and name == key.backbone
            if not is_own and not name.startswith(f"{key.backbone}-"):
                yield f"{spec.id_column} {name!r} does not begin with the backbone's id"
    first = rows.column(spec.key[0]).to_pylist()
    if first != sorted(first):
        yield f"its rows are not sorted by {spec.key[0]}"


def _check_history(data: Path, table: str, key: BackboneKey, counts: dict[str, list[int]]) -> Iterator[Finding]:
    rows, problems = _read_partition(data, TABLES[table], key, counts)
    yield from problems
    if rows is not None:
        yield from (_finding(data, table, key, what) for what in _find_wrong_history(table, rows))


def _find_wrong_history(table: str, rows: ArrowTable) -> Iterator[str]:
    if table == "failures":
        for reason in sorted(set(rows.column("reason").to_pylist()) - set(get_args(FailureReason))):
            yield f"{reason!r} is no reason"
        return
    for name in ("tokens_in", "tokens_out", "seconds", "attempts", "cost_usd"):
        if (rows.column(name).to_numpy() < 0).any():
            yield f"{name} is negative"


def _cap(data: Path, key: BackboneKey, problems: Mapping[str, list[str]]) -> Iterator[Finding]:
    for table, found in problems.items():
        for what in islice(found, MAX_FINDINGS):
            yield _finding(data, table, key, what)
        if len(found) > MAX_FINDINGS:
            yield _finding(data, table, key, f"and {len(found) - MAX_FINDINGS} more")
