"""The tables of the corpus: columns, units, keys and versions. Adding a table is one entry in ``TABLES``.

Domain and backbone are not columns: they stand in the path (:mod:`storage.layout`). Every table carries ``network`` or
``example``, whose ids begin with the backbone's, so that a file is not orphaned when it leaves its folder. ``network``
is the backbone's id for a backbone and the example's id for an example.

Rows are sorted by the columns of ``key``. Where the key names a variable, its configurations follow in C order over
its parents and its states in the variable's own order, so the rows of a CPD read as its matrix, column by column.
"""

from collections.abc import Iterable

import pyarrow as pa

from storage.benchmark_tables import BENCHMARK_TABLES
from storage.scm_tables import SCM_TABLES
from storage.table_specs import (
    BOOL,
    INT,
    REAL,
    TEXT,
    TEXTS,
    TIME,
    ArrowSchema,
    ArrowTable,
    ArrowType,
    TableSpec,
    to_column,
)

__all__ = ["TABLES", "ArrowSchema", "ArrowTable", "ArrowType", "TableSpec", "to_spec"]

_DROPPED = pa.list_(
    pa.field(
        "element",
        pa.struct([pa.field(name, pa.string(), nullable=False) for name in ("parent", "child", "reason")]),
        nullable=False,
    )
)


def _declare(specs: Iterable[TableSpec]) -> dict[str, TableSpec]:
    return {spec.name: spec for spec in specs}


_NETWORK = to_column("network", TEXT, "Id of the network: the backbone's, or that of one of its examples")
_VARIABLE = to_column("variable", TEXT, "Name of the variable")
_STATE = to_column("state", TEXT, "State of the variable")
_PARENTS = to_column("parents", TEXTS, "Parents of the variable, in the order of the configurations")
_PARENT_STATES = to_column("parent_states", TEXTS, "The configuration: one state per parent, in the order of parents")
_RAW_SUM = to_column("raw_sum", REAL, "What the elicited cells of the table summed to before it was normalised", "1")
_N_FLOORED = to_column("n_floored", INT, "Cells of the table that were missing and were given the floor", "cells")
_N_VARIABLES = to_column("n_variables", INT, "Variables of the network", "variables")
_N_EDGES = to_column("n_edges", INT, "Edges of the network", "edges")
_DEPTH = to_column("depth", INT, "Highest topological level", "levels")
_RUN = to_column("run", TEXT, "Id of the run")
_AT = to_column("at", TIME, "When it was noted", "UTC")
_STAGE = to_column("stage", TEXT, "Stage of the pipeline")

