"""The model catalogue: which models there are, where they are reached and what they take.

The entries stand in ``deployments/models.yaml``. The file named by the variable ``PRISM_MODELS`` adds entries, or
overrides fields of existing ones: a base URL, a key variable, an exact model id. The catalogue holds the *names* of key
variables, never a key.
"""

import os
import re
from collections.abc import Mapping
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path
from typing import Annotated, Literal, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from schemas.errors import InputError
from schemas.strict_yaml import read_yaml

CATALOGUE = Path(__file__).parents[1] / "deployments" / "models.yaml"
OWN_CATALOGUE_VARIABLE = "PRISM_MODELS"

ProviderKind = Literal["anthropic", "openai", "groq", "openai-compatible", "local", "offline", "baseline"]
SchemaMode = Literal["native", "tool", "prompted", "grammar"]
Style = Literal["whole", "stepwise"]

_OPENAI_WIRE = ("openai", "openai-compatible")


class SamplingSettings(BaseModel):
    """The sampling settings sent with each request; those left out are not sent at all.

    Newer models answer 400 to settings they don't take, so a setting is listed only where its model takes it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    seed: int | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None


class PriceRef(BaseModel):
    """Where genai-prices lists the model, if not under the entry's own provider and model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str
    model: str


class ModelEntry(BaseModel):
    """One model of the catalogue.

    ``schema_mode`` says how a reply is held to its schema: ``native`` (the provider's JSON-schema output), ``tool`` (a
    tool call whose arguments are the reply), ``prompted`` (the schema stands in the prompt) or ``grammar`` (a grammar
    that a llama.cpp server samples from). With the style ``stepwise`` a question is asked in many tiny requests.
    ``reasoning_tokens`` are added to the cap of every reply, for a model that thinks before it replies.
    ``requests_per_minute`` and ``tokens_per_minute`` are ceilings for this process, ``global_limit`` names a
    concurrency limit of Prefect that all processes share.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    provider: ProviderKind
    model: str = Field(min_length=1)
    base_url: str = ""
    key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    settings: SamplingSettings = SamplingSettings()
    context_tokens: Annotated[int, Field(ge=256)]
    max_output_tokens: Annotated[int, Field(ge=16)]
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    schema_mode: SchemaMode = "native"
    style: Style = "whole"
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    tokens_per_minute: Annotated[int, Field(ge=1)] | None = None
    global_limit: str = ""
    timeout_seconds: Annotated[float, Field(gt=0, le=3600)] = 300.0
    price: PriceRef | Literal["free"] | None = None

    @property
    def is_hosted(self) -> bool:
        """Whether the model is reached over HTTP at ``base_url``."""
        return self.provider not in {"local", "offline", "baseline"}

    @property
    def is_code(self) -> bool:
        """Whether the model is code in this project, which reads the typed question instead of a prompt."""
        return self.provider in {"offline", "baseline"}

    @property
    def is_key_set(self) -> bool:
        """Whether the model needs no key or its key variable is set."""
        return not self.key_env or bool(os.environ.get(self.key_env, "").strip())

    @model_validator(mode="after")
    def _check(self) -> "ModelEntry":
        if self.is_hosted:
            _check_url(self.base_url)
        elif self.base_url or self.key_env:
            raise ValueError(f"a model of the provider {self.provider} has neither base_url nor key_env")
        if self.max_output_tokens > self.context_tokens:
            raise ValueError("max_output_tokens is larger than context_tokens")
        if self.schema_mode == "grammar" and self.provider not in {"local", "openai-compatible"}:
            raise ValueError(f"schema_mode grammar needs a llama.cpp server, not {self.provider}")
        if self.settings.reasoning_effort is not None and self.provider not in _OPENAI_WIRE:
            raise ValueError(f"settings.reasoning_effort is not sent to {self.provider}")
        return self


def _check_url(url: str) -> None:
    if not url:
        raise ValueError("base_url is missing")
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("base_url is not an http:// or https:// address")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("base_url carries more than an address; put the key into a variable and name it in key_env")


def list_models(path: Path = CATALOGUE) -> tuple[ModelEntry, ...]:
    """Every model of the catalogue, those of the user's own file included, in the order of the files.

    Raises:
        InputError: a file cannot be read, is not YAML, gives a key twice, or an entry has a wrong or unknown field.

    Example:
        >>> [entry.id for entry in list_models() if entry.provider == "offline"]
        ['offline', 'offline:rules']
    """
    records = _read_records(path)
    source = dict.fromkeys(records, path)
    own = os.environ.get(OWN_CATALOGUE_VARIABLE, "").strip()
    if own:
        for name, fields in _read_records(Path(own)).items():
            records[name] = {**records.get(name, {}), **fields}
            source[name] = Path(own)
    return tuple(_to_entry(name, fields, source[name]) for name, fields in records.items())


def find_model(name: str, path: Path = CATALOGUE) -> ModelEntry:
    """The catalogue's entry of that name.

    Raises:
        InputError: there is none (the text names close matches), or the catalogue is wrong (see :func:`list_models`).

    Example:
        >>> find_model("offline").provider
        'offline'
    """
    entries = {entry.id: entry for entry in list_models(path)}
    if name in entries:
        return entries[name]
    close = sorted((-likeness, known) for known in entries if (likeness := _likeness(name, known)) >= 0.7)[:3]
    hint = f"did you mean {' or '.join(known for _, known in close)}?" if close else f"there are {', '.join(entries)}"
    raise InputError(f"model {name!r} is not in the catalogue; {hint}")


def _likeness(name: str, known: str) -> float:
    # A slip may be anywhere in the name, and a user may type only its telling part: "sonet".
    pieces = (known, known.partition(":")[2], *re.split(r"[:/-]", known))
    return max(SequenceMatcher(None, name.lower(), piece.lower()).ratio() for piece in pieces if piece)


def _read_records(path: Path) -> dict[str, dict[str, object]]:
    try:
        content = read_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(content, Mapping):
        raise InputError(f"{path}: must map model names to their fields")
    records = cast("Mapping[str, object]", content)
    for name, fields in records.items():
        if not isinstance(fields, dict):
            raise InputError(f"{path}: {name}: must map field names to values")
    return {name: dict(cast("dict[str, object]", fields)) for name, fields in records.items()}


def _to_entry(name: str, fields: dict[str, object], path: Path) -> ModelEntry:
    if "id" in fields:
        raise InputError(f"{path}: {name}: id: is the key above; remove the field")
    try:
        return ModelEntry.model_validate({"id": name, **fields})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            close = get_close_matches(str(first["loc"][-1]), ModelEntry.model_fields, n=1)
            reason = "is not a field" + (f"; did you mean {close[0]}?" if close else "")
        else:
            reason = first["msg"].removeprefix("Value error, ")
        raise InputError(": ".join(filter(None, (str(path), name, where, reason)))) from error
