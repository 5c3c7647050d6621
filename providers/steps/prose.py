"""Descriptions in small steps: one sentence per variable and one per edge, each written by itself."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from bayes.network import Network
from providers.steps.interview import Interview
from providers.steps.phrases import is_mentioned, split_sentences
from schemas.networks import from_json
from schemas.questions import DescriptionQuestion, EquivalentNamesQuestion
from schemas.replies import DescriptionReply, EquivalentName, EquivalentNamesReply

_EXAMPLES = (
    "Put the words into one sentence.\nstorms, severe, limited: Storms can be severe or limited.\n"
    "storms, harvest, leads to: A severe storm leads to a poor harvest.\n"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One sentence to be written: the names it is about, how it is asked for at first, and once it was faulted."""

    names: tuple[str, ...]
    first_prompt: str
    second_prompt: str


async def write_description(question: DescriptionQuestion, interview: Interview) -> DescriptionReply:
    """Write a sentence per variable and edge, or after a failed attempt those that a problem speaks of.

    A prompt depends on its variable or edge alone, so that the examples of one backbone share their sentences through
    the reply cache, and a third attempt costs nothing.
    """
    slots = find_slots(from_json(question.network_json))
    previous = split_sentences(question.previous)
    sentences: list[str] = []
    if len(previous) == len(slots):
        faulty = find_faulty(slots, question.problems)
        for slot, sentence in zip(slots, previous, strict=True):
            sentences.append(await interview.write(slot.second_prompt) if slot in faulty else sentence)
    else:
        sentences.extend([await interview.write(slot.first_prompt) for slot in slots])
    return DescriptionReply(description=" ".join(sentences))


def find_slots(network: Network) -> tuple[Slot, ...]:
    """The sentences that a description of a network consists of: its variables, then its edges."""
    about_variables = [
        Slot(
            (variable.name,),
            f"Write one sentence about {variable.name}, which can be {' or '.join(variable.telling_states)}.",
            f"{_EXAMPLES}{', '.join((variable.name, *variable.telling_states))}:",
        )
        for variable in network.variables
    ]
    about_edges = [
        Slot(
            (edge.parent, edge.child),
            f"Write one sentence that says how {edge.parent} leads to {edge.child}.",
            f"{_EXAMPLES}{edge.parent}, {edge.child}, leads to:",
        )
        for edge in network.edges
    ]
    return (*about_variables, *about_edges)


def find_faulty(slots: Sequence[Slot], problems: Sequence[str]) -> frozenset[Slot]:
    """The slots that the problems speak of: of those whose names all stand in a problem, the ones with most names.

    Example:
        >>> slots = [Slot(("rain",), "", ""), Slot(("rain", "flood"), "", "")]
        >>> [slot.names for slot in find_faulty(slots, ("the edge rain -> flood is not stated",))]
        [('rain', 'flood')]
    """
    faulty: set[Slot] = set()
    for problem in problems:
        named = [slot for slot in slots if all(is_mentioned(name, problem) for name in slot.names)]
        most = max((len(slot.names) for slot in named), default=0)
        faulty.update(slot for slot in named if len(slot.names) == most)
    return frozenset(faulty)


async def judge_names(question: EquivalentNamesQuestion, interview: Interview) -> EquivalentNamesReply:
    """One yes or no per name."""
    verdicts: list[EquivalentName] = []
    for name in question.names:
        answer = await interview.choose(
            f"Text: {json.dumps(question.text, ensure_ascii=False)}\nDoes the text speak of {name}?", ("yes", "no")
        )
        verdicts.append(EquivalentName(name=name, is_expressed=answer == "yes"))
    return EquivalentNamesReply(verdicts=verdicts)
