"""Strategies for scoring: a reference, what a careless model made of it, the alignment; and reorderings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from bayes.network import Cpd, Edge, FloatArray, Network, Rule, Variable
from bayes.scoring.records import Alignment, Match, PredictedCpd, Prediction, Reference
from tests.strategies import networks

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Everything that scoring needs."""

    reference: Reference
    alignment: Alignment
    prediction: Prediction


def to_network(variables: Mapping[str, Sequence[str]], cpds: Mapping[str, tuple[Sequence[str], object]]) -> Network:
    """A network from names, states and matrices written by hand."""
    built: list[Cpd] = []
    for name, (parents, matrix) in cpds.items():
        array = np.array(matrix, dtype=np.float64)
        built.append(Cpd(name, tuple(parents), array, (Rule.GIVEN,) * array.shape[1]))
    return Network(tuple(Variable(name, tuple(states)) for name, states in variables.items()), tuple(built))


def to_prediction(
    variables: Mapping[str, Sequence[str]],
    cpds: Mapping[str, tuple[Sequence[str], object]],
    edges: Sequence[tuple[str, str]] | None = None,
) -> Prediction:
    """A prediction written by hand; by default with the edges that its tables have."""
    tables = {name: PredictedCpd(name, tuple(above), np.array(matrix, float)) for name, (above, matrix) in cpds.items()}
    implied = [(parent, name) for name, (above, _) in cpds.items() for parent in above]
    return Prediction(
        tuple(Variable(name, tuple(states)) for name, states in variables.items()),
        tuple(Edge(*edge) for edge in (implied if edges is None else edges)),
        tables,
    )


def to_alignment(names: Mapping[str, str], states: Mapping[str, Mapping[str, str]]) -> Alignment:
    """An alignment from mappings of reference names to predicted ones."""
    return Alignment(
        tuple(Match(*pair) for pair in names.items()),
        states={name: tuple(Match(*pair) for pair in matches.items()) for name, matches in states.items()},
    )


@st.composite
def cases(draw: st.DrawFn, *, careless: bool = True, max_nodes: int = 4) -> Case:
    """A random reference and a prediction under other names, in another order.

    A careless prediction lacks variables, states and edges, has others beyond the reference's, and tables with holes.
    Otherwise all variables and states are there, and only edges and numbers differ.
    """
    network = draw(networks(max_nodes=max_nodes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def chance(share: float) -> bool:
        return careless and bool(rng.random() < share)

    order = sorted(network.by_name, key=network.levels.__getitem__)
    named: dict[str, str] = {}
    predicted: dict[str, Variable] = {}
    matches: dict[str, tuple[Match, ...]] = {}
    for name in order:
        if chance(0.2):
            continue
        found = [state for state in network.by_name[name].states if not chance(0.2)]
        pairs = [Match(state, f"{state}, so to speak") for state in found]
        states = [pair.predicted for pair in pairs] + ["something else"] * chance(0.3)
        if not states:
            continue
        named[name] = f"{name}, so to speak"
        matches[name] = tuple(pairs)
        predicted[named[name]] = Variable(named[name], tuple(states[i] for i in rng.permutation(len(states))))
    names = [named[name] for name in order if name in named]
    if chance(0.5):
        names.insert(int(rng.integers(len(names) + 1)), "extra")
        predicted["extra"] = Variable("extra", ("high", "low"))
    right = {(named.get(edge.parent), named.get(edge.child)) for edge in network.edges}
    edges = tuple(
        Edge(parent, child)
        for j, child in enumerate(names)
        for parent in names[:j]
        if rng.random() < (0.8 if (parent, child) in right else 0.2)
    )
    cpds: dict[str, PredictedCpd] = {}
    for name in names:
        if chance(0.1):
            continue
        above = [edge.parent for edge in edges if edge.child == name]
        above = [above[i] for i in rng.permutation(len(above))]
        shape = (predicted[name].cardinality, prod(predicted[parent].cardinality for parent in above))
        matrix: FloatArray = rng.dirichlet(np.ones(shape[0]), size=shape[1]).T
        if careless:
            matrix *= rng.uniform(0.5, 1.5, size=shape[1])
            matrix[rng.random(shape) < 0.1] = np.nan
            matrix[:, rng.random(shape[1]) < 0.15] = 0.0
        cpds[name] = PredictedCpd(name, tuple(above), np.ascontiguousarray(matrix))
    variables = tuple(predicted[names[i]] for i in rng.permutation(len(names)))
    alignment = Alignment(tuple(Match(*pair) for pair in named.items()), states=matches)
    return Case(Reference(network), alignment, Prediction(variables, edges, cpds))


def reorder(case: Case, rng: np.random.Generator) -> Case:
    """The same case with variables, states, parents, edges and matches in another order, on both sides."""
    network, prediction = case.reference.network, case.prediction
    ours = {v.name: _shuffle_states(v, rng) for v in network.variables}
    theirs = {v.name: _shuffle_states(v, rng) for v in prediction.variables}
    cpds: list[Cpd] = []
    for i in rng.permutation(len(network.cpds)):
        cpd = network.cpds[i]
        parents, matrix = _reorder(cpd.variable, cpd.parents, cpd.matrix, network.by_name, ours, rng)
        cpds.append(Cpd(cpd.variable, parents, matrix, cpd.rules))
    predicted: dict[str, PredictedCpd] = {}
    for name, table in prediction.cpds.items():
        predicted[name] = PredictedCpd(
            name, *_reorder(name, table.parents, table.matrix, prediction.by_name, theirs, rng)
        )
    by_variable = {cpd.variable: cpd for cpd in cpds}
    return Case(
        Reference(Network(tuple(ours[cpd.variable] for cpd in cpds), tuple(by_variable.values()))),
        Alignment(
            _shuffle(case.alignment.variables, rng),
            case.alignment.duplicates,
            {name: _shuffle(matches, rng) for name, matches in case.alignment.states.items()},
        ),
        Prediction(_shuffle(tuple(theirs.values()), rng), _shuffle(prediction.edges, rng), predicted),
    )


def _shuffle(items: tuple[T, ...], rng: np.random.Generator) -> tuple[T, ...]:
    return tuple(items[i] for i in rng.permutation(len(items)))


def _shuffle_states(variable: Variable, rng: np.random.Generator) -> Variable:
    return Variable(variable.name, _shuffle(variable.states, rng))


def _reorder(
    child: str,
    parents: tuple[str, ...],
    matrix: FloatArray,
    before: Mapping[str, Variable],
    after: Mapping[str, Variable],
    rng: np.random.Generator,
) -> tuple[tuple[str, ...], FloatArray]:
    table = matrix.reshape(-1, *(before[parent].cardinality for parent in parents))
    for axis, name in enumerate((child, *parents)):
        table = table.take([before[name].states.index(state) for state in after[name].states], axis=axis)
    order = rng.permutation(len(parents))
    table = table.transpose(0, *(int(i) + 1 for i in order))
    return tuple(parents[i] for i in order), np.ascontiguousarray(table.reshape(len(matrix), -1))
