"""Prompts: Markdown files beside this module, one per stage, each with a ``system`` and a ``user`` block.

They are Jinja templates; a value that is missing is an error, never an empty line. Values are data: lists go in as
JSON, text is put between tags whose closing form is broken up inside it, and nothing in a value is evaluated.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bayes.network import Table, Variable
from providers.asking import Prompt

PROMPTS = Path(__file__).parent / "prompts"
PASSES = ("variables", "edges", "marginals", "joints", "multi_joints")
_CLOSING_TAG = re.compile(r"<(?=\s*/\s*(?:article|previous|text)\b)", re.IGNORECASE)


@cache
def _environment() -> Environment:
    # The result is a prompt, not HTML: escaping would change what the model reads.
    return Environment(loader=FileSystemLoader(PROMPTS), undefined=StrictUndefined, autoescape=False)  # noqa: S701


def render(stage: str, **values: object) -> Prompt:
    """The prompt of a stage.

    Raises:
        jinja2.UndefinedError: a value that the template names is missing.
    """
    template = _environment().get_template(f"{stage}.md")
    context = template.new_context({key: _to_data(value) for key, value in values.items()})
    system, user = ("".join(template.blocks[name](context)).strip() for name in ("system", "user"))
    return Prompt(system, user)


def hash_prompts() -> str:
    """sha256 over the prompts of the five passes: backbones with the same hash were asked for in the same words."""
    digest = hashlib.sha256()
    for stage in PASSES:
        digest.update(stage.encode() + b"\0" + (PROMPTS / f"{stage}.md").read_bytes() + b"\0")
    return digest.hexdigest()


def describe_variables(variables: Sequence[Variable], marginals: Mapping[str, Table] | None = None) -> str:
    """Variables and their states as JSON, with marginals rounded to three decimals where they are given."""
    records: list[dict[str, Any]] = []
    for variable in variables:
        record: dict[str, Any] = {"name": variable.name, "states": list(variable.states)}
        if marginals is not None:
            record["marginal"] = [round(float(p), 3) for p in marginals[variable.name].values]
        records.append(record)
    return to_json(records)


def to_json(value: object) -> str:
    """Compact JSON, one item of a top-level list a line."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n]"  # pyright: ignore
    return json.dumps(value, ensure_ascii=False)


def _to_data(value: object) -> object:
    if isinstance(value, str):
        return _CLOSING_TAG.sub("&lt;", value)
    if isinstance(value, (list, tuple)):
        return [_to_data(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
