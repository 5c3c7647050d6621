"""The rule reader on an example's text: the four extraction questions, answered without a model.

The text is read like an article. States fit the kind of their variable and tables follow from how firmly the text
speaks; percentages in the text are not read. All of it is a pure function of the question.
"""

from functools import lru_cache

import numpy as np

from bayes.network import FloatArray, Variable
from providers.rules.elicitor import read
from providers.rules.states import to_variable
from providers.rules.tables import RuleNetwork, build_network, compute_joint, round_table
from providers.rules.variables import RuleReading
from schemas.questions import (
    ExtractCpdsQuestion,
    ExtractEdgesQuestion,
    ExtractionQuestion,
    ExtractStatesQuestion,
    ExtractVariablesQuestion,
    Family,
)
from schemas.replies import (
    CpdCell,
    CpdReply,
    CpdsReply,
    FoundEdge,
    FoundEdgesReply,
    FoundNamesReply,
    FoundStates,
    FoundStatesReply,
    Reply,
)


def extract(question: ExtractionQuestion) -> Reply:
    """Answer an extraction question by rules.

    Raises:
        TypeError: the question is none of the four phases.

    Example:
        >>> text = "Deforestation leads to soil erosion, which reduces crop yields."
        >>> extract(ExtractVariablesQuestion(domain="d", backbone="b", example="e", text=text)).variables
        ['deforestation', 'soil erosion', 'crop yields']
    """
    reading, network = _read(question.text)
    match question:
        case ExtractVariablesQuestion():
            return FoundNamesReply(variables=[variable.name for variable in reading.variables])
        case ExtractStatesQuestion():
            found = [FoundStates(name=name, states=list(to_variable(name).states)) for name in question.names]
            return FoundStatesReply(variables=found)
        case ExtractEdgesQuestion():
            names = {variable.name for variable in question.variables}
            # The network leaves out what would close a cycle.
            edges = [
                FoundEdge(parent=edge.parent, child=edge.child)
                for edge in reading.edges
                if {edge.parent, edge.child} <= names and edge.parent in network.factors[edge.child].parents
            ]
            return FoundEdgesReply(edges=edges)
        case ExtractCpdsQuestion():
            by_name = {variable.name: variable for variable in question.variables}
            return CpdsReply(tables=[_tabulate(network, family, by_name) for family in question.families])
        case _:
            raise TypeError(f"the rules cannot answer a {type(question).__name__}")


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[RuleReading, RuleNetwork]:
    reading = read(text)
    return reading, build_network(reading)


def _tabulate(network: RuleNetwork, family: Family, by_name: dict[str, Variable]) -> CpdReply:
    parents, child = [by_name[name] for name in family.parents], by_name[family.child]
    joint = compute_joint(network, (*parents, child))
    cells: list[CpdCell] = []
    for index in np.ndindex(joint.shape[:-1]):
        parent_states = [parent.states[i] for parent, i in zip(parents, index, strict=True)]
        column: FloatArray = round_table(joint[index] / joint[index].sum())
        cells += [
            CpdCell(parent_states=parent_states, state=state, probability=float(p))
            for state, p in zip(child.states, column, strict=True)
        ]
    return CpdReply(child=family.child, parents=list(family.parents), cells=cells)
