"""What a reply says is kept as the model said it; what it cannot mean is named."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Variable
from bayes.scoring.predicted import normalise_columns
from schemas.questions import Family
from schemas.replies import CpdCell, CpdReply, CpdsReply, FoundEdge, FoundEdgesReply, FoundNamesReply
from tasks.extraction_checks import check_edges, check_names, to_edges, to_names
from tasks.extraction_tables import check_cpds, to_cpds

VARIABLES = {
    "rain": Variable("rain", ("heavy", "light", "none")),
    "snow": Variable("snow", ("deep", "none")),
    "flood": Variable("flood", ("severe", "mild", "none")),
}
FAMILY = Family(child="flood", parents=("rain", "snow"))
PLACES = [(f, r, s) for f in range(3) for r in range(3) for s in range(2)]


def to_reply(values: dict[tuple[int, int, int], float], *, is_swapped: bool = False) -> CpdsReply:
    flood, rain, snow = (VARIABLES[name].states for name in ("flood", "rain", "snow"))
    cells = [
        CpdCell(parent_states=[snow[s], rain[r]] if is_swapped else [rain[r], snow[s]], state=flood[f], probability=p)
        for (f, r, s), p in values.items()
    ]
    return CpdsReply(
        tables=[CpdReply(child="flood", parents=["snow", "rain"] if is_swapped else ["rain", "snow"], cells=cells)]
    )


@given(st.permutations(PLACES), st.lists(st.floats(0.01, 1), min_size=18, max_size=18), st.booleans())
def test_a_table_is_the_same_whatever_the_order_of_its_cells_and_parents(
    order: list[tuple[int, int, int]], given_values: list[float], is_swapped: bool
) -> None:
    """Column r * 2 + s of the matrix is (rain r, snow s): C order over the family's parents."""
    values = dict(zip(PLACES, given_values, strict=True))
    reply = to_reply({place: values[place] for place in order}, is_swapped=is_swapped)
    matrix = to_cpds(reply, [FAMILY], VARIABLES)[FAMILY].matrix
    assert all(matrix[f, 2 * r + s] == p for (f, r, s), p in values.items())


@given(st.sets(st.sampled_from(PLACES), max_size=17))
def test_cells_left_out_are_nan_and_counted(missing: set[tuple[int, int, int]]) -> None:
    reply = to_reply({place: 1 / 3 for place in PLACES if place not in missing})
    matrix = to_cpds(reply, [FAMILY], VARIABLES)[FAMILY].matrix
    assert np.count_nonzero(np.isnan(matrix)) == len(missing)
    problems = check_cpds(reply, [FAMILY], VARIABLES)
    assert len(problems) == bool(missing)
    if len(missing) > 1:
        assert f"and {len(missing) - 1} more" in problems[0]


def test_what_is_no_probability_is_not_given_and_a_table_without_mass_is_none() -> None:
    values = dict.fromkeys(PLACES, 1 / 3) | {(0, 0, 0): -1.0, (1, 0, 0): math.inf, (2, 0, 0): math.nan}
    reply = to_reply(values)
    assert np.isnan(to_cpds(reply, [FAMILY], VARIABLES)[FAMILY].matrix[:, 0]).all()
    assert any("not between 0 and 1" in problem for problem in check_cpds(reply, [FAMILY], VARIABLES))
    assert to_cpds(to_reply(dict.fromkeys(PLACES, 0.0)), [FAMILY], VARIABLES) == {}


@pytest.mark.filterwarnings("error")
@given(st.lists(st.one_of(st.floats(), st.sampled_from([1e308, 5e-324, 1.0, 50.0])), min_size=18, max_size=18))
def test_whatever_numbers_a_model_gives_columns_can_be_normalised(numbers: list[float]) -> None:
    reply = to_reply(dict(zip(PLACES, numbers, strict=True)))
    check_cpds(reply, [FAMILY], VARIABLES)
    for cpd in to_cpds(reply, [FAMILY], VARIABLES).values():
        columns = normalise_columns(cpd.matrix)
        assert np.abs(columns.values.sum(axis=0)[columns.is_given] - 1).max() <= 1e-9
    huge = to_reply(dict.fromkeys(PLACES, 1e308))
    assert check_cpds(huge, [FAMILY], VARIABLES)
    assert to_cpds(huge, [FAMILY], VARIABLES) == {}


def test_a_table_with_other_parents_or_given_a_second_time_does_not_count() -> None:
    first, second = to_reply(dict.fromkeys(PLACES, 1 / 3)), to_reply(dict.fromkeys(PLACES, 0.9))
    both = CpdsReply(tables=[*first.tables, *second.tables])
    assert check_cpds(both, [FAMILY], VARIABLES) == []
    assert to_cpds(both, [FAMILY], VARIABLES)[FAMILY].matrix[0, 0] == 1 / 3
    other = Family(child="flood", parents=("rain",))
    assert to_cpds(both, [other], VARIABLES) == {}
    assert "the table is missing" in check_cpds(both, [other], VARIABLES)[0]


def test_names_are_cleaned_and_kept_in_order_twice_if_given_twice() -> None:
    reply = FoundNamesReply(variables=[" heavy  rain", "flood", "heavy rain", "a|b"])
    assert to_names(reply) == ("heavy rain", "flood", "heavy rain")
    (problem,) = check_names(reply)
    assert problem.startswith("Variable 'a|b' contains markup (")


def test_ends_of_edges_are_matched_as_spelled_and_else_whatever_their_case() -> None:
    listed = ("Rain", "rain", "flood")
    reply = FoundEdgesReply(
        edges=[
            FoundEdge(parent="rain", child=" FLOOD"),
            FoundEdge(parent="RAIN", child="flood"),
            FoundEdge(parent="it", child="flood"),
        ]
    )
    assert to_edges(reply, listed) == (Edge("rain", "flood"), Edge("Rain", "flood"))
    assert check_edges(reply, listed)[0] == "'it' is not a listed variable."
