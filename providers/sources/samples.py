"""The short articles that come with the project, written for it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path

from providers.sources.documents import decode_text, split_front_matter
from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters
from providers.sources.selection import Candidate, Found, Selection, require_article
from schemas.errors import InputError

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples" / "articles"


class Samples:
    """The articles in ``samples/articles``: front matter (title, domain, licence, written) and a text.

    An article's text is everything after the front matter; its URL is the file's path within the project, its
    retrieval time the day it was written.
    """

    def __init__(self, folder: Path = SAMPLES) -> None:
        self._folder = folder

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """The sample articles of the domains, by domain and file name.

        Raises:
            InputError: a file is broken or missing, or none belongs to the domains or passes the filters.
        """
        return require_article(self._find(domains, limit, filters), "samples")

    def _find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        selection = Selection(domains, limit, filters)
        candidates = [_read_sample(path) for path in sorted(self._folder.glob("*.md"))]
        if not candidates:
            raise InputError(f"samples: {self._folder} holds no articles; restore it from the repository")
        for domain in domains:
            for candidate in candidates:
                if candidate.domain == domain.name and not selection.is_full(domain.name):
                    yield selection.judge(candidate)


def _read_sample(path: Path) -> Candidate:
    place = f"samples/articles/{path.name}"
    try:
        document = split_front_matter(decode_text(path.read_bytes()))
        fields = {name: document.fields.get(name, "").strip() for name in ("title", "domain", "licence", "written")}
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{place}: {error}") from error
    missing = [name for name, value in fields.items() if not value]
    if missing:
        raise InputError(f"{place}: front matter: {missing[0]} is missing")
    try:
        written = date.fromisoformat(fields["written"])
    except ValueError as error:
        raise InputError(f"{place}: front matter: written: {fields['written']!r} is not a date") from error
    return Candidate(
        item=place,
        domain=fields["domain"],
        title=fields["title"],
        text=document.body,
        url=place,
        revision="",
        retrieved_at=datetime.combine(written, time(), UTC),
        licence=fields["licence"],
    )
