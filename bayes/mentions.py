"""Which variables and states every sentence of a text mentions.

A name counts where it stands alone: inside a longer name of the same network (``unemployment`` in ``youth
unemployment``) it does not. A name that several variables use for a state belongs, in each sentence, to those of them
that the sentence names, and to all of them if it names none. The baseline ``none`` is not looked for, since ``none``
is also an everyday word.

A sentence ends at ``.``, ``!`` or ``?`` followed by space and anything but a small letter or a bracket, and at a blank
line; never inside a name, nor after a common abbreviation.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from bayes.folding import FoldedText, fold_name, fold_text
from bayes.network import BASELINE_STATE, Network

_SENTENCE_END = re.compile(
    r"(?<![.!?])[.!?]++(?<!\bMr\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bNo\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\bMrs\.)(?<!\bInc\.)"
    r"[\"')\]]*\s+(?=[^a-z\s(])|\n\s*\n"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its tokens (``end`` excluded), the variables it names, the states it mentions by row."""

    start: int
    end: int
    variables: frozenset[str]
    states: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read with a network in mind.

    ``names`` are the variable and state names that stand alone somewhere; ``is_name`` is 1 for every token that is
    part of one.
    """

    text: FoldedText
    sentences: tuple[Sentence, ...]
    names: frozenset[str]
    is_name: bytearray

    def quote(self, sentence: Sentence, limit: int = 100) -> str:
        """The sentence on one line, shortened."""
        return self.cite(sentence.start, sentence.end, limit)

    def cite(self, start: int, end: int, limit: int = 100) -> str:
        """The words of these tokens on one line, shortened."""
        spans = self.text.spans
        words = " ".join(self.text.plain[spans[start][0] : spans[end - 1][1]].split())
        return words if len(words) <= limit else words[: limit - 3].rstrip() + "..."


@dataclass(slots=True)
class _Entry:
    """Everything that goes by one folded name."""

    names: list[str]
    variables: list[str]
    states: list[tuple[str, int]]


def _to_entries(network: Network) -> list[_Entry]:
    entries: dict[str, _Entry] = {}
    for variable in network.variables:
        entry = entries.setdefault(fold_name(variable.name).key, _Entry([], [], []))
        entry.names.append(variable.name)
        entry.variables.append(variable.name)
        for row, state in enumerate(variable.states):
            if state != BASELINE_STATE:
                entry = entries.setdefault(fold_name(state).key, _Entry([], [], []))
                entry.names.append(state)
                entry.states.append((variable.name, row))
    return list(entries.values())


def _find_mentions(text: FoldedText, entries: list[_Entry]) -> list[tuple[int, int, _Entry]]:
    """Mentions that no longer mention contains, by position."""
    every = [
        (span.start, span.end, entry)
        for entry in entries
        # Spellings of one name may differ in the punctuation that they allow.
        for span in {span for name in dict.fromkeys(entry.names) for span in text.find(name)}
    ]
    every.sort(key=lambda mention: (mention[0], -mention[1]))
    alone: list[tuple[int, int, _Entry]] = []
    reach, last = 0, (-1, -1)
    for start, end, entry in every:
        if start == end or end > reach or (start, end) == last:
            alone.append((start, end, entry))
            if end > reach:
                reach, last = end, (start, end)
    return alone


def _find_sentences(text: FoldedText, mentions: list[tuple[int, int, _Entry]]) -> list[tuple[int, int]]:
    inside = {token for start, end, _ in mentions for token in range(start + 1, end)}
    bounds: list[int] = [0]
    n_tokens = len(text.tokens)
    for match in _SENTENCE_END.finditer(text.plain):
        token = bisect_left(text.spans, (match.end(), 0))
        if bounds[-1] < token < n_tokens and token not in inside:
            bounds.append(token)
    return list(zip(bounds, [*bounds[1:], n_tokens], strict=True))


def read(text: str, network: Network) -> Reading:
    """Find the network's names in a text, sentence by sentence."""
    folded = fold_text(text)
    mentions = _find_mentions(folded, _to_entries(network))
    is_name = bytearray(len(folded.tokens))
    for start, end, _ in mentions:
        is_name[start:end] = b"\x01" * (end - start)
    sentences: list[Sentence] = []
    at = 0
    for start, end in _find_sentences(folded, mentions):
        first = at
        while at < len(mentions) and (mentions[at][0] < end or end == len(folded.tokens)):
            at += 1
        within = [entry for _, _, entry in mentions[first:at]]
        named = frozenset(name for entry in within for name in entry.variables)
        sentences.append(Sentence(start, end, named, _to_states(within)))
    names = frozenset(name for _, _, entry in mentions for name in entry.names)
    return Reading(folded, tuple(sentences), names, is_name)


def _to_states(entries: list[_Entry]) -> dict[str, frozenset[int]]:
    # A name that is a state too does not settle whose states are meant.
    named = {name for entry in entries if not entry.states for name in entry.variables}
    rows: dict[str, set[int]] = {}
    for entry in entries:
        owners = entry.states
        if len(owners) > 1:
            owners = [(variable, row) for variable, row in owners if variable in named] or owners
        for variable, row in owners:
            rows.setdefault(variable, set()).add(row)
    return {variable: frozenset(found) for variable, found in rows.items()}
