"""Does a description say what the network says? All checks on descriptions.

What is checked, each with its own kind of problem:

``too_short``, ``too_long``
    100 to 1,000 words; a word is anything between spaces that has a letter or a digit.
``not_prose``
    No bullet or numbered lines, headings, bold, code or tables, no *node* or *variable* set before a variable's name
    in a sentence that recites its states, no recital such as *rainfall has the states heavy, light*.
``missing_variable``, ``missing_state``
    Every variable's name and every state but ``none`` appears, folded as in :mod:`bayes.folding`. Inside a longer name
    of the network a shorter one does not count.
``missing_edge``
    For every edge one sentence names both ends, by their variables' names, and holds a causal expression
    (:mod:`bayes.causal_language`) outside any name.
``wrong_strength``, ``wrong_number``
    Strength words and explicit probabilities agree with a CPD cell that their sentence can be about, as
    :mod:`bayes.claims` spells out.

Known limits. Whether the causal expression joins the two ends, and in which direction, is not understood: any sentence
with both names and an expression counts. A state that several variables share is covered by one mention. A claim is
held against its whole sentence, so in a sentence about several states it may be saved by the wrong one; what a pronoun
stands for is not followed. Names expressed in other words are missing unless they are passed as ``accepted``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bayes.causal_language import CAUSAL_CUES
from bayes.claims import Disagreement, check_numbers, check_strengths
from bayes.mentions import Reading, Sentence, read
from bayes.network import Network

MIN_WORDS = 100
MAX_WORDS = 1000


class ProblemKind(StrEnum):
    """What may be wrong with a description; see the module docstring."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_PROSE = "not_prose"
    MISSING_VARIABLE = "missing_variable"
    MISSING_STATE = "missing_state"
    MISSING_EDGE = "missing_edge"
    WRONG_STRENGTH = "wrong_strength"
    WRONG_NUMBER = "wrong_number"


