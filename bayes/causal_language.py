"""The words by which prose says that one thing causes another, and how strongly.

Phrases are matched on folded tokens (:mod:`bayes.folding`), so every entry stands for its plural and third-person forms
too: ``lead to`` is also ``leads to``.

A strength word claims a range of probability. The four bands of this project, for P(child state given parent states):

========  =============  ==================================================================
band      probability    words, among others
========  =============  ==================================================================
strong    0.70 and more  very likely, strongly, usually, almost always, in most cases
moderate  0.40 - 0.69    moderately, as likely as not, about half the time, an even chance
weak      0.10 - 0.39    weakly, occasionally, some chance, a slim chance
rare      below 0.10     rarely, seldom, almost never, hardly ever, very unlikely
========  =============  ==================================================================

Words that do not settle on one band claim a wider range: *likely*, *often* and *probably* 0.40 and more, *sometimes*
0.10 - 0.69, *unlikely* below 0.40. Comparatives and superlatives (*more likely*, *most often*) and negated words (*not
always*) claim nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from bayes.folding import fold

Value = TypeVar("Value")


class Range(NamedTuple):
    """A closed range of probability."""

    low: float
    high: float


class Band(StrEnum):
    """How strong an effect is; see the table in the module docstring."""

    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    RARE = "rare"


BAND_FLOORS = {Band.STRONG: 0.70, Band.MODERATE: 0.40, Band.WEAK: 0.10}
BAND_RANGES = {
    Band.STRONG: Range(0.70, 1.0),
    Band.MODERATE: Range(0.40, 0.70),
    Band.WEAK: Range(0.10, 0.40),
    Band.RARE: Range(0.0, 0.10),
}


def to_band(probability: float) -> Band:
    """The band of a probability.

    Example:
        >>> [to_band(p).value for p in (0.7, 0.69, 0.39, 0.09)]
        ['strong', 'moderate', 'weak', 'rare']
    """
    return next((band for band, floor in BAND_FLOORS.items() if probability >= floor), Band.RARE)


@dataclass(frozen=True, slots=True)
class Hit(Generic[Value]):
    """A phrase found in a sequence of tokens, ``end`` excluded."""

    start: int
    end: int
    value: Value


class PhraseBook(Generic[Value]):
    """Phrases with a value each, found in folded tokens; the longest phrase that begins at a token wins."""

    def __init__(self, phrases: Mapping[str, Value]) -> None:
        entries: dict[str, list[tuple[tuple[str, ...], Value]]] = {}
        for phrase, value in phrases.items():
            tokens = fold(phrase)
            entries.setdefault(tokens[0], []).append((tokens, value))
        self._entries = {first: sorted(found, key=lambda entry: -len(entry[0])) for first, found in entries.items()}

    def scan(self, tokens: Sequence[str], is_masked: Sequence[int], start: int, end: int) -> Iterator[Hit[Value]]:
        """The phrases in ``tokens[start:end]`` that touch no masked token, from left to right, without overlap."""
        entries = self._entries
        resume = start
        for at in [i for i in range(start, end) if tokens[i] in entries]:
            if at < resume:
                continue
            for phrase, value in entries[tokens[at]]:
                stop = at + len(phrase)
                if stop <= end and tuple(tokens[at:stop]) == phrase and not any(is_masked[at:stop]):
                    yield Hit(at, stop, value)
                    resume = stop
                    break


def _book(groups: Iterable[tuple[Value, str]]) -> PhraseBook[Value]:
    """A book from comma-separated phrases."""
    return PhraseBook({phrase.strip(): value for value, phrases in groups for phrase in phrases.split(",")})


_REGULAR_VERBS = """
    accelerate affect aggravate alleviate alter amplify boost cause constrain curb dampen decide determine dictate
    discourage enable encourage exacerbate facilitate foster generate govern hasten hinder impact impede increase induce
    influence inhibit mitigate mould produce prompt promote prevent provoke raise reduce shape steer strengthen suppress
    sway trigger underpin weaken worsen contribute_to depend_on depend_upon react_to respond_to result_in result_from
"""
_OTHER_CUES = """
    drive, drove, driven, driving, driver, fuelled, fueled, fuelling, fueling, forced, forcing, compel, compelled,
    compelling, lowered, lowering, spur, spurred, spurring, propel, propelled, propelling, curbed, curbing, underlie,
    underlying, underpinned, underpinning, causal, causally, determinant,
    lead to, led to, leading to, bring about, brought about, bringing about, bring on, brought on, give rise to,
    gave rise to, giving rise to, given rise to, stem from, stemming from, stemmed from, arise from, arising from,
    arose from, follow from, following from, flow from, flowing from, due to, because of, because, owing to, thanks to,
    as a result, as a consequence, in consequence, consequence of, consequently, therefore, thereby, hence, thus,
    dependent on, hinge on, hinging on, hinged on, rest on, resting on, effect on, effect of, effect upon, act on,
    acting on, acted on, act upon, bear on, bearing on, feed into, feeding into, fed into, rooted in, traced to,
    traced back to, trace back to, attributable to, attributed to, responsible for, source of, reason for, outcome of,
    product of, factor behind, force behind, translate into, translated into, set in motion, setting in motion, role in,
    part in, say in, spill over into, pave the way for, pass through to, passed on to, make itself felt in,
    make themselves felt in, leave its mark on, leave their mark on, leave a mark on,
    at the root of, under the pressure of
