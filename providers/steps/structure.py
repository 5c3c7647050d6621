"""Variables and edges in small steps: noun phrases picked one by one, then one question per pair."""

import json
from collections.abc import Sequence
from itertools import combinations

from bayes.network import BASELINE_STATE, Variable
from providers.steps.interview import Interview
from providers.steps.phrases import find_passage, find_phrases, is_mentioned, split_passages, split_sentences
from schemas.questions import EdgesQuestion, VariablesQuestion
from schemas.replies import EdgeReply, EdgesReply, VariableReply, VariablesReply

MAX_VARIABLES = 5
MAX_PAIRS = 6
N_PASSAGES = 3

STATE_SETS: tuple[tuple[str, ...], ...] = (
    ("rising", "stable", "falling"),
    ("high", "moderate", "low"),
    ("severe", "limited"),
    ("strict", "partial"),
    ("strong", "weak"),
)
MAX_USES = 2
"""Variables that may have the same set of states: a small model gives all of them the one it likes best."""

_STATE_EXAMPLES = (
    "safety rules: strict, partial\nfamine: severe, limited\nwages: rising, stable, falling\n"
    "export demand: strong, weak\ntemperature: high, moderate, low\n"
)
_EDGE_EXAMPLES = (
    'Text: "Storms destroy the harvest." storms and harvest?\nyes: storms affects harvest\n'
    'Text: "Rivers and schools are common." rivers and schools?\nno\n'
    'Text: "Wages follow from exports." wages and exports?\nyes: exports affects wages\n'
)


async def choose_variables(question: VariablesQuestion, interview: Interview) -> VariablesReply:
    """Pick up to five noun phrases of the article, one a request, then a set of states for each."""
    text = question.article.text
    names = await pick_names(text, min(MAX_VARIABLES, question.max_variables), interview)
    states = await pick_states(text, names, interview)
    return VariablesReply(
        variables=[VariableReply(name=name, states=list(found)) for name, found in zip(names, states, strict=True)]
    )


async def pick_names(text: str, most: int, interview: Interview) -> list[str]:
    """Pick noun phrases of a text, one a request.

    Each request shows a third of the text, so that the prompts stay short and the picks spread over the text; two picks
    from a third are close enough to have an edge.
    """
    passages = split_passages(text, N_PASSAGES)
    names: list[str] = []
    for passage in (*passages, *passages):
        options = [
            phrase for phrase in find_phrases(passage) if not any(_is_overlapping(phrase, name) for name in names)
        ]
        # A phrase of several words says more by itself; single words are on offer where there is no choice of them.
        options = [option for option in options if " " in option] or options
        if options and len(names) < most:
            prompt = f"Text: {_quote(passage)}\nName one thing in the text that changes or that changes other things."
            names.append(await interview.choose(prompt, options))
    return names


async def pick_states(text: str, names: Sequence[str], interview: Interview) -> list[tuple[str, ...]]:
    """Pick a set of states for each name, one a request; the baseline is added."""
    menu = {", ".join(states): states for states in STATE_SETS}
    uses = dict.fromkeys(menu, 0)
    picked: list[tuple[str, ...]] = []
    for name in names:
        # Where every set has been used up, all of them are on offer again.
        options = [choice for choice in menu if uses[choice] < MAX_USES] or list(menu)
        prompt = f"Text: {_quote(find_passage(text, (name,)))}\nWhich states fit?\n{_STATE_EXAMPLES}{name}:"
        choice = await interview.choose(prompt, options)
        uses[choice] += 1
        picked.append((*menu[choice], BASELINE_STATE))
    return picked


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_overlapping(phrase: str, other: str) -> bool:
    """Whether all words of one phrase stand in the other."""
    words, others = set(phrase.split()), set(other.split())
    return words <= others or others <= words


async def choose_edges(question: EdgesQuestion, interview: Interview) -> EdgesReply:
    """Ask about every pair of variables that stand close together: which one acts on the other, if any?

    The mechanism is what the text says there, since a small model's own words explain nothing.
    """
    text = question.article.text
    edges = await pick_edges(text, find_pairs(text, question.variables), interview)
    return EdgesReply(
        edges=[
            EdgeReply(parent=parent, child=child, mechanism=" ".join(find_passage(text, pair).split()[:20]))
            for pair, (parent, child) in edges.items()
        ]
    )


async def pick_edges(
    text: str, pairs: Sequence[tuple[str, str]], interview: Interview
) -> dict[tuple[str, str], tuple[str, str]]:
    """The edge, parent first, by the pair that it joins; one request a pair."""
    edges: dict[tuple[str, str], tuple[str, str]] = {}
    for first, second in pairs:
        options = {
            f"yes: {first} affects {second}": (first, second),
            f"yes: {second} affects {first}": (second, first),
            "no": None,
        }
        passage = find_passage(text, (first, second))
        prompt = f"{_EDGE_EXAMPLES}Text: {_quote(passage)} {first} and {second}?"
        direction = options[await interview.choose(prompt, tuple(options))]
        if direction is not None:
            edges[first, second] = direction
    return edges


def find_pairs(text: str, variables: tuple[Variable, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs to ask about: those mentioned in the same or in neighbouring sentences, nearest first, at most six.

    Where these are fewer than the variables, the next nearest are added, lest the network fall to pieces.

    Example:
        >>> rain, flood, crops = (Variable(name, ("high", "none")) for name in ("rain", "flood", "crops"))
        >>> find_pairs("Rain came. The flood ruined crops.", (rain, flood, crops))
        (('flood', 'crops'), ('rain', 'flood'), ('rain', 'crops'))
    """
    sentences = split_sentences(text)
    places = {
        variable.name: [at for at, sentence in enumerate(sentences) if is_mentioned(variable.name, sentence)]
        for variable in variables
    }
    distances = {
        (first, second): min((abs(a - b) for a in places[first] for b in places[second]), default=len(sentences))
        for first, second in combinations(places, 2)
    }
    n_close = sum(distance <= 1 for distance in distances.values())
    n_pairs = min(max(n_close, len(variables)), MAX_PAIRS)
    return tuple(sorted(distances, key=distances.__getitem__)[:n_pairs])
