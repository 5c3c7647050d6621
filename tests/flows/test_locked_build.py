"""A build leaves a lock, and one pinned to it makes the same corpus or tells what stands in the way."""

from pathlib import Path
from shutil import copyfile
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State, StateType

from schemas.errors import InputError
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary, Outcome
from storage.article_lock import LOCK_FILE, read_lock
from storage.records import read_failures
from storage.verification import verify
from tests.flows.test_build_corpus import CAUSAL, start

pytestmark = pytest.mark.usefixtures("prefect")


def write_articles(folder: Path) -> None:
    folder.mkdir()
    (folder / "drought.md").write_text("# Drought\n\n" + CAUSAL * 3)
    (folder / "unrest.md").write_text("# Unrest\n\n" + "Unrest deters tourists. " + CAUSAL * 3)


async def build(folder: Path, data: str, **values: Any) -> State[Any]:
    root = folder.parent
    fixed: dict[str, Any] = {"domains": ("society",), "examples": 4, "cache": str(root / "cache")}
    return await start(BuildSettings(source=f"folder:{folder}", data=str(root / data), **fixed | values))


async def summary_of(state: State[Any]) -> BuildSummary:
    return cast("BuildSummary", await state.aresult(raise_on_failure=False))


def stamps(data: Path) -> dict[Path, int]:
    """When each file that is not about a run was written."""
    files = [path for path in data.rglob("*") if path.is_file() and not {"calls", "failures", ".runs"} & {*path.parts}]
    return {path.relative_to(data): path.stat().st_mtime_ns for path in files}


async def test_a_lock_pins_a_build_to_its_articles(tmp_path: Path) -> None:
    folder, data, lock = tmp_path / "articles", tmp_path / "data", str(tmp_path / "my.lock")
    write_articles(folder)
    assert (await build(folder, "data")).type is StateType.COMPLETED
    locked = read_lock(data / LOCK_FILE)
    assert [(item.backbone, item.url, item.source) for item in locked] == [
        ("drought", "drought.md", "folder"),
        ("unrest", "unrest.md", "folder"),
    ]
    copyfile(data / LOCK_FILE, lock)

    # elsewhere, beside an article that is new: the same corpus
    (folder / "hail.md").write_text("# Hail\n\n" + "Hail breaks windows. " + CAUSAL * 3)
    assert (await build(folder, "data-2", lock=lock)).type is StateType.COMPLETED
    assert (tmp_path / "data-2" / LOCK_FILE).read_text() == (data / LOCK_FILE).read_text()
    assert verify(tmp_path / "data-2").findings == ()

    # one article changes: no model is asked, the build says what changed
    (folder / "unrest.md").write_text("# Unrest\n\n" + "Unrest pleases nobody. " + CAUSAL * 3)
    before = stamps(data)
    state = await build(folder, "data", lock=lock)
    assert state.type is StateType.FAILED
    with pytest.raises(InputError, match=r"my\.lock: 1 of 2 articles are not what they were.*: Unrest has changed: "):
        await state.aresult()
    assert stamps(data) == before
    [failure] = read_failures(data)
    assert (failure.backbone, failure.item, failure.reason) == ("unrest", "Unrest", "rejected")

    # told to report, it builds the other one
    summary = await summary_of(await build(folder, "data-3", lock=lock, on_change="report"))
    assert (summary.n_articles, summary.outcome) == (1, Outcome.COMPLETE)
    assert [failure.item for failure in summary.failures] == ["Unrest"]

    # told to fetch, it takes the locked text from the tables, and nothing changes at all
    summary = await summary_of(await build(folder, "data", lock=lock, on_change="fetch"))
    assert (summary.n_networks, summary.n_changed_files, summary.failures) == (2, 0, ())
    assert stamps(data) == before


async def test_a_lock_that_is_wrong_ends_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    write_articles(folder)
    state = await build(folder, "data", lock=str(tmp_path / "none.lock"))
    with pytest.raises(InputError, match=r"none\.lock: cannot be read"):
        await state.aresult()


def test_the_settings_name_what_does_not_go_with_a_lock() -> None:
    with pytest.raises(ValueError, match="a lock names its articles"):
        BuildSettings(lock="x", source="wikipedia", domains=("d",), searches=("rain",))
    with pytest.raises(ValueError, match="brings its own articles"):
        BuildSettings(lock="x", source="backbones:x.jsonl")
