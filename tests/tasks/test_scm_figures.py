"""Pictures of linear models: every coefficient on its edge, nothing on top of anything, names as plain text."""

import re
import warnings
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bayes.linear.model import Edge, Equation, LinearDag
from bayes.linear.results import ResultGroup, to_run
from schemas.dags import list_dags
from schemas.errors import InputError
from tasks.scm_figures import draw_equations
from tests.tasks.scm_groups import perturb, read_dag, to_dag, to_group

SVG = "{http://www.w3.org/2000/svg}"
VERMILION = "#b84600"
HOSTILE = ("$x_{2$", "\\frac{", "<script>&\"'", "n" * 200, "שלום עולם", "経済危機 🙂", "%s {0}")

Box = tuple[float, float, float, float]

# y depends on a and b, z on a and y; true coefficients 1, 2, 3, 4; u stands alone.
DAG = to_dag(("a", "y"), ("b", "y"), ("a", "z"), ("y", "z"), extra=("u",))


def answer(y: Sequence[float] | None, z: Sequence[float] | None, dag: LinearDag = DAG) -> ResultGroup:
    return to_group(dag, [to_equations(dag, y, z)])


def to_equations(dag: LinearDag, y: Sequence[float] | None, z: Sequence[float] | None):  # noqa: ANN201 - see to_run
    return to_run(
        dag,
        {
            "y": None if y is None else Equation("y", 0.0, ("a", "b"), tuple(y)),
            "z": None if z is None else Equation("z", 0.0, ("a", "y"), tuple(z)),
        },
    )


def draw(dag: LinearDag, group: ResultGroup, folder: Path, **options: object) -> ET.Element:
    path = folder / "equations.svg"
    draw_equations(dag, group, path, **options)  # pyright: ignore[reportArgumentType] - title and spurious
    return ET.fromstring(path.read_bytes())  # noqa: S314 - written by ourselves a line above


def read_texts(svg: ET.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def read_paths(svg: ET.Element, prefix: str) -> dict[str, ET.Element]:
    """The path of every group whose id starts with the prefix."""
    found: dict[str, ET.Element] = {}
    for group in svg.iter(f"{SVG}g"):
        path = group.find(f"{SVG}path")
        if (name := group.get("id", "")).startswith(prefix) and path is not None:
            found[name] = path
    return found


def to_points(path: ET.Element) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path.get("d", ""))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def to_box(path: ET.Element) -> Box:
    points = np.array(to_points(path))
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def is_apart(a: Box, b: Box) -> bool:
    return a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


def get_fill(path: ET.Element) -> str:
    found = re.search(r"fill: (#[0-9a-f]{6})", path.get("style", ""))
    assert found is not None
    return found[1]


def test_mean_spread_and_truth_stand_on_every_edge(tmp_path: Path) -> None:
    runs = [to_equations(DAG, (1.0, 20.0), (3.0, 4.0)), to_equations(DAG, (3.0, 20.0), (3.0, 4.0))]
    texts = read_texts(draw(DAG, to_group(DAG, runs), tmp_path))
    # a -> y: mean of 1 and 3, sd sqrt(2); the other three have no spread.
    assert {"2", "± 1.41", "true 1", "20", "true 2", "3", "true 3", "4", "true 4"} <= set(texts)
    assert texts.count("± 0") == 3


def test_one_run_has_no_spread_and_a_dag_without_truth_no_truth(tmp_path: Path) -> None:
    bare = LinearDag(DAG.variables, DAG.edges)
    texts = read_texts(draw(bare, answer((1.5, 2.5), (3.5, 4.5), bare), tmp_path))
    assert {"1.5", "2.5", "3.5", "4.5"} <= set(texts)
    assert not [text for text in texts if text.startswith(("±", "true", "order"))]


@pytest.mark.parametrize("path", list_dags(), ids=lambda path: path.stem)
def test_nothing_overlaps_on_the_dags_of_the_project(tmp_path: Path, path: Path) -> None:
    dag = read_dag(path.stem)
    svg = draw(dag, to_group(dag, perturb(dag, seed=1, n_runs=3)), tmp_path)
    tags = {name: to_box(found) for name, found in read_paths(svg, "tag-").items()}
    cards = {name: to_box(found) for name, found in read_paths(svg, "variable-").items()}
    assert (len(tags), len(cards)) == (len(dag.edges), len(dag.variables))
    for a, b in combinations([*tags.values(), *cards.values()], 2):
        assert is_apart(a, b)
    # Each tag stands right above the card of its child.
    for name, tag in tags.items():
        child = cards[f"variable-{name.split('-')[2]}"]
        assert child[0] <= tag[0] < tag[2] <= child[2]
        assert 0 < child[1] - tag[3] < 60


