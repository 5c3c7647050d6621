"""The settings of a build: the flow's parameters, a form in the Prefect UI, the options of ``prism build``."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

DOMAINS = ("economics", "environment", "geopolitics", "technology", "society")


class BuildSettings(BaseModel):
    """What to build, from which articles, with which model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field(
        default="samples",
        description="Where articles come from: samples, folder:PATH, wikipedia, dump:PATH or backbones:FILE.jsonl",
    )
    model: str = Field(default="offline", description="Elicitation model, a name from deployments/models.yaml")
    writer: str = Field(default="", description="Model that writes descriptions; empty for the elicitation model")
    checker: str = Field(default="", description="Model that accepts equivalent names in descriptions; empty for none")
    domains: tuple[str, ...] = Field(default=(), description="Domains to build; empty for all")
    per_domain: Annotated[int, Field(ge=1, le=10_000)] = Field(default=10, description="Articles per domain at most")
    min_words: Annotated[int, Field(ge=1)] = Field(default=80, description="Shortest article taken, in words")
    max_words: Annotated[int, Field(ge=1)] = Field(default=800, description="Longest article taken, in words")
    min_nodes: Annotated[int, Field(ge=2, le=20)] = Field(default=3, description="Variables of the smallest example")
    max_nodes: Annotated[int, Field(ge=2, le=20)] = Field(default=9, description="Variables of the largest example")
    min_edges: Annotated[int, Field(ge=1)] = Field(default=2, description="Edges an example has at least")
    examples: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=500, description="Examples of the corpus at most"
    )
    per_backbone: Annotated[int, Field(ge=1)] = Field(default=200, description="Examples of one backbone at most")
    seed: int = Field(default=0, description="Seed of the sampling of examples")
    run: Annotated[int, Field(ge=0)] = Field(default=0, description="Draw number: another one asks the models afresh")
    reconcile: bool = Field(default=False, description="Fit the joints to the marginals before recovering CPDs")
    max_usd: Annotated[float, Field(ge=0)] | None = Field(
        default=None, description="Stop before the calls cost more than this"
    )
    data: str = Field(default="data", description="Folder of the Parquet tables")
    cache: str = Field(default="cache", description="Folder of the reply cache")

    @model_validator(mode="after")
    def _check_ranges(self) -> "BuildSettings":
        if self.min_nodes > self.max_nodes:
            raise ValueError(f"min_nodes ({self.min_nodes}) is larger than max_nodes ({self.max_nodes})")
        if self.min_words > self.max_words:
            raise ValueError(f"min_words ({self.min_words}) is larger than max_words ({self.max_words})")
        return self
