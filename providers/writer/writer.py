"""A description of any network, written by rules: the same text for the same network, title and seed.

The text opens with what it is about, tells what to expect of the roots, takes every other variable in topological
order (which causes act on it, then the most telling entries of its table), and closes. It is written in as much detail
as fits a length of some hundred words, checked with :func:`bayes.coverage.check` like any other description, and
rewritten where a check fails: with other phrasings, with the names concerned in quotation marks, at last in the
plainest frames and with no word about probabilities.
"""

from dataclasses import dataclass

from bayes.claims import find_numbers, find_strengths
from bayes.coverage import MIN_WORDS, CoverageReport, ProblemKind, check, count_words
from bayes.mentions import read
from bayes.network import Network
from providers.writer import framings
from providers.writer.clashes import find_clashing_names
from providers.writer.facts import Fact, choose_facts
from providers.writer.grammar import is_common_word, is_odd
from providers.writer.sentences import Speaker, Style, to_number
from providers.writer.templates import Chooser, fill, to_sentence
from providers.writer.wording import Wording

_LENGTHS = (400, 480, 560)
"""How many words a text may take; one of these is chosen."""
_DEPTHS = ((3, False, 0), (2, False, 0), (1, False, 650), (0, False, 750), (0, True, 0))
"""Detail, whether to be terse, and a length that is accepted beyond the chosen one, tried in this order."""

_FORMAL, _PLAIN = 4, 6
"""The attempts from which on every name is quoted, and from which on nothing is said about probabilities."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way of writing: ``round`` varies the choices, ``quoted`` names stand in quotation marks."""

    round: int
    title: str
    quoted: frozenset[str] = frozenset()
    is_formal: bool = False
    has_claims: bool = True


def write(network: Network, *, title: str = "", seed: str = "") -> str:
    r"""Describe a network in prose that passes all checks of :mod:`bayes.coverage`.

    Names so long or so many that each cannot be mentioned within 1,000 words make a longer text, which then fails that
    check and no other.

    Args:
        network: the network; acyclic, with names that are not empty.
        title: what it is about, for the opening; left out where it would disturb the checks.
        seed: another seed gives another text.

    Example:
        >>> import numpy as np
        >>> from bayes.network import Cpd, Rule, Variable
        >>> prior = Cpd("rainfall", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
        >>> text = write(Network((Variable("rainfall", ("heavy", "none")),), (prior,)), title="Floods")
        >>> print(text.split("\n\n")[0])
        In what is told about Floods, rainfall can be looked at without regard to anything else.
    """
    title = _to_harmless_title(title, network)
    every = frozenset(name for variable in network.variables for name in (variable.name, *variable.states))
    quoted: frozenset[str] = frozenset()
    best: tuple[int, str] = (-1, "")
    attempt = 0
    while attempt < _PLAIN + 4:
        if attempt < _FORMAL:
            manner = _Attempt(attempt, title if attempt < _FORMAL - 1 else "", quoted)
        else:
            manner = _Attempt(attempt, "", every, is_formal=True, has_claims=attempt < _PLAIN)
        text, report = _write_checked(network, seed, manner)
        if report.is_covered:
            return text
        if best[0] < 0 or len(report.problems) < best[0]:
            best = len(report.problems), text
        quoted |= {name for problem in report.problems for name in problem.names}
        is_long = any(problem.kind is ProblemKind.TOO_LONG for problem in report.problems)
        attempt = max(attempt + 1, _PLAIN if is_long else 0)
    return best[1]


def _to_harmless_title(title: str, network: Network) -> str:
    """The title on one line; nothing if its own words would break a check."""
    title = " ".join(title.split())
    reading = read(title, network)
    has_claims = any(find_strengths(reading, part) or find_numbers(reading, part) for part in reading.sentences)
    report = check(f"{title}.", network, min_words=0)
    is_marked = any(problem.kind is ProblemKind.NOT_PROSE for problem in report.problems)
    return "" if has_claims or is_marked else title


def _write_checked(network: Network, seed: str, attempt: _Attempt) -> tuple[str, CoverageReport]:
    names = [variable.name for variable in network.variables]
    key = "\n".join([seed, str(attempt.round), attempt.title, *names])
    clashing = find_clashing_names(network)
    text = ""
    for detail, is_terse, extra in _DEPTHS:
        chooser = Chooser(key, clashing)
        length = max(chooser.pick(_LENGTHS), extra)
        text = _Composer(network, chooser, attempt, detail, is_terse=is_terse).compose()
        if count_words(text) <= length:
            break
    return text, check(text, network)


