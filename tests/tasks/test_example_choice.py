"""Examples are spread over backbones, and the seed alone decides which."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.benchmark import BenchmarkSettings
from schemas.errors import InputError
from schemas.rows import BackboneKey
from tasks.example_choice import ChosenExample, choose_examples, spread
from tests.storage.corpora import write_corpus

EXAMPLES = [ChosenExample(BackboneKey("d", b), f"{b}-{i}", "text") for b in ("x", "y", "z") for i in range(5)]


@given(st.integers(1, 20), st.integers(0, 5), st.randoms(use_true_random=False))
def test_a_choice_is_even_and_does_not_depend_on_the_order_given(most: int, seed: int, random: st.DrawFn) -> None:
    shuffled = EXAMPLES.copy()
    random.shuffle(shuffled)  # pyright: ignore
    chosen = spread(shuffled, most, seed)
    assert chosen == spread(EXAMPLES, most, seed)
    assert len(chosen) == min(most, len(EXAMPLES))
    counts = Counter(item.key for item in chosen).values()
    assert max(counts) - min(counts) <= 1 or len(counts) < 3


def test_more_examples_include_the_fewer_and_another_seed_draws_others() -> None:
    few, many = set(spread(EXAMPLES, 3, 0)), set(spread(EXAMPLES, 9, 0))
    assert few < many
    assert {spread(EXAMPLES, 3, seed) for seed in range(9)} != {spread(EXAMPLES, 3, 0)}
    assert set(spread(EXAMPLES, None, 0)) == set(EXAMPLES)


def test_domain_and_split_choose_among_the_examples_of_a_corpus(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    chosen = choose_examples(BenchmarkSettings(data=str(tmp_path), domains=("society",)))
    assert {item.key.domain for item in chosen} == {"society"}
    assert {item.key.backbone for item in choose_examples(BenchmarkSettings(data=str(tmp_path), split="train"))} == {
        "river-floods"
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"domains": ("cooking",)}, "--domain cooking: is not in"),
        ({"split": "validation"}, "--split validation: has no examples"),
    ],
)
def test_what_the_corpus_lacks_is_refused(values: dict[str, object], message: str, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    with pytest.raises(InputError, match=message):
        choose_examples(BenchmarkSettings.model_validate({"data": str(tmp_path), **values}))


def test_an_empty_folder_holds_no_examples(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no examples"):
        choose_examples(BenchmarkSettings(data=str(tmp_path)))
