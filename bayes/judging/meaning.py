"""What a name says, as far as a word list can tell: concepts, numbers, negations.

A name is folded (:mod:`bayes.folding`) and read from left to right; at every token the longest entry of
:mod:`bayes.judging.vocabulary` counts, first as it is written, then by its stems. What is no entry is a concept of its
own, named by its stem.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache
from typing import NamedTuple

from bayes.folding import fold
from bayes.judging import vocabulary
from bayes.judging.stemming import to_stem
from bayes.judging.synonyms import SYNONYMS

_SKIPPED = frozenset({"of", "the", "and", "for", "in", "a"})
_ACRONYM = re.compile(r"\b[A-Z]{2,6}(?=s?\b)")


class Role(Enum):
    """What an entry of the vocabulary does to a name."""

    CONCEPT = auto()
    SLIGHT = auto()
    STOP = auto()
    DIRECTION = auto()
    NEGATION = auto()
    OPPOSITE = auto()
    DEGREE = auto()
    COMPARISON = auto()
    NUMBER = auto()
    UNIT = auto()


class Entry(NamedTuple):
    """A role, and the concept or value that stands for all entries of a group."""

    role: Role
    value: str


class Word(NamedTuple):
    """An entry found in a name, with the token that it begins with."""

    token: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Meaning:
    """What two names are compared by.

    ``concepts`` are what the name is about; ``slight`` those it may lack; ``guards``, its numbers, units, comparisons
    and degrees, must be equal; ``n_negations`` counts its negations. ``direction`` is the last word such as ``to`` or
    ``on``, and ``after`` the concepts that follow it.
    """

    concepts: frozenset[str]
    slight: frozenset[str]
    guards: tuple[str, ...]
    n_negations: int
    direction: str
    after: frozenset[str]


class Vocabulary:
    """The word lists, made ready: entries by their folded tokens, concepts by their stems too."""

    def __init__(self) -> None:
        self.exact: dict[tuple[str, ...], Entry] = {}
        self.stemmed: dict[tuple[str, ...], Entry] = {}
        for role, lines in (
            (Role.NUMBER, vocabulary.NUMBERS),
            (Role.UNIT, vocabulary.UNITS),
            (Role.COMPARISON, vocabulary.COMPARISONS),
            (Role.DEGREE, vocabulary.DEGREES),
            (Role.NEGATION, vocabulary.NEGATIONS),
            (Role.DIRECTION, vocabulary.DIRECTIONS),
            (Role.STOP, vocabulary.STOP_WORDS),
            (Role.SLIGHT, vocabulary.SLIGHT),
            (Role.CONCEPT, vocabulary.PRESENT),
            (Role.CONCEPT, SYNONYMS),
        ):
            self._add(role, lines)
        roles = {Role.STOP, Role.DIRECTION, Role.NEGATION}
        self.function_words = frozenset(
            token for tokens, entry in self.exact.items() if entry.role in roles for token in tokens
        )
        for opposite, positive in _to_groups(vocabulary.OPPOSITES):
            self.exact[fold(opposite)] = Entry(Role.OPPOSITE, self.to_concept(positive))
        self.antonyms = frozenset(
            pair
            for left, right in _to_groups(vocabulary.ANTONYMS)
            for a, b in [(self.to_concept(left), self.to_concept(right))]
            for pair in ((a, b), (b, a))
        )

    def _add(self, role: Role, lines: str) -> None:
        is_grouped = role not in {Role.STOP, Role.SLIGHT, Role.DIRECTION, Role.NEGATION}
        for group in _to_groups(lines):
            value = _to_value(group[0])
            for name in group:
                entry = Entry(role, value if is_grouped else _to_value(name))
                self.exact.setdefault(fold(name), entry)
                if role is Role.CONCEPT:
                    self.stemmed.setdefault(tuple(map(to_stem, fold(name))), entry)

    def to_concept(self, name: str) -> str:
        """The concept that a word or phrase stands for."""
        tokens = fold(name)
        stems = tuple(map(to_stem, tokens))
        for entry in (self.exact.get(tokens), self.stemmed.get(stems)):
            if entry is not None and entry.role is Role.CONCEPT:
                return entry.value
        return " ".join(stems)

    def find(self, tokens: tuple[str, ...]) -> list[Word]:
        """The tokens as entries, the longest at every place."""
        stems = tuple(map(to_stem, tokens))
        found: list[Word] = []
        at = 0
        while at < len(tokens):
            for end in range(min(len(tokens), at + 4), at, -1):
                entry = self.exact.get(tokens[at:end]) or self.stemmed.get(stems[at:end])
                if entry is not None:
                    break
            else:
                end = at + 1
                found.extend(self._read_unknown(tokens[at], stems[at]))
                at = end
                continue
            found.append(Word(tokens[at], entry))
            at = end
        return found

    def _read_unknown(self, token: str, stem: str) -> list[Word]:
        if token[0].isdigit():
            return [Word(token, Entry(Role.NUMBER, token))]
        for prefix in PREFIXES:
            rest = stem.removeprefix(prefix)
            if rest != stem and len(rest) >= 4 and (known := self.stemmed.get((rest,))) is not None:
                return [Word(token, Entry(Role.NEGATION, prefix)), Word(token, known)]
        return [Word(token, Entry(Role.CONCEPT, stem))]


PREFIXES = tuple(prefix.strip() for prefix in vocabulary.PREFIXES.split(","))


def _to_groups(lines: str) -> list[list[str]]:
    groups = re.split(r"[;\n]", lines)
    return [[name.strip() for name in group.split(",") if name.strip()] for group in groups if group.strip()]


def _to_value(name: str) -> str:
    return " ".join(map(to_stem, fold(name)))


def is_prefixed(word: str, base: str) -> bool:
    """Whether a stem is another one with a negating prefix.

    Example:
        >>> is_prefixed("unenforc", "enforc"), is_prefixed("enforc", "enforc")
        (True, False)
    """
    return word.endswith(base) and word[: len(word) - len(base)] in PREFIXES


@cache
def load_vocabulary() -> Vocabulary:
    """The word lists, made ready once."""
    return Vocabulary()


@lru_cache(maxsize=65_536)
def understand(tokens: tuple[str, ...]) -> Meaning:
    """The meaning of a folded name.

    Example:
        >>> meaning = understand(fold("lack of support in less than 5%"))
        >>> sorted(meaning.concepts), meaning.guards, meaning.n_negations
        (['support'], ('%', '5', '<'), 1)
    """
    words = _join_numbers(load_vocabulary().find(tokens))
    has_number = any(word.entry.role is Role.NUMBER for word in words)
    concepts: list[str] = []
    slight: list[str] = []
    guards: list[str] = []
    n_negations = 0
    direction, after = "", 0
    for token, (role, value) in words:
        if role is Role.COMPARISON and not has_number:
            concepts.append(to_stem(token))
        elif role in {Role.NUMBER, Role.UNIT, Role.COMPARISON, Role.DEGREE}:
            guards.extend(value.split() if role is Role.NUMBER else [value])
        elif role is Role.SLIGHT:
            slight.append(value)
        elif role is Role.CONCEPT:
            concepts.append(value)
        elif role is Role.DIRECTION:
            direction, after = value, len(concepts)
        n_negations += role in {Role.NEGATION, Role.OPPOSITE}
        if role is Role.OPPOSITE:
            concepts.append(value)
    present = load_vocabulary().to_concept("present")
    if len(set(concepts)) > 1 and present in concepts:
        concepts = [concept for concept in concepts if concept != present]
    elif not concepts and not slight and n_negations:
        concepts = [present]
    if not concepts and not guards:
        concepts, slight = slight or list(tokens), []
    return Meaning(
        frozenset(concepts),
        frozenset(slight),
        tuple(sorted(guards)),
        n_negations,
        direction,
        frozenset(concepts[after:] if direction else ()),
    )


def _join_numbers(words: list[Word]) -> list[Word]:
    """Twenty six as one number."""
    joined: list[Word] = []
    for word in words:
        tens = joined[-1].entry if joined else word.entry
        is_pair = joined and tens.role is word.entry.role is Role.NUMBER and word.token.isalpha()
        if is_pair and tens.value in {"20", "30", "40", "50", "60", "70", "80", "90"} and len(word.entry.value) == 1:
            joined[-1] = Word(joined[-1].token, Entry(Role.NUMBER, str(int(tens.value) + int(word.entry.value))))
        else:
            joined.append(word)
    return joined


@lru_cache(maxsize=65_536)
def find_acronyms(name: str) -> tuple[str, ...]:
    """The words of a name that are written in capitals, in small letters.

    Example:
        >>> find_acronyms("share of NGOs in the EU")
        ('ngo', 'eu')
    """
    return tuple(match[0].casefold() for match in _ACRONYM.finditer(name))


def spell_out(tokens: tuple[str, ...], acronyms: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """A folded name with its acronyms replaced by tokens of another name that begin with their letters.

    Example:
        >>> spell_out(fold("BMI class"), ("bmi",), fold("body mass index"))
        ('body', 'mass', 'index', 'class')
    """
    kept = [token for token in other if token not in _SKIPPED]
    initials = "".join(token[0] for token in kept)
    for acronym in acronyms:
        at = initials.find(acronym)
        if at >= 0 and acronym in tokens and acronym not in other:
            place = tokens.index(acronym)
            tokens = (*tokens[:place], *kept[at : at + len(acronym)], *tokens[place + 1 :])
    return tokens
