"""Extraction in small steps: some twenty tiny requests for a whole text.

Up to four names, a set of states for each, up to four pairs, and for the tables one likeliest state per root and one
per edge. The rest of a table is filled in here, so that it says little: see :func:`spread_effect`.
"""

from collections.abc import Mapping

import numpy as np

from bayes.network import BASELINE_STATE, FloatArray, Variable
from providers.steps.interview import Estimate, Interview
from providers.steps.structure import find_pairs, pick_edges, pick_names, pick_states
from providers.steps.tables import ask_effect, ask_marginal, to_distribution
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

MAX_VARIABLES = 4
MAX_PAIRS = 4


async def extract_in_steps(question: ExtractionQuestion, interview: Interview) -> Reply | None:
    """The reply to an extraction question, asked in small steps; None for one that has none."""
    text = question.text
    match question:
        case ExtractVariablesQuestion():
            return FoundNamesReply(variables=await pick_names(text, MAX_VARIABLES, interview))
        case ExtractStatesQuestion():
            states = await pick_states(text, question.names, interview)
            named = zip(question.names, states, strict=True)
            return FoundStatesReply(variables=[FoundStates(name=name, states=list(found)) for name, found in named])
        case ExtractEdgesQuestion():
            pairs = find_pairs(text, question.variables)[:MAX_PAIRS]
            edges = (await pick_edges(text, pairs, interview)).values()
            return FoundEdgesReply(edges=[FoundEdge(parent=parent, child=child) for parent, child in edges])
        case ExtractCpdsQuestion():
            by_name = {variable.name: variable for variable in question.variables}
            return CpdsReply(tables=[await _ask_cpd(family, by_name, interview) for family in question.families])
        case _:
            return None


async def _ask_cpd(family: Family, by_name: Mapping[str, Variable], interview: Interview) -> CpdReply:
    """P(child given parents): a root's own distribution, else the mean of what each parent does."""
    child, parents = by_name[family.child], [by_name[name] for name in family.parents]
    if parents:
        pooled: FloatArray = np.zeros((1,) * len(parents) + (child.cardinality,))
        for axis, parent in enumerate(parents):
            estimate = await ask_effect(parent, parent.states[0], child, child.states, interview)
            shape = [parent.cardinality if at == axis else 1 for at in range(len(parents))]
            pooled = pooled + spread_effect(parent, child, estimate).reshape(*shape, -1) / len(parents)
    else:
        pooled = await ask_marginal(child, interview)
    cells = [
        CpdCell(
            parent_states=[parent.states[i] for parent, i in zip(parents, index, strict=True)],
            state=state,
            probability=float(p),
        )
        for index in np.ndindex(pooled.shape[:-1])
        for state, p in zip(child.states, pooled[index], strict=True)
    ]
    return CpdReply(child=family.child, parents=list(family.parents), cells=cells)


def spread_effect(parent: Variable, child: Variable, estimate: Estimate) -> FloatArray:
    """P(child given parent), one row per parent state, from an estimate for the parent's first state.

    An absent cause leaves its effect at the baseline with the same probability; about other states nothing was asked,
    so that the child's states are equally likely there.

    Example:
        >>> rain, flood = Variable("rain", ("high", "low", "none")), Variable("flood", ("severe", "none"))
        >>> spread_effect(rain, flood, Estimate("severe", 0.75)).tolist()
        [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
    """
    rows = np.full((parent.cardinality, child.cardinality), 1 / child.cardinality)
    if BASELINE_STATE in parent.states and BASELINE_STATE in child.states:
        baseline = Estimate(BASELINE_STATE, estimate.probability)
        rows[parent.states.index(BASELINE_STATE)] = to_distribution(child.states, baseline)
    rows[0] = to_distribution(child.states, estimate)
    return rows
