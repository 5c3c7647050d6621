"""Articles from Wikipedia, through its public API.

Per domain the seeds take turns, so that no single one fills the domain. A category seed lists the articles of the
category and then those of its direct subcategories; a search seed lists what a full-text search finds. Wikipedia asks
every program for a contact address and for one request at a time.
"""

import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

import httpx
import wikipediaapi

from providers.sources.domains import Domain, Seed
from providers.sources.filters import ArticleFilters, clean_text, clean_title, find_flaw
from providers.sources.selection import Candidate, Found, Selection, require_article, to_failure
from providers.sources.wikitext import tidy_prose
from schemas.errors import AccessError, InputError, ServiceError

WIKIPEDIA_API = "https://en.wikipedia.org/w/api.php"
LICENCE = "CC BY-SA 4.0"

Answer = TypeVar("Answer")

_ARTICLES, _CATEGORIES = 0, 14
_SEARCH_LIMIT = 100
_MAX_FAILURES_IN_A_ROW = 3
_DISAMBIGUATION = "Category:All disambiguation pages|Category:Disambiguation pages"
# Errors that pass by themselves; answered as 503, they are tried again by the client.
_TRANSIENT = frozenset({"maxlag", "ratelimited", "readonly", "internal_api_error_DBQueryError"})


def open_wikipedia(environment: Mapping[str, str]) -> "Wikipedia":
    """Wikipedia, with the contact address in PRISM_CONTACT, at the API in PRISM_WIKIPEDIA_API or its own.

    Raises:
        InputError: one of the two is missing or unusable.
    """
    contact = environment.get("PRISM_CONTACT", "").strip()
    if not re.fullmatch(r"[!-~]*(?:@|://)[!-~]+", contact):
        raise InputError(
            "source wikipedia: PRISM_CONTACT is not set to an e-mail or web address; Wikipedia asks every program for "
            "one: export PRISM_CONTACT=you@example.org"
        )
    api = environment.get("PRISM_WIKIPEDIA_API", "").strip() or WIKIPEDIA_API
    if not re.fullmatch(r"https?://[!-~]+/api\.php", api):
        raise InputError(f"source wikipedia: PRISM_WIKIPEDIA_API {api!r} is not an address like {WIKIPEDIA_API}")
    return Wikipedia(contact, api)


@dataclass(slots=True)
class _SeedListing:
    """A seed, the pages it still has, and whether it had any."""

    seed: Seed
    pages: Iterator[wikipediaapi.WikipediaPage]
    is_empty: bool = True


