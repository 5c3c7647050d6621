"""The tables of the benchmark: what was predicted, how it was aligned, how it scored.

Inside a partition there is one file for each model and mode, and for alignments and scores for each judge. Writing some
examples keeps the others of the file, as long as the corpus still has them. A prediction that changes takes the
alignments and scores of its old self along, so that what is there always belongs together.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from bayes.scoring.records import Alignment, Match
from bayes.scoring.scores import Scores
from schemas.benchmark import AlignmentRow, Mode, PredictionRow, ScoreRow
from schemas.errors import InputError
from schemas.predicted_networks import from_json, to_json
from schemas.rows import BackboneKey, Written
from schemas.slugs import to_slug
from storage.layout import list_files, partition
from storage.parquet import read_file, read_table, write_table
from storage.tables import ArrowTable, to_spec

SCORE_FIELDS = tuple(field.name for field in fields(Scores))

_KEY = ("example", "model", "mode")
_STATUS = ("status", "is_truncated")
_MATCH = ("kind", "reference_variable", "predicted_variable", "reference_state", "predicted_state")
_NOTHING = "empty"
"""Kind of the one row of an example for which the judge found nothing that matches."""

RowT = TypeVar("RowT", PredictionRow, AlignmentRow, ScoreRow)


class Reading(NamedTuple):
    """A model and the mode in which it read examples."""

    model: str
    mode: Mode


def to_part(reading: Reading, judge: str = "") -> str:
    """Stem of the file of a model, mode and, where there is one, judge: readable, and different for different names.

    Example:
        >>> to_part(Reading("person:anna", "full"))
        'person-anna-b2328f1e9d'
    """
    digest = hashlib.sha256(json.dumps([*reading, judge]).encode()).hexdigest()[:10]
    return "-".join(filter(None, (to_slug(reading.model), judge and to_slug(judge)[:24].rstrip("-"), digest)))


def write_predictions(
    data: Path, domain: str, backbone: str, rows: Iterable[PredictionRow], *, run: str
) -> tuple[Written, ...]:
    """Write ``predictions`` of one backbone, of any models and modes.

    Raises:
        ValueError: a row is of another backbone, or of no example of this one, or there twice.
        InputError: a file cannot be read or written.
    """
    key = BackboneKey(domain, backbone)
    groups = _group(rows, key, lambda row: to_part(Reading(row.model, row.mode)))
    written: list[Written] = []
    for part, found in groups.items():
        columns = {
            "example": [row.example for row in found],
            "model": [row.model for row in found],
            "mode": [row.mode for row in found],
            "status": [row.status for row in found],
            "is_truncated": [row.is_truncated for row in found],
            "reason": [row.reason for row in found],
            "detail": [_to_plain(row.detail) for row in found],
            "n_variables": [len(row.prediction.variables) for row in found],
            "n_edges": [len(row.prediction.edges) for row in found],
            "network_json": [to_json(row.prediction) for row in found],
            "raw": [_to_plain(row.raw) for row in found],
        }
        _forget_scores(data, key, part, columns, run=run)
        written.append(_merge(data, "predictions", key, part, columns, run=run))
    return tuple(written)


def read_predictions(
    data: Path, domain: str, backbone: str, models: Collection[str] | None = None, mode: Mode | None = None
) -> tuple[PredictionRow, ...]:
    """The predictions of one backbone, of all models and modes or of some, ordered by example and model.

    Raises:
        InputError: a file is corrupt or of another version, or a prediction cannot be read.
    """
    rows: list[PredictionRow] = []
    for values in filter_rows(read_table(data, "predictions", domain, backbone), models, mode).to_pylist():
        try:
            prediction = from_json(values.pop("network_json"))
        except InputError as error:
            where = f"table predictions of {domain}/{backbone}: {values['example']}, {values['model']}"
            raise InputError(f"{where}: {error}") from error
        for count in ("n_variables", "n_edges"):
            del values[count]
        rows.append(PredictionRow(**values, prediction=prediction))
    return tuple(sorted(rows, key=_to_order))


def list_predicted(data: Path, domain: str | None = None, backbone: str | None = None) -> tuple[Reading, ...]:
    """The models and modes that have predictions for a backbone, a domain or the corpus, ordered.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    rows = read_table(data, "predictions", domain, backbone, ["model", "mode"])
    found = rows.group_by(["model", "mode"]).aggregate([]).to_pylist()
    return tuple(sorted(Reading(row["model"], row["mode"]) for row in found))


