"""A build fills every table, repeats itself without a change, and tells the truth about what it lacks."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State, StateType

from flows.build_corpus import build_corpus
from schemas.errors import InputError
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary, Outcome
from storage.parquet import count_rows, read_table
from storage.records import read_examples
from storage.verification import verify
from tests.schemas.test_raw_backbones import RECORD

pytestmark = pytest.mark.usefixtures("prefect")

CAUSAL = (
    "Prolonged drought leads to crop failure. Crop failure raises food prices, and high food prices cause unrest. "
    "Irrigation reduces crop failure. Because of unrest, governments impose export bans. Export bans raise food prices "
    "in importing countries. "
)


def settings(folder: Path, **values: Any) -> BuildSettings:
    return BuildSettings(data=str(folder / "data"), cache=str(folder / "cache"), **values)


async def run(wanted: BuildSettings) -> tuple[State[Any], BuildSummary]:
    state = await start(wanted)
    return state, cast("BuildSummary", await state.aresult(raise_on_failure=False))


async def start(wanted: BuildSettings) -> State[Any]:
    # Prefect's types know no flow that returns a state itself.
    return await cast("Any", build_corpus)(wanted, return_state=True)


async def test_a_build_fills_every_table_and_a_second_one_asks_and_changes_nothing(tmp_path: Path) -> None:
    wanted = settings(tmp_path, domains=("economics",), examples=6)
    state, summary = await run(wanted)
    assert state.type is StateType.COMPLETED
    assert (summary.n_articles, summary.n_networks, summary.n_examples) == (2, 2, 6)
    tables = ("articles", "backbones", "variables", "edges", "marginals", "joints", "cpds", "examples", "calls")
    data = Path(wanted.data)
    assert all(count_rows(data, table) for table in tables)
    assert verify(data).findings == ()
    assert {example.writer for example in read_examples(data)} == {"offline:rules"}
    assert set(read_table(data, "backbones", columns=["model"])["model"].to_pylist()) == {"offline:recorded"}
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files(data)}

    state, summary = await run(wanted)
    assert state.type is StateType.COMPLETED
    assert summary.n_changed_files == 0
    assert all(stage.n_cached == stage.n_calls for stage in summary.stages)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files(data)} == before


def files(data: Path) -> list[Path]:
    """Everything but the history of runs."""
    return [path for path in sorted(data.rglob("*.parquet")) if not {"calls", "failures"} & set(path.parts)]


async def test_examples_are_the_same_on_another_machine(tmp_path: Path) -> None:
    """Two builds in different folders give the same ids, texts and networks."""
    rows: list[list[tuple[str, str]]] = []
    for name in ("one", "two"):
        wanted = settings(tmp_path / name, domains=("society",), examples=5, seed=3)
        await run(wanted)
        rows.append([(example.example, example.text) for example in read_examples(Path(wanted.data))])
    assert rows[0] == rows[1]
    assert len(rows[0]) == 5


async def test_a_failing_article_is_a_row_and_the_others_finish(tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "drought.md").write_text("# Drought\n\n" + CAUSAL * 3)
    (folder / "short.md").write_text("# Short\n\nToo short.")
    (folder / "broken.txt").write_bytes(b"\xff\xfe" + b"\x80" * 200)
    state, summary = await run(settings(tmp_path, source=f"folder:{folder}", domains=("economics",), examples=4))
    assert state.type is StateType.COMPLETED
    assert summary.n_networks == 1
    assert {failure.reason for failure in summary.failures} == {"rejected", "input"}
    assert summary.outcome is Outcome.COMPLETE


async def test_a_build_without_any_network_fails(tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "list.txt").write_text("A green hill stands beside another green hill. " * 20)
    state, summary = await run(settings(tmp_path, source=f"folder:{folder}", domains=("economics",)))
    assert state.type is StateType.FAILED
    assert summary.outcome is Outcome.EMPTY
    assert "nothing came of it" in (state.message or "")
    assert summary.failures


async def test_imported_backbones_need_no_elicitation(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text(json.dumps(RECORD) + "\n")
    wanted = settings(tmp_path, source=f"backbones:{file}")
    state, summary = await run(wanted)
    assert state.type is StateType.COMPLETED
    assert {stage.stage for stage in summary.stages} == {"description"}
    # two edges into one child: the only subgraph of three variables
    assert summary.n_examples == 1
    assert verify(Path(wanted.data)).findings == ()


async def test_a_bad_record_stops_the_import_before_anything_is_written(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    bad = {**RECORD, "title": "Other", "nodes": [{"name": "rain", "states": []}]}
    file.write_text(json.dumps(RECORD) + "\n" + json.dumps(bad) + "\n")
    wanted = settings(tmp_path, source=f"backbones:{file}")
    state = await start(wanted)
    assert state.type is StateType.FAILED
    with pytest.raises(InputError, match=r"line 2: nodes\.0\.states"):
        await state.aresult()
    assert files(Path(wanted.data)) == []


async def test_reconciling_closes_the_gaps_and_says_how_far_it_moved(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text(json.dumps(RECORD))
    wanted = settings(tmp_path, source=f"backbones:{file}", reconcile=True)
    await run(wanted)
    row = read_table(Path(wanted.data), "backbones").to_pylist()[0]
    assert row["reconciled"] is True
    # rain's marginal 0.3, 0.7 is that of its joint; flood's 0.2 against 0.3 in the joints: it has to move by 0.1 or so
    assert 0.05 < row["max_reconcile_move"] < 0.6
    edges = read_table(Path(wanted.data), "edges").to_pylist()
    assert all(edge["child_gap"] < 1e-6 for edge in edges if edge["network"] == "floods")
