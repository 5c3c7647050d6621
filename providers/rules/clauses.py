"""Clauses: where they begin and end, and what they say something about."""

from collections.abc import Sequence

from providers.rules import lexicon as lex
from providers.rules.arguments import (
    Argument,
    Arguments,
    find_objects,
    is_boundary,
    is_finite,
    is_tag,
    is_word,
    keep_usable,
    sign_of_verb,
)
from providers.rules.cues import VERB_CUES, find_verb_cue
from providers.rules.kinds import Kind, to_kind
from providers.rules.phrases import Item, Phrase, VerbGroup
from providers.rules.subjects import find_subject
from providers.rules.tokens import Tag, Token
from providers.rules.verbs import MOVES


def find_clause_variable(items: Sequence[Item], start: int, stop: int) -> Arguments:
    """What a clause says something about: the object its verb moves, else its subject; with the direction.

    "Supply fell" gives supply with a minus, "the bank raised interest rates" gives interest rates.
    """
    for verb in range(start, stop):
        group = items[verb]
        if (
            isinstance(group, VerbGroup)
            and group.is_finite
            and not (verb > start and is_tag(items[verb - 1], Tag.RELATIVE))
        ):
            found = _read_clause(items[:stop], verb, group)
            if found:
                return found
    return ()


def _read_clause(items: Sequence[Item], verb: int, group: VerbGroup) -> Arguments:
    flip = -1 if group.is_negated else 1
    objects = find_objects(items, verb) if group.voice == "active" else ()
    usable = keep_usable(objects)
    if usable and find_verb_cue(group.lemma, "", has_object=True, is_passive=False):
        return tuple(Argument(a.phrase, a.sign * sign_of_verb(group) * flip) for a in usable)
    subject = find_subject(items, verb)
    named = tuple(a for a in subject if a.anaphor) or keep_usable(subject)
    if usable and named and all(_is_institution(a) for a in named):
        return usable
    sign = 1 if objects else MOVES.get(group.lemma, 1) * flip
    sign *= _sign_of_predicate(items[verb + 1] if verb + 1 < len(items) else None)
    return tuple(Argument(a.phrase, a.sign * sign, a.anaphor) for a in named)


def _is_institution(argument: Argument) -> bool:
    return argument.phrase is not None and to_kind(argument.phrase.head) is Kind.INSTITUTION


def _sign_of_predicate(item: Item | None) -> int:
    return -1 if isinstance(item, Token) and item.lower in lex.FALLING else 1


def is_moving(items: Sequence[Item], start: int, stop: int) -> bool:
    """Whether the first verb of a clause says that something rises, falls, occurs, is moved, or is high."""
    verb = next((i for i in range(start, stop) if isinstance(items[i], VerbGroup)), None)
    group = items[verb] if verb is not None else None
    if verb is None or not isinstance(group, VerbGroup):
        return False
    if group.lemma == "be":
        return verb + 1 < stop and is_tag(items[verb + 1], Tag.ADJECTIVE)
    return group.lemma in MOVES or group.lemma in VERB_CUES


def find_sentence_start(items: Sequence[Item], index: int) -> int:
    """The item behind the last semicolon or colon before ``index``."""
    while index > 0 and not is_word(items[index - 1], ";", ":"):
        index -= 1
    return index


def find_sentence_stop(items: Sequence[Item], index: int) -> int:
    """The first semicolon or colon from ``index`` on."""
    return next((i for i in range(index, len(items)) if is_word(items[i], ";", ":")), len(items))


def find_last_clause(items: Sequence[Item], start: int, stop: int) -> int:
    """The beginning of the clause that ends at ``stop``: behind a boundary, or an "and" that joins two clauses."""
    for index in range(stop - 1, start, -1):
        if is_boundary(items[index]):
            return index + 1
        joins = is_tag(items[index], Tag.CONJUNCTION) and isinstance(items[index + 1], Phrase)
        if joins and any(map(is_finite, items[index + 1 : stop])) and any(map(is_finite, items[start:index])):
            return index + 1
    return start


def find_main_clause(items: Sequence[Item], start: int) -> int | None:
    """The comma behind an opening subordinate clause, or None where there is no main clause behind it."""
    has_verb = False
    for index in range(start, len(items)):
        has_verb = has_verb or isinstance(items[index], VerbGroup)
        if has_verb and is_word(items[index], ","):
            return index
    return None
