"""The domain list is the project's own, can be replaced, and says what is wrong with it."""

from pathlib import Path

import pytest

from providers.sources.domains import Domain, Seed, choose_domains, load_domains, pick_domains
from schemas.errors import InputError
from schemas.settings import DOMAINS, BuildSettings


def test_the_projects_list_has_five_domains_with_five_seeds_each() -> None:
    domains = load_domains(environment={})
    assert tuple(domain.name for domain in domains) == DOMAINS
    assert [len(domain.seeds) for domain in domains] == [5] * 5


def test_the_two_categories_named_in_the_paper_are_seeds() -> None:
    seeds = {domain.name: domain.seeds for domain in load_domains(environment={})}
    assert Seed("category", "Economic crises") in seeds["economics"]
    assert Seed("category", "Deforestation") in seeds["environment"]


def test_the_environment_names_another_list(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("health:\n  - search: spread of  disease\n", "utf-8")
    assert load_domains(environment={"PRISM_DOMAINS": str(path)}) == (
        Domain("health", (Seed("search", "spread of disease"),)),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "holds no domains"),
        ("- a", "holds no domains"),
        ("a:\n", "domain 'a': has no list of seeds"),
        ("a: []", "domain 'a': has no list of seeds"),
        ("a:\n  category: b", "domain 'a': has no list of seeds"),
        ("A b:\n  - search: c", "domain 'A b': is not a slug"),
        ("null:\n  - search: c", "domain 'null': is not a slug"),
        ("a:\n  - search: c\na:\n  - search: d", "line 3: the key 'a' is given twice"),
        ("a:\n  - search: c\n    search: d", "line 3: the key 'search' is given twice"),
        ("a:\n  - seek: c", "domain 'a', seed 1: unknown key 'seek'"),
        (
            "a:\n  - search: c\n  - just words",
            "domain 'a', seed 2: write 'category: NAME', 'search: WORDS' or 'article: TITLE'",
        ),
        ("a:\n  - search: c\n    category: d", "domain 'a', seed 1: give one category, search or article"),
        ("a:\n  - depth: 1", "domain 'a', seed 1: write 'category: NAME', 'search: WORDS' or 'article: TITLE'"),
        ("a:\n  - search: c\n    depth: 1", "domain 'a', seed 1: depth: a search has none, only a category does"),
        ("a:\n  - category: c\n    depth: 6", "domain 'a', seed 1: depth: is not a number from 0 to 5"),
        ("a:\n  - category: c\n    depth: -1", "domain 'a', seed 1: depth: is not a number from 0 to 5"),
        ("a:\n  - category: c\n    depth: deep", "domain 'a', seed 1: depth: is not a number from 0 to 5"),
        ("a:\n  - category: c\n  - category: c\n    depth: 2", "domain 'a', seed 2: category 'c' is given twice"),
        ("a:\n  - article: b|c", "domain 'a', seed 1: article: 'b|c' has a '|', which no title has"),
        ("a:\n  - search:", "domain 'a', seed 1: search: is empty"),
        ("a:\n  - category: [b]", "domain 'a', seed 1: category: is empty or not a text"),
        ("a:\n  - search: c\n  - search: c", "domain 'a', seed 2: search 'c' is given twice"),
        ("a: [", "line 1: "),
    ],
)
def test_what_is_wrong_is_named_with_file_and_field(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "domains.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load_domains(path)
    assert str(caught.value).startswith(f"domain list {path}: {problem}")
    assert "\n" not in str(caught.value)


def test_a_list_that_is_missing_or_no_utf8_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_domains(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"bad\.yaml: 'utf-8' codec"):
        load_domains(tmp_path / "bad.yaml")


def test_domains_are_picked_by_name_once_and_in_the_order_of_the_list() -> None:
    domains = tuple(Domain(name, ()) for name in "abc")
    assert [domain.name for domain in pick_domains(domains, ("c", "a", "c"))] == ["a", "c"]
    assert pick_domains(domains, ()) == domains
    with pytest.raises(InputError, match="unknown domain 'd': give one of a, b, c"):
        pick_domains(domains, ("d",))


def test_a_seed_says_how_deep_a_category_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "domains.yaml"
    path.write_text("a:\n  - category: b\n  - category: Category:c_d\n    depth: 0\n  - article: e_f\n", "utf-8")
    assert load_domains(path)[0].seeds == (Seed("category", "b", 1), Seed("category", "c d", 0), Seed("article", "e f"))


def test_seeds_given_with_a_run_make_up_a_domain_of_any_name() -> None:
    settings = BuildSettings(
        source="wikipedia", domains=("health",), categories=("Fever", "Fever"), searches=("a|b",), articles=("Flu",)
    )
    seeds = (Seed("category", "Fever"), Seed("search", "a|b"), Seed("article", "Flu"))
    assert choose_domains(settings, {}) == (Domain("health", seeds, is_strict=True),)


def test_without_seeds_of_its_own_a_run_takes_those_of_the_list() -> None:
    assert choose_domains(BuildSettings(domains=("society",)), {}) == pick_domains(
        load_domains(environment={}), ("society",)
    )


def test_the_depth_given_with_a_run_is_that_of_every_category() -> None:
    [domain] = choose_domains(BuildSettings(domains=("society",), category_depth=3), {})
    assert {seed.depth for seed in domain.seeds if seed.kind == "category"} == {3}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"domains": ("Big one",), "categories": ("Fever",)}, "--domain 'Big one': is not a slug"),
        ({"domains": ("health",), "categories": ("a[b",)}, r"--category: 'a\[b' has a '\[', which no title has"),
        ({"domains": ("health",), "searches": (" ",)}, "--search: is empty"),
    ],
)
def test_a_seed_given_with_a_run_that_cannot_be_one_is_refused(given: dict[str, tuple[str, ...]], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        choose_domains(BuildSettings.model_validate({"source": "wikipedia", **given}), {})