def write_alignments(
    data: Path, domain: str, backbone: str, rows: Iterable[AlignmentRow], *, run: str
) -> tuple[Written, ...]:
    """Write ``alignments`` of one backbone, of any models, modes and judges.

    Raises:
        ValueError: a row is of another backbone, or of no example of this one, or there twice.
        InputError: a file cannot be read or written.
    """
    key = BackboneKey(domain, backbone)
    groups = _group(rows, key, lambda row: to_part(Reading(row.model, row.mode), row.judge))
    return tuple(
        _merge(data, "alignments", key, part, _to_match_columns(found), run=run) for part, found in groups.items()
    )


def read_alignments(
    data: Path,
    domain: str,
    backbone: str,
    judge: str | None = None,
    models: Collection[str] | None = None,
    mode: Mode | None = None,
) -> tuple[AlignmentRow, ...]:
    """The alignments of one backbone, by all judges or one, of all models and modes or of some.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    columns = filter_rows(read_table(data, "alignments", domain, backbone), models, mode, judge).to_pydict()
    matches: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    keys = zip(*(columns[name] for name in (*_KEY, "judge")), strict=True)
    for key, match in zip(keys, zip(*(columns[name] for name in _MATCH), strict=True), strict=True):
        matches.setdefault(key, []).append(match)
    rows = (
        AlignmentRow(domain, backbone, *key, alignment=_to_alignment(found))  # pyright: ignore[reportArgumentType]  # the mode is a text in the table
        for key, found in matches.items()
    )
    return tuple(sorted(rows, key=_to_order))


def write_scores(data: Path, domain: str, backbone: str, rows: Iterable[ScoreRow], *, run: str) -> tuple[Written, ...]:
    """Write ``scores`` of one backbone, of any models, modes and judges.

    Raises:
        ValueError: a row is of another backbone, or of no example of this one, or there twice.
        InputError: a file cannot be read or written.
    """
    key = BackboneKey(domain, backbone)
    groups = _group(rows, key, lambda row: to_part(Reading(row.model, row.mode), row.judge))
    own = (*_KEY, "judge", *_STATUS, "n_variables", "n_edges")
    return tuple(
        _merge(
            data,
            "scores",
            key,
            part,
            {name: [getattr(row, name) for row in found] for name in own}
            | {name: [getattr(row.scores, name) for row in found] for name in SCORE_FIELDS},
            run=run,
        )
        for part, found in groups.items()
    )


def read_scores(
    data: Path,
    domain: str | None = None,
    backbone: str | None = None,
    judge: str | None = None,
    models: Collection[str] | None = None,
    mode: Mode | None = None,
) -> tuple[ScoreRow, ...]:
    """The scores of the corpus, of a domain or of a backbone; :mod:`storage.score_columns` has them as arrays.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    columns = filter_rows(read_table(data, "scores", domain, backbone), models, mode, judge).to_pydict()
    own = ("domain", "backbone", *_KEY, "judge", *_STATUS, "n_variables", "n_edges")
    keys = zip(*(columns[name] for name in own), strict=True)
    values = zip(*(columns[name] for name in SCORE_FIELDS), strict=True)
    rows = (ScoreRow(*key, scores=Scores(*found)) for key, found in zip(keys, values, strict=True))
    return tuple(sorted(rows, key=_to_order))


def _to_order(row: PredictionRow | AlignmentRow | ScoreRow) -> tuple[str, ...]:
    judge = "" if isinstance(row, PredictionRow) else row.judge
    return (row.domain, row.backbone, row.example, row.model, row.mode, judge)


def _group(rows: Iterable[RowT], key: BackboneKey, to_stem: Callable[[RowT], str]) -> dict[str, list[RowT]]:
    groups: dict[str, list[RowT]] = {}
    for row in rows:
        if (row.domain, row.backbone) != key:
            raise ValueError(f"example {row.example!r} is not of backbone {'/'.join(key)}")
        groups.setdefault(to_stem(row), []).append(row)
    for found in groups.values():
        found.sort(key=lambda row: row.example)
        for first, second in pairwise(found):
            if first.example == second.example:
                raise ValueError(f"example {first.example!r} has two rows of {first.model!r}")
    return groups


