"""A backbone as the pipeline carries it: what was elicited from one article, before CPDs are recovered."""

from collections.abc import Mapping
from dataclasses import dataclass

from bayes.graphs import DroppedEdge
from bayes.network import Edge, Tables
from schemas.rows import BackboneKey


@dataclass(frozen=True, slots=True, eq=False)
class Backbone:
    """The elicited tables of one article and where they come from.

    ``mechanisms`` says in the model's words how an edge works; it may lack edges. ``dropped`` are edges that the model
    named and that were not taken.
    """

    domain: str
    backbone: str
    title: str
    url: str
    model: str
    article_sha256: str
    prompts_sha256: str
    tables: Tables
    mechanisms: Mapping[Edge, str]
    dropped: tuple[DroppedEdge, ...]

    @property
    def key(self) -> BackboneKey:
        """Its place in the corpus."""
        return BackboneKey(self.domain, self.backbone)
