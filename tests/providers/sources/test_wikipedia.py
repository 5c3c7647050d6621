"""Wikipedia is asked politely, its pages become articles, its errors rows or exceptions; against a scripted API."""

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from providers.sources.domains import Domain, Seed
from providers.sources.filters import ArticleFilters
from providers.sources.wikipedia import Wikipedia, open_wikipedia
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import AccessError, InputError, ServiceError

WORDS = "word " * 99
Query = dict[str, str]
Answer = dict[str, Any] | bytes | int
LEADS = {
    "Bank run": f"A bank run ( ; listen) is a panic. {WORDS}",
    "Panic of 1907": f"The panic began in October. {WORDS}",
    "Credit crunch": f"Credit dries up. {WORDS}",
    "Stub": "Too short.",
    "Crisis": f"Crisis has many meanings. {WORDS}",  # a disambiguation page by its category only
    "Sums": rf"The sum {{\displaystyle x}} grows. {WORDS}",
    "List of crises": f"They are many. {WORDS}",
}
CATEGORIES = {
    "Category:Economic crises": ["Bank run", "Stub", "Category:Panics", "Talk:Bank run"],
    "Category:Panics": ["Panic of 1907", "Category:Deeper"],
}


class Api:
    """A small MediaWiki: answers queries from the tables above, keeps what it was asked, fails as told."""

    def __init__(self) -> None:
        self.queries: list[Query] = []
        self.agents: set[str] = set()
        self.url = ""
        self.interfere: Callable[[Query], Answer | None] = lambda _: None

    def answer(self, query: Query) -> Answer:
        self.queries.append(query)
        interference = self.interfere(query)
        if interference is not None:
            return interference
        if query.get("list") == "categorymembers":
            titles = CATEGORIES.get(query["cmtitle"], [])
            spaces = {"Category": 14, "Talk": 1}
            members = [
                {"title": title, "ns": spaces.get(title.partition(":")[0], 0), "pageid": number}
                for number, title in enumerate(titles, start=1)
            ]
            return {"query": {"categorymembers": members}}
        if query.get("list") == "search":
            hits = [{"title": title, "ns": 0, "pageid": 9} for title in query["srsearch"].split("|")]
            return {"query": {"search": hits, "searchinfo": {"totalhits": len(hits)}}}
        title = {"Crunch": "Credit crunch"}.get(query["titles"], query["titles"])  # a redirect
        if title not in LEADS:
            return {"query": {"pages": {"-1": {"title": title, "ns": 0, "missing": ""}}}}
        page: dict[str, Any] = {"pageid": 7, "ns": 0, "title": title, "extract": LEADS[title]}
        page["lastrevid"] = 1001 + list(LEADS).index(title)
        if title == "Crisis":
            page["categories"] = [{"ns": 14, "title": "Category:Disambiguation pages"}]
        return {"query": {"pages": {"7": page}}}


