"""One-to-one matches out of verdicts, by maximum-weight assignment."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from bayes.folding import is_same_name
from bayes.scoring.records import Match

_STEPS = 1000  # weights are told apart to a thousandth, so that sums are whole numbers and ties exact


class Verdict(NamedTuple):
    """That two names mean the same; ``weight``, above 0 and at most 1, is larger where that is surer."""

    reference: str
    predicted: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Assignment:
    """The matches in the order of the reference, the duplicates in the order of the prediction."""

    matches: tuple[Match, ...]
    duplicates: tuple[str, ...] = ()


def assign(reference: Sequence[str], predicted: Sequence[str], verdicts: Iterable[Verdict]) -> Assignment:
    """The assignment with the largest sum of weights, each name in at most one match.

    Among assignments with the same sum the one with the most pairs of the same folded name is taken, a pair of names
    spelled alike counting twice; among those the one that keeps nearest to the alphabet: the smallest sum of squared
    differences between the places of two matched names in the sorted lists. So the order in which names are given does
    not matter.

    Args:
        reference: the reference names; a name that is there twice counts once.
        predicted: the predicted names; the first of two with one name can be matched, the others are duplicates if the
            name means any reference name.
        verdicts: those not above 0, and those about names that are not in the lists, are ignored; of two about one
            pair the larger weight counts.

    Example:
        >>> assign(["rain"], ["rainfall", "Rain"], [Verdict("rain", "rainfall"), Verdict("rain", "Rain")])
        Assignment(matches=(Match(reference='rain', predicted='Rain'),), duplicates=('rainfall',))
    """
    given, found = set(reference), set(predicted)
    weights: dict[tuple[str, str], float] = {}
    for left, right, weight in verdicts:
        if weight > weights.get((left, right), 0.0) and left in given and right in found:
            weights[left, right] = weight
    if not weights:
        return Assignment(())
    partner = _choose(weights)
    matches = tuple([Match(name, partner[name]) for name in dict.fromkeys(reference) if name in partner])
    return Assignment(matches, _find_duplicates(predicted, weights, matches))


def _choose(weights: dict[tuple[str, str], float]) -> dict[str, str]:
    """The predicted name of every reference name that gets one."""
    partner = dict(weights.keys())
    lefts, rights = set(partner), {right for _, right in weights}
    if len(lefts) == len(rights) == len(weights):
        return partner
    rows = {name: i for i, name in enumerate(sorted(lefts))}
    columns = {name: i for i, name in enumerate(sorted(rights))}
    # Each criterion's step exceeds what all lesser ones can add up to: see the docstring of assign.
    n_matches = min(len(rows), len(columns))
    nearness = max(len(rows), len(columns)) ** 2
    sameness = nearness * n_matches + 1
    surety = sameness * (2 * n_matches + 1)
    gains = np.zeros((len(rows), len(columns)))
    for (left, right), weight in weights.items():
        row, column = rows[left], columns[right]
        n_same = is_same_name(left, right) + (left == right)
        gain = surety * max(1, round(weight * _STEPS)) + sameness * n_same
        gains[row, column] = gain - (row - column) ** 2
    given, found = list(rows), list(columns)
    chosen = zip(*(places.tolist() for places in linear_sum_assignment(gains, maximize=True)), strict=True)
    return {given[row]: found[column] for row, column in chosen if gains[row, column] > 0}


def _find_duplicates(
    predicted: Sequence[str], weights: dict[tuple[str, str], float], matches: tuple[Match, ...]
) -> tuple[str, ...]:
    # A name with a verdict that stays unmatched means a name that is taken: else matching it would add to the sum.
    meaning = {right for _, right in weights}
    if len(meaning) == len(matches) and len(predicted) == len(set(predicted)):
        return ()
    left_over = Counter(match.predicted for match in matches)
    duplicates: list[str] = []
    for name in predicted:
        if left_over[name]:
            left_over[name] -= 1
        elif name in meaning:
            duplicates.append(name)
    return tuple(duplicates)
