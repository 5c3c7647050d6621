"""Wikipedia is asked politely, its pages become articles, its errors rows or exceptions; against a scripted API."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from providers.sources import wikipedia
from providers.sources.domains import Domain, Seed
from providers.sources.filters import ArticleFilters
from providers.sources.wiki_api import Patience, WikiApi
from providers.sources.wikipedia import Wikipedia, open_wikipedia
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import AccessError, InputError, ServiceError
from tests.providers.sources.wiki_server import Reply, Wiki, serving, to_error, to_reply

WORDS = "word " * 99
TEXTS = {
    "Bank run": f"A bank run ( ; listen) is a panic. {WORDS}",
    "Panic of 1907": f"The panic began in October. {WORDS}",
    "Credit crunch": f"Credit dries up. {WORDS}",
    "Stub": "Too short.",
    "Crisis": f"Crisis has many meanings. {WORDS}",  # a disambiguation page by its category only
    "Krise": f"Krisen sind vielfältig. {WORDS}",  # one by the property that Wikipedias of all languages have
    "Sums": rf"The sum {{\displaystyle x}} grows. {WORDS}",
    "List of crises": f"They are many. {WORDS}",
    "Help desk": f"Ask here. {WORDS}",
    "Deep": f"It is far down. {WORDS}",
    "Slump": f"Lead. {WORDS}\n\n\n== Causes ==\nMany.\n\n\n=== War ===\nIt costs.\n\n\n== Tables ==\n\n\n"
    "== References ==\nA.\n\n\n=== Web ===\nB.\n\n\n== Outcome ==\nBad, as\n\n  \n    \n      x\n    \n"
    "    {\\displaystyle x}\n  \n\n shows.\n\n\n== See also ==\nBoom",
}
CATEGORIES = {
    "Category:Economic crises": ["Bank run", "Stub", "Category:Panics", "Talk:Bank run"],
    "Category:Panics": ["Panic of 1907", "Category:Deeper", "Category:Economic crises"],
    "Category:Deeper": ["Deep"],
}
FLAGS = {
    "Crisis": {"categories": [{"ns": 14, "title": "Category:Disambiguation pages"}]},
    "Krise": {"pageprops": {"disambiguation": ""}},
    "Help desk": {"ns": 4},
}


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with serving(Wiki(TEXTS, CATEGORIES, {"Crunch": "Credit crunch", "Panics": "Crisis"}, FLAGS)) as wiki:
        yield wiki


def make_source(wiki: Wiki) -> Wikipedia:
    now = datetime(2026, 1, 31, 12, tzinfo=UTC)
    return Wikipedia(WikiApi(wiki.address, "me@example.org", Patience(pause=0, first_wait=0)), now=lambda: now)


def find(
    wiki: Wiki, *seeds: Seed, limit: int = 100, filters: ArticleFilters | None = None
) -> tuple[list[Article], list[Failure]]:
    found = list(make_source(wiki).find((Domain("economics", seeds),), limit, filters or ArticleFilters()))
    return [item for item in found if isinstance(item, Article)], [item for item in found if isinstance(item, Failure)]


CRISES = Seed("category", "Economic crises")


def search(*titles: str) -> Seed:
    return Seed("search", "|".join(titles))


def test_an_article_has_its_tidied_lead_revision_permanent_link_and_licence(wiki: Wiki) -> None:
    [article], failures = find(wiki, search("Bank run"))
    assert failures == []
    assert article.text == f"A bank run is a panic. {WORDS}".strip()
    assert (article.title, article.backbone, article.domain) == ("Bank run", "bank-run", "economics")
    assert article.revision == "1001"
    assert article.url == wiki.address.replace("api.php", "index.php") + "?oldid=1001"
    assert article.licence == "CC BY 4.0"  # what the wiki says of itself
    assert article.retrieved_at == "2026-01-31T12:00:00Z"
    assert article.redirected_from == ""


def test_lead_and_revision_of_a_page_come_with_one_request_that_says_maxlag(wiki: Wiki) -> None:
    find(wiki, search("Bank run"))
    assert [query.get("list") or query.get("meta") or query["titles"] for query in wiki.queries] == [
        "search",
        "Bank run",
        "siteinfo",
    ]
    assert all(query["maxlag"] == "5" for query in wiki.queries)


def test_the_contact_address_stands_in_the_user_agent(wiki: Wiki) -> None:
    find(wiki, search("Bank run"))
    assert wiki.agents == {"prism-bn/0.1 (me@example.org)"}


@pytest.mark.parametrize(
    ("depth", "titles"),
    [
        (0, ["Bank run"]),
        (1, ["Bank run", "Panic of 1907"]),
        (2, ["Bank run", "Panic of 1907", "Deep"]),
        (5, ["Bank run", "Panic of 1907", "Deep"]),  # a category is looked at once, though one contains the other
    ],
)
def test_a_category_is_followed_down_as_many_levels_as_its_seed_says(wiki: Wiki, depth: int, titles: list[str]) -> None:
    articles, failures = find(wiki, Seed("category", "Economic crises", depth))
    assert [article.title for article in articles] == titles
    assert [failure.item for failure in failures] == ["Stub"]
    listed = [query["cmtitle"] for query in wiki.queries if "cmtitle" in query]
    assert len(listed) == len(set(listed))


def test_a_long_category_is_read_as_far_as_needed(wiki: Wiki) -> None:
    wiki.page_size = 1
    articles, _ = find(wiki, CRISES)
    assert [article.title for article in articles] == ["Bank run", "Panic of 1907"]
    wiki.queries.clear()
    find(wiki, CRISES, limit=1)
    assert sum("cmtitle" in query for query in wiki.queries) == 1


def test_a_category_tree_without_end_is_cut_with_a_row_that_says_so(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("providers.sources.wikipedia.MAX_CATEGORIES", 5)
    wiki.categories = {"Category:Wide": ["Bank run", *(f"Category:C{number}" for number in range(9))]}
    _, failures = find(wiki, Seed("category", "Wide"))
    assert [(row.item, row.detail) for row in failures] == [
        ("category Wide", "has more than 5 categories in it; the others are left out")
    ]
    assert sum("cmtitle" in query for query in wiki.queries) == 5


def test_seeds_take_turns_and_a_page_is_looked_at_once(wiki: Wiki) -> None:
    articles, _ = find(wiki, CRISES, search("Credit crunch", "Bank run"))
    assert [article.title for article in articles] == ["Bank run", "Credit crunch", "Panic of 1907"]
    pages = [query["titles"] for query in wiki.queries if "titles" in query]
    assert sorted(pages) == sorted(set(pages))


def test_asking_stops_once_the_limit_is_reached(wiki: Wiki) -> None:
    articles, _ = find(wiki, search("Bank run", "Credit crunch"), CRISES, limit=1)
    assert [article.title for article in articles] == ["Bank run"]
    assert not [query for query in wiki.queries if query.get("list") == "categorymembers"]


@pytest.mark.parametrize(
    ("title", "detail"),
    [
        ("Stub", "has 2 words; at least 80 are needed (min_words)"),
        ("Crisis", "is a disambiguation page by its categories"),
        ("Krise", "is a disambiguation page by its categories"),
        ("Sums", "has formulas in its lead"),
        ("List of crises", "is a list, index, outline, timeline or disambiguation page by its title"),
        ("Help desk", "is not an article but a page of another namespace"),
        ("Nowhere", "does not exist"),
    ],
)
@pytest.mark.parametrize("text", ["lead", "full"])
def test_a_page_that_is_no_usable_article_is_a_row_with_a_reason(
    wiki: Wiki, title: str, detail: str, text: str
) -> None:
    filters = ArticleFilters(text="full" if text == "full" else "lead")
    articles, failures = find(wiki, search("Bank run", title), filters=filters)
    assert [article.title for article in articles] == ["Bank run"]
    assert [(row.item, row.domain, row.reason, row.detail) for row in failures] == [
        (title, "economics", "rejected", detail)
    ]


def test_a_redirect_is_followed_recorded_and_its_target_taken_once(wiki: Wiki) -> None:
    articles, failures = find(wiki, Seed("article", "Crunch"), search("Credit crunch", "Panics"))
    assert [(article.title, article.redirected_from) for article in articles] == [("Credit crunch", "Crunch")]
    assert [(failure.item, failure.detail) for failure in failures] == [
        ("Credit crunch", "has the same title as Credit crunch"),
        ("Panics (redirects to Crisis)", "is a disambiguation page by its categories"),
    ]


def test_full_text_has_headings_as_lines_and_neither_references_nor_formulas(wiki: Wiki) -> None:
    [lead], _ = find(wiki, Seed("article", "Slump"))
    [full], _ = find(wiki, Seed("article", "Slump"), filters=ArticleFilters(text="full"))
    assert lead.text == f"Lead. {WORDS}".strip()
    assert full.text == f"{lead.text}\n\nCauses\n\nMany.\n\nWar\n\nIt costs.\n\nOutcome\n\nBad, as shows."
    assert full.words == lead.words + 9


def test_the_word_limits_are_on_the_lead_whatever_is_taken(wiki: Wiki) -> None:
    [full], _ = find(wiki, Seed("article", "Slump"), filters=ArticleFilters(100, 100, text="full"))
    assert full.words == 109


def test_a_seed_that_lists_nothing_is_a_row(wiki: Wiki) -> None:
    _, failures = find(wiki, Seed("category", "Nothing"), search("nothing"), search("Bank run"))
    assert [(failure.item, failure.detail) for failure in failures] == [
        ("category Nothing", "has no articles"),
        ("search nothing", "has no articles"),
    ]


@pytest.mark.parametrize(
    ("trouble", "detail"),
    [
        (Reply(b"<html>"), "answers with something that is not JSON, after 4 attempts"),
        (Reply(b'{"query"'), "answers with something that is not JSON, after 4 attempts"),
        (Reply(b"[]"), "answers with something that is not JSON, after 4 attempts"),
        (Reply(status=0), "breaks off its answer (RemoteProtocolError), after 4 attempts"),
        (Reply(b"{", missing=99), "breaks off its answer (RemoteProtocolError), after 4 attempts"),
        (Reply(status=500), "answers HTTP 500, after 4 attempts"),
        (Reply(status=400), "answers HTTP 400"),
        (Reply(status=429), "asks to slow down (HTTP 429), after 4 attempts"),
        (to_error("badvalue"), "answers with the error badvalue: no such"),
        (to_error("maxlag"), "answers with the error maxlag: no such, after 4 attempts"),
        (to_error("internal_api_error_X"), "answers with the error internal_api_error_X: no such, after 4 attempts"),
        (to_reply({"batchcomplete": ""}), "answers without a result"),
        (to_reply({"query": {"other": 1}}), "answers in an unexpected form (KeyError: 'pages')"),
    ],
)
def test_a_page_whose_request_fails_is_a_row_and_the_others_go_on(wiki: Wiki, trouble: Reply, detail: str) -> None:
    wiki.interfere = lambda query: trouble if query.get("titles") == "Stub" else None
    articles, failures = find(wiki, search("Bank run", "Stub", "Credit crunch"))
    assert [article.title for article in articles] == ["Bank run", "Credit crunch"]
    host = wiki.address.split("/")[2]
    assert [(row.item, row.reason, row.detail) for row in failures] == [("Stub", "service", f"{host} {detail}")]


@pytest.mark.parametrize("trouble", [to_error("srsearch-error"), to_reply({"batchcomplete": ""}), Reply(b"no")])
@pytest.mark.parametrize("seed", [search("Stub"), Seed("category", "Broken")])
def test_a_listing_that_fails_does_not_read_as_one_without_articles(wiki: Wiki, seed: Seed, trouble: Reply) -> None:
    wiki.interfere = lambda query: trouble if {"Stub", "Category:Broken"} & set(query.values()) else None
    _, failures = find(wiki, search("Bank run"), seed)
    assert [(row.item, row.reason) for row in failures] == [(f"{seed.kind} {seed.query}", "service")]


def test_trouble_that_passes_is_not_noticed(wiki: Wiki) -> None:
    troubles = [Reply(status=503), Reply(status=429), to_error("maxlag", Retry_After="0"), Reply(b"<"), Reply(status=0)]
    wiki.interfere = lambda _: troubles.pop() if troubles and len(wiki.queries) % 2 else None
    articles, failures = find(wiki, search("Bank run", "Credit crunch"), CRISES)
    assert [article.title for article in articles] == ["Bank run", "Credit crunch", "Panic of 1907"]
    assert [failure.item for failure in failures] == ["Stub"]
    assert troubles == []


def test_a_service_that_never_answers_or_fails_three_times_in_a_row_is_an_exception(wiki: Wiki) -> None:
    wiki.interfere = lambda _: Reply(status=500)
    with pytest.raises(ServiceError, match="answers HTTP 500, after 4 attempts") as caught:
        find(wiki, CRISES)
    assert caught.value.kind == "unreachable"
    assert len(wiki.queries) == 4
    wiki.interfere = lambda query: Reply(status=500) if query.get("titles") else None
    with pytest.raises(ServiceError, match="answers HTTP 500, after 4 attempts"):
        find(wiki, search("Bank run", "Stub", "Credit crunch", "Sums"))
    assert len(wiki.queries) == 4 + 1 + 3 * 4


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (Reply(status=403), "refuses us .HTTP 403.; is PRISM_CONTACT a real address"),
        (to_error("readapidenied", "You need read permission"), "the error readapidenied: You need read permission"),
        (Reply(status=429, headers={"Retry-After": "3600"}), "it wants us to wait 3,600 s: try again later"),
    ],
)
def test_a_refusal_ends_the_search_at_once(wiki: Wiki, trouble: Reply, message: str) -> None:
    wiki.interfere = lambda query: trouble if query.get("titles") else None
    with pytest.raises(AccessError, match=message):
        find(wiki, search("Bank run", "Stub"))
    assert sum("titles" in query for query in wiki.queries) == 1


def test_a_service_that_cannot_be_reached_is_an_exception_of_one_line(wiki: Wiki) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    wiki.address = f"http://127.0.0.1:{port}/w/api.php"
    with pytest.raises(ServiceError) as caught:
        find(wiki, CRISES)
    assert str(caught.value) == f"127.0.0.1:{port} cannot be reached ([Errno 111] Connection refused), after 4 attempts"


@pytest.mark.parametrize("contact", ["", " ", "me", "me @example.org", "me@example.org\r\nX: y", "mé@example.org"])
def test_without_a_usable_contact_address_there_is_no_source(contact: str) -> None:
    with pytest.raises(InputError, match="PRISM_CONTACT is not set to an e-mail or web address"):
        open_wikipedia({"PRISM_CONTACT": contact})


@pytest.mark.parametrize(
    "address", ["example.org", "ftp://example.org/w/api.php", "https://example.org/w/", "https://{lang}.org/api.php"]
)
def test_an_api_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="PRISM_WIKIPEDIA_API"):
        open_wikipedia({"PRISM_CONTACT": "https://example.org/me", "PRISM_WIKIPEDIA_API": address})


@pytest.mark.parametrize(
    ("language", "address", "host"),
    [
        ("", "", "en.wikipedia.org"),
        ("de", "", "de.wikipedia.org"),
        ("zh-min-nan", "", "zh-min-nan.wikipedia.org"),
        ("", "https://wiki.example.org/w/api.php", "wiki.example.org"),
        ("de", "https://{language}.example.org/w/api.php", "de.example.org"),
        ("", "https://{language}.example.org/w/api.php", "en.example.org"),
    ],
)
def test_the_language_and_the_setting_make_the_address(language: str, address: str, host: str) -> None:
    source = open_wikipedia({"PRISM_CONTACT": "me@example.org", "PRISM_WIKIPEDIA_API": address}, language)
    assert source.host == host


@pytest.mark.parametrize(
    ("language", "address", "problem"),
    [
        ("../x", "", "is no language code"),
        ("DE", "", "is no language code"),
        ("de", "https://wiki.example.org/w/api.php", "is the address of one wiki"),
    ],
)
def test_a_language_that_makes_no_address_is_refused(language: str, address: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        open_wikipedia({"PRISM_CONTACT": "me@example.org", "PRISM_WIKIPEDIA_API": address}, language)


ENDLESS = "does not come to the end of its list; the articles that came before are looked at"


def to_part(title: str, mark: object) -> Reply:
    members = [{"title": title, "ns": 0, "pageid": 1}] if title else []
    return to_reply({"continue": {"cmcontinue": mark, "continue": "-||"}, "query": {"categorymembers": members}})


@pytest.mark.parametrize(
    ("title", "is_moving", "n_parts"), [("Bank run", False, 2), ("Bank run", True, 31), ("", True, 10)]
)
def test_a_list_without_end_is_left_and_said(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, title: str, is_moving: bool, n_parts: int
) -> None:
    monkeypatch.setattr(wikipedia, "MAX_PARTS", 30)
    wiki.interfere = lambda query: (
        to_part(title, len(wiki.queries) if is_moving else 1) if query.get("list") == "categorymembers" else None
    )
    articles, failures = find(wiki, CRISES, search("Deep"))
    assert [article.title for article in articles] == ([title] if title else []) + ["Deep"]
    assert [(failure.item, failure.detail) for failure in failures] == [("Category:Economic crises", ENDLESS)]
    assert sum(query.get("list") == "categorymembers" for query in wiki.queries) == n_parts


def test_a_seed_whose_pages_are_all_turned_down_is_given_up(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikipedia, "MAX_TURNED_DOWN", 3)
    articles, failures = find(wiki, search("Gone", "Lost", "Away", "Far", "Bank run"), search("Deep"))
    assert [article.title for article in articles] == ["Deep"]
    assert [failure.item for failure in failures][:3] == ["Gone", "Lost", "Away"]
    assert failures[3].detail == "has 3 pages on end that cannot be used; the others are left out"
    assert len(failures) == 4


def test_half_a_pair_of_surrogates_in_a_title_is_an_unknown_character(wiki: Wiki) -> None:
    hits = [{"title": title, "ns": 0, "pageid": 9} for title in ("Bad \ud800", "Smile \U0001f600", "Deep")]
    answer = to_reply({"query": {"search": hits, "searchinfo": {"totalhits": 3}}})
    wiki.interfere = lambda query: answer if query.get("list") == "search" else None
    articles, failures = find(wiki, search("all"))
    assert [article.title for article in articles] == ["Deep"]
    assert [failure.item for failure in failures] == ["Bad \ufffd", "Smile \U0001f600"]
