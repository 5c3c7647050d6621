"""The domains of the corpus and the seeds from which their articles are found.

The list is ``deployments/domains.yaml``; the environment variable PRISM_DOMAINS names another file::

    economics:
      - category: Economic crises      # the members of a category and of its direct subcategories
      - category: Recessions           # those of the category alone; 2 would go one level further down
        depth: 0
      - search: causes of inflation    # what a full-text search finds
      - article: Bank run              # one article, by its title

Seeds given with a run (``--category``, ``--search``, ``--article``) take the place of the list.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from schemas.errors import InputError
from schemas.settings import MAX_DEPTH, BuildSettings
from schemas.slugs import is_slug
from schemas.strict_yaml import read_yaml

DOMAINS_FILE = Path(__file__).resolve().parents[2] / "deployments" / "domains.yaml"

SeedKind = Literal["category", "search", "article"]

_KINDS = ("category", "search", "article")
_FORMS = "write 'category: NAME', 'search: WORDS' or 'article: TITLE'"
# No title has these; between two titles the bar would make a list of them.
_NOT_IN_TITLES = frozenset("#<>[]|{}")


@dataclass(frozen=True, slots=True)
class Seed:
    """Where to look for articles: in a category, by its name, by a search for words, or an article by its title.

    ``depth`` is how many levels of subcategories a category is followed down: 0 for none.
    """

    kind: SeedKind
    query: str
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Domain:
    """A part of the corpus: its name, which is a slug, and its seeds.

    ``is_strict`` says that an article must match a seed even where this is the only domain asked for.
    """

    name: str
    seeds: tuple[Seed, ...]
    is_strict: bool = False


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


def choose_domains(settings: BuildSettings, environment: Mapping[str, str] | None = None) -> tuple[Domain, ...]:
    """The domains that a build asks for: those of the list, or the one that its own seeds make up.

    Raises:
        InputError: the list or a seed is wrong, or a domain is not in the list.

    Example:
        >>> choose_domains(BuildSettings(source="wikipedia", domains=("power",), categories=("Energy",)))
        (Domain(name='power', seeds=(Seed(kind='category', query='Energy', depth=1),), is_strict=True),)
    """
    given: tuple[tuple[SeedKind, tuple[str, ...]], ...] = (
        ("category", settings.categories),
        ("search", settings.searches),
        ("article", settings.articles),
    )
    if any(queries for _, queries in given):
        [name] = settings.domains
        if not is_slug(name):
            raise InputError(f"--domain {name!r}: is not a slug (lower-case letters, digits and hyphens, letter first)")
        try:
            seeds = dict.fromkeys(_make_seed(kind, query) for kind, queries in given for query in queries)
        except ValueError as error:
            raise InputError(f"--{error}") from error
        domains = (Domain(name, tuple(seeds), is_strict=True),)
    else:
        domains = pick_domains(load_domains(environment=environment), settings.domains)
    depth = settings.category_depth
    return domains if depth is None else tuple(_set_depth(domain, depth) for domain in domains)


def _set_depth(domain: Domain, depth: int) -> Domain:
    return replace(domain, seeds=tuple(replace(seed, depth=depth) for seed in domain.seeds))


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
        if any((seed.kind, seed.query) == (other.kind, other.query) for other in seeds):
            raise ValueError(f"domain {name!r}, seed {number}: {seed.kind} {seed.query!r} is given twice")
        seeds.append(seed)
    return tuple(seeds)


def _to_seed(record: object) -> Seed:
    if not isinstance(record, dict):
        raise ValueError(_FORMS)  # noqa: TRY004 - the file is wrong, not a type
    fields = dict(cast(dict[str, object], record))
    depth = fields.pop("depth", None)
    unknown = [key for key in fields if key not in _KINDS]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; {_FORMS}")
    if len(fields) != 1:
        raise ValueError("give one category, search or article" if fields else _FORMS)
    [(kind, query)] = fields.items()
    if not isinstance(query, str):
        raise ValueError(f"{kind}: is empty or not a text")  # noqa: TRY004 - the file is wrong, not a type
    seed = _make_seed(cast(SeedKind, kind), query)
    if depth is None:
        return seed
    if kind != "category":
        raise ValueError(f"depth: a {kind} has none, only a category does")
    if depth not in [str(level) for level in range(MAX_DEPTH + 1)]:
        raise ValueError(f"depth: is not a number from 0 to {MAX_DEPTH}")
    return replace(seed, depth=int(str(depth)))


def _make_seed(kind: SeedKind, query: str) -> Seed:
    query = " ".join(query.replace("_", " ").split()) if kind != "search" else " ".join(query.split())
    query = query.removeprefix("Category:").strip() if kind == "category" else query
    if not query:
        raise ValueError(f"{kind}: is empty or not a text")
    wrong = _NOT_IN_TITLES.intersection(query) if kind != "search" else ()
    if wrong:
        raise ValueError(f"{kind}: {query!r} has a {min(wrong)!r}, which no title has")
    return Seed(kind, query)
