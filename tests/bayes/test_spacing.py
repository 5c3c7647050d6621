"""Room in a row: what keeps its distance, and text that keeps its width."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.spacing import spread, wrap

wish = st.floats(-50, 50, allow_nan=False)


@given(st.lists(wish, min_size=1, max_size=8))
def test_places_keep_order_distance_and_bounds(wishes: list[float]) -> None:
    places = spread(wishes, [1.0] * len(wishes), 3.0, -30.0, 30.0)
    assert all(right - left >= 3.0 - 1e-9 for left, right in pairwise(places))
    assert places[0] >= -30.0 - 1e-9
    assert places[-1] <= 30.0 + 1e-9


def test_wishes_far_enough_apart_are_granted() -> None:
    assert spread([1.0, 5.0, 9.0], [1.0, 1.0, 1.0], 2.0, 0.0, 10.0) == [1.0, 5.0, 9.0]


def test_a_heavy_wish_moves_less() -> None:
    # Both at 0 with distance 4: without the spacing the wishes are 0 (weight 3) and -4 (weight 1), whose mean is -1.
    assert spread([0.0, 0.0], [3.0, 1.0], 4.0, -10.0, 10.0) == [-1.0, 3.0]


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=9), min_size=1, max_size=9), st.integers(1, 12))
def test_wrapped_lines_fit_and_lose_no_letter(words: list[str], width: int) -> None:
    lines = wrap(" ".join(words), width, len)
    assert all(len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == "".join(words)


@pytest.mark.parametrize(
    ("width", "lines"), [(20, ("war damage",)), (9, ("war", "damage")), (4, ("war", "dama", "ge"))]
)
def test_a_word_breaks_only_where_it_is_too_long(width: int, lines: tuple[str, ...]) -> None:
    assert wrap("war damage", width, len) == lines
