"""Rejections in bounded memory: the first of each kind by name, the rest as a count.

A dump of a whole wiki turns down millions of pages. A row for each would fill the failures table, and tell nobody more
than how many there were of which kind, with some to look at.
"""

import re
from collections import Counter
from collections.abc import Iterator

from providers.sources.selection import Found, to_failure
from schemas.calls import Failure

N_NAMED = 20
"""Rejections of one kind in one domain that are passed on as they are."""

_MAX_KINDS = 500
# What differs between two rejections of one kind: numbers, quoted markup, the name of the article that is the same.
_PARTICULARS = re.compile(r"\d[\d,]*|'[^']*'|(?<= as ).*")

_Kind = tuple[str, str]


def condense_rejections(found: Iterator[Found], source: str, n_named: int = N_NAMED) -> Iterator[Found]:
    """Pass on what a source finds, but of each domain and kind of rejection the first ``n_named`` only.

    The others are counted, and at the end one row of ``source`` for each domain and kind says how many they were.
    Articles and failures with another reason are all passed on.

    Example:
        >>> pages = (to_failure(f"Page {n}", "rejected", f"has {n} words; at least 80 are needed") for n in range(5))
        >>> [(row.item, row.detail) for row in condense_rejections(pages, "wiki.xml", n_named=1)][1]
        ('wiki.xml', "has 4 more articles turned down like 'Page 0', which has 0 words; at least 80 are needed")
    """
    first: dict[_Kind, Failure] = {}
    n_seen: Counter[_Kind] = Counter()
    for item in found:
        if isinstance(item, Failure) and item.reason == "rejected":
            kind = _to_kind(item)
            if kind not in first and len(first) >= _MAX_KINDS:
                kind = (item.domain, "")
            first.setdefault(kind, item)
            n_seen[kind] += 1
            if n_seen[kind] > n_named:
                continue
        yield item
    for kind, failure in first.items():
        n_more = n_seen[kind] - n_named
        if n_more > 0:
            articles = "article" if n_more == 1 else "articles"
            detail = f"has {n_more:,} more {articles} turned down like {failure.item!r}, which {failure.detail}"
            yield to_failure(source, "rejected", detail, domain=failure.domain)


def _to_kind(failure: Failure) -> _Kind:
    return failure.domain, _PARTICULARS.sub("", failure.detail)
