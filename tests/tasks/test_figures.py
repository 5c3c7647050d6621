"""Pictures: everything of the network is in them, names are data, and the same network gives the same bytes."""

import re
import warnings
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest

from bayes.network import Cpd, Network, Rule, Variable
from schemas.errors import InputError
from tasks.figures import draw_network

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE: tuple[str, ...] = (
    "$x_{2$",
    "\\frac{",
    "<script>&\"'",
    "a\x1b[31mb\u202e\n",
    "\ud800",
    "経済危機 🙂",
    "%s {0}",
    "x" * 100,
)


def to_network(parents: dict[str, tuple[str, ...]], states: tuple[str, ...] = ("low", "high", "none")) -> Network:
    size = len(states)
    return Network(
        tuple(Variable(name, states) for name in parents),
        tuple(
            Cpd(name, above, np.full((size, size ** len(above)), 1 / size), (Rule.GIVEN,) * size ** len(above))
            for name, above in parents.items()
        ),
    )


# Several levels, edges that skip some, a family of four, a variable on its own.
TANGLED = to_network(
    {
        "loan losses": (),
        "deposit insurance": (),
        "solvency rumours": ("loan losses",),
        "withdrawals": ("solvency rumours", "deposit insurance"),
        "fire sales": ("withdrawals",),
        "bank failure": ("fire sales", "loan losses", "withdrawals", "deposit insurance"),
        "weather": (),
        "credit contraction": ("bank failure", "loan losses", "solvency rumours"),
    }
)


def draw_svg(network: Network, folder: Path, title: str = "") -> ET.Element:
    path = folder / "network.svg"
    draw_network(network, path, title=title)
    return ET.fromstring(path.read_bytes())  # noqa: S314 - written by ourselves a line above


def read_texts(svg: ET.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def read_curves(svg: ET.Element, prefix: str) -> dict[str, list[tuple[float, float]]]:
    """The points of every path whose id starts with the prefix."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for group in svg.iter(f"{SVG}g"):
        if group.get("id", "").startswith(prefix):
            path = group.find(f"{SVG}path")
            assert path is not None
            numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path.get("d", ""))]
            curves[group.get("id", "")] = list(zip(numbers[::2], numbers[1::2], strict=True))
    return curves


def test_every_variable_state_and_marginal_is_written(tmp_path: Path) -> None:
    rain = Variable("rain", ("heavy", "light", "none"))
    flood = Variable("flood", ("yes", "none"))
    prior = Cpd("rain", (), np.array([[0.2], [0.3], [0.5]]), (Rule.PRIOR,))
    given = Cpd("flood", ("rain",), np.array([[0.9, 0.5, 0.1], [0.1, 0.5, 0.9]]), (Rule.PAIRWISE,) * 3)
    texts = read_texts(draw_svg(Network((rain, flood), (prior, given)), tmp_path, "Rain and flood"))
    # P(flood = yes) = 0.9 x 0.2 + 0.5 x 0.3 + 0.1 x 0.5 = 0.38.
    assert set(texts) == {
        "Rain and flood",
        "rain",
        "flood",
        *rain.states,
        *flood.states,
        "0.20",
        "0.30",
        "0.50",
        "0.38",
        "0.62",
    }


def test_every_edge_has_one_arrowhead(tmp_path: Path) -> None:
    index = {name: i for i, name in enumerate(TANGLED.by_name)}
    expected = {f"edge-{index[edge.parent]}-{index[edge.child]}" for edge in TANGLED.edges}
    assert set(read_curves(draw_svg(TANGLED, tmp_path), "edge-")) == expected


def test_no_line_runs_through_a_card(tmp_path: Path) -> None:
    svg = draw_svg(TANGLED, tmp_path)
    cards = list(read_curves(svg, "variable-").values())
    lines = read_curves(svg, "link-")
    assert len(cards) == len(TANGLED.variables)
    assert lines
    for start, corner, first_pull, second_pull, end in lines.values():
        share = np.linspace(0, 1, 40)[:, np.newaxis]
        straight = np.array(start) * (1 - share) + np.array(corner) * share
        bezier = (
            np.array(corner) * (1 - share) ** 3
            + 3 * np.array(first_pull) * share * (1 - share) ** 2
            + 3 * np.array(second_pull) * share**2 * (1 - share)
            + np.array(end) * share**3
        )
        for card in cards:
            (left, top), (right, bottom) = np.min(card, axis=0), np.max(card, axis=0)
            for x, y in (*straight.tolist(), *bezier.tolist()):
                assert not (left < x < right and top + 0.1 < y < bottom - 0.1)


def test_cards_do_not_overlap(tmp_path: Path) -> None:
    cards = list(read_curves(draw_svg(TANGLED, tmp_path), "variable-").values())
    boxes = [(*np.min(card, axis=0), *np.max(card, axis=0)) for card in cards]
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_network_gives_the_same_file(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"first.{suffix}", tmp_path / f"second.{suffix}"
    draw_network(TANGLED, first, title="Twice")
    draw_network(TANGLED, second, title="Twice")
    assert first.read_bytes() == second.read_bytes()
    assert b"<dc:date>" not in first.read_bytes()


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_hostile_names_are_drawn_without_a_warning(tmp_path: Path, suffix: str) -> None:
    chain: dict[str, tuple[str, ...]] = dict(zip(HOSTILE, ((), *((name,) for name in HOSTILE)), strict=False))
    path = tmp_path / f"hostile.{suffix}"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        draw_network(to_network(chain, ("$1$ <b>", "\x00", "none")), path, title="$\\frac{1}$ <i>")
    assert not [warning for warning in caught if "Glyph" in str(warning.message)]
    if suffix == "svg":
        texts = read_texts(ET.fromstring(path.read_bytes()))  # noqa: S314 - written by ourselves two lines above
        assert {"$x_{2$", "\\frac{", "<script>&\"'", "a[31mb", "経済危機 🙂", "$1$ <b>", "$\\frac{1}$ <i>"} <= set(
            texts
        )
    else:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_settings_of_matplotlib_are_put_back(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    draw_network(to_network({"rain": ()}), tmp_path / "rain.svg")
    assert dict(mpl.rcParams) == before


def test_a_setting_of_the_user_does_not_change_the_picture(tmp_path: Path) -> None:
    first = draw_svg(to_network({"rain": ()}), tmp_path)
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "patch.linewidth": 9}):
        second = draw_svg(to_network({"rain": ()}), tmp_path)
    assert ET.tostring(first) == ET.tostring(second)


def test_a_long_name_is_wrapped_within_its_card(tmp_path: Path) -> None:
    name = "institutional distrust among rural households of the northern provinces"
    texts = read_texts(draw_svg(to_network({name: ()}, ("none",)), tmp_path))
    lines = [text for text in texts if text not in {"none", "1.00"}]
    assert len(lines) >= 3
    assert " ".join(lines) == name


def test_levels_stand_from_top_to_bottom(tmp_path: Path) -> None:
    cards = read_curves(draw_svg(to_network({"a": (), "b": ("a",), "c": ("b",)}), tmp_path), "variable-")
    tops = [min(y for _, y in cards[f"variable-{i}"]) for i in range(3)]
    assert all(upper < lower for upper, lower in pairwise(tops))


def test_a_network_without_variables_is_a_blank_picture(tmp_path: Path) -> None:
    assert read_texts(draw_svg(Network((), ()), tmp_path, "Nothing yet")) == ["Nothing yet"]


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg or a \.png"):
        draw_network(TANGLED, tmp_path / "network.pdf")
    assert not list(tmp_path.iterdir())
