import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import BASELINE_STATE, Edge
from providers.steps.interview import LIKELINESS, Estimate
from providers.steps.tables import (
    ask_joints,
    ask_marginals,
    ask_multi_joints,
    compose_joint,
    to_distribution,
    to_weights,
)
from schemas.questions import Family, JointsQuestion, MarginalsQuestion, MultiJointsQuestion
from tests.providers.steps.scripted import ARTICLE, CROPS, FLOOD, RAIN, Fields, ScriptedModel

VARIABLES = (RAIN, FLOOD, CROPS)


@given(st.integers(1, 7), st.sampled_from(LIKELINESS), st.data())
def test_a_distribution_sums_to_one_and_its_estimated_state_is_the_likeliest(
    n_states: int, probability: float, data: st.DataObject
) -> None:
    states = tuple(f"s{at}" for at in range(n_states))
    likeliest = data.draw(st.sampled_from(states))
    values = to_distribution(states, Estimate(likeliest, probability))
    assert math.isclose(values.sum(), 1)
    assert values[states.index(likeliest)] == values.max()
    assert values.min() >= 0


def test_a_two_parent_joint_is_the_weighted_pool_of_the_pairwise_conditionals() -> None:
    """By hand: P(a=0) P(b=1) (0.6 P(c=0 given a=0) + 0.4 P(c=0 given b=1)) = 0.5 * 0.8 * (0.6 * 0.9 + 0.4 * 0.3)."""
    joint = compose_joint(
        [np.array([0.5, 0.5]), np.array([0.2, 0.8])],
        [np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.5, 0.5], [0.3, 0.7]])],
        to_weights(2, strongest=0),
    )
    assert joint.shape == (2, 2, 2)
    assert math.isclose(joint[0, 1, 0], 0.264)


@given(st.integers(1, 3), st.integers(2, 4), st.randoms(use_true_random=False))
def test_a_composed_joint_sums_to_one_and_keeps_every_parents_marginal(n: int, n_states: int, random: Any) -> None:
    def draw(*shape: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        values = np.array([random.random() + 0.01 for _ in range(math.prod(shape))]).reshape(shape)
        return values / values.sum(axis=-1, keepdims=True)

    marginals = [draw(n_states) for _ in range(n)]
    joint = compose_joint(marginals, [draw(n_states, 3) for _ in range(n)], to_weights(n, random.randrange(n)))
    assert math.isclose(joint.sum(), 1)
    for at, marginal in enumerate(marginals):
        others = tuple(axis for axis in range(n + 1) if axis != at)
        np.testing.assert_allclose(joint.sum(axis=others), marginal)


async def test_a_marginal_has_a_cell_for_every_state_in_order() -> None:
    """The first state gets 0.5, the first thing on the menu; the other two share the rest."""
    question = MarginalsQuestion(domain="a", backbone="b", article=ARTICLE, variables=VARIABLES)
    reply = await ask_marginals(question, ScriptedModel().interview)
    assert [marginal.variable for marginal in reply.marginals] == [variable.name for variable in VARIABLES]
    assert [(cell.state, cell.probability) for cell in reply.marginals[0].probabilities] == [
        ("high", 0.5),
        ("low", 0.25),
        ("none", 0.25),
    ]


async def test_different_parent_states_favour_different_child_states_and_none_favours_none() -> None:
    """Even with a model that always takes the first thing on the menu; P(parent) is 0.5, 0.25, 0.25."""
    question = JointsQuestion(
        domain="a", backbone="b", article=ARTICLE, variables=(RAIN, FLOOD), edges=(Edge("rainfall", "river floods"),)
    )
    (joint,) = (await ask_joints(question, ScriptedModel().interview)).joints
    cells = {(cell.parent_state, cell.child_state): cell.probability for cell in joint.cells}
    assert len(cells) == 9
    assert math.isclose(sum(cells.values()), 1)
    assert math.isclose(cells["high", "severe"], 0.5 * 0.5)
    assert math.isclose(cells["low", "limited"], 0.25 * 0.5)
    assert math.isclose(cells["none", BASELINE_STATE], 0.25 * 0.5)
    assert math.isclose(cells["none", "severe"], 0.25 * 0.25)


async def test_a_family_has_every_configuration_once_in_the_order_of_its_parents() -> None:
    family = Family(child="crop yields", parents=("river floods", "rainfall"))
    question = MultiJointsQuestion(domain="a", backbone="b", article=ARTICLE, variables=VARIABLES, families=(family,))
    (joint,) = (await ask_multi_joints(question, ScriptedModel().interview)).joints
    assert joint.parents == ["river floods", "rainfall"]
    assert len({(*cell.parent_states, cell.child_state) for cell in joint.cells}) == 27
    assert {tuple(cell.parent_states) for cell in joint.cells} == {(f, r) for f in FLOOD.states for r in RAIN.states}
    assert math.isclose(sum(cell.probability for cell in joint.cells), 1)


async def test_the_multi_parent_pass_repeats_the_pairwise_prompts_word_for_word() -> None:
    """So that the reply cache answers them; only the question for the strongest parent is new."""
    edges = (Edge("rainfall", "crop yields"), Edge("river floods", "crop yields"))
    pairwise, multi = ScriptedModel(), ScriptedModel()
    await ask_joints(
        JointsQuestion(domain="a", backbone="b", article=ARTICLE, variables=VARIABLES, edges=edges), pairwise.interview
    )
    family = Family(child="crop yields", parents=("rainfall", "river floods"))
    await ask_multi_joints(
        MultiJointsQuestion(domain="a", backbone="b", article=ARTICLE, variables=VARIABLES, families=(family,)),
        multi.interview,
    )
    new = set(multi.prompts) - set(pairwise.prompts)
    assert [prompt.splitlines()[-1] for prompt in new] == ["What affects crop yields most: rainfall or river floods?"]


async def test_the_strongest_parent_moves_the_child_more() -> None:
    """With w = 0.6 and 0.4: the gap that a parent's state makes is in proportion to its weight."""

    def second_is_strongest(prompt: str, fields: Fields) -> dict[str, Any]:  # noqa: ARG001 - a script's signature
        return {name: spec["enum"][1 if name == "choice" else 0] for name, spec in fields.items()}

    family = Family(child="crop yields", parents=("rainfall", "river floods"))
    question = MultiJointsQuestion(domain="a", backbone="b", article=ARTICLE, variables=VARIABLES, families=(family,))
    (joint,) = (await ask_multi_joints(question, ScriptedModel(second_is_strongest).interview)).joints
    values = np.array([cell.probability for cell in joint.cells]).reshape(3, 3, 3)
    conditional = values / values.sum(axis=-1, keepdims=True)
    by_rain = conditional[0, 0, 0] - conditional[1, 0, 0]
    by_flood = conditional[0, 0, 0] - conditional[0, 1, 0]
    assert math.isclose(by_flood / by_rain, 0.6 / 0.4)
