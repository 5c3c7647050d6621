"""Articles are taken once, up to the limit of their domain, each under a slug of its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters
from providers.sources.selection import Candidate, Found, Selection, require_article, to_failure, to_line, to_timestamp
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError

DOMAINS = (Domain("economics", ()), Domain("society", ()))


def make_candidate(title: str, text: str = "") -> Candidate:
    return Candidate(
        item=f"{title}.md",
        domain="economics",
        title=title,
        text=(text or title) + " word" * 80,
        url=f"https://example.org/{title}",
        revision="",
        retrieved_at=datetime(2026, 1, 31, tzinfo=UTC),
        licence="CC0",
    )


def make_selection(limit: int = 10) -> Selection:
    return Selection(DOMAINS, limit, ArticleFilters())


def test_an_article_carries_its_cleaned_text_its_digest_and_its_word_count() -> None:
    article = make_selection().judge(replace(make_candidate("Bank_runs"), text="  Fear\r\nspreads." + " word" * 80))
    assert isinstance(article, Article)
    assert (article.title, article.backbone, article.domain) == ("Bank runs", "bank-runs", "economics")
    assert article.text == "Fear\nspreads." + " word" * 80
    assert article.sha256 == sha256(article.text.encode()).hexdigest()
    assert article.words == 82
    assert article.retrieved_at == "2026-01-31T00:00:00Z"


def test_a_second_article_with_the_same_title_url_revision_or_text_is_refused_in_any_domain() -> None:
    selection = make_selection()
    first = replace(make_candidate("Rain"), revision="7")
    other = replace(make_candidate("Snow"), domain="society", revision="8")
    assert isinstance(selection.judge(first), Article)
    for twin, reason in [
        (replace(other, title="rain"), "title"),
        (replace(other, url=first.url), "URL"),
        (replace(other, revision="7"), "revision"),
        (replace(other, text=first.text + "\u200b\n"), "text"),
    ]:
        failure = selection.judge(twin)
        assert isinstance(failure, Failure)
        assert (failure.reason, failure.detail) == ("rejected", f"has the same {reason} as Rain.md")
    assert isinstance(selection.judge(other), Article)


def test_the_lead_is_judged_and_the_sections_are_part_of_the_text() -> None:
    candidate = replace(make_candidate("Rain"), sections="Kinds\n\nMany.", redirected_from="rainfall_")
    article = make_selection().judge(candidate)
    assert isinstance(article, Article)
    assert article.text == f"{candidate.text}\n\nKinds\n\nMany."
    assert (article.words, article.redirected_from) == (83, "rainfall")
    short = make_selection().judge(replace(candidate, text="Rain falls.", sections="word " * 100))
    assert isinstance(short, Failure)
    assert short.detail == "has 2 words; at least 80 are needed (min_words)"


def test_articles_without_url_and_revision_are_not_taken_for_one_another() -> None:
    selection = make_selection()
    for title in ("Rain", "Snow"):
        assert isinstance(selection.judge(replace(make_candidate(title), url="")), Article)


def test_titles_that_differ_in_case_only_get_different_slugs_the_first_one_the_plain() -> None:
    selection = make_selection()
    found = [selection.judge(make_candidate(title)) for title in ("Iron Man", "Iron man")]
    slugs = [article.backbone for article in found if isinstance(article, Article)]
    assert slugs == ["iron-man", f"iron-man-{sha256(b'Iron man').hexdigest()[:6]}"]


def test_a_domain_is_full_at_its_limit_and_refused_articles_do_not_count() -> None:
    selection = make_selection(limit=1)
    selection.judge(replace(make_candidate("Rain"), text="too short"))
    assert not selection.is_full("economics")
    selection.judge(make_candidate("Snow"))
    assert selection.is_full("economics")
    assert not selection.is_complete
    selection.judge(replace(make_candidate("Hail"), domain="society"))
    assert selection.is_complete


def test_a_title_of_nothing_visible_is_refused() -> None:
    failure = make_selection().judge(make_candidate("\u202e\u200b"))
    assert isinstance(failure, Failure)
    assert failure.detail == "has no title"


@given(st.text(st.characters(exclude_categories=()), max_size=400))
def test_what_comes_from_outside_becomes_one_line_of_valid_utf8(text: str) -> None:
    line = to_line(text)
    assert len(line) <= 300
    assert "\n" not in line
    assert line.encode("utf-8").decode("utf-8") == line


def test_a_moment_is_written_in_utc_to_the_second() -> None:
    moment = datetime(2026, 1, 31, 1, 30, 15, 999, tzinfo=timezone(timedelta(hours=2)))
    assert to_timestamp(moment) == "2026-01-30T23:30:15Z"


def test_a_source_without_an_article_is_an_input_error_that_names_the_first_reason() -> None:
    def find() -> Iterator[Found]:
        yield to_failure("a.md", "rejected", "is empty")
        yield to_failure("b.md", "rejected", "is empty")

    found = require_article(find(), "source folder:texts")
    assert isinstance(next(found), Failure)
    with pytest.raises(
        InputError, match=r"^source folder:texts: no article can be used: a.md is empty \(the first of 2"
    ):
        list(found)
