"""The benchmark from a corpus to a leaderboard, and a second time without a call."""

from pathlib import Path
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State, StateType
from typer.testing import CliRunner

from flows.build_corpus import build_corpus
from flows.cli import app
from flows.run_benchmark import run_benchmark
from schemas.benchmark import BenchmarkSettings
from schemas.errors import InputError
from schemas.settings import BuildSettings
from schemas.summaries import BenchmarkSummary, Outcome
from storage.benchmark import read_predictions, read_scores
from storage.layout import list_backbones
from storage.parquet import count_rows, read_table
from storage.verification import verify
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY, reply, serve

pytestmark = pytest.mark.usefixtures("prefect")
RUNNER = CliRunner()


@pytest.fixture(scope="module")
def corpus(prefect: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 - a server for the build
    import asyncio

    folder = tmp_path_factory.mktemp("corpus")
    wanted = BuildSettings(domains=("economics",), examples=6, data=str(folder / "data"), cache=str(folder / "cache"))
    asyncio.run(cast("Any", build_corpus)(wanted, return_state=True))
    return folder


def settings(folder: Path, **values: Any) -> BenchmarkSettings:
    return BenchmarkSettings(data=str(folder / "data"), cache=str(folder / "cache"), **values)


async def run(wanted: BenchmarkSettings) -> tuple[State[Any], BenchmarkSummary]:
    # Prefect's types know no flow that returns a state itself.
    state = await cast("Any", run_benchmark)(wanted, return_state=True)
    return state, cast("BenchmarkSummary", await state.aresult(raise_on_failure=False))


async def test_every_model_is_scored_on_every_example_and_a_second_run_asks_and_changes_nothing(corpus: Path) -> None:
    wanted = settings(corpus, models=("baseline:rules", "baseline:empty"), judge="exact")
    state, summary = await run(wanted)
    assert state.type is StateType.COMPLETED
    assert (summary.n_examples, summary.n_predictions, summary.n_judged, summary.n_failed) == (6, 12, 12, 0)
    data = Path(wanted.data)
    assert count_rows(data, "predictions") == count_rows(data, "scores") == 12
    assert verify(data).findings == ()
    board = summary.leaderboard
    assert board is not None
    assert [result.model for result in board.models] == ["baseline:rules", "baseline:empty"]
    assert board.models[1].means["node_f1"].mean == 0
    assert {anchor.name for anchor in board.anchors} == {"uniform", "marginal", "dirichlet"}

    _, again = await run(wanted)
    assert again.n_changed_files == 0
    assert again.leaderboard == board
    assert all(stage.n_cached == stage.n_calls for stage in again.stages)


async def test_rescoring_by_another_judge_asks_no_model_and_keeps_the_first_judges_scores(corpus: Path) -> None:
    await run(settings(corpus, judge="exact"))
    state, summary = await run(settings(corpus, judge="lexical", rescore=True))
    assert state.type is StateType.COMPLETED
    assert summary.stages == ()
    rows = read_scores(Path(settings(corpus).data), models={"baseline:rules"})
    assert {row.judge for row in rows} == {"exact", "lexical"}


async def test_fewer_examples_leave_the_stored_ones_of_others(corpus: Path) -> None:
    await run(settings(corpus))
    before = count_rows(corpus / "data", "predictions")
    _, summary = await run(settings(corpus, examples=2))
    assert summary.n_predictions == 2
    assert count_rows(corpus / "data", "predictions") == before


async def test_a_model_may_judge_and_one_that_does_not_answer_leaves_predictions_unscored_with_a_reason(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first judge says that nothing is the same, so only names that are spelt alike match; the second says no."""
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    async with serve(reply('{"same": []}')) as kind, serve(reply("I would rather not.")) as silent:
        catalogue = tmp_path / "models.yaml"
        entry = (
            "{name}:\n  provider: openai-compatible\n  model: judge\n  base_url: {url}\n  context_tokens: 8000\n"
            "  max_output_tokens: 2000\n  price: free\n"
        )
        catalogue.write_text(
            entry.format(name="test:kind", url=kind.base_url) + entry.format(name="test:silent", url=silent.base_url)
        )
        monkeypatch.setenv("PRISM_MODELS", str(catalogue))
        state, summary = await run(settings(corpus, judge="test:kind", examples=2))
        assert state.type is StateType.COMPLETED
        assert summary.n_judged == 2
        assert kind.received
        state, summary = await run(settings(corpus, judge="test:silent", examples=2))
    assert state.type is StateType.FAILED
    assert (summary.n_judged, summary.outcome) == (0, Outcome.EMPTY)
    assert {failure.stage for failure in summary.failures} >= {"judge"}
    assert {failure.reason for failure in summary.failures if failure.stage == "judge"} == {"invalid_reply"}


async def test_a_folder_without_a_corpus_ends_the_flow_with_one_line(tmp_path: Path) -> None:
    state, result = await run(settings(tmp_path))
    assert state.type is StateType.FAILED
    assert isinstance(result, InputError)
    assert "holds no examples" in (state.message or "")


def invoke(folder: Path, *arguments: str) -> Any:
    places = ["--data", str(folder / "data"), "--cache", str(folder / "cache")]
    return RUNNER.invoke(app, ["benchmark", *arguments, *places])


def test_the_command_prints_a_leaderboard_and_writes_it_where_asked(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = invoke(
        corpus, "--model", "baseline:rules", "--examples", "2", "--out", str(out), "--against", str(corpus / "data")
    )
    assert result.exit_code == 0, result.stderr
    assert "anchor uniform" in result.stdout
    assert "order of the models" in result.stdout
    assert {path.name for path in out.iterdir()} == {"leaderboard.md", "leaderboard.csv"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "baseline:rule"], "baseline:rules"),
        (["--judge", "baseline:rules"], "is no judge"),
        (["--judge", "exakt"], "'exakt' is not in the catalogue"),
        (["--mode", "half"], "--mode"),
        (["--split", "dev"], "--split"),
        (["--domain", "cooking"], "--domain cooking"),
        (["--examples", "0"], "--examples"),
        (["--against", "/no/such"], "--against /no/such"),
        (["--model", "anthropic:claude-sonnet-4-6"], "ANTHROPIC_API_KEY"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    arguments: list[str], message: str, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    result = invoke(corpus, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_rescoring_what_was_never_read_is_refused(corpus: Path) -> None:
    result = invoke(corpus, "--rescore", "--model", "person:anna")
    assert result.exit_code == 2
    assert "holds no predictions of person:anna" in result.stderr


async def test_two_extractions_and_two_judges_are_compared_on_what_is_stored(corpus: Path) -> None:
    await run(settings(corpus, models=("baseline:rules", "baseline:empty")))
    data = str(corpus / "data")
    result = RUNNER.invoke(app, ["agreement", "baseline:rules", "baseline:rules", "--data", data])
    assert result.exit_code == 0, result.stderr
    assert "1.000" in result.stdout
    result = RUNNER.invoke(app, ["judges", "exact", "lexical", "--data", data])
    assert result.exit_code == 0, result.stderr
    assert "exact and lexical over the same pairs" in result.stdout
    for arguments, message in (
        (["agreement", "baseline:rules", "person:anna"], "holds no predictions of 'person:anna'"),
        (["agreement", "a", "b", "--judge", "maybe"], "there are exact and lexical"),
        (["judges", "exact", "--pairs", "/no/such.csv"], "/no/such.csv"),
    ):
        result = RUNNER.invoke(app, [*arguments, "--data", data])
        assert result.exit_code == 2
        assert message in result.stderr


async def test_no_reference_reaches_a_model_that_reads(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent holds the text; names of states that the text lacks are nowhere."""
    catalogue = tmp_path / "models.yaml"
    async with serve(reply('{"variables": []}')) as wire:
        catalogue.write_text(
            f"test:reader:\n  provider: openai-compatible\n  model: reader\n  base_url: {wire.base_url}\n"
            "  context_tokens: 8000\n  max_output_tokens: 2000\n  price: free\n"
        )
        monkeypatch.setenv("PRISM_MODELS", str(catalogue))
        await run(settings(corpus, models=("test:reader",), examples=1))
        [received] = wire.received
    key = next(iter(list_backbones(corpus / "data", "predictions")))
    rows = [row for row in read_predictions(corpus / "data", *key) if row.model == "test:reader"]
    texts = {row["example"]: row["text"] for row in read_table(corpus / "data", "examples").to_pylist()}
    sent = received.body["messages"][-1]["content"]
    assert any(text in sent for text in texts.values())
    assert "network_json" not in sent
    assert all(row.status == "complete" for row in rows)
