"""Locked articles are found again by their text, address or title; everything else is a change with its reason."""

from collections.abc import Iterator
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from providers.sources.selection import Found, to_failure
from schemas.articles import Article
from schemas.locked_articles import LockedArticle
from tasks.pinning import MAX_FILES, Change, limit_files, pin_articles, to_names


def make_article(title: str, text: str, domain: str = "economics", url: str = "", old_title: str = "") -> Article:
    return Article(
        domain=domain,
        backbone=title.lower().replace(" ", "-"),
        title=title,
        url=url or f"{title}.md",
        revision="",
        retrieved_at="2026-01-31T00:00:00Z",
        licence="CC0",
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
        words=len(text.split()),
        redirected_from=old_title,
    )


def lock(article: Article) -> LockedArticle:
    fields = {"domain", "backbone", "title", "url", "revision", "sha256", "words"}
    return LockedArticle(**article.model_dump(include=fields), source="folder")


RAIN, SNOW = make_article("Rain", "it rains"), make_article("Snow", "it snows")


def test_an_unchanged_article_is_the_locked_one_and_what_is_not_locked_is_passed_over() -> None:
    pinned = pin_articles([lock(RAIN)], [SNOW, RAIN])
    assert pinned.articles == (RAIN,)
    assert pinned.changes == ()


def test_the_same_text_elsewhere_goes_under_the_names_of_the_lock() -> None:
    moved = make_article("Rainfall", RAIN.text, domain="environment", url="weather/rain.md")
    assert pin_articles([lock(RAIN)], [moved]).articles == (RAIN,)


def test_a_text_whose_paragraphs_are_set_apart_otherwise_is_the_locked_one() -> None:
    stored = make_article("Rain", "It rains.\nIt pours.")
    found = make_article("Rain", "It rains.\n\nIt pours.")
    assert pin_articles([lock(stored)], [found]).articles == (stored,)
    assert pin_articles([lock(found)], [stored]).articles == (found,)
    mixed = make_article("Rain", "It rains.\n\nIt pours.\nIt ends.")
    assert pin_articles([lock(mixed)], [mixed]).articles == (mixed,)


def test_a_changed_text_is_reported_with_both_checksums() -> None:
    changed = make_article("Rain", "it rains no more")
    [change] = pin_articles([lock(RAIN)], [changed]).changes
    assert change.reason == "rejected"
    assert change.detail == (
        f"has changed: locked is 2 words, sha256 {RAIN.sha256[:12]}…, found 4 words, sha256 {changed.sha256[:12]}…"
    )
    failure = change.to_failure("not built")
    assert (failure.stage, failure.domain, failure.backbone, failure.item) == ("articles", "economics", "rain", "Rain")
    assert failure.detail.endswith("…; not built")


def test_an_article_is_recognised_by_its_address_or_the_title_it_was_moved_from() -> None:
    for found in (
        make_article("Rainfall", "other words", url="Rain.md"),
        make_article("Rainfall", "other words", old_title="Rain"),
    ):
        [change] = pin_articles([lock(RAIN)], [found]).changes
        assert "found 2 words" in change.detail


def test_one_that_is_gone_says_so_and_why_where_the_source_knows() -> None:
    [change] = pin_articles([lock(RAIN)], [SNOW]).changes
    assert change.detail == "is locked and not found any more"
    rows: list[Found] = [to_failure("Snow.md", "input", "is odd"), to_failure("Rain.md", "input", "is not UTF-8")]
    [change] = pin_articles([lock(RAIN)], rows).changes
    assert (change.reason, change.detail) == ("input", "is locked and cannot be had: is not UTF-8")


def test_an_unchanged_article_is_never_taken_for_a_changed_one_of_the_same_name() -> None:
    other = make_article("Rain", "rain in society", domain="society", url="s/Rain.md")
    pinned = pin_articles([lock(other), lock(RAIN)], [RAIN])
    assert pinned.articles == (RAIN,)
    assert [change.detail for change in pinned.changes] == ["is locked and not found any more"]


def test_looking_ends_when_all_are_there() -> None:
    def find() -> Iterator[Found]:
        yield SNOW
        yield RAIN
        raise AssertionError("nothing more is asked for")

    assert pin_articles([lock(RAIN), lock(SNOW)], find()).articles == (RAIN, SNOW)


@given(st.permutations([make_article(f"Title {n}", f"text {n}") for n in range(5)]), st.sets(st.integers(0, 4)))
def test_every_locked_article_is_there_or_a_change_in_the_order_of_the_lock(
    found: list[Article], gone: set[int]
) -> None:
    articles = [make_article(f"Title {n}", f"text {n}") for n in range(5)]
    kept = [article for article in found if int(article.title[-1]) not in gone]
    pinned = pin_articles([lock(article) for article in articles], kept)
    assert [article.title for article in pinned.articles] == [f"Title {n}" for n in range(5) if n not in gone]
    assert [change.locked.title for change in pinned.changes] == [f"Title {n}" for n in sorted(gone)]


def test_what_a_lock_says_is_shown_and_kept_without_control_characters() -> None:
    locked = lock(RAIN).model_copy(update={"title": "Ra\x1b[2Jin\u202e", "url": "a\x00b", "revision": "7\n8"})
    change = Change(locked, "rejected", "has changed:\x1b[31m revision 7\n8")
    assert str(change) == "Ra[2Jin has changed:[31m revision 7 8"
    assert to_names(locked) | {"domain": "", "backbone": ""} == {
        "domain": "",
        "backbone": "",
        "title": "Ra[2Jin",
        "url": "ab",
        "revision": "7 8",
    }


def test_the_rows_of_thousands_of_articles_are_filed_under_few_backbones() -> None:
    # A file for each of them would take minutes.
    changes = [Change(lock(make_article(f"Rain {n}", "it rains")), "rejected", "is gone") for n in range(3000)]
    rows = limit_files([change.to_failure("not built") for change in changes])
    assert [row.item for row in rows] == [change.locked.title for change in changes]
    assert {(row.domain, row.detail) for row in rows} == {("economics", "is gone; not built")}
    assert [row.backbone for row in rows] == [f"rain-{n}" for n in range(MAX_FILES)] + [""] * (3000 - MAX_FILES)
