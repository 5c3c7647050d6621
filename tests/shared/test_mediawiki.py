"""Against a real MediaWiki: listings, redirects, refusals, links, full text, and the same articles from a dump."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from prefect.client.schemas.objects import State, StateType

from flows.build_corpus import build_corpus
from providers.sources.domains import Domain, Seed
from providers.sources.dump import Dump
from providers.sources.filters import ArticleFilters
from providers.sources.wiki_api import Patience, WikiApi
from providers.sources.wikipedia import Wikipedia
from schemas.articles import Article
from schemas.calls import Failure
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary
from storage.records import read_articles, read_examples
from storage.verification import verify
from tests.shared.conftest import MediaWiki

LEAD, FULL = ArticleFilters(), ArticleFilters(text="full")
# The wiki has stubs for templates. Where these say less than Wikipedia's, the dump's reader is right.
STUBS = {
    "Autism": "{{as of|2014|lc=y}}: the stub does not know lc",
    "International Atomic Time": "{{as of|2015|6|30}}: the stub shows the year only",
    "Aristotle": "{{lang-grc-gre|…}}: the stub is empty",
    "Alchemy": "{{lang-grc-gre|…}} and {{sc|bc}}: the stubs are empty",
    "Allah": "{{transl|ar|ALA|…}}: the stub shows the second value of three",
    "American Revolutionary War": "{{ndash}}: the stub is empty",
}


def look_up(wiki: MediaWiki, *titles: str, filters: ArticleFilters = LEAD) -> tuple[list[Article], list[Failure]]:
    return find(wiki, *(Seed("article", title) for title in titles), filters=filters)


def find(
    wiki: MediaWiki, *seeds: Seed, filters: ArticleFilters = LEAD, limit: int = 1000
) -> tuple[list[Article], list[Failure]]:
    source = Wikipedia(WikiApi(wiki.api, "me@example.org", Patience(pause=0)))
    found = list(source.find((Domain("society", seeds),), limit, filters))
    return [item for item in found if isinstance(item, Article)], [item for item in found if isinstance(item, Failure)]


@pytest.fixture(scope="session")
def dumped(mediawiki: MediaWiki) -> dict[str, Article]:
    found = Dump(mediawiki.export).find((Domain("society", ()),), 1000, LEAD)
    return {item.title: item for item in found if isinstance(item, Article)}


@pytest.mark.usefixtures("prefect")
async def test_ten_articles_found_by_category_and_by_search_become_a_corpus(
    mediawiki: MediaWiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_WIKIPEDIA_API", mediawiki.api)
    monkeypatch.setenv("PRISM_CONTACT", "me@example.org")
    settings = BuildSettings(
        source="wikipedia",
        domains=("society",),
        categories=("Anthropology", "Jewish philosophers", "Anarchism"),
        searches=("greenhouse", "chloroplasts", "miscarriage"),
        articles=("AynRand", "Alien", "No such page"),
        per_domain=10,
        model="offline:rules",
        examples=20,
        min_nodes=2,
        min_edges=1,
        data=str(tmp_path / "data"),
        cache=str(tmp_path / "cache"),
    )
    # Prefect's types know no flow that returns a state itself.
    state = cast("State[Any]", await cast("Any", build_corpus)(settings, return_state=True))
    summary = cast("BuildSummary", await state.aresult(raise_on_failure=False))
    assert state.type is StateType.COMPLETED
    assert (summary.n_articles, summary.n_networks) == (10, 10)
    articles = {article.title: article for article in read_articles(Path(settings.data))}
    of_categories = {"Agriculture", "Anthropology", "Anarchism", "Albert Einstein", "Ayn Rand"}
    of_searches = {"Abortion", "Albedo", "Algae", "Amphibian", "Anatomy"}
    assert set(articles) == of_categories | of_searches
    assert {title for title, article in articles.items() if article.redirected_from} == {"Ayn Rand"}
    refusals = {failure.item: failure.detail for failure in summary.failures if failure.stage == "articles"}
    assert refusals["Alien"] == "is a disambiguation page by its categories"
    assert refusals["No such page"] == "does not exist"
    assert {example.backbone for example in read_examples(Path(settings.data))} == {
        article.backbone for article in articles.values()
    }
    assert verify(Path(settings.data)).findings == ()


def test_a_category_lists_its_members_and_a_search_what_holds_its_words(mediawiki: MediaWiki) -> None:
    members, failures = find(mediawiki, Seed("category", "Member states of the United Nations"))
    titles = {article.title for article in members} | {failure.item for failure in failures}
    assert titles == {"Afghanistan", "Albania", "Algeria", "Andorra", "Angola", "Azerbaijan"}
    hits, _ = find(mediawiki, Seed("search", "photosynthetic chloroplasts"))
    assert [article.title for article in hits] == ["Algae"]


def test_a_redirect_is_followed_and_recorded(mediawiki: MediaWiki) -> None:
    articles, failures = look_up(mediawiki, "AynRand", "ayn_Rand")
    assert [(article.title, article.redirected_from) for article in articles] == [("Ayn Rand", "AynRand")]
    assert [failure.detail for failure in failures] == ["has the same title as Ayn Rand"]


@pytest.mark.parametrize(
    ("title", "detail"),
    [
        ("Alien", "is a disambiguation page by its categories"),
        ("Ada", "is a disambiguation page by its categories"),
        ("No such page", "does not exist"),
        ("Template:Lang", "is not an article but a page of another namespace"),
        ("List of anthropologists", "is a list, index, outline, timeline or disambiguation page by its title"),
    ],
)
def test_what_is_no_article_is_refused_with_the_reason(mediawiki: MediaWiki, title: str, detail: str) -> None:
    _, failures = look_up(mediawiki, "Algae", title)
    assert [(failure.item, failure.reason, failure.detail) for failure in failures] == [(title, "rejected", detail)]


def test_the_permanent_link_leads_to_the_revision(mediawiki: MediaWiki) -> None:
    [article], _ = look_up(mediawiki, "AynRand")
    page = httpx.get(article.url, timeout=60)
    assert page.status_code == 200
    assert f'"wgRevisionId":{article.revision},' in page.text
    assert "<title>Ayn Rand - Wikipedia</title>" in page.text


def test_full_text_takes_the_same_articles_and_adds_their_sections(mediawiki: MediaWiki) -> None:
    titles = ("Algae", "Economy of Angola", "Alien", "Actrius")
    leads, refused = look_up(mediawiki, *titles)
    fulls, refused_too = look_up(mediawiki, *titles, filters=FULL)
    assert [failure.detail for failure in refused] == [failure.detail for failure in refused_too]
    assert (
        [article.title for article in fulls] == [article.title for article in leads] == ["Algae", "Economy of Angola"]
    )
    for lead, full in zip(leads, fulls, strict=True):
        assert full.text.startswith(f"{lead.text}\n\n")
        assert full.words > 2000
        assert not {"References", "External links", "See also", "== "} & set(full.text.splitlines())
    assert "\n\nEtymology and study\n\nThe singular alga is the Latin word for" in fulls[0].text


def test_the_same_articles_come_from_the_dump_with_the_same_leads_up_to_white_space(
    mediawiki: MediaWiki, dumped: dict[str, Article]
) -> None:
    articles, _ = look_up(mediawiki, *dumped)
    # Leads with formulas are refused. This wiki shows them as TeX between dollars, which Wikipedia does not.
    assert [article.title for article in articles] == list(dumped)
    different = [article.title for article in articles if squeeze(article) != squeeze(dumped[article.title])]
    assert sorted(different) == sorted(STUBS)


def test_the_same_sections_come_from_the_dump(mediawiki: MediaWiki) -> None:
    titles = ("Economy of Angola", "Asphalt", "Algae")
    articles, _ = look_up(mediawiki, *titles, filters=FULL)
    seeds = tuple(Seed("article", title) for title in titles)
    found = Dump(mediawiki.export).find((Domain("society", seeds, is_strict=True),), 3, FULL)
    dumped = {item.title: item for item in found if isinstance(item, Article)}
    for article in articles:
        assert find_headings(article) == find_headings(dumped[article.title])
        assert abs(article.words - dumped[article.title].words) <= 0.001 * article.words


def squeeze(article: Article) -> str:
    return "".join(article.text.split())


def find_headings(article: Article) -> Sequence[str]:
    """Paragraphs without an end, as headings are; lists and displayed quotations are not."""
    blocks = (block.strip() for block in article.text.split("\n\n"))
    return [block for block in blocks if block[:1].isupper() and block[-1:].isalpha() and len(block) < 60]
