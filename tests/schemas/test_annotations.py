"""A person's spreadsheet becomes predictions by example, or is refused by file, line and column."""

from pathlib import Path

import numpy as np
import pytest

from bayes.network import Cpd, Edge, Network, Rule, Variable
from bayes.scoring.records import Prediction
from schemas.annotations import COLUMNS, read_annotations
from schemas.errors import InputError
from schemas.predictions import match_examples

SAMPLE = Path(__file__).parents[2] / "samples" / "annotations.csv"
HEADER = ",".join(COLUMNS)
NODES = ("e1,node,Rain,heavy | none", "e1,node,wind,strong | none", "e1,node,flood,wide | none")
EDGES = ("e1,edge,flood,,Rain | wind",)
NAN = np.nan


def write(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "a.csv"
    path.write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")
    return path


def read(folder: Path, *lines: str) -> Prediction:
    [one] = read_annotations(write(folder, *lines))
    return one.prediction


def test_the_sample_is_an_extraction_from_an_example_of_the_sample_corpus() -> None:
    from tasks.examples import to_id

    [one] = read_annotations(SAMPLE)
    variables = one.prediction.variables
    # An id depends on variables, states and edges alone, so that the tables need not be right.
    cpds = tuple(
        Cpd(variable.name, tuple(edge.parent for edge in one.prediction.edges if edge.child == variable.name),
            np.ones((1, 1)), (Rule.GIVEN,))
        for variable in variables
    )  # fmt: skip
    assert one.id == to_id("bank-runs", Network(variables, cpds))
    assert set(one.prediction.cpds) == {variable.name for variable in variables}
    assert one.prediction.cpds["deposit withdrawals"].matrix.sum() == pytest.approx(1)
    assert list(match_examples([one], {one.id}, where="a.csv")) == [one.id]


def test_rows_may_stand_in_any_order_and_belong_to_several_examples(tmp_path: Path) -> None:
    rows = (*NODES, *EDGES, "e2,node,snow,deep | none", "e1,cpd,Rain,,,,heavy,0.3")
    forward = read_annotations(write(tmp_path, *rows))
    backward = read_annotations(write(tmp_path, *reversed(rows)))
    assert [one.id for one in forward] == ["e1", "e2"]
    assert [one.id for one in backward] == ["e1", "e2"]
    assert forward[0].prediction.edges == backward[0].prediction.edges
    assert {v.name for v in backward[0].prediction.variables} == {"Rain", "wind", "flood"}


def test_a_full_table_has_its_cells_where_its_rows_say_and_the_rest_is_missing(tmp_path: Path) -> None:
    prediction = read(
        tmp_path,
        *NODES,
        *EDGES,
        "e1,cpd,flood,,Rain | wind,heavy | none,wide,0.7",
        "e1,cpd,flood,,wind | Rain,strong | none,none,0.4",
    )
    assert prediction.cpds["flood"].parents == ("Rain", "wind")
    # columns: heavy strong, heavy none, none strong, none none
    assert np.array_equal(prediction.cpds["flood"].matrix, [[NAN, 0.7, NAN, NAN], [NAN, NAN, 0.4, NAN]], equal_nan=True)
    assert prediction.pairwise == {}


def test_tables_of_one_parent_are_kept_and_joined_by_the_product_rule(tmp_path: Path) -> None:
    cells = [
        f"e1,cpd,flood,,{parent},{given},{state},{value}"
        for parent, given, state, value in (
            ("Rain", "heavy", "wide", 0.6), ("Rain", "heavy", "none", 0.4),
            ("wind", "strong", "wide", 0.6), ("wind", "strong", "none", 0.4),
        )
    ]  # fmt: skip
    prediction = read(tmp_path, *NODES, *EDGES, *cells)
    assert np.array_equal(prediction.pairwise[Edge("Rain", "flood")], [[0.6, NAN], [0.4, NAN]], equal_nan=True)
    # both tables say the same, and so does the marginal (0.6, 0.4): 0.36/0.6 to 0.16/0.4
    assert prediction.cpds["flood"].matrix[:, 0] == pytest.approx([0.6, 0.4])
    assert np.isnan(prediction.cpds["flood"].matrix[:, 3]).all()


def test_one_parent_makes_a_full_and_a_pairwise_table_and_a_root_a_prior(tmp_path: Path) -> None:
    prediction = read(
        tmp_path, *NODES, "e1,edge,flood,,rain", "e1,cpd,FLOOD,,RAIN,Heavy,WIDE,1", "e1,cpd,rain,,,,None,0.7"
    )
    expected = [[1, NAN], [NAN, NAN]]
    assert np.array_equal(prediction.cpds["flood"].matrix, expected, equal_nan=True)
    assert np.array_equal(prediction.pairwise[Edge("Rain", "flood")], expected, equal_nan=True)
    assert np.array_equal(prediction.cpds["Rain"].matrix, [[NAN], [0.7]], equal_nan=True)


def test_a_spreadsheet_may_write_semicolons_a_byte_order_mark_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    header = HEADER.replace(",", ";").upper()
    path.write_bytes(f'\ufeff{header};Note\r\ne1;node;"rain; hail";5% | None;;;;;a note\r\n;;;;\r\n'.encode())
    [one] = read_annotations(path)
    assert one.prediction.variables == (Variable("rain; hail", ("5%", "none")),)


def test_a_cycle_is_kept(tmp_path: Path) -> None:
    prediction = read(tmp_path, *NODES, "e1,edge,flood,,wind", "e1,edge,wind,,flood")
    assert prediction.edges == (Edge("wind", "flood"), Edge("flood", "wind"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("e1,nodes,snow,deep", "line 6: kind: 'nodes' is none of node, edge, cpd"),
        (",node,snow,deep", "line 6: example: is empty"),
        ("e1,node,,deep", "line 6: variable: is empty"),
        ("e1,node,snow,", "line 6: states: is empty"),
        ("e1,node,snow,deep | ", "line 6: states: a name is empty"),
        (f"e1,node,{'x' * 101},deep", "line 6: variable: the name"),
        ("e1,node,snow | ice,deep", "line 6: variable: names one variable a row"),
        ("e1,node,rain,wet", "line 6: variable: there is a row for the node 'rain' already"),
        ("e1,node,snow,deep | Deep", "line 6: states: the state 'deep' is there twice"),
        ("e1,node,snow,deep,Rain", "line 6: parents: must be empty in a row of the kind 'node'"),
        ("e1,edge,flood,,", "line 6: parents: is empty"),
        ("e1,edge,flood,,snow", "line 6: parents: there is no node 'snow'"),
        ("e1,edge,snow,,Rain", "line 6: variable: there is no node 'snow'"),
        ("e1,edge,flood,,wind", "line 6: parents: the edge 'wind' -> 'flood' is there twice"),
        ("e1,edge,wind,,wind", "line 6: parents: 'wind' cannot be its own parent"),
        ("e1,cpd,Rain,,,,heavy,", "line 6: probability: is empty"),
        ("e1,cpd,Rain,,,,heavy,30%", "line 6: probability: '30%' is not a number"),
        ('e1,cpd,Rain,,,,heavy,"0,3"', "line 6: probability: '0,3' is not a number"),
        ("e1,cpd,Rain,,,,heavy,1.5", "line 6: probability: '1.5' is not between 0 and 1"),
        ("e1,cpd,Rain,,,,heavy,nan", "line 6: probability: 'nan' is not between 0 and 1"),
        ("e1,cpd,Rain,,,,light,0.3", "line 6: state: 'Rain' has no state 'light'; it has heavy | none"),
        ("e1,cpd,flood,,Rain,light,wide,0.3", "line 6: parent_states: 'Rain' has no state 'light'"),
        ("e1,cpd,flood,,Rain,,wide,0.3", "line 6: parent_states: has 0 states for 1 parents"),
        ("e1,cpd,flood,,Rain | rain,heavy | none,wide,0.3", "line 6: parents: names a parent twice"),
        ("e1,cpd,Rain,,wind,strong,heavy,0.3", "line 6: parents: there is no edge 'wind' -> 'Rain'"),
        ("e1,cpd,flood,,,,wide,0.3", "line 6: parents: names 0 of the parents of 'flood'; name all, 'Rain | wind'"),
        ("e1,cpd,Rain,,,,heavy,0.3\ne1,cpd,Rain,,,,heavy,0.3", "line 7: state: this probability is there already"),
        ("e1,cpd,Rain,,,,heavy,0.3,a,b", "line 6: has 10 cells and the header 8"),
        ('e1,cpd,"Rain,,,,heavy,0.3', "line 6: is not CSV"),
    ],
)
def test_what_is_wrong_is_refused_by_file_line_and_column(tmp_path: Path, row: str, message: str) -> None:
    path = write(tmp_path, *NODES, *EDGES, row)
    with pytest.raises(InputError) as error:
        read_annotations(path)
    assert str(error.value).startswith(f"{path}: {message}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    header = ",".join(name for name in COLUMNS if name != column)
    with pytest.raises(InputError, match=f"line 1: the column '{column}' is missing; the columns are example, kind"):
        read_annotations(write(tmp_path, header=header))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the column 'example' is missing"),
        (f"{HEADER},state\n".encode(), "line 1: the column 'state' is there twice"),
        (HEADER.encode(), "has no rows below its header"),
        (f"{HEADER}\ne1,node,caf\xe9,a".encode("latin-1"), "line 2: is not UTF-8 text; save it as 'CSV UTF-8'"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_annotations(path)


def test_a_full_table_too_large_for_the_memory_is_refused(tmp_path: Path) -> None:
    names = [f"p{i}" for i in range(20)]
    parents, states = " | ".join(names), " | ".join(["yes"] * 20)
    rows = [f"e1,node,{name},yes | none" for name in ("c", *names)]
    with pytest.raises(
        InputError, match="line 24: parents: the full table of 'c' would have more than 1,000,000 cells"
    ):
        read(tmp_path, *rows, f"e1,edge,c,,{parents}", f"e1,cpd,c,,{parents},{states},yes,0.5")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_annotations(tmp_path / "none.csv")
