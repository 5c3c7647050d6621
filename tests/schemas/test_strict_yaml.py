"""YAML is read as text: nothing is guessed, nothing lost, nothing executed."""

import pytest

from schemas.strict_yaml import read_yaml


def test_scalars_stay_the_text_they_look_like() -> None:
    assert read_yaml("a: no\nb: 1984\nc: 2026-01-31\nd: null") == {
        "a": "no",
        "b": "1984",
        "c": "2026-01-31",
        "d": "null",
    }


def test_lists_and_mappings_nest() -> None:
    assert read_yaml("a:\n  - b: c\n  - d") == {"a": [{"b": "c"}, "d"]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\na: 2", r"line 2: the key 'a' is given twice"),
        ("x:\n  a: 1\n  a: 2", r"line 3: the key 'a' is given twice"),
        ("[a]: 1", r"line 1: a key must be a plain text"),
        ("a: [1", r"line \d: "),
        ("a: b: c", r"line 1: "),
        ("\x00", r"special characters are not allowed"),
        ("[" * 500, r"is nested too deeply"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        read_yaml(text)
    assert "\n" not in str(caught.value)


def test_a_tag_that_asks_for_an_object_builds_none() -> None:
    assert read_yaml("!!python/object/apply:os.getcwd []") == []
