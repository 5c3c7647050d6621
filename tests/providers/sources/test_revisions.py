"""Revisions are fetched a few at a time and read as a dump's pages are; what cannot be had says why."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from providers.sources.revisions import REVISIONS_A_REQUEST, Revision, Revisions, open_revisions
from providers.sources.wiki_api import Patience, WikiApi
from schemas.errors import AccessError, InputError, ServiceError
from schemas.locked_articles import LockedArticle

Query = dict[str, str]
WIKITEXT = (
    "{{Infobox}}'''Rain''' falls.<ref>A</ref>\n\nIt is [[water]]. [[Datei:Rain.jpg|thumb|A drop]]\n== Kinds ==\nMany."
)
TEXT = "Rain falls.\n\nIt is water."


class Wiki:
    """A small MediaWiki that knows some revisions, keeps what it was asked and interferes as told."""

    def __init__(self) -> None:
        self.queries: list[Query] = []
        self.agents: set[str] = set()
        self.revisions: dict[str, str | None] = {"7": WIKITEXT}
        self.interfere: Callable[[Query], Any] = lambda _: None
        self.url = ""

    def answer(self, query: Query) -> Any:
        self.queries.append(query)
        interference = self.interfere(query)
        if interference is not None:
            return interference
        if query.get("meta") == "siteinfo":
            spaces = {"6": {"id": 6, "name": "Datei"}, "14": {"id": 14, "name": "Kategorie"}}
            return {"query": {"namespaces": spaces, "rightsinfo": {"text": "CC0"}}}
        wanted = query["revids"].split("|")
        pages: list[Any] = []
        for number in wanted:
            if number in self.revisions:
                content = self.revisions[number]
                main = {"content": content} if content is not None else {"texthidden": True}
                pages.append(
                    {"title": f"Page {number}", "revisions": [{"revid": int(number), "slots": {"main": main}}]}
                )
        missing = {number: {"revid": int(number), "missing": True} for number in wanted if number not in self.revisions}
        return {"query": {"pages": pages} | ({"badrevids": missing} if missing else {})}


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    wiki = Wiki()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wiki.agents.add(self.headers["User-Agent"])
            answer = wiki.answer(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(answer if isinstance(answer, int) else 200)
            self.end_headers()
            self.wfile.write(b"" if isinstance(answer, int) else json.dumps(answer).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    wiki.url = f"http://127.0.0.1:{server.server_address[1]}/w/api.php"
    yield wiki
    server.shutdown()
    server.server_close()


def open_wiki(wiki: Wiki) -> Revisions:
    return Revisions(WikiApi(wiki.url, "me@example.org", Patience(pause=0.0, first_wait=0.0)))


def test_a_revision_is_its_lead_as_prose_without_the_wikis_own_media(wiki: Wiki) -> None:
    assert open_wiki(wiki).fetch(["7"]) == {"7": Revision("7", TEXT)}
    query = wiki.queries[0]
    assert (query["prop"], query["revids"], query["rvslots"]) == ("revisions", "7", "main")
    assert all("(me@example.org)" in agent for agent in wiki.agents)
    assert all(query["maxlag"] for query in wiki.queries)


def test_full_text_has_the_sections_too(wiki: Wiki) -> None:
    assert open_wiki(wiki).fetch(["7"], "full")["7"].text == f"{TEXT}\n\nKinds\n\nMany."


def test_what_cannot_be_had_says_why_and_the_others_are_there(wiki: Wiki) -> None:
    wiki.revisions |= {"8": None, "9": "{{Infobox '''Rain''' falls."}
    found = open_wiki(wiki).fetch(["7", "8", "9", "10"])
    assert found["7"].text == TEXT
    host = urlsplit(wiki.url).netloc
    assert found["8"].flaw == f"is hidden at {host}"
    assert found["9"].flaw == "has broken markup ('{{')"
    assert found["10"].flaw == f"is not at {host} any more"


def test_many_revisions_take_few_requests(wiki: Wiki) -> None:
    numbers = [str(number) for number in range(1, 2 * REVISIONS_A_REQUEST + 2)]
    wiki.revisions = dict.fromkeys(numbers, "Some words.")
    found = open_wiki(wiki).fetch(numbers)
    assert [found[number].text for number in numbers] == ["Some words."] * len(numbers)
    assert sum("revids" in query for query in wiki.queries) == 3
    assert sum("siprop" in query for query in wiki.queries) == 1


def test_an_answer_in_parts_is_read_to_its_end(wiki: Wiki) -> None:
    def split(query: Query) -> Any:
        if "revids" not in query or "rvcontinue" in query:
            return None
        return {"query": {"pages": []}, "continue": {"rvcontinue": "7", "continue": "||"}}

    wiki.interfere = split
    assert open_wiki(wiki).fetch(["7"])["7"].text == TEXT
    wiki.interfere = lambda _: {"query": {}, "continue": {"rvcontinue": "7"}}
    with pytest.raises(ServiceError, match="does not come to the end of its answer"):
        open_wiki(wiki).fetch(["7"])


def test_trouble_that_passes_is_not_noticed_and_trouble_that_stays_is_an_error(wiki: Wiki) -> None:
    troubles: list[Any] = [503, {"error": {"code": "maxlag", "info": "wait"}}]
    wiki.interfere = lambda _: troubles.pop() if troubles else None
    assert open_wiki(wiki).fetch(["7"])["7"].text == TEXT
    wiki.interfere = lambda _: 500
    with pytest.raises(ServiceError, match="answers HTTP 500"):
        open_wiki(wiki).fetch(["7"])
    wiki.interfere = lambda _: 403
    with pytest.raises(AccessError):
        open_wiki(wiki).fetch(["7"])


def test_the_licence_is_what_the_wiki_says(wiki: Wiki) -> None:
    assert open_wiki(wiki).licence == "CC0"


@pytest.mark.parametrize(
    ("revision", "url", "flaw"),
    [
        ("7", "", ""),
        ("7", "https://en.wikipedia.org/wiki/Rain?oldid=7", ""),
        ("", "rain.md", "it has no revision that could be fetched"),
        ("7|8", "", "it has no revision that could be fetched"),
        ("7", "https://de.wikipedia.org/wiki/Rain?oldid=7", "its revision is of de.wikipedia.org, and"),
    ],
)
def test_only_a_revision_of_the_same_wiki_can_be_asked_for(revision: str, url: str, flaw: str) -> None:
    locked = LockedArticle(
        domain="d", backbone="rain", title="Rain", url=url, revision=revision, sha256="0" * 64, words=1, source="dump"
    )
    found = Revisions(WikiApi("https://en.wikipedia.org/w/api.php", "me@example.org")).find_flaw(locked)
    assert found.startswith(flaw)
    assert bool(found) == bool(flaw)


def test_the_settings_are_those_of_the_source_wikipedia() -> None:
    with pytest.raises(InputError, match="PRISM_CONTACT is not set"):
        open_revisions(environment={})
