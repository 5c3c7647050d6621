"""What a sentence claims about probabilities, and whether the network's tables agree.

Two kinds of claim are read, each as the range of probabilities that it allows:

- a *strength word* (:mod:`bayes.causal_language`) claims its band, widened by 0.005 at both ends for rounding;
- a *number*: a percentage (``35%``, ``35 per cent``), a decimal between 0 and 1 (``0.35``), a ratio (``one in four``).
  It stands for itself, rounded at its last digit; *about 35%* allows 2.5 points to either side, ratios 5; *more
  than*, *under* and ranges (*30-40%*, *between 30 and 40%*) allow what they say. Numbers that are part of a name,
  amounts of money, percentages above 100, percentage points, decimals with a unit, years and counts claim nothing.

A claim agrees if one CPD cell that the sentence can be about lies in its range. Rows are those of the child states that
the sentence mentions (all of them where it mentions none; for numbers also the baseline), columns those in which every
parent has one of the states that the sentence mentions for it (any state where it mentions none). Words such as
*otherwise*, *without* and *other* open the columns again.

Strength words are held against the CPDs of children that have a state in the sentence together with a state of a
parent (with *without* and the like, together with a parent's name); without such a child, against children that are
only named there together with a state of a parent, in all rows; without these, against the priors of roots that have a
state in it. Where a parent's states are not mentioned, any average over its columns will do. With *no*, *nothing* and
the like the baseline's row counts too.

Numbers are held against all variables that the sentence names, and against their children if none of these is a child
of another. With no variable at all, any cell will do.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bayes.causal_language import ABOVE, BELOW, DEGREES, NOTHING, OTHERWISE, ROUGHLY, STRENGTH_WORDS, PhraseBook, Range
from bayes.mentions import Reading, Sentence
from bayes.network import BASELINE_STATE, FloatArray, Network

_ROUNDING = 0.005
_ROUGH = 0.025
_RATIO = 0.05
_EXACT = 1e-9
_NUMERIC = re.compile(r"\d+(?:\.\d+)?")
_CURRENCIES = frozenset("$€£¥")
_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS = {word: i for i, word in enumerate(_ONES)} | {"twenty": 20, "fifty": 50, "hundred": 100}
_UNIT_WORDS = """
    million billion trillion thousand hundred degree ° point time x year month week day hour minute second ha hectare
    acre m km cm mm mile metre meter kilometre kilometer foot inch ton tonne kg gram g litre liter l kwh mwh gwh
