"""Finding the domain of an article where no search engine can be asked.

A ``category`` seed matches an article that puts itself into a category with all the seed's words ("Economic crises"
matches "Economic crises in Asia"); a ``search`` seed matches one whose title and text have all its words, an
``article`` seed the one with its title. A category of depth 0 must have the seed's words and no others. The
domain's own name counts as one more category, unless the domain is strict. Case, plural and the endings of economy,
economic and economics are folded, and ``of``, ``the`` and the like don't count. The domain with the most matching seeds
has the article; of equals, the first.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from providers.sources.domains import Domain, Seed
from providers.sources.filters import to_title_key

_ENDING = re.compile(r"(?:ically|ical|ics|ies|ic|es|al|is|y|s|e)$")
_FILLER = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})


def match_domain(domains: Sequence[Domain], title: str, text: str, categories: Sequence[str]) -> str | None:
    """The domain that an article belongs to, or None where no seed matches.

    Example:
        >>> farming = Domain("farming", (Seed("category", "Crop failure"), Seed("search", "causes of drought")))
        >>> match_domain([farming], "Blight", "", ["Crop failures in Europe"])
        'farming'
        >>> match_domain([farming], "Dry years", "The cause of a drought is ...", [])
        'farming'
    """
    in_categories = [_to_stems(category) for category in categories]
    in_text = _to_stems(f"{title} {text}")
    best, most = None, 0
    for domain in domains:
        seeds = domain.seeds if domain.is_strict else (*domain.seeds, Seed("category", domain.name))
        n_matches = sum(_is_match(seed, title, in_categories, in_text) for seed in seeds)
        if n_matches > most:
            best, most = domain.name, n_matches
    return best


def _is_match(seed: Seed, title: str, in_categories: Sequence[frozenset[str]], in_text: frozenset[str]) -> bool:
    if seed.kind == "article":
        return to_title_key(seed.query) == to_title_key(title)
    wanted = _to_seed_stems(seed.query)
    if seed.kind == "search":
        return wanted <= in_text
    return any(wanted == place if seed.depth == 0 else wanted <= place for place in in_categories)


@lru_cache(maxsize=1024)
def _to_seed_stems(query: str) -> frozenset[str]:
    return _to_stems(query)


def _to_stems(text: str) -> frozenset[str]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(_to_stem(word) for word in words if word not in _FILLER)


def _to_stem(word: str) -> str:
    return _ENDING.sub("", word) if len(word) > 3 else word
