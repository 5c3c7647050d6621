"""An export is read as a stream; its articles go to the right domain, its damage is a row with a reason."""

import bz2
import gzip
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from providers.sources.domains import Domain, Seed
from providers.sources.dump import Dump
from providers.sources.filters import ArticleFilters
from providers.sources.rejections import N_NAMED
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError

ECONOMICS = Domain("economics", (Seed("category", "Economic crises"),))
SOCIETY = Domain("society", (Seed("category", "Poverty"),))
WORDS = "word " * 99
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><siteinfo>
<sitename>Wiki</sitename><base>https://en.wikipedia.org/wiki/Main_Page</base><namespaces><namespace key="0" />
<namespace key="6">File</namespace><namespace key="10">Template</namespace><namespace key="14">Category</namespace>
</namespaces></siteinfo>"""


_NUMBERS = count(1)


def make_page(title: str, *texts: str, namespace: int = 0, redirect: str = "") -> str:
    page = next(_NUMBERS)
    revisions = "".join(
        f"<revision><id>{10 * page + number}</id><timestamp>2020-01-01T00:00:00Z</timestamp>"
        f'<text bytes="1" xml:space="preserve">{escape(text)}</text></revision>'
        for number, text in enumerate(texts)
    )
    target = f'<redirect title="{redirect}" />' if redirect else ""
    return f"<page><title>{title}</title><ns>{namespace}</ns><id>1</id>{target}{revisions}</page>"


def write(tmp_path: Path, pages: Iterable[str], end: str = "</mediawiki>") -> Path:
    path = tmp_path / "wiki.xml"
    path.write_text(HEAD + "".join(pages) + end, "utf-8")
    return path


def find(path: Path, *domains: Domain, limit: int = 100) -> tuple[list[Article], list[Failure]]:
    found = list(Dump(path).find(domains or (ECONOMICS,), limit, ArticleFilters()))
    return [item for item in found if isinstance(item, Article)], [item for item in found if isinstance(item, Failure)]


def test_an_article_has_its_lead_revision_permanent_link_and_licence(tmp_path: Path) -> None:
    path = write(tmp_path, [make_page("Bank run", "old", f"'''Fear''' & [[panic]] {WORDS}\n== Causes ==\nMore.")])
    [article], failures = find(path)
    assert failures == []
    assert article.text == f"Fear & panic {WORDS}".strip()
    assert (article.title, article.backbone) == ("Bank run", "bank-run")
    assert article.revision.endswith("1")  # the second of two
    assert article.url == f"https://en.wikipedia.org/wiki/Bank_run?oldid={article.revision}"
    assert article.licence == "CC BY-SA 4.0"
    assert article.retrieved_at.endswith("Z")


def test_a_compressed_export_gives_the_same_as_the_plain_one(tmp_path: Path) -> None:
    path = write(tmp_path, [make_page("Bank run", f"fear {WORDS}")])
    [plain], _ = find(path)
    for name, compress in (("wiki.xml.bz2", bz2.compress), ("wiki.xml.gz", gzip.compress)):
        packed = tmp_path / name
        packed.write_bytes(compress(path.read_bytes()))
        [compressed], _ = find(packed)
        assert compressed == plain.model_copy(update={"retrieved_at": compressed.retrieved_at})


def test_redirects_and_pages_of_other_namespaces_are_passed_over(tmp_path: Path) -> None:
    pages = [
        make_page("Run", "#REDIRECT [[Bank run]]", redirect="Bank run"),
        make_page("Template:Rain", f"x {WORDS}", namespace=10),
        make_page("Rain", f"rain {WORDS}"),
    ]
    articles, failures = find(write(tmp_path, pages))
    assert [article.title for article in articles] == ["Rain"]
    assert failures == []


@pytest.mark.parametrize(
    ("title", "text", "detail"),
    [
        ("Ada", f"Ada is: {WORDS}{{{{disambiguation}}}}", "is a disambiguation or name page by its templates"),
        ("Rivers", "Rivers are:\n" + "* a river that is long\n" * 30, "is a list by its text"),
        ("List of rains", f"a {WORDS}", "is a list, index, outline, timeline or disambiguation page by its title"),
        ("Short", "few words\n== More ==\n" + WORDS, "has 2 words; at least 80 are needed (min_words)"),
        ("Open", f"{{{{Infobox rain {WORDS}", "has broken markup ('{{')"),
        ("Long", "word " * 50_000, "has 250,000 characters before its first heading; at most 200,000 are looked at"),
        ("Equals", "=a" * 95_000, "has broken markup (a line with more than 1,000 equals signs)"),
        (
            "Huge",
            f"rain {WORDS}\n== A ==\n" + "a " * 1_100_000,
            "has 2,200,509 characters of markup in one piece; at most 2,097,152 are looked at",
        ),
        ("Gone", "", "is empty"),
        ("Sum", f"The sum <math>x</math> grows. {WORDS}", "has formulas in its lead"),
        ("Twin", f"rain {WORDS}", "has the same text as Rain"),
    ],
)
def test_a_page_that_is_no_usable_article_is_a_row_with_a_reason(
    tmp_path: Path, title: str, text: str, detail: str
) -> None:
    pages = [make_page("Rain", f"rain {WORDS}"), make_page(title, text)]
    articles, failures = find(write(tmp_path, pages))
    assert [article.title for article in articles] == ["Rain"]
    assert [(row.item, row.domain, row.reason, row.detail) for row in failures] == [
        (title, "economics", "rejected", detail)
    ]


def test_one_domain_takes_every_article_and_several_take_those_that_match_their_seeds(tmp_path: Path) -> None:
    pages = [
        make_page("Slump", f"slump {WORDS}\n== A ==\n[[Category:Economic crises in Asia]]"),
        make_page("Need", f"need {WORDS}[[Category:Poverty]]"),
        make_page("Rain", f"rain {WORDS}[[Category:Weather]]"),
    ]
    path = write(tmp_path, pages)
    articles, failures = find(path, ECONOMICS)
    assert [(article.title, article.domain) for article in articles] == [
        ("Slump", "economics"),
        ("Need", "economics"),
        ("Rain", "economics"),
    ]
    assert failures == []
    articles, failures = find(path, ECONOMICS, SOCIETY)
    assert [(article.title, article.domain) for article in articles] == [("Slump", "economics"), ("Need", "society")]
    assert [(row.item, row.reason, row.detail) for row in failures] == [
        ("wiki.xml", "rejected", "has 1 articles that match no seed of the domains asked for (Rain)")
    ]


def test_seeds_given_with_the_run_choose_among_the_articles_of_the_only_domain(tmp_path: Path) -> None:
    pages = [
        make_page("Slump", f"slump {WORDS}[[Category:Economic crises]]"),
        make_page("Rain", f"rain {WORDS}[[Category:Weather]]"),
        make_page("Bank run", f"fear {WORDS}"),
    ]
    seeds = (Seed("category", "Economic crises"), Seed("article", "Bank run"))
    articles, _ = find(write(tmp_path, pages), Domain("mine", seeds, is_strict=True))
    assert [(article.title, article.domain) for article in articles] == [("Slump", "mine"), ("Bank run", "mine")]


def test_articles_asked_for_by_title_are_the_only_ones_looked_at_and_missing_ones_are_named(tmp_path: Path) -> None:
    pages = [make_page("Rain", f"rain {WORDS}"), make_page("Snow", f"snow {WORDS}"), make_page("Hail", f"hail {WORDS}")]
    weather = Domain("weather", (Seed("article", "snow"), Seed("article", "Fog")), is_strict=True)
    articles, failures = find(write(tmp_path, pages), weather, Domain("d", (Seed("article", "Rain"),), is_strict=True))
    assert [(article.title, article.domain) for article in articles] == [("Rain", "d"), ("Snow", "weather")]
    assert [(row.item, row.domain, row.detail) for row in failures] == [
        ("Fog", "weather", "is not in the export, or is a redirect there")
    ]
    articles, failures = find(
        write(tmp_path, [*pages[:2], "<broken"]), Domain("d", (Seed("article", "Snow"),), is_strict=True)
    )
    assert [article.title for article in articles] == ["Snow"]
    assert failures == []  # reading stopped there


def test_a_title_asked_for_beside_a_category_is_accounted_for_too(tmp_path: Path) -> None:
    rain = make_page("Rain", f"rain {WORDS}\n[[Category:Weather]]")
    snow = make_page("Snow", f"snow {WORDS}\n[[Category:Weather]]")
    seeds = (Seed("category", "Weather"), Seed("article", "Snow"), Seed("article", "Fog"))
    path, weather = write(tmp_path, [rain, snow]), Domain("weather", seeds, is_strict=True)
    _, failures = find(path, weather)
    assert [(row.item, row.detail) for row in failures] == [("Fog", "is not in the export, or is a redirect there")]
    found = list(Dump(path).find((weather,), 1, ArticleFilters()))
    assert [(row.item, row.detail) for row in found if isinstance(row, Failure)] == [
        ("Snow", "was not come to before the domain was full"),
        ("Fog", "was not come to before the domain was full"),
    ]


def test_full_text_has_headings_as_lines_and_leaves_out_references_and_broken_sections(tmp_path: Path) -> None:
    text = (
        f"rain {WORDS}\n== [[Cause]]s ==<!-- c -->\nMany.<ref>A</ref>\n=== Wind ===\n{{{{Infobox}}}}\n== Broken ==\n[[a"
        f"\n== Loss ==\nMuch.\n== References ==\n{{{{reflist}}}}\nA.\n[[Category:Rain]]"
    )
    path = write(tmp_path, [make_page("Rain", text)])
    [lead], _ = find(path)
    [full] = Dump(path).find((ECONOMICS,), 100, ArticleFilters(text="full"))
    assert isinstance(full, Article)
    assert full.text == f"{lead.text}\n\nCauses\n\nMany.\n\nLoss\n\nMuch."


def test_reading_stops_once_the_limit_is_reached(tmp_path: Path) -> None:
    pages = [make_page("Rain", f"rain {WORDS}"), "<broken"]
    articles, failures = find(write(tmp_path, pages), limit=1)
    assert [article.title for article in articles] == ["Rain"]
    assert failures == []


def test_of_many_rejections_of_a_kind_a_few_are_named_and_the_others_counted(tmp_path: Path) -> None:
    pages = [make_page(f"Page {n}", f"few words {n}") for n in range(N_NAMED + 7)]
    _, failures = find(write(tmp_path, [make_page("Rain", f"rain {WORDS}"), *pages]))
    assert [row.item for row in failures] == [*(f"Page {n}" for n in range(N_NAMED)), "wiki.xml"]
    assert failures[-1].detail == (
        "has 7 more articles turned down like 'Page 0', which has 3 words; at least 80 are needed (min_words)"
    )


def test_an_export_that_breaks_off_keeps_what_was_found_and_says_where_it_ended(tmp_path: Path) -> None:
    pages = [make_page("Rain", f"rain {WORDS}"), make_page("Snow", f"snow {WORDS}"), "<page><title>Hail"]
    articles, failures = find(write(tmp_path, pages, end=""))
    assert [article.title for article in articles] == ["Rain", "Snow"]
    assert [(row.item, row.reason) for row in failures] == [("wiki.xml", "input")]
    assert failures[0].detail.startswith("breaks off after the page 'Snow' (no element found")


def test_a_compressed_export_that_is_cut_off_is_an_error_where_no_page_can_be_read(tmp_path: Path) -> None:
    path = write(tmp_path, [make_page("Rain", f"rain {WORDS}")])
    content = path.read_bytes()
    for packed in (gzip.compress(content), bz2.compress(content)):
        path.write_bytes(packed[:-20])
        with pytest.raises(InputError, match=r"wiki\.xml cannot be read as a MediaWiki export \(Compressed file ended"):
            find(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "cannot be read as a MediaWiki export (no element found"),
        (b"just words", "cannot be read as a MediaWiki export (syntax error"),
        (b"<html></html>", "is no MediaWiki export: its root is <html>, not <mediawiki>"),
        (b"<mediawiki></mediawiki>", "cannot be read as a MediaWiki export (<siteinfo> tag not found"),
        (b"\x1f\x8b\x08 but not really", "cannot be read as a MediaWiki export ("),
        (b"BZh9 but not really", "cannot be read as a MediaWiki export (Invalid data stream"),
        (HEAD.encode() + b"</mediawiki>", "it holds none of the domains asked for"),
    ],
)
def test_a_file_that_is_no_export_or_an_empty_one_is_an_error_that_names_it(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "wiki.xml"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        find(path)
    assert str(caught.value).startswith(f"source dump:{path}: no article can be used: ")
    assert problem in str(caught.value)
