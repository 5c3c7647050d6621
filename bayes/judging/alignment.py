"""From a judge's verdicts to the alignment of a prediction with its reference.

The baseline ``none`` needs no judge: where both variables of a pair have it, in whatever case, it matches itself and
nothing else. Where only one of them has it, it is a state like any other.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse
from typing import NamedTuple, Protocol

from bayes.judging.assignment import Assignment, Verdict, assign
from bayes.network import BASELINE_STATE, Variable
from bayes.scoring.records import Alignment, Match


class Judge(Protocol):
    """A judge that is code. Both methods give the pairs that mean the same; pairs left out do not."""

    @property
    def name(self) -> str:
        """What the judge is called in tables and on the command line."""
        ...

    def compare_names(self, reference: Sequence[str], predicted: Sequence[str]) -> Iterable[Verdict]:
        """Verdicts on the names of variables."""
        ...

    def compare_states(self, variables: Match, reference: Sequence[str], predicted: Sequence[str]) -> Iterable[Verdict]:
        """Verdicts on the states of two matched variables."""
        ...


class StatePair(NamedTuple):
    """The states of two matched variables: what a judge is asked after the names.

    ``baseline`` are the matches that are settled without a judge; ``reference`` and ``predicted`` are the states that
    are left to judge, each once.
    """

    variables: Match
    reference: tuple[str, ...]
    predicted: tuple[str, ...]
    baseline: tuple[Match, ...]


@lru_cache(maxsize=32_768)
def is_baseline(state: str) -> bool:
    """Whether a state is the baseline ``none``, in whatever case.

    Example:
        >>> is_baseline("None"), is_baseline("none of these")
        (True, False)
    """
    return state.strip().casefold() == BASELINE_STATE


def pair_states(variables: Match, reference: Sequence[str], predicted: Sequence[str]) -> StatePair:
    """Settle the baseline of two matched variables; of several spellings in one list the first in the alphabet counts.

    Example:
        >>> pair_states(Match("rain", "Rain"), ("heavy", "none"), ("strong", "None"))
        ... # doctest: +NORMALIZE_WHITESPACE
        StatePair(variables=Match(reference='rain', predicted='Rain'), reference=('heavy',), predicted=('strong',),
                  baseline=(Match(reference='none', predicted='None'),))
    """
    given, found = tuple(dict.fromkeys(reference)), tuple(dict.fromkeys(predicted))
    left, right = list(filter(is_baseline, given)), list(filter(is_baseline, found))
    if not left or not right:
        return StatePair(variables, given, found, ())
    baseline = (Match(min(left), min(right)),)
    return StatePair(
        variables, tuple(filterfalse(is_baseline, given)), tuple(filterfalse(is_baseline, found)), baseline
    )


def match_names(
    reference: Sequence[Variable], predicted: Sequence[Variable], verdicts: Iterable[Verdict]
) -> Assignment:
    """The first step: which predicted variable is which reference variable, and which are duplicates."""
    return assign([variable.name for variable in reference], [variable.name for variable in predicted], verdicts)


def pair_variables(
    reference: Sequence[Variable], predicted: Sequence[Variable], matches: Iterable[Match]
) -> tuple[StatePair, ...]:
    """The states to compare in the second step; of two variables with one name the first counts."""
    given = {variable.name: variable.states for variable in reversed(reference)}
    found = {variable.name: variable.states for variable in reversed(predicted)}
    return tuple(pair_states(match, given[match.reference], found[match.predicted]) for match in matches)


def match_states(pair: StatePair, verdicts: Iterable[Verdict]) -> tuple[Match, ...]:
    """The second step: the one-to-one matches of the states of two matched variables, the baseline's last."""
    return assign(pair.reference, pair.predicted, verdicts).matches + pair.baseline


def align(reference: Sequence[Variable], predicted: Sequence[Variable], judge: Judge) -> Alignment:
    """The alignment by a judge that is code.

    Example:
        >>> from bayes.judging.exact import ExactJudge
        >>> rain, dew = Variable("rain", ("heavy", "none")), Variable("dew", ("wet", "none"))
        >>> align([rain], [Variable("Rain", ("Heavy", "None")), dew], ExactJudge()).variables
        (Match(reference='rain', predicted='Rain'),)
    """
    left, right = [variable.name for variable in reference], [variable.name for variable in predicted]
    names = assign(left, right, judge.compare_names(left, right))
    states = {
        pair.variables.reference: match_states(
            pair, judge.compare_states(pair.variables, pair.reference, pair.predicted)
        )
        for pair in pair_variables(reference, predicted, names.matches)
    }
    return Alignment(names.matches, names.duplicates, states)


def align_verdicts(
    reference: Sequence[Variable],
    predicted: Sequence[Variable],
    names: Iterable[Match],
    states: Mapping[Match, Iterable[Match]],
) -> Alignment:
    """The alignment by verdicts from outside, such as a language model's: pairs that mean the same, all equally sure.

    Args:
        reference: the reference's variables.
        predicted: the prediction's variables.
        names: pairs of variable names that mean the same, one to one or not.
        states: pairs of states that mean the same by pair of variables; those of a pair that is not matched are
            ignored, a matched pair without any keeps only its baseline.
    """
    chosen = match_names(reference, predicted, (Verdict(*pair) for pair in names))
    return Alignment(
        chosen.matches,
        chosen.duplicates,
        {
            pair.variables.reference: match_states(pair, (Verdict(*same) for same in states.get(pair.variables, ())))
            for pair in pair_variables(reference, predicted, chosen.matches)
        },
    )
