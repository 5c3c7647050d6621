"""The strictest judge: two names are the same when they fold to the same key (:mod:`bayes.folding`)."""

from collections.abc import Sequence

from bayes.folding import to_key
from bayes.judging.assignment import Verdict
from bayes.scoring.records import Match


class ExactJudge:
    """Names and states are the same whatever their case, accents, punctuation and plural; nothing else is.

    Example:
        >>> ExactJudge().compare_names(["Interest rate"], ["interest rates", "lending rate"])
        [Verdict(reference='Interest rate', predicted='interest rates', weight=1.0)]
    """

    name = "exact"

    def compare_names(self, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:
        """A verdict of weight 1 for every reference and predicted name with one key."""
        by_key: dict[str, list[str]] = {}
        for name in dict.fromkeys(predicted):
            by_key.setdefault(to_key(name), []).append(name)
        return [Verdict(name, same) for name in reference for same in by_key.get(to_key(name), ())]

    def compare_states(self, variables: Match, reference: Sequence[str], predicted: Sequence[str]) -> list[Verdict]:  # noqa: ARG002 - the variable does not matter here
        """The same for the states of two matched variables."""
        return self.compare_names(reference, predicted)
