"""The tables of the benchmark and of imported corpora; see :mod:`storage.tables`."""

from typing import Any

import pyarrow as pa

from storage.table_specs import BOOL, INT, REAL, TEXT, TableSpec, to_column

_EXAMPLE = to_column("example", TEXT, "Id of the example")
_READING = (
    _EXAMPLE,
    to_column("model", TEXT, "Model, baseline or person that read the description"),
    to_column("mode", TEXT, "full: one table for each child; pairwise: one for each edge"),
)
_JUDGE = to_column("judge", TEXT, "Who said which names mean the same: exact, lexical or a model")
_STATUS = (
    to_column("status", TEXT, "complete; partial: variables, but not all of the rest; failed: not even variables"),
    to_column("is_truncated", BOOL, "Whether a reply that was cut short is among the causes of what is missing"),
)


def _name(name: str, description: str) -> Any:
    return to_column(name, TEXT, description, is_nullable=True)


def _count(name: str, description: str, unit: str) -> Any:
    return to_column(name, INT, description, unit)


def _measure(name: str, description: str, unit: str = "1") -> Any:
    return to_column(name, REAL, description, unit)


def _partial(name: str, description: str, unit: str = "1") -> Any:
    return to_column(name, REAL, f"{description}; null where undefined", unit, is_nullable=True)


_SCORES = (
    _count("n_matched", "Reference variables that were found", "variables"),
    _measure("node_precision", "Matched / predicted variables, duplicates not counted"),
    _measure("node_recall", "Matched / reference variables"),
    _measure("node_f1", "Harmonic mean of the two"),
    _count("extra_nodes", "Predicted variables that are neither matched nor duplicates", "variables"),
    _count("n_duplicates", "Predicted variables that mean a reference variable already taken", "variables"),
    _measure("state_precision", "Matched / predicted states, mean over the matched variables"),
    _measure("state_recall", "Matched / reference states, mean over the matched variables"),
    _measure("state_f1", "F1 of the states, mean over the matched variables"),
    _partial("edge_precision", "Correct / predicted edges between matched variables"),
    _partial("edge_recall", "Correct / reference edges between matched variables"),
    _partial("edge_f1", "Harmonic mean of the two"),
    _partial("spurious_edge_rate", "Wrong / predicted edges between matched variables", "%"),
    _measure("edge_f1_unconditional", "F1 over all edges, one with an unmatched end being wrong"),
    _count("shd", "Structural Hamming distance", "edges"),
    _partial("cpd_kl", "KL(reference || prediction) over the columns of matched children", "nat"),
    _partial("cpd_kl_reverse", "KL(prediction || reference) over the same columns", "nat"),
    _partial("cpd_kl_symmetric", "Mean of the two", "nat"),
    _partial("cpd_tv", "Total variation over the same columns", "total variation"),
    _partial("cpd_js", "Jensen-Shannon divergence over the same columns", "nat"),
    _partial("cpd_coverage", "Share of these columns that had a prediction"),
    _partial("prior_kl", "KL(reference || prediction) over the matched roots", "nat"),
    _partial("prior_coverage", "Share of the matched roots that had a prediction"),
    _partial("cpd_kl_released", "KL by position over the tables of correct edges, as published", "nat"),
    _count("n_released_edges", "Correct edges compared by position", "edges"),
    _count("n_released_skipped", "Correct edges without a table to compare", "edges"),
    _partial("marginal_tv", "Mean distance of the marginals of matched variables", "total variation"),
    _name("marginal_tv_skipped", "Why there is no marginal_tv; null where there is"),
    _partial("joint_kl", "KL between the joint distributions", "nat"),
    _name("joint_kl_skipped", "Why there is no joint_kl; null where there is"),
)

BENCHMARK_TABLES = (
    TableSpec(
        "predictions",
        1,
        "example, model and mode",
        ("example", "model", "mode"),
        pa.schema(
            [
                *_READING,
                *_STATUS,
                to_column("reason", TEXT, "Class of the reason why anything is missing; empty where nothing is"),
                to_column("detail", TEXT, "One line about it"),
                _count("n_variables", "Predicted variables, duplicates included", "variables"),
                _count("n_edges", "Predicted edges", "edges"),
                to_column("network_json", TEXT, "The prediction as canonical JSON"),
                to_column("raw", TEXT, "What the model said, phase by phase, as JSON; or the file it was read from"),
            ]
        ),
    ),
    TableSpec(
        "alignments",
        1,
        "example, model, mode, judge and match",
        ("example", "model", "mode", "judge"),
        pa.schema(
            [
                *_READING,
                _JUDGE,
                to_column("kind", TEXT, "variable, state, duplicate; or empty: the judge found nothing that matches"),
                _name("reference_variable", "Variable of the reference; null for a duplicate"),
                _name("predicted_variable", "Variable of the prediction"),
                _name("reference_state", "State of the reference variable; for the kind state only"),
                _name("predicted_state", "State of the predicted variable; for the kind state only"),
            ]
        ),
    ),
    TableSpec(
        "scores",
        1,
        "example, model, mode and judge",
        ("example", "model", "mode", "judge"),
        pa.schema(
            [
                *_READING,
                _JUDGE,
                *_STATUS,
                _count("n_variables", "Variables of the reference", "variables"),
                _count("n_edges", "Edges of the reference", "edges"),
                *_SCORES,
            ]
        ),
    ),
    TableSpec(
        "imports",
        1,
        "imported example",
        ("example",),
        pa.schema(
            [
                _EXAMPLE,
                to_column("source_id", TEXT, "Id of the network in the file that it came from"),
                to_column("file", TEXT, "Name of that file"),
            ]
        ),
    ),
    TableSpec(
        "pairwise",
        1,
        "imported example, edge, parent state and state",
        ("network", "child", "parent"),
        pa.schema(
            [
                to_column("network", TEXT, "Id of the example"),
                to_column("child", TEXT, "Name of the effect"),
                to_column("parent", TEXT, "Name of the cause"),
                to_column("parent_state", TEXT, "State of the parent"),
                to_column("state", TEXT, "State of the child"),
                to_column("probability", REAL, "P(state given parent_state) as it was given", "1", is_nullable=True),
                to_column(
                    "completed",
                    REAL,
                    "The same with gaps filled and columns summing to 1; null where the whole table tells nothing",
                    "1",
                    is_nullable=True,
                ),
            ]
        ),
    ),
)
