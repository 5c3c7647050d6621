"""A small MediaWiki on loopback: answers from tables, keeps what it was asked, and misbehaves as told."""

import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Query = dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes over the wire. ``status`` 0 closes the connection instead; ``missing`` bytes are promised, not sent."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    missing: int = 0


def to_reply(answer: Mapping[str, Any], **headers: str) -> Reply:
    """An answer as JSON; underscores in names of headers stand for hyphens."""
    return Reply(json.dumps(answer).encode(), headers={name.replace("_", "-"): text for name, text in headers.items()})


def to_error(code: str, info: str = "no such", **headers: str) -> Reply:
    """What MediaWiki says of an error: status 200 and an object."""
    return to_reply({"error": {"code": code, "info": info}}, **headers)


@dataclass
class Wiki:
    """The pages and categories of the wiki, and what it was asked."""

    texts: Mapping[str, str]
    categories: Mapping[str, list[str]]
    redirects: Mapping[str, str]
    flags: Mapping[str, Mapping[str, Any]]
    page_size: int = 500
    queries: list[Query] = field(default_factory=list[Query])
    agents: set[str] = field(default_factory=set[str])
    address: str = ""
    interfere: Callable[[Query], Reply | None] = lambda _: None

    def answer(self, query: Query) -> Reply:
        """The reply to a query."""
        self.queries.append(query)
        interference = self.interfere(query)
        if interference is not None:
            return interference
        match query.get("list"):
            case "categorymembers":
                return self._list_members(query)
            case "search":
                hits = [
                    {"title": title, "ns": 0, "pageid": 9}
                    for title in query["srsearch"].split("|")
                    if title != "nothing"
                ]
                return to_reply({"query": {"search": hits, "searchinfo": {"totalhits": len(hits)}}})
            case _:
                pass
        if query.get("meta") == "siteinfo":
            return to_reply({"query": {"rightsinfo": {"url": "https://example.org/by", "text": "CC BY 4.0"}}})
        return self._show_page(query)

    def _list_members(self, query: Query) -> Reply:
        titles = self.categories.get(query["cmtitle"], [])
        spaces = {"Category": 14, "Talk": 1}
        start = int(query.get("cmcontinue", 0))
        end = start + self.page_size
        members = [{"title": title, "ns": spaces.get(title.partition(":")[0], 0), "pageid": 1} for title in titles]
        more = {"continue": {"cmcontinue": str(end), "continue": "-||"}} if end < len(titles) else {}
        return to_reply({"query": {"categorymembers": members[start:end]}, **more})

    def _show_page(self, query: Query) -> Reply:
        listed = query["titles"]
        title = self.redirects.get(listed, listed)
        moves = {"redirects": [{"from": listed, "to": title}]} if title != listed else {}
        if title not in self.texts:
            missing = {"title": title, "ns": 0, "missing": ""}
            return to_reply({"query": {**moves, "pages": {"-1": missing}}})
        text = self.texts[title].partition("\n\n\n==")[0] if "exintro" in query else self.texts[title]
        number = 1001 + list(self.texts).index(title)
        page = {"pageid": 7, "ns": 0, "title": title, "extract": text, "lastrevid": number, **self.flags.get(title, {})}
        return to_reply({"query": {**moves, "pages": {"7": page}}})


@contextmanager
def serving(wiki: Wiki) -> Generator[Wiki]:
    """Serve a wiki on a free port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wiki.agents.add(self.headers["User-Agent"])
            reply = wiki.answer(dict(parse_qsl(urlsplit(self.path).query)))
            self.close_connection = True
            if not reply.status:
                return
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body) + reply.missing))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    wiki.address = f"http://127.0.0.1:{server.server_address[1]}/w/api.php"
    try:
        yield wiki
    finally:
        server.shutdown()
        server.server_close()
