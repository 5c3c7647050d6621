"""Cues that are nouns and adjectives: "X is a cause of Y", "the effect of X on Y", "X is responsible for Y"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from providers.rules import cues
from providers.rules.arguments import Argument, Arguments, is_tag, is_word, read_coordinates, to_arguments
from providers.rules.cues import Cue
from providers.rules.lexicon import to_words
from providers.rules.phrases import Item, Phrase, VerbGroup
from providers.rules.subjects import find_subject
from providers.rules.tokens import Tag, Token

_CARRIERS = to_words("""
    have exert exercise play pose represent constitute provide act serve become remain form create
    """)
_ORIGINS = to_words("origin root basis source cause")
_LISTING = frozenset({"include", "be"})
_INDUCED = re.compile(r"^([^\W\d_]{3,})-(?:induced|driven|caused|triggered|fuelled|fueled)$")
_HEDGED, _BOOST, _FIRMEST = 0.7, 0.1, 0.95


@dataclass(frozen=True, slots=True)
class Finding:
    """A cue with its arguments: everything in ``causes`` acts on everything in ``effects``."""

    causes: Arguments
    effects: Arguments
    cue: Cue


def orient(left: Arguments, right: Arguments, cue: Cue) -> Finding:
    """The finding of a cue between what stands left and right of it."""
    return Finding(left, right, cue) if cue.is_forward else Finding(right, left, cue)


def weigh(cue: Cue, group: VerbGroup) -> Cue:
    """The cue, weaker behind "may" and firmer behind "strongly"."""
    strength = cue.strength * _HEDGED if group.is_hedged else cue.strength
    return replace(cue, strength=min(_FIRMEST, strength + _BOOST) if group.is_boosted else strength)


def read_predicate(items: Sequence[Item], verb: int, group: VerbGroup) -> Iterator[Finding]:
    """Findings of a form of "be": "X is responsible for Y", "X is one of the main causes of Y"."""
    index = verb + 1
    while index < len(items) and (is_tag(items[index], Tag.ADVERB, Tag.NUMBER) or is_word(items[index], "of", "both")):
        index += 1
    if index >= len(items):
        return
    item = items[index]
    if isinstance(item, Phrase):
        yield from _read_noun_predicate(find_subject(items, verb), items, index)
    elif isinstance(item, Token) and item.tag is Tag.ADJECTIVE and index + 1 < len(items):
        link = items[index + 1]
        cue = cues.ADJECTIVE_CUES.get(f"{item.lower} {link.lower}") if isinstance(link, Token) else None
        if cue is not None:
            phrases, _ = read_coordinates(items, index + 2)
            yield orient(find_subject(items, verb), to_arguments(phrases), weigh(cue, group))


def read_make(items: Sequence[Item], verb: int, group: VerbGroup) -> Iterator[Finding]:
    """Findings of "X makes Y (more) likely" and "X makes Y a cause of Z"."""
    phrases, end = read_coordinates(items, verb + 1)
    if phrases and end < len(items) and isinstance(items[end], Phrase):
        yield from _read_noun_predicate(to_arguments(phrases), items, end)
    rest = [item.lower for item in items[end : end + 2] if isinstance(item, Token)]
    if not rest:
        return
    word = rest[1] if len(rest) > 1 and rest[0] in {"more", "less"} else rest[0]
    sign = cues.COMPARATIVES.get(word, 0) * (-1 if rest[0] == "less" else 1)
    if phrases and sign:
        yield Finding(find_subject(items, verb), to_arguments(phrases), weigh(Cue(sign, cues.CLEAR), group))


def read_noun(items: Sequence[Item], position: int, phrase: Phrase) -> Iterator[Finding]:
    """Findings of a noun phrase: "drought-induced famine", "effect of X on Y", "X, a cause of Y", "causes of Y are"."""
    for word in phrase.words[:-1]:
        if match := _INDUCED.match(word.lower):
            cause = Phrase((Token(match[1], match[1], Tag.NOUN),), "", phrase.start, phrase.start)
            yield Finding((Argument(cause),), (Argument(phrase),), Cue(1, cues.STRONG))
    cue = _find_noun_cue(phrase)
    if cue is None:
        return
    before = items[position - 1] if position else None
    after = items[position + 1] if position + 1 < len(items) else None
    if _is_acting(phrase) and after is not None and is_word(after, "on", "in", "to"):
        targets, _ = read_coordinates(items, position + 2)
        yield orient((Argument(phrase.complement),), to_arguments(targets), cue)
        return
    if before is not None:
        yield from _read_carried_noun(items, position, phrase, before)
    if (
        isinstance(after, VerbGroup)
        and after.lemma in _LISTING
        and phrase.complement is not None
        and not after.is_negated
    ):
        listed, _ = read_coordinates(items, position + 2)
        is_forward = cue.is_forward and phrase.head not in cues.ACTING_NOUNS
        yield orient(to_arguments(listed), (Argument(phrase.complement),), replace(cue, is_forward=is_forward))


def _is_acting(phrase: Phrase) -> bool:
    """Whether the phrase is "the effect of X", which acts on something else."""
    return phrase.link == "of" and phrase.head in cues.ACTING_NOUNS | {"role", "response", "reaction"}


def _read_carried_noun(items: Sequence[Item], position: int, phrase: Phrase, before: Item) -> Iterator[Finding]:
    """Findings of "X has an effect on Y", "X acts as a cause of Y", "X, a cause of Y"."""
    if isinstance(before, VerbGroup) and not before.is_negated:
        if before.lemma == "have" and phrase.head in _ORIGINS:
            yield Finding(_read_complements(items, position), find_subject(items, position - 1), Cue(1, cues.STRONG))
        elif before.lemma in _CARRIERS:
            for finding in _read_noun_predicate(find_subject(items, position - 1), items, position):
                yield replace(finding, cue=weigh(finding.cue, before))
    elif position >= 2 and is_word(before, "as") and isinstance(items[position - 2], VerbGroup):
        yield from _read_noun_predicate(find_subject(items, position - 2), items, position)
    elif position >= 2 and is_word(before, ",") and phrase.complement is not None:
        apposed = items[position - 2]
        if isinstance(apposed, Phrase):
            yield from _read_noun_predicate((Argument(apposed),), items, position)


def _find_noun_cue(phrase: Phrase) -> Cue | None:
    """The cue of a phrase whose head is a causal noun, with the sign of its modifiers."""
    cue = cues.NOUN_CUES.get(phrase.head)
    modifiers = {word.lower for word in phrase.words[:-1]}
    if cue is None or (modifiers | {phrase.determiner}) & cues.NULL_MODIFIERS:
        return None
    return replace(cue, sign=-cue.sign) if modifiers & cues.HARMFUL_MODIFIERS else cue


def _read_noun_predicate(subject: Arguments, items: Sequence[Item], index: int) -> Iterator[Finding]:
    """A subject and "a major cause of Y", or "its cause" where Y is what the sentence before speaks of."""
    phrase = items[index]
    cue = _find_noun_cue(phrase) if isinstance(phrase, Phrase) else None
    if not isinstance(phrase, Phrase) or cue is None or (phrase.head in cues.ACTING_NOUNS and phrase.link == "of"):
        return
    effects = _read_complements(items, index)
    if phrase.complement is None and phrase.determiner in {"its", "their"}:
        effects = (Argument(None, anaphor="it"),)
    yield orient(subject, effects, cue)


def _read_complements(items: Sequence[Item], index: int) -> Arguments:
    """The complement of the noun at ``index`` and what is coordinated with it."""
    phrase = items[index]
    if isinstance(phrase, Phrase) and phrase.complement is not None:
        return to_arguments(read_coordinates([phrase.complement, *items[index + 1 :]], 0)[0])
    if index + 2 < len(items) and is_word(items[index + 1], "for", "in", "to", "behind", "on"):
        return to_arguments(read_coordinates(items, index + 2)[0])
    return ()