"""
_UNITS = frozenset(_UNIT_WORDS.split())


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that claim a probability, the range that they allow, and their tokens (``end`` excluded)."""

    words: str
    range: Range
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A claim that no cell supports. ``variable`` is one it could be about, ``values`` the nearest cells."""

    claim: Claim
    variable: str
    values: tuple[float, ...]


def _claim(reading: Reading, start: int, end: int, allowed: Range) -> Claim:
    return Claim(reading.cite(start, end), allowed, start, end)


def find_strengths(reading: Reading, sentence: Sentence) -> list[Claim]:
    """The strength words of a sentence."""
    tokens = reading.text.tokens
    claims: list[Claim] = []
    for hit in STRENGTH_WORDS.scan(tokens, reading.is_name, sentence.start, sentence.end):
        if hit.start > sentence.start and tokens[hit.start - 1] in DEGREES:
            continue
        low, high = hit.value
        claims.append(_claim(reading, hit.start, hit.end, Range(low - _ROUNDING, high + _ROUNDING)))
    return claims


def find_numbers(reading: Reading, sentence: Sentence) -> list[Claim]:
    """The probabilities that a sentence gives in figures."""
    tokens, is_name = reading.text.tokens, reading.is_name
    claims: list[Claim] = []
    for at in range(sentence.start, sentence.end):
        token = tokens[at]
        read = _READERS.get(token) or (_read_decimal if "." in token and _NUMERIC.fullmatch(token) else None)
        if read is not None and not is_name[at] and (found := read(reading, sentence, at)) is not None:
            claims.append(found)
    return claims


def _read_percentage(reading: Reading, sentence: Sentence, at: int) -> Claim | None:
    number, tokens = at - 1, reading.text.tokens
    if number < sentence.start or reading.is_name[number] or not _NUMERIC.fullmatch(tokens[number]):
        return None
    is_difference = at + 1 < sentence.end and tokens[at + 1] == "point"
    if is_difference or float(tokens[number]) > 100:
        return None
    return _claim(reading, number, at + 1, _to_range(reading, sentence, number, 0.01))


def _read_decimal(reading: Reading, sentence: Sentence, at: int) -> Claim | None:
    tokens = reading.text.tokens
    following = tokens[at + 1] if at + 1 < sentence.end else ""
    before = tokens[at - 1] if at > sentence.start else ""
    is_amount = following in _UNITS or following == "%" or before in _CURRENCIES
    begins_range = bool(_NUMERIC.fullmatch(following)) and _gap(reading, at) == "-"
    if is_amount or begins_range or float(tokens[at]) > 1:
        return None
    return _claim(reading, at, at + 1, _to_range(reading, sentence, at, 1.0))


def _read_ratio(reading: Reading, sentence: Sentence, at: int) -> Claim | None:
    """``one in four``, ``3 out of 10``, ``nine times in ten``."""
    tokens = reading.text.tokens
    left = at - 1
    if tokens[at] == "of":
        if left < sentence.start or tokens[left] != "out":
            return None
        left -= 1
    if left > sentence.start and tokens[left] in {"time", "case"}:
        left -= 1
    right = at + 1
    if left < sentence.start or right >= sentence.end or reading.is_name[left] or reading.is_name[right]:
        return None
    part, whole = (_COUNTS.get(t, int(t) if t.isdecimal() else 0) for t in (tokens[left], tokens[right]))
    if not 0 < part < whole <= 100:
        return None
    ratio = part / whole
    return _claim(reading, left, right + 1, Range(ratio - _RATIO, ratio + _RATIO))


_READERS = {"%": _read_percentage, "in": _read_ratio, "of": _read_ratio}


def _gap(reading: Reading, at: int) -> str:
    spans = reading.text.spans
    return reading.text.plain[spans[at][1] : spans[at + 1][0]]


def _to_range(reading: Reading, sentence: Sentence, at: int, unit: float) -> Range:
    """The probabilities that the number at a token allows, given what stands before it."""
    tokens, start = reading.text.tokens, sentence.start
    value = float(tokens[at]) * unit
    decimals = len(tokens[at].partition(".")[2])
    half = 0.5 * unit * 10.0**-decimals
    if (lower := _find_lower_end(reading, start, at)) is not None:
        return Range(lower * unit - half, value + half)
    lead = {tuple(tokens[max(start, at - n) : at]) for n in (1, 2, 3)}
    if lead & BELOW:
        return Range(0.0, value)
    if lead & ABOVE:
        return Range(value, 1.0)
    slack = max(half, _ROUGH) if lead & ROUGHLY else half
    return Range(value - slack, value + slack)


def _find_lower_end(reading: Reading, start: int, at: int) -> float | None:
    """The first number of a range that ends at a token: 30-40, 30 to 40, between 30 and 40."""
    tokens, before = reading.text.tokens, at - 1
    if before >= start and tokens[before] in {"to", "and"}:
        is_between = before - 2 >= start and tokens[before - 2] == "between"
        if tokens[before] == "and" and not is_between:
            return None
        before -= 1
    elif before < start or _gap(reading, before) != "-":
        return None
    if before < start or reading.is_name[before] or not _NUMERIC.fullmatch(tokens[before]):
        return None
    return float(tokens[before])


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of one CPD that a sentence can be about: a row per state, columns flattened.

    ``is_partial``: the sentence leaves the state of some parent open.
    """

    variable: str
    values: FloatArray
    is_partial: bool


def _to_cells(network: Network, sentence: Sentence, name: str, rows: frozenset[int], *, is_open: bool) -> _Cells:
    """``rows`` empty stands for all; ``is_open`` ignores which parent states are mentioned."""
    cpd = network.cpd_of[name]
    kept = cpd.matrix.take(sorted(rows), axis=0) if rows else cpd.matrix
    mentioned = [sentence.states.get(parent) for parent in cpd.parents]
    if is_open or not any(mentioned):
        return _Cells(name, kept, bool(mentioned))
    n_rows = len(kept)
    kept = kept.reshape(n_rows, *[network.by_name[parent].cardinality for parent in cpd.parents])
    for axis, found in enumerate(mentioned, start=1):
        if found:
            kept = kept.take(sorted(found), axis=axis)
    return _Cells(name, kept.reshape(n_rows, -1), not all(mentioned))


