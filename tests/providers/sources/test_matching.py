"""An article belongs to the domain most of whose seeds it matches."""

import pytest

from providers.sources.domains import Domain, Seed
from providers.sources.matching import match_domain

MONEY = Domain("economics", (Seed("category", "Economic crises"), Seed("search", "growth of trade")))
WOODS = Domain(
    "environment", (Seed("category", "Deforestation"), Seed("category", "Logging"), Seed("category", "Water pollution"))
)


@pytest.mark.parametrize(
    ("title", "text", "categories", "domain"),
    [
        ("Slump", "", ["Economic crises"], "economics"),
        ("Slump", "", ["economic crisis in Asia"], "economics"),
        ("Slump", "", ["Water", "Pollution"], None),  # the words stand in different categories
        ("Angola", "", ["Economy of Angola"], "economics"),  # the domain's own name is a seed
        ("Trade", "It grew: the growth was fast.", [], "economics"),
        ("Barter", "It grew: the growth was fast.", [], None),
        ("Timber", "growth of trade", ["Logging", "Deforestation"], "environment"),  # two matches beat one
        ("Timber", "growth of trade", ["Logging"], "economics"),  # of equals the first
    ],
)
def test_domains_are_found_by_whole_seeds(title: str, text: str, categories: list[str], domain: str | None) -> None:
    assert match_domain((MONEY, WOODS), title, text, categories) == domain


OWN = Domain("economics", (Seed("category", "Economic crises", depth=0), Seed("article", "bank run")), is_strict=True)


@pytest.mark.parametrize(
    ("title", "categories", "is_taken"),
    [
        ("Slump", ["Economic crises"], True),
        ("Slump", ["Economic crises in Asia"], False),  # a category below it, and depth 0 says: none of those
        ("Angola", ["Economy of Angola"], False),  # the name of a strict domain is no seed
        ("Bank run", [], True),
        ("Bank runs", [], False),
    ],
)
def test_a_strict_domain_takes_what_its_seeds_say_and_nothing_else(
    title: str, categories: list[str], is_taken: bool
) -> None:
    assert (match_domain((OWN,), title, "", categories) is not None) == is_taken
