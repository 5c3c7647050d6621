"""Nothing in a cell becomes markup."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tasks.markdown import escape, to_table


@given(st.text())
def test_escaped_text_renders_as_one_paragraph_without_any_tag(text: str) -> None:
    html = MarkdownIt("commonmark").render("x " + escape(text) + " x")
    inner = html.removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in inner


@given(st.text(), st.sampled_from(["- ", "1. ", "# ", "> ", "---", "www.x.org ", "http://x.org ", "+ ", "12) "]))
def test_escaped_text_is_a_paragraph_where_a_line_begins_with_it_too(text: str, start: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(escape(start + text))
    assert html.startswith("<p>") or not escape(start + text)
    assert "<" not in html.removeprefix("<p>").removesuffix("</p>\n")


def test_numbers_and_names_of_models_stay_readable() -> None:
    assert [escape(text) for text in ("0.667 [0.5, 1.0]", "baseline:rules", "-0.5", "10-20%")] == [
        r"0.667 \[0.5, 1.0\]",
        "baseline:rules",
        "-0.5",
        "10-20%",
    ]


def test_a_table_keeps_its_columns_whatever_the_cells_hold() -> None:
    table = to_table(("a", "b"), [("x | y", "<script>\n- z")])
    assert table.splitlines()[2] == r"| x \| y | \<script\> - z |"
