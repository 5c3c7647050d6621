"""Parts of speech in a sentence.

The tagger knows no corpus. Every word has the classes its form allows (:mod:`providers.rules.wordclasses`), and the
words beside it decide: after a determiner comes a noun, after a modal a verb, and between two noun phrases a verb.
"""

from collections.abc import Sequence
from dataclasses import replace

from providers.rules import lexicon as lex
from providers.rules.contexts import (
    FINITE,
    NOMINAL,
    STOPS_CLAUSE,
    closes_aside,
    find_previous,
    hangs_on_preposition,
    has_parallel_verb,
    has_past_before,
    has_plural_subject,
    has_verb_ahead,
    has_verb_before,
)
from providers.rules.lexicon import to_words
from providers.rules.tokens import Tag, Token, split_words
from providers.rules.verbs import FORMS, LEMMAS, MOVES
from providers.rules.wordclasses import guess_tag, is_opening_name

_SAME_PARTICIPLES = to_words("cut set put shut spread split hurt upset let quit")
_BEFORE_NOUN = frozenset({Tag.DETERMINER, Tag.ADJECTIVE, Tag.POSSESSIVE, Tag.PREPOSITION, Tag.NUMBER, Tag.CONNECTIVE})
_BEFORE_VERB = frozenset({Tag.MODAL, Tag.PRONOUN, Tag.RELATIVE})
_OPENS_PHRASE = frozenset({Tag.DETERMINER, Tag.ADJECTIVE, Tag.NOUN, Tag.NAME, Tag.NUMBER, Tag.ED, Tag.ING, Tag.EITHER})
_NOUN_ADJECTIVES = to_words("""
    potential future public individual chemical human material native official professional international local
    average standard mass past present total plain joint military initiative alternative executive criminal poor
    rich elderly wild west east general original
    """)
_TO_GOVERNORS = to_words("""
    lead leads led leading contribute contributes contributed contributing response responses due according access
    exposure related relate relates linked link similar resistance opposition threat adaptation close prone
    vulnerable subject barrier approach approaches return returned attributed damage transition shift sensitive
    addition equal added adds add resort respond responds responded responding rise adapt adapted tied owed
    attention commitment devoted limited harm obstacle key reduction compared connected belong belongs up as
    """)


def tag_sentence(sentence: str, names: frozenset[str] = frozenset()) -> tuple[Token, ...]:
    """The tokens of a sentence with their parts of speech.

    Args:
        sentence: one sentence of plain words.
        names: words that the text writes with a capital in the middle of sentences; they are names at its start too.

    Example:
        >>> [token.tag.value for token in tag_sentence("Prices rise when supply falls.")]
        ['noun', 'verb', 'subordinator', 'noun', 'verb', 'punctuation']
    """
    words = split_words(sentence)
    opens_with_name = len(words) > 1 and words[0][1] is None and is_opening_name(words[0][0], words[1][0])
    tokens: list[Token] = []
    for text, fixed in words:
        is_first = not tokens and text not in names and not opens_with_name
        tag, lemma = (fixed, "") if fixed else guess_tag(text, is_first=is_first)
        if text == "'" and tokens and tokens[-1].lower.endswith("s"):
            tag = Tag.POSSESSIVE
        tokens.append(Token(text, text.lower(), tag, lemma))
    for index in range(len(tokens)):
        tokens[index] = _resolve(tokens, index)
    return tuple(tokens)


