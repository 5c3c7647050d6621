"""Checking judges: a model on labelled pairs, and two judges against each other on stored predictions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bayes.judging.agreement import Agreement, Confusion, LabelledPair, compare_alignments, count_labels
from bayes.judging.alignment import align
from bayes.scoring.records import Alignment
from providers.asking import open_asker
from schemas.errors import InputError
from schemas.judging import JudgedPair
from schemas.rows import BackboneKey
from storage.benchmark import read_alignments, read_predictions
from storage.layout import list_backbones, new_run_id
from storage.ledger import Ledger
from storage.references import read_references
from storage.replies import SPARE, open_replies
from tasks.judging import ask_pairs
from tasks.scoring import find_judge

LABELLED = BackboneKey("unassigned", "labelled-pairs")
"""Where the calls about labelled pairs are noted, which belong to no backbone."""

PartName = str
Checked = Mapping[PartName, Mapping[str, Confusion]]
"""Verdicts against labels by part of the labelled pairs and by category."""


async def ask_about_pairs(model: str, pairs: Sequence[LabelledPair], *, data: Path, cache: str) -> Checked:
    """A model's verdicts on labelled pairs, many to a question.

    Raises:
        ServiceError: the service stayed broken.
        InputError: the model gave no usable answer.
    """
    same: set[tuple[str, str, str]] = set()
    with open_replies(cache, spare=data / SPARE) as store, Ledger(data, new_run_id()) as ledger:
        async with open_asker(model, store=store, ledger=ledger) as asker:
            for kind in ("variable", "state"):
                asked = [JudgedPair(left=pair.left, right=pair.right) for pair in pairs if pair.kind == kind]
                same |= {(kind, pair.left, pair.right) for pair in await ask_pairs(asker, LABELLED, kind, asked)}
    return {
        part: count_labels(
            [pair for pair in pairs if pair.part == part], lambda pair: (pair.kind, pair.left, pair.right) in same
        )
        for part in dict.fromkeys(pair.part for pair in pairs)
    }


def compare_judges(data: Path, first: str, second: str) -> Agreement:
    """Two judges over the same pairs of names, of all stored predictions; a model's verdicts are those stored.

    Raises:
        InputError: there is nothing that both have judged.
    """
    total, n_compared = Agreement(Confusion(), Confusion()), 0
    for key in list_backbones(data, "predictions") if data.is_dir() else ():
        references = read_references(data, *key)
        stored = {
            (name, row.example, row.model, row.mode): row.alignment
            for name in (first, second)
            if find_judge(name) is None
            for row in read_alignments(data, *key, judge=name)
        }
        for row in read_predictions(data, *key):
            reference, predicted = references[row.example].network.variables, row.prediction.variables
            found: list[Alignment] = []
            for name in (first, second):
                judge = find_judge(name)
                if judge is not None:
                    found.append(align(reference, predicted, judge))
                elif alignment := stored.get((name, row.example, row.model, row.mode)):
                    found.append(alignment)
            if len(found) == 2:
                total += compare_alignments(reference, predicted, *found)
                n_compared += 1
    if not n_compared:
        raise InputError(
            f"{data}: holds no predictions that both {first} and {second} have judged; run `prism benchmark` there"
        )
    return total
