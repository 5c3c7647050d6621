"""What the model layer costs: ``python benchmarks/calls.py``, about a minute and a half. Run it on a quiet machine.

Against a server in a process of its own, with the real SDK, reply cache and ledger, prompts of 2,000 characters
and a JSON schema:

1. 400 calls of 250 ms, 32 at a time, as a ratio to the ideal 3.125 s; beside it the bare SDKs and pydantic-ai alone, as
   a yardstick of the machine;
2. the same again, all cached;
3. the same with 4 prompts changed: how many requests the server sees;
4. 400 calls of 2 s, 32 at a time, as a ratio to the ideal 25 s;
5. 200 calls of 50 ms against a service that takes 10 requests a second and refuses the others with Retry-After 1;
   beside it the OpenAI SDK with five retries of its own.
"""

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from providers.asking import Asker, Prompt
from providers.budget import Budget
from providers.catalogue import ModelEntry
from schemas.articles import Article
from schemas.questions import EdgesQuestion
from schemas.replies import EdgesReply
from storage.ledger import Ledger
from storage.replies import ReplyCache

CONCURRENCY = 32
ARTICLE = Article(
    domain="environment",
    backbone="floods",
    title="Floods",
    url="",
    revision="",
    retrieved_at="2026-01-01T00:00:00Z",
    licence="CC0-1.0",
    text="Heavy rain makes rivers rise. " * 40,
    sha256="0" * 64,
    words=200,
)
QUESTION = EdgesQuestion(domain=ARTICLE.domain, backbone=ARTICLE.backbone, article=ARTICLE, variables=())