class Wikipedia:
    """Wikipedia's articles: their leads, as plain text, at the newest revision.

    The URL is the permanent link to the revision. ``pause`` is the time between requests, ``retry_wait`` that before a
    first retry, in seconds.
    """

    def __init__(
        self,
        contact: str,
        api: str = WIKIPEDIA_API,
        pause: float = 0.1,
        retry_wait: float = 1.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._index = api.removesuffix("api.php") + "index.php"
        self._now = now
        self._n_answers = 0
        self._n_failures_in_a_row = 0
        self._client = wikipediaapi.Wikipedia(
            user_agent=f"prism-bn/0.1 ({contact})",
            retry_wait=retry_wait,
            timeout=30.0,
            transport=_PoliteTransport(api, pause),
        )

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """Wikipedia's articles of the domains, domain by domain.

        A page or seed that fails is a failure with the reason ``service``; the others go on.

        Raises:
            InputError: nothing of what was found can be used.
            ServiceError: nothing has been answered yet, or three requests in a row failed after their retries.
        """
        return require_article(self._find(domains, limit, filters), "source wikipedia")

    def _find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        selection = Selection(domains, limit, filters)
        looked_at: set[str] = set()
        for domain in domains:
            turns = deque(_SeedListing(seed, self._list_pages(seed)) for seed in domain.seeds)
            while turns and not selection.is_full(domain.name):
                listing = turns.popleft()
                name = f"{listing.seed.kind} {listing.seed.query}"
                try:
                    page = next(listing.pages, None)
                    if page is None:
                        if listing.is_empty:
                            yield to_failure(name, "rejected", "has no articles", domain=domain.name)
                        continue
                    name = page.title
                    listing.is_empty = False
                    turns.append(listing)
                    if name not in looked_at:
                        looked_at.add(name)
                        yield self._look_at(page, domain, selection, filters)
                except ServiceError as error:
                    self._n_failures_in_a_row += 1
                    if self._is_hopeless(error):
                        raise
                    yield to_failure(name, "service", str(error), domain=domain.name)

    def _list_pages(self, seed: Seed) -> Iterator[wikipediaapi.WikipediaPage]:
        if seed.kind == "search":
            query = seed.query
            found = self._ask(lambda: self._client.search(query, limit=_SEARCH_LIMIT, what="text"))
            yield from cast(list[wikipediaapi.WikipediaPage], list(found.pages.values()))
            return
        members = self._list_members(f"Category:{seed.query}")
        yield from (page for page in members if page.ns == _ARTICLES)
        for category in members:
            if category.ns == _CATEGORIES:
                yield from (page for page in self._list_members(category.title) if page.ns == _ARTICLES)

    def _list_members(self, title: str) -> list[wikipediaapi.WikipediaPage]:
        category = self._client.page(title, ns=wikipediaapi.Namespace.CATEGORY)
        members = self._ask(lambda: self._client.categorymembers(category))
        return cast(list[wikipediaapi.WikipediaPage], list(members.values()))

    def _look_at(
        self, page: wikipediaapi.WikipediaPage, domain: Domain, selection: Selection, filters: ArticleFilters
    ) -> Found:
        # The lead first: most pages are turned away by it, and then cost one request instead of three.
        text = tidy_prose(self._ask(lambda: self._client.extracts(page, exintro=1)))
        title = page.title
        flaw = find_flaw(clean_title(title), clean_text(text), filters)
        if self._ask(lambda: page.pageid) < 0:
            flaw = "does not exist"
        elif flaw is None and r"{\displaystyle" in text:
            flaw = "has formulas in its lead"
        elif flaw is None and self._ask(lambda: self._client.categories(page, clcategories=_DISAMBIGUATION)):
            flaw = "is a disambiguation page by its categories"
        if flaw:
            return to_failure(title, "rejected", flaw, domain=domain.name)
        revision = str(self._ask(lambda: self._client.info(page)).lastrevid)
        return selection.judge(
            Candidate(
                item=title,
                domain=domain.name,
                title=title,
                text=text,
                url=f"{self._index}?oldid={revision}",
                revision=revision,
                retrieved_at=self._now(),
                licence=LICENCE,
            )
        )

    def _ask(self, request: Callable[[], Answer]) -> Answer:
        try:
            answer = request()
        except wikipediaapi.WikipediaException as error:
            raise _to_service_error(error) from error
        except (httpx.HTTPError, KeyError, TypeError, AttributeError) as error:
            raise ServiceError(f"Wikipedia: unexpected answer ({type(error).__name__}: {error})") from error
        self._n_answers += 1
        self._n_failures_in_a_row = 0
        return answer

    def _is_hopeless(self, error: ServiceError) -> bool:
        is_down = self._n_answers == 0 or self._n_failures_in_a_row >= _MAX_FAILURES_IN_A_ROW
        return is_down or isinstance(error, AccessError)


class _PoliteTransport(httpx.BaseTransport):
    """Sends every request to one API, with a pause between two, and makes errors of what the API calls an error.

    MediaWiki reports errors inside an answer with status 200, which the client takes for an empty result.
    """

    def __init__(self, api: str, pause: float) -> None:
        self._api = httpx.URL(api)
        self._pause = pause
        self._next_start = 0.0
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        time.sleep(max(0.0, self._next_start - time.monotonic()))
        request.url = self._api.copy_with(query=request.url.query)
        request.headers["Host"] = self._api.netloc.decode("ascii")
        response = self._inner.handle_request(request)
        response.read()
        self._next_start = time.monotonic() + self._pause
        code, information = _find_api_error(response)
        if code in _TRANSIENT:
            return httpx.Response(503, request=request)
        if code:
            raise ServiceError(f"Wikipedia: the API answers {code}: {information}", kind=code)
        return response

    def close(self) -> None:
        self._inner.close()


def _find_api_error(response: httpx.Response) -> tuple[str, str]:
    try:
        answer = json.loads(response.content) if response.status_code == 200 else None
    except ValueError:
        return "", ""  # the client says so itself
    error = cast(dict[str, Any], answer).get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return "", ""
    fields = cast(dict[str, Any], error)
    return str(fields.get("code", "unknown")), str(fields.get("info", ""))


def _to_service_error(error: wikipediaapi.WikipediaException) -> ServiceError:
    match error:
        case wikipediaapi.WikiRateLimitError():
            return ServiceError("Wikipedia: asks to slow down (HTTP 429)", kind="rate_limit")
        case wikipediaapi.WikiHttpError(status_code=401 | 403 as status):
            return AccessError(
                f"Wikipedia: refuses us (HTTP {status}); is PRISM_CONTACT a real address?", kind="access"
            )
        case wikipediaapi.WikiHttpError(status_code=status):
            return ServiceError(f"Wikipedia: answers HTTP {status}", kind="http")
        case wikipediaapi.WikiHttpTimeoutError():
            return ServiceError("Wikipedia: no answer in time", kind="timeout")
        case wikipediaapi.WikiConnectionError():
            return ServiceError("Wikipedia: cannot be reached", kind="connection")
        case _:
            return ServiceError("Wikipedia: the answer is not JSON", kind="invalid_json")
