"""A backbone in the making: what the passes have filled in so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bayes.graphs import DroppedEdge
from bayes.network import Edge, Table, Variable
from schemas.articles import Article
from schemas.calls import Failure


def _no_tables() -> dict[str, Table]:
    return {}


def _no_joints() -> dict[Edge, Table]:
    return {}


def _no_mechanisms() -> dict[Edge, str]:
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class BackboneDraft:
    """One article and the replies to the passes done; ``losses`` are items given up on the way."""

    article: Article
    model: str = ""
    variables: tuple[Variable, ...] = ()
    edges: tuple[Edge, ...] = ()
    dropped: tuple[DroppedEdge, ...] = ()
    mechanisms: Mapping[Edge, str] = field(default_factory=_no_mechanisms)
    marginals: Mapping[str, Table] = field(default_factory=_no_tables)
    pairwise: Mapping[Edge, Table] = field(default_factory=_no_joints)
    multi: Mapping[str, Table] = field(default_factory=_no_tables)
    losses: tuple[Failure, ...] = ()