def _to_match_columns(rows: Sequence[AlignmentRow]) -> dict[str, list[Any]]:
    """The rows of all alignments of one file, each in its own order."""
    found: list[tuple[str | None, ...]] = []
    counts: list[int] = []
    for row in rows:
        alignment, start = row.alignment, len(found)
        found += [("variable", *match, None, None) for match in alignment.variables]
        for match in alignment.variables:
            found += [("state", *match, *state) for state in alignment.states.get(match.reference, ())]
        found += [("duplicate", None, name, None, None) for name in alignment.duplicates]
        if len(found) == start:
            found.append((_NOTHING, None, None, None, None))
        counts.append(len(found) - start)
    columns: dict[str, list[Any]] = {name: [] for name in (*_KEY, "judge")}
    for row, count in zip(rows, counts, strict=True):
        for name, values in columns.items():
            values.extend([getattr(row, name)] * count)
    return columns | dict(zip(_MATCH, map(list, zip(*found, strict=True)), strict=True))


def _to_alignment(rows: Sequence[tuple[Any, ...]]) -> Alignment:
    variables = tuple(Match(*row[1:3]) for row in rows if row[0] == "variable")
    states: dict[str, list[Match]] = {match.reference: [] for match in variables}
    for row in rows:
        if row[0] == "state":
            states[row[1]].append(Match(*row[3:]))
    duplicates = tuple(row[2] for row in rows if row[0] == "duplicate")
    return Alignment(variables, duplicates, {name: tuple(found) for name, found in states.items()})


def filter_rows(
    rows: ArrowTable, models: Collection[str] | None, mode: Mode | None, judge: str | None = None
) -> ArrowTable:
    """The rows of these models, this mode and this judge; None is any."""
    wanted = {"model": models, "mode": mode and (mode,), "judge": judge and (judge,)}
    for column, values in wanted.items():
        if values is not None:
            wanted_values = pa.array(sorted(values), pa.string())
            rows = rows.filter(pc.is_in(rows.column(column), value_set=wanted_values))  # pyright: ignore[reportAttributeAccessIssue]  # pyarrow makes its functions when imported
    return rows


def _merge(
    data: Path, table: str, key: BackboneKey, part: str, columns: Mapping[str, Sequence[Any]], *, run: str
) -> Written:
    """Write a file: these rows, and those that are there of other examples that the corpus still has."""
    spec = to_spec(table)
    known = set(read_table(data, "examples", *key, ["example"]).column("example").to_pylist())
    new = set(columns["example"])
    if new - known:
        raise ValueError(f"{min(new - known)!r} is no example of {'/'.join(key)}")
    rows = pa.table({field.name: pa.array(columns[field.name], field.type) for field in spec.schema}, spec.schema)
    path = partition(data, table, *key) / f"{part}.parquet"
    if path.exists():
        old = read_file(path, spec)
        keep = pa.array([example in known - new for example in old.column("example").to_pylist()], pa.bool_())
        rows = pa.concat_tables([old.filter(keep), rows])
        examples = rows.column("example").to_pylist()
        rows = rows.take(pa.array(sorted(range(len(examples)), key=examples.__getitem__), pa.int64()))
    return write_table(data, table, *key, rows, run=run, part=part)


def _forget_scores(data: Path, key: BackboneKey, part: str, columns: Mapping[str, Sequence[Any]], *, run: str) -> None:
    """Take out the alignments and scores of predictions that are about to change."""
    names = ("example", "status", "is_truncated", "network_json")
    path = partition(data, "predictions", *key) / f"{part}.parquet"
    if not path.exists():
        return
    old = read_file(path, to_spec("predictions"), names).to_pylist()
    before = {row["example"]: tuple(row[name] for name in names) for row in old}
    after = zip(*(columns[name] for name in names), strict=True)
    changed = {row[0] for row in after if before.get(row[0], row) != row}
    reading = (columns["model"][0], columns["mode"][0])
    for table in ("alignments", "scores") if changed else ():
        for file in list_files(data, table, *key):
            rows = read_file(file, to_spec(table))
            if rows.num_rows and tuple(rows.column(name)[0].as_py() for name in ("model", "mode")) == reading:
                keep = [example not in changed for example in rows.column("example").to_pylist()]
                if not any(keep):
                    file.unlink()
                elif not all(keep):
                    kept = rows.filter(pa.array(keep, pa.bool_()))
                    write_table(data, table, *key, kept, run=run, part=file.stem)


def _to_plain(text: str) -> str:
    # A lone surrogate, which a model's JSON can carry, is no text that Parquet takes.
    return text.encode("utf-8", "replace").decode("utf-8")
