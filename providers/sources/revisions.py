"""Revisions of a MediaWiki's pages, for a build that is pinned to articles.

A revision never changes, but its page's plain-text extract is that of the newest revision only. Of an older one the
API gives the wikitext, which :mod:`providers.sources.wikitext` turns into prose as it does for a dump. Templates it
does not know are left out, where the wiki would expand them as they are *today*: neither reading is what a visitor saw
then. So two texts of one revision may differ in such details and in white space; the revision is the same for certain,
and whoever compares checksums has to decide about the rest.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast
from urllib.parse import urlsplit

from providers.sources.filters import clean_text
from providers.sources.markup_limits import MAX_PAGE, refuse_length
from providers.sources.sections import read_sections
from providers.sources.wiki_api import WikiApi
from providers.sources.wikitext import cut_lead, to_prose
from schemas.errors import ServiceError
from schemas.locked_articles import LockedArticle
from schemas.settings import TextPart

REVISIONS_A_REQUEST = 10
NO_REVISION = "it has no revision that could be fetched"

_MEDIA = ("6", "14")  # files and categories, whose links are not words
_WIKIPEDIA_LICENCE = "CC BY-SA 4.0"
_MAX_PARTS = 50

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Revision:
    """The text of one revision of a page; where there is none, what is wrong with it, as a predicate."""

    revision: str
    text: str
    flaw: str = ""


@dataclass(frozen=True, slots=True)
class _Site:
    """What a wiki says of itself."""

    licence: str
    media_prefixes: tuple[str, ...]


def open_revisions(language: str = "", environment: Mapping[str, str] | None = None) -> "Revisions":
    """The wiki that the source ``wikipedia`` reads, with the same settings.

    Raises:
        InputError: a setting is missing or unusable.
    """
    from providers.sources.wikipedia import open_wikipedia

    return Revisions(open_wikipedia(os.environ if environment is None else environment, language)._api)


class Revisions:
    """The pages of one wiki."""

    def __init__(self, api: WikiApi) -> None:
        self._api = api
        self._known_site: _Site | None = None

    def find_flaw(self, locked: LockedArticle) -> str:
        """Why the revision of a locked article cannot be asked for here; empty where it can.

        Example:
            >>> wiki = Revisions(WikiApi("https://en.wikipedia.org/w/api.php", "me@example.org"))
            >>> run = LockedArticle(
            ...     domain="economics", backbone="bank-run", title="Bank run", revision="7", sha256="0" * 64, words=90,
            ...     url="https://de.wikipedia.org/w/index.php?oldid=7", source="wikipedia",
            ... )
            >>> wiki.find_flaw(run)
            'its revision is of de.wikipedia.org, and PRISM_WIKIPEDIA_API asks en.wikipedia.org'
        """
        if not re.fullmatch(r"[0-9]{1,19}", locked.revision):
            return NO_REVISION
        host = find_host(locked.url)
        if host not in {"", self._api.host}:
            return f"its revision is of {host}, and PRISM_WIKIPEDIA_API asks {self._api.host}"
        return ""

    @property
    def licence(self) -> str:
        """The licence of the wiki's texts: Wikipedia's on its own hosts, elsewhere what the wiki says."""
        return self._site.licence

    def fetch(self, revisions: Sequence[str], part: TextPart = "lead") -> dict[str, Revision]:
        """The texts of revisions, by their ids, read from their wikitext.

        Raises:
            ServiceError: the wiki does not answer.
        """
        found: dict[str, Revision] = {}
        for batch in _split(sorted(set(revisions), key=int), REVISIONS_A_REQUEST):
            query = {"prop": "revisions", "revids": "|".join(batch), "rvprop": "ids|content", "rvslots": "main"}
            for answer in self._ask(query):
                for page in _list(answer, "pages"):
                    for item in _list(page, "revisions"):
                        number = str(item.get("revid", ""))
                        found[number] = self._read_revision(number, item, part)
        missing = f"is not at {self._api.host} any more"
        return {number: found.get(number) or Revision(number, "", missing) for number in revisions}

    def _read_revision(self, number: str, item: Json, part: TextPart) -> Revision:
        wikitext = _object(_object(item, "slots"), "main").get("content")
        if not isinstance(wikitext, str):
            return Revision(number, "", f"is hidden at {self._api.host}")
        lead, prefixes = cut_lead(wikitext), self._site.media_prefixes
        try:
            refuse_length(wikitext, MAX_PAGE)
            text = to_prose(lead, prefixes)
        except ValueError as error:
            return Revision(number, "", str(error))
        sections = read_sections(wikitext[len(lead) :], prefixes) if part == "full" else ""
        return Revision(number, clean_text(f"{text}\n\n{sections}"))

    @property
    def _site(self) -> _Site:
        if self._known_site is None:
            names: list[str] = ["file", "image", "category"]
            licence = ""
            for answer in self._ask({"meta": "siteinfo", "siprop": "namespaces|rightsinfo"}):
                spaces = _object(answer, "namespaces")
                names += [str(_object(spaces, number).get("name", "")).lower() for number in _MEDIA]
                licence = str(_object(answer, "rightsinfo").get("text", ""))
            licence = _WIKIPEDIA_LICENCE if self._api.host.endswith(".wikipedia.org") else licence or "unknown"
            self._known_site = _Site(licence, tuple(dict.fromkeys(filter(None, names))))
        return self._known_site

    def _ask(self, query: Mapping[str, str | int]) -> Iterator[Json]:
        """The parts of an answer that the API gives piece by piece."""
        more: Json = {}
        for _ in range(_MAX_PARTS):
            answer = self._api.ask({"action": "query", "formatversion": 2, **query, **more})
            yield cast(Json, answer["query"])
            more = cast(Json, answer.get("continue") or {})
            if not more:
                return
        raise ServiceError(f"{self._api.host} does not come to the end of its answer", kind="protocol")


def find_host(url: str) -> str:
    """The host and port of an address; empty where it is none."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _split(items: Sequence[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def _object(answer: Json, name: str) -> Json:
    """An object in an answer; an empty one where it is not what it should be."""
    value = answer.get(name)
    return cast(Json, value) if isinstance(value, dict) else {}


def _list(answer: Json, name: str) -> list[Json]:
    """The objects of a list in an answer; none where it is not what it should be."""
    items = answer.get(name)
    entries = cast(list[Any], items) if isinstance(items, list) else []
    return [cast(Json, item) for item in entries if isinstance(item, dict)]
