"""Probability tables in small steps: a likeliest state and how likely it is, made into distributions here.

A joint is composed as P(parent) P(child given parent). Passes 4 and 5 ask again for the distributions that an earlier
pass asked for, in the same words: the reply cache answers them.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from bayes.network import BASELINE_STATE, FloatArray, Variable
from providers.steps.interview import Estimate, Interview
from providers.steps.phrases import find_passage
from schemas.questions import Family, JointsQuestion, MarginalsQuestion, MultiJointsQuestion
from schemas.replies import (
    FamilyCell,
    JointReply,
    JointsReply,
    MarginalReply,
    MarginalsReply,
    MultiJointReply,
    MultiJointsReply,
    PairCell,
    StateProbability,
)

STRONGEST_WEIGHT = 0.6
"""Weight of the strongest parent in a child's distribution; the other parents share the rest."""

_MARGINAL_EXAMPLES = (
    "storms (frequent, occasional, none): occasional, 0.6\nwages (rising, stable, falling, none): rising, 0.7\n"
    "war (severe, limited, none): none, 0.9\n"
)
_CONDITIONAL_EXAMPLES = (
    "storms frequent: harvest (good, poor, none)? poor, 0.8\nwages rising: spending (strong, weak, none)? strong, 0.7\n"
)


async def ask_marginals(question: MarginalsQuestion, interview: Interview) -> MarginalsReply:
    """One request per variable: its likeliest state and how likely it is."""
    marginals: list[MarginalReply] = []
    for variable in question.variables:
        values = await ask_marginal(variable, interview)
        cells = [
            StateProbability(state=state, probability=float(value))
            for state, value in zip(variable.states, values, strict=True)
        ]
        marginals.append(MarginalReply(variable=variable.name, probabilities=cells))
    return MarginalsReply(marginals=marginals)


async def ask_joints(question: JointsQuestion, interview: Interview) -> JointsReply:
    """One request per edge and parent state: the child's likeliest state then."""
    by_name = {variable.name: variable for variable in question.variables}
    joints: list[JointReply] = []
    for edge in question.edges:
        parent, child = by_name[edge.parent], by_name[edge.child]
        marginal = await ask_marginal(parent, interview)
        conditional = await _ask_conditional(parent, child, interview)
        joint = compose_joint((marginal,), (conditional,), (1.0,))
        cells = [
            PairCell(parent_state=parent.states[row], child_state=child.states[column], probability=float(value))
            for (row, column), value in np.ndenumerate(joint)
        ]
        joints.append(JointReply(parent=parent.name, child=child.name, cells=cells))
    return JointsReply(joints=joints)


async def ask_multi_joints(question: MultiJointsQuestion, interview: Interview) -> MultiJointsReply:
    """One request per family, for its strongest parent; the rest is what the pairwise pass asked already."""
    by_name = {variable.name: variable for variable in question.variables}
    joints = [await _ask_family(family, by_name, question.article.text, interview) for family in question.families]
    return MultiJointsReply(joints=joints)


async def _ask_family(
    family: Family, by_name: Mapping[str, Variable], text: str, interview: Interview
) -> MultiJointReply:
    child = by_name[family.child]
    parents = [by_name[name] for name in family.parents]
    passage = json.dumps(find_passage(text, (*family.parents, family.child)), ensure_ascii=False)
    prompt = f"Text: {passage}\nWhat affects {family.child} most: {' or '.join(family.parents)}?"
    strongest = family.parents.index(await interview.choose(prompt, family.parents))
    marginals = [await ask_marginal(parent, interview) for parent in parents]
    conditionals = [await _ask_conditional(parent, child, interview) for parent in parents]
    joint = compose_joint(marginals, conditionals, to_weights(len(parents), strongest))
    configurations = product(*(parent.states for parent in parents), child.states)
    cells = [
        FamilyCell(parent_states=list(states[:-1]), child_state=states[-1], probability=float(value))
        for states, value in zip(configurations, joint.ravel(), strict=True)
    ]
    return MultiJointReply(child=family.child, parents=list(family.parents), cells=cells)


