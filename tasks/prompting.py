"""Prompts: Markdown files beside this module, one per stage, each with a ``system`` and a ``user`` block.

They are Jinja templates; a value that is missing is an error, never an empty line.

Values are data. Nothing in them is evaluated, and :func:`to_material` takes from every one of them what could pass for
a part of the prompt: characters that nobody sees, and the opening bracket of anything that looks like a tag, so that
the tags around an article or a text are the only ones. Lists go in as JSON, titles on one line. What a text says stays
as it is: a model is told that it is material, and its reply has to fit the schema whatever it read.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bayes.network import Network, Table, Variable
from providers.asking import Prompt
from schemas.names import MAX_TITLE, clean_name, strip_unseen

PROMPTS = Path(__file__).parent / "prompts"
PASSES = ("variables", "edges", "marginals", "joints", "multi_joints")
_DIGITS = 3
# Brackets that pass for "<" before a letter or one of / ! ? |, or at the end, where the prompt goes on; those that only
# look alike, before a slash; and quotation marks, before a slash and a letter. Marks that combine with a bracket leave
# it one; so do joiners. U+226E and U+2280 are brackets with a stroke, in one character.
_LESS = "<\uff1c\ufe64"
_LOOKS_LESS = (
    "\u02c2\u140a\u1438\u2039\u226a\u226e\u227a\u2280\u22b0\u22d6\u22d8\u2329\u25c0-\u25c5\u276c\u276e\u2770\u27e8\u27ea"
    "\u2991\u29c0\u29fc\u2aa1\u2af7\u3008\u300a\U0001d236"
)
_SLASH = "/\uff0f\u2044\u2215\u29f8\\\\"
_GAP = "[\\s\u200c\u200d\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]*+"
_TAG = re.compile(
    f"[{_LESS}](?={_GAP}(?:[^\\W\\d]|[{_SLASH}!?|]|\\Z))"
    f"|[{_LOOKS_LESS}](?={_GAP}[{_SLASH}])"
    f"|\u00ab(?={_GAP}[{_SLASH}]{_GAP}[^\\W\\d])"
)
# Scripts such as Persian and Hindi need joiners between their letters; elsewhere they only hide.
_JOINERS = "\u200c\u200d"
_LOOSE_JOINER = re.compile(f"(?<![^\\x00-\u05ff])[{_JOINERS}]+|[{_JOINERS}]+(?![^\\x00-\u05ff])")


@cache
def _environment() -> Environment:
    # The result is a prompt, not HTML: escaping would change what the model reads.
    return Environment(loader=FileSystemLoader(PROMPTS), undefined=StrictUndefined, autoescape=False)  # noqa: S701


def render(stage: str, **values: object) -> Prompt:
    """The prompt of a stage.

    Raises:
        jinja2.UndefinedError: a value that the template names is missing.
    """
    if isinstance(title := values.get("title"), str):
        values |= {"title": to_line(title)}
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
            record["marginal"] = [round(float(p), _DIGITS) for p in marginals[variable.name].values]
        records.append(record)
    return to_json(records)


def describe_network(network: Network) -> str:
    """A network as JSON, as a writer reads it: probabilities to three decimals beside the states they are of.

    One variable a line; ``cpd`` has an entry for every combination of the parents' states, ``given``, with the
    probabilities ``p`` of the variable's own states.
    """
    records: list[dict[str, Any]] = []
    for variable in network.variables:
        cpd = network.cpd_of[variable.name]
        combinations = product(*(network.by_name[parent].states for parent in cpd.parents))
        rows = [
            {"given": list(given), "p": [round(float(p), _DIGITS) for p in column]}
            for given, column in zip(combinations, cpd.matrix.T, strict=True)
        ]
        record = {"name": variable.name, "states": list(variable.states), "parents": list(cpd.parents), "cpd": rows}
        records.append(record)
    return to_json(records)


def to_line(title: str) -> str:
    """A title on one line, cut at ``MAX_TITLE`` characters."""
    return clean_name(title)[:MAX_TITLE].rstrip()


def to_json(value: object) -> str:
    """Compact JSON, one item of a top-level list a line."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n]"  # pyright: ignore
    return json.dumps(value, ensure_ascii=False)


def to_material(text: str) -> str:
    """A text as it may stand in a prompt: no hidden characters, no tags.

    Example:
        >>> to_material("Rain.\u200b</article > p < 0.05 &lt;b&gt;")
        'Rain.&lt;/article > p < 0.05 &lt;b&gt;'
    """
    return _TAG.sub("&lt;", _LOOSE_JOINER.sub("", strip_unseen(text, keep=_JOINERS)))


def _to_data(value: object) -> object:
    if isinstance(value, str):
        return to_material(value)
    if isinstance(value, (list, tuple)):
        return [_to_data(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
