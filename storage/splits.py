"""Train, validation and test: 80, 10 and 10 in a hundred backbones, alike in every domain.

A backbone is assigned as a whole, so no two splits share an article. Which one it gets depends on a hash of its keys
and on the counts so far: adding articles later moves none that has a split.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256

from schemas.rows import SPLITS, BackboneKey, Split

QUOTAS: dict[Split, int] = {"train": 8, "test": 1, "validation": 1}
"""Parts of ten, in the order in which ties are broken."""


def assign_splits(existing: Mapping[BackboneKey, Split], new: Sequence[BackboneKey]) -> dict[BackboneKey, Split]:
    """Give every new backbone a split; those that have one keep it.

    The target of a split is its quota of all backbones, rounded by largest remainder. New backbones are taken in the
    order of the SHA-256 of ``domain/backbone``. Each gets, of the splits still below their target, the one that is
    furthest behind in the backbone's domain: the largest (t - n) / t, where n backbones of the domain have the split
    and t is its quota of the domain's backbones. Ties go to train, then test, then validation.

    Args:
        existing: the backbones that have a split.
        new: further backbones; any that exist already are passed over.

    Returns:
        The split of every backbone, existing and new.

    Raises:
        ValueError: an existing split is none of the three.

    Example:
        >>> key = BackboneKey("economics", "inflation")
        >>> assign_splits({}, [key])[key]
        'train'
    """
    if unknown := set(existing.values()) - set(SPLITS):
        raise ValueError(f"{min(unknown)!r} is not a split")
    splits = dict(existing)
    waiting = sorted(set(new) - set(existing), key=_to_hash)
    targets = _to_targets(len(splits) + len(waiting))
    counts = Counter(splits.values())
    have = Counter((key.domain, split) for key, split in splits.items())
    for key in waiting:
        # (t - n) / t = 1 - n / t, and 1 and the domain's size are the same for all: the smallest n / quota is meant.
        open_splits: list[Split] = [split for split in QUOTAS if counts[split] < targets[split]]
        split = min(open_splits, key=lambda split: Fraction(have[key.domain, split], QUOTAS[split]))
        splits[key] = split
        counts[split] += 1
        have[key.domain, split] += 1
    return splits


def _to_hash(key: BackboneKey) -> str:
    return sha256(f"{key.domain}/{key.backbone}".encode()).hexdigest()


def _to_targets(n_backbones: int) -> dict[Split, int]:
    """The quotas of a number of backbones in whole ones, by largest remainder."""
    whole = sum(QUOTAS.values())
    targets: dict[Split, int] = {split: n_backbones * quota // whole for split, quota in QUOTAS.items()}
    by_remainder = sorted(QUOTAS, key=lambda split: -(n_backbones * QUOTAS[split] % whole))
    for split in by_remainder[: n_backbones - sum(targets.values())]:
        targets[split] += 1
    return targets
