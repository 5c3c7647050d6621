"""The last equation of a reply is found and freed from what stands around it."""

import pytest

from bayes.linear.finding import find_equation


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Y = 1 + 2*X", "Y = 1 + 2*X"),
        ("Because X raises Y.\n\n**Y = 1 + 2*X**\n", "Y = 1 + 2*X"),
        ("```\nY = 1 + 2*X\n```", "Y = 1 + 2*X"),
        (r"so $Y = 1 + 2 \cdot X$.", r"Y = 1 + 2 \cdot X"),
        ('{"equation": "Y = 1 + 2*X"}', "Y = 1 + 2*X"),
        ("“Y = 1 + 2*X”", "Y = 1 + 2*X"),
        ("Y = 1 + 2*`X`", "Y = 1 + 2*`X`"),
        ("Y = 1 + N(0, 1) + 2*X, where N is normal", "Y = 1 + N(0, 1) + 2*X"),
        ("Y = 1 + 2*X. The slope is plausible.", "Y = 1 + 2*X"),
        ("Y = 1\n + 2*X\n + E_Y\n\nDone.", "Y = 1 + 2*X + E_Y"),
        ("Y = 1 + 2*X\n- The slope is plausible.", "Y = 1 + 2*X"),
        ("Y = 9 + 9*X\nY = 1 + 2*X", "Y = 1 + 2*X"),
        ("Y = 1 + 2*X\nAt its highest Y = 21.", "Y = 1 + 2*X"),
        ("Y = 1 + 2*X\nThat is Y = 1 + 2*0 = 1 for X = 0, and Y = 21 at X = 10", "Y = 1 + 2*X"),
        ("Y = 1 + 2*X\nY = 3 + 4*X2", "Y = 3 + 4*X2"),
        ("Y = 1 + 2*X\nY = 3 + 4 X2", "Y = 3 + 4 X2"),
        ("<equation>Y = 1 + 2*X</equation>", "Y = 1 + 2*X"),
        ("Y = 1 + 2*X  # linear", "Y = 1 + 2*X"),
        ("Y = 21", "Y = 21"),
        ("Y =", "Y = "),
        ("Ymax = 3", None),
        ("maxY = 3", None),
        ("Y == 3, Y >= 3, Y != 3", None),
        ("no equation", None),
        ("Y = 1 + 2*X" + " " * 200_000, None),
    ],
)
def test_mark_up_remarks_and_earlier_drafts_are_left_out(reply: str, expected: str | None) -> None:
    assert find_equation(reply, "Y", ("X",)) == expected


def test_without_parents_the_last_equation_counts() -> None:
    assert find_equation("Y = 1 + 2*X\nY = 21", "Y") == "Y = 21"


def test_a_name_that_needs_quotes_is_found_in_quotes_only() -> None:
    assert find_equation("`2.0` = 1 + 3*X", "2.0", ("X",)) == "`2.0` = 1 + 3*X"
    assert find_equation("2.0 = 1 + 3*X", "2.0", ("X",)) is None


def test_an_equation_inside_another_quoted_name_is_no_equation() -> None:
    assert find_equation("`Y` = 1.0 + 2.0*`Y = 2`", "Y", ("Y = 2",)) == "Y = 1.0 + 2.0*`Y = 2`"
