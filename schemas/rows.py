"""What the tasks hand to storage and get back from it, where a domain record of its own is missing.

Articles are in :mod:`schemas.articles`, calls and failures in :mod:`schemas.calls`; networks and elicited tables come
as the records of :mod:`bayes.network`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from bayes.network import Network

if TYPE_CHECKING:
    from bayes.graphs import DroppedEdge

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")


class BackboneKey(NamedTuple):
    """The two slugs under which everything about one backbone is kept."""

    domain: str
    backbone: str


class NamedNetwork(NamedTuple):
    """A network under its id: the backbone's slug, or an example's id."""

    id: str
    network: Network


@dataclass(frozen=True, slots=True)
class BackboneRow:
    """One row of ``backbones``: what was elicited from one article, with which model, and how coherent it is."""

    domain: str
    backbone: str
    title: str
    model: str
    n_variables: int
    n_edges: int
    depth: int
    dropped_edges: "tuple[DroppedEdge, ...]"
    max_coherence_gap: float | None
    """Largest total variation between tables that speak of the same variables; None where it was not measured."""
    prompts_sha256: str
    """Of the prompts that the model was asked with; empty where none were."""
    source: str
    """URL of the article."""
    article_sha256: str
    reconciled: bool
    max_reconcile_move: float | None
    """Largest total variation by which fitting moved a joint; None where nothing was fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class ExampleRow:
    """One row of ``examples``. Counts, depth, words and the canonical JSON are derived when it is written.

    ``checks`` are the problems that the description still has, empty where it passes.
    """

    domain: str
    backbone: str
    example: str
    network: Network
    text: str
    writer: str
    attempts: int
    checks: tuple[str, ...]
    split: Split


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one file: ``is_changed`` is False where it held these rows already and was left alone."""

    path: Path
    n_rows: int
    is_changed: bool


@dataclass(frozen=True, slots=True)
class StageTotals:
    """Sums over the calls and failures of one stage. Cached calls cost nothing and are counted apart.

    ``cost_usd`` sums the known costs; ``n_unknown_cost`` counts the calls sent whose cost is not known.
    """

    stage: str
    n_calls: int
    n_cached: int
    n_failures: int
    tokens_in: int
    tokens_out: int
    seconds: float
    cost_usd: float
    n_unknown_cost: int

    @property
    def cost(self) -> str:
        """The cost for people: what is known, and how many calls it is not known of."""
        return f"{self.cost_usd:.4f}" + (f" + {self.n_unknown_cost} unknown" if self.n_unknown_cost else "")
