"""Networks in the layout of the published corpus, as they stand in the file.

::

    {"metadata": {"total": 2, …},
     "bayesian_networks": {
       "bn_1": {"id": "bn_1", "parent_id": …, "source_id": …, "title": …, "domain": …, "actual_text": the article,
                "generated_text": the description, "n_nodes": 2, "n_edges": 1,
                "nodes": {"rain":  {"states": ["heavy", "none"], "level": 0, "parents": {}, "prior": [0.3, 0.7]},
                          "flood": {"states": ["wide", "none"], "level": 1, "parents": {
                              "rain": {"parent_states": ["heavy", "none"],
                                       "cpd_matrix": [[0.6, null], [0.4, null]]}}}}}}}

A ``cpd_matrix`` has rows = states of the child, columns = ``parent_states`` of that one parent. Predictions come in the
same layout. Only ``bayesian_networks`` and ``nodes`` are asked for; every other field may be missing.

What is odd is counted (:mod:`schemas.oddities`) and the rest is read:

- names are cleaned, and clipped at :data:`~schemas.names.MAX_NAME` characters; ``None`` is the baseline ``none`` where
  that is not there; names are compared exactly first, then whatever their case;
- columns follow the parent's own order of states: ``parent_states`` say which is which. A column for a state that the
  parent lacks is left out, one that is missing is ``nan``;
- a cell that is null or no probability is ``nan``;
- what cannot stand in a network is left out and told in ``faults`` of the network: whoever needs the network whole
  refuses it then.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from bayes.network import Variable
from schemas.errors import InputError
from schemas.oddities import Oddity, OddityLog, clip
from schemas.released_networks import ReleasedNetwork, read_network

MAX_FILE = 1 << 30
"""Largest file taken, in bytes."""

LAYOUT = '{"metadata": {…}, "bayesian_networks": {id: {"nodes": {…}, …}}}'


def read_layout(path: Path, log: OddityLog) -> Iterator[ReleasedNetwork]:
    """The networks of a file, in its order, each forgotten in its raw form once it is read.

    Raises:
        InputError: the file cannot be read or is not of this layout; one line with file, field and what to do.
    """
    record = _load(path, log)
    networks = record.pop("bayesian_networks")
    metadata = record.get("metadata")
    total = cast("Mapping[str, Any]", metadata).get("total") if isinstance(metadata, dict) else None
    if total is not None and total != len(networks):
        log.add(Oddity.TOTAL, f"{clip(str(total), 40)} against {len(networks)}")
    seen: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for key in list(networks):
        network = read_network(key, networks.pop(key), log)
        _note_other_states(network.content.variables, seen, network.id, log)
        yield network


def _note_other_states(
    variables: Sequence[Variable], seen: Mapping[str, set[tuple[str, ...]]], where: str, log: OddityLog
) -> None:
    """Count a name once, when it is first seen with other states than before."""
    for variable in variables:
        states = tuple(sorted(variable.states))
        known = seen[variable.name]
        if len(known) == 1 and states not in known:
            log.add(Oddity.OTHER_STATES, f"{where}: {variable.name!r}")
        if len(known) < 2:
            known.add(states)


def _load(path: Path, log: OddityLog) -> dict[str, Any]:
    def refuse(problem: str) -> NoReturn:
        raise InputError(f"{path}: {problem}") from None

    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            for repeated in sorted({key for key in keys if keys.count(key) > 1}):
                log.add(Oddity.REPEATED_KEY, repr(repeated))
        return made

    try:
        size = path.stat().st_size
        if size > MAX_FILE:
            refuse(f"is larger than {MAX_FILE:,} bytes; split it by networks")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        refuse(f"cannot be read ({error.strerror}); check the path")
    except UnicodeDecodeError as error:
        refuse(f"is not UTF-8 text (byte {error.start:,}); save it as UTF-8")
    try:
        record = json.loads(text, object_pairs_hook=to_object)
    except json.JSONDecodeError as error:
        refuse(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}; give one file of the form {LAYOUT}"
        )
    except (ValueError, RecursionError) as error:
        refuse(f"not JSON of this layout ({type(error).__name__}); give one file of the form {LAYOUT}")
    if not isinstance(record, dict):
        refuse(f"is not a JSON object but {_describe(record)}; give one file of the form {LAYOUT}")
    whole = cast("dict[str, Any]", record)
    networks = whole.get("bayesian_networks")
    if not isinstance(networks, dict):
        problem = f"is not an object but {_describe(networks)}" if "bayesian_networks" in whole else "is missing"
        refuse(f"bayesian_networks: {problem}; give one file of the form {LAYOUT}")
    if not networks:
        refuse("bayesian_networks: is empty; there is nothing to import")
    return whole


def _describe(value: Any) -> str:
    kinds = {list: "a list", dict: "an object", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
