"""States fit the kind of variable and come from the name alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.rules.kinds import Kind, to_kind
from providers.rules.states import to_prior, to_scale, to_variable

NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "Zs"]), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("oil prices", Kind.TREND),
        ("public support", Kind.INTENSITY),
        ("civil war", Kind.EVENT),
        ("deforestation", Kind.PROCESS),
        ("carbon tax", Kind.POLICY),
        ("steam engine", Kind.TECHNOLOGY),
        ("central bank", Kind.INSTITUTION),
        ("drinking water", Kind.RESOURCE),
        ("public health", Kind.CONDITION),
        ("heart disease", Kind.ILLNESS),
        ("liberalism", Kind.IDEA),
        ("quality of life", Kind.CONDITION),
        ("whatever", Kind.THING),
    ],
)
def test_the_head_noun_tells_the_kind(name: str, kind: Kind) -> None:
    assert to_kind(name) is kind


@given(NAMES)
def test_every_variable_has_two_to_four_telling_states_and_none_last(name: str) -> None:
    states = to_variable(name).states
    assert states[-1] == "none"
    assert 2 <= len(states) - 1 <= 4
    assert len(set(states)) == len(states)


@given(NAMES, st.integers(0, 100))
def test_priors_are_distributions_over_the_states(name: str, mentions: int) -> None:
    prior = to_prior(name, mentions)
    assert len(prior) == len(to_variable(name).states) == len(to_scale(name).levels)
    assert sum(prior) == pytest.approx(1)
    assert min(prior) > 0.02


def test_the_baseline_grows_less_likely_with_mentions() -> None:
    assert to_prior("war", 5)[-1] < to_prior("war", 1)[-1]


def test_one_kind_has_several_wordings() -> None:
    wordings = {to_variable(f"{word} price").states for word in ("oil", "gas", "rice", "gold", "land", "bread", "milk")}
    assert len(wordings) > 1