async def ask_marginal(variable: Variable, interview: Interview) -> FloatArray:
    """P(variable), from its likeliest state; one request."""
    prompt = f"{_MARGINAL_EXAMPLES}{variable.name} ({', '.join(variable.states)}):"
    return to_distribution(variable.states, await interview.estimate(prompt, variable.states))


async def _ask_conditional(parent: Variable, child: Variable, interview: Interview) -> FloatArray:
    """P(child given parent): one row per parent state.

    A cause that is absent leaves its effect at the baseline. The other parent states are offered child states that
    no earlier one took, since a small model gives the same answer whatever the parent's state.
    """
    taken: set[str] = set()
    rows: list[FloatArray] = []
    for state in parent.states:
        if state == BASELINE_STATE and state in child.states:
            options = (BASELINE_STATE,)
        else:
            telling = child.telling_states or child.states
            options = tuple(option for option in telling if option not in taken) or telling
        estimate = await ask_effect(parent, state, child, options, interview)
        taken.add(estimate.state)
        rows.append(to_distribution(child.states, estimate))
    return np.stack(rows)


async def ask_effect(
    parent: Variable, state: str, child: Variable, options: Sequence[str], interview: Interview
) -> Estimate:
    """The likeliest of some states of the child once the parent is in this state; one request."""
    prompt = f"{_CONDITIONAL_EXAMPLES}{parent.name} {state}: {child.name} ({', '.join(child.states)})?"
    return await interview.estimate(prompt, options)


def to_distribution(states: Sequence[str], estimate: Estimate) -> FloatArray:
    """The distribution in which one state has the estimated probability and the others share the rest equally.

    Example:
        >>> to_distribution(("high", "low", "none"), Estimate("low", 0.8)).round(2).tolist()
        [0.1, 0.8, 0.1]
    """
    if len(states) == 1:
        return np.ones(1)
    values = np.full(len(states), (1 - estimate.probability) / (len(states) - 1))
    values[states.index(estimate.state)] = estimate.probability
    return values


def to_weights(n_parents: int, strongest: int) -> tuple[float, ...]:
    """Weights of the parents in a child's distribution; they sum to 1.

    Example:
        >>> to_weights(3, strongest=1)
        (0.2, 0.6, 0.2)
    """
    if n_parents == 1:
        return (1.0,)
    other = (1 - STRONGEST_WEIGHT) / (n_parents - 1)
    return tuple(STRONGEST_WEIGHT if at == strongest else other for at in range(n_parents))


def compose_joint(
    marginals: Sequence[FloatArray], conditionals: Sequence[FloatArray], weights: Sequence[float]
) -> FloatArray:
    """The joint of parents and child, prod_i P(a_i) sum_i w_i P(c given a_i): a linear pool over the parents.

    Args:
        marginals: P(a_i), one array per parent; parents are taken as independent.
        conditionals: P(c given a_i), one array per parent, rows = parent states, columns = child states.
        weights: w_i, summing to 1.

    Returns:
        One axis per parent and the child's last; sums to 1.

    Example:
        >>> compose_joint([np.array([0.5, 0.5])], [np.array([[0.9, 0.1], [0.2, 0.8]])], [1.0]).round(2).tolist()
        [[0.45, 0.05], [0.1, 0.4]]
    """
    n_parents = len(marginals)
    prior = np.ones((1,) * (n_parents + 1))
    pooled = np.zeros((1,) * (n_parents + 1))
    for at, (marginal, conditional, weight) in enumerate(zip(marginals, conditionals, weights, strict=True)):
        shape = [1] * (n_parents + 1)
        shape[at] = len(marginal)
        prior = prior * marginal.reshape(shape)
        shape[-1] = conditional.shape[1]
        pooled = pooled + weight * conditional.reshape(shape)
    return prior * pooled
