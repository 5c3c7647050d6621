"""From a text to sentences of plain words: markup, brackets and control characters go, the order of words stays."""

import re
import unicodedata

MAX_CHARACTERS = 20_000
MAX_WORDS = 2_000
MAX_SENTENCE_WORDS = 120

_MARKUP = re.compile(
    r"<(?:script|style)\b[^<]{0,2000}|<[^<>]{0,300}>|https?://\S+|\{\{[^{}]{0,500}\}\}|&[a-z]{2,8};|={2,6}[^=\n]{1,80}={2,6}"
    r"|^[ \t]{0,3}#{1,6} [^\n]*$|```[^`]{0,2000}```",
    re.MULTILINE | re.IGNORECASE,
)
_LINKS = re.compile(
    r"\[\[(?:[^\[\]|]{1,200}\|)?(?P<wiki>[^\[\]|]{1,200})\]\]|!?\[(?P<markdown>[^\[\]]{1,200})\]\([^()\s]{0,300}\)"
)
_BRACKETS = re.compile(r"\([^()]{0,400}\)|\[[^\[\]]{0,400}\]")
_QUOTES = re.compile("[\"“”„«»*_`|~^\\\\]|''+")
_BLANK_LINE = re.compile(r"\n\s*\n|\n\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_END = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_]|\d)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|Dr|Mr|Mrs|Ms|St|Prof|No|ca|c|Inc|Ltd|Jr|Sr|Gen|Col|Lt|Capt|approx|est|al|Jan|Feb|Mar|Apr"
    r"|Aug|Sept?|Oct|Nov|Dec|[A-Z])|(?:[A-Za-z]\.)+[A-Za-z])\.$"
)


def _clean(text: str) -> str:
    """The text without markup, bracketed asides, quotation marks and control characters."""
    text = unicodedata.normalize("NFC", text[:MAX_CHARACTERS])
    text = "".join(c if c == "\n" or c.isprintable() else " " for c in text.replace("\r\n", "\n"))
    text = _LINKS.sub(r"\g<wiki>\g<markdown>", _MARKUP.sub(" ", text))
    text = _QUOTES.sub("", _BRACKETS.sub(" ", _BRACKETS.sub(" ", text)))
    return "\n" + re.sub(r"[^\S\n][–—-]{1,3}\s|—", " , ", text).replace("’", "'").replace("‘", "'")


def split_sentences(text: str) -> tuple[str, ...]:
    """Split the first 2,000 words (20,000 characters) of a text into sentences, in order.

    A sentence ends at a full stop, question or exclamation mark before white space, at a blank line and at the start of
    a list item, but not after an abbreviation. Of a sentence longer than 120 words only the beginning is kept.

    Example:
        >>> split_sentences("Rain fell, e.g. in May (a record). The U.S. dollar rose.")
        ('Rain fell, e.g. in May .', 'The U.S. dollar rose.')
    """
    sentences: list[str] = []
    n_words = 0
    for block in _BLANK_LINE.split(_clean(text)):
        pending = ""
        for piece in _END.split(" ".join(block.split())):
            pending = f"{pending} {piece}" if pending else piece
            if _ABBREVIATION.search(pending[-40:]):
                continue
            words = pending.split()[: min(MAX_SENTENCE_WORDS, MAX_WORDS - n_words)]
            pending = ""
            if words:
                sentences.append(" ".join(words))
                n_words += len(words)
        words = pending.split()[: min(MAX_SENTENCE_WORDS, MAX_WORDS - n_words)]
        if words:
            sentences.append(" ".join(words))
            n_words += len(words)
    return tuple(sentences)
