"""Phrasings with slots, and the choice among them.

A template is text of ours with slots for phrases: ``{P}`` stands for the phrase P, ``<P:shapes|shape>`` for the form
that agrees with it. Phrases are inserted as they are and never read as templates.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeVar

from bayes.folding import fold_text

Item = TypeVar("Item")
Deck = tuple[str, ...]
"""Phrasings that may stand for one another."""

_MARKUP = re.compile(r"\{(?P<slot>\w+)\}|<(?P<subject>\w+):(?P<singular>[^|>]*)\|(?P<plural>[^>]*)>")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words for a slot, and whether verbs agree with them in the plural."""

    text: str
    is_plural: bool = False


class _Piece(NamedTuple):
    text: str
    slot: str
    singular: str
    plural: str


@lru_cache(maxsize=4096)
def _parse(template: str) -> tuple[_Piece, ...]:
    pieces: list[_Piece] = []
    at = 0
    for match in _MARKUP.finditer(template):
        pieces.append(_Piece(template[at : match.start()], "", "", ""))
        subject = match["slot"] or match["subject"]
        pieces.append(_Piece("", subject, match["singular"] or "", match["plural"] or ""))
        at = match.end()
    pieces.append(_Piece(template[at:], "", "", ""))
    return tuple(pieces)


def fill(template: str, **phrases: Phrase | str) -> str:
    """The template with its slots filled.

    Example:
        >>> fill("{P} <P:shapes|shape> {C}", P=Phrase("crop yields", is_plural=True), C="prices")
        'crop yields shape prices'
    """
    parts: list[str] = []
    for piece in _parse(template):
        if not piece.slot:
            parts.append(piece.text)
            continue
        phrase = phrases[piece.slot]
        if piece.singular or piece.plural:
            is_plural = isinstance(phrase, Phrase) and phrase.is_plural
            parts.append(piece.plural if is_plural else piece.singular)
        else:
            parts.append(phrase if isinstance(phrase, str) else phrase.text)
    return "".join(parts)


@lru_cache(maxsize=4096)
def to_literal(template: str) -> tuple[str, ...]:
    """The text pieces of a template that are ours, each form of a verb included."""
    return tuple(text for piece in _parse(template) for text in (piece.text, piece.singular, piece.plural) if text)


def to_sentence(text: str) -> str:
    """The text with a capital at the beginning and a full stop at the end.

    Example:
        >>> to_sentence("crop yields fall")
        'Crop yields fall.'
    """
    text = text.strip()
    first = 1 if text[:1] == "“" else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :] + ("" if text[-1:] in ".!?" else ".")


def to_list(items: Sequence[str], conjunction: str = "and") -> str:
    """The items joined as in a sentence.

    Example:
        >>> to_list(["a", "b", "c"])
        'a, b and c'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


class Chooser:
    """Choices that follow from a seed alone.

    Only ``Random.random`` is used, whose sequence Python promises to keep for a seed. A phrasing drawn from a deck
    does not come again before the whole deck was drawn. Phrasings that happen to contain one of ``clashing`` names are
    left out as long as others remain: they would mention a variable or state unintended.
    """

    def __init__(self, seed: str, clashing: Sequence[str] = ()) -> None:
        self._random = Random(seed)  # noqa: S311 # choice of words, not of secrets
        self._clashing = tuple(clashing)
        self._left: dict[Deck, list[str]] = {}
        self._allowed: dict[Deck, list[str]] = {}

    def is_lucky(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random.random() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items; the same may come again."""
        return items[int(self._random.random() * len(items))]

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """The items in another order."""
        return [item for _, item in sorted(((self._random.random(), item) for item in items), key=lambda pair: pair[0])]

    def draw(self, deck: Deck) -> str:
        """A phrasing from the deck."""
        left = self._left.get(deck)
        if not left:
            if deck not in self._allowed:
                self._allowed[deck] = [template for template in deck if not self._is_clashing(template)] or list(deck)
            left = self._left[deck] = self.shuffle(self._allowed[deck])
        return left.pop()

    def arrange(self, deck: Deck) -> list[str]:
        """The whole deck in another order, clashing phrasings last."""
        return sorted(self.shuffle(deck), key=self._is_clashing)

    def _is_clashing(self, template: str) -> bool:
        texts = [fold_text(text) for text in to_literal(template)] if self._clashing else []
        return any(text.find(name) for name in self._clashing for text in texts)
