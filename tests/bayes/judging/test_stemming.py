"""Words of one family have one stem; families and those who act and are acted upon stay apart."""

import pytest

from bayes.judging.stemming import to_stem


@pytest.mark.parametrize(
    "family",
    [
        ["regulate", "regulated", "regulation", "regulating"],
        ["insure", "insured", "insurance", "insuring"],
        ["behaviour", "behavior", "behavioural", "behavioral"],
        ["organise", "organize", "organisation", "organization"],
        ["centre", "center"],
        ["stability", "stable"],
        ["confident", "confidence"],
        ["planned", "planning"],
        ["denied", "deny"],
        ["labelled", "labeled"],
    ],
)
def test_a_family_has_one_stem(family: list[str]) -> None:
    assert len({to_stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [("employer", "employee"), ("importance", "import"), ("local", "location"), ("effect", "effective"), ("co2", "co")],
)
def test_families_stay_apart(left: str, right: str) -> None:
    assert to_stem(left) != to_stem(right)
