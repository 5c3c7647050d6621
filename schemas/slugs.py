"""Slugs: the names under which domains and backbones stand in paths and partition keys.

A slug is made of ``[a-z0-9-]``, begins with a letter, ends without a hyphen and has at most 60 characters. Words that
a Parquet reader takes for a value of another type than text (``true``, ``null``, ``nan``, and DuckDB's dates ``epoch``
and ``infinity``) are no slugs.
"""

import re
import unicodedata
from collections.abc import Container
from hashlib import sha256

MAX_SLUG_LENGTH = 60

_SLUG = re.compile(r"[a-z](?:[a-z0-9-]*[a-z0-9])?")
_RESERVED = frozenset({"true", "false", "null", "nan", "inf", "none", "infinity", "epoch"})
_PLAIN = re.compile(r"[A-Za-z0-9 ,.:'()_-]*")
_SUFFIX_LENGTH = 6
_FALLBACK = "article"


def is_slug(text: str) -> bool:
    """Whether the text can stand in a path and be a partition key as it is.

    Example:
        >>> is_slug("economic-crises"), is_slug("2008"), is_slug("null"), is_slug("../etc")
        (True, False, False, False)
    """
    return len(text) <= MAX_SLUG_LENGTH and _SLUG.fullmatch(text) is not None and text not in _RESERVED


def to_slug(title: str) -> str:
    """The slug of a title: ASCII-folded (NFKD), lower case, everything between words a hyphen.

    A title that does not survive this whole (accents, other scripts, symbols, a leading digit, a reserved word, too
    many letters) gets the first 6 hex digits of the SHA-256 of its NFC form as a suffix. So two titles share a slug
    only if they differ in nothing but letter case, spaces and the punctuation ``,.:'()_-``.

    Example:
        >>> to_slug("Economic crises"), to_slug("Crisis, what crisis"), to_slug("São Paulo"), to_slug("経済")
        ('economic-crises', 'crisis-what-crisis', 'sao-paulo-f00fd8', 'article-aa9262')
    """
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower().replace("'", "")
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    if _PLAIN.fullmatch(title) and is_slug(slug):
        return slug
    return _add_digest(slug, title, _SUFFIX_LENGTH)


def to_distinct_slug(title: str, taken: Container[str]) -> str:
    """The slug of a title that is none of those taken: if its own is, then with a suffix of the title's digest.

    Example:
        >>> to_distinct_slug("Iron Man", {"iron-man"}), to_distinct_slug("Iron Man", set())
        ('iron-man-7b38fc', 'iron-man')
    """
    slug = to_slug(title)
    length = _SUFFIX_LENGTH
    while slug in taken:
        slug = _add_digest(to_slug(title), title, length)
        length += _SUFFIX_LENGTH
    return slug


def _add_digest(slug: str, title: str, length: int) -> str:
    # "surrogatepass": a lone surrogate in a hostile title is data like any other.
    digest = sha256(unicodedata.normalize("NFC", title).encode("utf-8", "surrogatepass")).hexdigest()[:length]
    stem = slug if slug[:1].isalpha() else f"{_FALLBACK}-{slug}".strip("-")
    return f"{stem[: MAX_SLUG_LENGTH - length - 1].rstrip('-')}-{digest}"
