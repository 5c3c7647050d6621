"""The tables of the corpus: columns, units, keys and versions. Adding a table is one entry in ``TABLES``.

Domain and backbone are not columns: they stand in the path (:mod:`storage.layout`). Every table carries ``network`` or
``example``, whose ids begin with the backbone's, so that a file is not orphaned when it leaves its folder. ``network``
is the backbone's id for a backbone and the example's id for an example.

Rows are sorted by the columns of ``key``. Where the key names a variable, its configurations follow in C order over
its parents and its states in the variable's own order, so the rows of a CPD read as its matrix, column by column.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa

ArrowTable: TypeAlias = Any
"""A ``pyarrow.Table``. pyarrow ships no types, so this and the next two stand for its classes in signatures."""
ArrowSchema: TypeAlias = Any
ArrowType: TypeAlias = Any

_TEXT = pa.string()
_TEXTS = pa.list_(pa.field("element", pa.string(), nullable=False))
_INT = pa.int32()
_REAL = pa.float64()
_BOOL = pa.bool_()
_TIME = pa.timestamp("ms", tz="UTC")
_DROPPED = pa.list_(
    pa.field(
        "element",
        pa.struct([pa.field(name, pa.string(), nullable=False) for name in ("parent", "child", "reason")]),
        nullable=False,
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class TableSpec:
    """One table: what a row is, its columns in order, the columns it is sorted by, the version of this declaration.

    Raise ``version`` whenever a column changes its name, type or meaning: readers refuse files of another version.
    """

    name: str
    version: int
    row: str
    key: tuple[str, ...]
    schema: ArrowSchema

    @property
    def id_column(self) -> str:
        """The column whose values begin with the backbone's id."""
        return "example" if "example" in self.schema.names else "network"


def _column(name: str, kind: ArrowType, description: str, unit: str = "", *, is_nullable: bool = False) -> Any:
    metadata = {"description": description} | ({"unit": unit} if unit else {})
    return pa.field(name, kind, nullable=is_nullable, metadata=metadata)


def _declare(specs: Iterable[TableSpec]) -> dict[str, TableSpec]:
    return {spec.name: spec for spec in specs}


_NETWORK = _column("network", _TEXT, "Id of the network: the backbone's, or that of one of its examples")
_VARIABLE = _column("variable", _TEXT, "Name of the variable")
_STATE = _column("state", _TEXT, "State of the variable")
_PARENTS = _column("parents", _TEXTS, "Parents of the variable, in the order of the configurations")
_PARENT_STATES = _column("parent_states", _TEXTS, "The configuration: one state per parent, in the order of parents")
_RAW_SUM = _column("raw_sum", _REAL, "What the elicited cells of the table summed to before it was normalised", "1")
_N_FLOORED = _column("n_floored", _INT, "Cells of the table that were missing and were given the floor", "cells")
_N_VARIABLES = _column("n_variables", _INT, "Variables of the network", "variables")
_N_EDGES = _column("n_edges", _INT, "Edges of the network", "edges")
_DEPTH = _column("depth", _INT, "Highest topological level", "levels")
_RUN = _column("run", _TEXT, "Id of the run")
_AT = _column("at", _TIME, "When it was noted", "UTC")
_STAGE = _column("stage", _TEXT, "Stage of the pipeline")

_HISTORY = pa.list_(
    pa.field(
        "element",
        pa.struct(
            [
                pa.field("draw", pa.int32(), nullable=False),
                pa.field("round", pa.int32(), nullable=False),
                *(pa.field(name, pa.string(), nullable=False) for name in ("text", "kind", "problem")),
            ]
        ),
        nullable=False,
    )
)
_SLOPE = "unit of the variable / unit of the parent"
_DAG = _column("network", _TEXT, "Name of the DAG")
_SERIES_KEY = ("model", "condition", "prompt", "reasoning", "reply", "feedback_rounds")
_SERIES = (
    _column("model", _TEXT, "Model that was asked"),
    _column("condition", _TEXT, "Units, bounds and spurious edges under which it was asked"),
    _column("prompt", _TEXT, "standard or parent-effects"),
    _column("reasoning", _BOOL, "Whether the model was to reason first"),
    _column("reply", _TEXT, "text or structured"),
    _column("feedback_rounds", _INT, "Refused proposals that could go back", "rounds"),
)
_TRUTH_SET = _column("truth_set", _TEXT, "Name of the truth set that was scored with; empty where there is none")
_RUN_INDEX = _column("run", _INT, "Index of the run, from 0")

