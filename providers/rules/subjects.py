"""The subject of a verb: the phrases that do what it says."""

from collections.abc import Sequence

from providers.rules.arguments import (
    Argument,
    Arguments,
    find_objects,
    is_boundary,
    is_finite,
    is_tag,
    is_usable,
    is_word,
    keep_usable,
    read_coordinates,
    sign_of_verb,
    to_arguments,
)
from providers.rules.phrases import Item, Phrase, VerbGroup
from providers.rules.tokens import BACKWARD_CONNECTIVES, FORWARD_CONNECTIVES, Tag, Token


def find_subject(items: Sequence[Item], verb: int) -> Arguments:
    """The subject of the verb group at ``verb``: the phrases that do what it says."""
    index = verb - 1
    while index >= 0 and is_tag(items[index], Tag.ADVERB):
        index -= 1
    group = items[verb]
    if index < 0 or not isinstance(group, VerbGroup):
        return ()
    before = items[index]
    if is_tag(before, Tag.RELATIVE):
        return _find_antecedent(items, index)
    if is_tag(before, Tag.CONJUNCTION) or (is_word(before, ",") and group.is_finite and _joins_verbs(items, index)):
        return _find_shared_subject(items, index)
    if group.voice == "gerund" and not group.is_finite:
        return _find_gerund_subject(items, index)
    if group.voice == "infinitive":
        if isinstance(before, Phrase) and is_usable(before):
            return (Argument(before),)
        return _find_shared_subject(items, index + 1)
    if group.voice == "passive" and not group.is_finite:
        return _find_nearest(items, index)
    return _find_finite_subject(items, index)


def _joins_verbs(items: Sequence[Item], comma: int) -> bool:
    return comma > 0 and isinstance(items[comma - 1], VerbGroup)


def _find_nearest(items: Sequence[Item], index: int) -> Arguments:
    """The phrase at ``index``, or where it names no variable the one its preposition hangs on."""
    if is_word(items[index], ",") and index:
        index -= 1
    first = items[index]
    while index >= 0 and isinstance(items[index], Phrase):
        phrase = items[index]
        if isinstance(phrase, Phrase) and is_usable(phrase):
            return (Argument(phrase),)
        if index < 2 or not is_tag(items[index - 1], Tag.PREPOSITION):
            break
        index -= 2
    return (Argument(first),) if isinstance(first, Phrase) else ()


def _find_antecedent(items: Sequence[Item], relative: int) -> Arguments:
    """What "which" stands for: the phrase before it, else the object of the clause before its comma."""
    index = relative - 1
    if index < 0 or is_tag(items[index], Tag.PREPOSITION):
        return ()
    nearest = _find_nearest(items, index)
    if not is_word(items[index], ",") or keep_usable(nearest):
        return nearest
    for verb in range(index - 1, -1, -1):
        if is_boundary(items[verb]):
            break
        if is_finite(items[verb]):
            return keep_usable(find_objects(items[:index], verb))
    return ()


def _find_shared_subject(items: Sequence[Item], index: int) -> Arguments:
    """The subject of the verb before: "X raises Y and reduces Z"."""
    for position in range(index - 1, -1, -1):
        item = items[position]
        if is_word(item, ";", ":"):
            return ()
        if isinstance(item, VerbGroup) and (item.is_finite or item.voice == "infinitive" or position == index - 1):
            return find_subject(items, position)
    return ()


def _find_gerund_subject(items: Sequence[Item], index: int) -> Arguments:
    before = items[index]
    if is_tag(before, Tag.PREPOSITION):
        if is_word(before, "by", "through"):
            return _find_shared_subject(items, index)
        return _find_nearest(items, index - 1) if is_word(before, "for") and index else ()
    if isinstance(before, Phrase):
        return _find_nearest(items, index)
    return ()


def _find_finite_subject(items: Sequence[Item], index: int) -> Arguments:
    """Walk left to the beginning of the clause, then read the subject's phrases from the left."""
    before = items[index]
    if is_tag(before, Tag.PRONOUN) or is_word(before, "this", "these", "that"):
        return _find_anaphor(items, index)
    if is_word(before, ","):
        index = _skip_aside(items, index)
    start = _find_clause_start(items, index)
    if start > 0 and is_finite(items[start - 1]):
        # an object of the verb before cannot be the subject here: begin behind the conjunction
        while start <= index and not is_tag(items[start], Tag.CONJUNCTION) and not is_word(items[start], ","):
            start += 1
        start += 1
    return _read_subject(items, start, index)


def _find_anaphor(items: Sequence[Item], index: int) -> Arguments:
    """A pronoun that opens the sentence refers back to the one before; "this" inside a sentence to its words so far."""
    item = items[index]
    word = item.lower if isinstance(item, Token) else ""
    opens = (Tag.ADVERB, Tag.CONNECTIVE, Tag.CONJUNCTION)
    if all(is_tag(before, *opens) or is_word(before, ",") for before in items[:index]):
        return (Argument(None, anaphor=word),)
    return (Argument(None, anaphor="clause"),) if word == "this" else ()


def _find_clause_start(items: Sequence[Item], index: int) -> int:
    """The first item of the clause that holds ``index``; relative clauses inside it are passed over."""
    start = index + 1
    while start > 0:
        item = items[start - 1]
        if is_finite(item) and start >= 2 and is_tag(items[start - 2], Tag.RELATIVE):
            start -= 2
        elif is_finite(item) or is_boundary(item) or is_word(item, *FORWARD_CONNECTIVES):
            break
        else:
            start -= 1
    return start


def _skip_aside(items: Sequence[Item], comma: int) -> int:
    """From the comma that closes ", which ...," or ", a form of Y," to the item before the comma that opens it."""
    for position in range(comma - 1, 0, -1):
        if is_word(items[position], ",") and not is_tag(items[position + 1], Tag.CONJUNCTION):
            return position - 1
    return comma - 1


def _read_subject(items: Sequence[Item], start: int, stop: int) -> Arguments:
    """Read the subject's phrases from the beginning of its clause to ``stop``, opening asides passed over."""
    sign = 1
    while start <= stop and not _is_subject_phrase(items, start, stop):
        item = items[start]
        if is_tag(item, Tag.PRONOUN, Tag.RELATIVE):
            return ()
        if is_tag(item, Tag.PREPOSITION) or is_word(item, *BACKWARD_CONNECTIVES):
            start = next((i for i in range(start, stop + 1) if is_word(items[i], ",")), start + 1)
        elif isinstance(item, VerbGroup) and item.voice in {"gerund", "infinitive"}:
            sign = sign_of_verb(item)
        start += 1
    if start > stop:
        return ()
    phrases, end = read_coordinates(items[: stop + 1], start)
    if not any(map(is_usable, phrases)) and end <= stop and isinstance(items[end], VerbGroup):
        # "efforts to reduce emissions": what is reduced matters
        sign *= sign_of_verb(items[end])
        phrases, _ = read_coordinates(items[: stop + 1], end + 1)
    return to_arguments(phrases, sign)


def _is_subject_phrase(items: Sequence[Item], index: int, stop: int) -> bool:
    """Whether a phrase begins the subject: not "this year" in "This year, prices rose"."""
    item = items[index]
    if not isinstance(item, Phrase):
        return False
    is_aside = index + 2 <= stop and is_word(items[index + 1], ",")
    return not is_aside or is_usable(item)