class Service:
    """The server's address and counts."""

    def __init__(self, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._stats = f"http://127.0.0.1:{port}/stats"

    def count(self) -> dict[str, int]:
        """Requests received and accepted so far."""
        with urllib.request.urlopen(self._stats) as reply:  # noqa: S310 - an address of this process's own
            return json.load(reply)

    def to_entry(self) -> ModelEntry:
        """A catalogue entry for the server."""
        return ModelEntry(
            id="measured:chat",
            provider="openai",
            model="gpt-4o-mini",
            base_url=self.base_url,
            context_tokens=128_000,
            max_output_tokens=16_000,
            concurrency=CONCURRENCY,
        )


@contextmanager
def serve(delay: float, rate: int | None = None) -> Generator[Service]:
    """Run the server in a process of its own."""
    command = [
        sys.executable,
        str(Path(__file__).with_name("chat_server.py")),
        str(delay),
        *map(str, [rate] * bool(rate)),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        try:
            yield Service(int(process.stdout.readline()))
        finally:
            process.kill()


@asynccontextmanager
async def open_measured(service: Service) -> AsyncGenerator[Asker]:
    """The whole model layer before a server, with the reply cache and the ledger of a real run."""
    with TemporaryDirectory() as folder, ReplyCache(Path(folder, "cache")) as store:
        ledger = Ledger(Path(folder, "data"), "measured")
        async with Asker(service.to_entry(), store=store, ledger=ledger, budget=Budget()) as asker:
            yield asker


async def ask_all(asker: Asker, prompts: Sequence[str]) -> float:
    """Ask every prompt at the same time; the seconds until the last answer."""
    started = time.perf_counter()
    answers = await asyncio.gather(
        *(
            asker.ask(QUESTION, Prompt("Find the edges.", text), EdgesReply, lambda _: (), max_tokens=2000)
            for text in prompts
        )
    )
    seconds = time.perf_counter() - started
    assert all(answer.value is not None for answer in answers)
    return seconds


async def time_calls(call: Callable[[str], Awaitable[object]], prompts: Sequence[str]) -> float:
    """The seconds that all prompts take, 32 at a time, once connections stand."""
    places = asyncio.Semaphore(CONCURRENCY)

    async def place(text: str) -> None:
        async with places:
            await call(text)

    await asyncio.gather(*(place(text) for text in to_prompts(CONCURRENCY, "warm-up ")))
    started = time.perf_counter()
    await asyncio.gather(*(place(text) for text in prompts))
    return time.perf_counter() - started


async def call_openai(service: Service, prompts: Sequence[str]) -> float:
    """The bare OpenAI SDK: no schema, no checks, nothing kept."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=service.base_url, max_retries=0) as client:
        return await time_calls(
            lambda text: client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}]),
            prompts,
        )


async def call_groq(service: Service, prompts: Sequence[str]) -> float:
    """The bare Groq SDK."""
    from groq import AsyncGroq

    async with AsyncGroq(api_key="none", base_url=service.base_url[:-3], max_retries=0) as client:
        return await time_calls(
            lambda text: client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}]),
            prompts,
        )


async def call_anthropic(service: Service, prompts: Sequence[str]) -> float:
    """The bare Anthropic SDK."""
    from anthropic import AsyncAnthropic

    async with AsyncAnthropic(api_key="none", base_url=service.base_url[:-3], max_retries=0) as client:
        return await time_calls(
            lambda text: client.messages.create(
                model="m", max_tokens=2000, messages=[{"role": "user", "content": text}]
            ),
            prompts,
        )


async def call_pydantic_ai(service: Service, prompts: Sequence[str]) -> float:
    """An Agent of pydantic-ai with the same output type: schema and validation, nothing kept."""
    from openai import AsyncOpenAI
    from pydantic_ai import Agent, NativeOutput
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async with AsyncOpenAI(api_key="none", base_url=service.base_url, max_retries=0) as client:
        model = OpenAIChatModel("gpt-4o-mini", provider=OpenAIProvider(openai_client=client))
        agent = Agent(model, output_type=NativeOutput(EdgesReply), instructions="Find the edges.")
        return await time_calls(agent.run, prompts)


async def call_limited(service: Service, prompts: Sequence[str]) -> tuple[float, int]:
    """The OpenAI SDK with five retries against a limited service: seconds, and calls that were lost."""
    from openai import AsyncOpenAI, RateLimitError

    lost = 0
    async with AsyncOpenAI(api_key="none", base_url=service.base_url, max_retries=5) as client:

        async def call(text: str) -> None:
            nonlocal lost
            try:
                await client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
            except RateLimitError:
                lost += 1

        places = asyncio.Semaphore(CONCURRENCY)

        async def place(text: str) -> None:
            async with places:
                await call(text)

        started = time.perf_counter()
        await asyncio.gather(*(place(text) for text in prompts))
        return time.perf_counter() - started, lost


def to_prompts(number: int, label: str = "") -> list[str]:
    """Prompts of about 2,000 characters, all different."""
    return [f"{label}{i}: {ARTICLE.text * 2}"[:2000] for i in range(number)]


async def measure_calls() -> None:
    """Measurements 1 to 3."""
    prompts = to_prompts(400)
    ideal = len(prompts) * 0.25 / CONCURRENCY
    with serve(0.25) as service:
        others = {
            "OpenAI SDK": await call_openai(service, prompts),
            "Groq SDK": await call_groq(service, prompts),
            "Anthropic SDK": await call_anthropic(service, prompts),
            "pydantic-ai": await call_pydantic_ai(service, prompts),
        }
        async with open_measured(service) as asker:
            await ask_all(asker, to_prompts(CONCURRENCY, "warm-up "))
            cold = await ask_all(asker, prompts)
            cached = await ask_all(asker, prompts)
            before = service.count()["received"]
            await ask_all(asker, [*prompts[:-4], *to_prompts(4, "changed ")])
            changed = service.count()["received"] - before
    print(f"400 calls of 250 ms at 32: {cold:.2f} s, {cold / ideal:.2f} of ideal")
    print("beside it, of ideal:       " + ", ".join(f"{name} {time / ideal:.2f}" for name, time in others.items()))
    print(f"the same, all cached:      {cached:.2f} s")
    print(f"4 of the 400 changed:      {changed} requests")


async def measure_long_calls() -> None:
    """Measurement 4."""
    with serve(2.0) as service:
        async with open_measured(service) as asker:
            seconds = await ask_all(asker, to_prompts(400))
    print(f"400 calls of 2 s at 32:    {seconds:.2f} s, {seconds / 25:.3f} of ideal")


async def measure_limit() -> None:
    """Measurement 5."""
    with serve(0.05, rate=10) as service:
        async with open_measured(service) as asker:
            seconds = await ask_all(asker, to_prompts(200))
        counts = service.count()
    with serve(0.05, rate=10) as service:
        others, lost = await call_limited(service, to_prompts(200))
    sent = counts["received"] / counts["accepted"]
    print(f"200 calls at 10 a second:  {200 / seconds:.2f} a second, {sent:.2f} requests per accepted one, none lost")
    print(f"the OpenAI SDK beside it:  {(200 - lost) / others:.2f} a second, {lost} lost")


def main(measurements: Sequence[Callable[[], Awaitable[None]]]) -> None:
    """Measure one thing after the other."""

    async def measure() -> None:
        for measurement in measurements:
            await measurement()

    asyncio.run(measure())


if __name__ == "__main__":
    main([measure_calls, measure_long_calls, measure_limit])
