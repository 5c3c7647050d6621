"""Articles from a folder of text and Markdown files.

Which domain a file belongs to is told, in this order, by ``domain:`` in its front matter, by a folder on its way
that is named like a domain asked for (the deepest wins), or by asking for one domain only. A file of which none of
these tells goes to the domain ``unsorted``: a guess would put a wrong label on the data.
"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from providers.sources.documents import Lead, decode_text, read_markdown, read_sections, split_front_matter
from providers.sources.domains import Domain
from providers.sources.filters import ArticleFilters
from providers.sources.selection import Candidate, Found, Selection, require_article, to_failure, to_line
from schemas.errors import InputError

UNSORTED = "unsorted"
MAX_BYTES = 10_000_000

_MARKDOWN = (".md", ".markdown")
_SUFFIXES = (".txt", *_MARKDOWN)


class Folder:
    """The ``.txt``, ``.md`` and ``.markdown`` files of a folder and its subfolders, in the order of their paths.

    Hidden files and folders, and links that lead outside, are left alone. The title is that of the front matter, else
    the first heading, else the file name; the licence that of the front matter, else ``unknown``. The URL is the path
    within the folder, the retrieval time the file's modification time.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            problem = "is not a folder" if folder.exists() else "does not exist"
            raise InputError(f"source folder:{folder}: {problem}; give a folder of .txt or .md files")
        self._folder = folder

    def find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        """The folder's articles of the domains, and those of no known domain as ``unsorted``.

        A file that cannot be read is a failure with the reason ``input``; the others go on.

        Raises:
            InputError: no file at all can be used.
        """
        return require_article(self._find(domains, limit, filters), f"source folder:{self._folder}")

    def _find(self, domains: Sequence[Domain], limit: int, filters: ArticleFilters) -> Iterator[Found]:
        selection = Selection(domains, limit, filters)
        names = [domain.name for domain in domains]
        unreadable: list[OSError] = []
        paths = _list_files(self._folder, unreadable)
        if not paths and not unreadable:
            raise InputError(f"source folder:{self._folder}: holds no .txt, .md or .markdown file")
        for path in paths:
            if selection.is_complete:
                return
            item = path.relative_to(self._folder).as_posix()
            try:
                candidate = _read_file(path, item, names, is_full=filters.text == "full")
            except OSError as error:
                yield to_failure(item, "input", f"cannot be read ({error.strerror})")
                continue
            except ValueError as error:
                yield to_failure(item, "input", str(error))
                continue
            if candidate.domain not in (*names, UNSORTED):
                detail = f"is of the domain {candidate.domain!r}, which is not asked for ({', '.join(names)})"
                yield to_failure(item, "rejected", detail)
            elif not selection.is_full(candidate.domain):
                yield selection.judge(candidate)
        for error in unreadable:
            yield to_failure(
                os.path.relpath(error.filename, self._folder), "input", f"cannot be read ({error.strerror})"
            )


def _list_files(folder: Path, unreadable: list[OSError]) -> list[Path]:
    root = folder.resolve()
    paths: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=unreadable.append):
        folders[:] = (name for name in folders if not name.startswith("."))  # in place: os.walk goes down into these
        paths += (Path(parent, name) for name in files if not name.startswith("."))
    return sorted(
        path
        for path in paths
        if path.suffix.lower() in _SUFFIXES and (not path.is_symlink() or path.resolve().is_relative_to(root))
    )


def _read_file(path: Path, item: str, domains: Sequence[str], *, is_full: bool) -> Candidate:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("is not a regular file")
    if status.st_size > MAX_BYTES:
        raise ValueError(f"has {status.st_size:,} bytes; at most {MAX_BYTES:,} are read")
    document = split_front_matter(decode_text(path.read_bytes()))
    is_markdown = path.suffix.lower() in _MARKDOWN
    lead = read_markdown(document.body) if is_markdown else Lead("", document.body)
    return Candidate(
        item=item,
        domain=_find_domain(document.fields, item, domains),
        title=document.fields.get("title", "").strip() or lead.heading or _to_title(path),
        text=lead.text,
        url=to_line(item),
        revision="",
        retrieved_at=datetime.fromtimestamp(int(status.st_mtime), UTC),
        licence=document.fields.get("licence", "").strip() or document.fields.get("license", "").strip() or "unknown",
        sections=read_sections(document.body) if is_full and is_markdown else "",
    )


def _find_domain(fields: Mapping[str, str], item: str, domains: Sequence[str]) -> str:
    told = fields.get("domain", "").strip().lower()
    on_the_way = [part.lower() for part in item.split("/")[:-1] if part.lower() in domains]
    if told or on_the_way:
        return told or on_the_way[-1]
    return domains[0] if len(domains) == 1 else UNSORTED


def _to_title(path: Path) -> str:
    words = path.stem.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