TABLES = _declare(
    (
        TableSpec(
            "articles",
            2,
            "article",
            ("network",),
            pa.schema(
                [
                    _NETWORK,
                    to_column("title", TEXT, "Title in the source"),
                    to_column("url", TEXT, "Address of the article"),
                    to_column("revision", TEXT, "Revision in the source; empty where it has none"),
                    to_column("retrieved_at", TEXT, "When it was retrieved, ISO 8601", "UTC"),
                    to_column("licence", TEXT, "Licence of the text"),
                    to_column("text", TEXT, "The whole text; the models were given its first read_words words"),
                    to_column("sha256", TEXT, "SHA-256 of the text in UTF-8", "hex"),
                    to_column("words", INT, "Length of the text, between white space", "words"),
                    to_column(
                        "read_words",
                        INT,
                        "Length of the beginning of the text that the elicitation model was given; null if not known",
                        "words",
                        is_nullable=True,
                    ),
                    to_column("redirected_from", TEXT, "Title that was listed and redirects here; empty for none"),
                ]
            ),
        ),
        TableSpec(
            "backbones",
            1,
            "backbone",
            ("network",),
            pa.schema(
                [
                    _NETWORK,
                    to_column("title", TEXT, "Title of the article"),
                    to_column("model", TEXT, "Model that answered the elicitation passes"),
                    _N_VARIABLES,
                    _N_EDGES,
                    _DEPTH,
                    to_column("n_dropped_edges", INT, "Elicited edges that were dropped", "edges"),
                    to_column("dropped_edges", _DROPPED, "The dropped edges in the order given, and why each went"),
                    to_column(
                        "max_coherence_gap",
                        REAL,
                        "Largest disagreement between tables that speak of the same variables",
                        "total variation",
                        is_nullable=True,
                    ),
                    to_column("prompts_sha256", TEXT, "SHA-256 of the prompts; empty where no model was asked", "hex"),
                    to_column("source", TEXT, "Address of the article"),
                    to_column("article_sha256", TEXT, "SHA-256 of the article's text in UTF-8", "hex"),
                    to_column("reconciled", BOOL, "Whether the joints were fitted to the marginals"),
                    to_column(
                        "max_reconcile_move",
                        REAL,
                        "Largest move of a joint by the fitting",
                        "total variation",
                        is_nullable=True,
                    ),
                ]
            ),
        ),
        TableSpec(
            "variables",
            1,
            "network and variable",
            ("network", "variable"),
            pa.schema(
                [
                    _NETWORK,
                    _VARIABLE,
                    to_column("position", INT, "Place in the network's own order of variables, from 0"),
                    to_column("states", TEXTS, "States in order, the baseline 'none' last where there is one"),
                    to_column("level", INT, "Topological level: 0 for a root", "levels"),
                    _PARENTS,
                    to_column("n_children", INT, "Edges that leave the variable", "edges"),
                ]
            ),
        ),
        TableSpec(
            "edges",
            1,
            "network and edge",
            ("network", "parent", "child"),
            pa.schema(
                [
                    _NETWORK,
                    to_column("parent", TEXT, "Name of the cause"),
                    to_column("child", TEXT, "Name of the effect"),
                    to_column("mechanism", TEXT, "How the cause acts on the effect; empty where unknown"),
                    *(
                        to_column(f"{name}_gap", REAL, description, "total variation", is_nullable=True)
                        for name, description in (
                            ("parent", "Parent's elicited marginal against the pairwise joint; backbone edges only"),
                            ("child", "Child's elicited marginal against the pairwise joint; backbone edges only"),
                            ("joint", "Pairwise joint against the multi-parent joint, where there is one"),
                        )
                    ),
                ]
            ),
        ),
        TableSpec(
            "marginals",
            1,
            "backbone, variable and state",
            ("network", "variable"),
            pa.schema(
                [
                    _NETWORK,
                    _VARIABLE,
                    _STATE,
                    to_column("probability", REAL, "P(state) as elicited, normalised", "1"),
                    _RAW_SUM,
                    _N_FLOORED,
                    to_column("implied", REAL, "P(state) in the network, by exact inference", "1", is_nullable=True),
                ]
            ),
        ),
        TableSpec(
            "joints",
            1,
            "backbone, child, table and configuration",
            ("network", "child", "kind", "parents"),
            pa.schema(
                [
                    _NETWORK,
                    to_column("kind", TEXT, "pairwise (one parent) or multi (two or three)"),
                    _PARENTS,
                    _PARENT_STATES,
                    to_column("child", TEXT, "Name of the effect"),
                    to_column("state", TEXT, "State of the child"),
                    to_column("probability", REAL, "P(parent states and state) as elicited, normalised", "1"),
                    _RAW_SUM,
                    _N_FLOORED,
                ]
            ),
        ),
        TableSpec(
            "cpds",
            1,
            "network, variable, configuration and state",
            ("network", "variable"),
            pa.schema(
                [
                    _NETWORK,
                    _VARIABLE,
                    _PARENTS,
                    _PARENT_STATES,
                    _STATE,
                    to_column("probability", REAL, "P(state given parent states)", "1"),
                    to_column(
                        "rule", TEXT, "How the column was made: prior, pairwise, joint, product, marginal, given"
                    ),
                ]
            ),
        ),
        TableSpec(
            "examples",
            1,
            "example",
            ("example",),
            pa.schema(
                [
                    to_column("example", TEXT, "Id of the example: <backbone>-<variables>-<8 hex>"),
                    to_column("variables", TEXTS, "Names of its variables, in the network's order"),
                    _N_VARIABLES,
                    _N_EDGES,
                    _DEPTH,
                    to_column("text", TEXT, "The description"),
                    to_column("words", INT, "Length of the description, between white space", "words"),
                    to_column("writer", TEXT, "Who wrote the description"),
                    to_column("attempts", INT, "Descriptions that were tried", "attempts"),
                    to_column("checks", TEXTS, "Problems that the description still has"),
                    to_column("split", TEXT, "train, validation or test, the same for all examples of a backbone"),
                    to_column("network_json", TEXT, "The network as canonical JSON"),
                ]
            ),
        ),
        *SCM_TABLES,
        TableSpec(
            "calls",
            1,
            "model call",
            ("run", "at", "stage"),
            pa.schema(
                [
                    _NETWORK,
                    _RUN,
                    _AT,
                    _STAGE,
                    to_column("model", TEXT, "Model that was asked"),
                    to_column("tokens_in", pa.int64(), "Tokens sent, failed attempts included", "tokens"),
                    to_column("tokens_out", pa.int64(), "Tokens received, failed attempts included", "tokens"),
                    to_column("cached", BOOL, "Whether the reply came from the reply cache"),
                    to_column("seconds", REAL, "Time until the reply, waiting included", "s"),
                    to_column("cost_usd", REAL, "Price; null where it is unknown", "US dollars", is_nullable=True),
                    to_column("attempts", INT, "Requests sent; 0 for a cached reply", "requests"),
                    to_column("finish_reason", TEXT, "Why the model stopped"),
                    to_column("error", TEXT, "Class of the error; empty where the call succeeded"),
                ]
            ),
        ),
        TableSpec(
            "failures",
            1,
            "failed item",
            ("run", "at", "stage", "item"),
            pa.schema(
                [
                    _NETWORK,
                    _RUN,
                    _AT,
                    _STAGE,
                    to_column("item", TEXT, "What failed: an article, a pass, an example"),
                    to_column("reason", TEXT, "Class of the reason"),
                    to_column("detail", TEXT, "One line for a person"),
                ]
            ),
        ),
        *BENCHMARK_TABLES,
    )
)


def to_spec(table: str) -> TableSpec:
    """The declaration of a table.

    Raises:
        ValueError: there is no such table.

    Example:
        >>> to_spec("cpds").key
        ('network', 'variable')
    """
    spec = TABLES.get(table)
    if spec is None:
        raise ValueError(f"{table!r} is not a table; there are {', '.join(TABLES)}")
    return spec
