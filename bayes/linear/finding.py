"""The equation in a longer reply: reasoning first, equation last, in whatever mark-up it comes."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bayes.linear.model import MAX_NAME
from bayes.linear.names import CLOSING_QUOTES, OPENING_QUOTES, NameFinder, is_bare, to_pattern

MAX_REPLY = 200_000
MAX_EQUATION = 10_000
MAX_CANDIDATES = 20
MAX_LINES = 50

_DECORATION = r"[\s*`\"'”’$}&]*"
_FUNCTION_BEFORE = re.compile(r"(?:log|log10|ln|exp|sqrt|sin|cos|tan)\s*\(?\s*$", re.IGNORECASE)
_FACTOR_BEFORE = re.compile(r"[\w)]\s*(?:(?<!\*)\*|[/^·×+])\s*$|[0-9)]\s*[\-−–]\s*$")
_GOES_ON = re.compile(r"(?:[+\-−–/·×=(]|\\cdot|\\times)$")
_CONTINUES = re.compile(
    r"\+|[\-−–]\s*(?:\(?\s*[0-9.][0-9.eE+\-]*\)?\s*(?:\*|·|×|\\cdot|\\times)|\\?[\w]+\s*$)|[·×]|\\cdot|\\times"
)
_EQUALS = re.compile(r"(?<![=<>!:]):?=(?!=)")
_VALUE = re.compile(r"[\d.eE+\-−–*/×·()=\s]*[\d)%]\s*(?:\s(?:at|when|if|for|as|in|on|so|because|which|and|is)\b.*)?")
_SENTENCE_ENDS = re.compile(r"(?<=[^\d\s])\.\s+(?=[^\W\d_a-z])")


def find_equation(reply: str, variable: str, parents: Sequence[str] = ()) -> str | None:
    r"""The last equation with ``variable`` on its left side, freed from mark-up around it.

    An equation may stand behind words on its line, in emphasis, a code fence, LaTeX or JSON, and go on over lines that
    begin or end with an operator. If ``parents`` are given, remarks that only give a value (``at most Y = 21``) are
    passed over, as long as another equation is there. ``None`` for no equation and for replies of more than 200,000
    characters.

    Example:
        >>> find_equation("Both matter.\n**GC = 2 + 3*A + E_GC**, where E_GC is noise. At A=0, GC = 2.", "GC", ("A",))
        'GC = 2 + 3*A + E_GC'
    """
    right = find_right_side(reply, variable, parents)
    shown = variable if is_bare(variable) else f"`{variable}`"
    return None if right is None else f"{shown} = {right}"


def find_right_side(reply: str, variable: str, parents: Sequence[str] = ()) -> str | None:
    """What stands right of the ``=`` in the equation that :func:`find_equation` finds."""
    if len(reply) > MAX_REPLY:
        return None
    finder = NameFinder(parents)
    rights = list(islice(_find_all(reply, variable, parents, finder), MAX_CANDIDATES))
    telling = (right for right in rights if not parents or not _is_remark(right))
    return next(telling, rights[0] if rights else None)


def find_other_left_side(reply: str) -> str | None:
    """What stands before the last ``=`` of a reply that has no equation for the variable asked for."""
    for line in reversed(reply[-MAX_REPLY:].splitlines()):
        for found in reversed(list(_EQUALS.finditer(line))):
            left = re.split(r"[=<>!]", line[max(0, found.start() - 120) : found.start()])[-1].strip(" *`$\"':")
            if left:
                return left
    return None


def _find_all(reply: str, variable: str, parents: Sequence[str], finder: NameFinder) -> Iterator[str]:
    """The right side of every equation for the variable, the last first."""
    quoted = f"`{re.escape(variable)}`"
    name = rf"(?:{quoted}|(?<!\w){to_pattern(variable)})" if is_bare(variable) else quoted
    left = re.compile(rf"(?P<name>{name})(?P<after>{_DECORATION}):?=(?!=)")
    lines = reply.splitlines()
    for number in range(len(lines) - 1, -1, -1):
        for found in reversed(list(left.finditer(lines[number]))):
            before = lines[number][: found.start()]
            if not _is_left_side(before, found["after"], parents) or _is_in_longer_name(finder, lines[number], found):
                continue
            yield _cut(_join(lines[number][found.end() :], lines[number + 1 : number + 1 + MAX_LINES]))


def _is_left_side(before: str, after: str, parents: Sequence[str]) -> bool:
    """Whether the name stands alone left of the ``=``: no factor, function or longer quoted name around it."""
    near = before[-MAX_NAME:]
    if _FUNCTION_BEFORE.search(near) or _FACTOR_BEFORE.search(near):
        return False
    stripped = before.rstrip()
    if stripped.endswith(("-", "−", "–")) and stripped[:-1].rstrip().endswith(tuple(parents)):
        return False
    return "`" not in after or stripped.rstrip("*$").endswith("`") or before.count("`") % 2 == 0


def _is_in_longer_name(finder: NameFinder, line: str, found: re.Match[str]) -> bool:
    """Whether the name is only a piece of a parent's: ``Income`` in ``Net Income = ...``, or in a quoted name."""
    before = line[: found.start()]
    if before.count("`") % 2 == 1 and finder.match_quoted(line, before.rindex("`")) is not None:
        return True
    end = found.end("name")
    starts = range(max(0, found.start() - MAX_NAME), found.start())
    return any((longer := finder.match_bare(line, start)) is not None and longer.end == end for start in starts)


