"""A prediction as canonical JSON: the form in which it is kept, exactly as it came.

::

    {"variables": [{"name": "rain", "states": ["heavy", "none"]}], "edges": [["rain", "flood"]],
     "cpds": [{"child": "flood", "parents": ["rain"], "cpd": [[0.6, null], [0.4, null]]}],
     "pairwise": [{"parent": "rain", "child": "flood", "cpd": [[0.6, null], [0.4, null]]}]}

Unlike the networks of :mod:`schemas.networks`, names may be there twice, edges may close a cycle, and tables may be of
any shape. Rows are states of the child, columns configurations of the parents. A cell that was not given, or is not
finite, is null. Keys stand in this order, there is no white space, text is UTF-8 and unescaped, and reading a number
back gives the same float. A table without rows comes back as one without columns either.
"""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from bayes.network import Edge, FloatArray, Variable
from bayes.scoring.records import PredictedCpd, Prediction
from schemas.errors import InputError

Rows = list[list[float | None]]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _VariableRecord(_Record):
    name: str
    states: list[str]


class _CpdRecord(_Record):
    child: str
    parents: list[str]
    cpd: Rows


class _PairwiseRecord(_Record):
    parent: str
    child: str
    cpd: Rows


class _PredictionRecord(_Record):
    variables: list[_VariableRecord]
    edges: list[tuple[str, str]]
    cpds: list[_CpdRecord]
    pairwise: list[_PairwiseRecord]


def to_json(prediction: Prediction) -> str:
    """The canonical JSON of a prediction.

    Example:
        >>> rain = PredictedCpd("rain", (), np.array([[0.3], [np.nan]]))
        >>> to_json(Prediction((Variable("rain", ("heavy", "none")),), (), {"rain": rain})) # doctest: +ELLIPSIS
        '{"variables":[...],"edges":[],"cpds":[{"child":"rain","parents":[],"cpd":[[0.3],[null]]}],"pairwise":[]}'
    """
    record = {
        "variables": [{"name": variable.name, "states": variable.states} for variable in prediction.variables],
        "edges": prediction.edges,
        "cpds": [
            {"child": cpd.child, "parents": cpd.parents, "cpd": _to_rows(cpd.matrix)}
            for cpd in prediction.cpds.values()
        ],
        "pairwise": [
            {"parent": edge.parent, "child": edge.child, "cpd": _to_rows(matrix)}
            for edge, matrix in prediction.pairwise.items()
        ],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Prediction:
    """The prediction that a canonical JSON text describes.

    Raises:
        InputError: the text is not JSON, a field is missing or of another kind, a table has rows of different lengths,
            an edge ends at no variable, or a child or an edge has two tables.
    """
    try:
        record = _PredictionRecord.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "text"
        raise InputError(f"prediction JSON: {where}: {first['msg']}") from error
    for problem in _find_problems(record):
        raise InputError(f"prediction JSON: {problem}")
    return Prediction(
        tuple(Variable(item.name, tuple(item.states)) for item in record.variables),
        tuple(Edge(*edge) for edge in record.edges),
        {item.child: PredictedCpd(item.child, tuple(item.parents), _to_matrix(item.cpd)) for item in record.cpds},
        {Edge(item.parent, item.child): _to_matrix(item.cpd) for item in record.pairwise},
    )


def _find_problems(record: _PredictionRecord) -> Iterator[str]:
    names = {item.name for item in record.variables}
    for edge in record.edges:
        if not names.issuperset(edge):
            yield f"edges: {edge[0]!r} -> {edge[1]!r} ends at no variable"
    if len({item.child for item in record.cpds}) < len(record.cpds):
        yield "cpds: a child has two tables"
    if len({(item.parent, item.child) for item in record.pairwise}) < len(record.pairwise):
        yield "pairwise: an edge has two tables"
    for item in (*record.cpds, *record.pairwise):
        if len({len(row) for row in item.cpd}) > 1:
            yield f"the table of {item.child!r} has rows of different lengths"


def _to_rows(matrix: FloatArray) -> Any:
    is_finite = np.isfinite(matrix)
    if is_finite.all():
        return matrix.tolist()
    cells = matrix.astype(np.object_)
    cells[~is_finite] = None
    return cells.tolist()


def _to_matrix(rows: Rows) -> FloatArray:
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)
