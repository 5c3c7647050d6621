"""A lock is read back as it was written, its faults are named by line and field, and only a change rewrites it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.locked_articles import LockedArticle
from schemas.rows import BackboneKey
from storage.article_lock import LOCK_FILE, parse_lock, read_lock, to_text, write_lock
from storage.corpus import write_article
from tests.storage.corpora import make_article

SLUGS = st.sampled_from(["economics", "bank-run", "a", "x1-y", "version"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LOCKED = st.builds(
    LockedArticle,
    domain=SLUGS.filter(lambda slug: slug != "version"),
    backbone=SLUGS,
    title=TEXTS,
    url=TEXTS,
    revision=TEXTS,
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    words=st.integers(0, 10**6),
    source=st.sampled_from(["wikipedia", "dump", "folder"]),
)


def make_locked(backbone: str = "bank-run", domain: str = "economics") -> LockedArticle:
    return LockedArticle(
        domain=domain,
        backbone=backbone,
        title="Bank run",
        url="https://example.org/?oldid=7",
        revision="7",
        sha256="0" * 64,
        words=90,
        source="wikipedia",
    )


TEXT = to_text([make_locked()])


@given(st.lists(LOCKED, unique_by=lambda article: article.key, max_size=6))
def test_any_titles_and_addresses_come_back_as_they_were_ordered_by_key(articles: list[LockedArticle]) -> None:
    assert list(parse_lock(to_text(articles))) == sorted(articles, key=lambda article: article.key)
    assert to_text(articles) == to_text(reversed(articles))


def test_a_changed_article_changes_only_the_lines_that_say_so() -> None:
    others = [make_locked("a"), make_locked("z")]
    before = to_text([*others, make_locked()]).splitlines()
    after = to_text([*others, make_locked().model_copy(update={"sha256": "1" * 64})]).splitlines()
    assert len(before) == len(after)
    assert [line for old, line in zip(before, after, strict=True) if old != line] == [f'sha256 = "{"1" * 64}"']


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("words = 90", 'words = "90"', "line 9: economics.bank-run: words: Input should be a valid integer"),
        ("words = 90", "words = -1", "line 9: economics.bank-run: words: Input should be greater than or equal to 0"),
        ('sha256 = "0', 'sha256 = "Z', "line 8: economics.bank-run: sha256: String should match pattern"),
        ('source = "wikipedia"\n', "", "line 4: economics.bank-run: source: is missing"),
        ('source = "wikipedia"\n', "source = 1\nextra = 2\n", "line 11: economics.bank-run: extra: is no known field"),
        ('url = "', "url = ", "line 6: Invalid"),
        ("[economics.bank-run]", "[Economics.bank-run]", "line 4: Economics.bank-run: domain: 'Economics' is not a sl"),
        ("[economics.bank-run]", "[economics]", "line 4: [economics]: is not the table of an article"),
        ("[economics.bank-run]", "<<<<<<< HEAD\n[economics.bank-run]", "line 4: Invalid statement"),
        ("version = 1", "version = 2", "line 2: version: 2 is not known to this program; it must be 1"),
        ("version = 1", "", "line 1: version: is missing; it must be 1"),
        ("version = 1", "version = 1\nother = 3", "line 3: other: is not the table of an article"),
    ],
)
def test_a_fault_is_one_line_with_file_line_and_field(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "my.lock"
    path.write_text(TEXT.replace(old, new), "utf-8")
    with pytest.raises(InputError) as caught:
        read_lock(path)
    assert str(caught.value).startswith(f"{path}: {problem}")
    assert "\n" not in str(caught.value)


def test_an_article_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.lock"
    path.write_text(TEXT + "\n[economics.bank-run]\n", "utf-8")
    with pytest.raises(InputError, match=r"line 12: Cannot declare"):
        read_lock(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "cannot be read"), (b"\xff", "is not UTF-8"), (b"version = 1\n", "holds no articles")],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, problem: str) -> None:
    path = tmp_path / "my.lock"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=f"my.lock: {problem}"):
        read_lock(path)


def test_a_lock_describes_the_table_and_is_rewritten_only_if_it_changes(tmp_path: Path) -> None:
    key = BackboneKey("environment", "river-floods")
    article = make_article(*key)
    write_article(tmp_path, article, run="r1")
    assert write_lock(tmp_path, "folder", [article]).is_changed
    path = tmp_path / LOCK_FILE
    [locked] = read_lock(path)
    assert (locked.key, locked.sha256, locked.words, locked.source) == (key, article.sha256, article.words, "folder")
    before = path.stat()

    assert not write_lock(tmp_path, "folder", [article]).is_changed
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    article = article.model_copy(update={"title": "Floods"})
    write_article(tmp_path, article, run="r2")
    assert write_lock(tmp_path, "folder", [article]).is_changed
    assert [locked.title for locked in read_lock(path)] == ["Floods"]


def test_articles_of_other_builds_keep_their_source_and_unknown_ones_say_so(tmp_path: Path) -> None:
    first, second = articles = [make_article("environment", slug) for slug in ("a", "b")]
    for article in articles:
        write_article(tmp_path, article, run="r1")
    write_lock(tmp_path, "folder", [first])
    assert [locked.source for locked in read_lock(tmp_path / LOCK_FILE)] == ["folder", "unknown"]
    write_lock(tmp_path, "dump", [second])
    assert [locked.source for locked in read_lock(tmp_path / LOCK_FILE)] == ["folder", "dump"]


def test_a_lock_that_is_broken_is_written_afresh_and_one_without_articles_not_at_all(tmp_path: Path) -> None:
    assert not write_lock(tmp_path, "folder", ()).is_changed
    assert not (tmp_path / LOCK_FILE).exists()
    key = BackboneKey("environment", "a")
    article = make_article(*key)
    write_article(tmp_path, article, run="r1")
    (tmp_path / LOCK_FILE).write_bytes(b"\xff<<<<<<< HEAD")
    write_lock(tmp_path, "folder", [article])
    assert [locked.key for locked in read_lock(tmp_path / LOCK_FILE)] == [key]


def test_an_article_of_which_no_network_came_is_locked_and_stays_so(tmp_path: Path) -> None:
    lost, later = make_article("environment", "lost"), make_article("environment", "later")
    write_lock(tmp_path, "wikipedia", [lost])
    write_lock(tmp_path, "folder", [later])
    locked = {article.backbone: article.source for article in read_lock(tmp_path / LOCK_FILE)}
    assert locked == {"lost": "wikipedia", "later": "folder"}


def test_an_article_without_a_text_is_not_locked(tmp_path: Path) -> None:
    article = make_article("environment", "a").model_copy(update={"text": "", "words": 0})
    write_article(tmp_path, article, run="r1")
    assert write_lock(tmp_path, "folder", ()).n_rows == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("version = 1\na = " + "[" * 100_000, "holds values within values, too deep to be read"),
        ("version = true\n", "line 1: version: true is not known to this program; it must be 1"),
        ("version = 1.0\n", "line 1: version: 1.0 is not known to this program; it must be 1"),
        ("version = [1]\n", "line 1: version: this is not known to this program; it must be 1"),
        ('version = 1\n"a\\u001b[2Jb" = 1\n', "line 1: a [2Jb: is not the table of an article"),
    ],
)
def test_what_is_odd_in_a_lock_is_refused_in_a_line_that_can_be_shown(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "my.lock"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_lock(path)
    assert str(caught.value).startswith(f"{path}: {problem}")
    assert str(caught.value).isprintable()
