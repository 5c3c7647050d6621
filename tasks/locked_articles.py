"""The articles of a build that is pinned to a lock.

What becomes of a locked article that the source does not have any more with the locked text is the setting
``on_change``:

- ``refuse`` ends the build before any model is asked;
- ``report`` leaves the article out and builds the others;
- ``fetch`` gets the locked text elsewhere: from the tables of the data folder, where a build left it, else from the
  wiki, as the wikitext of the locked revision. The first is the same text for certain. The second is the same
  revision for certain, while its text is what our own reader makes of it (:mod:`providers.sources.revisions`). Where
  its checksum is the locked one, in one of the two ways of setting paragraphs apart, it is the same text, too.
  Otherwise the article is built from it all the same, since that is as near as anybody can get, and a row in
  ``failures`` says that the text is another one. What cannot be had at all is left out as with ``report``.

Each change is a row of ``failures`` in all three, but for articles whose locked text ``fetch`` got back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from sys import maxsize

from providers.sources.domains import Domain, Seed
from providers.sources.filters import ArticleFilters, count_words
from providers.sources.revisions import NO_REVISION, find_host, open_revisions
from providers.sources.selection import Found, to_timestamp
from providers.sources.source import open_source
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError, ServiceError
from schemas.locked_articles import LockedArticle
from schemas.settings import BuildSettings
from storage.article_lock import read_lock
from storage.records import read_articles
from tasks.pinning import Change, PinnedArticles, limit_files, pin_articles, to_forms, to_names

_N_NAMED = 3


@dataclass(frozen=True, slots=True)
class LockedBuild:
    """What a pinned build has to work with: articles, and the rows for what changed."""

    articles: tuple[Article, ...]
    failures: tuple[Failure, ...]
    refusal: InputError | None = None
    """Why nothing is to be built."""


def find_locked_articles(settings: BuildSettings) -> LockedBuild:
    """The articles of the lock that the settings name, as far as they are to be had.

    Raises:
        InputError: the lock or the source is wrong, or holds nothing of what is asked for.
        ServiceError: a service that is needed does not answer.
    """
    locked = choose_locked(settings)
    pinned = _find_pinned(settings, locked)
    match settings.on_change:
        case "fetch":
            return _restore(settings, pinned)
        case "refuse" if pinned.changes:
            failures = limit_files([change.to_failure() for change in pinned.changes])
            return LockedBuild((), failures, _to_refusal(settings.lock, pinned))
        case _:
            failures = limit_files([change.to_failure("not built") for change in pinned.changes])
            return LockedBuild(pinned.articles, failures)


def choose_locked(settings: BuildSettings) -> tuple[LockedArticle, ...]:
    """The articles of the lock that a build is about: of the domains asked for, and of its own kind of source.

    A data folder may hold articles of several sources. Where the lock has none of this kind of source, all are meant:
    the same articles are looked for elsewhere, as in a dump of the wiki.

    Raises:
        InputError: the lock is wrong, or has no such articles.
    """
    locked = read_lock(Path(settings.lock).expanduser())
    of_domain = [article for article in locked if not settings.domains or article.domain in settings.domains]
    if not of_domain:
        raise InputError(f"--lock {settings.lock}: has no article of {', '.join(settings.domains)}")
    kind = settings.source.partition(":")[0]
    return tuple(article for article in of_domain if article.source == kind) or tuple(of_domain)


def _find_pinned(settings: BuildSettings, locked: Sequence[LockedArticle]) -> PinnedArticles:
    domains = [
        Domain(name, tuple(Seed("article", title) for title in sorted({article.title for article in articles})), True)
        for name, articles in groupby(sorted(locked, key=lambda article: article.key), lambda article: article.domain)
    ]
    return pin_articles(locked, _find_by_name(settings, domains))


def _find_by_name(settings: BuildSettings, domains: Sequence[Domain]) -> Iterator[Found]:
    filters = ArticleFilters(settings.min_words, settings.max_words, settings.text)
    source = open_source(settings.source)
    try:
        yield from source.find(domains, maxsize, filters)
    except InputError:  # the source has nothing at all, which is no matter where all of it can be had elsewhere
        if settings.on_change != "fetch":
            raise


def _to_refusal(lock: str, pinned: PinnedArticles) -> InputError:
    for change in pinned.changes:
        if change.reason in ("service", "access"):  # nobody knows whether it has changed
            raise ServiceError(f"--lock {lock}: {change}", kind=change.reason)
    n, n_locked = len(pinned.changes), len(pinned.changes) + len(pinned.articles)
    named = "; ".join(str(change) for change in pinned.changes[:_N_NAMED])
    more = f"; and {n - _N_NAMED} more, listed in the table failures" if n > _N_NAMED else ""
    hint = "; are --text and the word limits the same as then?" if n == n_locked > 1 else ""
    return InputError(
        f"--lock {lock}: {n} of {n_locked} articles are not what they were, and nothing was built: {named}{more}{hint} "
        "(--on-change report builds the others, --on-change fetch gets the locked texts)"
    )


def _restore(settings: BuildSettings, pinned: PinnedArticles) -> LockedBuild:
    articles, missing = list(pinned.articles), list[Change]()
    failures, lost = list[Failure](), list[Failure]()
    for change in pinned.changes:
        stored = _find_stored(settings, change.locked)
        if stored is None:
            missing.append(change)
        else:
            articles.append(stored)
    for change, fetched in _fetch(settings, missing):
        if isinstance(fetched, Article):
            articles.append(fetched)
            if fetched.sha256 != change.locked.sha256:
                failures.append(replace(change, reason="rejected").to_failure(_describe_reading(fetched)))
        else:
            lost.append(change.to_failure(f"not built: {fetched}"))
    articles.sort(key=lambda article: (article.domain, article.backbone))
    return LockedBuild(tuple(articles), (*failures, *limit_files(lost)))


def _find_stored(settings: BuildSettings, locked: LockedArticle) -> Article | None:
    stored = read_articles(Path(settings.data), *locked.key)
    return next((article for article in stored if article.sha256 == locked.sha256), None)


def _fetch(settings: BuildSettings, changes: Sequence[Change]) -> Iterator[tuple[Change, Article | str]]:
    """Each change with the article that its revision makes, or with the reason why there is none."""
    if not any(change.locked.revision for change in changes):
        yield from ((change, NO_REVISION) for change in changes)
        return
    revisions = open_revisions(_find_language(settings.source, changes))
    flaws = [revisions.find_flaw(change.locked) for change in changes]
    wanted = [change.locked.revision for change, flaw in zip(changes, flaws, strict=True) if not flaw]
    fetched = revisions.fetch(wanted, settings.text) if wanted else {}
    for change, flaw in zip(changes, flaws, strict=True):
        revision = fetched.get(change.locked.revision)
        if flaw or revision is None:
            yield change, flaw
        elif revision.flaw:
            yield change, f"its revision {revision.flaw}"
        else:
            yield change, _to_article(change.locked, revision.text, revisions.licence)


def _find_language(source: str, changes: Sequence[Change]) -> str:
    kind, _, language = source.partition(":")
    if kind == "wikipedia":
        return language
    hosts = [find_host(change.locked.url) for change in changes]
    found = next((host.removesuffix(".wikipedia.org") for host in hosts if host.endswith(".wikipedia.org")), "en")
    return "" if found == "en" else found


def _to_article(locked: LockedArticle, text: str, licence: str) -> Article:
    text = to_forms(text).get(locked.sha256, text)
    names = to_names(locked)
    return Article(
        domain=locked.domain,
        backbone=locked.backbone,
        title=names["title"],
        url=names["url"],
        revision=names["revision"],
        retrieved_at=to_timestamp(datetime.now(UTC)),
        licence=licence,
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
        words=count_words(text),
    )


def _describe_reading(article: Article) -> str:
    return (
        f"built from the wikitext of revision {article.revision}, which reads differently: {article.words:,} words, "
        f"sha256 {article.sha256[:12]}…"
    )
