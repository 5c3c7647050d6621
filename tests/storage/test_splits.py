"""Splits are 80/10/10, alike in every domain, stable, and never change once given."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import SPLITS, BackboneKey, Split
from schemas.settings import DOMAINS
from storage.splits import assign_splits

keys = st.builds(BackboneKey, st.sampled_from(["d0", "d1", "d2"]), st.integers(0, 60).map(lambda i: f"b{i}"))


def to_keys(per_domain: int) -> list[BackboneKey]:
    return [BackboneKey(domain, f"article-{i}") for domain, i in product(DOMAINS, range(per_domain))]


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        # 0.8 n, 0.1 n and 0.1 n rounded by largest remainder; ties go to train, then test, then validation.
        (1, (1, 0, 0)),  # remainders 0.8, 0.1, 0.1
        (2, (2, 0, 0)),  # 1.6, 0.2, 0.2: the one left goes to train
        (5, (4, 1, 0)),  # 4, 0.5, 0.5: a tie between test and validation
        (7, (5, 1, 1)),  # 5.6, 0.7, 0.7: the two left go to the larger remainders
        (10, (8, 1, 1)),
        (100, (80, 10, 10)),
    ],
)
def test_the_corpus_is_shared_out_by_largest_remainder(n: int, expected: tuple[int, int, int]) -> None:
    counts = Counter(assign_splits({}, [BackboneKey("economics", f"b{i}") for i in range(n)]).values())
    assert (counts["train"], counts["test"], counts["validation"]) == expected


def test_two_articles_in_each_of_five_domains_give_eight_one_and_one() -> None:
    assert Counter(assign_splits({}, to_keys(2)).values()) == {"train": 8, "test": 1, "validation": 1}


def test_every_domain_gets_its_own_eighty_ten_and_ten_where_that_comes_out_even() -> None:
    splits = assign_splits({}, to_keys(10))
    for domain in DOMAINS:
        assert Counter(split for key, split in splits.items() if key.domain == domain) == {
            "train": 8,
            "test": 1,
            "validation": 1,
        }


@given(st.sets(keys), st.randoms())
def test_the_order_in_which_backbones_come_does_not_matter(new: set[BackboneKey], random: Random) -> None:
    ordered = sorted(new)
    shuffled = list(ordered)
    random.shuffle(shuffled)
    assert assign_splits({}, ordered) == assign_splits({}, shuffled)


@given(st.dictionaries(keys, st.sampled_from(SPLITS)), st.lists(keys))
def test_what_is_assigned_stays_and_everything_new_gets_a_split(
    existing: dict[BackboneKey, Split], new: list[BackboneKey]
) -> None:
    splits = assign_splits(existing, new)
    assert set(splits) == set(existing) | set(new)
    assert {key: splits[key] for key in existing} == existing
    assert set(splits.values()) <= set(SPLITS)


@given(st.sets(keys, min_size=1))
def test_no_split_is_further_from_its_quota_than_rounding_makes_it(new: set[BackboneKey]) -> None:
    counts = Counter(assign_splits({}, sorted(new)).values())
    assert abs(counts["train"] - 0.8 * len(new)) < 1
    assert abs(counts["test"] - 0.1 * len(new)) < 1
    assert abs(counts["validation"] - 0.1 * len(new)) < 1


def test_a_corpus_that_grows_one_article_at_a_time_ends_near_its_quotas() -> None:
    splits: dict[BackboneKey, Split] = {}
    for key in to_keys(20):
        splits = assign_splits(splits, [key])
    # Early roundings favour train and are never undone, but the targets catch up: 80, 10 and 10 of 100.
    assert Counter(splits.values()) == {"train": 80, "test": 10, "validation": 10}


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(ValueError, match="'dev' is not a split"):
        assign_splits({BackboneKey("d", "b"): "dev"}, [])  # pyright: ignore[reportArgumentType]
