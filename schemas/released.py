"""A corpus in the published layout (:mod:`schemas.released_layout`) as examples to evaluate on.

Full CPDs are made from the tables of one parent each (:mod:`bayes.scoring.assembly`), and marked so. A network that is
no Bayesian network, having no nodes, a cycle, two nodes of one name or a table of another shape than its states, is
refused alone, with a reason; the others are read.
"""

from dataclasses import dataclass
from pathlib import Path

from bayes.scoring.assembly import to_reference
from bayes.scoring.records import Reference
from schemas.calls import Failure
from schemas.oddities import ImportReport, OddityLog
from schemas.released_layout import read_layout
from schemas.released_networks import ReleasedNetwork
from schemas.slugs import to_slug

STAGE = "import"
UNASSIGNED = "unassigned"
"""Domain and backbone of a failure where the file names none."""


@dataclass(frozen=True, slots=True, eq=False)
class ImportedExample:
    """A network of the corpus as it stands in the file, and as the reference that predictions are scored against."""

    released: ReleasedNetwork
    reference: Reference


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedCorpus:
    """The examples of a file, the networks refused, and what was odd."""

    examples: tuple[ImportedExample, ...]
    failures: tuple[Failure, ...]
    report: ImportReport


def read_corpus(path: Path) -> ReleasedCorpus:
    """All networks of a file in the published layout.

    Raises:
        InputError: the file cannot be read or is not of this layout; one line with file, field and what to do.
    """
    log = OddityLog()
    examples: list[ImportedExample] = []
    failures: list[Failure] = []
    ids: set[str] = set()
    for network in read_layout(path, log):
        outcome = _to_example(network)
        if network.id in ids or not network.id:
            outcome = (
                f"another network has the id {network.id!r} once it is cleaned" if network.id else "its id is empty"
            )
        ids.add(network.id)
        if isinstance(outcome, str):
            failures.append(_to_failure(network, outcome))
        else:
            examples.append(outcome)
    return ReleasedCorpus(tuple(examples), tuple(failures), log.to_report(len(examples) + len(failures), len(failures)))


def _to_example(network: ReleasedNetwork) -> ImportedExample | str:
    """The example, or why the network cannot be one."""
    if network.faults:
        return network.faults[0]
    if not network.content.variables:
        return "it has no nodes"
    try:
        return ImportedExample(network, to_reference(network.content))
    except ValueError as error:
        return str(error)


def _to_failure(network: ReleasedNetwork, detail: str) -> Failure:
    domain, source = network.domain, network.source_id or network.title
    return Failure(
        STAGE,
        to_slug(domain) if domain else UNASSIGNED,
        to_slug(source) if source else UNASSIGNED,
        network.id,
        "rejected",
        detail,
    )
