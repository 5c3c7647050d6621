"""From noun phrases to the names of variables, and the direction in which a mention moves its variable.

"A sharp rise in oil prices" mentions the variable *oil price* moving up; "lack of rain" mentions *rain* moving down.
"""

from dataclasses import dataclass

from providers.rules import lexicon as lex
from providers.rules.lexicon import to_words
from providers.rules.phrases import Phrase, to_singular
from providers.rules.tokens import Tag, Token

MAX_NAME_WORDS = 4
MAX_NAME_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of a variable.

    ``key`` is the name in lower case and in the singular; mentions with one key are one variable. ``polarity`` is -1
    where the phrase speaks of less of it.
    """

    name: str
    key: str
    polarity: int = 1


_FLIPPING_HEADS = to_words("""
    price rate loss growth supply demand spread use cost quality level production consumption expansion collapse
    shortage ban tax restriction tariff spending output yield concentration temperature fertility failure import
    export trade burning outbreak clearing felling melting warming scarcity rotation cycle burden income wage usage
    density stock reserve
    """)
_FLIPPING_ENDINGS = ("tion", "sion", "ment", "ance", "ence", "ing", "ation", "age", "ization", "ism", "ership")
_INLINE_ONLY = to_words("""
    life living speech law labour labor power information knowledge death work science birth origin war peace money
    thought religion expression nature civilization
    """)
_NOT_FLIPPED = to_words("""
    independence language influence evidence science knowledge violence argument message image passage being
    """)
_PLAIN_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-'/.")


def name_phrase(phrase: Phrase) -> Mention | None:
    """The variable that a noun phrase names, or None: a person, a place, a date, "this", "many ways".

    Names have one to four words, without determiners, numbers and general adjectives.
    """
    polarity = 1
    while phrase.complement is not None and (step := _look_through(phrase)):
        polarity *= step * _modifier_polarity(phrase)
        phrase = phrase.complement
    if phrase.complement is None and phrase.head in lex.RISING_HEADS | lex.FALLING_HEADS:
        stripped = _strip_change(phrase)
        if stripped is not None:
            polarity *= -1 if phrase.head in lex.FALLING_HEADS else 1
            phrase = stripped
    polarity *= _modifier_polarity(phrase)
    words = _classifying_words(phrase)
    if not words:
        return None
    tail = _name_complement(phrase)
    if tail:
        words = _combine(words, phrase, tail)
    elif not _is_telling(phrase, words):
        return None
    texts = [_case(word) for word in _shorten(words)]
    name = " ".join(texts)
    if len(name) > MAX_NAME_CHARACTERS or not all(set(text) <= _PLAIN_WORD or text.isalpha() for text in texts):
        return None
    return Mention(name, to_key(name), polarity)


def to_key(name: str) -> str:
    """The name in lower case, every word in the singular.

    Example:
        >>> to_key("Oil Prices")
        'oil price'
    """
    return " ".join(to_singular(word) for word in name.lower().split())


def _look_through(phrase: Phrase) -> int:
    """+1 or -1 where the head only measures its complement ("level of", "lack of"), else 0."""
    if phrase.link not in {"of", "in", "to", "for"}:
        return 0
    has_noun = any(word.tag in {Tag.NOUN, Tag.NAME} for word in phrase.words[:-1])
    if phrase.head in lex.RISING_HEADS and not has_noun:
        return 1
    if phrase.head in lex.FALLING_HEADS and not has_noun:
        return -1
    if phrase.link == "in" and phrase.head in {"collapse", "crash", "slump", "shortage"}:
        return -1
    if phrase.link == "in":
        return (
            1
            if phrase.head in {"change", "shift", "variation", "fluctuation", "improvement", "difference", "role"}
            else 0
        )
    return 1 if phrase.head in lex.TRANSPARENT_HEADS and phrase.link == "of" and not has_noun else 0


def _strip_change(phrase: Phrase) -> Phrase | None:
    """The phrase without its last word: "oil price" of "oil price rise"."""
    words = phrase.words[:-1]
    if not words or words[-1].tag is not Tag.NOUN:
        return None
    return Phrase(words, phrase.determiner, phrase.start, phrase.stop - 1)


def _modifier_polarity(phrase: Phrase) -> int:
    polarity = 1
    for word in phrase.words[:-1]:
        if word.lower in lex.FALLING:
            polarity = -polarity
    return polarity * (-1 if phrase.determiner in {"less", "fewer", "few", "no", "little"} else 1)


def _classifying_words(phrase: Phrase) -> list[Token]:
    """The words that say what the phrase is about: head and classifying modifiers."""
    if phrase.determiner in {"my", "your", "our"}:
        return []
    words = [
        word
        for word in phrase.words[:-1]
        if word.lower not in lex.EMPTY_MODIFIERS
        and word.tag is not Tag.NUMBER
        and not word.lower.endswith(
            (
                "-induced",
                "-driven",
                "-related",
                "-caused",
                "-triggered",
                "-based",
                "-year",
                "-year-old",
                "-long",
                "-known",
                "-called",
            )
        )
        and not word.lower[0].isdigit()
    ]
    while words and words[0].lower in {"word", "term"}:
        return []
    return [*words, phrase.words[-1]]


def _is_telling(phrase: Phrase, words: list[Token]) -> bool:
    """Whether head and modifiers make a variable: not a person, a place, a time, or a bare general word."""
    head, last = phrase.head, words[-1]
    if last.lower == "states" or _is_bare_gerund(phrase) or is_person(head):
        return False
    if len(head) < 2 or head in lex.NEVER_HEADS or not any(c.isalpha() for c in head):
        return False
    if last.tag is Tag.NAME:
        is_known = phrase.determiner == "the" and head not in lex.INSTITUTIONS
        is_polity = head in {"union", "state", "empire", "republic"}
        return last.text in lex.NAMED_SYMBOLS or (
            head in lex.NAMED_HEADS and not is_polity and (len(words) > 1 or is_known)
        )
    if len(head) < 3 or (last.text.isupper() and last.text not in lex.NAMED_SYMBOLS):
        return False
    return head not in lex.EMPTY_HEADS or len(words) > 1


def is_person(head: str) -> bool:
    """Whether a noun names people, by the list or by its ending."""
    if head.endswith(("ist", "woman")) and len(head) > 6 and head not in {"checklist", "playlist", "shortlist"}:
        return True
    return head in lex.PEOPLE or (
        head.endswith(("ologist", "ician", "rian", "wright", "grapher", "nomist", "ologian")) and len(head) > 6
    )


def _is_bare_gerund(phrase: Phrase) -> bool:
    """Whether the head is a form in -ing that no list knows as a noun, without a complement."""
    head = phrase.words[-1].lower
    return head.endswith("ing") and head not in lex.NOMINAL_GERUNDS and phrase.complement is None


def _name_complement(phrase: Phrase) -> list[Token]:
    """The words of the complement where it belongs to the name, else none."""
    complement = phrase.complement
    if complement is None or phrase.head in lex.NEVER_HEADS or is_person(phrase.head):
        return []
    words = _classifying_words(complement)
    if complement.head in _INLINE_ONLY and len(words) == 1:
        return words
    if complement.words[-1].tag is Tag.NAME:
        is_named = phrase.words[-1].tag is Tag.NAME and phrase.head in lex.NAMED_HEADS
        is_polity = len(words) > 1 and phrase.words[-1].tag is Tag.NOUN and _is_flipping(phrase.head)
        return words if is_named or (is_polity and complement.head in lex.INSTITUTIONS) else []
    is_bare = _is_flipping(phrase.head) and not complement.determiner and len(_classifying_words(phrase)) == 1
    is_vague = is_bare and complement.head in lex.EMPTY_HEADS - lex.NEVER_HEADS
    return words if words and (is_vague or _is_telling(complement, words)) else []


def _is_flipping(head: str) -> bool:
    """Whether "X of Y" is better named "Y X"."""
    return head in _FLIPPING_HEADS or (head.endswith(_FLIPPING_ENDINGS) and head not in _NOT_FLIPPED)


def _combine(words: list[Token], phrase: Phrase, tail: list[Token]) -> list[Token]:
    """One name for both: "forest loss" of "loss of forests", but "quality of life"; of four words at most."""
    head = phrase.head
    is_common = words[-1].tag is Tag.NOUN
    flips = _is_flipping(head)
    fits = len(words) + len(tail) <= MAX_NAME_WORDS
    inline = tail[-1].lower in _INLINE_ONLY and len(tail) == 1
    if is_common and flips and fits and not inline and phrase.link in {"of", "for", "on"}:
        singular = Token(to_singular(tail[-1].lower), to_singular(tail[-1].lower), tail[-1].tag)
        return [
            *(word for word in words[:-1]),
            *tail[:-1],
            singular if tail[-1].tag is Tag.NOUN else tail[-1],
            words[-1],
        ]
    if len(words) + len(tail) < MAX_NAME_WORDS:
        return [*words, Token(phrase.link, phrase.link, Tag.PREPOSITION), *tail]
    return words if _is_telling(phrase, words) else tail


def _shorten(words: list[Token]) -> list[Token]:
    """The last four words; a proper name is kept whole or dropped."""
    kept = words[-MAX_NAME_WORDS:]
    if len(words) > len(kept) and words[-len(kept) - 1].tag is Tag.NAME:
        while len(kept) > 1 and kept[0].tag is Tag.NAME:
            kept = kept[1:]
    return kept


def _case(word: Token) -> str:
    return word.text if word.tag is Tag.NAME or word.text in lex.NAMED_SYMBOLS else word.lower
