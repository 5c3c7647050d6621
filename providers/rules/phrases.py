"""Sentences as items: noun phrases, verb groups, and the words between them."""

from dataclasses import dataclass, replace

from providers.rules import lexicon as lex
from providers.rules.lexicon import to_words
from providers.rules.nouns import to_singular
from providers.rules.tokens import Tag, Token

_MAX_PHRASE_WORDS = 12


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its words without the determiner, the head last; ``start`` and ``stop`` index the tokens.

    ``complement`` is the phrase that hangs on the head by ``link``: "oil" in "price of oil".
    """

    words: tuple[Token, ...]
    determiner: str
    start: int
    stop: int
    complement: "Phrase | None" = None
    link: str = ""

    @property
    def head(self) -> str:
        """The head noun in lower case and in the singular."""
        return to_singular(self.words[-1].lower)


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """A verb with its auxiliaries, adverbs and negation."""

    lemma: str
    voice: str
    """active, passive, gerund or infinitive."""
    is_finite: bool
    is_negated: bool
    is_hedged: bool
    is_boosted: bool
    start: int
    stop: int


Item = Phrase | VerbGroup | Token


def build_items(tokens: tuple[Token, ...]) -> tuple[Item, ...]:
    """Group tokens into noun phrases and verb groups; other tokens stay as they are."""
    items: list[Item] = []
    index = 0
    while index < len(tokens):
        found = _read_verb_group(tokens, index) or _read_phrase(tokens, index)
        items.append(found or tokens[index])
        index = found.stop if found else index + 1
    return _attach_complements(items)


_AUXILIARIES = frozenset({Tag.BE, Tag.HAVE, Tag.MODAL, Tag.NEGATION, Tag.ADVERB, Tag.TO})
_VERBAL = frozenset({Tag.VERB, Tag.PARTICIPLE, Tag.GERUND})


def _read_verb_group(tokens: tuple[Token, ...], start: int) -> VerbGroup | None:
    index = start
    while index < len(tokens) and tokens[index].tag in _AUXILIARIES:
        index += 1
    before = tokens[start:index]
    if before and all(token.tag is Tag.ADVERB for token in before):
        return None
    verb = tokens[index] if index < len(tokens) and tokens[index].tag in _VERBAL else _find_lone_auxiliary(before)
    if verb is None or (verb.tag is Tag.PARTICIPLE and not before and _modifies(tokens, start)):
        return None
    stop = index + 1 if verb.tag in _VERBAL else index
    while tokens[stop - 1].tag is Tag.ADVERB:
        stop -= 1
    after = _count_adverbs(tokens, stop)
    left = start
    while left > 0 and tokens[left - 1].tag is Tag.ADVERB:
        left -= 1
    words = {token.lower for token in (*tokens[left:index], *tokens[stop : stop + after])}
    auxiliaries = {token.tag for token in before}
    has_finite_auxiliary = bool(auxiliaries & {Tag.BE, Tag.HAVE, Tag.MODAL})
    return VerbGroup(
        lemma=verb.lemma,
        voice=_tell_voice(verb, auxiliaries),
        is_finite=has_finite_auxiliary or (verb.tag is Tag.VERB and Tag.TO not in auxiliaries),
        is_negated=any(word in lex.NEGATIONS or word == "no longer" or word.endswith("n't") for word in words),
        is_hedged=bool(words & lex.HEDGES),
        is_boosted=bool(words & lex.BOOSTERS),
        start=start,
        stop=stop + after,
    )


def _find_lone_auxiliary(tokens: tuple[Token, ...]) -> Token | None:
    """The form of "be" or "have" that is itself the verb."""
    for token in reversed(tokens):
        if token.tag in {Tag.BE, Tag.HAVE} and tokens[0].tag is not Tag.ADVERB:
            return Token(token.text, token.lower, token.tag, "be" if token.tag is Tag.BE else "have")
    return None


def _modifies(tokens: tuple[Token, ...], index: int) -> bool:
    """Whether a participle stands inside a noun phrase."""
    return index > 0 and tokens[index - 1].tag in {Tag.DETERMINER, Tag.ADJECTIVE}


def _count_adverbs(tokens: tuple[Token, ...], index: int) -> int:
    count = 0
    while index + count < len(tokens) and tokens[index + count].tag is Tag.ADVERB:
        count += 1
    return count


def _tell_voice(verb: Token, auxiliaries: set[Tag]) -> str:
    if verb.tag is Tag.PARTICIPLE:
        return "active" if Tag.HAVE in auxiliaries and Tag.BE not in auxiliaries else "passive"
    if Tag.TO in auxiliaries:
        return "infinitive"
    return "gerund" if verb.tag is Tag.GERUND and Tag.BE not in auxiliaries else "active"


_NOMINAL = frozenset({Tag.NOUN, Tag.NAME})
_MODIFIERS = frozenset({Tag.ADJECTIVE, Tag.NOUN, Tag.NAME, Tag.NUMBER})


def _read_phrase(tokens: tuple[Token, ...], start: int) -> Phrase | None:
    index = start
    while index < len(tokens) and tokens[index].tag is Tag.DETERMINER:
        index += 1
    determiner = tokens[start].lower if index > start else ""
    words: list[Token] = []
    possessor: Phrase | None = None
    while index < len(tokens) and index - start < _MAX_PHRASE_WORDS:
        token = tokens[index]
        skipped = _skip_coordinated_adjectives(tokens, index)
        if token.tag is Tag.POSSESSIVE and words:
            possessor = Phrase(tuple(words), determiner, start, index) if words[-1].tag in _NOMINAL else None
            words = []
        elif token.tag in _MODIFIERS and not skipped:
            if words and words[-1].tag is Tag.NOUN and token.tag in {Tag.ADJECTIVE, Tag.NUMBER}:
                break
            words.append(token)
        elif not skipped and not _is_passed_over(tokens, index, is_first=not words and bool(determiner)):
            break
        index += max(1, skipped)
    while words and words[-1].tag not in _NOMINAL:
        words.pop()
    if not words:
        return None
    stop = index
    while tokens[stop - 1] is not words[-1]:
        stop -= 1
    return Phrase(tuple(words), determiner, start, stop, possessor, "of" if possessor else "")


def _is_passed_over(tokens: tuple[Token, ...], index: int, *, is_first: bool) -> bool:
    """Whether the word is an adverb before an adjective, or a participle that opens the phrase."""
    if tokens[index].tag is Tag.ADVERB:
        return index + 1 < len(tokens) and tokens[index + 1].tag is Tag.ADJECTIVE
    return is_first and tokens[index].tag is Tag.PARTICIPLE and _leads_to_noun(tokens, index + 1)


def _leads_to_noun(tokens: tuple[Token, ...], index: int) -> bool:
    while index < len(tokens) and tokens[index].tag is Tag.ADJECTIVE:
        index += 1
    return index < len(tokens) and tokens[index].tag in _NOMINAL


def _skip_coordinated_adjectives(tokens: tuple[Token, ...], index: int) -> int:
    """How many tokens "political and" or "political, social and" take before the adjective beside the noun."""
    if tokens[index].tag is not Tag.ADJECTIVE:
        return 0
    position = last = index
    while position < len(tokens) and tokens[position].tag in {Tag.ADJECTIVE, Tag.ADVERB}:
        last = position
        position += 1
        separators = 0
        while position < len(tokens) and (tokens[position].lower == "," or tokens[position].tag is Tag.CONJUNCTION):
            position += 1
            separators += 1
        if not separators:
            break
    return last - index if last > index and _leads_to_noun(tokens, last) else 0


_LINKS: dict[str, frozenset[str]] = {
    "in": to_words("""
    collapse crash slump shortage increase rise decrease decline reduction fall drop surge spike jump change growth
    shift variation improvement investment trust confidence trade interest participation fluctuation difference
    reliance upturn downturn role part factor
    """),
    "for": to_words("""
    demand support need competition supply factor reason catalyst incentive basis precondition implication
    """),
    "to": to_words("""
    access exposure resistance opposition damage harm vulnerability threat obstacle barrier impediment contributor
    contribution response reaction key danger hindrance solution deterrent
    """),
    "on": to_words("""
    ban tax restriction limit spending tariff dependence reliance sanction embargo effect impact influence bearing
    pressure toll burden
    """),
    "over": frozenset({"control"}),
    "against": frozenset({"discrimination", "safeguard", "protection", "crime", "violence"}),
    "behind": frozenset({"driver", "reason", "force", "cause"}),
}
"""The complements that nouns take by other prepositions than "of"."""


def _attach_complements(items: list[Item]) -> tuple[Item, ...]:
    """Hang "of" phrases and other complements on their heads; from the right, so that they nest."""
    result: list[Item] = []
    for item in reversed(items):
        attached = item
        if isinstance(item, Phrase) and item.complement is None and len(result) >= 2:
            link, complement = result[-1], result[-2]
            if isinstance(complement, Phrase) and isinstance(link, Token) and _takes(item, link):
                del result[-2:]
                attached = replace(item, complement=complement, link=link.lower, stop=complement.stop)
        result.append(attached)
    return tuple(reversed(result))


def _takes(phrase: Phrase, link: Token) -> bool:
    is_known = link.lower == "of" or phrase.head in _LINKS.get(link.lower, frozenset[str]())
    return is_known and link.tag is Tag.PREPOSITION
