"""Finding articles, and raw backbones that bring theirs along."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from prefect import task

from providers.sources.domains import choose_domains
from providers.sources.filters import ArticleFilters
from providers.sources.source import open_source
from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError
from schemas.raw_backbones import ImportedBackbone, read_backbone
from schemas.settings import BuildSettings
from tasks.locked_articles import find_locked_articles
from tasks.options import TASK_OPTIONS
from tasks.session import current_session


@task(name="find-articles", task_run_name="articles from {settings.source}", **TASK_OPTIONS)
async def find_articles(settings: BuildSettings) -> tuple[Article, ...]:
    """The articles of a source that the corpus takes, in order of domain and slug; rejections go to the failures.

    Of a build that is pinned to a lock, its articles (:mod:`tasks.locked_articles`).

    Raises:
        InputError: the source or the lock cannot be used, or locked articles have changed and that is not to be.
        ServiceError: a service that is needed does not answer.
    """
    if settings.lock:
        build = await asyncio.to_thread(find_locked_articles, settings)
        current_session().fail(*build.failures)
        if build.refusal is not None:
            raise build.refusal
        return build.articles
    domains = choose_domains(settings)
    source = open_source(settings.source)
    filters = ArticleFilters(settings.min_words, settings.max_words, settings.text)
    found = await asyncio.to_thread(lambda: list(source.find(domains, settings.per_domain, filters)))
    current_session().fail(*(item for item in found if isinstance(item, Failure)))
    articles = [item for item in found if isinstance(item, Article)]
    return tuple(sorted(articles, key=lambda article: (article.domain, article.backbone)))


@task(name="read-backbones", task_run_name="backbones from {path}", **TASK_OPTIONS)
def read_backbones(path: str) -> tuple[ImportedBackbone, ...]:
    """The raw backbones of a JSON Lines file, all of them or none.

    Raises:
        InputError: the file cannot be read, or one of its records cannot be used.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        moment = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: is not UTF-8 (byte {error.start})") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise InputError(f"{file}: holds no records; give one JSON record a line")
    if len(lines) > 1 and text.lstrip().startswith("{\n"):
        lines = [(1, text)]  # a single record, printed over many lines
    retrieved_at = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    imported = tuple(
        read_backbone(line, where=f"{file}: line {number}", retrieved_at=retrieved_at) for number, line in lines
    )
    _refuse_repeats(file, [item.article.backbone for item in imported])
    return imported


def _refuse_repeats(file: Path, slugs: list[str]) -> None:
    for slug in slugs:
        if slugs.count(slug) > 1:
            raise InputError(f"{file}: two records are called {slug!r}; give every record another title")