@pytest.fixture
def api() -> Iterator[Api]:
    api = Api()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            api.agents.add(self.headers["User-Agent"])
            answer = api.answer(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(answer if isinstance(answer, int) else 200)
            self.end_headers()
            if isinstance(answer, dict):
                answer = json.dumps(answer).encode()
            self.wfile.write(answer if isinstance(answer, bytes) else b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    api.url = f"http://127.0.0.1:{server.server_address[1]}/w/api.php"
    yield api
    server.shutdown()
    server.server_close()


def make_source(api: Api, pause: float = 0.0) -> Wikipedia:
    now = datetime(2026, 1, 31, 12, tzinfo=UTC)
    return Wikipedia("me@example.org", api.url, pause=pause, retry_wait=0.0, now=lambda: now)


def find(api: Api, *seeds: Seed, limit: int = 100) -> tuple[list[Article], list[Failure]]:
    found = list(make_source(api).find((Domain("economics", seeds),), limit, ArticleFilters()))
    return [item for item in found if isinstance(item, Article)], [item for item in found if isinstance(item, Failure)]


CRISES = Seed("category", "Economic crises")


def search(*titles: str) -> Seed:
    return Seed("search", "|".join(titles))


def test_an_article_has_its_tidied_lead_revision_permanent_link_and_licence(api: Api) -> None:
    [article], failures = find(api, search("Bank run"))
    assert failures == []
    assert article.text == f"A bank run is a panic. {WORDS}".strip()
    assert (article.title, article.backbone, article.domain) == ("Bank run", "bank-run", "economics")
    assert article.revision == "1001"
    assert article.url == api.url.replace("api.php", "index.php") + "?oldid=1001"
    assert article.licence == "CC BY-SA 4.0"
    assert article.retrieved_at == "2026-01-31T12:00:00Z"


def test_the_contact_address_stands_in_the_user_agent(api: Api) -> None:
    find(api, search("Bank run"))
    assert all(agent.startswith("prism-bn/") and "(me@example.org)" in agent for agent in api.agents)


def test_a_category_gives_its_articles_and_those_of_its_direct_subcategories(api: Api) -> None:
    articles, failures = find(api, CRISES)
    assert [article.title for article in articles] == ["Bank run", "Panic of 1907"]
    assert [failure.item for failure in failures] == ["Stub"]
    assert "Category:Deeper" not in [query.get("cmtitle") for query in api.queries]


def test_seeds_take_turns_and_a_page_is_looked_at_once(api: Api) -> None:
    articles, _ = find(api, CRISES, search("Credit crunch", "Bank run"))
    assert [article.title for article in articles] == ["Bank run", "Credit crunch", "Panic of 1907"]
    leads = [query["titles"] for query in api.queries if query.get("prop") == "extracts"]
    assert sorted(leads) == sorted(set(leads))


def test_asking_stops_once_the_limit_is_reached(api: Api) -> None:
    articles, _ = find(api, search("Bank run", "Credit crunch"), CRISES, limit=1)
    assert [article.title for article in articles] == ["Bank run"]
    assert not [query for query in api.queries if query.get("list") == "categorymembers"]


@pytest.mark.parametrize(
    ("title", "detail"),
    [
        ("Stub", "has 2 words; at least 80 are needed (min_words)"),
        ("Crisis", "is a disambiguation page by its categories"),
        ("Sums", "has formulas in its lead"),
        ("List of crises", "is a list, index, outline, timeline or disambiguation page by its title"),
        ("Nowhere", "does not exist"),
    ],
)
def test_a_page_that_is_no_usable_article_is_a_row_with_a_reason(api: Api, title: str, detail: str) -> None:
    articles, failures = find(api, search("Bank run", title))
    assert [article.title for article in articles] == ["Bank run"]
    assert [(row.item, row.domain, row.reason, row.detail) for row in failures] == [
        (title, "economics", "rejected", detail)
    ]


def test_a_redirect_is_followed_and_its_target_taken_once(api: Api) -> None:
    articles, failures = find(api, search("Crunch", "Credit crunch"))
    assert [article.title for article in articles] == ["Credit crunch"]
    assert [failure.detail for failure in failures] == ["has the same title as Credit crunch"]


def test_a_seed_that_lists_nothing_is_a_row(api: Api) -> None:
    _, failures = find(api, Seed("category", "Nothing"), search("Bank run"))
    assert [(failure.item, failure.detail) for failure in failures] == [("category Nothing", "has no articles")]


@pytest.mark.parametrize(
    ("trouble", "detail"),
    [
        (b"<html>", "Wikipedia: the answer is not JSON"),
        (500, "Wikipedia: answers HTTP 500"),
        (429, "Wikipedia: asks to slow down (HTTP 429)"),
        ({"error": {"code": "badvalue", "info": "no such"}}, "Wikipedia: the API answers badvalue: no such"),
        ({"error": {"code": "maxlag", "info": "wait"}}, "Wikipedia: answers HTTP 503"),
        ({"batchcomplete": ""}, "Wikipedia: unexpected answer (KeyError: 'query')"),
    ],
)
def test_a_page_whose_request_fails_is_a_row_and_the_others_go_on(api: Api, trouble: Answer, detail: str) -> None:
    api.interfere = lambda query: trouble if query.get("titles") == "Stub" else None
    articles, failures = find(api, search("Bank run", "Stub", "Credit crunch"))
    assert [article.title for article in articles] == ["Bank run", "Credit crunch"]
    assert [(row.item, row.reason, row.detail) for row in failures] == [("Stub", "service", detail)]


def test_trouble_that_passes_is_not_noticed(api: Api) -> None:
    troubles: list[Answer] = [503, 429, {"error": {"code": "maxlag", "info": "wait"}}]
    api.interfere = lambda query: troubles.pop() if troubles and query.get("titles") else None
    articles, failures = find(api, search("Bank run"))
    assert [article.title for article in articles] == ["Bank run"]
    assert failures == []


def test_a_service_that_never_answers_or_fails_three_times_in_a_row_is_an_exception(api: Api) -> None:
    api.interfere = lambda _: 500
    with pytest.raises(ServiceError, match="answers HTTP 500"):
        find(api, CRISES)
    api.interfere = lambda query: 500 if query.get("titles") else None
    with pytest.raises(ServiceError, match="answers HTTP 500"):
        find(api, search("Bank run", "Stub", "Credit crunch", "Sums"))


def test_a_refusal_is_an_access_error_at_once(api: Api) -> None:
    api.interfere = lambda query: 403 if query.get("titles") else None
    with pytest.raises(AccessError, match="is PRISM_CONTACT a real address"):
        find(api, search("Bank run"))
    assert sum("titles" in query for query in api.queries) == 1


def test_a_service_that_cannot_be_reached_is_an_exception(api: Api) -> None:
    api.url = "http://127.0.0.1:9/w/api.php"
    with pytest.raises(ServiceError, match="Wikipedia: cannot be reached"):
        find(api, CRISES)


def test_there_is_a_pause_between_two_requests(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("providers.sources.wikipedia.time.sleep", pauses.append)
    list(make_source(api, pause=9.0).find((Domain("economics", (search("Bank run"),)),), 1, ArticleFilters()))
    assert pauses[0] == 0.0
    assert all(8.0 < pause <= 9.0 for pause in pauses[1:])
    assert len(pauses) == len(api.queries) == 4  # search, lead, categories, revision


@pytest.mark.parametrize("contact", ["", " ", "me", "me @example.org", "me@example.org\r\nX: y", "mé@example.org"])
def test_without_a_usable_contact_address_there_is_no_source(contact: str) -> None:
    with pytest.raises(InputError, match="PRISM_CONTACT is not set to an e-mail or web address"):
        open_wikipedia({"PRISM_CONTACT": contact})


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org/w/api.php", "https://example.org/w/"])
def test_an_api_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="PRISM_WIKIPEDIA_API"):
        open_wikipedia({"PRISM_CONTACT": "https://example.org/me", "PRISM_WIKIPEDIA_API": address})
