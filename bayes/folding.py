"""Names compared and found in prose, whatever their case, accents, hyphens, plurals and punctuation.

A name or a text is *folded* into tokens. Folding, in order:

- Unicode NFKD, accents dropped; typographic quotes, dashes and spaces become plain ones; dotted initials are closed up
  (``U.S.`` is ``us``); ``per cent`` and ``percent`` are ``%``, ``&`` is ``and``;
- a token is a number with its decimals (the commas of thousands dropped, so that ``$1,015`` is ``$ 1015``), a run of
  letters and digits, one symbol such as ``$ % < > + =``, or the minus sign of a number. Hyphens, underscores, slashes
  and other punctuation separate tokens and are dropped;
- a token is casefolded, loses its apostrophes and a possessive ``'s``, and is put in the singular.

Two names are the same when the concatenation of their tokens, the *key*, is the same: ``land use``, ``land-use``,
``Landuse`` and ``land uses`` are one name.

Within a text a name is found at token boundaries only (``growth`` is not in ``outgrowth``), and across punctuation only
if the name has that punctuation itself: ``tax relief`` is not in ``after tax, relief came``. Words that are written
apart in one place and joined in the other (``health care``, ``healthcare``) match if a hyphen shows the joint, if both
pieces have at least three letters, or if a letter meets a digit there; so ``apart`` is not found in ``a part``.

Not folded: British and American spelling, abbreviations, verb forms other than a final ``-s``, synonyms.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

_PLAIN = dict.fromkeys("‘’‚‛′´ʼ`", "'") | dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‐‑‒–—―−", "-") | {"\u00ad": ""}
_TYPOGRAPHY = re.compile(f"[{''.join(_PLAIN)}]")
# All combining marks that sit on letters; U+0338, the stroke that turns = into its opposite, stays.
_ACCENTS = re.compile("[\u0300-\u0337\u0339-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f]+")
_PER_CENT = re.compile(r"\bper[ -]cent\b", re.IGNORECASE)
_INITIALS = re.compile(r"\b(?<!_)(?:[A-Za-z]\.)+[A-Za-z](?![^\W_])\.?")
_TOKEN = re.compile(
    r"[^\W\d_][^\W_]*(?:'[^\W_]+)*"  # a word
    r"|(?<![^\W_])(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?![^\W_])"  # a number
    r"|[^\W_]+(?:'[^\W_]+)*"  # a word that begins with a digit
    r"|(?<![^\s(\[\"'])-(?=[$€£]?\.?\d)"  # a minus sign
    r"|[^\w\s.,;:!?'\"()\[\]{}\-/\\…·•¿¡]"  # a symbol
)
_DIGITS = frozenset("0123456789")
_FREE_GAP = frozenset(" -/\\'_\n\t\r\u00a0")

_SINGULAR_IN_S = """
    always as bias bus canvas chaos christmas does gas gross has his its kansas lens less news plus series species texas
    this thus us was whereas yes
"""
_UNCHANGED = frozenset(_SINGULAR_IN_S.split())
_IRREGULAR = {
    "aches": "ache",
    "analyses": "analysis",
    "avalanches": "avalanche",
    "axes": "axis",
    "biases": "bias",
    "caches": "cache",
    "calories": "calorie",
    "children": "child",
    "crises": "crisis",
    "criteria": "criterion",
    "diagnoses": "diagnosis",
    "feet": "foot",
    "gases": "gas",
    "halves": "half",
    "hypotheses": "hypothesis",
    "indices": "index",
    "knives": "knife",
    "lenses": "lens",
    "lives": "life",
    "matrices": "matrix",
    "men": "man",
    "mice": "mouse",
    "movies": "movie",
    "niches": "niche",
    "oases": "oasis",
    "parentheses": "parenthesis",
    "phenomena": "phenomenon",
    "shelves": "shelf",
    "syntheses": "synthesis",
    "teeth": "tooth",
    "theses": "thesis",
    "thieves": "thief",
    "wolves": "wolf",
    "women": "woman",
}
_PLURAL = re.compile(r"^[^\W\d]*[^sui\W\d]s$")
_USES = re.compile(r"(?:[ao]|^|(?:ab|ac|conf|diff|dis|exc|f|inf|m|mis|over|per|re|ref))uses$")


def to_singular(word: str) -> str:
    """The singular of a lower-case English word, by its ending; a word that is not a plural mostly stays as it is.

    Example:
        >>> [to_singular(word) for word in ("policies", "crises", "statuses", "causes", "rates", "status", "gas")]
        ['policy', 'crisis', 'status', 'cause', 'rate', 'status', 'gas']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word in _UNCHANGED or not _PLURAL.search(word):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    takes_es = (
        word.endswith(("sses", "shes", "ches", "xes"))
        or (word.endswith("oes") and len(word) > 5)
        or (word.endswith("uses") and not _USES.search(word))
    )
    return word[:-2] if takes_es else word[:-1]


