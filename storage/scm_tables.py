"""The tables of the linear half; see :mod:`storage.tables`."""

import pyarrow as pa

from storage.table_specs import BOOL, INT, REAL, TEXT, TEXTS, TableSpec, to_column

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
_DAG = to_column("network", TEXT, "Name of the DAG")
_DAG_SHA256 = to_column("dag_sha256", TEXT, "SHA-256 of all that is asked and scored with: the file's version", "hex")
_SERIES_KEY = ("model", "condition", "prompt", "reasoning", "reply", "feedback_rounds")
_SERIES = (
    to_column("model", TEXT, "Model that was asked"),
    to_column("condition", TEXT, "Units, bounds and spurious edges under which it was asked"),
    to_column("prompt", TEXT, "standard or parent-effects"),
    to_column("reasoning", BOOL, "Whether the model was to reason first"),
    to_column("reply", TEXT, "text or structured"),
    to_column("feedback_rounds", INT, "Refused proposals that could go back", "rounds"),
)
_TRUTH_SET = to_column("truth_set", TEXT, "Name of the truth set that was scored with; empty where there is none")
_RUN_INDEX = to_column("run", INT, "Index of the run, from 0")
_VARIABLE = to_column("variable", TEXT, "Name of the variable")

SCM_TABLES = (
    TableSpec(
        "scm_equations",
        1,
        "DAG, series, run and variable",
        (*_SERIES_KEY, "run", "variable"),
        pa.schema(
            [
                _DAG,
                _DAG_SHA256,
                *_SERIES,
                _RUN_INDEX,
                _VARIABLE,
                to_column("status", TEXT, "accepted, out of range (the last proposal was taken), or failed"),
                to_column("accepted", BOOL, "Whether the equation keeps the variable within its known bounds"),
                to_column("equation", TEXT, "The equation as the parser writes it; empty where it failed"),
                to_column("intercept", REAL, "Its intercept", "unit of the variable", is_nullable=True),
                to_column("rounds", INT, "Proposals until this one, in the draw that counts", "proposals"),
                to_column("draws", INT, "How often the equation was asked for from scratch", "draws"),
                to_column("range_low", REAL, "Least value it can give", "unit of the variable", is_nullable=True),
                to_column("range_high", REAL, "Largest value it can give", "unit of the variable", is_nullable=True),
                to_column("skipped", TEXTS, "Sides that could not be checked: lower, upper"),
                to_column("reason", TEXT, "Class of the failure; empty where there is an equation"),
                to_column("detail", TEXT, "One line about the failure"),
                to_column("history", _HISTORY, "Every proposal in order, and why it was turned down"),
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
                _DAG_SHA256,
                *_SERIES,
                _TRUTH_SET,
                _RUN_INDEX,
                _VARIABLE,
                to_column("parent", TEXT, "Name of the parent"),
                to_column("coefficient", REAL, "As elicited; null where the equation failed", _SLOPE, is_nullable=True),
                to_column("truth", REAL, "The true coefficient; null where not known", _SLOPE, is_nullable=True),
                to_column("unit_factor", REAL, "Coefficient in these units / in the original ones", "1"),
                to_column("is_rescaled", BOOL, "Whether an end of the edge is in another unit than the original"),
                to_column("is_spurious", BOOL, "Whether the edge was added although there is none in truth"),
                to_column("is_sign_right", BOOL, "Whether the sign is that of the truth", is_nullable=True),
                to_column("relative_error", REAL, "|elicited - truth| / |truth|", "1", is_nullable=True),
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
                _DAG_SHA256,
                *_SERIES,
                _TRUTH_SET,
                _RUN_INDEX,
                to_column("m1", REAL, "L2 distance of all coefficients", "units of the DAG"),
                to_column("m2", REAL, "L2 distance after normalising each variable's coefficients", "1"),
                to_column("m3", REAL, "m2 over the variables with several parents", "1"),
                to_column("m4", INT, "Variables with several parents whose coefficients are ordered right"),
                to_column("m4_max", INT, "Variables with several parents"),
                to_column("n_edges", INT, "Edges", "edges"),
                to_column("n_zero_vectors", INT, "Equations whose coefficients are all 0"),
                to_column("n_outside", INT, "Equations taken although they leave the bounds of their variable"),
                to_column("n_failed_nodes", INT, "Variables without an equation, scored as zeros"),
                to_column("sign_accuracy", REAL, "Share of edges whose sign is right", "1", is_nullable=True),
                to_column("median_relative_error", REAL, "Over the edges", "1", is_nullable=True),
                to_column(
                    "intercept_error", REAL, "L2 distance of the intercepts", "units of the DAG", is_nullable=True
                ),
                to_column("m1_in_sds", REAL, "m1 in standard deviations of the variables", "1", is_nullable=True),
                to_column("m1_in_ranges", REAL, "m1 in widths of the bounds", "1", is_nullable=True),
            ]
        ),
    ),
)
