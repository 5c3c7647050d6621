"""Articles from Wikipedia, or another MediaWiki, through its public API.

Per domain the seeds take turns, so that no single one fills the domain. A category seed lists the articles of the
category, then those of its subcategories, level by level; a search seed lists what a full-text search finds; an article
seed is one title. Redirects are followed, and the title that was listed is kept as ``redirected_from``.

Attribution is in the row of ``articles``: the title, the licence, and as URL the permanent link to the revision, whose
history names the authors. The licence is Wikipedia's on its own hosts and what the wiki says of itself elsewhere.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

import wikipediaapi

from providers.sources.domains import Domain, Seed
from providers.sources.filters import ArticleFilters, clean_text, clean_title, find_flaw
from providers.sources.sections import Section, join_sections, split_sections
from providers.sources.selection import Candidate, Found, Selection, require_article, to_failure
from providers.sources.wiki_api import WikiApi, WikiTransport, load_certificates
from providers.sources.wikitext import cut_lead, drop_formulas, tidy_prose
from schemas.calls import Failure
from schemas.errors import AccessError, InputError, ServiceError

WIKIPEDIA_API = "https://{language}.wikipedia.org/w/api.php"
LICENCE = "CC BY-SA 4.0"
MAX_CATEGORIES = 500
"""Categories that one seed is followed through."""

MAX_PARTS = 1000
"""Parts of up to 500 pages in which the list of one category is read."""
MAX_EMPTY_PARTS = 10
"""Parts without a page that are read one after the other."""
MAX_TURNED_DOWN = 2000
"""Pages of one seed that are turned down one after the other until it is given up."""

Page = wikipediaapi.WikipediaPage
Answer = TypeVar("Answer")

_ARTICLES, _CATEGORIES = 0, 14
_SEARCH_LIMIT = 500
_MAX_FAILURES_IN_A_ROW = 3
# All that is asked of a page, in one request, so that text and revision belong together. Wikipedias mark
# disambiguation pages by a property; other wikis have the categories at most.
_PAGE_QUERY = {
    "prop": "info|extracts|categories|pageprops",
    "explaintext": 1,
    "exsectionformat": "wiki",
    "ppprop": "disambiguation",
    "clcategories": "Category:All disambiguation pages|Category:Disambiguation pages|Category:All set index articles",
}
_LEAD_ONLY = {"exintro": 1}


def open_wikipedia(environment: Mapping[str, str], language: str = "") -> "Wikipedia":
    """Wikipedia in a language, English where none is given, with the contact address in PRISM_CONTACT.

    PRISM_WIKIPEDIA_API names the API of another wiki; ``{language}`` in it stands for the language.

    Raises:
        InputError: one of the settings is missing or unusable.
    """
    contact = environment.get("PRISM_CONTACT", "").strip()
    if not re.fullmatch(r"[!-~]*(?:@|://)[!-~]+", contact):
        raise InputError(
            "source wikipedia: PRISM_CONTACT is not set to an e-mail or web address; Wikipedia asks every program for "
            "one: export PRISM_CONTACT=you@example.org"
        )
    if not re.fullmatch(r"(?:[a-z]+(?:-[a-z]+)*)?", language):
        raise InputError(f"source wikipedia:{language}: {language!r} is no language code such as de or simple")
    address = environment.get("PRISM_WIKIPEDIA_API", "").strip() or WIKIPEDIA_API
    if language and "{language}" not in address:
        raise InputError(
            f"source wikipedia:{language}: PRISM_WIKIPEDIA_API is the address of one wiki, {address}; "
            "unset it, or write {language} where the language belongs"
        )
    address = address.replace("{language}", language or "en")
    if not re.fullmatch(r"https?://[!-z|~]+/api\.php", address):
        raise InputError(
            f"source wikipedia: PRISM_WIKIPEDIA_API {address!r} is not an address like "
            f"{WIKIPEDIA_API.replace('{language}', 'en')}"
        )
    return Wikipedia(WikiApi(address, contact))


@dataclass(slots=True)
class _SeedListing:
    """A seed, the pages it still has, whether it had any, and how many were turned down since the last article."""

    seed: Seed
    pages: Iterator[Page | Failure]
    is_empty: bool = True
    n_turned_down: int = 0


class Wikipedia:
    """The articles of a wiki, as plain text, at the newest revision. The URL is the permanent link to the revision."""

    def __init__(self, api: WikiApi, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._api = api
        self._index = api.address.removesuffix("api.php") + "index.php"
        self._now = now
        self._licence = LICENCE if api.host.endswith(".wikipedia.org") else ""
        self._n_answers = 0
        self._n_failures_in_a_row = 0
        self._transport = WikiTransport(api)
        self._client = self._connect({})

    @property
    def host(self) -> str:
        """The host that is asked."""
        return self._api.host

    def _connect(self, query: Mapping[str, str | int]) -> wikipediaapi.Wikipedia:
        """A client that adds something to each of its queries. Attempts are the API's affair, not the client's."""
        return wikipediaapi.Wikipedia(
            user_agent=self._api.user_agent,
            extra_api_params=dict(query) or None,
            max_retries=0,
            transport=self._transport,
            verify=load_certificates(),
        )

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """The wiki's articles of the domains, domain by domain.

        A page or seed that fails is a failure with the reason ``service``; the others go on.

        Raises:
            InputError: nothing of what was found can be used.
            ServiceError: nothing was answered at all, or three requests in a row failed after their retries.
            AccessError: we are refused, or told to wait for long.
        """
        return require_article(self._find(domains, limit, filters), "source wikipedia")

    def _find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        selection = Selection(domains, limit, filters)
        reader = self._connect(_PAGE_QUERY | (_LEAD_ONLY if filters.text == "lead" else {}))
        looked_at: set[str] = set()
        for domain in domains:
            turns = deque(_SeedListing(seed, self._list_pages(seed, domain.name)) for seed in domain.seeds)
            while turns and not selection.is_full(domain.name):
                listing = turns.popleft()
                name = f"{listing.seed.kind} {listing.seed.query}"
                try:
                    page = next(listing.pages, None)
                    if page is None:
                        if listing.is_empty:
                            yield to_failure(name, "rejected", "has no articles", domain=domain.name)
                        continue
                    listing.is_empty = False
                    if listing.n_turned_down == MAX_TURNED_DOWN:
                        detail = f"has {MAX_TURNED_DOWN:,} pages on end that cannot be used; the others are left out"
                        yield to_failure(name, "rejected", detail, domain=domain.name)
                        continue
                    turns.append(listing)
                    if isinstance(page, Failure):
                        yield page
                        continue
                    name = page.title
                    if name not in looked_at:
                        looked_at.add(name)
                        found = self._look_at(reader, name, domain, selection, filters)
                        listing.n_turned_down = listing.n_turned_down + 1 if isinstance(found, Failure) else 0
                        yield found
                except ServiceError as error:
                    self._n_failures_in_a_row += 1
                    if isinstance(error, AccessError) or self._n_failures_in_a_row == _MAX_FAILURES_IN_A_ROW:
                        raise
                    if self._n_answers == 0:
                        raise ServiceError(str(error), kind="unreachable") from error
                    yield to_failure(name, "service", str(error), domain=domain.name)

    def _list_pages(self, seed: Seed, domain: str) -> Iterator[Page | Failure]:
        match seed.kind:
            case "article":
                yield self._client.page(seed.query)
            case "search":
                found = self._ask(lambda: self._client.search(seed.query, limit=_SEARCH_LIMIT, what="text"))
                yield from cast(list[Page], list(found.pages.values()))
            case "category":
                yield from self._list_category(seed, domain)

    def _list_category(self, seed: Seed, domain: str) -> Iterator[Page | Failure]:
        waiting = deque([(f"Category:{seed.query}", seed.depth)])
        seen = {title for title, _ in waiting}
        while waiting:
            title, depth = waiting.popleft()
            for member in self._list_members(title, domain):
                if isinstance(member, Failure) or member.ns == _ARTICLES:
                    yield member
                elif member.ns == _CATEGORIES and depth > 0 and member.title not in seen:
                    if len(seen) < MAX_CATEGORIES:
                        waiting.append((member.title, depth - 1))
                    elif len(seen) == MAX_CATEGORIES:
                        detail = f"has more than {MAX_CATEGORIES:,} categories in it; the others are left out"
                        yield to_failure(f"category {seed.query}", "rejected", detail, domain=domain)
                    seen.add(member.title)

    def _list_members(self, title: str, domain: str) -> Iterator[Page | Failure]:
        category = self._client.page(title, ns=wikipediaapi.Namespace.CATEGORY)
        more: Mapping[str, str] = {}
        asked: set[str] = set()
        n_empty = 0
        while True:
            members = self._ask(lambda part=more: self._client.categorymembers(category, **part))
            more = self._transport.more
            yield from cast(list[Page], list(members.values()))
            if not more:
                return
            mark = repr(sorted(more.items()))
            n_empty = 0 if members else n_empty + 1
            if mark in asked or n_empty == MAX_EMPTY_PARTS or len(asked) == MAX_PARTS:
                detail = "does not come to the end of its list; the articles that came before are looked at"
                yield to_failure(title, "rejected", detail, domain=domain)
                return
            asked.add(mark)

    def _look_at(
        self, reader: wikipediaapi.Wikipedia, listed: str, domain: Domain, selection: Selection, filters: ArticleFilters
    ) -> Found:
        page = reader.page(listed)
        self._ask(lambda: reader.info(page))
        fields: Mapping[str, Any] = page._attributes  # what the API said; the properties would ask it again
        extract = str(fields.get("extract", ""))
        lead = cut_lead(extract)
        text = tidy_prose(lead)
        title = page.title
        flaw = _find_page_flaw(fields, lead) or find_flaw(clean_title(title), clean_text(text), filters)
        if flaw:
            item = f"{listed} (redirects to {title})" if fields.get("redirects") else title
            return to_failure(item, "rejected", flaw, domain=domain.name)
        revision = str(fields["lastrevid"])
        return selection.judge(
            Candidate(
                item=title,
                domain=domain.name,
                title=title,
                text=text,
                url=f"{self._index}?oldid={revision}",
                revision=revision,
                retrieved_at=self._now(),
                licence=self._find_licence(),
                sections=_read_sections(extract[len(lead) :]),
                redirected_from=listed if fields.get("redirects") else "",
            )
        )

    def _find_licence(self) -> str:
        if not self._licence:
            rights = self._ask(lambda: self._api.ask({"action": "query", "meta": "siteinfo", "siprop": "rightsinfo"}))
            fields = rights["query"].get("rightsinfo", {})
            self._licence = clean_title(str(fields.get("text") or fields.get("url") or "unknown"))
        return self._licence

    def _ask(self, request: Callable[[], Answer]) -> Answer:
        try:
            answer = request()
        except (wikipediaapi.WikipediaException, KeyError, TypeError, AttributeError) as error:
            raise ServiceError(
                f"{self.host} answers in an unexpected form ({type(error).__name__}: {error})", kind="protocol"
            ) from error
        self._n_answers += 1
        self._n_failures_in_a_row = 0
        return answer


def _find_page_flaw(fields: Mapping[str, Any], lead: str) -> str | None:
    if "lastrevid" not in fields:
        return "does not exist"
    if fields["ns"] != _ARTICLES:
        return "is not an article but a page of another namespace"
    if "disambiguation" in fields.get("pageprops", {}) or fields.get("categories"):
        return "is a disambiguation page by its categories"
    return "has formulas in its lead" if r"{\displaystyle" in lead else None


def _read_sections(extract: str) -> str:
    return join_sections(
        Section(section.level, section.heading, tidy_prose(drop_formulas(section.text)))
        for section in split_sections(extract)
    )
