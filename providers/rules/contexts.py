"""What stands around a word, as far as it tells whether the word is a verb."""

from collections.abc import Sequence

from providers.rules.tokens import Tag, Token
from providers.rules.verbs import LEMMAS

NOMINAL = frozenset({Tag.NOUN, Tag.NAME})
STOPS_CLAUSE = frozenset({Tag.CONJUNCTION, Tag.SUBORDINATOR, Tag.RELATIVE, Tag.CONNECTIVE, Tag.PUNCTUATION})
FINITE = frozenset({Tag.VERB, Tag.BE, Tag.HAVE, Tag.MODAL})


def find_previous(tokens: Sequence[Token], index: int) -> Token | None:
    """The token before, adverbs skipped."""
    index -= 1
    while index >= 0 and tokens[index].tag is Tag.ADVERB:
        index -= 1
    return tokens[index] if index >= 0 else None


def has_verb_ahead(tokens: Sequence[Token], index: int) -> bool:
    """Whether a finite verb follows in the clause."""
    for position in range(index + 1, len(tokens)):
        token = tokens[position]
        if token.tag in STOPS_CLAUSE:
            return False
        if token.tag in FINITE or (token.tag is Tag.ED and _may_be_past(tokens, position)):
            return True
    return False


def _may_be_past(tokens: Sequence[Token], index: int) -> bool:
    """Whether a form in -ed ahead stands like a finite verb: behind a noun, before an object or preposition."""
    before, after = tokens[index - 1], tokens[index + 1] if index + 1 < len(tokens) else None
    if tokens[index].lemma not in LEMMAS or before.tag not in NOMINAL | {Tag.ADVERB} or after is None:
        return False
    return after.lower != "by" and after.tag in {Tag.PREPOSITION, Tag.TO, Tag.DETERMINER, Tag.NUMBER}


def hangs_on_preposition(tokens: Sequence[Token], index: int) -> bool:
    """Whether the noun before the word is not the subject, as in "drainage of peatlands releases"."""
    index -= 1
    while index >= 0 and tokens[index].tag in {Tag.NOUN, Tag.NAME, Tag.ADJECTIVE, Tag.DETERMINER}:
        index -= 1
    return index > 0 and tokens[index].tag is Tag.PREPOSITION


def has_parallel_verb(tokens: Sequence[Token], index: int) -> bool:
    """Whether a verb in the same form stands before the "and": "reduces costs and limits risks"."""
    is_third = tokens[index].lower != tokens[index].lemma
    for token in reversed(tokens[:index]):
        if token.tag is Tag.SUBORDINATOR or token.lower == ";":
            return False
        if token.tag is Tag.VERB and token.lemma:
            return (token.lower == token.lemma + "s" or token.lower == token.lemma + "es") == is_third and (
                is_third or token.lower == token.lemma
            )
    return False


def has_plural_subject(tokens: Sequence[Token], index: int) -> bool:
    """Whether an "and" joins the nouns before the word, and no verb stands before it in the clause."""
    has_and = False
    for token in reversed(tokens[:index]):
        if token.tag in {Tag.SUBORDINATOR, Tag.RELATIVE, Tag.CONNECTIVE} or token.lower == ";":
            break
        if token.tag in FINITE:
            return False
        has_and = has_and or token.lower == "and"
    return has_and


def has_verb_before(tokens: Sequence[Token], index: int) -> bool:
    """Whether a finite verb stands before the word in its clause, that of a relative clause aside."""
    for position in range(index - 1, -1, -1):
        if tokens[position].tag in STOPS_CLAUSE:
            return False
        if tokens[position].tag in FINITE:
            return position == 0 or tokens[position - 1].tag is not Tag.RELATIVE
    return False


def has_past_before(tokens: Sequence[Token], index: int) -> bool:
    """Whether a past form is a verb before the word in the clause."""
    return any(t.tag is Tag.VERB and t.lower.endswith("ed") for t in tokens[:index])


def closes_aside(tokens: Sequence[Token], index: int) -> bool:
    """Whether the comma before the word ends an aside that parts a subject from its verb."""
    commas = [i for i in range(index) if tokens[i].lower == ","]
    return (
        len(commas) >= 2
        and tokens[0].tag not in {Tag.PREPOSITION, Tag.SUBORDINATOR, Tag.CONNECTIVE}
        and not any(token.tag in FINITE for token in tokens[: commas[0]])
    )
