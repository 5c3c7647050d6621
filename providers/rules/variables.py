"""From the links of a text to variables and edges: mentions of one thing merged, the best ones kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bayes.network import Variable
from providers.rules.kinds import Kind, to_kind
from providers.rules.links import Link, read_links
from providers.rules.naming import Mention
from providers.rules.states import to_variable

MAX_VARIABLES = 20
MAX_PARENTS = 4
_USUAL_VARIABLES, _WORDS_PER_VARIABLE = 12, 80
_MIN_SALIENT, _MAX_SALIENT = 3, 6
_MIN_EDGE_WEIGHT = 0.35
_NEIGHBOUR_BONUS = 0.4


@dataclass(frozen=True, slots=True)
class RuleEdge:
    """An edge with the words that support it, how firmly they do, and the direction of the effect (+1 or -1)."""

    parent: str
    child: str
    mechanism: str
    strength: float
    sign: int


@dataclass(frozen=True, slots=True)
class RuleReading:
    """What the rules read in a text: variables with their number of mentions, edges with the best supported first."""

    variables: tuple[Variable, ...]
    mentions: tuple[int, ...]
    edges: tuple[RuleEdge, ...]


@lru_cache(maxsize=16)
def read_text(text: str) -> RuleReading:
    """Everything the rules read in a text, twenty variables at most; see :func:`providers.rules.elicitor.read`."""
    found = read_links(text)
    aliases = _find_aliases(found.links, found.mentions)
    names = _choose_names(found.mentions, aliases)
    edges = _limit_parents(_merge_links(found.links, aliases, names))
    counts = _count(found.mentions, aliases)
    limit = min(MAX_VARIABLES, max(_USUAL_VARIABLES, found.n_words // _WORDS_PER_VARIABLE))
    chosen = _choose_variables(edges, {names[key]: count for key, count in counts.items() if key in names}, limit)
    kept = tuple(edge for edge in edges if edge.parent in chosen and edge.child in chosen)
    return RuleReading(tuple(map(to_variable, chosen)), tuple(chosen.values()), kept)


def cut_reading(reading: RuleReading, max_variables: int) -> RuleReading:
    """The reading with its first variables only, so that a smaller reading is always part of a larger one."""
    variables = reading.variables[: max(0, max_variables)]
    names = {variable.name for variable in variables}
    edges = tuple(edge for edge in reading.edges if edge.parent in names and edge.child in names)
    return RuleReading(variables, reading.mentions[: len(variables)], edges)


def _find_aliases(links: Sequence[Link], mentions: Sequence[Mention]) -> dict[str, str]:
    """Keys that stand for a longer key: "war" for "civil war", the last one mentioned before it that ends so."""
    aliases: dict[str, str] = {}
    ends = {mention.key for link in links for mention in (link.cause, link.effect)}
    seen: dict[str, list[str]] = {}
    for mention in mentions:
        words = mention.key.split()
        if len(words) == 1 and mention.key not in aliases:
            longer = [key for key in seen.get(mention.key, []) if key in ends]
            if len(set(longer)) == 1:
                aliases[mention.key] = longer[-1]
            else:
                aliases[mention.key] = mention.key
        elif len(words) > 1 and "of" not in words:
            seen.setdefault(words[-1], []).append(mention.key)
    return aliases


def _choose_names(mentions: Sequence[Mention], aliases: Mapping[str, str]) -> dict[str, str]:
    """The wording of every key: the first in the text."""
    names: dict[str, str] = {}
    for mention in mentions:
        if aliases.get(mention.key, mention.key) == mention.key:
            names.setdefault(mention.key, mention.name)
    return names


def _count(mentions: Sequence[Mention], aliases: Mapping[str, str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for mention in mentions:
        key = aliases.get(mention.key, mention.key)
        counts[key] = counts.get(key, 0) + 1
    return counts


def _merge_links(links: Sequence[Link], aliases: Mapping[str, str], names: dict[str, str]) -> list[RuleEdge]:
    """One edge per pair, in the direction with more support, the best supported first."""
    support: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        pair = aliases.get(link.cause.key, link.cause.key), aliases.get(link.effect.key, link.effect.key)
        if pair[0] != pair[1]:
            names.setdefault(pair[0], link.cause.name)
            names.setdefault(pair[1], link.effect.name)
            support.setdefault(pair, []).append(link)
    edges: list[RuleEdge] = []
    for (cause, effect), found in support.items():
        weight = _weigh(found) * _tell_quality(names[cause], names[effect])
        if weight < _MIN_EDGE_WEIGHT or weight < _weigh(support.get((effect, cause), [])):
            continue
        if (effect, cause) in support and any(e.parent == names[effect] and e.child == names[cause] for e in edges):
            continue
        sign = 1 if sum(link.sign * link.strength for link in found) >= 0 else -1
        best = max(found, key=lambda link: link.strength)
        edges.append(RuleEdge(names[cause], names[effect], best.mechanism, weight, sign))
    return sorted(edges, key=lambda edge: -edge.strength)


def _tell_quality(cause: str, effect: str) -> float:
    """Effects between things that no list knows are less likely to be effects between variables."""
    n_things = sum(to_kind(name) is Kind.THING for name in (cause, effect))
    return (1.0, 0.9, 0.7)[n_things]


def _weigh(links: Sequence[Link]) -> float:
    """1 - prod (1 - strength), each wording counted once: evidence adds up but never to certainty."""
    doubt = 1.0
    for strength, _ in sorted({(link.strength, link.mechanism) for link in links}):
        doubt *= 1 - strength
    return min(0.95, 1 - doubt) if links else 0.0


_CENTRALITY = {Kind.THING: 0.0, Kind.INSTITUTION: -0.5, Kind.IDEA: 0.25, Kind.RESOURCE: 0.5}


def _choose_variables(edges: Sequence[RuleEdge], counts: Mapping[str, int], limit: int) -> dict[str, int]:
    """Names of the variables kept with their mentions: ends of the best edges, then salient phrases.

    Edges are taken one by one, those that touch a variable already taken a little before others, so that the network
    hangs together.
    """
    chosen: dict[str, int] = {}
    waiting = list(edges)
    while waiting and len(chosen) < limit:
        best = max(
            waiting, key=lambda edge: edge.strength + _NEIGHBOUR_BONUS * (edge.parent in chosen or edge.child in chosen)
        )
        waiting.remove(best)
        new = [name for name in (best.parent, best.child) if name not in chosen]
        if len(chosen) + len(new) <= limit:
            chosen |= {name: counts.get(name, 1) for name in new}
    if len(chosen) < _MIN_SALIENT:
        salient = [name for name in _rank_salient(counts) if name not in chosen]
        chosen |= {name: counts[name] for name in salient[: _MAX_SALIENT - len(chosen)]}
    return chosen


def _rank_salient(by_name: Mapping[str, int]) -> list[str]:
    """Phrases worth a variable by frequency and kind: twice mentioned, or once where the kind is a telling one."""

    def salience(name: str) -> float:
        return by_name[name] + _CENTRALITY.get(to_kind(name), 1.0)

    telling = [name for name in by_name if by_name[name] >= 2 or to_kind(name) not in _CENTRALITY]
    return sorted(telling, key=lambda name: -salience(name))


def _limit_parents(edges: Sequence[RuleEdge]) -> tuple[RuleEdge, ...]:
    """The edges without the weakest of a child that has too many."""
    n_parents: dict[str, int] = {}
    kept: list[RuleEdge] = []
    for edge in edges:
        if n_parents.get(edge.child, 0) < MAX_PARENTS:
            n_parents[edge.child] = n_parents.get(edge.child, 0) + 1
            kept.append(edge)
    return tuple(kept)
