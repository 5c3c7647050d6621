"""Articles from a MediaWiki export: ``.xml``, ``.xml.bz2`` or ``.xml.gz``, read as a stream, a page at a time.

Asked for one domain, every article of the export belongs to it: the export was made or chosen for it. Asked for
several, or for one whose seeds were given with the run, an article belongs to the domain whose seeds it matches
(:mod:`providers.sources.matching`); those that match none are counted and reported together at the end.
"""

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote, urlsplit
from xml.etree.ElementTree import ParseError

import mwxml
from mwxml.element_iterator import ElementIterator
from mwxml.errors import MalformedXML

from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters, to_title_key
from providers.sources.markup_limits import MAX_PAGE, MAX_WIKITEXT, refuse_length
from providers.sources.matching import match_domain
from providers.sources.rejections import condense_rejections
from providers.sources.sections import read_sections
from providers.sources.selection import Candidate, Found, Selection, require_article, to_failure
from providers.sources.wikitext import (
    cut_lead,
    drop_notes,
    find_categories,
    has_formulas,
    is_disambiguation,
    is_list,
    to_prose,
)
from schemas.errors import InputError

_ARTICLES, _FILES, _CATEGORIES = 0, 6, 14
_WIKIPEDIA_LICENCE = "CC BY-SA 4.0"
_N_NAMED = 5
_NOT_THERE = "is not in the export, or is a redirect there"
# What the parsers raise for a file that is cut off, damaged or something else altogether.
_PARSER_ERRORS = (
    *(ParseError, MalformedXML, EOFError, OSError, zlib.error),
    *(ValueError, TypeError, AttributeError, AssertionError),
)
_Opener = Callable[[Path, str], IO[bytes]]
# To the type checker a gzip file is not quite a binary file.
_OPENERS = {b"BZh": bz2.open, b"\x1f\x8b\x08": cast(_Opener, gzip.open)}


@dataclass(frozen=True, slots=True)
class _Wiki:
    """What an export says of its wiki."""

    base: str
    category_prefixes: tuple[str, ...]
    media_prefixes: tuple[str, ...]

    @property
    def licence(self) -> str:
        host = urlsplit(self.base).hostname or ""
        return _WIKIPEDIA_LICENCE if host.endswith(".wikipedia.org") else "unknown"

    def to_url(self, title: str, revision: str) -> str:
        """The permanent link to a revision; the base is the address of the main page."""
        folder = self.base.rpartition("/")[0]
        return f"{folder}/{quote(title.replace(' ', '_'))}?oldid={revision}" if folder else ""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page's newest revision in the export."""

    wiki: _Wiki
    title: str
    revision: str
    wikitext: str


class _BrokenExport(Exception):
    """The export cannot be read on; the text says where and why."""


