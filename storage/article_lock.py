r"""The article lock: which articles a corpus was built from, as a text file to keep under version control.

``articles.lock`` in the data folder is TOML, one table for each article, ordered by domain and backbone::

    version = 1

    [economics.bank-run]
    title = "Bank run"
    url = "https://en.wikipedia.org/w/index.php?oldid=1001"
    revision = "1001"
    sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    words = 312
    source = "wikipedia"

A build writes it when it is done, from the table ``articles``; where no article changed, the file is not touched. The
table has the texts but not the kind of source, which is kept from the lock that was there before. Articles without a
text, as an imported corpus may have, cannot be built again and are not in it.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from schemas.articles import Article
from schemas.errors import InputError
from schemas.locked_articles import LockedArticle
from schemas.rows import Written
from storage.parquet import SCRATCH, read_table, replace_file

LOCK_FILE = "articles.lock"
UNKNOWN_SOURCE = "unknown"
"""The source of an article that was in the data folder before there was a lock."""

_VERSION = 1
_MAX_MESSAGE = 300
_HEADER = f"""\
# The articles of this corpus. `prism build --lock FILE` builds from exactly these.
version = {_VERSION}
"""
_COLUMNS = ("domain", "backbone", "title", "url", "revision", "sha256", "words")
_FIELDS = ("title", "url", "revision", "sha256", "words", "source")


def read_lock(path: Path) -> tuple[LockedArticle, ...]:
    """The articles of a lock, in its order.

    Raises:
        InputError: the file cannot be read, is no lock or holds no article; the text names the file, line and field.
    """
    try:
        text = path.read_text(encoding="utf-8")
        articles = parse_lock(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); give a lock that a build wrote") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 (byte {error.start}); give a lock that a build wrote") from error
    except ValueError as error:
        raise InputError(f"{path}: {_to_printable(str(error))}") from error
    if not articles:
        raise InputError(f"{path}: holds no articles; give a lock that a build wrote")
    return articles


def write_lock(data: Path, source: str, found: Iterable[Article]) -> Written:
    """Write the lock of a data folder, unless it says the same already.

    It names every article that a build found and took, also those of which no network came: another model may make one
    of it, and comparing models on the same articles is what a lock is for.

    Args:
        data: the data folder.
        source: the kind of source, such as ``folder``, that the articles came from.
        found: the articles of this build.

    Raises:
        InputError: a table cannot be read, or the file cannot be written.
    """
    path = data / LOCK_FILE
    old = _read_old(path)
    locked = {article.key: article for article in _parse_known(old)}
    sources = {(article.key, article.sha256): article.source for article in locked.values()}
    for row in read_table(data, "articles", columns=_COLUMNS).to_pylist():
        stored = LockedArticle(**row, source=UNKNOWN_SOURCE)
        locked[stored.key] = stored.with_source(sources.get((stored.key, stored.sha256), UNKNOWN_SOURCE))
    for article in found:
        built = LockedArticle(**article.model_dump(include=set(_COLUMNS)), source=source)
        locked[built.key] = built
    articles = [article for article in locked.values() if article.words]
    text = to_text(articles)
    if text == old or not articles:
        return Written(path, len(articles), False)
    replace_file(path, text.encode(), data / SCRATCH)
    return Written(path, len(articles), True)


def to_text(articles: Iterable[LockedArticle]) -> str:
    """The lock of some articles.

    Example:
        >>> bank_run = LockedArticle(
        ...     domain="economics", backbone="bank-run", title="Bank run", url="", revision="", sha256="0" * 64,
        ...     words=312, source="folder",
        ... )
        >>> parse_lock(to_text([bank_run])) == (bank_run,)
        True
    """
    return "\n".join([_HEADER, *(_to_entry(article) for article in sorted(articles, key=lambda article: article.key))])


def parse_lock(text: str) -> tuple[LockedArticle, ...]:
    """The articles of a lock's text.

    Raises:
        ValueError: it is no lock; the text is one line that names the line and the field.
    """
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_to_line_first(str(error))) from error
    except RecursionError as error:
        raise ValueError("holds values within values, too deep to be read") from error
    version = record.pop("version", None)
    if type(version) is not int or version != _VERSION:  # to Python, true and 1.0 are 1
        shown = json.dumps(version) if isinstance(version, bool | int | float | str) else "this"
        what = "is missing" if version is None else f"{shown} is not known to this program"
        raise ValueError(f"line {_find_line(text, 'version')}: version: {what}; it must be {_VERSION}")
    return tuple(
        _to_article(text, domain, backbone, entry)
        for domain, entries in record.items()
        for backbone, entry in _to_mapping(text, domain, entries).items()
    )


def _parse_known(text: str) -> tuple[LockedArticle, ...]:
    # What is about to be replaced need not be whole: a merge may have left its marks in it.
    try:
        return parse_lock(text)
    except ValueError:
        return ()


def _read_old(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _to_mapping(text: str, name: str, value: object, table: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    name = table if table and table in text else name
    raise ValueError(f"line {_find_line(text, name)}: {name}: is not the table of an article, [DOMAIN.BACKBONE]")


def _to_article(text: str, domain: str, backbone: str, entry: object) -> LockedArticle:
    from pydantic import ValidationError

    name = f"{domain}.{backbone}"
    values = _to_mapping(text, name, entry, table=f"[{domain}]")
    unknown = [field for field in values if field not in _FIELDS]
    if unknown:
        raise ValueError(f"line {_find_line(text, f'[{name}]', unknown[0])}: {name}: {unknown[0]}: is no known field")
    try:
        return LockedArticle(domain=domain, backbone=backbone, **values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = str(first["loc"][0])
        problem = "is missing" if first["type"] == "missing" else first["msg"].removeprefix("Value error, ")
        raise ValueError(f"line {_find_line(text, f'[{name}]', field)}: {name}: {field}: {problem}") from error


def _to_entry(article: LockedArticle) -> str:
    values = article.model_dump(include=set(_FIELDS))
    lines = [f"{field} = {_to_toml(values[field])}" for field in _FIELDS]
    return "\n".join([f"[{article.domain}.{article.backbone}]", *lines, ""])


def _to_toml(value: str | int) -> str:
    # JSON's strings and numbers are TOML's, but for the one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _to_line_first(message: str) -> str:
    problem = re.fullmatch(r"(?P<what>.*) \(at (?P<where>line \d+)(?:, column \d+)?\)", message, re.DOTALL)
    return f"{problem['where']}: {problem['what']}" if problem else message


def _to_printable(text: str) -> str:
    """A message that quotes the file, as one line that does nothing to a terminal."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= _MAX_MESSAGE else f"{line[: _MAX_MESSAGE - 1]}…"


def _find_line(text: str, start: str, field: str = "") -> int:
    """The number of the line that begins so or, below it and before the next table, with the field."""
    lines = [line.strip() for line in text.split("\n")]
    first = next((i for i, line in enumerate(lines) if line.startswith(start)), 0)
    for i in range(first + 1, len(lines) if field else 0):
        if lines[i].startswith("["):
            break
        if lines[i].partition("=")[0].strip(" \"'") == field:
            return i + 1
    return first + 1
