r"""How far two judges agree, and how far one agrees with labelled pairs.

What counts as a pair: for variables every reference name with every predicted name, each name once; for states, within
every pair of variables that *both* judges matched, every reference state with every predicted state that a judge is
asked about, so without a baseline that is settled beforehand. A pair is *same* for a judge if its alignment matches it.

Cohen's kappa is :math:`(p_o - p_e)/(1 - p_e)`, with :math:`p_o` the share of pairs on which both say alike and
:math:`p_e` the share expected if each kept its own rate of *same* and drew by chance. It is 1 in full agreement, 0 at
chance. It has no value (``None``) if there are no pairs, or if both give one and the same verdict on all of them
(:math:`p_e = 1`): nothing was told apart. If only one judge is constant it is 0.

Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bayes.judging.alignment import Judge, pair_variables
from bayes.network import Variable
from bayes.scoring.records import Alignment, Match


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of pairs by two judges' verdicts; add those of several examples before taking a ratio.

    Example:
        >>> counts = Confusion(both=2, left_only=1, right_only=0, neither=1)
        >>> counts.agreement, counts.kappa, counts.recall
        (0.75, 0.5, 1.0)
    """

    both: int = 0
    left_only: int = 0
    right_only: int = 0
    neither: int = 0

    def __add__(self, other: "Confusion") -> "Confusion":
        return Confusion(
            self.both + other.both,
            self.left_only + other.left_only,
            self.right_only + other.right_only,
            self.neither + other.neither,
        )

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.both + self.left_only + self.right_only + self.neither

    @property
    def agreement(self) -> float | None:
        """Share of pairs with the same verdict (accuracy, if the right judge is the truth); ``None`` without pairs."""
        return _divide(self.both + self.neither, self.n)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; ``None`` where it has no value, see the module docstring."""
        left, right, n = self.both + self.left_only, self.both + self.right_only, self.n
        # In whole numbers, so that a chance agreement of 1 is recognised exactly.
        chance = left * right + (n - left) * (n - right)
        return _divide((self.both + self.neither) * n - chance, n * n - chance)

    @property
    def precision(self) -> float | None:
        """Share of the left judge's *same* that the right one confirms; ``None`` if the left one says it never."""
        return _divide(self.both, self.both + self.left_only)

    @property
    def recall(self) -> float | None:
        """Share of the right judge's *same* that the left one finds; ``None`` if the right one says it never."""
        return _divide(self.both, self.both + self.right_only)


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def count_verdicts(pairs: Iterable[Match], left: Collection[Match], right: Collection[Match]) -> Confusion:
    """Count the pairs by whether they are among the *same* pairs of the left and of the right judge."""
    counts = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for pair in pairs:
        counts[pair in left, pair in right] += 1
    return Confusion(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges' verdicts on the names of variables and on states, counted."""

    variables: Confusion
    states: Confusion

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(self.variables + other.variables, self.states + other.states)


def compare_alignments(
    reference: Sequence[Variable], predicted: Sequence[Variable], left: Alignment, right: Alignment
) -> Agreement:
    """Count how two judges' alignments of one prediction agree, over the pairs that the module docstring defines."""
    found = tuple(dict.fromkeys(variable.name for variable in predicted))
    names = [Match(variable.name, name) for variable in reference for name in found]
    common = [match for match in left.variables if match in set(right.variables)]
    states = Confusion()
    for pair in pair_variables(reference, predicted, common):
        name = pair.variables.reference
        asked = [Match(a, b) for a in pair.reference for b in pair.predicted]
        states += count_verdicts(asked, left.states.get(name, ()), right.states.get(name, ()))
    return Agreement(count_verdicts(names, set(left.variables), set(right.variables)), states)


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two names of which a person said whether they mean the same; ``category`` says what makes the pair easy or hard.

    ``part`` is ``tune`` for the pairs that a judge may be adjusted on, ``test`` for those it is reported on.
    """

    kind: Literal["variable", "state"]
    left: str
    right: str
    is_same: bool
    category: str
    part: Literal["tune", "test"]


def is_same(judge: Judge, pair: LabelledPair) -> bool:
    """The judge's verdict on a labelled pair, each by itself."""
    if pair.kind == "variable":
        verdicts = judge.compare_names([pair.left], [pair.right])
    else:
        verdicts = judge.compare_states(Match("", ""), [pair.left], [pair.right])
    return any(verdict.weight > 0 for verdict in verdicts)


def check_judge(judge: Judge, pairs: Iterable[LabelledPair]) -> dict[str, Confusion]:
    """The judge's verdicts (left) against the labels (right) by category, in order of first appearance.

    Sum the values for the whole: ``sum(counts.values(), Confusion())``.
    """
    return count_labels(pairs, lambda pair: is_same(judge, pair))


def count_labels(pairs: Iterable[LabelledPair], judge: Callable[[LabelledPair], bool]) -> dict[str, Confusion]:
    """As :func:`check_judge`, for verdicts that come from anywhere."""
    counts: dict[str, Confusion] = {}
    for pair in pairs:
        verdict = judge(pair)
        one = Confusion(
            both=int(verdict and pair.is_same),
            left_only=int(verdict and not pair.is_same),
            right_only=int(pair.is_same and not verdict),
            neither=int(not verdict and not pair.is_same),
        )
        counts[pair.category] = counts.get(pair.category, Confusion()) + one
    return counts
