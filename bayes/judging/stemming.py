"""Stems of English words: what is left of a word without its endings.

A stem need not be a word; it is the same for words of one family (``regulate``, ``regulated``, ``regulation``) and
mostly differs between families. Endings that name who does or undergoes something (``-er``, ``-ee``, ``-or``) stay: an
employer is not an employee. British spellings become American ones first.
"""

import re
from functools import lru_cache

_SPELLINGS = (
    (re.compile(r"is(?=(?:e|ed|ing|ation|ational)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})our(?=$|al|ed|ing)"), "or"),
    (re.compile(r"(?<=[^aeiou]t)re$"), "er"),
    (re.compile(r"mme$"), "m"),
    (re.compile(r"(?<=[a-z]{2}[aeiou])ll(?=ed$|ing$)"), "l"),
    (re.compile(r"^sulph"), "sulf"),
)
_FAMILIES = {
    "": """
        ational atory ation ating ated ate ition ion ioning ioned ing ed ment ement ness ity ly al ally acy ful fulness
        ance ancy ant antly e
    """,
    "abl": "able ably ability",
    "ibl": "ible ibly ibility",
    "ent": "ence ency ently",
    "i": "y ied ying",
}
# Of the endings that fit and leave enough of the word, the longest is replaced.
_ENDINGS = sorted(
    ((ending, kept) for kept, endings in _FAMILIES.items() for ending in endings.split()),
    key=lambda rule: (-len(rule[0]), len(rule[1])),
)
_LEAST = 4
# Their endings are no endings, or their families are two.
_EXCEPTIONS = dict.fromkeys(("importance", "important", "importantly"), "important")


@lru_cache(maxsize=32_768)
def to_stem(word: str) -> str:
    """The stem of a folded word; short words and tokens with a digit or sign stay as they are.

    Example:
        >>> [to_stem(word) for word in ("regulation", "regulated", "labour", "labor", "education", "educational")]
        ['regul', 'regul', 'labor', 'labor', 'educ', 'educ']
        >>> to_stem("employer") == to_stem("employee")
        False
    """
    if not word.isalpha():
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    for pattern, plain in _SPELLINGS:
        word = pattern.sub(plain, word)
    if word.endswith("ee"):
        return word
    for ending, kept in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(kept) >= _LEAST:
            stem = word[: -len(ending)] + kept
            is_doubled = ending in {"ing", "ed"} and stem[-1] == stem[-2] and stem[-1] not in "ls"
            return stem[:-1] if is_doubled else stem
    return word
