"""On a real export of about 100 Wikipedia articles the leads are clean prose and the numbers are as counted by hand."""

import re
import subprocess
from pathlib import Path

import pytest

from providers.sources.domains import load_domains, pick_domains
from providers.sources.dump import Dump
from providers.sources.filters import ArticleFilters, clean_text
from schemas.articles import Article
from schemas.calls import Failure
from schemas.slugs import is_slug

SHARED = Path(__file__).parents[2].parent / "shared"
FILTERS = ArticleFilters()


@pytest.fixture(scope="session")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "enwiki.xml.bz2"
    subprocess.run([SHARED / "mediawiki" / "get_dump.sh", path], check=True, capture_output=True, timeout=120)  # noqa: S603
    return path


@pytest.fixture(scope="session")
def found(export: Path) -> list[Article | Failure]:
    domains = pick_domains(load_domains(environment={}), ("economics",))
    return list(Dump(export).find(domains, 1000, FILTERS))


@pytest.fixture
def articles(found: list[Article | Failure]) -> list[Article]:
    return [item for item in found if isinstance(item, Article)]


def test_every_article_is_taken_or_refused_with_a_reason(
    found: list[Article | Failure], articles: list[Article]
) -> None:
    # 106 pages of the export are articles and no redirects; 24 of them are too short, lists or disambiguation pages,
    # or have formulas in their lead.
    assert len(found) == 106
    assert len(articles) == 82
    failures = [item for item in found if isinstance(item, Failure)]
    assert {failure.item for failure in failures} >= {"Ada", "Alien", "Aa River", "List of anthropologists", "Actrius"}
    assert all(failure.reason == "rejected" for failure in failures)
    assert {"Agriculture", "Economy of Angola", "Asphalt"} <= {article.title for article in articles}


def test_no_markup_and_no_remains_of_markup_are_left_in_any_lead(articles: list[Article]) -> None:
    remains = re.compile(
        r"\{\{|\}\}|\[\[|\]\]|\{\||</?\w|''|__|&\w+;|\bthumb\b|\( *[;,)]|[(;,] *\)|  | [,;.](?:\s|$)|,,|;;"
    )
    for article in articles:
        assert not remains.search(article.text), (article.title, remains.search(article.text))
        assert article.text == clean_text(article.text)


def test_leads_read_as_on_the_page(articles: list[Article]) -> None:
    texts = {article.title: article.text for article in articles}
    assert texts["Anarchism"].startswith(
        "Anarchism is a political philosophy that advocates self-governed societies based on voluntary institutions. "
        "These are often described as stateless societies, although"
    )
    assert texts["Azerbaijan"].startswith(
        "Azerbaijan (Azərbaycan), officially the Republic of Azerbaijan (Azərbaycan R"
    )
    assert "1600 km west" in texts["Aruba"]
    assert texts["Andorra"].count("\n\n") == 2


def test_every_article_has_a_slug_of_its_own_and_a_permanent_link(articles: list[Article]) -> None:
    assert len({article.backbone for article in articles}) == len(articles)
    assert all(is_slug(article.backbone) for article in articles)
    for article in articles:
        assert re.fullmatch(rf"https://en\.wikipedia\.org/wiki/[^ ?]+\?oldid={article.revision}", article.url)
        assert FILTERS.min_words <= article.words <= FILTERS.max_words


def test_among_several_domains_articles_go_where_their_seeds_are(export: Path) -> None:
    found = list(Dump(export).find(load_domains(environment={}), 1000, FILTERS))
    domains = {item.title: item.domain for item in found if isinstance(item, Article)}
    assert domains["Economy of Angola"] == "economics"
    assert domains["Foreign relations of Angola"] == "geopolitics"
    assert "Achilles" not in domains
    last = found[-1]
    assert isinstance(last, Failure)
    assert "match no seed" in last.detail
