"""A judge by words alone: token sets, stems, a short synonym list, and guards against opposites.

Two names are compared by their meanings (:mod:`bayes.judging.meaning`). They are the same if they fold to the same key.
They are not the same, whatever else they share, if

- their numbers, units, comparisons (``under``, ``>=``) or degrees (``very``, ``partially``) differ;
- one has more negations than the other: ``no``, ``without``, ``lack of``, or a prefix such as ``un-`` before a word
  that the other name has without it;
- each has one of a pair of antonyms that the other lacks;
- they have the same concepts in exchanged roles: *exports of A to B*, *exports of B to A*.

Otherwise their similarity is the share of concepts that both have among those that either has (the Jaccard index), and
they are the same from 0.8 on: one more word beside up to three makes another thing (*youth unemployment*), beside four
or more it hardly does. On the tuning part of the labelled pairs every threshold from 0.55 to 0.85 does about as well,
and 0.5 mistakes wider terms for narrower ones. The judge errs towards *not the same*: it hardly ever takes one thing
for another, and misses most paraphrases in words that it was not given.

The weight of a verdict is 1 for one key, else 0.9 times the similarity plus 0.09 if words such as *level* and *rate*,
which are no concepts beside others, agree too.

Of two states, the words of their variable's names are left out first, so that *heavy rainfall* is *heavy* for
*rainfall*; but not where each has another of them (*tax rise*, *fee rise* for *tax and fee policy*).
"""

from collections.abc import Sequence
from functools import lru_cache

from bayes.folding import fold, to_key
from bayes.judging.assignment import Verdict
from bayes.judging.meaning import Meaning, find_acronyms, is_prefixed, load_vocabulary, spell_out, understand
from bayes.scoring.records import Match

THRESHOLD = 0.8


class LexicalJudge:
    """The judge of this module.

    Example:
        >>> judge = LexicalJudge()
        >>> judge.compare_names(["unemployment rate"], ["employment", "joblessness"])
        [Verdict(reference='unemployment rate', predicted='joblessness', weight=0.9)]
        >>> len(judge.compare_states(Match("rainfall", "rain"), ["high"], ["heavy rain"]))
        1
    """

    name = "lexical"

    def compare_names(self, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:
        """A verdict for every pair whose weight is above 0."""
        return _compare_all(reference, predicted, frozenset())

    def compare_states(self, variables: Match, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:
        """The same for states, without the words of the variable's two names."""
        return _compare_all(reference, predicted, _to_topic(variables.reference) | _to_topic(variables.predicted))


def _compare_all(reference: Sequence[str], predicted: Sequence[str], topic: frozenset[str]) -> list[Verdict]:
    return [
        Verdict(left, right, weight)
        for left in reference
        for right in predicted
        if (weight := to_weight(left, right, topic)) > 0
    ]


@lru_cache(maxsize=131_072)
def to_weight(left: str, right: str, topic: frozenset[str] = frozenset()) -> float:
    """How surely two names mean the same, from 0 (they do not) to 1 (they fold to the same key).

    Args:
        left: a name.
        right: another.
        topic: concepts that say nothing here, as those of the variable say nothing about its states.

    Example:
        >>> to_weight("children's health", "health of kids"), to_weight("import volume", "export volume")
        (0.99, 0.0)
    """
    if to_key(left) == to_key(right):
        return 1.0
    mine, yours = _leave_out(topic, fold(left), fold(right))
    acronyms, others = find_acronyms(left), find_acronyms(right)
    if acronyms or others:
        mine, yours = spell_out(mine, acronyms, yours), spell_out(yours, others, mine)
    a, b = understand(mine), understand(yours)
    if a.guards != b.guards:
        return 0.0
    similarity = _compare(a, b)
    if similarity < THRESHOLD:
        return 0.0
    return 0.9 * similarity + 0.09 * (a.slight == b.slight)


@lru_cache(maxsize=32_768)
def _to_topic(name: str) -> frozenset[str]:
    """The concepts of a variable's name, token by token."""
    vocabulary = load_vocabulary()
    return frozenset(vocabulary.to_concept(token) for token in fold(name) if token not in vocabulary.function_words)


def _leave_out(topic: frozenset[str], *states: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The states without the words of their variable, where that leaves something of each and loses no difference."""
    if not topic:
        return states
    to_concept = load_vocabulary().to_concept
    left_out = [{concept for token in state if (concept := to_concept(token)) in topic} for state in states]
    kept = tuple(tuple(token for token in state if to_concept(token) not in topic) for state in states)
    is_nested = left_out[0] <= left_out[1] or left_out[1] <= left_out[0]
    return kept if is_nested and all(kept) else states


def _compare(a: Meaning, b: Meaning) -> float:
    left, right = a.concepts - b.concepts, b.concepts - a.concepts
    if not left and not right:
        # The same concepts, in the same roles?
        is_same = a.n_negations == b.n_negations and (a.direction != b.direction or a.after == b.after)
        return float(is_same)
    n_left, n_right = a.n_negations, b.n_negations
    antonyms = load_vocabulary().antonyms
    for x in a.concepts - b.concepts:
        for y in b.concepts - a.concepts:
            if (x, y) in antonyms:
                return 0.0
            # Without its prefix the one is the other: not enforced, unenforced.
            if is_prefixed(x, y) or is_prefixed(y, x):
                left, right = left - {x}, right - {y}
                n_left, n_right = n_left + is_prefixed(x, y), n_right + is_prefixed(y, x)
    if n_left != n_right:
        return 0.0
    n_shared = len(a.concepts) - len(left) + len(a.guards)  # numbers and the like are equal by now
    return n_shared / (n_shared + len(left) + len(right))
