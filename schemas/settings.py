"""The settings of a run: the flow's parameters, a form in the Prefect UI, the options of a command."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

DOMAINS = ("economics", "environment", "geopolitics", "technology", "society")
"""The domains of ``deployments/domains.yaml`` as it comes."""


def number_properties(schema: dict[str, Any]) -> None:
    """Number the properties, since the Prefect UI sorts a form by ``position`` and a database by whatever it likes.

    Those that every run has come last.
    """
    shared = list(RunSettings.model_fields)
    fields = schema.get("properties", {})
    ordered = sorted(fields, key=lambda name: shared.index(name) if name in shared else -1)
    for position, name in enumerate(ordered):
        fields[name]["position"] = position


class RunSettings(BaseModel):
    """What every run has: a ceiling on its cost, and where its tables and replies are kept."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=number_properties)
    kind: ClassVar[str] = "run"
    """What such a run is called; two of one kind do not write one data folder at a time."""

    max_usd: Annotated[float, Field(ge=0)] | None = Field(
        default=None, title="Ceiling in US dollars", description="Stop before calls cost more; resumable"
    )
    data: str = Field(default="data", title="Data folder", description="Where the Parquet tables are")
    cache: str = Field(default="cache", title="Cache folder", description="Where replies are kept between runs")


class BuildSettings(RunSettings):
    """What to build, from which articles, with which model."""

    kind: ClassVar[str] = "build"

    source: str = Field(
        default="samples",
        title="Source of articles",
        description="samples, folder:PATH, wikipedia, dump:PATH, or backbones:FILE.jsonl for networks elicited before",
    )
    domains: tuple[str, ...] = Field(
        default=(),
        title="Domains",
        description=f"Of {', '.join(DOMAINS)}; empty for all",
    )
    per_domain: Annotated[int, Field(ge=1, le=10_000)] = Field(
        default=10, title="Articles per domain", description="At most so many"
    )
    model: str = Field(
        default="offline",
        title="Elicitation model",
        description="A name from deployments/models.yaml, such as anthropic:claude-sonnet-4-6; offline needs no key",
    )
    writer: str = Field(
        default="", title="Writing model", description="Writes the descriptions; empty for the elicitation model"
    )
    checker: str = Field(
        default="", title="Checking model", description="Accepts equivalent names in descriptions; empty for none"
    )
    examples: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=500, title="Examples at most", description="Of the whole build, shared out over the backbones"
    )
    per_backbone: Annotated[int, Field(ge=1)] = Field(
        default=200, title="Examples per backbone", description="At most so many"
    )
    min_nodes: Annotated[int, Field(ge=2, le=20)] = Field(
        default=3, title="Smallest example", description="Variables it has at least"
    )
    max_nodes: Annotated[int, Field(ge=2, le=20)] = Field(
        default=9, title="Largest example", description="Variables it has at most"
    )
    min_edges: Annotated[int, Field(ge=1)] = Field(
        default=2, title="Edges of an example", description="It has at least so many"
    )
    min_words: Annotated[int, Field(ge=1)] = Field(default=80, title="Shortest article", description="In words")
    max_words: Annotated[int, Field(ge=1)] = Field(default=800, title="Longest article", description="In words")
    reconcile: bool = Field(
        default=False, title="Reconcile tables", description="Fit the joints to the marginals before recovering CPDs"
    )
    seed: int = Field(default=0, title="Seed", description="Of the sampling of examples")
    run: Annotated[int, Field(ge=0)] = Field(
        default=0, title="Draw", description="Another number asks the models afresh instead of reusing kept replies"
    )

    @model_validator(mode="after")
    def _check_ranges(self) -> "BuildSettings":
        if self.min_nodes > self.max_nodes:
            raise ValueError(f"min_nodes ({self.min_nodes}) is larger than max_nodes ({self.max_nodes})")
        if self.min_words > self.max_words:
            raise ValueError(f"min_words ({self.min_words}) is larger than max_words ({self.max_words})")
        return self
