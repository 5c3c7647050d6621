"""The domains of the corpus and the seeds from which their articles are found.

The list is ``deployments/domains.yaml``; the environment variable PRISM_DOMAINS names another file::

    economics:
      - category: Economic crises      # the members of a category and of its direct subcategories
      - search: causes of inflation    # what a full-text search finds
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from schemas.errors import InputError
from schemas.slugs import is_slug
from schemas.strict_yaml import read_yaml

DOMAINS_FILE = Path(__file__).resolve().parents[2] / "deployments" / "domains.yaml"

_KINDS = ("category", "search")


@dataclass(frozen=True, slots=True)
class Seed:
    """Where to look for articles: in a category, by its name, or by a search for words."""

    kind: Literal["category", "search"]
    query: str


@dataclass(frozen=True, slots=True)
class Domain:
    """A part of the corpus: its name, which is a slug, and its seeds."""

    name: str
    seeds: tuple[Seed, ...]


def load_domains(path: Path | None = None, environment: Mapping[str, str] | None = None) -> tuple[Domain, ...]:
    """The domains of a file, in its order: ``path``, or the file PRISM_DOMAINS names, or ``deployments/domains.yaml``.

    Raises:
        InputError: the file cannot be read, or something in it is wrong; the text names the file and the field.

    Example:
        >>> [domain.name for domain in load_domains()]
        ['economics', 'environment', 'geopolitics', 'technology', 'society']
    """
    override = (os.environ if environment is None else environment).get("PRISM_DOMAINS", "").strip()
    path = path or (Path(override).expanduser() if override else DOMAINS_FILE)
    try:
        record = read_yaml(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"domain list {path}: cannot be read ({error.strerror})") from error
    except ValueError as error:  # UnicodeDecodeError is one
        raise InputError(f"domain list {path}: {error}") from error
    try:
        return _to_domains(record)
    except ValueError as error:
        raise InputError(f"domain list {path}: {error}") from error


def pick_domains(domains: Sequence[Domain], names: Sequence[str]) -> tuple[Domain, ...]:
    """The domains with these names, each once, in the order of the list; all where no name is given.

    Raises:
        InputError: a name is not in the list.
    """
    known = [domain.name for domain in domains]
    for name in names:
        if name not in known:
            raise InputError(f"unknown domain {name!r}: give one of {', '.join(known)}")
    return tuple(domain for domain in domains if not names or domain.name in names)


def _to_domains(record: object) -> tuple[Domain, ...]:
    if not isinstance(record, dict) or not record:
        raise ValueError("holds no domains; write 'NAME:' and below it a list of seeds")
    domains = cast(dict[str, object], record)
    for name in domains:
        if not is_slug(name):
            raise ValueError(
                f"domain {name!r}: is not a slug (lower-case letters, digits and hyphens, beginning with a letter)"
            )
    return tuple(Domain(name, _to_seeds(name, seeds)) for name, seeds in domains.items())


def _to_seeds(name: str, record: object) -> tuple[Seed, ...]:
    if not isinstance(record, list) or not record:
        raise ValueError(f"domain {name!r}: has no list of seeds; write '- category: NAME' or '- search: WORDS'")
    seeds: list[Seed] = []
    for number, item in enumerate(cast(list[object], record), start=1):
        try:
            seed = _to_seed(item)
        except ValueError as error:
            raise ValueError(f"domain {name!r}, seed {number}: {error}") from error
        if seed in seeds:
            raise ValueError(f"domain {name!r}, seed {number}: {seed.kind} {seed.query!r} is given twice")
        seeds.append(seed)
    return tuple(seeds)


def _to_seed(record: object) -> Seed:
    if not isinstance(record, dict):
        raise ValueError("write 'category: NAME' or 'search: WORDS'")  # noqa: TRY004 - the file is wrong, not a type
    fields = cast(dict[str, object], record)
    unknown = [key for key in fields if key not in _KINDS]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; write 'category: NAME' or 'search: WORDS'")
    if len(fields) != 1:
        raise ValueError("give either a category or a search, not both")
    [(kind, query)] = fields.items()
    if not isinstance(query, str) or not query.strip():
        raise ValueError(f"{kind}: is empty or not a text")
    return Seed(cast(Literal["category", "search"], kind), " ".join(query.split()))
