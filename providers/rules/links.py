"""A text as links: causal claims between mentions of variables, with the words that make them."""

from collections.abc import Sequence
from dataclasses import dataclass

from providers.rules.claims import Claim, Context, find_claims, to_context
from providers.rules.kinds import Kind, to_kind
from providers.rules.naming import Mention, name_phrase
from providers.rules.phrases import Item, Phrase, build_items
from providers.rules.sentences import split_sentences
from providers.rules.tagging import tag_sentence
from providers.rules.tokens import Tag, Token
from providers.rules.wordclasses import FUNCTION_WORDS, find_lone_opener

_MAX_MECHANISM_WORDS = 20
_MIN_CLAIMING_SHARE = 0.3
_MIN_FUNCTION_SHARE = 0.12
_SHORT_TEXT = 12


@dataclass(frozen=True, slots=True)
class Link:
    """A claim between two mentions, and the words of the sentence that make it, twenty at most."""

    cause: Mention
    effect: Mention
    sign: int
    strength: float
    mechanism: str


@dataclass(frozen=True, slots=True)
class Links:
    """What a text mentions and claims, in its order."""

    mentions: tuple[Mention, ...]
    links: tuple[Link, ...]
    n_words: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    tokens: tuple[Token, ...]
    items: tuple[Item, ...]
    claims: tuple[Claim, ...]


def read_links(text: str) -> Links:
    """The mentions and links of a text; none where it is not English."""
    sentences = _read_sentences(text)
    n_words = sum(len(sentence.tokens) for sentence in sentences)
    if not _is_english(sentences):
        return Links((), (), n_words)
    phrases = (item for sentence in sentences for item in sentence.items if isinstance(item, Phrase))
    mentions = tuple(mention for phrase in phrases if (mention := name_phrase(phrase)))
    return Links(mentions, tuple(link for sentence in sentences for link in _to_links(sentence)), n_words)


def _read_sentences(text: str) -> tuple[_Sentence, ...]:
    raw = split_sentences(text)
    names = _find_names(raw)
    sentences: list[_Sentence] = []
    context = Context()
    for sentence in raw:
        tokens = tag_sentence(sentence, names)
        items = build_items(tokens)
        claims = find_claims(items, context)
        context = to_context(items, claims)
        sentences.append(_Sentence(tokens, items, claims))
    return tuple(sentences)


def _find_names(sentences: Sequence[str]) -> frozenset[str]:
    """Words that stand with a capital inside sentences and nowhere without, and openers that are most likely names."""
    capital: set[str] = set()
    small: set[str] = set()
    for sentence in sentences:
        opener = find_lone_opener(sentence)
        if opener and to_kind(opener) is Kind.THING:
            capital.add(opener)
        for word in sentence.replace("'s", "").split()[1:]:
            plain = word.strip(".,;:!?'")
            (capital if plain[:1].isupper() else small).add(plain)
    return frozenset(word for word in capital if word.lower() not in small and word.lower() not in FUNCTION_WORDS)


def _is_english(sentences: Sequence[_Sentence]) -> bool:
    """Whether enough function words are English; in a very short text, or a terse one, causal claims are enough."""
    words = [token for sentence in sentences for token in sentence.tokens if token.tag is not Tag.PUNCTUATION]
    known = sum(token.lower in FUNCTION_WORDS for token in words)
    n_claiming = sum(bool(sentence.claims) for sentence in sentences)
    if len(words) < _SHORT_TEXT:
        return n_claiming > 0
    return known >= _MIN_FUNCTION_SHARE * len(words) or n_claiming >= _MIN_CLAIMING_SHARE * len(sentences)


def _to_links(sentence: _Sentence) -> list[Link]:
    links: list[Link] = []
    for claim in sentence.claims:
        cause, effect = name_phrase(claim.cause), name_phrase(claim.effect)
        if cause and effect and cause.key != effect.key:
            sign = claim.sign * cause.polarity * effect.polarity
            links.append(Link(cause, effect, sign, claim.strength, _quote(sentence, claim)))
    return links


def _quote(sentence: _Sentence, claim: Claim) -> str:
    """The clause from the first to the last of cause, cue and effect, in twenty words at most."""
    ends = [
        (phrase.start, phrase.stop)
        for phrase in (claim.cause, claim.effect)
        if any(token is phrase.words[-1] for token in sentence.tokens[phrase.start : phrase.stop])
    ]
    ends.append(_span(sentence.items[claim.position], sentence))
    start, stop = min(span[0] for span in ends), max(span[1] for span in ends)
    words = [token.text for token in sentence.tokens[start:stop]]
    if len(words) > _MAX_MECHANISM_WORDS and len(ends) > 1:
        # keep cause, cue and effect; what stands between the first two is left out
        (first, second, *_) = sorted(ends)
        words = [token.text for token in (*sentence.tokens[slice(*first)], *sentence.tokens[second[0] : stop])]
    words += _rest_of_clause(sentence.tokens[stop:], _MAX_MECHANISM_WORDS - len(words))
    text = " ".join(words[:_MAX_MECHANISM_WORDS])
    for mark in (",", ";", ":", ".", "'s", "'"):
        text = text.replace(f" {mark}", mark)
    return text


def _rest_of_clause(tokens: Sequence[Token], n_words: int) -> list[str]:
    """The words up to the next comma or conjunction, or none where they are too many."""
    ends = {Tag.CONJUNCTION, Tag.SUBORDINATOR, Tag.RELATIVE, Tag.PUNCTUATION, Tag.CONNECTIVE}
    stop = next((i for i, token in enumerate(tokens) if token.tag in ends), len(tokens))
    return [token.text for token in tokens[:stop]] if stop <= n_words else []


def _span(item: Item, sentence: _Sentence) -> tuple[int, int]:
    if isinstance(item, Token):
        index = next(i for i, token in enumerate(sentence.tokens) if token is item)
        return index, index + 1
    return item.start, item.stop
