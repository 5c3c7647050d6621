"""What kind of word is a name? Guesses from the form of English words, for choosing a frame that reads well.

A wrong guess costs style, never truth: every frame is understandable with every name.
"""

import re
from enum import StrEnum
from functools import lru_cache

from providers.writer.vocabulary import (
    ADJECTIVES,
    AUXILIARIES,
    COUNTABLE_HEADS,
    DEGREES,
    FOLLOWING_ONLY,
    IRREGULAR_PARTICIPLES,
    IRREGULAR_PLURALS,
    NOT_ADJECTIVES,
    PREPOSITIONS,
    PROPER_ADJECTIVES,
    VERBS,
)


class StateClass(StrEnum):
    """How a state behaves in a sentence."""

    ADJECTIVE = "adjective"
    """Goes before the noun: heavy, very high, state-controlled."""
    PREDICATE = "predicate"
    """An adjective that can only follow the verb: below average, absent."""
    NOUN = "noun"
    """unemployment, state employer payroll tax."""
    PROPER = "proper"
    """Wisconsin, 2008."""
    SAID = "said"
    """Clauses and anything else that reads best in quotation marks: claim completely invalidated."""


_ADJECTIVE_ENDINGS = re.compile(r".{2,}(?:ed|ous|ive|ful|less|able|ible|al|ic|ary|ward|some|ish)$")
_ARY_NOUNS = re.compile(r"(?:bound|libr|sal|diction|januar|second|summ|gloss|milit|mission|prim|benefici|comment)ary$")
_SINGULAR_S = re.compile(r"(?:ss|us|is|ics|news|series|species|gas|lens|bias|chaos|canvas|texas|kansas)$")


def _last_of_head(name: str) -> str:
    """The noun that a phrase is about: the last word before the first preposition."""
    words = re.findall(r"[^\W_]+", name.casefold())
    for i, word in enumerate(words):
        if i and word in PREPOSITIONS:
            return words[i - 1]
    return words[-1] if words else ""


@lru_cache(maxsize=8192)
def is_plural(name: str) -> bool:
    """Whether verbs agree with the name in the plural.

    Example:
        >>> [is_plural(name) for name in ("crop yields", "loss of jobs", "housing crisis", "economics", "young people")]
        [True, False, False, False, True]
    """
    head = _last_of_head(name)
    return head in IRREGULAR_PLURALS or (len(head) > 3 and head.endswith("s") and not _SINGULAR_S.search(head))


@lru_cache(maxsize=8192)
def is_countable(name: str) -> bool:
    """Whether the name is surely a countable noun in the singular, which wants an article.

    Example:
        >>> [is_countable(name) for name in ("labor market condition", "rainfall", "interest rates", "loss of trust")]
        [True, False, False, True]
    """
    head = _last_of_head(name)
    return head in COUNTABLE_HEADS


@lru_cache(maxsize=8192)
def takes_the(name: str) -> bool:
    """Whether a variable of this name reads better with *the*."""
    first = name.split(maxsplit=1)[0] if name.split() else ""
    if first.casefold() in {"the", "a", "an", "its", "their", "our", "this", "that"} or first.endswith(
        ("'s", "’s", "s'")
    ):
        return False
    return is_countable(name) and not is_plural(name)


_VOWEL_SOUND = re.compile(
    r"(?:[aeio]|u(?!ni|se|su|ti|r[aeo]|k\b|s\b)|hour|honest|honou?r|heir|8|11\b|18\b)", re.IGNORECASE
)
_CONSONANT_SOUND = re.compile(r"(?:one\b|once|eu|ewe)", re.IGNORECASE)


def with_article(phrase: str) -> str:
    """The phrase with *a* or *an*.

    Example:
        >>> with_article("unstable market"), with_article("one-off payment"), with_article("union")
        ('an unstable market', 'a one-off payment', 'a union')
    """
    is_vowel = bool(_VOWEL_SOUND.match(phrase)) and not _CONSONANT_SOUND.match(phrase)
    return f"{'an' if is_vowel else 'a'} {phrase}"


_ODD = re.compile(r"[\"“”„«»:;!?()\[\]{}<>|*#=+~^@_\n]|,\s|[.,]$|^[^\w$€£]|\s[-–—]\s|\. ")


def is_odd(name: str) -> bool:
    """Whether a name has punctuation that would blur the sentence around it."""
    return bool(_ODD.search(name)) or not any(map(str.isalnum, name))


def is_adjective(word: str) -> bool:
    """Whether a lower-case word looks like an adjective or participle."""
    if word in ADJECTIVES:
        return True
    if word in NOT_ADJECTIVES or len(word) < 5 or _ARY_NOUNS.search(word):
        return False
    if "-" in word:
        return is_adjective(word.rpartition("-")[2]) or word.rpartition("-")[2] in IRREGULAR_PARTICIPLES
    return bool(_ADJECTIVE_ENDINGS.match(word)) and not word.endswith("eed")


_ABSTRACT = re.compile(r".{4,}(?:tion|sion|ment|ism|ity|ness|ance|ence|ship|hood|age|ics)s?$")


def is_common_word(word: str) -> bool:
    """Whether a lower-case word is surely no proper name, by its ending.

    Example:
        >>> [is_common_word(word) for word in ("deforestation", "economic", "islamic", "amazon")]
        [True, True, False, False]
    """
    return bool(_ABSTRACT.match(word)) or (is_adjective(word) and word not in PROPER_ADJECTIVES)


def _is_participle(word: str) -> bool:
    return word in IRREGULAR_PARTICIPLES or (word.endswith("ed") and len(word) > 4 and not word.endswith("eed"))


@lru_cache(maxsize=8192)
def to_state_class(state: str) -> StateClass:
    """How a state is best put into a sentence.

    Example:
        >>> names = ("heavy", "Wisconsin", "economic downturn", "claim denied", "below average")
        >>> [to_state_class(name).value for name in names]
        ['adjective', 'proper', 'noun', 'said', 'predicate']
    """
    cased = state.split()
    words = [word.casefold().strip(".,'’") for word in cased]
    if is_odd(state) or not all(words) or any(word in AUXILIARIES for word in words):
        return StateClass.SAID
    if len(words) == 1 and words[0][0].isdigit():
        return StateClass.PROPER
    if words[0] in PREPOSITIONS or (len(words) == 1 and words[0] in FOLLOWING_ONLY):
        return StateClass.PREDICATE
    return _to_phrase_class(cased, words)


def _to_phrase_class(cased: list[str], words: list[str]) -> StateClass:
    """The class of a phrase without finite verb that begins with a content word."""
    is_described = is_adjective(words[0]) or _is_participle(words[0]) or words[0] == "not"
    if len(words) > 2 and is_described and any(word in PREPOSITIONS for word in words[1:3]):
        return StateClass.SAID
    if is_adjective(words[-1]) or (len(words) > 1 and _is_participle(words[-1])):
        lead = words[:-1]
        if cased[0].islower() and all(w in DEGREES or w.endswith("ly") or is_adjective(w) for w in lead):
            return StateClass.ADJECTIVE
        return StateClass.SAID if lead else StateClass.PROPER
    if not is_described and any(word in VERBS for word in words[1:]):
        return StateClass.SAID
    is_proper = all(cased[i][0].isupper() for i, word in enumerate(words) if word not in PREPOSITIONS | {"and", "the"})
    return StateClass.PROPER if is_proper else StateClass.NOUN
