"""Names of variables and states as they come from models and files: cleaned, or refused."""

import re
import unicodedata

MAX_NAME = 100
"""Longest name taken, in characters."""

_SPACE = re.compile(r"\s+")
_MARKUP = re.compile(r"[<>`|{}\\]")


def clean_name(text: str) -> str:
    r"""The name in NFC, without control, format and bidirectional characters, white space folded.

    Example:
        >>> clean_name(" rain\u202efall\n level ")
        'rainfall level'
    """
    spaced = _SPACE.sub(" ", text)
    visible = "".join(char for char in spaced if unicodedata.category(char)[0] != "C")
    return _SPACE.sub(" ", unicodedata.normalize("NFC", visible)).strip()


def to_key(name: str) -> str:
    """What two spellings of one name have in common: case and white space do not tell names apart.

    Example:
        >>> to_key("Rainfall  Level")
        'rainfall level'
    """
    return clean_name(name).casefold()


def find_name_problem(name: str) -> str | None:
    """Why a cleaned name cannot be used, or None.

    Example:
        >>> find_name_problem("")
        'is empty'
    """
    if not name:
        return "is empty"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if _MARKUP.search(name):
        return "contains markup"
    if not any(char.isalnum() for char in name):
        return "has no letter or digit"
    return None
