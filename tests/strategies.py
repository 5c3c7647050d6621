"""All Hypothesis strategies of the suite: DAGs, elicited tables, networks."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from bayes.network import Cpd, Edge, FloatArray, Network, Rule, Table, Tables, Variable


def to_name(i: int) -> str:
    return f"v{i}"


@st.composite
def dags(draw: st.DrawFn, *, min_nodes: int = 1, max_nodes: int = 7) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
    """Names in shuffled order and the edges of an acyclic graph over them."""
    n = draw(st.integers(min_nodes, max_nodes))
    pairs = list(combinations(range(n), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    order = draw(st.permutations(range(n)))
    edges = tuple(Edge(to_name(a), to_name(b)) for a, b in chosen)
    return tuple(to_name(i) for i in order), edges


@st.composite
def variables(draw: st.DrawFn, names: tuple[str, ...], max_states: int = 4) -> tuple[Variable, ...]:
    """A variable for every name, each with 2 states or more, ``none`` last."""
    result: list[Variable] = []
    for name in names:
        n = draw(st.integers(1, max_states - 1))
        result.append(Variable(name, (*(f"{name} state {i}" for i in range(n)), "none")))
    return tuple(result)


def random_table(rng: np.random.Generator, child: str, parents: tuple[str, ...], shape: tuple[int, ...]) -> Table:
    values: FloatArray = rng.dirichlet(np.ones(int(np.prod(shape)))).reshape(shape)
    return Table(child, parents, values)


@st.composite
def elicited_tables(draw: st.DrawFn, *, max_nodes: int = 6) -> Tables:
    """Tables of a random DAG with random, incoherent contents, as a careless model would give them."""
    names, edges = draw(dags(min_nodes=1, max_nodes=max_nodes))
    declared = draw(variables(names))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = {variable.name: variable.cardinality for variable in declared}
    parents = {name: tuple(edge.parent for edge in edges if edge.child == name) for name in names}
    multi = {
        name: random_table(rng, name, above, (*(size[parent] for parent in above), size[name]))
        for name, above in parents.items()
        if len(above) in {2, 3} and draw(st.booleans())
    }
    return Tables(
        declared,
        edges,
        {name: random_table(rng, name, (), (size[name],)) for name in names},
        {edge: random_table(rng, edge.child, (edge.parent,), (size[edge.parent], size[edge.child])) for edge in edges},
        multi,
    )


@st.composite
def networks(draw: st.DrawFn, *, min_nodes: int = 1, max_nodes: int = 6) -> Network:
    """A random network with strictly positive CPDs."""
    names, edges = draw(dags(min_nodes=min_nodes, max_nodes=max_nodes))
    declared = draw(variables(names))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = {variable.name: variable.cardinality for variable in declared}
    cpds: list[Cpd] = []
    for name in names:
        above = tuple(edge.parent for edge in edges if edge.child == name)
        n_columns = int(np.prod([size[parent] for parent in above], dtype=np.int64))
        matrix = rng.dirichlet(np.ones(size[name]), size=n_columns).T
        cpds.append(Cpd(name, above, np.ascontiguousarray(matrix), (Rule.GIVEN,) * n_columns))
    return Network(declared, tuple(cpds))
