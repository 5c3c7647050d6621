"""A model checked on labelled pairs, and judges compared on what is stored."""

from pathlib import Path

import pytest

from bayes.judging.agreement import Confusion, LabelledPair
from schemas.errors import InputError
from tasks.agreement import compare_extractions
from tasks.judge_checks import ask_about_pairs, compare_judges
from tasks.scoring import find_judge
from tests.providers.wire import KEY_VARIABLE, PLANTED_KEY, reply, serve

PAIRS = (
    LabelledPair("variable", "rain", "rainfall", True, "synonym", "test"),
    LabelledPair("variable", "import", "export", False, "antonym", "test"),
    LabelledPair("state", "high", "elevated", True, "synonym", "tune"),
)
ENTRY = (
    "test:judge:\n  provider: openai-compatible\n  model: judge\n  base_url: {url}\n  context_tokens: 8000\n"
    "  max_output_tokens: 2000\n  price: free\n"
)


async def test_a_models_verdicts_are_counted_by_part_and_category(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the two variable pairs it holds the second for the same, which is wrong; the state pair it has right."""
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)
    async with serve(reply('{"same": [2]}'), reply('{"same": [1]}')) as wire:
        catalogue = tmp_path / "models.yaml"
        catalogue.write_text(ENTRY.format(url=wire.base_url))
        monkeypatch.setenv("PRISM_MODELS", str(catalogue))
        checked = await ask_about_pairs("test:judge", PAIRS, data=tmp_path / "d", cache=str(tmp_path / "c"))
        assert len(wire.received) == 2
    assert checked["test"] == {
        "synonym": Confusion(both=0, left_only=0, right_only=1, neither=0),
        "antonym": Confusion(both=0, left_only=1, right_only=0, neither=0),
    }
    assert checked["tune"] == {"synonym": Confusion(both=1, left_only=0, right_only=0, neither=0)}


def test_there_is_nothing_to_compare_where_nothing_is_stored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no predictions that both exact and lexical have judged"):
        compare_judges(tmp_path, "exact", "lexical")
    judge = find_judge("exact")
    assert judge is not None
    with pytest.raises(InputError, match="holds no predictions of 'a' in the mode full; there are none"):
        compare_extractions(tmp_path, "a", "b", judge=judge, mode="full", seed=0)
