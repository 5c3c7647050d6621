"""Names of variables and states as they come from models and files: cleaned, or refused."""

import re
import unicodedata

MAX_NAME = 100
"""Longest name taken, in characters."""

MAX_TITLE = 200
"""Longest title of an article that is kept, in characters."""

MOST_MARKS = 4
"""Accents on one letter; scripts that stack marks need up to four."""

_SPACE = re.compile(r"\s+")
# Letters and marks that show nothing, besides the control and format characters: fillers, joiners of marks, variation
# selectors, which can carry a hidden text byte by byte.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# All others are plainly seen, which saves looking at each.
_ODD = re.compile("[^\n\t -~\u00a1-\u00ac\u00ae-\u02ff]")
_MARKUP = re.compile(r"[<>`|{}\\]|\]\(|://")
_PATH = re.compile(r"\.\.[/\\]|^/")
# Spreadsheets compute a cell that begins so. A number may have its sign: +2 degrees.
_FORMULA = re.compile(r"[=@]|[+\u2212-](?!\d[\w\s.,:%°€$£/–-]*$)")


def clean_name(text: str) -> str:
    r"""The name in NFC on one line, without control, format, bidirectional and unseen characters, white space folded.

    Example:
        >>> clean_name(" rain\u202efall\n level ")
        'rainfall level'
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = strip_unseen(_SPACE.sub(" ", text))
    return _SPACE.sub(" ", unicodedata.normalize("NFC", visible)).strip()


def strip_unseen(text: str, *, keep: str = "") -> str:
    """The text without characters that show nothing; line feeds, tabs and those of ``keep`` stay.

    They are the control, format, bidirectional, private and unassigned ones, surrogates, fillers and variation
    selectors.
    """
    return _ODD.sub(lambda found: found[0] if found[0] in keep or not _is_unseen(found[0]) else "", text)


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char)[0] == "C" or _UNSEEN.match(char) is not None


def to_key(name: str) -> str:
    """What two spellings of one name have in common: case and white space do not tell names apart.

    Example:
        >>> to_key("Rainfall  Level")
        'rainfall level'
    """
    return clean_name(name).casefold()


def find_name_problem(name: str) -> str | None:
    """Why a cleaned name cannot be used, in words that follow it in a sentence, or None.

    Example:
        >>> find_name_problem("")
        'is empty'
        >>> find_name_problem("=SUM(A1)")
        'begins like a formula; begin with a word'
    """
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if not any(char.isalnum() for char in name):
        return "has no letter or digit"
    if _MARKUP.search(name):
        return "contains markup (< > ` | { } \\ or a link); say it in words, such as below 5%"
    if _PATH.search(name):
        return "looks like a path; write it in plain words"
    if _FORMULA.match(name):
        return "begins like a formula; begin with a word"
    if _has_loose_marks(name):
        return f"has marks without a letter, or more than {MOST_MARKS} on one"
    return None


def _has_loose_marks(name: str) -> bool:
    if name.isascii():
        return False
    n_marks = MOST_MARKS  # at the beginning there is no letter to sit on
    for char in name:
        n_marks = n_marks + 1 if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"} else 0
        if n_marks > MOST_MARKS:
            return True
    return False