def test_every_edge_has_one_arrowhead(tmp_path: Path) -> None:
    heads = read_paths(draw(DAG, answer((1.0, 2.0), (3.0, 4.0)), tmp_path), "edge-")
    names = [variable.name for variable in DAG.variables]
    assert set(heads) == {f"edge-{names.index(edge.parent)}-{names.index(edge.child)}" for edge in DAG.edges}


def test_only_a_wrong_sign_is_red(tmp_path: Path) -> None:
    heads = read_paths(draw(DAG, answer((-1.0, 2.0), (3.0, 4.0)), tmp_path), "edge-")
    # The variables are a, y, b, z, u: a -> y is edge-0-1.
    assert [name for name, path in heads.items() if get_fill(path) == VERMILION] == ["edge-0-1"]


def test_the_share_of_right_orders_is_said_and_coloured_and_others_are_neutral(tmp_path: Path) -> None:
    runs = [to_equations(DAG, (1.0, 2.0), (2.0, 1.0)), to_equations(DAG, (1.0, 2.0), (2.0, 1.0))]
    svg = draw(DAG, to_group(DAG, runs), tmp_path)
    fills = {name: get_fill(path) for name, path in read_paths(svg, "variable-").items()}
    assert {"order right: 2 of 2", "order right: 0 of 2"} <= set(read_texts(svg))
    neutral = {fills["variable-0"], fills["variable-2"], fills["variable-4"]}
    assert len(neutral) == 1
    assert len({fills["variable-1"], fills["variable-3"], *neutral}) == 3
    # The scale darkens towards 100%.
    assert sum(bytes.fromhex(fills["variable-1"][1:])) < sum(bytes.fromhex(fills["variable-3"][1:]))


def test_failed_equations_are_said(tmp_path: Path) -> None:
    runs = [to_equations(DAG, None, (3.0, 4.0)), to_equations(DAG, None, None)]
    texts = read_texts(draw(DAG, to_group(DAG, runs), tmp_path))
    assert texts.count("failed") == 2
    assert {"equations failed: 2", "equations failed: 1", "order right: 0 of 2"} <= set(texts)


def test_spurious_edges_are_dashed_all_the_way(tmp_path: Path) -> None:
    group = answer((1.0, 2.0), (3.0, 4.0))

    def count_dashed(**options: object) -> int:
        svg = draw(DAG, group, tmp_path, **options)
        return sum("stroke-dasharray" in path.get("style", "") for path in svg.iter(f"{SVG}path"))

    assert count_dashed() == 0
    # a -> z passes a level: two links, one pass, the line into the card and the sample of the legend.
    assert count_dashed(spurious=[Edge("a", "z")]) == 5


def test_edges_whose_true_coefficient_is_0_are_dashed_unless_told_otherwise(tmp_path: Path) -> None:
    from bayes.linear.conditions import add_spurious

    dag = add_spurious(to_dag(("a", "y"), extra=("b",)), [Edge("b", "y")])
    group = to_group(dag, [to_run(dag, {"y": Equation("y", 0.0, ("a", "b"), (1.0, 0.5))})])
    texts = read_texts(draw(dag, group, tmp_path))
    assert "spurious edge: no such effect in truth" in texts
    assert "spurious edge: no such effect in truth" not in read_texts(draw(dag, group, tmp_path, spurious=()))


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_group_gives_the_same_file(tmp_path: Path, suffix: str) -> None:
    group = to_group(DAG, perturb(DAG, seed=2))
    first, second = tmp_path / f"first.{suffix}", tmp_path / f"second.{suffix}"
    draw_equations(DAG, group, first)
    draw_equations(DAG, group, second)
    assert first.read_bytes() == second.read_bytes()


def test_hostile_names_are_plain_text(tmp_path: Path) -> None:
    dag = to_dag(*((name, "z") for name in HOSTILE))
    group = to_group(dag, perturb(dag, seed=3), name="$\\frac{1}$ <i>", model="$m$ <b>")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        svg = draw(dag, group, tmp_path)
        draw_equations(dag, group, tmp_path / "hostile.png")
    assert not caught
    texts = read_texts(svg)
    short = {name for name in HOSTILE if len(name) < 100}
    assert short | {"$\\frac{1}$ <i>", "$m$ <b> · condition original · 5 runs"} <= set(texts)
    assert sum(text.count("n") for text in texts if set(text) == {"n"}) == 200
    boxes = [to_box(path) for path in read_paths(svg, "variable-").values()]
    assert all(is_apart(a, b) for a, b in combinations(boxes, 2))


def test_results_of_another_graph_and_another_suffix_are_refused(tmp_path: Path) -> None:
    group = answer((1.0, 2.0), (3.0, 4.0))
    with pytest.raises(ValueError, match="not over the edges"):
        draw_equations(to_dag(("a", "y")), group, tmp_path / "equations.svg")
    with pytest.raises(InputError, match=r"\.svg or a \.png"):
        draw_equations(DAG, group, tmp_path / "equations.pdf")
    assert not list(tmp_path.iterdir())
