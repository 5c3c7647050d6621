"""The settings of a run: the flow's parameters, a form in the Prefect UI, the options of a command."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

DOMAINS = ("economics", "environment", "geopolitics", "technology", "society")
"""The domains of ``deployments/domains.yaml`` as it comes."""

MAX_DEPTH = 5
"""Levels of subcategories at most: further down, a category tree leads everywhere."""

TextPart = Literal["lead", "full"]
"""What of an article is taken: the text before its first heading, or that and its sections."""

OnChange = Literal["refuse", "report", "fetch"]
"""What a build that is pinned to a lock does about articles that have changed: :mod:`tasks.locked_articles`."""


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
    batch: bool = Field(
        default=False,
        title="Batches",
        description="Ask through the provider's batch API: about half the price, up to a day of waiting, resumable",
    )
    data: str = Field(default="data", title="Data folder", description="Where the Parquet tables are")
    cache: str = Field(
        default="cache",
        title="Reply cache",
        description="Where replies are kept between runs: a folder, or redis://HOST:PORT/NUMBER without a password",
    )

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that the run may ask; judges made of code may be among them."""
        return ()


class BuildSettings(RunSettings):
    """What to build, from which articles, with which model."""

    kind: ClassVar[str] = "build"

    source: str = Field(
        default="samples",
        title="Source of articles",
        description="samples, folder:PATH, wikipedia (or wikipedia:de for another language), dump:PATH, or "
        "backbones:FILE.jsonl for networks elicited before",
    )
    domains: tuple[str, ...] = Field(
        default=(),
        title="Domains",
        description=f"Of {', '.join(DOMAINS)}; empty for all. One of any name for categories, searches and articles",
    )
    categories: tuple[str, ...] = Field(
        default=(), title="Categories", description="Of wikipedia or a dump, instead of the domain's own seeds"
    )
    searches: tuple[str, ...] = Field(
        default=(), title="Searches", description="Words to look for, instead of the domain's own seeds"
    )
    articles: tuple[str, ...] = Field(
        default=(), title="Articles", description="Titles, instead of the domain's own seeds"
    )
    category_depth: Annotated[int, Field(ge=0, le=MAX_DEPTH)] | None = Field(
        default=None,
        title="Depth of categories",
        description="Levels of subcategories to follow; empty for what each seed says, or 1",
    )
    text: TextPart = Field(
        default="lead",
        title="Text of an article",
        description="lead, or full with its sections; the word limits are on the lead in both",
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
    lock: str = Field(
        default="",
        title="Article lock",
        description="An articles.lock to build from; empty to look for articles afresh",
    )
    on_change: OnChange = Field(
        default="refuse",
        title="Locked articles that have changed",
        description="refuse to build, report and leave them out, or fetch the locked texts",
    )
    min_words: Annotated[int, Field(ge=1)] = Field(default=80, title="Shortest article", description="In words")
    max_words: Annotated[int, Field(ge=1)] = Field(default=800, title="Longest article", description="In words")
    input_tokens: Annotated[int, Field(ge=200, le=1_000_000)] = Field(
        default=8000,
        title="Tokens of an article",
        description="Given to the elicitation model at most; a longer text is cut where a paragraph or sentence ends",
    )
    reconcile: bool = Field(
        default=False, title="Reconcile tables", description="Fit the joints to the marginals before recovering CPDs"
    )
    seed: int = Field(default=0, title="Seed", description="Of the sampling of examples")
    run: Annotated[int, Field(ge=0)] = Field(
        default=0, title="Draw", description="Another number asks the models afresh instead of reusing kept replies"
    )

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that the build may ask."""
        return tuple(filter(None, (self.model, self.writer, self.checker)))

    @model_validator(mode="after")
    def _check_ranges(self) -> "BuildSettings":
        if self.min_nodes > self.max_nodes:
            raise ValueError(f"min_nodes ({self.min_nodes}) is larger than max_nodes ({self.max_nodes})")
        if self.lock and (self.categories or self.searches or self.articles):
            raise ValueError("a lock names its articles: give no categories, searches or articles beside it")
        if self.lock and self.source.startswith("backbones:"):
            raise ValueError("lock: backbones:FILE brings its own articles; build without a lock")
        if self.min_words > self.max_words:
            raise ValueError(f"min_words ({self.min_words}) is larger than max_words ({self.max_words})")
        if self.categories or self.searches or self.articles:
            if self.source.partition(":")[0] not in ("wikipedia", "dump"):
                raise ValueError(
                    f"categories, searches and articles are looked for in wikipedia or dump:PATH, not in {self.source}"
                )
            if len(set(self.domains)) != 1:
                raise ValueError(
                    "categories, searches and articles of your own make up one domain: name it with one --domain NAME"
                )
        return self