TABLES = _declare(
    (
        TableSpec(
            "articles",
            1,
            "article",
            ("network",),
            pa.schema(
                [
                    _NETWORK,
                    _column("title", _TEXT, "Title in the source"),
                    _column("url", _TEXT, "Address of the article"),
                    _column("revision", _TEXT, "Revision in the source; empty where it has none"),
                    _column("retrieved_at", _TEXT, "When it was retrieved, ISO 8601", "UTC"),
                    _column("licence", _TEXT, "Licence of the text"),
                    _column("text", _TEXT, "The text that the models were given"),
                    _column("sha256", _TEXT, "SHA-256 of the text in UTF-8", "hex"),
                    _column("words", _INT, "Length of the text, between white space", "words"),
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
                    _column("title", _TEXT, "Title of the article"),
                    _column("model", _TEXT, "Model that answered the elicitation passes"),
                    _N_VARIABLES,
                    _N_EDGES,
                    _DEPTH,
                    _column("n_dropped_edges", _INT, "Elicited edges that were dropped", "edges"),
                    _column("dropped_edges", _DROPPED, "The dropped edges in the order given, and why each went"),
                    _column(
                        "max_coherence_gap",
                        _REAL,
                        "Largest disagreement between tables that speak of the same variables",
                        "total variation",
                        is_nullable=True,
                    ),
                    _column("prompts_sha256", _TEXT, "SHA-256 of the prompts; empty where no model was asked", "hex"),
                    _column("source", _TEXT, "Address of the article"),
                    _column("article_sha256", _TEXT, "SHA-256 of the article's text in UTF-8", "hex"),
                    _column("reconciled", _BOOL, "Whether the joints were fitted to the marginals"),
                    _column(
                        "max_reconcile_move",
                        _REAL,
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
                    _column("position", _INT, "Place in the network's own order of variables, from 0"),
                    _column("states", _TEXTS, "States in order, the baseline 'none' last where there is one"),
                    _column("level", _INT, "Topological level: 0 for a root", "levels"),
                    _PARENTS,
                    _column("n_children", _INT, "Edges that leave the variable", "edges"),
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
                    _column("parent", _TEXT, "Name of the cause"),
                    _column("child", _TEXT, "Name of the effect"),
                    _column("mechanism", _TEXT, "How the cause acts on the effect; empty where unknown"),
                    *(
                        _column(f"{name}_gap", _REAL, description, "total variation", is_nullable=True)
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
                    _column("probability", _REAL, "P(state) as elicited, normalised", "1"),
                    _RAW_SUM,
                    _N_FLOORED,
                    _column("implied", _REAL, "P(state) in the network, by exact inference", "1", is_nullable=True),
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
                    _column("kind", _TEXT, "pairwise (one parent) or multi (two or three)"),
                    _PARENTS,
                    _PARENT_STATES,
                    _column("child", _TEXT, "Name of the effect"),
                    _column("state", _TEXT, "State of the child"),
                    _column("probability", _REAL, "P(parent states and state) as elicited, normalised", "1"),
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
                    _column("probability", _REAL, "P(state given parent states)", "1"),
                    _column("rule", _TEXT, "How the column was made: prior, pairwise, joint, product, marginal, given"),
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
                    _column("example", _TEXT, "Id of the example: <backbone>-<variables>-<8 hex>"),
                    _column("variables", _TEXTS, "Names of its variables, in the network's order"),
                    _N_VARIABLES,
                    _N_EDGES,
                    _DEPTH,
                    _column("text", _TEXT, "The description"),
                    _column("words", _INT, "Length of the description, between white space", "words"),
                    _column("writer", _TEXT, "Who wrote the description"),
                    _column("attempts", _INT, "Descriptions that were tried", "attempts"),
                    _column("checks", _TEXTS, "Problems that the description still has"),
                    _column("split", _TEXT, "train, validation or test, the same for all examples of a backbone"),
                    _column("network_json", _TEXT, "The network as canonical JSON"),
                ]
            ),
        ),
        TableSpec(
            "scm_equations",
            1,
            "DAG, series, run and variable",
            (*_SERIES_KEY, "run", "variable"),
            pa.schema(
                [
                    _DAG,
                    *_SERIES,
                    _RUN_INDEX,
                    _VARIABLE,
                    _column("status", _TEXT, "accepted, out of range (the last proposal was taken), or failed"),
                    _column("accepted", _BOOL, "Whether the equation keeps the variable within its known bounds"),
                    _column("equation", _TEXT, "The equation as the parser writes it; empty where it failed"),
                    _column("intercept", _REAL, "Its intercept", "unit of the variable", is_nullable=True),
                    _column("rounds", _INT, "Proposals until this one, in the draw that counts", "proposals"),
                    _column("draws", _INT, "How often the equation was asked for from scratch", "draws"),
                    _column("range_low", _REAL, "Least value it can give", "unit of the variable", is_nullable=True),
                    _column("range_high", _REAL, "Largest value it can give", "unit of the variable", is_nullable=True),
                    _column("skipped", _TEXTS, "Sides that could not be checked: lower, upper"),
                    _column("reason", _TEXT, "Class of the failure; empty where there is an equation"),
                    _column("detail", _TEXT, "One line about the failure"),
                    _column("history", _HISTORY, "Every proposal in order, and why it was turned down"),
                ]
            ),
        ),
        TableSpec(
            "scm_coefficients",
            1,
            "DAG, series, run and edge",
            (*_SERIES_KEY, "truth_set", "run", "variable", "parent"),
            pa.schema(
                [
                    _DAG,
                    *_SERIES,
                    _TRUTH_SET,
                    _RUN_INDEX,
                    _VARIABLE,
                    _column("parent", _TEXT, "Name of the parent"),
                    _column(
                        "coefficient", _REAL, "As elicited; null where the equation failed", _SLOPE, is_nullable=True
                    ),
                    _column("truth", _REAL, "The true coefficient; null where not known", _SLOPE, is_nullable=True),
                    _column("unit_factor", _REAL, "Coefficient in these units / in the original ones", "1"),
                    _column("is_spurious", _BOOL, "Whether the edge was added although there is none in truth"),
                    _column("is_sign_right", _BOOL, "Whether the sign is that of the truth", is_nullable=True),
                    _column("relative_error", _REAL, "|elicited - truth| / |truth|", "1", is_nullable=True),
                ]
            ),
        ),
        TableSpec(
            "scm_scores",
            1,
            "DAG, series and run",
            (*_SERIES_KEY, "truth_set", "run"),
            pa.schema(
                [
                    _DAG,
                    *_SERIES,
                    _TRUTH_SET,
                    _RUN_INDEX,
                    _column("m1", _REAL, "L2 distance of all coefficients", "units of the DAG"),
                    _column("m2", _REAL, "L2 distance after normalising each variable's coefficients", "1"),
                    _column("m3", _REAL, "m2 over the variables with several parents", "1"),
                    _column("m4", _INT, "Variables with several parents whose coefficients are ordered right"),
                    _column("m4_max", _INT, "Variables with several parents"),
                    _column("n_edges", _INT, "Edges", "edges"),
                    _column("n_zero_vectors", _INT, "Equations whose coefficients are all 0"),
                    _column("n_failed_nodes", _INT, "Variables without an equation, scored as zeros"),
                    _column("sign_accuracy", _REAL, "Share of edges whose sign is right", "1", is_nullable=True),
                    _column("median_relative_error", _REAL, "Over the edges", "1", is_nullable=True),
                    _column(
                        "intercept_error", _REAL, "L2 distance of the intercepts", "units of the DAG", is_nullable=True
                    ),
                    _column("m1_in_sds", _REAL, "m1 in standard deviations of the variables", "1", is_nullable=True),
                    _column("m1_in_ranges", _REAL, "m1 in widths of the bounds", "1", is_nullable=True),
                ]
            ),
        ),
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
                    _column("model", _TEXT, "Model that was asked"),
                    _column("tokens_in", pa.int64(), "Tokens sent, failed attempts included", "tokens"),
                    _column("tokens_out", pa.int64(), "Tokens received, failed attempts included", "tokens"),
                    _column("cached", _BOOL, "Whether the reply came from the reply cache"),
                    _column("seconds", _REAL, "Time until the reply, waiting included", "s"),
                    _column("cost_usd", _REAL, "Price; null where it is unknown", "US dollars", is_nullable=True),
                    _column("attempts", _INT, "Requests sent; 0 for a cached reply", "requests"),
                    _column("finish_reason", _TEXT, "Why the model stopped"),
                    _column("error", _TEXT, "Class of the error; empty where the call succeeded"),
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
                    _column("item", _TEXT, "What failed: an article, a pass, an example"),
                    _column("reason", _TEXT, "Class of the reason"),
                    _column("detail", _TEXT, "One line for a person"),
                ]
            ),
        ),
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