"""


def _inflect(verb: str) -> tuple[str, str, str]:
    """A regular verb, its past and its present participle; a particle follows an underscore."""
    stem, _, particle = verb.partition("_")
    tail = f" {particle}" if particle else ""
    past = stem[:-1] + "ied" if stem.endswith("fy") else stem.removesuffix("e") + "ed"
    return stem + tail, past + tail, stem.removesuffix("e") + "ing" + tail


CAUSAL_CUES: PhraseBook[bool] = _book(
    [(True, ",".join(form for verb in _REGULAR_VERBS.split() for form in _inflect(verb))), (True, _OTHER_CUES)]
)

_STRONG, _MODERATE, _WEAK, _RARE = BAND_RANGES.values()
STRENGTH_WORDS = _book(
    [
        (
            _STRONG,
            """strongly, very likely, highly likely, extremely likely, very probable, highly probable, very probably,
            almost certain, almost certainly, nearly certain, virtually certain, all but certain, usually, typically,
            overwhelmingly, predominantly, nearly always, almost always, virtually always, almost invariably,
            in most cases, most of the time, in the great majority of cases, in the vast majority of cases, as a rule,
            strong chance, strong likelihood, strong probability, strong possibility, strong tendency, strong prospect,
            high chance, high probability, high likelihood, very often, very frequently""",
        ),
        (
            _MODERATE,
            """moderately, as likely as not, as often as not, even odds, even chance, fifty-fifty, half the time,
            half of the time, half of cases, half of all cases, moderate chance, moderate likelihood,
            moderate probability, moderate possibility, moderate tendency, moderate prospect, fair chance""",
        ),
        (
            _WEAK,
            """weakly, occasionally, now and then, from time to time, some chance, some likelihood, some probability,
            weak chance, weak likelihood, weak probability, weak possibility, weak tendency, modest chance, slim chance,
            limited chance""",
        ),
        (
            _RARE,
            """rarely, seldom, almost never, hardly ever, scarcely ever, very rarely, only rarely, very seldom,
            very unlikely, highly unlikely, extremely unlikely, most unlikely, very improbable, remote chance,
            remote possibility, on rare occasions, next to no chance, hardly any chance, negligible chance,
            negligible probability, is rare, are rare, stay rare, remain rare""",
        ),
        (
            Range(0.40, 1.0),
            """likely, quite likely, fairly likely, rather likely, probable, probably, often, quite often, fairly often,
            frequently, commonly, good chance""",
        ),
        (Range(0.10, 0.70), "sometimes, at times"),
        (
            Range(0.0, 0.40),
            "unlikely, improbable, small chance, small probability, slight chance, low chance, low probability",
        ),
        (Range(0.90, 1.0), "always, invariably, without exception"),
        (Range(0.0, 0.10), "never"),
    ]
)
DEGREES = frozenset(
    {"more", "most", "less", "least", "as", "how", "not", "equally", "so", "too", "no", "neither", "nor"}
)
"""A strength word right after one of these claims nothing."""

OTHERWISE: PhraseBook[bool] = _book(
    [
        (
            True,
            """otherwise, without, absent, absence, unless, no, neither, nor, none, nothing, other, elsewhere, else,
            whatever, regardless, remaining, rest, alone, apart""",
        )
    ]
)
"""Words with which a sentence speaks of parent states that it does not name."""

NOTHING: PhraseBook[bool] = _book(
    [
        (
            True,
            """no, none, nothing, neither, nor, without, absent, absence, not, unaffected, unchanged, untouched, spared,
            out of the picture, out of play""",
        )
    ]
)
"""Words with which a sentence may speak of the baseline state."""


def _token_set(phrases: str) -> frozenset[tuple[str, ...]]:
    return frozenset(fold(phrase) for phrase in phrases.split(","))


ABOVE = _token_set("more than, over, above, at least, upward of, upwards of, exceeding, no less than, in excess of")
BELOW = _token_set("less than, under, below, at most, fewer than, up to, no more than, not even")
ROUGHLY = _token_set("about, around, roughly, nearly, almost, some, approximately, close to, just over, just under")
"""What may stand right before a number and loosens it."""