def _resolve(tokens: Sequence[Token], index: int) -> Token:
    token = tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before = find_previous(tokens, index)
    match token.tag:
        case Tag.DETERMINER if token.lower == "that":
            return replace(token, tag=_resolve_that(tokens, index, before, after))
        case Tag.TO:
            return replace(token, tag=_resolve_to(before, after))
        case Tag.ADJECTIVE if token.lower in _NOUN_ADJECTIVES and not (after and after.tag in _OPENS_PHRASE):
            return replace(token, tag=Tag.NOUN if before and before.tag in _BEFORE_NOUN else token.tag)
        case Tag.NOUN if before is not None and before.tag is Tag.RELATIVE and _is_unknown_verb(tokens, index):
            return replace(token, tag=Tag.VERB, lemma=token.lower[:-1])
        case Tag.EITHER if before is not None and before.tag is Tag.BE and token.lower in _SAME_PARTICIPLES:
            return replace(token, tag=Tag.PARTICIPLE)
        case Tag.EITHER:
            other = Tag.ADJECTIVE if token.lower in lex.ADJECTIVES else Tag.NOUN
            return replace(token, tag=Tag.VERB if _is_verb_here(tokens, index, before, after) else other)
        case Tag.VERB if before is not None and before.tag in _BEFORE_NOUN and token.lower == token.lemma:
            return replace(token, tag=Tag.NOUN)
        case Tag.ED:
            return replace(token, tag=_resolve_ed(tokens, index, before, after))
        case Tag.PARTICIPLE if (
            before is not None and before.tag in _BEFORE_NOUN and after and after.tag in _OPENS_PHRASE
        ):
            return replace(token, tag=Tag.ADJECTIVE)
        case Tag.ING:
            return replace(token, tag=_resolve_ing(token, before, after))
        case _:
            return token


def _resolve_to(before: Token | None, after: Token | None) -> Tag:
    if before is not None and before.lower in _TO_GOVERNORS:
        return Tag.PREPOSITION
    opens_verb = after is not None and (
        after.tag in {Tag.VERB, Tag.EITHER, Tag.ADVERB, Tag.HAVE} or after.lower == "be"
    )
    return Tag.TO if opens_verb else Tag.PREPOSITION


def _resolve_that(tokens: Sequence[Token], index: int, before: Token | None, after: Token | None) -> Tag:
    if before is None or after is None:
        return Tag.DETERMINER
    if before.tag in NOMINAL:
        return Tag.RELATIVE
    opens_clause = before.tag is Tag.VERB and (
        after.tag in {Tag.DETERMINER, Tag.PRONOUN} or has_verb_ahead(tokens, index)
    )
    return Tag.SUBORDINATOR if opens_clause else Tag.DETERMINER