class Dump:
    """The articles of an export, in its order; redirects and pages outside the article namespace are passed over.

    Where a page has several revisions the last counts. The retrieval time is the file's modification time. The licence
    is Wikipedia's where the export says it is of Wikipedia, else ``unknown``.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            problem = "is not a file" if path.exists() else "does not exist"
            raise InputError(f"source dump:{path}: {problem}; give a MediaWiki export, .xml, .xml.bz2 or .xml.gz")
        self._path = path

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """The export's articles of the domains; of what it turns down, the first of each kind and how many more.

        Where the file breaks off or is damaged, what was found before stays, and a failure with the reason ``input``
        says where it ended.

        Raises:
            InputError: the file is no export, or has no article that can be used.
        """
        found = require_article(self._find(domains, limit, filters), f"source dump:{self._path}")
        return condense_rejections(found, self._path.name)

    def _find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        selection = Selection(domains, limit, filters)
        retrieved_at = datetime.fromtimestamp(int(self._path.stat().st_mtime), UTC)
        titles, unmatched = _list_titles(domains), _Unmatched()
        has_titles_only, is_full = _has_titles_only(domains), False
        try:
            for page in _read_pages(self._path):
                key = to_title_key(page.title)
                named = titles.pop(key, None)
                domain = named if has_titles_only else _find_domain(page, domains)
                if domain is None:
                    unmatched.add(page.title)
                elif not selection.is_full(domain):
                    yield _judge(page, domain, retrieved_at, selection, is_full=filters.text == "full")
                    is_full = selection.is_complete
                    if is_full or (has_titles_only and not titles):
                        break
        except _BrokenExport as error:
            yield to_failure(self._path.name, "input", str(error))
        why = "was not come to before the domain was full" if is_full else _NOT_THERE
        for title, domain in titles.items():
            yield to_failure(title, "rejected", why, domain=domain)
        if unmatched.n and not has_titles_only and not is_full:
            yield to_failure(self._path.name, "rejected", unmatched.describe())


@dataclass(slots=True)
class _Unmatched:
    """The articles that belong to no domain: how many, and the first by name."""

    n: int = 0
    titles: list[str] = field(default_factory=list[str])

    def add(self, title: str) -> None:
        self.n += 1
        if len(self.titles) < _N_NAMED:
            self.titles.append(title)

    def describe(self) -> str:
        names = ", ".join(self.titles) + (", …" if self.n > len(self.titles) else "")
        return f"has {self.n:,} articles that match no seed of the domains asked for ({names})"


def _read_pages(path: Path) -> Iterator[_Page]:
    title = ""
    try:
        with _open_export(path) as stream:
            root = ElementIterator.from_file(stream)
            if root.tag != "mediawiki":
                raise _BrokenExport(f"is no MediaWiki export: its root is <{root.tag}>, not <mediawiki>")
            dump = mwxml.Dump.from_element(root)
            wiki = _to_wiki(dump.site_info)
            for page in dump.pages:
                # The parser keeps an emptied element per page under the root: over millions of pages that adds up.
                del root.element[:]
                title = str(page.title)
                revision = None
                if page.redirect is None and page.namespace == _ARTICLES:
                    for revision in page:  # noqa: B007 - the last one is wanted
                        pass
                if revision is not None:
                    yield _Page(wiki, title, str(revision.id), revision.slots.contents["main"].text or "")
    except _PARSER_ERRORS as error:
        where = f"breaks off after the page {title!r}" if title else "cannot be read as a MediaWiki export"
        raise _BrokenExport(f"{where} ({str(error)[:80] or type(error).__name__})") from error


def _open_export(path: Path) -> IO[bytes]:
    with path.open("rb") as stream:
        opener = _OPENERS.get(stream.read(3))
    return opener(path, "rb") if opener else path.open("rb")


def _to_wiki(site: mwxml.SiteInfo) -> _Wiki:
    names = {space.id: str(space.name).lower() for space in site.namespaces or ()}
    categories = ("category", names.get(_CATEGORIES, "category"))
    files = ("file", "image", names.get(_FILES, "file"))
    return _Wiki(site.base or "", categories, (*files, *categories))


def _has_titles_only(domains: Sequence[Domain]) -> bool:
    """Whether all articles are asked for by their titles; no other page need be looked at then."""
    return all(domain.is_strict and {seed.kind for seed in domain.seeds} == {"article"} for domain in domains)


def _list_titles(domains: Sequence[Domain]) -> dict[str, str]:
    """The titles that a user asked for, and the domain of each."""
    return {
        to_title_key(seed.query): domain.name
        for domain in reversed(domains)
        if domain.is_strict
        for seed in domain.seeds
        if seed.kind == "article"
    }


def _find_domain(page: _Page, domains: Sequence[Domain]) -> str | None:
    if len(domains) == 1 and not domains[0].is_strict:
        return domains[0].name
    categories = find_categories(page.wikitext, page.wiki.category_prefixes)
    return match_domain(domains, page.title, drop_notes(cut_lead(page.wikitext)[:MAX_WIKITEXT]), categories)


def _judge(page: _Page, domain: str, retrieved_at: datetime, selection: Selection, *, is_full: bool) -> Found:
    lead = cut_lead(page.wikitext)
    flaw = text = ""
    if is_disambiguation(page.wikitext):
        flaw = "is a disambiguation or name page by its templates"
    elif is_list(lead):
        flaw = "is a list by its text"
    elif has_formulas(lead):
        flaw = "has formulas in its lead"
    elif len(lead) > MAX_WIKITEXT:
        flaw = f"has {len(lead):,} characters before its first heading; at most {MAX_WIKITEXT:,} are looked at"
    else:
        try:
            refuse_length(page.wikitext, MAX_PAGE)
            text = to_prose(lead, page.wiki.media_prefixes)
        except ValueError as error:
            flaw = str(error)
    if flaw:
        return to_failure(page.title, "rejected", flaw, domain=domain)
    return selection.judge(
        Candidate(
            item=page.title,
            domain=domain,
            title=page.title,
            text=text,
            url=page.wiki.to_url(page.title, page.revision),
            revision=page.revision,
            retrieved_at=retrieved_at,
            licence=page.wiki.licence,
            sections=read_sections(page.wikitext[len(lead) :], page.wiki.media_prefixes) if is_full else "",
        )
    )
