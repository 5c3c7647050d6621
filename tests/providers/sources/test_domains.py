"""The domain list is the project's own, can be replaced, and says what is wrong with it."""

from pathlib import Path

import pytest

from providers.sources.domains import Domain, Seed, load_domains, pick_domains
from schemas.errors import InputError
from schemas.settings import DOMAINS


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
        ("a:\n  - search: c\n  - just words", "domain 'a', seed 2: write 'category: NAME' or"),
        ("a:\n  - search: c\n    category: d", "domain 'a', seed 1: give either"),
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