def _is_unknown_verb(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that looks like a noun must be the verb of a relative clause: "that tarnishes quickly"."""
    lower = tokens[index].lower
    if (
        not lower.endswith("s")
        or lower.endswith(("ss", "us", "is", "ics"))
        or tokens[index - 1].tag is not Tag.RELATIVE
    ):
        return False
    return not has_verb_ahead(tokens, index) and index + 1 < len(tokens) and tokens[index + 1].tag is not Tag.EITHER


def _is_verb_here(tokens: Sequence[Token], index: int, before: Token | None, after: Token | None) -> bool:
    token = tokens[index]
    if before is None:
        return False
    if before.tag in _BEFORE_VERB:
        return not (before.tag is Tag.PRONOUN and before.lower in {"them", "him", "us", "me"})
    if before.tag is Tag.TO:
        return token.lower == token.lemma
    if before.tag is Tag.NEGATION:
        return index >= 2 and tokens[index - 2].tag is Tag.MODAL
    if before.lower == "one" and token.lower != token.lemma:
        return True
    if before.tag in _BEFORE_NOUN or before.tag in {Tag.BE, Tag.HAVE, Tag.VERB, Tag.GERUND, Tag.PARTICIPLE}:
        return False
    if before.tag is Tag.CONJUNCTION:
        return after is not None and after.tag in _OPENS_PHRASE and has_parallel_verb(tokens, index)
    if before.tag is Tag.PUNCTUATION:
        return closes_aside(tokens, index) and _fits_behind_verb(token, after)
    return before.tag in NOMINAL and _is_verb_after_noun(tokens, index, before, after)


def _is_verb_after_noun(tokens: Sequence[Token], index: int, before: Token, after: Token | None) -> bool:
    token = tokens[index]
    if tokens[index - 1].tag is Tag.ADVERB:
        return True
    if not _agrees(tokens, index, before) or has_verb_ahead(tokens, index):
        return False
    if after is None or after.tag in STOPS_CLAUSE:
        return token.lemma in MOVES and not has_verb_before(tokens, index)
    is_loose = after.lower in _LOOSE_PREPOSITIONS and token.lemma not in _WANTED_PREPOSITIONS
    return (_fits_behind_verb(token, after) or is_loose) and not has_verb_before(tokens, index)


def _fits_behind_verb(verb: Token, after: Token | None) -> bool:
    """Whether the next word can be the beginning of the verb's object, or its preposition."""
    if after is None:
        return False
    if after.tag not in {Tag.PREPOSITION, Tag.TO}:
        return after.tag in _OPENS_PHRASE or after.tag in {Tag.ADVERB, Tag.PRONOUN}
    return after.lower in _WANTED_PREPOSITIONS.get(verb.lemma, _PARTICLES)


_WANTED_PREPOSITIONS = {"lead": {"to"}, "result": {"in", "from"}, "stem": {"from"}}
_PARTICLES = frozenset({"up", "down", "out", "away", "off"})
_LOOSE_PREPOSITIONS = frozenset({"with", "to", "when", "as", "by", "during", "after"})


def _agrees(tokens: Sequence[Token], index: int, before: Token) -> bool:
    """Whether the form fits the noun before it as its subject: "prices rise", "the price rises"."""
    is_plural = before.lower.endswith("s") and not before.lower.endswith(("ss", "us", "is", "ics"))
    is_third = tokens[index].lower != tokens[index].lemma
    if is_third != is_plural or (before.tag is Tag.NAME and is_third):
        return True
    if not is_third and has_plural_subject(tokens, index):
        return True
    return hangs_on_preposition(tokens, index) and not has_verb_before(tokens, index)


def _resolve_ed(tokens: Sequence[Token], index: int, before: Token | None, after: Token | None) -> Tag:
    is_known = tokens[index].lemma in LEMMAS
    if before is None:
        return (
            Tag.ADJECTIVE
            if after and after.tag in _OPENS_PHRASE and after.tag is not Tag.DETERMINER
            else Tag.PARTICIPLE
        )
    if before.tag is Tag.HAVE and tokens[index].lower == "limited":
        return Tag.ADJECTIVE
    if before.tag in {Tag.BE, Tag.HAVE, Tag.NEGATION}:
        return Tag.PARTICIPLE if before.tag is not Tag.HAVE else Tag.VERB
    opens = after is not None and after.tag in _OPENS_PHRASE and after.tag not in {Tag.DETERMINER, Tag.NUMBER}
    if before.tag in _BEFORE_NOUN or before.tag in {Tag.VERB, Tag.GERUND, Tag.TO} or not is_known:
        return Tag.ADJECTIVE if opens else Tag.PARTICIPLE
    if before.tag is Tag.CONJUNCTION and opens:
        is_parallel = after is not None and after.tag is Tag.ADJECTIVE and has_past_before(tokens, index)
        return Tag.VERB if is_parallel else Tag.ADJECTIVE
    if before.tag is Tag.PUNCTUATION:
        return Tag.VERB if closes_aside(tokens, index) and not (after and after.lower == "by") else Tag.PARTICIPLE
    if after is not None and after.lower == "by":
        return Tag.PARTICIPLE
    if before.tag in NOMINAL and after is not None and after.tag in {Tag.PREPOSITION, Tag.TO}:
        is_reduced = has_verb_ahead(tokens, index) or has_verb_before(tokens, index)
        return Tag.PARTICIPLE if is_reduced else Tag.VERB
    return Tag.VERB


def _resolve_ing(token: Token, before: Token | None, after: Token | None) -> Tag:
    opens = after is not None and after.tag in _OPENS_PHRASE
    bare = opens and after is not None and after.tag not in {Tag.DETERMINER, Tag.NUMBER}
    if (
        token.lower in lex.RISING | lex.FALLING
        and bare
        and (before is None or before.tag not in {Tag.BE, Tag.PUNCTUATION})
    ):
        return Tag.ADJECTIVE if before is None or before.tag not in NOMINAL else Tag.GERUND
    if before is not None and before.tag is Tag.BE:
        return Tag.GERUND
    if token.lower in lex.NOMINAL_GERUNDS and not (after and after.tag is Tag.DETERMINER):
        return Tag.NOUN
    if before is not None and before.tag in {Tag.DETERMINER, Tag.ADJECTIVE, Tag.POSSESSIVE, Tag.NUMBER}:
        return Tag.ADJECTIVE if bare else Tag.NOUN
    if token.lemma not in LEMMAS and token.lower not in FORMS:
        return Tag.ADJECTIVE if bare else Tag.NOUN
    if before is None and not opens:
        return Tag.NOUN if after is None or after.tag in FINITE or after.lower == "of" else Tag.GERUND
    return Tag.GERUND
