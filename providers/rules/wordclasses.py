"""The parts of speech a word may have by itself: from the lists, else from its ending."""

import re

from providers.rules import lexicon as lex
from providers.rules.lexicon import to_words
from providers.rules.tokens import Tag, split_words
from providers.rules.verbs import FORMS

_ADJECTIVE_ENDINGS = ("al", "ic", "ous", "ive", "able", "ible", "ful", "less", "ary", "ish", "like", "ese")
_IZE_NOUNS = to_words("""
    exercise promise enterprise expertise rise noise disease premise franchise merchandise prize size praise cruise
    guise precise wise otherwise likewise concise maize paradise compromise treatise surprise bruise seize disguise
    raise turquoise tortoise
    """)
_ABSOLUTE_CLASSES: tuple[tuple[frozenset[str], Tag], ...] = (
    (lex.RELATIVES - {"that"}, Tag.RELATIVE),
    (lex.BE, Tag.BE),
    (lex.HAVE, Tag.HAVE),
    (lex.NEGATIONS - {"neither", "nor", "cannot"}, Tag.NEGATION),
    (lex.MODALS, Tag.MODAL),
    (frozenset({"to"}), Tag.TO),
    (lex.PRONOUNS - {"one"}, Tag.PRONOUN),
    (lex.NUMBER_WORDS, Tag.NUMBER),
    (lex.DETERMINERS, Tag.DETERMINER),
    (lex.CONJUNCTIONS, Tag.CONJUNCTION),
    (lex.SUBORDINATORS, Tag.SUBORDINATOR),
    (lex.PREPOSITIONS, Tag.PREPOSITION),
    (lex.ADVERBS, Tag.ADVERB),
)
_LATIN_MARKS = frozenset({"i.e.", "e.g.", "a.d.", "b.c.", "etc"})
_EST_NOUNS = lex.to_words("""
    forest interest harvest conquest protest request contest unrest arrest northwest southwest midwest digest tempest
    behest priest inquest everest manifest rainforest self-interest
    """)
_LY_NOUNS = lex.to_words("family assembly anomaly monopoly italy supply")
_COMPOUND_ENDINGS = lex.ADJECTIVES | lex.to_words("based scale term free wide level year made frame")
_DERIVED_VERB = re.compile(r"[^aeiou](?:ize|ise|ify)(?:d|s)?$|if(?:ied|ies)$|i[sz]ing$")
FUNCTION_WORDS = frozenset().union(*(words for words, _ in _ABSOLUTE_CLASSES))


def guess_tag(text: str, *, is_first: bool) -> tuple[Tag, str]:
    """The part of speech a word may have, whatever stands beside it, and its base form where it may be a verb.

    Args:
        text: the word as written.
        is_first: it opens a sentence, so that its capital says nothing.

    Example:
        >>> guess_tag("reduces", is_first=False), guess_tag("Angola", is_first=False)[0].value
        ((<Tag.VERB: 'verb'>, 'reduce'), 'name')
    """
    lower = text.lower()
    if not text[0].isalpha() or lower in _LATIN_MARKS:
        return _guess_mark(text), ""
    for words, tag in _ABSOLUTE_CLASSES:
        if lower in words:
            return tag, ""
    if text[0].isupper() and not is_first:
        return Tag.NAME, ""
    if lower in FORMS:
        lemma, tag = FORMS[lower]
        return tag, lemma
    if lower in lex.ADJECTIVES:
        return Tag.ADJECTIVE, ""
    if lower in lex.NOUNS_LIKE_ADJECTIVES or lower in lex.NOMINAL_GERUNDS or lower in _IZE_NOUNS:
        return Tag.NOUN, ""
    return _guess_by_ending(lower)


def _guess_mark(text: str) -> Tag:
    if text[0].isdigit():
        return Tag.ADJECTIVE if "-" in text and text[-1].isalpha() else Tag.NUMBER
    return Tag.CONJUNCTION if text == "/" else Tag.PUNCTUATION


def _guess_by_ending(lower: str) -> tuple[Tag, str]:
    if len(lower) > 6 and _DERIVED_VERB.search(lower):
        return _guess_derived_verb(lower)
    if lower.endswith("ly") and len(lower) > 4 and lower not in _LY_NOUNS:
        return Tag.ADVERB, ""
    if lower.endswith("ing") and len(lower) > 5:
        return Tag.ING, lower[:-3]
    if lower.endswith("ed") and len(lower) > 4 and not lower.endswith(("eed", "hundred")):
        return (Tag.ADJECTIVE, "") if "-" in lower else (Tag.ED, lower[:-2])
    if "-" in lower and lower.partition("-")[0] in lex.NUMBER_WORDS:
        return Tag.NUMBER, ""
    is_compound = "-" in lower and (
        lower.rpartition("-")[2] in _COMPOUND_ENDINGS or lower.partition("-")[0] in lex.ADJECTIVES
    )
    is_superlative = lower.endswith("est") and len(lower) > 5 and lower not in _EST_NOUNS
    if is_compound or is_superlative or (lower.endswith(_ADJECTIVE_ENDINGS) and len(lower) > 4):
        return Tag.ADJECTIVE, ""
    return Tag.NOUN, ""


def _guess_derived_verb(lower: str) -> tuple[Tag, str]:
    if lower.endswith("ing"):
        return Tag.ING, lower[:-3] + "e"
    if lower.endswith("ed"):
        return Tag.ED, lower[:-1]
    return Tag.VERB, lower.removesuffix("s")


_NOUN_ENDINGS = tuple(sorted(lex.to_words("ion ment ity ness ism ance ence ship age ure cy th gy my phy s ing")))
_PHRASE_STARTS = frozenset({Tag.DETERMINER, Tag.ADJECTIVE, Tag.NOUN, Tag.NAME, Tag.NUMBER, Tag.ING, Tag.EITHER})


def find_lone_opener(sentence: str) -> str:
    """The unknown word before a verb that opens a sentence, as in "Zimbabwe was": most likely a name; else "".

    A common noun would have a determiner, a plural or an ending of its own.
    """
    words = split_words(sentence)[:2]
    if len(words) < 2 or any(tag is not None for _, tag in words):
        return ""
    (first, _), (second, _) = words
    if not first[0].isalpha() or first.lower().endswith(_NOUN_ENDINGS):
        return ""
    is_noun = guess_tag(first, is_first=True)[0] is Tag.NOUN
    return first if is_noun and guess_tag(second, is_first=False)[0] not in _PHRASE_STARTS else ""


def is_opening_name(first: str, second: str) -> bool:
    """Whether two words at the beginning of a sentence begin a name, such as "Jonas Savimbi"."""
    if not second[0].isupper() or len(second) < 2 or first.lower() in FUNCTION_WORDS:
        return False
    return first.lower() == "united" or guess_tag(first, is_first=True)[0] is Tag.NOUN
