"""The rule reader answers the four extraction questions about a text, each in keeping with the others."""

from typing import Any

import numpy as np
import pytest

from bayes.network import Variable
from providers.rules.elicitor import read
from providers.rules.extraction import extract
from schemas.questions import (
    ExtractCpdsQuestion,
    ExtractEdgesQuestion,
    ExtractionQuestion,
    ExtractStatesQuestion,
    ExtractVariablesQuestion,
    Family,
)
from schemas.replies import CpdsReply, FoundEdgesReply, FoundNamesReply, FoundStatesReply

TEXT = (
    "Deforestation leads to soil erosion. Drought reduces crop yields, and soil erosion reduces crop yields as well. "
    "Soil erosion leads to poverty, and poverty leads to deforestation."
)
WHERE: dict[str, Any] = {"domain": "environment", "backbone": "soil", "example": "soil-1", "text": TEXT}
READING = read(TEXT)
BY_NAME = {variable.name: variable for variable in READING.variables}


def test_names_and_states_are_those_of_the_reading() -> None:
    names = extract(ExtractVariablesQuestion(**WHERE))
    assert isinstance(names, FoundNamesReply)
    assert names.variables == list(BY_NAME)
    states = extract(ExtractStatesQuestion(**WHERE, names=tuple(names.variables)))
    assert isinstance(states, FoundStatesReply)
    assert {item.name: tuple(item.states) for item in states.variables} == {
        name: variable.states for name, variable in BY_NAME.items()
    }


def test_edges_close_no_circle_even_where_the_text_does_and_join_listed_variables_only() -> None:
    reply = extract(ExtractEdgesQuestion(**WHERE, variables=READING.variables))
    assert isinstance(reply, FoundEdgesReply)
    found = {(edge.parent, edge.child) for edge in reply.edges}
    circle = {("deforestation", "soil erosion"), ("soil erosion", "poverty"), ("poverty", "deforestation")}
    assert circle <= {(edge.parent, edge.child) for edge in READING.edges}
    assert len(found & circle) == 2
    some = tuple(BY_NAME[name] for name in ("deforestation", "soil erosion"))
    fewer = extract(ExtractEdgesQuestion(**WHERE, variables=some))
    assert isinstance(fewer, FoundEdgesReply)
    assert all({edge.parent, edge.child} <= {"deforestation", "soil erosion"} for edge in fewer.edges)


def test_a_table_has_a_cell_for_every_combination_and_its_columns_sum_to_one() -> None:
    family = Family(child="crop yields", parents=("drought", "soil erosion"))
    members = tuple(BY_NAME[name] for name in (family.child, *family.parents))
    reply = extract(ExtractCpdsQuestion(**WHERE, variables=members, families=(family,), mode="full"))
    assert isinstance(reply, CpdsReply)
    columns: dict[tuple[str, ...], list[float]] = {}
    for cell in reply.tables[0].cells:
        columns.setdefault(tuple(cell.parent_states), []).append(cell.probability)
    child, *parents = (variable.cardinality for variable in members)
    assert len(columns) == parents[0] * parents[1]
    assert all(len(column) == child for column in columns.values())
    np.testing.assert_allclose([sum(column) for column in columns.values()], 1)
    assert len({tuple(column) for column in columns.values()}) > 1


def test_a_variable_that_the_rules_did_not_read_has_equally_likely_states() -> None:
    strange = Variable("zeal", ("much", "little"))
    family = Family(child="zeal", parents=())
    reply = extract(ExtractCpdsQuestion(**WHERE, variables=(strange,), families=(family,), mode="full"))
    assert isinstance(reply, CpdsReply)
    assert [cell.probability for cell in reply.tables[0].cells] == [0.5, 0.5]


def test_a_question_of_no_phase_is_a_fault_of_the_caller() -> None:
    with pytest.raises(TypeError, match="ExtractionQuestion"):
        extract(ExtractionQuestion(**WHERE))
