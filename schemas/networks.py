"""A network as canonical JSON: the form in which examples carry it and predictions are read back.

::

    {"variables": [{"name": "rainfall", "states": ["heavy", "none"], "parents": [],
                    "cpd": [[0.3], [0.7]], "rules": ["prior"]}]}

``cpd`` has one row per state and one column per parent configuration, in C order over ``parents``. Keys stand in this
order, there is no white space, text is UTF-8 and unescaped, numbers are written so that reading them back gives the
same float.
"""

import json
from functools import lru_cache

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from bayes.network import Cpd, Network, Rule, Variable
from schemas.errors import InputError


class _VariableRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    states: list[str]
    parents: list[str]
    cpd: list[list[float]]
    rules: list[Rule]


class _NetworkRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    variables: list[_VariableRecord]


@lru_cache(maxsize=4096)
def _variable_json(variable: Variable, cpd: Cpd) -> str:
    # Examples of one backbone share their Cpd objects, so most of the text is made once.
    record = {
        "name": variable.name,
        "states": variable.states,
        "parents": cpd.parents,
        "cpd": cpd.matrix.tolist(),
        "rules": cpd.rules,
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def to_json(network: Network) -> str:
    """The canonical JSON of a network.

    Example:
        >>> rain = Variable("rain", ("heavy", "none"))
        >>> prior = Cpd("rain", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
        >>> to_json(Network((rain,), (prior,)))
        '{"variables":[{"name":"rain","states":["heavy","none"],"parents":[],"cpd":[[0.3],[0.7]],"rules":["prior"]}]}'
    """
    parts = (_variable_json(network.by_name[cpd.variable], cpd) for cpd in network.cpds)
    return '{"variables":[' + ",".join(parts) + "]}"


def from_json(text: str) -> Network:
    """The network that a canonical JSON text describes.

    Raises:
        InputError: the text is not JSON, a field is missing, or a CPD has another shape than its states and parents.
    """
    try:
        record = _NetworkRecord.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"network JSON: {'.'.join(map(str, first['loc'])) or 'text'}: {first['msg']}") from error
    variables = tuple(Variable(item.name, tuple(item.states)) for item in record.variables)
    cardinality = {variable.name: variable.cardinality for variable in variables}
    cpds: list[Cpd] = []
    for item in record.variables:
        unknown = [parent for parent in item.parents if parent not in cardinality]
        if unknown:
            raise InputError(f"network JSON: {item.name!r} has the unknown parent {unknown[0]!r}")
        n_columns = int(np.prod([cardinality[parent] for parent in item.parents], dtype=np.int64))
        if len(item.cpd) != len(item.states) or any(len(row) != n_columns for row in item.cpd):
            raise InputError(f"network JSON: the CPD of {item.name!r} is not {len(item.states)} x {n_columns}")
        matrix = np.array(item.cpd, dtype=np.float64).reshape(len(item.states), n_columns)
        cpds.append(Cpd(item.name, tuple(item.parents), matrix, tuple(item.rules)))
    return Network(variables, tuple(cpds))
