"""Labelled pairs of names, by which judges are checked: a CSV file with a header.

=========  ============================================================================================
column     content
=========  ============================================================================================
kind       ``variable`` or ``state``
left       a name
right      another
is_same    ``yes`` if a reader would take both for the same variable, or the same state of one variable
category   what makes the pair easy or hard: ``synonym``, ``antonym``, ``number`` and so on
part       ``tune`` if judges may be adjusted on the pair, ``test`` if they are reported on it
=========  ============================================================================================

Other columns are ignored.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from bayes.judging.agreement import LabelledPair
from schemas.errors import InputError

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


def _to_bool(value: object) -> object:
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["variable", "state"]
    left: _Text
    right: _Text
    is_same: Annotated[Literal[True, False], BeforeValidator(_to_bool)]
    category: _Text
    part: Literal["tune", "test"]


_ALLOWED = {"kind": "variable or state", "is_same": "yes or no", "part": "tune or test"}


def read_judge_pairs(path: Path) -> tuple[LabelledPair, ...]:
    """The labelled pairs of a file, in its order.

    Raises:
        InputError: the file cannot be used; the text names the file, the line and the column.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            missing = [column for column in _Row.model_fields if column not in (rows.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: line 1: the column '{missing[0]}' is missing; add it to the header")
            pairs = tuple(_read_rows(path, rows))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text; save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise InputError(f"{path}: is not a CSV file: {error}") from error
    if not pairs:
        raise InputError(f"{path}: has no pairs below its header")
    return pairs


def _read_rows(path: Path, rows: "csv.DictReader[str]") -> Iterator[LabelledPair]:
    lines: dict[tuple[str, frozenset[str]], int] = {}
    for row in rows:
        where = f"{path}: line {rows.line_num}"
        if None in row.values():
            _refuse(where, next(column for column, value in row.items() if value is None), "is missing")
        if None in row:
            raise InputError(f"{where}: has more cells than the header; put names with commas in quotes")
        try:
            read = _Row.model_validate(row)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            column = str(first["loc"][0])
            allowed = _ALLOWED.get(column, "a text of 1 to 200 characters")
            _refuse(where, column, f"must be {allowed}, not {str(first['input'])[:40]!r}")
        pair = (read.kind, frozenset((read.left, read.right)))
        if pair in lines:
            _refuse(where, "left", f"this {read.kind} pair is on line {lines[pair]} already; remove one")
        lines[pair] = rows.line_num
        yield LabelledPair(read.kind, read.left, read.right, read.is_same, read.category, read.part)


def _refuse(where: str, column: str, problem: str) -> NoReturn:
    raise InputError(f"{where}: {column}: {problem}")
