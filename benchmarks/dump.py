"""Reading a MediaWiki export of any size: ``.venv/bin/python -m benchmarks.dump EXPORT.xml.bz2 [--mb 600]``.

The pages of an export are repeated, each under another title, revision and text, until they fill the size asked for.
All of it is read for several domains, one of which stays empty, so that nothing stops early; each reading runs in a
process of its own, whose peak memory is printed. The files are made in a temporary folder and go with it.
"""

import argparse
import bz2
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from providers.sources.domains import Domain, Seed, load_domains
from providers.sources.dump import Dump
from providers.sources.filters import ArticleFilters
from schemas.articles import Article

PER_DOMAIN = 1000
_NOWHERE = Domain("nowhere", (Seed("category", "a category that no page is in"),))
_LEVEL = 1  # of compression: the reading is measured, not the writing


def repeat_pages(export: bytes, n_bytes: int) -> Iterator[bytes]:
    """An export's head, its pages again and again, and its end."""
    head, pages, end = _split(export)
    yield head
    size, number = len(head), 0
    while size < n_bytes:
        copy = _renumber(pages, number) if number else pages
        yield copy
        size, number = size + len(copy), number + 1
    yield end


def _split(export: bytes) -> tuple[bytes, bytes, bytes]:
    start, end = export.index(b"<page>"), export.rindex(b"</page>") + len(b"</page>")
    return export[:start], export[start:end], export[end:]


def _renumber(pages: bytes, number: int) -> bytes:
    tag = str(number).encode()
    pages = pages.replace(b"</title>", b" " + tag + b"</title>")
    pages = re.sub(rb"<id>(\d+)</id>", rb"<id>\g<1>0" + tag + b"</id>", pages)
    return re.sub(rb"(<text [^>]*[^/]>)(?!#)", rb"\g<1>Copy " + tag + b". ", pages)


def write_copies(export: bytes, folder: Path, n_mb: int) -> tuple[Path, Path]:
    """The repeated export, plain and compressed."""
    plain, packed = folder / f"{n_mb}.xml", folder / f"{n_mb}.xml.bz2"
    with plain.open("wb") as file, bz2.open(packed, "wb", compresslevel=_LEVEL) as archive:
        for piece in repeat_pages(export, n_mb * 1_000_000):
            file.write(piece)
            archive.write(piece)
    return plain, packed


def read_all(path: Path) -> None:
    """Read an export and print its figures: this is what runs in a process of its own."""
    domains = (*load_domains(environment={}), _NOWHERE)
    started = time.perf_counter()
    n_articles = n_rows = 0
    for item in Dump(path).find(domains, PER_DOMAIN, ArticleFilters()):
        n_articles += isinstance(item, Article)
        n_rows += not isinstance(item, Article)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{n_articles} articles, {n_rows} rows of failures, {seconds:.1f} s, peak {peak:.0f} MB")


def measure(path: Path, n_mb: int) -> None:
    """Read an export in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.dump", "--read", str(path)]
    result = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - this very script
    figures = result.stdout.strip()
    seconds = float(figures.split(" s,")[0].rpartition(" ")[2])
    print(f"{n_mb:4d} MB {''.join(path.suffixes):9s} {n_mb / max(seconds, 0.1):5.1f} MB/s: {figures}", flush=True)


def main() -> None:
    """Measure the small export and the large one, plain and compressed."""
    parser = argparse.ArgumentParser(description="Memory and speed of reading a MediaWiki export.")
    parser.add_argument("export", type=Path, help="an export, .xml or .xml.bz2")
    parser.add_argument("--mb", type=int, default=600, help="size of the large one in MB")
    parser.add_argument("--read", action="store_true", help="read the export as it is and print the figures")
    options = parser.parse_args()
    if options.read:
        read_all(options.export)
        return
    content = options.export.read_bytes()
    export = bz2.decompress(content) if content.startswith(b"BZh") else content
    with tempfile.TemporaryDirectory() as folder:
        for n_mb in (max(1, len(export) // 1_000_000), options.mb):
            for path in write_copies(export, Path(folder), n_mb):
                measure(path, n_mb)
                path.unlink()


if __name__ == "__main__":
    main()
