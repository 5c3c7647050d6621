"""The sections of an article as plain paragraphs, for full text; in every source alike."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice

from providers.sources.wikitext import drop_notes, to_prose

MAX_SECTIONS = 1000
"""Sections of an article at most; the others are left out."""

_HEADING = re.compile(r"^(={1,6})[ \t]*([^=\s].*)$", re.MULTILINE)
# What follows an article's own text: notes, sources, and where else to look. In the larger Wikipedias' languages.
_BACK_MATTER = frozenset(
    {"references", "notes", "notes and references", "references and notes", "citations", "footnotes", "sources"}
    | {"bibliography", "works cited", "literature", "further reading", "see also", "external links", "gallery"}
    | {"general references", "cited works", "explanatory notes", "additional reading", "related pages", "endnotes"}
    | {"siehe auch", "literatur", "weblinks", "einzelnachweise", "anmerkungen", "quellen", "belege", "fußnoten"}
    | {"voir aussi", "notes et références", "références", "bibliographie", "liens externes", "articles connexes"}
    | {"véase también", "referencias", "bibliografía", "enlaces externos", "notas", "notas y referencias"}
    | {"voci correlate", "note", "bibliografia", "collegamenti esterni", "altri progetti"}
    | {"ver também", "referências", "ligações externas", "zie ook", "bronnen", "externe links", "literatuur"}
    | {"zobacz też", "przypisy", "linki zewnętrzne", "см. также", "примечания", "литература", "ссылки"}
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, its level (1 the highest) and the prose between it and the next heading."""

    level: int
    heading: str
    text: str


def split_sections(text: str) -> tuple[Section, ...]:
    r"""The sections of a text whose headings stand between equals signs; what comes before the first is none.

    Example:
        >>> split_sections("Lead. == not a heading == here\n== Causes ==\nMany.\n=== Rain ===\nLittle.")
        (Section(level=2, heading='Causes', text='Many.'), Section(level=3, heading='Rain', text='Little.'))
    """
    headings = list(islice(filter(_to_heading, _HEADING.finditer(text)), MAX_SECTIONS + 1))
    ends = [heading.start() for heading in headings[1:]] + [len(text)] * (len(headings) <= MAX_SECTIONS)
    return tuple(
        Section(len(heading[1]), _to_heading(heading), text[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=False)  # without headings there is an end too many
    )


def _to_heading(line: re.Match[str]) -> str:
    """The words of a heading; empty where the line has no equals sign at its end."""
    # In the pattern this would take time by the square of the spaces in the line.
    words = line[2].rstrip(" \t")
    return words.rstrip("=").rstrip(" \t") if words.endswith("=") else ""


def is_back_matter(heading: str) -> bool:
    """Whether a section holds references, links or the like rather than the article's own text.

    Example:
        >>> is_back_matter("See also"), is_back_matter("Sources of energy")
        (True, False)
    """
    return " ".join(heading.casefold().strip(" :.").split()) in _BACK_MATTER


def join_sections(sections: Iterable[Section]) -> str:
    r"""Sections as paragraphs, each heading a line of its own; without back matter and headings that head nothing.

    Example:
        >>> join_sections([Section(2, "Causes", ""), Section(3, "Rain", "Little."), Section(2, "See also", "Snow")])
        'Causes\n\nRain\n\nLittle.'
    """
    paragraphs: list[str] = []
    pending: list[Section] = []
    dropped: int | None = None
    for section in sections:
        if dropped is not None and section.level > dropped:
            continue
        dropped = section.level if is_back_matter(section.heading) else None
        pending = [above for above in pending if above.level < section.level]
        if dropped is not None:
            continue
        pending.append(section)
        if section.text:
            paragraphs += [above.heading for above in pending]
            paragraphs.append(section.text)
            pending = []
    return "\n\n".join(paragraphs)


def read_sections(wikitext: str, media_prefixes: Collection[str]) -> str:
    r"""The prose of the sections of a wikitext; one whose markup is broken is left out.

    Example:
        >>> read_sections("== Causes ==\n[[Rain]].<ref>A</ref>\n== Effects ==\n{{Infobox", ("file",))
        'Causes\n\nRain.'
    """
    sections: list[Section] = []
    for section in split_sections(drop_notes(wikitext)):
        try:
            heading = to_prose(section.heading, media_prefixes)
            sections.append(Section(section.level, heading, to_prose(section.text, media_prefixes)))
        except ValueError:
            sections.append(Section(section.level, section.heading, ""))
    return join_sections(sections)
