"""What a cue acts between: phrases as arguments, lists of phrases, and the objects behind a verb."""

from collections.abc import Sequence
from dataclasses import dataclass

from providers.rules.cues import find_verb_cue
from providers.rules.kinds import to_kind
from providers.rules.naming import name_phrase
from providers.rules.phrases import Item, Phrase, VerbGroup
from providers.rules.tokens import Tag, Token
from providers.rules.verbs import MOVES

_MAX_LIST = 6


@dataclass(frozen=True, slots=True)
class Argument:
    """A phrase that takes part in a claim; ``sign`` is -1 where the sentence speaks of less of it.

    ``anaphor`` is set instead of the phrase where a pronoun stands for what was said before: "this", "it", "they", or
    "clause" for the words before it in the same sentence.
    """

    phrase: Phrase | None
    sign: int = 1
    anaphor: str = ""


Arguments = tuple[Argument, ...]


def is_usable(phrase: Phrase) -> bool:
    """Whether the phrase names a variable."""
    return name_phrase(phrase) is not None


def keep_usable(arguments: Arguments) -> Arguments:
    """The arguments whose phrases name variables."""
    return tuple(argument for argument in arguments if argument.phrase is not None and is_usable(argument.phrase))


def to_arguments(phrases: Sequence[Phrase], sign: int = 1) -> Arguments:
    """The phrases as arguments with one sign."""
    return tuple(Argument(phrase, sign) for phrase in phrases)


def is_word(item: Item, *words: str) -> bool:
    """Whether the item is one of these words."""
    return isinstance(item, Token) and item.lower in words


def is_tag(item: Item, *tags: Tag) -> bool:
    """Whether the item is a word with one of these parts of speech."""
    return isinstance(item, Token) and item.tag in tags


def is_boundary(item: Item) -> bool:
    """Whether a clause ends here for certain."""
    return is_tag(item, Tag.SUBORDINATOR, Tag.RELATIVE) or is_word(item, ";", ":", ".", "?", "!")


def is_finite(item: Item) -> bool:
    """Whether the item is a finite verb."""
    return isinstance(item, VerbGroup) and item.is_finite


@dataclass(frozen=True, slots=True)
class _Coordinate:
    """A phrase of a list: the separator before it, the index behind it, and whether a prepositional phrase follows."""

    phrase: Phrase
    separator: str
    stop: int
    has_tail: bool


def read_coordinates(items: Sequence[Item], index: int) -> tuple[tuple[Phrase, ...], int]:
    """The phrases "X", "X and Y" or "X, Y and Z" that start at ``index``, and the index behind the last.

    Prepositional phrases between them are skipped. A phrase that the next clause needs as its subject is left out.
    """
    found: list[_Coordinate] = []
    separator = ""
    index = _skip_fillers(items, index)
    while index < len(items):
        item = items[index]
        if not isinstance(item, Phrase):
            break
        after = _skip_prepositional_phrases(items, index + 1)
        if found and after < len(items) and is_finite(items[after]):
            break
        found.append(_Coordinate(item, separator, index + 1, after > index + 1))
        index = after
        while index < len(items) and (is_word(items[index], ",") or is_tag(items[index], Tag.CONJUNCTION)):
            index += 1
        separator = " ".join(item.lower for item in items[after:index] if isinstance(item, Token))
        if not separator:
            break
        index = _skip_fillers(items, index)
    kept = _close_list(found)
    if not kept:
        return (), index
    return tuple(c.phrase for c in kept if not _belongs_to_complement(kept[0].phrase, c.phrase)), kept[-1].stop


def _skip_fillers(items: Sequence[Item], index: int) -> int:
    while index < len(items) and (
        is_tag(items[index], Tag.ADVERB, Tag.NUMBER) or is_word(items[index], "both", "either")
    ):
        index += 1
    if index + 1 < len(items) and is_tag(items[index], Tag.ADJECTIVE) and is_word(items[index + 1], ","):
        index += 2
    return index


_JOINERS = ("and", "or", "as well as", "/")


def _close_list(found: Sequence[_Coordinate]) -> Sequence[_Coordinate]:
    """The first phrase, with the others where an "and" or "or" makes a list of them.

    ", and" after a single phrase opens something new, and a list that begins behind a preposition ("on X, Y and Z")
    belongs to the preposition.
    """
    closing = next((i for i, c in enumerate(found) if c.separator.endswith(_JOINERS)), None)
    if closing is None or (closing == 1 and found[1].separator.startswith(",")):
        return found[:1]
    if found[0].has_tail and found[1].separator.startswith(","):
        return found[:1]
    while closing + 1 < len(found) and found[closing + 1].separator in _JOINERS:
        closing += 1
    return found[: min(closing + 1, _MAX_LIST)]


def _belongs_to_complement(first: Phrase, coordinate: Phrase) -> bool:
    """Whether "wetlands" in "loss of forests and wetlands" goes with the forests, not with the loss: by their kinds."""
    inner = first.complement
    if inner is None or coordinate is first or coordinate.determiner or coordinate.complement is not None:
        return False
    kind = to_kind(coordinate.head)
    return kind == to_kind(inner.head) and kind != to_kind(first.head)


def _skip_prepositional_phrases(items: Sequence[Item], index: int) -> int:
    while index + 1 < len(items) and is_tag(items[index], Tag.PREPOSITION) and isinstance(items[index + 1], Phrase):
        if is_word(items[index], "such as", "including", "between"):
            _, index = read_coordinates(items, index + 1)
        else:
            index += 2
    return index


def sign_of_verb(item: Item) -> int:
    """The direction in which a verb moves its object, or itself; +1 where it says none."""
    if not isinstance(item, VerbGroup):
        return 1
    cue = find_verb_cue(item.lemma, "", has_object=True, is_passive=False)
    return cue.sign if cue and cue.is_forward else MOVES.get(item.lemma, 1)


def find_objects(items: Sequence[Item], verb: int, *, has_particle: bool = False) -> Arguments:
    """What stands behind a verb and its particle.

    "Led to reducing costs" gives costs with a minus; "allowed farmers to grow crops" gives crops.
    """
    index = verb + 1 + has_particle
    while index < len(items) and is_tag(items[index], Tag.ADVERB):
        index += 1
    if index < len(items) and _is_nonfinite(items[index]):
        return to_arguments(read_coordinates(items, index + 1)[0], sign_of_verb(items[index]))
    phrases, end = read_coordinates(items, index)
    is_followed = end < len(items) and _is_nonfinite(items[end], "infinitive")
    if phrases and is_followed and not any(map(is_usable, phrases)):
        return to_arguments(read_coordinates(items, end + 1)[0], sign_of_verb(items[end]))
    return to_arguments(phrases)


def _is_nonfinite(item: Item, *voices: str) -> bool:
    return isinstance(item, VerbGroup) and item.voice in (voices or ("gerund", "infinitive"))