class _Composer:
    """Puts the sentences of one text in order."""

    def __init__(self, network: Network, chooser: Chooser, attempt: _Attempt, detail: int, *, is_terse: bool) -> None:
        self._network = network
        self._chooser = chooser
        self._attempt = attempt
        self._detail = detail
        self._is_terse = is_terse
        style = Style(
            percent=chooser.pick(("%", "%", " per cent", " percent")) if not is_terse else "%",
            figures=chooser.pick((0.5, 0.7, 0.85)),
            is_formal=attempt.is_formal,
            is_terse=is_terse,
        )
        self._words = Wording(network, chooser, attempt.quoted)
        self._speaker = Speaker(network, self._words, chooser, style)
        levels = network.levels
        shuffled = chooser.shuffle([variable.name for variable in network.variables])
        self._order = sorted(shuffled, key=levels.__getitem__)
        self._parents = {name: network.cpd_of[name].parents for name in self._order}
        self._causes = {edge.parent for edge in network.edges}

    def compose(self) -> str:
        """The text."""
        ends = self._find_ends()
        opening, closing = self._open(ends), self._close(ends)
        paragraphs = [opening, *self._tell_variables()]
        words = count_words(" ".join([*paragraphs, closing]))
        added: list[str] = []
        is_remarking = self._detail > 1 and self._chooser.is_lucky(0.3)
        for remark in self._chooser.arrange(framings.REMARKS):
            if words >= MIN_WORDS and (added or not is_remarking):
                break
            added.append(to_sentence(remark))
            words += count_words(remark)
        last = " ".join([*added, closing]).strip()
        return "\n\n".join(paragraph for paragraph in (*paragraphs, last) if paragraph)

    # ---- Beginning and end ----

    def _find_ends(self) -> tuple[list[str], str] | None:
        """A last effect and one or two roots that lead to it; None if there are no edges."""
        sinks = [name for name in self._order if self._parents[name] and name not in self._causes]
        if not sinks:
            return None
        sink = self._chooser.pick(sinks)
        above: set[str] = set()
        pending = [sink]
        while pending:
            for parent in self._parents[pending.pop()]:
                if parent not in above:
                    above.add(parent)
                    pending.append(parent)
        roots = [name for name in self._order if name in above and not self._parents[name]]
        return self._chooser.shuffle(roots)[:2], sink

    def _open(self, ends: tuple[list[str], str] | None) -> str:
        title = self._to_title()
        if ends is None:
            names = self._order if len(self._order) < 4 else self._order[:3]
            deck = framings.OPENINGS_LOOSE_WITH_TITLE if title else framings.OPENINGS_LOOSE
            roots = self._words.variables(names)
            return to_sentence(fill(self._chooser.draw(deck), T=title, R=roots))
        deck = framings.OPENINGS_WITH_TITLE if title else framings.OPENINGS
        text = fill(
            self._chooser.draw(deck),
            T=title,
            R=self._words.variables(ends[0]),
            S=self._words.variable(ends[1]),
            N=to_number(len(self._order)),
        )
        return to_sentence(text)

    def _close(self, ends: tuple[list[str], str] | None) -> str:
        if ends is None or self._is_terse:
            return ""
        closing = self._chooser.draw(framings.CLOSINGS)
        return to_sentence(fill(closing, R=self._words.variables(ends[0]), S=self._words.variable(ends[1])))

    def _to_title(self) -> str:
        """The title as it stands within a sentence; a first word that is no proper name gets a small letter."""
        title = self._attempt.title
        if not title or title.endswith(tuple(".,;:!?-")) or is_odd(title.replace("(", "").replace(")", "")):
            return f"“{title}”" if title else ""
        first, _, rest = title.partition(" ")
        word = first.lower()
        named = {
            part
            for variable in self._network.variables
            for name in (variable.name, *variable.states)
            for part in name.split()
        }
        is_common = not named.isdisjoint({word, word + "s", word.removesuffix("s")}) or is_common_word(word)
        return f"{word} {rest}".strip() if is_common and first[1:].islower() and not rest[:1].isupper() else title

    # ---- Variables ----

    def _tell_variables(self) -> list[str]:
        roots = [name for name in self._order if not self._parents[name]]
        linked = [name for name in roots if name in self._causes]
        loose = [name for name in roots if name not in self._causes]
        # Either all roots come first, or each before the first variable that depends on it.
        is_interleaved = len(linked) > 1 and self._chooser.is_lucky(0.4)
        pending = linked if is_interleaved else []
        paragraphs = [] if is_interleaved else [self._tell_roots(linked)]
        for child in (name for name in self._order if self._parents[name]):
            causes = [name for name in pending if name in self._parents[child]]
            pending = [name for name in pending if name not in causes]
            paragraphs.append(" ".join(filter(None, [self._tell_roots(causes), self._tell_child(child)])))
        paragraphs.append(self._tell_roots(loose))
        return _merge([paragraph for paragraph in paragraphs if paragraph])

    def _tell_roots(self, names: list[str]) -> str:
        if not self._attempt.has_claims:
            return " ".join(map(self._speaker.tell_states, names))
        return " ".join(
            sentence
            for name in names
            for fact in choose_facts(self._network, name, self._detail, by_outcome=False)
            for sentence in self._speaker.tell(fact)
        )

    def _tell_child(self, name: str) -> str:
        sentences = [self._speaker.tell_edges(name)]
        if not self._attempt.has_claims:
            return " ".join([*sentences, self._speaker.tell_states(name)])
        previous: Fact | None = None
        for fact in choose_facts(self._network, name, self._detail, by_outcome=self._chooser.is_lucky(0.4)):
            sentences += self._speaker.tell(fact, previous)
            previous = fact
        return " ".join(sentences)


def _merge(paragraphs: list[str], enough: int = 45) -> list[str]:
    """Paragraphs with the short ones joined to what follows."""
    merged: list[str] = []
    for paragraph in paragraphs:
        if merged and count_words(merged[-1]) < enough:
            merged[-1] += " " + paragraph
        else:
            merged.append(paragraph)
    return merged
