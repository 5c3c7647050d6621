"""Markup that would kill the process or keep the parser busy for minutes is refused before it is parsed."""

import pytest

from providers.sources.markup_limits import MAX_WIKITEXT, refuse_costly_markup, refuse_length
from providers.sources.wikitext import to_prose


@pytest.mark.parametrize(
    "wikitext",
    [
        *("=a" * 95_000, "= " * 95_000, "Rain.\n" + "=a" * 5_000),  # descends once a sign
        *("[http://a " * 20_000, "[//a " * 8_000, "]" * 20_000 + "[//a " * 8_000, "}}" * 9_000 + "{{a|" * 9_000),
        *(":" * 190_000 + "x", "* a\n" * 40_000, ";a:b\n" * 40_000, "'''a''b" * 25_000, "{|\n|a\n|}\n" * 20_000),
        *("<b a=)" * 1_500, ("a" * 50 + "<b>") * 1_500, "{{" * 9_000 + "}}" * 9_000, "{{{" * 9_000 + "}}}" * 9_000),
        *("&a" * 90_000, "\n----" * 30_000),
    ],
    ids=lambda wikitext: repr(wikitext[:12]),
)
def test_costly_markup_is_refused(wikitext: str) -> None:
    with pytest.raises(ValueError, match=r"broken markup|pieces of markup"):
        refuse_costly_markup(wikitext)
    with pytest.raises(ValueError, match=r"broken markup|pieces of markup"):
        to_prose(wikitext)


@pytest.mark.parametrize(
    "wikitext",
    [
        "{{Infobox\n" + "| name = [[Rain]]\n" * 1_500 + "}}\nRain falls.",
        "".join(f"* [[Rain {n}]], ''wet''<br>\n" for n in range(1_500)),
        "It is in [0, 1) for [http://a.b all]. " * 60,
        "== " + "a = b " * 100 + " ==",
        "Rain falls: it is wet; " * 8_000,
    ],
    ids=lambda wikitext: repr(wikitext[:12]),
)
def test_what_long_articles_have_is_let_pass(wikitext: str) -> None:
    refuse_costly_markup(wikitext)


def test_the_length_is_limited() -> None:
    refuse_length("a" * MAX_WIKITEXT)
    with pytest.raises(ValueError, match="has 200,001 characters of markup in one piece; at most 200,000"):
        to_prose("a" * (MAX_WIKITEXT + 1))


def test_brackets_within_brackets_are_tidied_in_bounded_time() -> None:
    assert to_prose("a (" * 20_000 + "b" + ")" * 20_000).startswith("a (a (a (")
