"""Wikitext as prose: what a reader of a MediaWiki page sees, without boxes, notes and media."""

import re
from calendar import month_name
from collections.abc import Callable, Collection, Sequence
from itertools import groupby

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Template, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from providers.sources.markup_limits import refuse_costly_markup, refuse_length

_HEADING = re.compile(r"^={1,6}[^=\n].*=(?:[ \t]|<!--[^<>\n]{0,200}-->)*$", re.MULTILINE)
# A note to the reader at the top ("For other uses, see ..."): an indented line in italics.
_HATNOTE = re.compile(r"^:+[ \t]*''.*$", re.MULTILINE)
_TEX = re.compile(r"\{\\(?:display|text)style\b")
_BEHAVIOUR_SWITCH = re.compile(r"__[A-Z]+__")
_BROKEN_MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|</?(?:ref|div|span|table|small|br)\b", re.IGNORECASE)
_DISAMBIGUATION_TEMPLATE = re.compile(
    r"\{\{\s*(?:disambig(?:uation)?|hndis|geodis|dab|surname|given name|set index(?: article)?|sia)\s*(?:\||\}\})",
    re.IGNORECASE,
)
# A note never spans the beginning of another: this keeps the search linear where notes are left open.
_NOTES = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<ref\b[^<>]*/>|<ref\b[^<>]*>(?:(?!<ref\b).)*?</ref\s*>", re.DOTALL | re.IGNORECASE
)
_MAX_NESTED_BRACKETS = 20
_DROPPED_TAGS = frozenset(
    {"ref", "references", "table", "gallery", "math", "chem", "ce", "score", "timeline", "graph", "imagemap", "pre"}
    | {"inputbox", "templatedata", "categorytree", "section", "hiero", "syntaxhighlight", "source", "style", "script"}
)
_LINE_TAGS = frozenset({"br", "p", "div", "li", "dd", "dt", "hr", "blockquote", "poem"})
_BRACKETS = re.compile(r"\s?[(（]([^()（）]*)[)）]")
# What is left between brackets once a pronunciation or a name in another script is gone.
_IDLE_WORDS = re.compile(
    r"(?:\W|\b(?:or|and|also|in|from|pronounced|pronunciation|listen|locally|sometimes|formerly|ipa|uk|us|lit)\b)*",
    re.IGNORECASE,
)
_RANGE_WORDS = {"to": "to", "-": "–", "–": "–", "and": "and", "or": "or", "by": "by", "x": "×", "+/-": "±"}


def cut_lead(wikitext: str) -> str:
    """The wikitext before the first heading."""
    heading = _HEADING.search(wikitext)
    return wikitext[: heading.start()] if heading else wikitext


def drop_formulas(text: str) -> str:
    r"""The plain text of a page without its formulas: indented lines of scattered signs, and one of TeX.

    Example:
        >>> drop_formulas("The area\n\n  \n    \n      A\n    \n    {\\displaystyle A=r^{2}}\n  \n\n grows.\n\nFast.")
        'The area  grows.\n\nFast.'
    """
    pieces: list[str] = []
    for is_indented, run in groupby(text.split("\n"), lambda line: line[:2] == "  " or not line.strip()):
        lines = "\n".join(run)
        if is_indented and _TEX.search(lines):
            pieces[-1:] = [pieces[-1].removesuffix("\n") + " "] if pieces else []
        else:
            pieces.append(lines + "\n")
    return "".join(pieces).removesuffix("\n")


def drop_notes(wikitext: str) -> str:
    """The wikitext without its references and comments."""
    return _NOTES.sub("", wikitext)


def has_formulas(wikitext: str) -> bool:
    """Whether a reader would miss formulas in the prose, which leaves them out."""
    return re.search(r"<(?:math|chem|ce)\b", drop_notes(wikitext), re.IGNORECASE) is not None


def is_disambiguation(wikitext: str) -> bool:
    """Whether a page says by a template that it lists pages of similar names."""
    return _DISAMBIGUATION_TEMPLATE.search(wikitext) is not None


