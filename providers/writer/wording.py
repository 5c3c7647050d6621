"""Names as phrases: a variable with its article, a state as a condition, a setting or an outcome."""

import re
from collections import Counter

from bayes.folding import to_key
from bayes.network import BASELINE_STATE, Network, Variable
from providers.writer import lexicon
from providers.writer.grammar import (
    StateClass,
    is_adjective,
    is_countable,
    is_odd,
    is_plural,
    takes_the,
    to_state_class,
    with_article,
)
from providers.writer.templates import Chooser, Phrase, fill, to_list

_WHEN = {
    StateClass.ADJECTIVE: lexicon.WHEN_ADJECTIVE,
    StateClass.PREDICATE: lexicon.WHEN_PREDICATE,
    StateClass.NOUN: lexicon.WHEN_NOUN,
    StateClass.PROPER: lexicon.WHEN_PROPER,
    StateClass.SAID: lexicon.WHEN_SAID,
}
_YEAR = re.compile(r"[12]\d{3}\s")
_MEASURE = re.compile(r"\d+-[a-z]")
_DESCRIBING = {StateClass.ADJECTIVE, StateClass.PREDICATE}


class Wording:
    """How the names of one network are put into words.

    Args:
        network: the network.
        chooser: decides between equivalent phrasings.
        quoted: names that are put in quotation marks wherever they stand, beside those with odd punctuation.
    """

    def __init__(self, network: Network, chooser: Chooser, quoted: frozenset[str] = frozenset()) -> None:
        self._chooser = chooser
        self._quoted = quoted
        lowers = is_title_cased([variable.name for variable in network.variables])
        self._bare: dict[str, str] = {}
        self._variables: dict[str, Phrase] = {}
        self._states: dict[tuple[str, str], str] = {}
        self._classes: dict[tuple[str, str], StateClass] = {}
        self._n_owners = Counter(
            key
            for variable in network.variables
            for key in {to_key(name) for name in (variable.name, *variable.telling_states)}
        )
        for variable in network.variables:
            self._add_variable(variable, lowers=lowers)
            self._add_states(variable)

    def _add_variable(self, variable: Variable, *, lowers: bool) -> None:
        name = " ".join(variable.name.split())
        if variable.name in self._quoted or is_odd(name):
            self._bare[variable.name] = _quote(name)
            self._variables[variable.name] = Phrase(_quote(name))
            return
        name = _to_lower(name) if lowers else name
        self._bare[variable.name] = name
        self._variables[variable.name] = Phrase(f"the {name}" if takes_the(name) else name, is_plural(name))

    def _add_states(self, variable: Variable) -> None:
        states = [state for state in variable.telling_states if state not in self._quoted]
        lowers = len(states) > 1 and is_title_cased(states) and any(is_adjective(state.casefold()) for state in states)
        plain = {state: _to_lower(state) if lowers else " ".join(state.split()) for state in states}
        classes = {state: to_state_class(text) for state, text in plain.items()}
        # Siblings are of one kind more often than not: odd ones among adjectives are adjectives, and among clauses
        # longer descriptions are quoted like them.
        single = [state for state, text in plain.items() if text.isalpha() and text.islower()]
        if 2 * sum(classes[state] in _DESCRIBING for state in single) >= max(len(single), 1):
            classes |= {state: StateClass.ADJECTIVE for state in single if classes[state] is StateClass.NOUN}
        n_said = sum(kind is StateClass.SAID for kind in classes.values())
        pliable = _DESCRIBING if 2 * n_said <= len(states) else {*_DESCRIBING, StateClass.NOUN}
        for state in states if n_said else ():
            if " " in plain[state] and classes[state] in pliable:
                classes[state] = StateClass.SAID
        for state in variable.telling_states:
            kind = classes.get(state, StateClass.SAID)
            text = plain.get(state, " ".join(state.split()))
            self._states[variable.name, state] = _quote(text) if kind is StateClass.SAID else text
            self._classes[variable.name, state] = kind

    def variable(self, name: str) -> Phrase:
        """The variable with its article."""
        return self._variables[name]

    def bare(self, name: str) -> str:
        """The variable without article."""
        return self._bare[name]

    def variables(self, names: tuple[str, ...] | list[str]) -> Phrase:
        """Several variables in a row."""
        if len(names) == 1:
            return self.variable(names[0])
        return Phrase(to_list([self.variable(name).text for name in names]), is_plural=True)

    def is_describing(self, name: str, state: str) -> bool:
        """Whether the state is an adjective of its variable."""
        return self._classes.get((name, state)) in _DESCRIBING

    def state(self, name: str, state: str) -> str:
        """A telling state by itself, with an article where it wants one."""
        text, kind = self._states[name, state], self._classes[name, state]
        if kind not in {StateClass.PROPER, StateClass.NOUN} or not is_countable(text) or is_plural(text):
            return text
        if kind is StateClass.PROPER or text.endswith("government"):
            return f"the {text}" if " " in text else text
        if _YEAR.match(text):
            return f"the {text}"
        return with_article(text) if text[0].islower() or _MEASURE.match(text) else text

    def when(self, name: str, states: tuple[str, ...]) -> str:
        """The states, any of them, as a clause: rainfall is heavy or moderate."""
        subject = self.variable(name)
        if states == (BASELINE_STATE,):
            return fill(self._chooser.draw(lexicon.WHEN_NONE), V=subject, B=self.bare(name))
        kinds = {self._classes[name, state] for state in states}
        deck = _WHEN[kinds.pop()] if len(kinds) == 1 else lexicon.WHEN_PREDICATE
        return fill(self._chooser.draw(deck), V=subject, s=self._any(name, states))

    def setting(self, name: str, states: tuple[str, ...], *, is_short: bool = False) -> str:
        """The states, any of them, as a noun phrase: heavy rainfall, Wisconsin as the program jurisdiction.

        ``is_short`` leaves the variable out where the states can stand for it.
        """
        if states == (BASELINE_STATE,):
            return fill(self._chooser.draw(lexicon.WITH_NONE), B=self.bare(name))
        kinds = {self._classes[name, state] for state in states}
        if kinds == {StateClass.ADJECTIVE}:
            return self._describe(name, to_list([self._states[name, state] for state in states], "or"))
        if kinds == {StateClass.PREDICATE}:
            return f"{self.variable(name).text} {self._any(name, states)}"
        if is_short and not kinds & _DESCRIBING and not any(self._is_shared(state) for state in states):
            return self._any(name, states)
        return f"{self._any(name, states)} as {self.variable(name).text}"

    def outcome(self, name: str, state: str) -> Phrase:
        """A telling state as something that may come about."""
        kind, text = self._classes[name, state], self._states[name, state]
        if kind is StateClass.ADJECTIVE:
            return Phrase(self._describe(name, text), self.variable(name).is_plural)
        if kind is StateClass.PREDICATE:
            return Phrase(f"{self.variable(name).text} being {text}")
        if self._is_shared(state):
            return Phrase(f"{self.state(name, state)} as {self.variable(name).text}")
        return Phrase(self.state(name, state), kind is StateClass.NOUN and is_plural(text))

    def _any(self, name: str, states: tuple[str, ...]) -> str:
        return to_list([self.state(name, state) for state in states], "or")

    def _is_shared(self, state: str) -> bool:
        """Whether the state alone does not tell which variable is meant."""
        return self._n_owners[to_key(state)] > 1

    def _describe(self, name: str, adjective: str) -> str:
        described = f"{adjective} {self.bare(name)}"
        return with_article(described) if takes_the(self.bare(name)) else described


def is_title_cased(names: list[str]) -> bool:
    """Whether capitals are a matter of style here: every name begins with one.

    Example:
        >>> is_title_cased(["Interest Rate", "Inflation"]), is_title_cased(["US policy", "inflation"])
        (True, False)
    """
    return len(names) > 1 and all(name[:1].isupper() and name[1:2].islower() for name in names)


def _to_lower(name: str) -> str:
    """Capitalised words in small letters; words with more capitals, such as GDP, stay."""
    return " ".join(word.lower() if word[1:].islower() or len(word) == 1 else word for word in name.split())


def _quote(name: str) -> str:
    return f"“{name}”"