def _has_any(book: PhraseBook[bool], reading: Reading, sentence: Sentence, claims: list[Claim]) -> bool:
    """Whether the sentence has one of the phrases outside names and claims: *as likely as not* negates nothing."""
    is_masked = reading.is_name[:]
    for claim in claims:
        is_masked[claim.start : claim.end] = b"\x01" * (claim.end - claim.start)
    return any(book.scan(reading.text.tokens, is_masked, sentence.start, sentence.end))


def _with_baseline(network: Network, name: str, rows: frozenset[int]) -> frozenset[int]:
    """The rows and the baseline's; no rows stand for all and stay."""
    states = network.by_name[name].states
    return rows | {states.index(BASELINE_STATE)} if rows and BASELINE_STATE in states else rows


def check_strengths(network: Network, reading: Reading, sentence: Sentence) -> Iterator[Disagreement]:
    """The strength words of a sentence that its CPD cells contradict."""
    if not sentence.states or not (claims := find_strengths(reading, sentence)):
        return
    states = sentence.states
    is_open, has_baseline = (_has_any(book, reading, sentence, claims) for book in (OTHERWISE, NOTHING))
    # Without rainfall, floods are unlikely: the cause is named, its state is not.
    causes = states.keys() | sentence.variables if is_open else states.keys()
    caused = [cpd.variable for cpd in network.cpds if any(parent in causes for parent in cpd.parents)]
    children = [name for name in caused if name in states] or [name for name in caused if name in sentence.variables]
    told = states.keys() | sentence.variables if has_baseline else states.keys()
    roots = [cpd.variable for cpd in network.cpds if not cpd.parents and cpd.variable in told]
    # With several strength words, one may well be about how common the cause is.
    concerned = children + roots if len(claims) > 1 else children or roots
    cells: list[_Cells] = []
    for name in concerned:
        rows = _with_baseline(network, name, states.get(name, frozenset())) if has_baseline else states.get(name)
        cells.append(_to_cells(network, sentence, name, rows or frozenset(), is_open=is_open))
    if not cells:
        return
    for claim in claims:
        if not any(_is_in_band(found, claim.range) for found in cells):
            yield _to_disagreement(claim, cells)


def _is_in_band(cells: _Cells, allowed: Range) -> bool:
    values = cells.values
    if cells.is_partial:
        return bool(((values.min(axis=1) <= allowed.high) & (values.max(axis=1) >= allowed.low)).any())
    return bool(((values >= allowed.low) & (values <= allowed.high)).any())


def check_numbers(network: Network, reading: Reading, sentence: Sentence) -> Iterator[Disagreement]:
    """The figures of a sentence that are not CPD cells."""
    claims = find_numbers(reading, sentence)
    if not claims:
        return
    concerned = sentence.variables | sentence.states.keys()
    has_family = not all(concerned.isdisjoint(network.cpd_of[name].parents) for name in concerned)
    if not has_family:
        concerned |= {cpd.variable for cpd in network.cpds if not concerned.isdisjoint(cpd.parents)}
    is_open = _has_any(OTHERWISE, reading, sentence, claims)
    cells: list[_Cells] = []
    for name in (variable.name for variable in network.variables if variable.name in concerned or not concerned):
        rows = _with_baseline(network, name, sentence.states.get(name, frozenset()))
        cells.append(_to_cells(network, sentence, name, rows, is_open=is_open))
    values = np.concatenate([found.values.ravel() for found in cells])
    for claim in claims:
        if not ((values >= claim.range.low - _EXACT) & (values <= claim.range.high + _EXACT)).any():
            yield _to_disagreement(claim, cells)


def _to_disagreement(claim: Claim, cells: list[_Cells]) -> Disagreement:
    middle = (claim.range.low + claim.range.high) / 2
    values: list[float] = np.unique(np.concatenate([found.values.ravel() for found in cells]).round(4)).tolist()
    nearest = sorted(values, key=lambda value: (abs(value - middle), value))[:3]
    return Disagreement(claim, cells[0].variable, tuple(sorted(nearest)))
