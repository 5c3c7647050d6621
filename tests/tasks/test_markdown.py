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


def test_a_table_keeps_its_columns_whatever_the_cells_hold() -> None:
    table = to_table(("a", "b"), [("x | y", "<script>\n- z")])
    assert table.splitlines()[2] == r"| x \| y | \<script\> \- z |"
