"""The words of a sentence, and the parts of speech they may have."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Tag(StrEnum):
    """Part of speech; EITHER, ED and ING are open until the neighbours are known."""

    DETERMINER = "determiner"
    PRONOUN = "pronoun"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    SUBORDINATOR = "subordinator"
    RELATIVE = "relative"
    CONNECTIVE = "connective"
    BE = "be"
    HAVE = "have"
    MODAL = "modal"
    NEGATION = "negation"
    TO = "to"
    ADVERB = "adverb"
    NUMBER = "number"
    ADJECTIVE = "adjective"
    NOUN = "noun"
    NAME = "name"
    VERB = "verb"
    PARTICIPLE = "participle"
    GERUND = "gerund"
    POSSESSIVE = "possessive"
    PUNCTUATION = "punctuation"
    EITHER = "noun or verb"
    ED = "past or participle"
    ING = "gerund, adjective or noun"


@dataclass(frozen=True, slots=True)
class Token:
    """A word as written, in lower case, its part of speech, and for a verb its base form."""

    text: str
    lower: str
    tag: Tag
    lemma: str = ""


BACKWARD_CONNECTIVES = frozenset(
    {
        "because of",
        "due to",
        "owing to",
        "thanks to",
        "as a result of",
        "as a consequence of",
        "in response to",
        "on account of",
        "by virtue of",
        "in the wake of",
        "in the aftermath of",
        "as a reaction to",
    }
)
FORWARD_CONNECTIVES = frozenset(
    {
        "as a result",
        "as a consequence",
        "consequently",
        "therefore",
        "for this reason",
        "in consequence",
        "hence",
        "thus",
    }
)


def _to_phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split("|"))


_MULTIWORD: Mapping[str, Tag] = (
    dict.fromkeys(BACKWARD_CONNECTIVES | FORWARD_CONNECTIVES, Tag.CONNECTIVE)
    | dict.fromkeys(("in order to", "so as to"), Tag.TO)
    | dict.fromkeys(("as well as", "but also", "and / or"), Tag.CONJUNCTION)
    | dict.fromkeys(("so that", "even though", "even if", "as long as", "such that", "in that"), Tag.SUBORDINATOR)
    | dict.fromkeys(("no longer",), Tag.NEGATION)
    | dict.fromkeys(
        _to_phrases(
            """
            according to | prior to | in addition to | along with | together with | apart from | instead of | rather
            than | such as | subject to | in front of | in terms of | by means of | with respect to | with regard to
            | in spite of | in case of | at the expense of | in favour of | in favor of | on the basis of | as
            opposed to | in the form of | on behalf of | in place of
            """
        ),
        Tag.PREPOSITION,
    )
    | dict.fromkeys(
        _to_phrases(
            """
            at least | at most | for example | for instance | in general | in particular | of course | in fact | at
            times | over time | not only | more than | less than | up to | in turn | at first | in part | in
            practice | for the most part | to some extent | on average | to a certain degree | at the same time | in
            many cases | in some cases | by contrast | in contrast | in addition | on the other hand | to a large
            extent | in large part | over the long term | in the long run | in the short run | as such | vice versa
            | each other | one another | in recent years | in recent decades
            """
        ),
        Tag.ADVERB,
    )
)
_MULTIWORD_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _phrase in sorted(_MULTIWORD, key=lambda phrase: (-len(phrase.split()), phrase)):
    _MULTIWORD_BY_FIRST.setdefault(_phrase.split()[0], []).append(tuple(_phrase.split()))

_MAX_TOKENS = 200
_TOKEN = re.compile(
    r"(?:[A-Za-z]\.){2,}|\d(?:[\d,.:–/-]*[\d%])?(?:st|nd|rd|th|s)?\b%?(?:-[a-z]+)*|[^\W\d_](?:[\w]|[-–'.](?=\w))*|[^\w\s]"
)


def split_words(sentence: str) -> tuple[tuple[str, Tag | None], ...]:
    """The words and punctuation marks of a sentence, two hundred at most; fixed expressions are one word with its tag.

    Example:
        >>> split_words("Spain's exports fell because of drought.")[:3]
        (('Spain', None), ("'s", <Tag.POSSESSIVE: 'possessive'>), ('exports', None))
    """
    texts: list[str] = []
    for match in _TOKEN.finditer(sentence):
        text = match.group()
        if text.lower().endswith("'s") and len(text) > 2:
            texts.extend((text[:-2], "'s"))
        else:
            texts.append(text)
        if len(texts) >= _MAX_TOKENS:
            break
    return tuple(_join_multiwords(texts))


def _join_multiwords(texts: list[str]) -> list[tuple[str, Tag | None]]:
    """Fixed expressions such as "because of" become one token."""
    joined: list[tuple[str, Tag | None]] = []
    index = 0
    while index < len(texts):
        for phrase in _MULTIWORD_BY_FIRST.get(texts[index].lower(), ()):
            if tuple(text.lower() for text in texts[index : index + len(phrase)]) == phrase:
                joined.append((" ".join(texts[index : index + len(phrase)]), _MULTIWORD[" ".join(phrase)]))
                index += len(phrase)
                break
        else:
            joined.append((texts[index], Tag.POSSESSIVE if texts[index] == "'s" else None))
            index += 1
    return joined
