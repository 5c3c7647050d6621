"""Random linear DAGs with bounds and truth."""

from hypothesis import strategies as st

from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable, Truth

SLOPES = st.floats(-1e3, 1e3).map(lambda value: 0.0 if abs(value) < 1e-3 else value)
SIDES = st.floats(-1e4, 1e4)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(SIDES), draw(SIDES)))
    return Interval(low, high)


@st.composite
def linear_dags(draw: st.DrawFn, min_edges: int = 1) -> LinearDag:
    """A DAG of 2 to 6 variables with all bounds, intercepts and noise known."""
    names = [f"v{number}" for number in range(draw(st.integers(2, 6)))]
    pairs = [Edge(parent, child) for place, child in enumerate(names) for parent in names[:place]]
    edges = tuple(draw(st.lists(st.sampled_from(pairs), min_size=min_edges, unique=True)))
    truth = Truth(
        {edge: draw(SLOPES) for edge in edges},
        {name: draw(SLOPES) for name in names},
        {name: draw(st.floats(0.1, 10.0)) for name in names},
    )
    return LinearDag(tuple(LinearVariable(name, draw(intervals())) for name in names), edges, truth)


@st.composite
def elicited_for(draw: st.DrawFn, dag: LinearDag) -> dict[str, Equation]:
    """An equation for every variable with parents."""
    return {
        name: Equation(name, draw(SLOPES), dag.parents[name], tuple(draw(SLOPES) for _ in dag.parents[name]))
        for name in dag.targets
    }


def star(*slopes: float, bounds: Interval | None = None) -> LinearDag:
    """One child ``y`` with a parent ``x0``, ``x1``, ... for each true coefficient, all bounded alike."""
    parents = [f"x{number}" for number in range(len(slopes))]
    edges = tuple(Edge(parent, "y") for parent in parents)
    variables = tuple(LinearVariable(name, bounds or Interval(0.0, 1.0)) for name in ("y", *parents))
    return LinearDag(variables, edges, Truth(dict(zip(edges, slopes, strict=True)), {"y": 2.0}, {}))
