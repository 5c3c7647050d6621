"""Finding the articles of a lock again among those that a source has now.

An article is recognised by its text, however its paragraphs are set apart, else by its address, else by its title or
one that redirects to it. With the same text it is the locked article, whatever else has changed around it, and goes
under the lock's domain, slug, title, address and revision. With another text it is a change, and so is a locked article
that is not found.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from providers.sources.filters import clean_title, to_title_key
from providers.sources.selection import Found, to_failure, to_line
from schemas.articles import Article
from schemas.calls import Failure, FailureReason
from schemas.locked_articles import LockedArticle

MAX_FILES = 100
"""Articles that are not built and whose rows are filed under their own backbones, at most."""

_DIGEST = 12  # hex digits of a checksum that a person is shown


@dataclass(frozen=True, slots=True)
class Change:
    """A locked article whose text the source does not have, and why."""

    locked: LockedArticle
    reason: FailureReason
    detail: str

    def __str__(self) -> str:
        """The title and what became of it, as one line that can be shown."""
        return f"{to_line(self.locked.title)} {to_line(self.detail)}"

    def to_failure(self, more: str = "") -> Failure:
        """The row for it; ``more`` goes on after the detail."""
        failure = to_failure(self.locked.title, self.reason, "; ".join(filter(None, (self.detail, more))))
        return replace(failure, domain=self.locked.domain, backbone=self.locked.backbone)


def limit_files(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """The rows of articles that are not built: beyond the first ones they are filed under their domain alone.

    There the rows of all articles that a source does not take are. The ledger writes a file for each backbone that it
    hears of, and a lock may name thousands that are never built.
    """
    return (*failures[:MAX_FILES], *(replace(failure, backbone="") for failure in failures[MAX_FILES:]))


@dataclass(frozen=True, slots=True)
class PinnedArticles:
    """The locked articles that are as they were, and the others."""

    articles: tuple[Article, ...]
    changes: tuple[Change, ...]


def pin_articles(locked: Sequence[LockedArticle], found: Iterable[Found]) -> PinnedArticles:
    """The locked articles among those found, in the order of the lock; what is not locked is passed over.

    Memory is bounded by the lock, however much is found, and looking ends as soon as all are there unchanged.
    """
    search = _Search(locked)
    for item in found:
        search.look_at(item)
        if search.is_complete:
            break
    return search.finish()


class _Search:
    """The locked articles by everything they can be recognised by, and the best that was found for each."""

    def __init__(self, locked: Sequence[LockedArticle]) -> None:
        self._locked = locked
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, article in enumerate(locked):
            for key in _to_keys(article.sha256, article.url, article.title):
                self._places[key].append(place)
        self._exact: dict[int, Article] = {}
        self._others: dict[int, tuple[int, Article]] = {}
        self._why: dict[int, Failure] = {}

    @property
    def is_complete(self) -> bool:
        """Whether every locked article is there with its text."""
        return len(self._exact) == len(self._locked)

    def look_at(self, item: Found) -> None:
        """Keep what was found where it is locked."""
        if isinstance(item, Failure):
            for key in _to_keys("", item.item, item.item):
                for place in self._places.get(key, ()):
                    self._why.setdefault(place, item)
            return
        is_locked = False
        for digest, text in to_forms(item.text).items():
            for place in self._places.get(("sha256", digest), ()):
                self._exact.setdefault(place, item.model_copy(update={"text": text, "sha256": digest}))
                is_locked = True
        if is_locked:  # it is a locked article itself, and no changed version of another
            return
        for rank, key in enumerate(_to_keys("", item.url, item.title, item.redirected_from)):
            for place in self._places.get(key, ()):
                # An article of the same name in another domain is less likely meant than one in its own.
                distance = 2 * rank + (self._locked[place].domain != item.domain)
                if place not in self._others or distance < self._others[place][0]:
                    self._others[place] = (distance, item)

    def finish(self) -> PinnedArticles:
        """What came of it."""
        articles: list[Article] = []
        changes: list[Change] = []
        for place, locked in enumerate(self._locked):
            if place in self._exact:
                articles.append(to_locked_article(locked, self._exact[place]))
            elif place in self._others:
                changes.append(Change(locked, "rejected", describe_change(locked, self._others[place][1])))
            else:
                changes.append(_to_loss(locked, self._why.get(place)))
        return PinnedArticles(tuple(articles), tuple(changes))


def to_locked_article(locked: LockedArticle, found: Article) -> Article:
    """An article found, under the names that the lock has for it."""
    return found.model_copy(update=to_names(locked))


def to_names(locked: LockedArticle) -> dict[str, str]:
    """What an article is called in the lock, in the form that the corpus takes: anybody may have written a lock."""
    return {
        "domain": locked.domain,
        "backbone": locked.backbone,
        "title": clean_title(locked.title),
        "url": to_line(locked.url),
        "revision": to_line(locked.revision),
    }


def describe_change(locked: LockedArticle, found: Article) -> str:
    """How an article's text differs from the locked one, in one line."""
    return (
        f"has changed: locked is {_describe(locked.revision, locked.words, locked.sha256)}, "
        f"found {_describe(found.revision, found.words, found.sha256)}"
    )


def _describe(revision: str, words: int, sha256: str) -> str:
    return (f"revision {revision}, " if revision else "") + f"{words:,} words, sha256 {sha256[:_DIGEST]}…"


def _to_loss(locked: LockedArticle, failure: Failure | None) -> Change:
    if failure is None:
        return Change(locked, "rejected", "is locked and not found any more")
    return Change(locked, failure.reason, f"is locked and cannot be had: {failure.detail}")


def to_forms(text: str) -> dict[str, str]:
    r"""The ways of setting a text's paragraphs apart, by their SHA-256: its own, on lines of their own, a line between.

    Sources differ in this and in nothing else, so a text in another form is no other text.

    Example:
        >>> list(to_forms("Rain.\n\nSnow.").values())
        ['Rain.\n\nSnow.', 'Rain.\nSnow.']
    """
    forms = (text, re.sub(r"\n+", "\n", text), re.sub(r"\n+", "\n\n", text))
    return {sha256(form.encode()).hexdigest(): form for form in forms}


def _to_keys(sha256: str, url: str, *titles: str) -> list[tuple[str, str]]:
    """What an article can be recognised by, the surest first."""
    keys = [("sha256", sha256), ("url", url), *(("title", to_title_key(title)) for title in titles)]
    return [key for key in keys if key[1]]
