"""Predictions made elsewhere, in the layout of the published corpus, and the examples they belong to.

Nothing that a model predicted is a reason to refuse its prediction: a cycle, a name twice, a table of another shape or
none at all are scored as they came. Only a file of another layout, or one whose ids are no examples of the corpus, is
refused, whole.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from bayes.scoring.assembly import to_prediction
from bayes.scoring.records import Prediction
from schemas.errors import InputError
from schemas.oddities import ImportReport, OddityLog, clip
from schemas.released_layout import read_layout

PREDICTED = "_predicted"
"""Suffix by which the published files tell a prediction's id from its example's."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedPrediction:
    """A prediction under the ids that its file gives; ``where`` names the place in the file, for messages."""

    id: str
    parent_id: str
    prediction: Prediction
    where: str

    @property
    def candidates(self) -> tuple[str, ...]:
        """The ids of the example that it may belong to, the likeliest first.

        Example:
            >>> NamedPrediction("bn_1_predicted", "wiki_1", Prediction(), "").candidates
            ('bn_1_predicted', 'bn_1', 'wiki_1')
        """
        ids = (self.id, self.id.removesuffix(PREDICTED), self.parent_id, self.parent_id.removesuffix(PREDICTED))
        return tuple(dict.fromkeys(name for name in ids if name))


@dataclass(frozen=True, slots=True, eq=False)
class PredictionFile:
    """The predictions of a file, and what was odd in it."""

    predictions: tuple[NamedPrediction, ...]
    report: ImportReport


def read_predictions(path: Path) -> PredictionFile:
    """All predictions of a file in the published layout.

    Raises:
        InputError: the file cannot be read or is not of this layout; one line with file, field and what to do.
    """
    log = OddityLog()
    predictions = tuple(
        NamedPrediction(
            network.id, network.parent_id, to_prediction(network.content), f"bayesian_networks.{network.id}"
        )
        for network in read_layout(path, log)
    )
    return PredictionFile(predictions, log.to_report(len(predictions), 0))


def match_examples(
    predictions: Iterable[NamedPrediction], known: Collection[str], *, where: str
) -> dict[str, Prediction]:
    """The predictions by the id of the example they belong to.

    An id that ends in ``_predicted`` belongs to the id without it, or else to its ``parent_id``. ``where`` names the
    file in messages.

    Raises:
        InputError: an id belongs to no example of the corpus (none at all do: the file is for another corpus), or two
            predictions belong to one example.

    Example:
        >>> one = NamedPrediction("bn_1_predicted", "", Prediction(), "bayesian_networks.bn_1_predicted")
        >>> list(match_examples([one], {"bn_1", "bn_2"}, where="f.json"))
        ['bn_1']
    """
    matched: dict[str, NamedPrediction] = {}
    unknown: list[NamedPrediction] = []
    for item in predictions:
        example = next((name for name in item.candidates if name in known), None)
        if example is None:
            unknown.append(item)
        elif example in matched:
            raise InputError(
                f"{where}: {item.where}: is a second prediction for the example {example!r}, after "
                f"{matched[example].where}; keep one of them"
            )
        else:
            matched[example] = item
    if unknown and not matched:
        raise InputError(
            f"{where}: none of its {len(unknown)} ids is an example of this corpus (the first one is "
            f"{clip(unknown[0].id)!r}): this file is for another corpus; give the corpus that it was made for"
        )
    if unknown:
        more = f" ({len(unknown) - 1} more ids are not)" if len(unknown) > 1 else ""
        raise InputError(
            f"{where}: {unknown[0].where}: {clip(unknown[0].id)!r} is no example of this corpus{more}; "
            "take it out or give the corpus that it belongs to"
        )
    return {example: item.prediction for example, item in matched.items()}
