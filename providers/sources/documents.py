"""Reading an article's file: front matter, and Markdown as prose.

Front matter is YAML between two lines of three hyphens at the very top::

    ---
    title: Terraced fields
    domain: environment
    ---
    The text begins here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from providers.sources.sections import Section, join_sections
from schemas.strict_yaml import read_yaml

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_MARKDOWN = 200_000
"""Characters of Markdown looked at; a lead that is longer is not taken."""

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<yaml>.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MAX_FRONT_MATTER = 10_000
_TEXT_TOKENS = {"text": None, "code_inline": None, "softbreak": " ", "hardbreak": " "}


@dataclass(frozen=True, slots=True)
class Document:
    """A file's front matter (its plain text fields) and what follows it."""

    fields: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, with its level, or a paragraph, whose level is 0."""

    level: int
    words: str


@dataclass(frozen=True, slots=True)
class Lead:
    """A document's first heading, empty where it has none, and its lead as prose."""

    heading: str
    text: str


def decode_text(data: bytes) -> str:
    """The text of a file, with line feeds as line ends and without a byte order mark.

    Raises:
        ValueError: the bytes are not UTF-8; the text says where.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"is not valid UTF-8 (byte 0x{data[error.start]:02x} at {error.start:,}); save it as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split_front_matter(text: str) -> Document:
    r"""The front matter of a text and the rest; a text without any is all body.

    Raises:
        ValueError: the front matter is not a YAML mapping; the text is one line.

    Example:
        >>> split_front_matter("---\ntitle: Rain\n---\nIt fell.")
        Document(fields={'title': 'Rain'}, body='It fell.')
    """
    match = _FRONT_MATTER.match(text, 0, _MAX_FRONT_MATTER)
    if match is None:
        return Document({}, text)
    try:
        record = read_yaml(match["yaml"])
    except ValueError as error:
        raise ValueError(f"front matter: {error}") from error
    if not isinstance(record, dict):
        if match["yaml"].strip():
            raise ValueError("front matter: is not of the form 'name: value'")
        record = {}
    fields = {name: value for name, value in cast(dict[str, object], record).items() if isinstance(value, str)}
    return Document(fields, text[match.end() :])


def read_markdown(text: str) -> Lead:
    r"""A Markdown text's first heading and its lead.

    The lead is the first prose that no heading interrupts: what stands before the first heading or, where the text
    begins with its title, between that and the next. Emphasis, links and list marks are resolved to their words; code,
    tables, images and HTML are left out.

    Raises:
        ValueError: the lead is longer than can be looked at.

    Example:
        >>> read_markdown("# Rain\n\nRain *falls* from [clouds](c.md).\n\n## Kinds\n\nMany.")
        Lead(heading='Rain', text='Rain falls from clouds.')
    """
    heading = ""
    paragraphs: list[str] = []
    for block in _read_blocks(text[:MAX_MARKDOWN]):
        if not block.level:
            paragraphs.append(block.words)
        elif paragraphs:
            return Lead(heading, "\n\n".join(paragraphs))
        else:
            heading = heading or block.words
    if len(text) > MAX_MARKDOWN:
        raise ValueError(
            f"has no heading that ends its lead within the first {MAX_MARKDOWN:,} of {len(text):,} characters"
        )
    return Lead(heading, "\n\n".join(paragraphs))


def read_sections(text: str) -> str:
    r"""What follows a Markdown text's lead: paragraphs, each heading a line of its own; without references and links.

    Example:
        >>> read_sections("# Rain\n\nIt falls.\n\n## Kinds\n\nMany.\n\n## See also\n\nSnow.")
        'Kinds\n\nMany.'
    """
    sections: list[Section] = []
    has_lead = False
    for block in _read_blocks(text):
        if block.level and has_lead:
            sections.append(Section(block.level, block.words, ""))
        elif sections:
            last = sections[-1]
            sections[-1] = replace(last, text=f"{last.text}\n\n{block.words}".strip())
        else:
            has_lead = has_lead or not block.level
    return join_sections(sections)


def _read_blocks(text: str) -> Iterator[_Block]:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    table_depth = 0
    for index, token in enumerate(tokens):
        table_depth += token.nesting if token.type in ("table_open", "table_close") else 0
        if token.type != "inline" or table_depth:
            continue
        words = _to_words(token.children or ())
        opening = tokens[index - 1]
        if opening.type == "heading_open":
            yield _Block(int(opening.tag[1:]), words)
        elif words:
            yield _Block(0, words)


def _to_words(children: "Iterable[Token]") -> str:
    pieces = (_TEXT_TOKENS[token.type] or token.content for token in children if token.type in _TEXT_TOKENS)
    return " ".join("".join(pieces).split())
