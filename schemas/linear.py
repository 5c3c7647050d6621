"""A DAG file under one condition: what a model is asked about, and the mathematics' view of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bayes.linear.conditions import add_spurious, replace_bounds, sample_spurious, scale_units
from bayes.linear.model import Interval, LinearDag, LinearVariable
from bayes.linear.model import Truth as LinearTruth
from bayes.network import Edge
from schemas.dags import ORIGINAL, Bounds, Condition, DagFile, Truth
from schemas.errors import InputError


@dataclass(frozen=True, slots=True)
class AskedDag:
    """A DAG as it is asked about: names, words and units of the file, and the graph under one condition.

    ``condition`` names the condition and, where there are some, the sampled spurious edges. ``truth`` is the name of
    the truth set in ``dag``, empty where the file has none. ``spurious`` are the edges whose true coefficient is 0.
    """

    name: str
    domain: str
    condition: str
    truth: str
    persona: str
    overview: str
    descriptions: Mapping[str, str]
    units: Mapping[str, str]
    factors: Mapping[str, float]
    """By variable, what its values are multiplied by; 1 for those that are not named."""
    spurious: tuple[Edge, ...]
    dag: LinearDag

    @property
    def sha256(self) -> str:
        """Of everything that is asked or scored with: two versions of a file under one name are told apart by it."""
        graph, truth = self.dag, self.dag.truth
        content = [
            [self.persona, self.overview, sorted(self.descriptions.items()), sorted(self.units.items())],
            [[item.name, item.bounds.low, item.bounds.high] for item in graph.variables],
            graph.edges,
            truth and [sorted(truth.coefficients.items()), sorted(truth.intercepts.items())],
            truth and sorted(truth.noise_sds.items()),
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def is_rescaled(self, edge: Edge) -> bool:
        """Whether an end of an edge is in another unit than in the original DAG."""
        return edge.parent in self.factors or edge.child in self.factors

    def to_unit_factor(self, edge: Edge) -> float:
        """What a coefficient in the original units is multiplied by in those of the condition."""
        return self.factors.get(edge.child, 1.0) / self.factors.get(edge.parent, 1.0)


def ask_about(
    file: DagFile, condition: str = ORIGINAL, *, truth: str = "", n_spurious: int = 0, seed: int = 0
) -> AskedDag:
    """A DAG file under a condition, with a truth set and, if asked for, sampled spurious edges on top.

    Raises:
        InputError: the file has no such condition or truth set, or has no room for so many spurious edges.

    Example:
        >>> from schemas.dags import find_dag, load_dag
        >>> asked = ask_about(load_dag(find_dag("foodsecurity")), n_spurious=1, seed=3)
        >>> asked.condition, len(asked.dag.edges)
        ('original+1-spurious-seed-3', 5)
    """
    picked, named_truth = file.pick_condition(condition), file.pick_truth(truth)
    try:
        dag = to_linear_dag(file, picked, named_truth.truth if named_truth else None)
        sampled = sample_spurious(dag, n_spurious, seed)
        dag = add_spurious(dag, sampled)
    except ValueError as error:
        raise InputError(f"DAG {file.name}, condition {condition}: {error}") from error
    units = {name: variable.unit for name, variable in file.variables.items()}
    return AskedDag(
        name=file.name,
        domain=file.domain,
        condition=condition + (f"+{n_spurious}-spurious-seed-{seed}" if n_spurious else ""),
        truth=named_truth.name if named_truth else "",
        persona=file.persona,
        overview=file.overview,
        descriptions={name: variable.description for name, variable in file.variables.items()},
        units=units | dict(picked.units),
        factors=picked.scale,
        spurious=(*picked.spurious, *sampled),
        dag=dag,
    )


def to_linear_dag(file: DagFile, condition: Condition, truth: Truth | None, spurious: Sequence[Edge] = ()) -> LinearDag:
    """The graph of a file under a condition: scaled first, then with the condition's bounds and spurious edges.

    Raises:
        ValueError: what :mod:`bayes.linear.conditions` refuses.
    """
    variables = tuple(LinearVariable(name, _to_interval(variable)) for name, variable in file.variables.items())
    dag = LinearDag(variables, file.edges, None if truth is None else _to_truth(truth))
    dag = scale_units(dag, condition.scale)
    dag = replace_bounds(dag, {name: _to_interval(bounds) for name, bounds in condition.bounds.items()})
    return add_spurious(dag, (*condition.spurious, *spurious))


def _to_interval(bounds: Bounds) -> Interval:
    return Interval(bounds.lower, bounds.upper)


def _to_truth(truth: Truth) -> LinearTruth:
    coefficients = {
        Edge(parent, child): value for child, values in truth.coefficients.items() for parent, value in values.items()
    }
    return LinearTruth(coefficients, truth.intercepts, truth.noise_sd)
