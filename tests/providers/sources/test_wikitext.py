"""Wikitext becomes the prose a reader sees; nothing of the markup is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.sources.wikitext import (
    cut_lead,
    drop_notes,
    find_categories,
    has_formulas,
    is_disambiguation,
    is_list,
    tidy_prose,
    to_prose,
)


@pytest.mark.parametrize(
    ("wikitext", "prose"),
    [
        ("'''Rain''' is ''liquid'' [[water (liquid)|water]] from [[cloud]]s.", "Rain is liquid water from clouds."),
        ('Rain falls.<ref name="a">{{cite web|url=http://a.b}}</ref><ref name="b"/>', "Rain falls."),
        ("{{Infobox rain\n| name = Rain\n| kind = {{nowrap|wet}}\n}}\nRain falls.", "Rain falls."),
        ('{| class="wikitable"\n|-\n! A !! B\n|-\n| 1 || 2\n|}\nRain falls.', "Rain falls."),
        ("[[File:A.png|thumb|200px|A [[cloud]].]]\nRain falls.[[Category:Rain|*]][[de:Regen]]", "Rain falls."),
        ("<!-- hidden -->Rain<br />falls<sup>2</sup> <small>hard</small>.", "Rain\nfalls2 hard."),
        (":''For other uses, see [[Rain (song)]].''\nRain falls.", "Rain falls."),
        ("__NOTOC__\nRain falls in [http://a.b the north] http://c.d.", "Rain falls in the north."),
        ("AT&amp;T&nbsp;pays &ndash; much.", "AT&T pays – much."),
        ("Kinds:\n* [[drizzle]]\n* ''sleet''\n# hail", "Kinds:\ndrizzle\nsleet\nhail"),
        ("Rain falls.<REF>Note</REF> <references /><references>\n<ref name=a>b</ref></references>", "Rain falls."),
        ("The sum <math>x^2</math> is big. <gallery>A.png|B</gallery>", "The sum is big."),
        ("[[:Category:Rain]] is linked, [[wikt:rain]] too.", "Category:Rain is linked, wikt:rain too."),
        ("<nowiki>[not a link]</nowiki> is shown.", "[not a link] is shown."),
    ],
)
def test_each_kind_of_markup_is_resolved_or_left_out(wikitext: str, prose: str) -> None:
    assert to_prose(wikitext) == prose


@pytest.mark.parametrize(
    ("wikitext", "prose"),
    [
        ("It is {{convert|5|km|mi}} long.", "It is 5 km long."),
        ("It is {{convert|5|to|9|km}} long.", "It is 5 to 9 km long."),
        ("{{As of|2015|6|30}}, and {{as of|2014|lc=y}}.", "As of 30 June 2015, and as of 2014."),
        ("A {{lang|fr|mot}} or {{lang-la|verbum}} of {{nowrap|two words}}.", "A mot or verbum of two words."),
        ("It is {{nowrap|1=''E'' = 2}} {{large|{{sc|bc}}}}{{nowrap|2=b}}.", "It is E = 2 bc."),
        ("Long{{snd}}and{{nbsp}}short, {{circa|1900}}{{citation needed|date=May 2020}}.", "Long – and short, c. 1900."),
    ],
)
def test_templates_that_stand_for_words_are_replaced_by_them(wikitext: str, prose: str) -> None:
    assert to_prose(wikitext) == prose


@pytest.mark.parametrize(
    ("wikitext", "prose"),
    [
        ("'''Rain''' ({{IPAc-en|r|eI|n}}) falls.", "Rain falls."),
        ("'''Rain''' ({{IPAc-en|r}}; {{respell|rain}}) falls.", "Rain falls."),
        ("'''Rain''' ({{IPAc-en|r}} or {{IPAc-en|s}}, pronounced {{IPA|x}}) falls.", "Rain falls."),
        ("'''Rain''' ({{IPAc-en|r}}; {{lang|la|pluvia}}; born 1900) falls.", "Rain (pluvia; born 1900) falls."),
        ("'''Rain''' (from Latin ({{IPA|x}}) pluvia) falls.", "Rain (from Latin pluvia) falls."),
        ("Rain {{x}}, snow {{x}}; {{x}}, hail {{x}}.", "Rain, snow; hail."),
        ("Rain (also called ''(wet) weather'') falls.", "Rain (also called (wet) weather) falls."),
    ],
)
def test_what_a_removed_pronunciation_leaves_behind_is_removed_too(wikitext: str, prose: str) -> None:
    assert to_prose(wikitext) == prose


@pytest.mark.parametrize(
    "wikitext",
    [
        *(
            "Rain {{falls.",
            "Rain [[falls.",
            "Rain falls}} now.",
            "<div>Rain",
            "{| Rain",
            "Rain <ref>falls.",
            "<!-- Rain",
        ),
        # These would keep the parser busy for minutes.
        *("<ref>" * 30_000, "{{a|" * 30_000, "{|\n" * 30_000, "<b>" * 30_000),
    ],
)
def test_broken_markup_is_refused_instead_of_shown(wikitext: str) -> None:
    with pytest.raises(ValueError, match="has broken markup"):
        to_prose(wikitext)


@given(st.text(st.sampled_from("[]{}|<>'=*#:!-/ref\n ab&;()"), max_size=80))
def test_whatever_the_wikitext_the_result_is_free_of_markup_or_it_is_refused(wikitext: str) -> None:
    try:
        prose = to_prose(wikitext)
    except ValueError as error:
        assert "has broken markup" in str(error)  # noqa: PT017 - both outcomes are right
    else:
        assert not any(mark in prose for mark in ("{{", "}}", "[[", "]]", "{|", "<ref"))


def test_tidying_twice_is_tidying_once() -> None:
    once = tidy_prose("Rain ( ; , listen) falls , mostly ((wet) spring; ).\n\n\n.\n\nAnd snow.")
    assert once == "Rain falls, mostly ((wet) spring).\n\nAnd snow." == tidy_prose(once)


@pytest.mark.parametrize(
    ("wikitext", "lead"),
    [
        ("Lead.\n== One ==\nNo.", "Lead.\n"),
        ("Lead.\n===Two===  \nNo.", "Lead.\n"),
        ("{{Box\n| a = b\n}}\nLead = all.\n", "{{Box\n| a = b\n}}\nLead = all.\n"),
        ("== One ==\nNo.", ""),
    ],
)
def test_the_lead_ends_at_the_first_heading(wikitext: str, lead: str) -> None:
    assert cut_lead(wikitext) == lead


def test_categories_are_found_in_any_spelling_and_under_the_wikis_own_prefix() -> None:
    wikitext = "[[Category:Rain|*]] [[ category : Heavy_rain ]] [[:Category:Linked]] [[Kategorie:Regen]]"
    assert find_categories(wikitext) == ("Rain", "Heavy rain")
    assert find_categories(wikitext, ("category", "kategorie")) == ("Rain", "Heavy rain", "Regen")


def test_references_and_comments_are_dropped() -> None:
    assert drop_notes('a<ref name="x"/>b<ref>long\nnote</ref>c<!-- no -->d<references/>') == "abcd<references/>"


@pytest.mark.parametrize(
    ("wikitext", "verdict"),
    [
        ("{{disambiguation}}", True),
        ("{{ Hndis|name=Ada}}", True),
        ("{{disambig|geo|surname}}", True),
        ("{{disambiguation needed|date=May}}", False),
        ("[[Ada (disambiguation)]]", False),
    ],
)
def test_a_disambiguation_page_is_known_by_its_template(wikitext: str, verdict: bool) -> None:
    assert is_disambiguation(wikitext) == verdict


def test_a_lead_is_a_list_if_its_items_outweigh_its_prose() -> None:
    items = "* one small river\n" * 5
    assert is_list("Rivers:\n" + items)
    assert not is_list("Rivers are many and varied, " * 5 + "\n" + items)
    assert not is_list("Rivers:\n" + "* one small river\n" * 4)


def test_a_heading_with_a_comment_behind_it_ends_the_lead() -> None:
    assert cut_lead("Rain.\n== Kinds == <!-- please sort -->\nMany.") == "Rain.\n"


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [("It is <math>x</math>.", True), ("It is <CHEM>x</CHEM>.", True), ("It is.<ref><math>x</math></ref>", False)],
)
def test_formulas_count_where_a_reader_would_miss_them(wikitext: str, expected: bool) -> None:
    assert has_formulas(wikitext) == expected
