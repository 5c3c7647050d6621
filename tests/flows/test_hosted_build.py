"""Whole builds with a hosted model: against a service that fails now and then, and through a batch API."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State

from flows.build_corpus import build_corpus
from providers.batch_client import POLL_VARIABLE
from providers.retries import RetryPolicy
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary, Outcome
from storage.parquet import read_table
from storage.verification import verify
from tests.providers.batch_wire import BatchService, serve_batches
from tests.providers.faulty import FaultyService, write_articles
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY

pytestmark = pytest.mark.usefixtures("prefect")

MODEL = "test:hosted"
N_ARTICLES = 10


async def build(tmp_path: Path, **values: Any) -> BuildSummary:
    settings = BuildSettings(
        source=f"folder:{tmp_path / 'articles'}",
        domains=("society",),
        per_domain=100,
        model=MODEL,
        data=str(tmp_path / "data"),
        cache=str(tmp_path / "cache"),
        **values,
    )
    # Prefect's types know no flow that returns a state itself.
    state: State[Any] = await cast("Any", build_corpus)(settings, return_state=True)
    return cast("BuildSummary", await state.aresult(raise_on_failure=False))


def name_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, provider: str, model: str, base_url: str) -> None:
    """Put the service into the catalogue, and its key into the environment."""
    catalogue = tmp_path / "models.yaml"
    catalogue.write_text(
        f"{MODEL}:\n  provider: {provider}\n  model: {model}\n  base_url: {base_url}\n  key_env: {KEY_VARIABLE}\n"
        "  context_tokens: 100000\n  max_output_tokens: 16000\n  concurrency: 8\n  timeout_seconds: 2\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PRISM_MODELS", str(catalogue))
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


async def test_with_a_fault_in_five_requests_every_article_is_complete_or_refused_and_no_answer_is_bought_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("providers.cached.RetryPolicy", lambda: RetryPolicy(first_wait=0.02))
    write_articles(tmp_path / "articles", N_ARTICLES, n_refused=2)
    service = FaultyService(0.2, stall=5)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    name_model(tmp_path, monkeypatch, provider="openai-compatible", model="scripted", base_url=url)
    async with server:
        summary = await build(tmp_path, examples=20)
        n_received = service.n_received
        again = await build(tmp_path, examples=20)
    assert sum(service.met.values()) > 5
    assert summary.n_networks == N_ARTICLES - 2
    failed = read_table(tmp_path / "data", "failures", columns=["item", "reason", "stage"]).to_pylist()
    first_run = {(row["item"], row["reason"]) for row in failed if row["stage"] == "variables"}
    assert first_run == {("Article-0000", "refused"), ("Article-0001", "refused")}
    assert summary.n_examples == 20
    assert service.stats()["repeated"] == 0
    assert service.n_received == n_received, "the second build asks for nothing"
    assert (again.n_changed_files, again.n_networks) == (0, N_ARTICLES - 2)
    assert verify(tmp_path / "data").findings == ()


@pytest.mark.parametrize(("provider", "model"), [("anthropic", "claude-haiku-4-5"), ("openai", "gpt-4o-mini")])
async def test_a_build_in_batches_sends_a_batch_for_each_wave_and_costs_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: str, model: str
) -> None:
    monkeypatch.setenv(POLL_VARIABLE, "0.3")
    write_articles(tmp_path / "articles", 3)
    with serve_batches(BatchService(fate=lambda place: "expired" if place == 4 else "succeeded")) as service:
        path = "/v1" if provider == "openai" else ""
        name_model(tmp_path, monkeypatch, provider=provider, model=model, base_url=service.base_url + path)
        summary = await build(tmp_path, examples=6, batch=True)
        n_batched = service.n_batched
        again = await build(tmp_path, examples=6, batch=True)
    assert (summary.outcome, summary.n_networks, summary.n_examples) == (Outcome.COMPLETE, 3, 6)
    # Five passes over three articles, and six descriptions; one request had to be sent alone.
    assert (n_batched, len(service.sent_alone)) == (21, 1)
    assert len(service.batches) <= 8, "three articles share a batch"
    cost = sum(stage.cost_usd for stage in summary.stages)
    alone = {"anthropic": 0.0015, "openai": 0.00021}[provider]  # 1,000 tokens in and 100 out at list price
    assert cost == pytest.approx(20 * alone / 2 + alone)
    assert (service.n_batched, again.n_changed_files) == (n_batched, 0)
    assert not list((tmp_path / "data" / ".batches").glob("*"))
    assert verify(tmp_path / "data").findings == ()
