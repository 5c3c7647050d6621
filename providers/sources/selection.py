"""Picking articles among candidates: the checks, the limit per domain, no article twice, one slug each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters, clean_text, clean_title, count_words, find_flaw, to_title_key
from schemas.articles import Article
from schemas.calls import Failure, FailureReason
from schemas.errors import InputError
from schemas.slugs import to_distinct_slug

STAGE = "articles"
Found = Article | Failure


@dataclass(frozen=True, slots=True)
class Candidate:
    """An article as a source found it, before any check. ``item`` is what a person would call it: a path or a title.

    ``text`` is its lead, ``sections`` the prose below its headings where full text is asked for, ``redirected_from``
    the title under which it was listed where that redirects to it.
    """

    item: str
    domain: str
    title: str
    text: str
    url: str
    revision: str
    retrieved_at: datetime
    licence: str
    sections: str = ""
    redirected_from: str = ""


class Selection:
    """The articles taken so far, and the judge of the next one.

    An article is taken once, whatever domain it turns up in: none other has its title, its revision or URL, or its
    text.
    """

    def __init__(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> None:
        self._domains = tuple(domain.name for domain in domains)
        self._limit = limit
        self._filters = filters
        self._n_taken: Counter[str] = Counter()
        self._seen: dict[tuple[str, str], str] = {}
        self._slugs: set[str] = set()

    def is_full(self, domain: str) -> bool:
        """Whether the domain has all the articles it may have."""
        return self._n_taken[domain] >= self._limit

    @property
    def is_complete(self) -> bool:
        """Whether every domain asked for is full."""
        return all(self.is_full(domain) for domain in self._domains)

    def judge(self, candidate: Candidate) -> Found:
        """Take a candidate, or say why not."""
        title, lead = clean_title(candidate.title), clean_text(candidate.text)
        text = clean_text(f"{lead}\n\n{candidate.sections}") if candidate.sections else lead
        digest = sha256(text.encode()).hexdigest()
        keys = [("title", to_title_key(title)), ("text", digest)]
        keys += [("URL", candidate.url)] * bool(candidate.url) + [("revision", candidate.revision)] * bool(
            candidate.revision
        )
        flaw = find_flaw(title, lead, self._filters) if title else "has no title"
        if flaw is None:
            twice = [f"has the same {key[0]} as {self._seen[key]}" for key in keys if key in self._seen]
            flaw = twice[0] if twice else None
        if flaw is not None:
            return to_failure(candidate.item, "rejected", flaw, domain=candidate.domain)
        slug = to_distinct_slug(title, self._slugs)
        self._slugs.add(slug)
        self._seen.update((key, to_line(candidate.item)) for key in keys)
        self._n_taken[candidate.domain] += 1
        return Article(
            domain=candidate.domain,
            backbone=slug,
            title=title,
            url=candidate.url,
            revision=candidate.revision,
            retrieved_at=to_timestamp(candidate.retrieved_at),
            licence=candidate.licence,
            text=text,
            sha256=digest,
            words=count_words(text),
            redirected_from=clean_title(candidate.redirected_from),
        )


def require_article(found: Iterator[Found], source: str) -> Iterator[Found]:
    """Pass on what a source finds.

    Raises:
        InputError: at the end, if there was no article; the text names the source and the first thing not taken.
    """
    first: Failure | None = None
    n_failures = n_articles = 0
    for item in found:
        if isinstance(item, Failure):
            first = first or item
            n_failures += 1
        else:
            n_articles += 1
        yield item
    if n_articles == 0:
        more = f" (the first of {n_failures:,} not taken)" if n_failures > 1 else ""
        why = f"{first.item} {first.detail}{more}" if first else "it holds none of the domains asked for"
        raise InputError(f"{source}: no article can be used: {why}")


def to_failure(item: str, reason: FailureReason, detail: str, domain: str = "") -> Failure:
    """The row for an article that is not taken."""
    return Failure(STAGE, domain, "", to_line(item), reason, to_line(detail))


def to_line(text: str) -> str:
    r"""A text from outside as one short printable line: for messages and the failures table.

    Example:
        >>> to_line("a\nb\udcff.txt")
        'a b?.txt'
    """
    line = " ".join(clean_text(text.encode("utf-8", "replace").decode()).split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def to_timestamp(moment: datetime) -> str:
    """A moment in ISO 8601, UTC, to the second.

    Example:
        >>> to_timestamp(datetime(2026, 1, 31, tzinfo=UTC))
        '2026-01-31T00:00:00Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
