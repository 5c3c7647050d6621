"""The one interface behind which articles come from anywhere, and its entry point."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters
from providers.sources.selection import Found
from schemas.errors import InputError

SOURCES = "samples, folder:PATH, wikipedia, wikipedia:LANGUAGE or dump:PATH"


class ArticleSource(Protocol):
    """A place where articles come from."""

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """Look for articles of the domains, lazily, and stop as soon as every domain has ``limit`` of them.

        What comes out is an :class:`~schemas.articles.Article`, or a :class:`~schemas.calls.Failure` for an article
        that was looked at and not taken. Articles of different domains may come in any order; the same source,
        domains, limit and filters give the same articles, slugs and order.

        Raises:
            InputError: the source has no article at all that can be used; the text says why for the first.
            ServiceError: the service behind the source stayed broken after its retries.
        """
        ...


def open_source(spec: str, environment: Mapping[str, str] | None = None) -> ArticleSource:
    """The source that a specification names; nothing is read yet beyond looking whether it is there.

    ``wikipedia``, or ``wikipedia:de`` for another language than English, reads PRISM_CONTACT (required) and
    PRISM_WIKIPEDIA_API from the environment.

    Raises:
        InputError: the source is unknown, its path is missing, or a setting it needs.

    Example:
        >>> type(open_source("samples")).__name__
        'Samples'
    """
    kind, has_path, path = spec.partition(":")
    if kind in ("folder", "dump") and not path.strip():
        raise InputError(f"source {spec!r}: the path is missing; write {kind}:PATH")
    # Imported here because each brings a library that only its own source needs.
    if kind == "folder":
        from providers.sources.folder import Folder

        return Folder(Path(path).expanduser())
    if kind == "dump":
        from providers.sources.dump import Dump

        return Dump(Path(path).expanduser())
    if spec == "samples":
        from providers.sources.samples import Samples

        return Samples()
    if kind == "wikipedia":
        from providers.sources.wikipedia import open_wikipedia

        if has_path and not path:
            raise InputError(f"source {spec!r}: the language is missing; write wikipedia or, for example, wikipedia:de")
        return open_wikipedia(os.environ if environment is None else environment, path)
    hint = f" ({kind!r} takes no path)" if has_path and kind == "samples" else ""
    raise InputError(f"source {spec!r} is unknown{hint}: give {SOURCES}")