@lru_cache(maxsize=32_768)
def _fold_token(raw: str) -> str:
    first = raw[0]
    if first.isdigit() or first == ".":
        number = raw.replace(",", "").casefold()
        return "0" + number if first == "." else number
    if raw == "&":
        return "and"
    word = raw.casefold()
    if word == "percent":
        return "%"
    if "'" in word:
        word = word.removesuffix("'s").replace("'", "")
    return to_singular(word)


def normalise(text: str) -> str:
    """The text without accents and typography, case kept: the string that token spans refer to.

    Example:
        >>> normalise("“Café”—U.S. growth of 3 per cent")
        '"Cafe"-US growth of 3 percent'
    """
    if text.isascii():
        text = text.replace("`", "'")
    else:
        text = _TYPOGRAPHY.sub(lambda match: _PLAIN[match[0]], text)
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = _TYPOGRAPHY.sub(lambda match: _PLAIN[match[0]], text)
    if "cent" in text or "CENT" in text:
        text = _PER_CENT.sub("percent", text)
    return _INITIALS.sub(lambda match: match[0].replace(".", ""), text)


def _is_glued(left: str, right: str) -> bool:
    """Whether two tokens keep a space between them in a key: 1 10 must not become 11 0."""
    return left[-1] in _DIGITS and right[0] in _DIGITS


def _join(tokens: tuple[str, ...]) -> tuple[str, list[int]]:
    """The concatenation of the tokens and the offset of the end of each."""
    parts = [
        " " + token if token[0] in _DIGITS and _is_glued(previous, token) else token
        for previous, token in zip(("-", *tokens), tokens, strict=False)
    ]
    return "".join(parts), list(accumulate(map(len, parts)))


@dataclass(frozen=True, slots=True)
class FoldedName:
    """A name ready to be looked for: its tokens, their key, and where each token begins in the key.

    ``plain`` is the name normalised, in small letters. ``hyphens`` are the offsets that a hyphen precedes. ``literal``
    is set, and the tokens are single characters, where the name has neither a letter, a digit nor a symbol.
    """

    plain: str

    tokens: tuple[str, ...]
    key: str
    offsets: tuple[int, ...]
    hyphens: frozenset[int]
    characters: frozenset[str]
    literal: str = ""


@lru_cache(maxsize=32_768)
def fold_name(name: str) -> FoldedName:
    """Fold a name, with what is needed to find it in a text."""
    plain = normalise(name)
    matches = list(_TOKEN.finditer(plain))
    tokens = tuple(_fold_token(match[0]) for match in matches)
    literal = ""
    if not tokens:
        literal = "".join(plain.split()) or name
        tokens = tuple(literal)
    key, ends = _join(tokens)
    offsets = tuple(end - len(token) for end, token in zip(ends, tokens, strict=True))
    hyphens = frozenset(
        offsets[i] for i in range(1, len(matches)) if plain[matches[i - 1].end() : matches[i].start()] == "-"
    )
    return FoldedName(plain.casefold().strip(), tokens, key, offsets, hyphens, frozenset(plain), literal)


def fold(name: str) -> tuple[str, ...]:
    """The folded tokens of a name.

    Example:
        >>> fold("Maximum weekly payments of $1,015")
        ('maximum', 'weekly', 'payment', 'of', '$', '1015')
        >>> fold("R&D — workers’ share: 42.67 per cent")
        ('r', 'and', 'd', 'worker', 'share', '42.67', '%')
    """
    return fold_name(name).tokens


