"""The sample articles are found from anywhere, unchanged, at least two in every domain."""

from hashlib import sha256
from pathlib import Path

import pytest

from providers.sources.domains import Domain, load_domains
from providers.sources.filters import ArticleFilters, clean_text
from providers.sources.samples import SAMPLES, Samples
from schemas.articles import Article
from schemas.errors import InputError

FILTERS = ArticleFilters()
ECONOMICS = (Domain("economics", ()),)
FRONT_MATTER = "---\ntitle: Bank runs\ndomain: economics\nlicence: CC0\nwritten: 2026-01-31\n---\n"


def test_every_sample_is_taken_and_every_domain_has_two_from_any_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    articles = list(Samples().find(load_domains(environment={}), 100, FILTERS))
    assert all(isinstance(article, Article) for article in articles)
    assert len(articles) == len(list(SAMPLES.glob("*.md"))) >= 10
    for domain in load_domains(environment={}):
        assert sum(article.domain == domain.name for article in articles) >= 2


def test_the_text_is_what_follows_the_front_matter_to_the_letter() -> None:
    for article in Samples().find(load_domains(environment={}), 100, FILTERS):
        assert isinstance(article, Article)
        path = SAMPLES / Path(article.url).name
        text = path.read_text("utf-8").split("---\n", 2)[2].strip()
        assert article.text == text == clean_text(text)
        assert article.sha256 == sha256(text.encode()).hexdigest()
        assert 150 <= article.words <= 300


def test_a_sample_is_cited_by_its_path_in_the_project_and_the_day_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "bank-runs.md").write_text(FRONT_MATTER + "\nFear spreads." + " word" * 80 + "\n\n", "utf-8")
    [article] = Samples(tmp_path).find(ECONOMICS, 10, FILTERS)
    assert isinstance(article, Article)
    assert article.text == "Fear spreads." + " word" * 80
    assert (article.url, article.revision, article.licence) == ("samples/articles/bank-runs.md", "", "CC0")
    assert (article.title, article.backbone) == ("Bank runs", "bank-runs")
    assert article.retrieved_at == "2026-01-31T00:00:00Z"


def test_the_limit_and_the_domains_are_kept() -> None:
    articles = list(Samples().find(ECONOMICS, 1, FILTERS))
    assert [article.domain for article in articles] == ["economics"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (FRONT_MATTER.replace("licence: CC0\n", ""), "front matter: licence is missing"),
        (FRONT_MATTER.replace("2026-01-31", "last week"), "front matter: written: 'last week' is not a date"),
        ("No fields.", "front matter: title is missing"),
        (FRONT_MATTER.replace("licence", "title"), "front matter: line 3: the key 'title' is given twice"),
        ("\udcff", "is not valid UTF-8"),
    ],
)
def test_a_broken_sample_is_an_input_error_that_names_file_and_field(
    tmp_path: Path, content: str, problem: str
) -> None:
    (tmp_path / "broken.md").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as caught:
        list(Samples(tmp_path).find(ECONOMICS, 10, FILTERS))
    assert str(caught.value).startswith(f"samples/articles/broken.md: {problem}")


def test_missing_samples_and_a_domain_without_any_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no articles"):
        list(Samples(tmp_path).find(ECONOMICS, 10, FILTERS))
    with pytest.raises(InputError, match="holds none of the domains asked for"):
        list(Samples().find((Domain("health", ()),), 10, FILTERS))
