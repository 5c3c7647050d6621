"""A pinned build takes the locked articles only, and what has changed is refused, reported or fetched."""

from pathlib import Path
from typing import Any

import pytest

from providers.sources.revisions import Revision
from schemas.articles import Article
from schemas.errors import InputError
from schemas.locked_articles import LockedArticle
from schemas.settings import BuildSettings
from storage.article_lock import to_text
from storage.corpus import write_article
from tasks.articles import find_articles
from tasks.locked_articles import LockedBuild, choose_locked, find_locked_articles
from tasks.session import open_session

WORDS = " and a few more words" * 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "articles"
    (folder / "economics").mkdir(parents=True)
    (folder / "society").mkdir()
    (folder / "economics" / "rain.txt").write_text("It rains" + WORDS)
    (folder / "economics" / "snow.txt").write_text("It snows" + WORDS)
    (folder / "society" / "hail.txt").write_text("It hails" + WORDS)
    return folder


async def find(settings: BuildSettings) -> tuple[Article, ...]:
    async with open_session(settings, "run-1"):
        return await find_articles.fn(settings)


def make_settings(folder: Path, **values: Any) -> BuildSettings:
    root = folder.parent
    fixed: dict[str, Any] = {"source": f"folder:{folder}", "data": str(root / "data"), "cache": str(root / "cache")}
    return BuildSettings(**fixed | values)


async def write_lock(folder: Path, *, source: str = "folder", revision: str = "") -> Path:
    """Lock what the folder holds."""
    articles = await find(make_settings(folder))
    fields = {"domain", "backbone", "title", "url", "sha256", "words"}
    locked = [
        LockedArticle(**article.model_dump(include=fields), revision=revision, source=source) for article in articles
    ]
    path = folder.parent / "my.lock"
    path.write_text(to_text(locked), "utf-8")
    return path


def pin(folder: Path, lock: Path, **values: Any) -> LockedBuild:
    return find_locked_articles(make_settings(folder, lock=str(lock), **values))


def titles(build: LockedBuild) -> list[str]:
    return [article.title for article in build.articles]


async def test_an_unchanged_folder_gives_the_same_articles_and_new_files_are_not_built(folder: Path) -> None:
    before = await find(make_settings(folder))
    lock = await write_lock(folder)
    (folder / "economics" / "a-new.txt").write_text("It drizzles" + WORDS)
    build = pin(folder, lock, per_domain=1)
    assert build == LockedBuild(before, ())


async def test_refuse_names_what_changed_and_builds_nothing(folder: Path) -> None:
    lock = await write_lock(folder)
    (folder / "economics" / "rain.txt").write_text("It pours" + WORDS)
    (folder / "society" / "hail.txt").unlink()
    build = pin(folder, lock)
    assert build.articles == ()
    assert [(row.item, row.domain, row.reason) for row in build.failures] == [
        ("Rain", "economics", "rejected"),
        ("Hail", "society", "rejected"),
    ]
    line = str(build.refusal)
    assert line.startswith(f"--lock {lock}: 2 of 3 articles are not what they were, and nothing was built: Rain has ch")
    assert "Hail is locked and not found any more" in line
    assert "\n" not in line


async def test_the_task_writes_the_changes_down_and_ends_with_the_refusal(folder: Path) -> None:
    lock = await write_lock(folder)
    (folder / "economics" / "rain.txt").write_text("It pours" + WORDS)
    settings = make_settings(folder, lock=str(lock))
    async with open_session(settings, "run-2") as session:
        with pytest.raises(InputError, match="1 of 3 articles are not what they were"):
            await find_articles.fn(settings)
        assert [failure.item for failure in session.ledger.failures] == ["Rain"]


async def test_report_builds_the_others(folder: Path) -> None:
    lock = await write_lock(folder)
    (folder / "economics" / "rain.txt").write_text("Too short.")
    build = pin(folder, lock, on_change="report")
    assert titles(build) == ["Snow", "Hail"]
    [failure] = build.failures
    assert failure.detail == ("is locked and cannot be had: has 2 words; at least 80 are needed (min_words); not built")
    assert build.refusal is None


async def test_fetch_finds_the_locked_text_in_the_tables(folder: Path) -> None:
    before = await find(make_settings(folder))
    lock = await write_lock(folder)
    for article in before:
        write_article(folder.parent / "data", article, run="r1")
    for name in ("economics/rain", "economics/snow", "society/hail"):
        (folder / f"{name}.txt").write_text("Too short.")
    assert pin(folder, lock, on_change="fetch") == LockedBuild(before, ())


async def test_fetch_leaves_out_what_is_nowhere(folder: Path) -> None:
    lock = await write_lock(folder)
    (folder / "economics" / "rain.txt").write_text("It pours" + WORDS)
    build = pin(folder, lock, on_change="fetch")
    assert titles(build) == ["Snow", "Hail"]
    [failure] = build.failures
    assert failure.detail.endswith("; not built: it has no revision that could be fetched")


class Revisions:
    """A wiki that has one text for every revision."""

    licence = "CC BY-SA 4.0"

    def __init__(self, text: str, flaw: str = "") -> None:
        self.text, self.flaw = text, flaw

    def find_flaw(self, _: LockedArticle) -> str:
        return ""

    def fetch(self, numbers: list[str], _: str) -> dict[str, Revision]:
        return {number: Revision(number, self.text, self.flaw) for number in numbers}


@pytest.mark.parametrize(
    ("text", "flaw", "n_articles", "detail"),
    [
        ("It rains" + WORDS, "", 3, ""),
        ("It rained" + WORDS, "", 3, "built from the wikitext of revision 7, which reads differently: 102 words, sha"),
        ("", "is not at en.wikipedia.org any more", 2, "not built: its revision is not at en.wikipedia.org any more"),
    ],
)
async def test_fetch_gets_the_revision_and_says_where_it_reads_differently(
    folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, flaw: str, n_articles: int, detail: str
) -> None:
    lock = await write_lock(folder, revision="7")
    (folder / "economics" / "rain.txt").write_text("It pours" + WORDS)
    wiki = Revisions(text, flaw)

    def open_wiki(_: str) -> Revisions:
        return wiki

    monkeypatch.setattr("tasks.locked_articles.open_revisions", open_wiki)
    build = pin(folder, lock, on_change="fetch")
    assert len(build.articles) == n_articles
    assert [failure.reason for failure in build.failures] == ["rejected"] * bool(detail)
    assert all(detail in failure.detail for failure in build.failures)
    rain = [article for article in build.articles if article.title == "Rain"]
    assert all((article.revision, article.text) == ("7", text) for article in rain)


async def test_a_build_is_about_its_domains_and_its_kind_of_source(folder: Path) -> None:
    lock = await write_lock(folder)
    text = lock.read_text("utf-8").replace('source = "folder"', 'source = "samples"', 1)
    lock.write_text(text, "utf-8")
    settings = make_settings(folder, lock=str(lock))
    assert [locked.title for locked in choose_locked(settings)] == ["Snow", "Hail"]
    assert [locked.title for locked in choose_locked(settings.model_copy(update={"domains": ("society",)}))] == ["Hail"]
    other = settings.model_copy(update={"source": "dump:wiki.xml"})
    assert [locked.title for locked in choose_locked(other)] == ["Rain", "Snow", "Hail"]
    with pytest.raises(InputError, match="has no article of technology"):
        choose_locked(settings.model_copy(update={"domains": ("technology",)}))