def is_list(wikitext: str) -> bool:
    """Whether most of a lead is an enumeration: at least five items, with more words than the prose around them."""
    items = re.findall(r"^[*#].*$", wikitext, re.MULTILINE)
    prose = re.findall(r"^[^\s*#:;|{}!<\[].*$", wikitext, re.MULTILINE)
    return len(items) >= 5 and sum(len(line.split()) for line in items) > sum(len(line.split()) for line in prose)


def find_categories(wikitext: str, prefixes: Collection[str] = ("category",)) -> tuple[str, ...]:
    """The categories a page puts itself into, in order, by their names.

    Example:
        >>> find_categories("[[Category:Droughts in Asia| ]] [[category:Floods]]")
        ('Droughts in Asia', 'Floods')
    """
    names = "|".join(re.escape(prefix) for prefix in prefixes)
    found = re.findall(rf"\[\[[ _]*(?:{names})[ _]*:([^\[\]|]+)", wikitext, re.IGNORECASE)
    return tuple(" ".join(name.replace("_", " ").split()) for name in found)


def to_prose(wikitext: str, media_prefixes: Collection[str] = ("file", "image", "category")) -> str:
    """The words of a piece of wikitext.

    Templates, tables, references, comments, media and categories are left out; a few templates that stand for words
    (languages, units, dates) are replaced by them; brackets emptied by this go too. ``media_prefixes`` are
    the namespaces, in lower case, whose links are not words.

    Raises:
        ValueError: the markup is broken, so that some of it would end up in the prose, or would take too long to read.

    Example:
        >>> to_prose("'''Rain''' ({{IPAc-en|r|eI|n}}; {{lang|la|pluvia}}) is [[water (liquid)|water]].<ref>A</ref>")
        'Rain (pluvia) is water.'
    """
    refuse_length(wikitext)
    wikitext = _HATNOTE.sub("", drop_notes(wikitext))
    refuse_costly_markup(wikitext)
    try:
        code = mwparserfromhell.parse(wikitext)
        text = _BEHAVIOUR_SWITCH.sub("", _Reader(frozenset(media_prefixes)).read(code))
    except RecursionError as error:
        raise ValueError("has broken markup (too much of it within each other)") from error
    broken = _BROKEN_MARKUP.search(text)
    if broken:
        raise ValueError(f"has broken markup ({broken.group()!r})")
    return tidy_prose(text)


def tidy_prose(text: str) -> str:
    """The prose without what removed markup leaves behind: empty brackets, lone punctuation, lines without a word.

    Example:
        >>> tidy_prose("Rain ( ; , listen) falls , mostly (in [ ] spring; ).")
        'Rain falls, mostly (in [ ] spring).'
    """
    lines = (_tidy_line(line) for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line if re.search(r"\w", line) else "" for line in lines)).strip()


class _Reader:
    """Turns parsed wikitext into text, node by node."""

    def __init__(self, media_prefixes: frozenset[str]) -> None:
        self._media_prefixes = media_prefixes

    def read(self, code: Wikicode | None) -> str:
        pieces: list[str] = []
        for node in code.nodes if code is not None else ():
            match node:
                case Text():
                    pieces.append(str(node.value))
                case HTMLEntity():
                    pieces.append(str(node.normalize()))
                case Wikilink():
                    pieces.append(self._read_link(node))
                case ExternalLink():
                    pieces.append(self._read_external_link(node))
                case Tag():
                    pieces.append(self._read_tag(node))
                case Template():
                    pieces.append(self._read_template(node))
                case _:  # comments, headings, template arguments
                    pass
        return "".join(pieces)

    def _read_link(self, link: Wikilink) -> str:
        title = str(link.title).strip()
        prefix, has_prefix, _ = title.partition(":")
        is_other_language = re.fullmatch(r"[a-z]{2,3}(?:-[a-z-]+)?", prefix) is not None
        if has_prefix and (prefix.strip().lower() in self._media_prefixes or is_other_language):
            return ""
        return self.read(link.text) if link.text is not None else title.removeprefix(":")

    def _read_external_link(self, link: ExternalLink) -> str:
        return self.read(link.title) if link.title is not None else ""

    def _read_tag(self, tag: Tag) -> str:
        name = str(tag.tag).strip().lower()
        if name in _DROPPED_TAGS:
            return ""
        contents = self.read(tag.contents)
        return f"\n{contents}" if name in _LINE_TAGS and not tag.wiki_markup else contents

    def _read_template(self, template: Template) -> str:
        name = " ".join(str(template.name).replace("_", " ").split()).lower()
        values = self._read_values(template)
        if name.startswith("lang-"):
            return values[0] if values else ""
        to_words = _WORDS.get(name)
        words = to_words(values) if to_words else ""
        return words[:1].lower() + words[1:] if template.has("lc") else words

    def _read_values(self, template: Template) -> list[str]:
        """The unnamed values in order; a value with an equals sign in it is given as ``1=…``."""
        values: list[str] = []
        for item in template.params:
            name = str(item.name).strip()
            number = int(name) if re.fullmatch(r"[1-9]", name) or not item.showkey else 0
            if number:
                values += [""] * (number - len(values))
                values[number - 1] = self.read(item.value).strip()
        return values


