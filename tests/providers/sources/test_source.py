"""A specification opens a source or says in one line what is wrong with it."""

from pathlib import Path

import pytest

from providers.sources.source import open_source
from schemas.errors import InputError


def test_each_kind_of_source_is_opened(tmp_path: Path) -> None:
    (tmp_path / "dump.xml").write_text("<mediawiki/>")
    specs = ("samples", f"folder:{tmp_path}", f"dump:{tmp_path}/dump.xml", "wikipedia", "wikipedia:de")
    environment = {"PRISM_CONTACT": "me@example.org"}
    kinds = [type(open_source(spec, environment)).__name__ for spec in specs]
    assert kinds == ["Samples", "Folder", "Dump", "Wikipedia", "Wikipedia"]


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("gopher", "source 'gopher' is unknown: give samples, folder:PATH, wikipedia, wikipedia:LANGUAGE or dump:PATH"),
        ("", "source '' is unknown"),
        ("samples:here", "source 'samples:here' is unknown ('samples' takes no path)"),
        ("folder", "source 'folder': the path is missing; write folder:PATH"),
        ("dump: ", "source 'dump: ': the path is missing; write dump:PATH"),
        ("folder:/no/such/place", "source folder:/no/such/place: does not exist; give a folder"),
        (f"folder:{__file__}", f"source folder:{__file__}: is not a folder"),
        ("dump:/no/such.xml", "source dump:/no/such.xml: does not exist; give a MediaWiki export"),
        ("dump:/", "source dump:/: is not a file"),
        ("wikipedia", "source wikipedia: PRISM_CONTACT is not set"),
        ("wikipedia:", "source 'wikipedia:': the language is missing; write wikipedia or, for example, wikipedia:de"),
    ],
)
def test_what_is_wrong_with_a_specification_is_said_in_one_line(spec: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        open_source(spec, {})
    assert str(caught.value).startswith(problem)
    assert "\n" not in str(caught.value)
