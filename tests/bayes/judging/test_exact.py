"""The exact judge sees through spelling and nothing else."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.judging.assignment import Verdict
from bayes.judging.exact import ExactJudge
from bayes.scoring.records import Match

JUDGE = ExactJudge()
WORDS = st.sampled_from(["rate", "crop", "forest", "policy", "tax", "child", "market", "bank", "river", "price"])


def hyphenate(name: str) -> str:
    return name.replace(" ", "-")


def quote(name: str) -> str:
    return f' "{name}". '


@given(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.sampled_from([str.upper, str.title, hyphenate, quote]))
def test_a_name_is_itself_in_another_case_or_punctuation(name: str, change: Callable[[str], str]) -> None:
    changed = change(name)
    assert JUDGE.compare_names([name], [changed]) == [Verdict(name, changed)]


@pytest.mark.parametrize(
    ("singular", "plural"), [("crop price", "crop prices"), ("policy", "policies"), ("child tax", "children taxes")]
)
def test_a_name_is_itself_in_the_plural(singular: str, plural: str) -> None:
    assert JUDGE.compare_states(Match("a", "b"), [singular], [plural]) == [Verdict(singular, plural)]


def test_every_spelling_gets_its_verdict_once_and_other_names_none() -> None:
    found = JUDGE.compare_names(["rain", "wind"], ["Rain", "rains", "Rain", "rainfall"])
    assert found == [Verdict("rain", "Rain"), Verdict("rain", "rains")]
