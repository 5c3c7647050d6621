"""Hypothesis strategies for networks whose tables have one parent each."""

import numpy as np
from hypothesis import strategies as st

from bayes.network import Cpd, Edge, Network, Rule
from bayes.scoring.assembly import PairwiseNetwork
from tests.strategies import dags, to_name, variables


@st.composite
def forests(draw: st.DrawFn, *, max_nodes: int = 6) -> Network:
    """A random network in which no variable has more than one parent, some cells being exactly zero."""
    n = draw(st.integers(1, max_nodes))
    names = tuple(to_name(i) for i in range(n))
    above = {name: draw(st.sampled_from((None, *names[:i]))) if i else None for i, name in enumerate(names)}
    declared = draw(variables(tuple(draw(st.permutations(names)))))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = {variable.name: variable.cardinality for variable in declared}
    cpds: list[Cpd] = []
    for variable in declared:
        parent = above[variable.name]
        parents = () if parent is None else (parent,)
        n_columns = 1 if parent is None else size[parent]
        matrix = rng.dirichlet(np.full(variable.cardinality, 0.3), size=n_columns).T
        cpds.append(Cpd(variable.name, parents, matrix, (Rule.GIVEN,) * n_columns))
    return Network(declared, tuple(cpds))


@st.composite
def damaged_networks(draw: st.DrawFn, *, is_acyclic: bool = False) -> PairwiseNetwork:
    """Tables with any cells, columns or all of it missing, zero or too large; priors for some; edges of all kinds."""
    names, edges = draw(dags(max_nodes=5))
    declared = draw(variables(names, max_states=3))
    if not is_acyclic:
        pairs = st.builds(Edge, st.sampled_from(names), st.sampled_from(names))
        edges = tuple(dict.fromkeys((*edges, *draw(st.lists(pairs, max_size=3)))))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = {variable.name: variable.cardinality for variable in declared}
    cells = np.array([np.nan, 0.0, 9.8e-05, 0.3, 1.03])

    def damage(shape: tuple[int, ...]) -> np.ndarray:
        matrix = rng.choice(cells, size=shape)
        matrix[..., rng.random(shape[-1]) < 0.2] = rng.choice([np.nan, 0.0])
        return matrix

    tables = {edge: damage((size[edge.child], size[edge.parent])) for edge in edges if draw(st.integers(0, 5))}
    priors = {name: damage((size[name],)) for name in names if draw(st.booleans())}
    return PairwiseNetwork(declared, edges, tables, priors)
