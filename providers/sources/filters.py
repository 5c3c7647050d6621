"""Which texts the corpus takes, and the form in which it takes them."""

import re
import unicodedata
from dataclasses import dataclass

from schemas.settings import TextPart

MAX_TITLE_LENGTH = 200

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Characters nobody sees: controls, zero-width spaces, soft hyphens, direction marks and overrides, tag characters (that
# hide text from people and show it to models), surrogates and non-characters. Joiners stay: scripts need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_META_TITLE = re.compile(
    r"(?:(?:user|wikipedia|project|file|image|mediawiki|template|help|category|portal|draft|module|timedtext)(?: talk)?"
    r"|talk|wp|wt):",
    re.IGNORECASE,
)
_LIST_TITLE = re.compile(
    r"(?:lists?|index|indexes|indices|outline|timelines?|chronology|glossary|bibliography|table|tables) of\b"
    r"|liste (?:der|des|du|de|von)\b|lista (?:de|dei|delle|di|del)\b|anexo:|lijst van\b|listaa? över\b"
    r"|.*\(disambiguation\)$|.*\btimeline$",
    re.IGNORECASE,
)
# A disambiguation page opens with "X may refer to:" or "X most commonly refers to:", the colon ending the line.
_DISAMBIGUATION = re.compile(
    r"[^\n.]{0,200}\b(?:refers? to|stands? for|means?|is the name of)\b[^\n.]{0,80}:[ ]*(?:\n|$)"
)
_LIST_TEXT = re.compile(
    r"(?:this|the following|below) (?:page |article |section )?(?:is|are|lists|provides|contains) "
    r"(?:an? |the )?(?:\w+ ){0,3}?(?:list|index|outline|timeline|glossary|chronology)\b",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"#\s*redirect\b", re.IGNORECASE)
_TITLE_FLAWS = (
    (_META_TITLE, "is not an article but a page of another namespace"),
    (_LIST_TITLE, "is a list, index, outline, timeline or disambiguation page"),
)
_TEXT_FLAWS = (
    (_REDIRECT, "is a redirect"),
    (_DISAMBIGUATION, "is a disambiguation page"),
    (_LIST_TEXT, "is a list, index, outline or timeline"),
)


@dataclass(frozen=True, slots=True)
class ArticleFilters:
    """How long an article's lead may be, in words, and what of the article is taken.

    The lead is what stands before the first heading. Its length decides in both modes, so both take the same articles.
    """

    min_words: int = 80
    max_words: int = 800
    text: TextPart = "lead"


def clean_text(text: str) -> str:
    r"""The text in normal form: NFC, no hidden characters, plain spaces, line feeds, paragraphs one empty line apart.

    A text that is already in this form comes out unchanged, so cleaning twice is cleaning once.

    Example:
        >>> clean_text("Rain\r\n\r\n\r\nfell\u202e  hard. ")
        'Rain\n\nfell hard.'
    """
    text = _HIDDEN.sub("", _LINE_ENDS.sub("\n", text))
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"[^\S\n]+", " ", text)
    text = re.sub(r" ?\n ?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def clean_title(title: str) -> str:
    """A title in normal form: clean text on one line, underscores as spaces, at most 200 characters."""
    return " ".join(clean_text(title.replace("_", " ")).split())[:MAX_TITLE_LENGTH].rstrip()


def to_title_key(title: str) -> str:
    """What two spellings of one title have in common: as in MediaWiki, only the first letter's case is free.

    Example:
        >>> to_title_key("iron_man") == to_title_key("Iron man"), to_title_key("Iron Man") == to_title_key("Iron man")
        (True, False)
    """
    title = clean_title(title)
    return title[:1].upper() + title[1:]


def count_words(text: str) -> int:
    """Number of words: pieces between white space."""
    return len(text.split())


def find_flaw(title: str, text: str, filters: ArticleFilters) -> str | None:
    """Why the corpus does not take an article, as one line, or None where it does. Title and lead are clean.

    Example:
        >>> find_flaw("List of droughts", "Some words.", ArticleFilters())
        'is a list, index, outline, timeline or disambiguation page by its title'
        >>> find_flaw("Drought", "Some words.", ArticleFilters())
        'has 2 words; at least 80 are needed (min_words)'
    """
    for pattern, what in _TITLE_FLAWS:
        if pattern.match(title):
            return f"{what} by its title"
    if not text:
        return "is empty"
    for pattern, what in _TEXT_FLAWS:
        if pattern.match(text):
            return f"{what} by its text"
    words = count_words(text)
    if words < filters.min_words:
        return f"has {words:,} words; at least {filters.min_words:,} are needed (min_words)"
    if words > filters.max_words:
        return f"has {words:,} words; at most {filters.max_words:,} are taken (max_words)"
    return None
