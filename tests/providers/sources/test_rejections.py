"""Rejections of one kind are named a few times and then counted, whatever their particulars."""

from collections.abc import Iterator
from itertools import count, islice

from providers.sources.rejections import condense_rejections
from providers.sources.selection import Found, to_failure
from schemas.articles import Article
from schemas.calls import Failure

RAIN = Article(
    domain="d",
    backbone="rain",
    title="Rain",
    url="",
    revision="",
    retrieved_at="",
    licence="",
    text="",
    sha256="",
    words=0,
)


def condense(*found: Found, n_named: int = 2) -> list[tuple[str, str, str]]:
    rows = condense_rejections(iter(found), "wiki.xml", n_named)
    return [(row.item, row.domain, row.detail) for row in rows if isinstance(row, Failure)]


def reject(item: str, detail: str, domain: str = "d") -> Failure:
    return to_failure(item, "rejected", detail, domain=domain)


def test_rejections_that_differ_in_numbers_quotes_and_names_are_of_one_kind() -> None:
    for details in (
        ["has 1,200 words", "has 3 words", "has 40 words"],
        ["has broken markup ('{{')", "has broken markup ('[[')", "has broken markup ('|}')"],
        ["has the same title as Rain", "has the same title as Snow as ice", "has the same title as Hail"],
    ):
        rows = condense(*(reject(f"Page {n}", detail) for n, detail in enumerate(details)))
        assert rows[:2] == [("Page 0", "d", details[0]), ("Page 1", "d", details[1])]
        assert rows[2:] == [("wiki.xml", "d", f"has 1 more article turned down like 'Page 0', which {details[0]}")]


def test_kinds_and_domains_are_counted_apart() -> None:
    rows = condense(*(reject("P", detail, domain) for detail in ("is a list", "is empty") for domain in "ab"))
    assert len(rows) == 4  # each once, so all are named
    rows = condense(*(reject("P", "is a list", domain) for domain in "ab" for _ in range(3)))
    assert [row[:2] for row in rows] == [("P", "a")] * 2 + [("P", "b")] * 2 + [("wiki.xml", "a"), ("wiki.xml", "b")]


def test_articles_and_other_failures_are_all_passed_on_in_order() -> None:
    broken = to_failure("wiki.xml", "input", "breaks off")
    found: list[Found] = [RAIN, broken, broken, broken, RAIN]
    assert list(condense_rejections(iter(found), "wiki.xml", 1)) == found


def test_an_article_is_passed_on_before_the_next_page_is_read() -> None:
    def find() -> Iterator[Found]:
        yield RAIN
        raise AssertionError("read too far")

    assert next(condense_rejections(find(), "wiki.xml")) == RAIN


def test_however_many_kinds_there_are_the_rows_are_bounded() -> None:
    words = (f"is {chr(0x4E00 + n)}" for n in count())
    rows = condense(*(reject("P", detail) for detail in islice(words, 2000)), n_named=1)
    # 500 kinds of their own, one for all others, and one row that counts these
    assert len(rows) == 502
    assert rows[-1][2].startswith("has 1,499 more articles turned down like 'P'")
