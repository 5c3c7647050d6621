"""What identifies a request to a model: the key of the reply cache.

Two requests with the same key get the same reply, so everything that may change the answer is in it: provider, base
URL, exact model id, messages, settings, output schema, and the run index, since one cached answer for all repeats would
make confidence intervals fiction. Nothing else is: no key of a service, no time, no id of a run or a message.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_core import PydanticSerializationError, to_jsonable_python

if TYPE_CHECKING:
    from pydantic_ai.models import ModelRequestParameters

    from providers.catalogue import ModelEntry

# Of a message only these reach the provider; of its parts all but the ones below.
_MESSAGE_FIELDS = ("kind", "parts", "instructions")
_PASSING_PART_FIELDS = frozenset({"timestamp", "id", "tool_call_id", "provider_name", "provider_details"})

_RESPONSE = TypeAdapter(ModelResponse)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """``digest`` is the key; ``characters`` is how long the request is."""

    digest: str
    characters: int

    @property
    def tokens(self) -> int:
        """About how many tokens the request has: one for four characters, as in English."""
        return self.characters // 4


def to_key(
    entry: ModelEntry,
    messages: Sequence[ModelMessage],
    settings: Mapping[str, Any],
    parameters: ModelRequestParameters,
    run: int,
) -> RequestKey:
    """The key of a request: the SHA-256 of its canonical JSON, the same in every process.

    Args:
        entry: The model that is asked.
        messages: The conversation so far.
        settings: The settings that are sent; with the typed question only to a model that reads it.
        parameters: Output mode, output schema and tools.
        run: The run index; another one asks afresh.
    """
    content = {
        # A model made of code reads the question in the settings and no message.
        "messages": [] if entry.is_code else [_strip(message) for message in _dump(messages)],
        "settings": to_jsonable_python(settings),
        "output": _describe_output(parameters),
    }
    request = {
        "provider": entry.provider,
        "base_url": fingerprint_code() if entry.is_code else entry.base_url.rstrip("/"),
        "model": entry.model,
        "schema_mode": entry.schema_mode,
        "run": run,
        **content,
    }
    canonical = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return RequestKey(hashlib.sha256(canonical.encode()).hexdigest(), len(canonical))


@cache
def fingerprint_code() -> str:
    """SHA-256 over the code and recordings that models made of code answer from: their replies change with these."""
    root = Path(__file__).resolve().parents[1]
    folders = [root / "bayes", root / "bayes" / "linear", root / "providers" / "rules", root / "providers" / "writer"]
    sources = [path for folder in folders for path in folder.glob("*.py")]
    sources += [root / "providers" / "offline.py", root / "providers" / "baselines.py"]
    sources += [*(root / "samples" / "replies").glob("*.json")]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def to_text(response: ModelResponse) -> str:
    """A response as the JSON text that the reply cache keeps."""
    # SDKs pass on what a service says unchecked; pydantic warns of each odd field on standard error.
    try:
        return _RESPONSE.dump_json(response, exclude_none=True, warnings="none").decode()
    except PydanticSerializationError:  # half a character, which JSON can carry and UTF-8 cannot
        values = _RESPONSE.dump_python(response, mode="json", exclude_none=True, warnings="none")
        return json.dumps(values, ensure_ascii=False).encode("utf-8", "replace").decode()


def from_text(text: str) -> ModelResponse | None:
    """The response that a kept text holds; None for one that another version wrote and that can't be read any more."""
    try:
        return _RESPONSE.validate_json(text)
    except ValueError:
        return None


def _dump(messages: Sequence[ModelMessage]) -> list[dict[str, Any]]:
    dumped = ModelMessagesTypeAdapter.dump_python(list(messages), mode="json", warnings="none")
    return cast("list[dict[str, Any]]", dumped)


def _strip(message: dict[str, Any]) -> dict[str, Any]:
    kept = {field: message[field] for field in _MESSAGE_FIELDS if message.get(field) is not None}
    kept["parts"] = [
        {name: value for name, value in part.items() if value is not None and name not in _PASSING_PART_FIELDS}
        for part in kept["parts"]
    ]
    return kept


def _describe_output(parameters: ModelRequestParameters) -> dict[str, Any]:
    shape = parameters.output_object
    return {
        "mode": parameters.output_mode,
        "object": None if shape is None else [shape.name, shape.description, shape.strict, shape.json_schema],
        "tools": [
            [tool.name, tool.description, tool.strict, tool.parameters_json_schema]
            for tool in (*parameters.output_tools, *parameters.function_tools)
        ],
        "template": parameters.prompted_output_template,
        "instructions": [part.content for part in parameters.instruction_parts or ()],
        "thinking": parameters.thinking,
    }