def _tidy_line(line: str) -> str:
    for _ in range(_MAX_NESTED_BRACKETS):  # brackets may stand in brackets
        line, n_tidied = _BRACKETS.subn(_tidy_brackets, line)
        if not n_tidied:
            break
    line = line.replace("\ue000", "(").replace("\ue001", ")")
    line = re.sub(r"[^\S\n]+", " ", line)
    line = re.sub(r" +([,;:.!?])(?=\s|$)", r"\1", line)
    line = re.sub(r"([,;:])(?:\s*[,;])+", r"\1", line)
    return line.strip()


def _tidy_brackets(match: re.Match[str]) -> str:
    parts = [part.strip(" ,:") for part in match[1].split(";")]
    kept = [part for part in parts if not _IDLE_WORDS.fullmatch(part)]
    # Private characters stand for brackets that are done, so that the loop around this ends.
    space = " " if match[0][0].isspace() else ""
    return f"{space}\ue000{'; '.join(kept)}\ue001" if kept else ""


def _take(index: int) -> Callable[[Sequence[str]], str]:
    return lambda values: values[index] if -len(values) <= index < len(values) else ""


def _say(words: str) -> Callable[[Sequence[str]], str]:
    return lambda _: words


def _convert(values: Sequence[str]) -> str:
    # {{convert|5|km|mi}} shows "5 km (3.1 mi)", {{convert|5|to|9|km}} shows "5 to 9 km (...)".
    if len(values) >= 4 and values[1] in _RANGE_WORDS:
        return f"{values[0]} {_RANGE_WORDS[values[1]]} {values[2]} {values[3]}"
    return " ".join(values[:2])


def _as_of(values: Sequence[str]) -> str:
    # {{as of|2015|6|30}} shows "As of 30 June 2015".
    year, month, day = (*values, "", "", "")[:3]
    named = month_name[int(month)] if month.isdecimal() and 1 <= int(month) <= 12 else month
    return " ".join(("As of", *filter(None, (day, named, year))))


_FIRST_VALUE = (
    *(
        "nowrap",
        "nobr",
        "small",
        "smaller",
        "big",
        "large",
        "larger",
        "sc",
        "nobold",
        "noitalic",
        "abbr",
        "linktext",
        "vanchor",
    ),
    *("angbr", "resize", "nihongo", "script", "nastaliq", "quote", "blockquote", "mvar", "sic"),
)
_WORDS: dict[str, Callable[[Sequence[str]], str]] = {
    "convert": _convert,
    "cvt": _convert,
    "as of": _as_of,
    "circa": lambda values: " ".join(("c.", *values)),
    "c.": lambda values: " ".join(("c.", *values)),
    "lang": _take(1),
    "transl": _take(-1),
    "transliteration": _take(-1),
    "flag": _take(0),
    "flagcountry": _take(0),
    "val": _take(0),
    "formatnum": _take(0),
    "nbsp": _say(" "),
    "spaces": _say(" "),
    "snd": _say(" – "),
    "snds": _say(" – "),
    "ndash": _say("–"),
    "mdash": _say("—"),
    "'": _say("'"),
    "'s": _say("'s"),
    "!": _say("|"),
    "=": _say("="),
    **dict.fromkeys(_FIRST_VALUE, _take(0)),
}
