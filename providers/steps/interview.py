"""Asking a very small model one small thing at a time: a choice from a menu, a likeliest state, a sentence."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

LIKELINESS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Probabilities on offer for a likeliest state: a menu, since a small model writes no sensible number freely."""

_Option = TypeVar("_Option", str, float)

_SYSTEM = "You answer in as few words as possible."
# A token is at least one byte, so what a grammar bounds in length is never cut by the cap.
_SPARE_TOKENS = 60
# Ends with a full stop, the only one in it, after 30 to 160 characters.
_NUMBER = "^-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,3})?$"
_SENTENCE = "^[A-Z][A-Za-z0-9 ,'-]{29,158}[a-z]\\.$"


@dataclass(frozen=True, slots=True)
class Estimate:
    """The state that the model holds for likeliest, and how likely it is."""

    state: str
    probability: float


@dataclass(slots=True)
class Interview:
    """Small requests to one model. ``usage`` and ``n_requests`` sum up what they took."""

    model: Model
    settings: ModelSettings
    usage: RequestUsage = field(default_factory=RequestUsage)
    n_requests: int = 0

    async def choose(self, prompt: str, options: Sequence[str]) -> str:
        """One of the options; a single option is taken without asking.

        Raises:
            UnexpectedModelBehavior: the model answers something else (one behind a grammar cannot).
        """
        if len(options) == 1:
            return options[0]
        longest = max(len(option.encode()) for option in options)
        reply = await self._ask(prompt, {"choice": {"type": "string", "enum": list(options)}}, longest)
        return _pick(reply["choice"], options)

    async def estimate(self, prompt: str, states: Sequence[str]) -> Estimate:
        """The likeliest of some states, and how likely it is.

        Raises:
            UnexpectedModelBehavior: the model answers something else.
        """
        fields = {"state": {"type": "string", "enum": list(states)}, "probability": {"enum": list(LIKELINESS)}}
        reply = await self._ask(prompt, fields, max(len(state.encode()) for state in states))
        return Estimate(_pick(reply["state"], states), _pick(reply["probability"], LIKELINESS))

    async def write(self, prompt: str) -> str:
        """One sentence of at most 160 characters, with no full stop but its last character.

        Raises:
            UnexpectedModelBehavior: the model answers no text.
        """
        reply = await self._ask(prompt, {"sentence": {"type": "string", "pattern": _SENTENCE}}, 160)
        return " ".join(str(reply["sentence"]).split())

    async def give_number(self, prompt: str) -> str:
        """A number in plain decimals, of at most five digits before the point and three after it.

        Raises:
            UnexpectedModelBehavior: the model answers no such number.
        """
        reply = await self._ask(prompt, {"number": {"type": "string", "pattern": _NUMBER}}, 12)
        number = str(reply["number"])
        if not re.fullmatch(_NUMBER, number):
            raise UnexpectedModelBehavior("a small step was not answered with a plain number", number)
        return number

    async def _ask(self, prompt: str, fields: dict[str, Any], n_bytes: int) -> dict[str, Any]:
        messages: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(_SYSTEM), UserPromptPart(prompt)])]
        schema = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        parameters = ModelRequestParameters(
            output_mode="native", output_object=OutputObjectDefinition(json_schema=schema, name="answer")
        )
        settings = cast("ModelSettings", {**self.settings, "max_tokens": n_bytes + _SPARE_TOKENS})
        response = await self.model.request(messages, settings, parameters)
        self.usage += response.usage
        self.n_requests += 1
        try:
            reply = json.loads(response.text or "")
        except ValueError:
            reply = None
        if not isinstance(reply, dict) or set(fields) - set(cast("dict[str, Any]", reply)):
            raise UnexpectedModelBehavior(f"a small step was not answered with {', '.join(fields)}", response.text)
        return cast("dict[str, Any]", reply)


def _pick(value: Any, options: Sequence[_Option]) -> _Option:
    if value not in options:
        raise UnexpectedModelBehavior(f"a small step was answered with none of its {len(options)} options", str(value))
    return options[options.index(value)]
