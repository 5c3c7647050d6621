"""The four extraction questions in tiny requests, with a scripted model: how many, and what comes of them."""

from typing import Any

import numpy as np

from bayes.network import Variable
from providers.steps.extraction import MAX_VARIABLES, extract_in_steps
from schemas.questions import (
    ExtractCpdsQuestion,
    ExtractEdgesQuestion,
    ExtractionQuestion,
    ExtractStatesQuestion,
    ExtractVariablesQuestion,
    Family,
)
from schemas.replies import CpdsReply, FoundEdgesReply, FoundNamesReply, FoundStatesReply
from tests.providers.steps.scripted import CROPS, FLOOD, RAIN, TEXT, ScriptedModel
from tests.providers.steps.test_structure import LONG_TEXT

WHERE: dict[str, Any] = {"domain": "environment", "backbone": "floods", "example": "floods-1"}


async def test_a_text_takes_at_most_twenty_requests_in_all() -> None:
    """4 names, 4 sets of states, 4 pairs, and the tables of 4 variables with 4 edges at most: 4 + 3 requests."""
    scripted = ScriptedModel()
    where = {**WHERE, "text": LONG_TEXT}
    names = await extract_in_steps(ExtractVariablesQuestion(**where), scripted.interview)
    assert isinstance(names, FoundNamesReply)
    assert len(names.variables) == MAX_VARIABLES
    states = await extract_in_steps(ExtractStatesQuestion(**where, names=tuple(names.variables)), scripted.interview)
    assert isinstance(states, FoundStatesReply)
    variables = tuple(Variable(item.name, tuple(item.states)) for item in states.variables)
    edges = await extract_in_steps(ExtractEdgesQuestion(**where, variables=variables), scripted.interview)
    assert isinstance(edges, FoundEdgesReply)
    parents = {name: tuple(edge.parent for edge in edges.edges if edge.child == name) for name in names.variables}
    families = tuple(Family(child=name, parents=found) for name, found in parents.items())
    question = ExtractCpdsQuestion(**where, variables=variables, families=families, mode="full")
    tables = await extract_in_steps(question, scripted.interview)
    assert isinstance(tables, CpdsReply)
    assert [table.child for table in tables.tables] == names.variables
    assert len(scripted.prompts) <= 20


async def test_states_come_for_any_number_of_names() -> None:
    """Five sets of states, each used twice at most, serve ten names; the next ones are offered all of them again."""
    names = tuple(f"thing {number}" for number in range(12))
    reply = await extract_in_steps(ExtractStatesQuestion(**WHERE, text=TEXT, names=names), ScriptedModel().interview)
    assert isinstance(reply, FoundStatesReply)
    assert [item.name for item in reply.variables] == list(names)


async def test_a_table_asks_one_question_for_each_parent_and_every_column_sums_to_one() -> None:
    scripted = ScriptedModel()
    family = Family(child="crop yields", parents=("rainfall", "river floods"))
    question = ExtractCpdsQuestion(**WHERE, text=TEXT, variables=(RAIN, FLOOD, CROPS), families=(family,), mode="full")
    reply = await extract_in_steps(question, scripted.interview)
    assert isinstance(reply, CpdsReply)
    assert len(scripted.prompts) == 2
    columns: dict[tuple[str, ...], float] = {}
    for cell in reply.tables[0].cells:
        columns[tuple(cell.parent_states)] = columns.get(tuple(cell.parent_states), 0.0) + cell.probability
    assert len(columns) == 9
    np.testing.assert_allclose(list(columns.values()), 1)


async def test_a_question_of_no_phase_has_no_steps() -> None:
    assert await extract_in_steps(ExtractionQuestion(**WHERE, text=TEXT), ScriptedModel().interview) is None