def to_key(name: str) -> str:
    """The key by which names are compared; see the module docstring.

    Example:
        >>> to_key("Land-uses") == to_key("landuse") == to_key("land use")
        True
    """
    return fold_name(name).key


def is_same_name(left: str, right: str) -> bool:
    """Whether two names are the same once folded.

    Example:
        >>> is_same_name("Co-operation", "cooperation"), is_same_name("growth", "outgrowth")
        (True, False)
    """
    return to_key(left) == to_key(right)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of tokens, ``end`` excluded."""

    start: int
    end: int


@dataclass(frozen=True)
class FoldedText:
    """A text as folded tokens; ``spans`` are their places in ``plain``, the normalised text."""

    plain: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @cached_property
    def _joined(self) -> tuple[str, dict[int, int], dict[int, int]]:
        joined, offsets = _join(self.tokens)
        starts = {end - len(token): i for i, (end, token) in enumerate(zip(offsets, self.tokens, strict=True))}
        ends = dict(zip(offsets, range(1, len(offsets) + 1), strict=True))
        return joined, starts, ends

    def find(self, name: str) -> tuple[Span, ...]:
        """Every place where the name stands in the text.

        A name without a letter, digit or symbol is looked for as it is written, and its span is empty.

        Example:
            >>> fold_text("Outgrowth is not growth; slow-growth firms are.").find("slow growth")
            (Span(start=4, end=6),)
        """
        folded = fold_name(name)
        if folded.literal:
            return tuple(self._find_literal(folded.literal))
        joined, starts, ends = self._joined
        found: list[Span] = []
        key = folded.key
        at = joined.find(key)
        while at >= 0:
            start, end = starts.get(at), ends.get(at + len(key))
            if start is not None and end is not None and self._is_match(folded, start, end):
                found.append(Span(start, end))
            at = joined.find(key, at + 1)
        return tuple(found)

    def _is_match(self, name: FoldedName, start: int, end: int) -> bool:
        if end - start == 1 and len(name.tokens) == 1:
            return True
        if self.plain[self.spans[start][0] : self.spans[end - 1][1]].casefold() == name.plain:
            return True
        cuts: set[int] = set()
        offset = len(self.tokens[start])
        for i in range(start + 1, end):
            gap = self.plain[self.spans[i - 1][1] : self.spans[i][0]]
            if gap != " " and not self._is_crossable(gap, name):
                return False
            offset += _is_glued(self.tokens[i - 1], self.tokens[i])
            if offset not in name.offsets and gap != "-" and not _is_joint(self.tokens[i - 1], self.tokens[i]):
                return False
            cuts.add(offset)
            offset += len(self.tokens[i])
        for i in range(1, len(name.tokens)):
            offset = name.offsets[i]
            if offset in cuts or offset in name.hyphens or _is_joint(name.tokens[i - 1], name.tokens[i]):
                continue
            return False
        return True

    @staticmethod
    def _is_crossable(gap: str, name: FoldedName) -> bool:
        if gap.count("\n") > 1:
            return False
        return all(character in _FREE_GAP or character in name.characters for character in gap)

    def _find_literal(self, literal: str) -> Iterator[Span]:
        for match in re.finditer(rf"(?<![^\s(\"'])\s?{re.escape(literal)}(?![^\s.,;:!?)\"'])", self.plain):
            index = sum(1 for start, _ in self.spans if start < match.start())
            yield Span(index, index)


def _is_joint(left: str, right: str) -> bool:
    """Whether two words may also be written as one."""
    if left[-1].isdigit() != right[0].isdigit():
        return True
    return len(left) > 2 and len(right) > 2


def fold_text(text: str) -> FoldedText:
    """Fold a text to look for names in it.

    Example:
        >>> fold_text("Rising prices hurt.").tokens
        ('rising', 'price', 'hurt')
    """
    plain = normalise(text)
    matches = list(_TOKEN.finditer(plain))
    return FoldedText(
        plain,
        tuple([_fold_token(match[0]) for match in matches]),
        tuple([match.span() for match in matches]),
    )
