"""Front matter and Markdown give fields, a heading and prose; what is wrong with a file is said in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.sources.documents import MAX_MARKDOWN, decode_text, read_markdown, read_sections, split_front_matter


def test_front_matter_gives_its_plain_fields_and_the_rest_is_the_body() -> None:
    document = split_front_matter("---\ntitle: 1984\ntags: [a, b]\n---\n\nText.\n---\nMore.\n")
    assert document.fields == {"title": "1984"}
    assert document.body == "\nText.\n---\nMore.\n"


@pytest.mark.parametrize("text", ["No fields.", "\n---\na: b\n---\n", "--- a: b", "---\na: b\n", "----\n----\n"])
def test_a_text_that_does_not_begin_with_closed_front_matter_is_all_body(text: str) -> None:
    document = split_front_matter(text)
    assert (dict(document.fields), document.body) == ({}, text)


def test_empty_front_matter_has_no_fields() -> None:
    assert split_front_matter("---\n---\nText.") == split_front_matter("Text.")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: 1\na: 2\n---\n", "front matter: line 2: the key 'a' is given twice"),
        ("---\njust words\n---\n", "front matter: is not of the form 'name: value'"),
        ("---\na: [\n---\n", "front matter: line "),
    ],
)
def test_broken_front_matter_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        split_front_matter(text)


def test_bytes_that_are_no_utf8_are_refused_with_their_place() -> None:
    with pytest.raises(ValueError, match=r"is not valid UTF-8 \(byte 0xe9 at 3\); save it as UTF-8"):
        decode_text(b"caf\xe9")


def test_line_ends_and_the_byte_order_mark_are_normalised() -> None:
    assert decode_text(b"\xef\xbb\xbfone\r\ntwo\rthree\n") == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("markdown", "heading", "prose"),
    [
        ("# Rain\n\nIt falls.\n\nIt flows.\n\n## More\n\nNo.", "Rain", "It falls.\n\nIt flows."),
        ("Rain\n====\n\nIt falls.", "Rain", "It falls."),
        ("It falls.\n\n# Rain\n\nNo.", "", "It falls."),
        ("It falls.\nIt flows.", "", "It falls. It flows."),
        ("# Rain\n\n## Introduction\n\nIt falls.\n\n## More\n\nNo.", "Rain", "It falls."),
        ("It *falls* **hard** from [clouds](http://a.b) `often`.", "", "It falls hard from clouds often."),
        ("It falls:\n\n- on land\n- at *sea*\n\n1. now", "", "It falls:\n\non land\n\nat sea\n\nnow"),
        ("> It falls.", "", "It falls."),
        ("It falls.\n\n```python\nprint()\n```\n\n    code\n\n<div>html</div>\n", "", "It falls."),
        ("It falls.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter.", "", "It falls.\n\nAfter."),
        ("![A cloud](cloud.png)\n\nIt <b>falls</b>.", "", "It falls."),
        ("AT&amp;T pays \\*much\\*.", "", "AT&T pays *much*."),
        ("", "", ""),
    ],
)
def test_markdown_becomes_a_heading_and_the_first_prose_no_heading_interrupts(
    markdown: str, heading: str, prose: str
) -> None:
    lead = read_markdown(markdown)
    assert (lead.heading, lead.text) == (heading, prose)


def test_sections_have_their_headings_as_lines_and_no_references() -> None:
    markdown = (
        "# Rain\n\nIt falls.\n\n## Kinds\n\n### Small\n\nDrizzle.\n\n- fine\n\n### Big\n\nShower.\n\n"
        "## References\n\nA.\n\n### Web\n\nB.\n\n## Use\n\n| a |\n|---|\n\n## Cost\n\nNone."
    )
    assert read_sections(markdown) == "Kinds\n\nSmall\n\nDrizzle.\n\nfine\n\nBig\n\nShower.\n\nCost\n\nNone."
    assert read_sections("# Rain\n\nIt falls.") == ""


def test_a_long_text_gives_its_lead_if_a_heading_ends_it_and_is_refused_if_none_does() -> None:
    tail = "word " * MAX_MARKDOWN
    assert read_markdown(f"Short lead.\n\n# Next\n\n{tail}").text == "Short lead."
    with pytest.raises(ValueError, match=r"has no heading that ends its lead within the first 200,000 of 1,000,000"):
        read_markdown(tail)


@given(st.text(st.sampled_from("# *_`[]()<>|-\n\\a!&;:"), max_size=60))
def test_no_markdown_makes_reading_fail(text: str) -> None:
    assert isinstance(read_markdown(text).text, str)
