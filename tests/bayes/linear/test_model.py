"""Records that make no sense are refused when they are made."""

import pytest

from bayes.linear.model import Edge, Equation, Interval, LinearDag, LinearVariable, Truth

X, Y = LinearVariable("x"), LinearVariable("y")
XY = Edge("x", "y")


@pytest.mark.parametrize(
    ("variables", "edges", "truth", "told"),
    [
        ((X, X), (), None, "variable 'x' is there twice"),
        ((LinearVariable("a`b"),), (), None, "cannot name a variable"),
        ((X, Y), (XY, XY), None, "there twice"),
        ((X,), (XY,), None, "unknown variable"),
        ((X, Y), (XY, Edge("y", "x")), None, "cycle"),
        ((X, Y), (XY,), Truth({}, {}, {}), "'x' -> 'y' has no true coefficient"),
        ((X, Y), (), Truth({XY: 1.0}, {}, {}), "not in the graph"),
        ((X, Y), (XY,), Truth({XY: 1.0}, {"q": 1.0}, {}), "unknown variable 'q'"),
        ((X, Y), (XY,), Truth({XY: float("nan")}, {}, {}), "not finite"),
        ((X, Y), (XY,), Truth({XY: 1.0}, {}, {"x": -1.0}), "negative"),
    ],
)
def test_a_dag_that_makes_no_sense_is_refused(
    variables: tuple[LinearVariable, ...], edges: tuple[Edge, ...], truth: Truth | None, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        LinearDag(variables, edges, truth)


def test_intervals_are_ordered_and_finite() -> None:
    with pytest.raises(ValueError, match="above"):
        Interval(2.0, 1.0)
    with pytest.raises(ValueError, match="finite"):
        Interval(0.0, float("inf"))
    assert Interval(1.0, 1.0).width == 0


def test_equations_pair_every_parent_with_one_finite_number() -> None:
    for parents, slopes in ((("a",), ()), (("a", "a"), (1.0, 2.0)), (("a",), (float("nan"),))):
        with pytest.raises(ValueError, match=r"'y'"):
            Equation("y", 0.0, parents, slopes)


def test_the_order_puts_parents_first_and_is_otherwise_as_given() -> None:
    dag = LinearDag(tuple(LinearVariable(name) for name in "cbad"), (Edge("b", "c"), Edge("a", "b")))
    assert dag.order == ("a", "d", "b", "c")
    assert dag.targets == ("b", "c")
