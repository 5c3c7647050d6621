"""Seeds given with a build need a place to be looked for and one domain to go to."""

import pytest
from pydantic import ValidationError

from schemas.settings import BuildSettings


@pytest.mark.parametrize("field", ["categories", "searches", "articles"])
@pytest.mark.parametrize(
    ("source", "domains", "problem"),
    [
        ("samples", ("health",), "looked for in wikipedia or dump:PATH, not in samples"),
        ("folder:texts", ("health",), "looked for in wikipedia or dump:PATH, not in folder:texts"),
        ("wikipedia", (), "make up one domain"),
        ("wikipedia:de", ("health", "society"), "make up one domain"),
    ],
)
def test_seeds_that_nobody_looks_for_or_that_go_nowhere_are_refused(
    field: str, source: str, domains: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(ValidationError, match=problem):
        BuildSettings.model_validate({"source": source, "domains": domains, field: ("Fever",)})


@pytest.mark.parametrize("source", ["wikipedia", "wikipedia:de", "dump:wiki.xml"])
def test_seeds_are_taken_by_the_sources_that_have_them(source: str) -> None:
    assert BuildSettings(source=source, domains=("health",), articles=("Flu",)).articles == ("Flu",)
