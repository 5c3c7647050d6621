"""The right side of an equation cut into tokens: numbers, known names, noise, operators and brackets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bayes.linear.names import NUMBER, WORD_GOES_ON, NameFinder
from bayes.linear.problems import ProblemKind, Refusal, shorten


class TokenKind(StrEnum):
    """What a token is; ``word`` is a name that nobody knows."""

    NUMBER = "number"
    NAME = "name"
    NOISE = "noise"
    WORD = "word"
    OPERATOR = "operator"
    OPEN = "open"
    CLOSE = "close"
    FRACTION = "fraction"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an equation; operators are spelt ``+ - * / ^``, names as the DAG spells them."""

    kind: TokenKind
    text: str


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_NUMBER = re.compile(NUMBER)
_SKIP = re.compile(
    r"\s+|\$|&|\\(?:left|right|text|mathrm|mathit|mathbf|textit|textbf|operatorname|big|Big)(?![a-zA-Z])|\\[,;:! ]|~"
)
_OPERATOR = re.compile(r"\*\*|\\?\*|\\cdot(?![a-z])|\\times(?![a-z])|[+\-−–‐/÷^·⋅∙×]")
_SPELLING = {"**": "^", "^": "^", "+": "+", "/": "/", "÷": "/"} | dict.fromkeys("-−–‐", "-")
_FRACTION = re.compile(r"\\[dt]?frac(?![a-z])")
_POWER = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_WORD = re.compile(r"\\?[^\W\d](?:(?![⁰¹²³⁴⁵⁶⁷⁸⁹])\w)*")
_GROUPED = re.compile(r"[,.][0-9]|,\s+[0-9]{3}(?![0-9])|[_'’][0-9]{3}|\s+[0-9]")


def cut_tokens(text: str, variable: str, parents: tuple[str, ...]) -> Iterator[Token]:
    """Cut a right side into tokens. At each place the longest of a known name and a number wins.

    Raises:
        Refusal: a character that has no place in an equation, or a number with grouped digits.
    """
    finder = NameFinder((*parents, variable))
    noise = _to_noise_pattern(variable)
    position = 0
    while position < len(text):
        skipped = _SKIP.match(text, position)
        if skipped:
            position = skipped.end()
            continue
        token, position = _cut_one(text, position, finder, noise)
        yield token
    yield Token(TokenKind.END, "")


def _cut_one(text: str, position: int, finder: NameFinder, noise: re.Pattern[str]) -> tuple[Token, int]:
    number = _NUMBER.match(text, position)
    name = finder.match_quoted(text, position) or finder.match_bare(text, position)
    if name and (number is None or name.end >= number.end()):
        return Token(TokenKind.NAME, name.name), name.end
    if number:
        grouped = _GROUPED.match(text, number.end())
        if grouped:
            raise Refusal(
                ProblemKind.THOUSANDS_SEPARATOR,
                f"write {shorten(text[position : grouped.end() + 3])} as one plain number, without separators and with "
                "a decimal point",
            )
        return Token(TokenKind.NUMBER, re.sub("[−–]", "-", number.group())), number.end()
    if found := noise.match(text, position):
        return Token(TokenKind.NOISE, found.group()), found.end()
    if found := _FRACTION.match(text, position):
        return Token(TokenKind.FRACTION, found.group()), found.end()
    if found := _POWER.match(text, position):
        return Token(TokenKind.OPERATOR, "^" + found.group().translate(_SUPERSCRIPTS)), found.end()
    if found := _OPERATOR.match(text, position):
        return Token(TokenKind.OPERATOR, _SPELLING.get(found.group(), "*")), found.end()
    if text[position] in "([{":
        return Token(TokenKind.OPEN, text[position]), position + 1
    if text[position] in ")]}":
        return Token(TokenKind.CLOSE, text[position]), position + 1
    if found := _WORD.match(text, position):
        return Token(TokenKind.WORD, found.group().removeprefix("\\")), found.end()
    if text[position] == "=":
        raise Refusal(ProblemKind.SYNTAX, "write one equation with a single '='")
    raise Refusal(
        ProblemKind.SYNTAX, f"{shorten(text[position : position + 20])} cannot be read as part of an equation"
    )


def _to_noise_pattern(variable: str) -> re.Pattern[str]:
    r"""The ways to write the noise term of a variable: ``E_Y``, ``ε``, ``\epsilon_{Y}``, ``noise``, ``N(0, 1)``.

    A subscript is the variable itself or one letter or digit. ``E_coli`` is no noise: it may be a variable elsewhere.
    """
    words = r"(?:\\?_|\s)".join(re.escape(word) for word in re.split(r"[ _]", variable))
    subscript = rf"(?:\\?_\s*\{{?\s*(?:\\(?:text|mathrm)\s*\{{)?(?:{words}|\w)\}}?\s*\}}?{WORD_GOES_ON})"
    symbol = rf"(?:\\(?:var)?epsilon|ε|ϵ|ɛ|[Ee]psilon|eps|[Ee]rror|[Nn]oise|[EeUu])(?:{subscript}|{WORD_GOES_ON})"
    term = rf"(?:[Ee]rror|[Nn]oise)[ _][Tt]erm{WORD_GOES_ON}"
    distribution = r"(?:N|Normal|Gaussian|\\mathcal\s*\{?N\}?)\s*\([^()]*\)"
    return re.compile(rf"(?:{term}|{symbol}|{distribution})")
