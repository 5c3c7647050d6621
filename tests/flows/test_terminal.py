"""What the terminal shows: every variable and edge can be read back from the drawing, and names stay names."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType

from bayes.network import Cpd, Edge, Network, Rule, Variable
from flows.diagram import draw_boxes, draw_staircase
from flows.terminal import MAX_CONFIGURATIONS, render_cpd, render_description, render_network
from schemas.errors import InputError
from tests.strategies import networks

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)
ARMS = {
    "│": (UP, DOWN), "─": (LEFT, RIGHT), "┌": (DOWN, RIGHT), "┐": (DOWN, LEFT), "└": (UP, RIGHT), "┘": (UP, LEFT),
    "├": (UP, DOWN, RIGHT), "┤": (UP, DOWN, LEFT), "┬": (DOWN, LEFT, RIGHT), "┴": (UP, LEFT, RIGHT),
    "┼": (UP, DOWN, LEFT, RIGHT),
}  # fmt: skip


def show(renderable: RenderableType, *, width: int = 80, encoding: str = "utf-8", is_terminal: bool = False) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="")
    Console(
        file=file, width=width, force_terminal=is_terminal, color_system="standard" if is_terminal else "auto"
    ).print(renderable)
    file.flush()
    return raw.getvalue().decode(encoding)


def to_network(parents: dict[str, tuple[str, ...]], states: tuple[str, ...] = ("low", "none")) -> Network:
    size = len(states)
    return Network(
        tuple(Variable(name, states) for name in parents),
        tuple(
            Cpd(name, above, np.full((size, size ** len(above)), 1 / size), (Rule.GIVEN,) * size ** len(above))
            for name, above in parents.items()
        ),
    )


def draw(network: Network, width: int = 80, *, is_ascii: bool = False) -> str | None:
    drawn = draw_boxes(network, {name: name for name in network.by_name}, width, is_ascii=is_ascii)
    return None if drawn is None else drawn.plain


def read_boxes(drawing: str, network: Network) -> set[Edge]:
    """Follow every line from the bottom of a box to the arrowheads it leads to, as a reader would."""
    rows = drawing.split("\n")
    grid = {(x, y): char for y, row in enumerate(rows) for x, char in enumerate(row)}
    owner: dict[tuple[int, int], str] = {}
    exits: list[tuple[str, tuple[int, int]]] = []
    for name in network.by_name:
        [(x, y)] = [(row.index(f" {name} ") + 1, y) for y, row in enumerate(rows) if f" {name} " in row]
        left = next(i for i in range(x, -1, -1) if grid[i, y] == "│")
        right = next(i for i in range(x, len(rows[y])) if grid[i, y] == "│")
        top = next(i for i in range(y, -1, -1) if grid[left, i] == "┌")
        bottom = next(i for i in range(y, len(rows)) if grid[left, i] == "└")
        assert (grid[right, top], grid[right, bottom]) == ("┐", "┘")
        owner.update({(i, top): name for i in range(left, right + 1)})
        exits += [(name, (i, bottom)) for i in range(left, right + 1) if grid[i, bottom] == "┬"]
    edges: list[Edge] = []
    for name, start in exits:
        walks, seen = [(start, DOWN)], set[tuple[tuple[int, int], tuple[int, int]]]()
        while walks:
            walk = walks.pop()
            if walk in seen:
                continue
            seen.add(walk)
            (x, y), (dx, dy) = walk
            place = (x + dx, y + dy)
            char = grid.get(place, " ")
            if char == "▼":
                edges.append(Edge(name, owner[place]))
            elif char == "│" and dy == 0:
                walks.append((place, (dx, dy)))  # it passes below the line of another
            else:
                assert (-dx, -dy) in ARMS[char]
                walks += [(place, arm) for arm in ARMS[char] if arm != (-dx, -dy)]
    assert len(edges) == len(set(edges)) == drawing.count("▼")
    return set(edges)


def read_staircase(drawing: str) -> dict[str, set[str]]:
    """Parents by variable: in every row, the lines that the one into the dot is joined with."""
    rows = [row for row in drawing.split("\n") if "●" in row]
    name_at = {row.index("●"): row.split("● ")[1] for row in rows}
    parents: dict[str, set[str]] = {}
    for row in rows:
        x = row.index("●")
        heard: set[str] = set()
        place = x - 1
        if x and row[place] == "▶":
            while row[place] not in "├└":
                place -= 1
            heard = {name_at[i] for i in range(place, x) if row[i] in "├└┼┴"}
        parents[name_at[x]] = heard
    return parents


@given(networks(max_nodes=7), st.sampled_from([60, 80, 120]))
@settings(max_examples=60, deadline=None)
def test_the_edges_can_be_read_off_the_boxes(network: Network, width: int) -> None:
    drawing = draw(network, width)
    if drawing is not None:
        assert read_boxes(drawing, network) == set(network.edges)
        assert max(map(cell_len, drawing.split("\n"))) <= width


@given(networks(max_nodes=9))
@settings(max_examples=40, deadline=None)
def test_the_edges_can_be_read_off_the_staircase(network: Network) -> None:
    drawing = draw_staircase(network, {name: name for name in network.by_name}, 80, is_ascii=False).plain
    expected = {cpd.variable: set(cpd.parents) for cpd in network.cpds}
    assert read_staircase(drawing) == expected
    assert max(map(cell_len, drawing.split("\n"))) <= 80


def test_nine_variables_with_usual_names_are_boxes_at_80_columns() -> None:
    network = to_network(
        {
            "loan losses": (),
            "deposit insurance": (),
            "solvency rumours": ("loan losses",),
            "deposit withdrawals": ("solvency rumours", "deposit insurance"),
            "emergency lending": ("deposit withdrawals",),
            "fire sales": ("deposit withdrawals", "emergency lending"),
            "bank failure": ("fire sales", "loan losses", "emergency lending"),
            "interbank contagion": ("bank failure", "fire sales"),
            "credit contraction": ("interbank contagion",),
        }
    )
    drawing = draw(network)
    assert drawing is not None
    assert read_boxes(drawing, network) == set(network.edges)


def test_a_small_network_is_drawn_as_expected() -> None:
    assert draw(to_network({"rain": (), "dam": (), "flood": ("rain", "dam")})) == "\n".join(
        [
            "┌───────┐  ┌─────┐",
            "│ rain  │  │ dam │",
            "└───┬───┘  └──┬──┘",
            "    └──┐   ┌──┘",
            "       │   │",
            "     ┌─▼───▼─┐",
            "     │ flood │",
            "     └───────┘",
        ]
    )


def test_a_level_too_wide_for_the_screen_becomes_a_staircase() -> None:
    network = to_network(
        {f"cause number {i}": () for i in range(12)} | {"effect": ("cause number 3", "cause number 7")}
    )
    shown = show(render_network(network))
    assert "┌" not in shown
    assert read_staircase(shown)["effect"] == {"cause number 3", "cause number 7"}


def test_a_network_with_many_crossings_becomes_a_staircase() -> None:
    # K(3,3): 9 crossings between 6 variables, whatever the order.
    above = ("a", "b", "c")
    network = to_network({**dict.fromkeys(above, ()), **dict.fromkeys("xyz", above)})
    assert draw(network) is None
    assert read_staircase(show(render_network(network)))["z"] == set(above)


@given(networks(max_nodes=7))
@settings(max_examples=30, deadline=None)
def test_ascii_drawings_are_ascii_and_name_every_variable(network: Network) -> None:
    shown = show(render_network(network), encoding="ascii")
    assert shown.isascii()
    assert all(f" {name} " in f"{shown} ".replace("\n", " ") for name in network.by_name)


HOSTILE = {
    "[red]x[/]": "[red]x[/]",
    "[/]": "[/]",
    ":smile:": ":smile:",
    "a\x1b[31mb": "a[31mb",
    "c\x07\u202ed": "cd",
    "tab\tname": "tab name",
    "\ud800x": "x",
}


@pytest.mark.parametrize(("name", "shown_as"), HOSTILE.items())
@pytest.mark.parametrize("is_terminal", [False, True])
def test_names_are_shown_as_they_are_but_for_control_characters(name: str, shown_as: str, is_terminal: bool) -> None:
    network = to_network({name: (), "effect": (name,)}, (name + "!", "none"))
    for renderable in (render_network(network), render_cpd(network, name), render_cpd(network, "effect")):
        shown = show(renderable, is_terminal=is_terminal)
        assert shown_as in shown
        assert not {"\x07", "\u202e", "\t", "\ud800"} & set(shown)
        assert is_terminal or "\x1b" not in shown
    assert f"{shown_as}!" in show(render_cpd(network, "effect"))


def test_what_cannot_be_encoded_is_escaped() -> None:
    network = to_network({"経済": (), "coût": ("経済",)})
    assert "coût" in show(render_network(network), encoding="latin-1")
    assert "\\u7d4c\\u6e08" in show(render_network(network), encoding="latin-1")
    assert "P(co\\xfbt | \\u7d4c\\u6e08)" in show(render_cpd(network, "coût"), encoding="ascii")
    assert "\\u7d4c" in show(render_description("経"), encoding="ascii")


def test_wide_characters_keep_the_boxes_closed() -> None:
    shown = show(render_network(to_network({"経済 危機": (), "e\u0301tat 🙂": ("経済 危機",)})))
    box_rows = [row for row in shown.split("\n") if row.strip().startswith(("┌", "└")) or row.count("│") == 2]
    assert len({cell_len(row.rstrip()) for row in box_rows[:3]}) == 1
    assert len({cell_len(row.rstrip()) for row in box_rows[-3:]}) == 1


def test_colours_are_for_terminals_only() -> None:
    network = to_network({"rain": (), "flood": ("rain",)})
    assert "\x1b[" in show(render_network(network), is_terminal=True)
    assert "\x1b[" not in show(render_network(network))


def test_a_cpd_table_has_a_row_per_configuration_in_c_order() -> None:
    rain, dam = Variable("rain", ("heavy", "none")), Variable("dam", ("open", "none"))
    flood = Variable("flood", ("yes", "none"))
    matrix = np.array([[0.9, 0.7, 0.25, 0.0004], [0.1, 0.3, 0.75, 0.9996]])
    rules = (Rule.JOINT, Rule.JOINT, Rule.PRODUCT, Rule.MARGINAL)
    half = np.full((2, 1), 0.5)
    roots = (Cpd("rain", (), half, (Rule.PRIOR,)), Cpd("dam", (), half, (Rule.PRIOR,)))
    network = Network((rain, dam, flood), (*roots, Cpd("flood", ("rain", "dam"), matrix, rules)))
    title, header, _, *rows = show(render_cpd(network, "flood")).splitlines()
    assert title == "P(flood | rain, dam)"
    assert header.split() == ["rain", "dam", "yes", "none", "rule"]
    # The last parent changes fastest: (heavy, open), (heavy, none), (none, open), (none, none).
    assert [row.split() for row in rows] == [
        ["heavy", "open", "0.900", "0.100", "joint"],
        ["heavy", "none", "0.700", "0.300", "joint"],
        ["none", "open", "0.250", "0.750", "product"],
        ["none", "none", "0.000", "1.000", "marginal"],
    ]


def test_a_rule_shared_by_all_rows_stands_in_the_title() -> None:
    title, header, *_ = show(render_cpd(to_network({"rain": (), "flood": ("rain",)}), "flood")).splitlines()
    assert title == "P(flood | rain)  rule: given"
    assert header.split() == ["rain", "low", "none"]


def test_a_long_cpd_is_cut_unless_all_is_wanted() -> None:
    # Three parents of 4 states have 64 configurations.
    network = to_network({"a": (), "b": (), "c": (), "d": ("a", "b", "c")}, ("w", "x", "y", "none"))
    cut = show(render_cpd(network, "d")).splitlines()
    whole = show(render_cpd(network, "d", full=True)).splitlines()
    assert cut[-1] == f"… {64 - MAX_CONFIGURATIONS} more"
    assert (len(cut), len(whole)) == (3 + MAX_CONFIGURATIONS + 1, 3 + 64)
    # Columns are as wide as what they show.
    assert [line.split() for line in cut[3:-1]] == [line.split() for line in whole[3 : len(cut) - 1]]


def test_a_table_too_wide_for_its_words_becomes_a_list() -> None:
    states = ("unconstitutionally", "counterproductively", "disproportionately", "none")
    shown = show(render_cpd(to_network({"rain": (), "flood": ("rain",)}, states), "flood"), width=60)
    assert "rain = unconstitutionally" in shown
    assert all(cell_len(line) <= 60 for line in shown.splitlines())
    assert shown.count("unconstitutionally = 0.250") == 4


def test_an_unknown_variable_is_an_input_error_that_names_the_others() -> None:
    with pytest.raises(InputError, match=r"no variable 'snow'.*'rain'"):
        render_cpd(to_network({"rain": ()}), "snow")


def test_no_variables_are_said_so() -> None:
    assert show(render_network(Network((), ()))).strip() == "(no variables)"


def test_a_description_is_wrapped_by_paragraphs_and_is_no_markup() -> None:
    shown = show(render_description("Heavy rain\nfloods [red]fields[/].\n\n" + "Dams :smile: help. " * 12), width=120)
    first, blank, *rest = shown.splitlines()
    assert (first, blank) == ("Heavy rain floods [red]fields[/].", "")
    assert len(rest) > 1
    assert all(len(line.rstrip()) <= 88 for line in rest)
    assert " ".join(line.strip() for line in rest) == ("Dams :smile: help. " * 12).strip()


def test_the_module_loads_neither_prefect_nor_matplotlib() -> None:
    code = "import sys, flows.terminal; print(sorted({'prefect', 'matplotlib', 'pyarrow', 'scipy'} & set(sys.modules)))"
    root = Path(__file__).parents[2]
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)  # noqa: S603
    assert result.stdout.strip() == "[]"