def _join(right: str, following: Sequence[str]) -> str:
    """The right side with the lines that continue it."""
    joined = _strip_line(right)
    for line in following:
        stripped = _strip_line(line)
        if _GOES_ON.search(joined) or not joined:
            joined = f"{joined} {stripped}".strip()
        elif stripped and _CONTINUES.match(stripped):
            joined = f"{joined} {stripped}"
        else:
            break
    return joined


def _strip_line(line: str) -> str:
    """A line without the alignment marks of LaTeX."""
    return line.strip().removesuffix("\\\\").strip(" &\t")


def _cut(right: str) -> str:
    """The right side up to the comma, sentence or mark-up that ends it; one that is too long is left too long."""
    right = right[: MAX_EQUATION + 1]
    depth = 0
    quoted = False
    end = len(right)
    sentence = _SENTENCE_ENDS.search(right)
    for position, character in enumerate(right):
        if character == "`":
            quoted = not quoted
        if quoted:
            continue
        depth += (character in "([{") - (character in ")]}")
        is_spacing = right[position - 1 : position] == "\\"
        if (
            depth <= 0
            and not is_spacing
            and (
                character in ";|<#"
                or (character == "," and re.match(r",(?!\s*[0-9]{3}(?![0-9]))(?:\s|$)", right[position:]))
                or (sentence is not None and sentence.start() == position)
            )
        ):
            end = position
            break
    return right if end > MAX_EQUATION else _strip_tail(right[:end])


def _strip_tail(text: str) -> str:
    """Drop what closes mark-up opened before the equation: emphasis, quotes, brackets without a partner."""
    pairs = {")": "(", "]": "[", "}": "{"}
    while text:
        last = text[-1]
        quote = CLOSING_QUOTES.find(last)
        opening = OPENING_QUOTES[quote]
        is_stray = (
            last.isspace()
            or last in "*$.,;\\"
            or (last in pairs and text.count(last) > text.count(pairs[last]))
            or (quote >= 0 and opening == last and text.count(last) % 2 == 1)
            or (quote >= 0 and opening != last and text.count(last) > text.count(opening))
        )
        if not is_stray:
            break
        text = text[:-1]
    return text


def _is_remark(right: str) -> bool:
    """Whether a right side is a value and no equation: ``21``, ``1 + 2*0 = 1``, ``1 at X = 0``."""
    return _VALUE.fullmatch(right) is not None