@dataclass(frozen=True, slots=True)
class Problem:
    """One violated constraint: ``message`` is a line to feed back, ``names`` the variables or states concerned."""

    kind: ProblemKind
    message: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """The outcome of :func:`check`."""

    problems: tuple[Problem, ...]
    words: int

    @property
    def is_covered(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def missing_names(self) -> tuple[str, ...]:
        """Names that do not appear literally: those worth showing to a checker that accepts equivalent names."""
        kinds = {ProblemKind.MISSING_VARIABLE, ProblemKind.MISSING_STATE}
        return tuple(dict.fromkeys(problem.names[0] for problem in self.problems if problem.kind in kinds))


def check(
    text: str,
    network: Network,
    *,
    min_words: int = MIN_WORDS,
    max_words: int = MAX_WORDS,
    accepted: frozenset[str] = frozenset(),
) -> CoverageReport:
    """Hold a description against the network that it describes.

    Args:
        text: the description.
        network: the network; its CPDs are complete.
        min_words: shortest description that is accepted.
        max_words: longest description that is accepted.
        accepted: names that are known to be expressed in other words. They count as mentioned, and an edge with such
            an end is stated by any causal sentence that names its other end.

    Example:
        >>> import numpy as np
        >>> from bayes.network import Cpd, Rule, Variable
        >>> rain, flood = Variable("rainfall", ("heavy", "none")), Variable("flooding", ("severe", "none"))
        >>> prior = Cpd("rainfall", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
        >>> cpd = Cpd("flooding", ("rainfall",), np.array([[0.8, 0.05], [0.2, 0.95]]), (Rule.PAIRWISE,) * 2)
        >>> network = Network((rain, flood), (prior, cpd))
        >>> check("Heavy rainfall leads to severe flooding in 80% of cases.", network, min_words=5).is_covered
        True
        >>> report = check("Heavy rainfall rarely leads to severe flooding.", network, min_words=5)
        >>> print(report.problems[0].message)
        "rarely" does not fit the values of "flooding" (nearest 80%): "Heavy rainfall rarely leads to severe flooding"
    """
    words = count_words(text)
    problems = [*_check_length(words, min_words, max_words), *_check_layout(text, network)]
    reading = read(text, network)
    problems += _check_names(reading, network, accepted)
    problems += _check_edges(reading, network, accepted)
    for sentence in reading.sentences:
        if _is_recital(reading, sentence):
            message = f"Tell the states within prose instead of reciting them: {_quote(reading.quote(sentence))}"
            problems.append(Problem(ProblemKind.NOT_PROSE, message))
        for found in check_strengths(network, reading, sentence):
            problems.append(_to_problem(ProblemKind.WRONG_STRENGTH, found, reading, sentence))
        for found in check_numbers(network, reading, sentence):
            problems.append(_to_problem(ProblemKind.WRONG_NUMBER, found, reading, sentence))
    return CoverageReport(tuple(problems), words)


def count_words(text: str) -> int:
    """Words of a text: what stands between spaces and has a letter or a digit.

    Example:
        >>> count_words("Well - it rose by 5%.")
        5
    """
    return sum(1 for word in text.split() if word[0].isalnum() or any(map(str.isalnum, word)))


def _check_length(words: int, min_words: int, max_words: int) -> Iterator[Problem]:
    if words < min_words:
        yield Problem(ProblemKind.TOO_SHORT, f"The text has {words} words; write at least {min_words}.")
    if words > max_words:
        yield Problem(ProblemKind.TOO_LONG, f"The text has {words} words; write at most {max_words}.")


_LAYOUTS = (
    (re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,2}[.)])\s+\S", re.MULTILINE), "a bulleted or numbered line"),
    (re.compile(r"^[ \t]*#{1,6}\s", re.MULTILINE), "a heading"),
    (re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE), "a table"),
    (re.compile(r"```"), "a code block"),
)
_MARKS = (
    (re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__"), ("**", "__"), "bold type"),
    (re.compile(r"`[^`\n]+`"), ("`",), "code"),
)
_SENTENCE_CLOSERS = tuple(".!?:;,\"'”’)…")


def _check_layout(text: str, network: Network) -> Iterator[Problem]:
    for pattern, what in _LAYOUTS:
        if pattern.search(text):
            yield Problem(ProblemKind.NOT_PROSE, f"Write plain prose: the text has {what}.")
    for pattern, marks, what in _MARKS:
        if pattern.search(text) and not any(mark in name for mark in marks for name in _names(network)):
            yield Problem(ProblemKind.NOT_PROSE, f"Write plain prose: the text has {what}.")
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph and not paragraph.rstrip().endswith(_SENTENCE_CLOSERS) and len(paragraph.split()) <= 12:
            yield Problem(ProblemKind.NOT_PROSE, f"Write whole sentences, no headings: {_quote(_shorten(paragraph))}")


def _names(network: Network) -> Iterator[str]:
    for variable in network.variables:
        yield variable.name
        yield from variable.states


def _check_names(reading: Reading, network: Network, accepted: frozenset[str]) -> Iterator[Problem]:
    present = reading.names | accepted
    for variable in network.variables:
        if variable.name not in present:
            message = f"The variable {_quote(variable.name)} is not named on its own."
            yield Problem(ProblemKind.MISSING_VARIABLE, message, (variable.name,))
        for state in variable.telling_states:
            if state not in present:
                message = f"The state {_quote(state)} of {_quote(variable.name)} is not mentioned on its own."
                yield Problem(ProblemKind.MISSING_STATE, message, (state, variable.name))


def _check_edges(reading: Reading, network: Network, accepted: frozenset[str]) -> Iterator[Problem]:
    tokens, is_name = reading.text.tokens, reading.is_name
    least = 1 if accepted else 2
    causal = [
        sentence.variables
        for sentence in reading.sentences
        if len(sentence.variables) >= least and any(CAUSAL_CUES.scan(tokens, is_name, sentence.start, sentence.end))
    ]
    for edge in network.edges:
        ends = {edge.parent, edge.child} - accepted
        if not any(ends <= named for named in causal):
            message = (
                f"No sentence names both {_quote(edge.parent)} and {_quote(edge.child)} and says in causal words "
                "that the first acts on the second."
            )
            yield Problem(ProblemKind.MISSING_EDGE, message, (edge.parent, edge.child))


_RECITING = frozenset({"state", "value", "category", "option"})
_JARGON = frozenset({"node", "variable"})
_POSSESSING = frozenset(
    {"has", "have", "having", "take", "taking", "assume", "with", "its", "whose", "possible", "are", "is"}
)
_LINKING = frozenset({"of", "such", "as", "like", "namely", "are", "include", "including", "being", "is", "it"})


def _is_recital(reading: Reading, sentence: Sentence) -> bool:
    """Whether a sentence is of the kind: the node X has states a, b, c."""
    if sum(map(len, sentence.states.values())) < 2:
        return False
    tokens, is_name = reading.text.tokens, reading.is_name
    if (_RECITING | _JARGON).isdisjoint(tokens[sentence.start : sentence.end]):
        return False
    for at in range(sentence.start, sentence.end):
        # Only the plural recites, and folding has taken it away.
        if tokens[at] not in _RECITING or is_name[at] or not reading.cite(at, at + 1).endswith("s"):
            continue
        following = at + 1
        while following < sentence.end and not is_name[following] and tokens[following] in _LINKING:
            following += 1
        lead = tokens[max(sentence.start, at - 4) : at]
        if following < sentence.end and is_name[following] and not _POSSESSING.isdisjoint(lead):
            return True
    return any(
        tokens[at] in _JARGON and not is_name[at] and is_name[at + 1] for at in range(sentence.start, sentence.end - 1)
    )


def _to_problem(kind: ProblemKind, found: Disagreement, reading: Reading, sentence: Sentence) -> Problem:
    nearest = ", ".join(f"{100 * value:.3g}%" for value in found.values)
    message = (
        f"{_quote(found.claim.words)} does not fit the values of {_quote(found.variable)} "
        f"(nearest {nearest}): {_quote(reading.quote(sentence))}"
    )
    return Problem(kind, message, (found.variable,))


def _quote(words: str) -> str:
    return f'"{" ".join(words.split())}"'


def _shorten(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= 100 else words[:97] + "..."
