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

    ``complement`` is the phrase that hangs on the head by ``link``: "oil" in "price of oil", "cars" in "demand for cars".
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
    if not any(token.tag is not Tag.ADVERB for token in before):
        if index > start:
            return None
    verb = tokens[index] if index < len(tokens) and tokens[index].tag in _VERBAL else None
    if verb is None:
        be = [token for token in before if token.tag in {Tag.BE, Tag.HAVE}]
        if not be or before[0].tag is Tag.ADVERB:
            return None
        verb = Token(be[-1].text, be[-1].lower, be[-1].tag, "be" if be[-1].tag is Tag.BE else "have")
        stop = index
        while tokens[stop - 1].tag is Tag.ADVERB:
            stop -= 1
    else:
        stop = index + 1
        if (
            verb.tag is Tag.PARTICIPLE
            and not before
            and start
            and tokens[start - 1].tag in {Tag.DETERMINER, Tag.ADJECTIVE}
        ):
            return None
    after = _count_adverbs(tokens, stop)
    words = {token.lower for token in (*before, *tokens[stop : stop + after])}
    # an adverb further left belongs to the verb, too
    left = start - 1
    while left >= 0 and tokens[left].tag is Tag.ADVERB:
        words.add(tokens[left].lower)
        left -= 1
    auxiliaries = {token.tag for token in before}
    return VerbGroup(
        lemma=verb.lemma,
        voice=_tell_voice(verb, auxiliaries),
        is_finite=bool(auxiliaries & {Tag.BE, Tag.HAVE, Tag.MODAL})
        or verb.tag is Tag.VERB
        and Tag.TO not in auxiliaries,
        is_negated=Tag.NEGATION in auxiliaries
        or any(w in {"cannot", "nor"} or w.endswith("n't") or w in lex.NEGATIONS for w in words),
        is_hedged=bool(words & lex.HEDGES),
        is_boosted=bool(words & lex.BOOSTERS),
        start=start,
        stop=stop + after,
    )


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


_MODIFIERS = frozenset({Tag.ADJECTIVE, Tag.NOUN, Tag.NAME, Tag.NUMBER})


def _read_phrase(tokens: tuple[Token, ...], start: int) -> Phrase | None:
    index = start
    determiner = ""
    while index < len(tokens) and tokens[index].tag is Tag.DETERMINER:
        determiner = determiner or tokens[index].lower
        index += 1
    words: list[Token] = []
    possessor: Phrase | None = None
    while index < len(tokens) and index - start < _MAX_PHRASE_WORDS:
        token = tokens[index]
        if token.tag is Tag.POSSESSIVE and words:
            if words[-1].tag in {Tag.NOUN, Tag.NAME}:
                possessor = Phrase(tuple(words), determiner, start, index)
            words = []
        elif token.tag is Tag.ADVERB and index + 1 < len(tokens) and tokens[index + 1].tag is Tag.ADJECTIVE:
            pass
        elif token.tag is Tag.PARTICIPLE and not words and determiner and _leads_to_noun(tokens, index + 1):
            pass
        elif token.tag is Tag.ADJECTIVE and (skipped := _skip_coordinated_adjectives(tokens, index)):
            index += skipped
            continue
        elif token.tag in _MODIFIERS:
            if words and words[-1].tag is Tag.NOUN and token.tag in {Tag.ADJECTIVE, Tag.NUMBER}:
                break
            words.append(token)
        else:
            break
        index += 1
    while words and words[-1].tag not in {Tag.NOUN, Tag.NAME}:
        words.pop()
        index -= 1
    if not words:
        return None
    stop = index
    while tokens[stop - 1] is not words[-1]:
        stop -= 1
    return Phrase(tuple(words), determiner, start, stop, possessor, "of" if possessor else "")


def _leads_to_noun(tokens: tuple[Token, ...], index: int) -> bool:
    while index < len(tokens) and tokens[index].tag is Tag.ADJECTIVE:
        index += 1
    return index < len(tokens) and tokens[index].tag in {Tag.NOUN, Tag.NAME}


def _skip_coordinated_adjectives(tokens: tuple[Token, ...], index: int) -> int:
    """How many tokens "political and" or "political, social and" take before the adjective beside the noun."""
    position = index
    last = index
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
    """Hang "of" phrases, and the complements that some nouns take, on their heads; from the right, so that they nest."""
    result: list[Item] = []
    for item in reversed(items):
        if isinstance(item, Phrase) and item.complement is None and len(result) >= 2:
            link, complement = result[-1], result[-2]
            if (
                isinstance(link, Token)
                and isinstance(complement, Phrase)
                and link.tag is Tag.PREPOSITION
                and (link.lower == "of" or item.head in _LINKS.get(link.lower, frozenset()))
            ):
                del result[-2:]
                item = replace(item, complement=complement, link=link.lower, stop=complement.stop)
        result.append(item)
    return tuple(reversed(result))
