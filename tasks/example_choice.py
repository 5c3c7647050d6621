"""Which examples of a corpus a benchmark reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, islice, zip_longest
from pathlib import Path

from schemas.benchmark import BenchmarkSettings
from schemas.errors import InputError
from schemas.rows import BackboneKey
from storage.records import read_texts


@dataclass(frozen=True, slots=True)
class ChosenExample:
    """An example to read: its text, and nothing of the network that it was written from."""

    key: BackboneKey
    example: str
    text: str


def choose_examples(settings: BenchmarkSettings) -> tuple[ChosenExample, ...]:
    """The examples of the settings' domains and split, at most as many as asked for, by backbone.

    Raises:
        InputError: the corpus has no such examples.
    """
    data = Path(settings.data)
    known: set[str] = set()
    found: list[ChosenExample] = []
    for row in read_texts(data):
        known.add(row.key.domain)
        if (not settings.domains or row.key.domain in settings.domains) and settings.split in {"all", row.split}:
            found.append(ChosenExample(row.key, row.example, row.text))
    if not known:
        raise InputError(f"--data {data}: holds no examples; build a corpus first, or import one")
    for domain in settings.domains:
        if domain not in known:
            raise InputError(f"--domain {domain}: is not in {data}; there are {', '.join(sorted(known))}")
    if not found:
        where = f"{data}, domain {', '.join(settings.domains)}" if settings.domains else f"{data}"
        raise InputError(f"--split {settings.split}: has no examples in {where}")
    return spread(found, settings.examples, settings.seed)


def spread(examples: Iterable[ChosenExample], most: int | None, seed: int) -> tuple[ChosenExample, ...]:
    """At most so many examples, one backbone after another, in an order that only the seed and their ids decide.

    Example:
        >>> names = [ChosenExample(BackboneKey("d", b), f"{b}-{i}", "") for b in "xy" for i in range(3)]
        >>> sorted(item.key.backbone for item in spread(names, 4, seed=0))
        ['x', 'x', 'y', 'y']
    """
    by_backbone: dict[BackboneKey, list[ChosenExample]] = {}
    for item in sorted(examples, key=lambda item: _draw(item.example, seed)):
        by_backbone.setdefault(item.key, []).append(item)
    turns = chain.from_iterable(zip_longest(*(by_backbone[key] for key in sorted(by_backbone))))
    chosen = islice((item for item in turns if item is not None), most)
    return tuple(sorted(chosen, key=lambda item: (item.key, item.example)))


def _draw(example: str, seed: int) -> str:
    return sha256(f"{seed} {example}".encode()).hexdigest()
