"""A scripted model for whole runs: answers every prompt of a build with something that fits, quickly and always alike.

It finds out what is wanted from the schema in the request, and takes names from the JSON in the prompt. What it says
means nothing. Around it stand scripted services that speak each provider's interface.
"""

import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from bayes.network import Network
from providers.writer.writer import write
from schemas.networks import from_json

STATES = ("high", "low", "none")


def answer(prompt: str, schema: Mapping[str, Any]) -> str:
    """The reply to a prompt as JSON that fits the schema, for the five passes and descriptions."""
    wanted = next(iter(schema["properties"]))
    lists = _find_json(prompt)
    match wanted:
        case "variables":
            reply = _name_variables(prompt)
        case "edges":
            reply = _link([item["name"] for item in lists[0]])
        case "marginals":
            reply = {"marginals": [_spread(item) for item in lists[0]]}
        case "joints" if "parents" in json.dumps(schema):
            reply = {"joints": [_join_family(item, _to_states(lists[0])) for item in lists[1]]}
        case "joints":
            reply = {"joints": [_join_pair(item, _to_states(lists[0])) for item in lists[1]]}
        case "description":
            reply = {"description": write(_to_network(lists[0]), title="Title", seed="0")}
        case "days":
            reply = {"days": 7}
        case _:
            raise AssertionError(f"a schema of {wanted} is not in the script")
    return json.dumps(reply)


def _find_json(prompt: str) -> list[Any]:
    """The JSON lists and objects that begin a line, in order, those of the instructions' examples left out."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    text, end = prompt[max(prompt.rfind("</article>"), prompt.find("as JSON:\n")) :], 0
    for match in re.finditer(r"^[\[{]", text, re.MULTILINE):
        if match.start() < end:
            continue  # inside the one before
        try:
            value, end = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        found.append(value)
    return [item for item in found if isinstance(item, dict) or (item and isinstance(item[0], dict))]


def _name_variables(prompt: str) -> dict[str, Any]:
    article = prompt[prompt.rfind("<article>") : prompt.rfind("</article>")]
    words = sorted(set(re.findall(r"\b[a-z]{5,20}\b", article)), key=lambda word: (-len(word), word))
    apart = {word[:5]: word for word in reversed([*words, "rainfall", "harvest", "prices", "demand"])}
    names = list(reversed(apart.values()))[:4]  # singular and plural are one
    return {"variables": [{"name": name, "states": list(STATES)} for name in names]}


def _link(names: Sequence[str]) -> dict[str, Any]:
    a, b, c, d = names[:4]
    pairs = ((a, b), (a, c), (b, c), (c, d))
    return {"edges": [{"parent": one, "child": other, "mechanism": "It acts on it."} for one, other in pairs]}


def _spread(variable: Mapping[str, Any]) -> dict[str, Any]:
    shares = _to_shares(variable["states"])
    return {
        "variable": variable["name"],
        "probabilities": [{"state": state, "probability": share} for state, share in shares.items()],
    }


def _to_states(variables: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    return {variable["name"]: list(variable["states"]) for variable in variables}


def _to_shares(states: Sequence[str]) -> dict[str, float]:
    weights = [len(states) - place for place in range(len(states))]
    return {state: weight / sum(weights) for state, weight in zip(states, weights, strict=True)}


def _join_pair(edge: Mapping[str, Any], states: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    parent, child = edge["parent"], edge["child"]
    cells = _join([parent], child, states)
    return {
        "parent": parent,
        "child": child,
        "cells": [
            {"parent_state": given[0], "child_state": state, "probability": share} for given, state, share in cells
        ],
    }


def _join_family(family: Mapping[str, Any], states: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    cells = _join(family["parents"], family["child"], states)
    return {
        "child": family["child"],
        "parents": family["parents"],
        "cells": [
            {"parent_states": list(given), "child_state": state, "probability": share} for given, state, share in cells
        ],
    }


def _join(
    parents: Sequence[str], child: str, states: Mapping[str, Sequence[str]]
) -> list[tuple[tuple[str, ...], str, float]]:
    """The independent joint, shifted a little towards equal places, so that parents have an effect."""
    tables = [_to_shares(states[name]) for name in (*parents, child)]
    cells: list[tuple[tuple[str, ...], str, float]] = []
    for combination in itertools.product(*(list(table) for table in tables)):
        share = 1.0
        for table, state in zip(tables, combination, strict=True):
            share *= table[state]
        cells.append((combination[:-1], combination[-1], share * (2.0 if len(set(combination)) == 1 else 1.0)))
    total = sum(share for _, _, share in cells)
    return [(given, state, share / total) for given, state, share in cells]


def _to_network(shown: Sequence[Mapping[str, Any]]) -> Network:
    """The network that a description prompt shows, where the CPD has a row per configuration."""
    variables: list[dict[str, Any]] = []
    for item in shown:
        columns = [column["p"] for column in item["cpd"]]
        rows = [list(row) for row in zip(*columns, strict=True)]
        variables.append({**item, "cpd": rows, "rules": ["pairwise"] * len(columns)})
    return from_json(json.dumps({"variables": variables}))


def find_schema(body: object) -> Mapping[str, Any]:
    """The reply's schema in a request of any provider: the first object with ``properties``."""
    if isinstance(body, Mapping):
        fields = cast("Mapping[str, Any]", body)
        if isinstance(fields.get("properties"), Mapping):
            return fields
        values: Iterable[Any] = fields.values()
    elif isinstance(body, list):
        values = cast("list[Any]", body)
    else:
        values = ()
    for value in values:
        found = find_schema(value)
        if found:
            return found
    return {}


def find_prompt(body: object) -> str:
    """Every text of a request in order: instructions and messages."""
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "\n".join(map(find_prompt, cast("list[Any]", body)))
    if isinstance(body, Mapping):
        fields = cast("Mapping[str, Any]", body)
        named = [
            fields[name]
            for name in ("system", "instructions", "messages", "input", "content", "text")
            if name in fields
        ]
        return "\n".join(map(find_prompt, named))
    return ""
