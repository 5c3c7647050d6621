"""Descriptions in small steps: one sentence per variable and one per edge, each written by itself."""

from dataclasses import dataclass

from bayes.network import Network, Variable
from providers.steps.interview import Interview
from providers.steps.phrases import split_sentences
from schemas.networks import from_json
from schemas.questions import DescriptionQuestion, EquivalentNamesQuestion
from schemas.replies import DescriptionReply, EquivalentName, EquivalentNamesReply


@dataclass(frozen=True, slots=True)
class Slot:
    """One sentence to be written: what is asked, and the names it has to hold."""

    prompt: str
    names: tuple[str, ...]


async def write_description(question: DescriptionQuestion, interview: Interview) -> DescriptionReply:
    """Write a sentence per slot, or after a failed attempt only those whose names stand in a problem.

    A prompt depends on its variable or edge alone, so the examples of one backbone share their sentences through the
    reply cache.
    """
    slots = find_slots(from_json(question.network_json))
    previous = split_sentences(question.previous)
    kept = previous if len(previous) == len(slots) else ()
    sentences: list[str] = []
    for at, slot in enumerate(slots):
        is_faulty = any(all(name in problem for name in slot.names) for problem in question.problems)
        if kept and not is_faulty:
            sentences.append(kept[at])
        elif question.previous:
            words = " and ".join(f'"{name}"' for name in slot.names)
            sentences.append(await interview.write(f"{slot.prompt} The sentence must contain the words {words}."))
        else:
            sentences.append(await interview.write(slot.prompt))
    return DescriptionReply(description=" ".join(sentences))


def find_slots(network: Network) -> tuple[Slot, ...]:
    """The sentences that a description of a network consists of: its variables, then its edges."""
    about_variables = [
        Slot(f"Write one sentence: {_name(variable)}.", (variable.name,)) for variable in network.variables
    ]
    about_edges = [
        Slot(
            f"Write one sentence: {_name(network.by_name[edge.parent])} leads to {_name(network.by_name[edge.child])}.",
            (edge.parent, edge.child),
        )
        for edge in network.edges
    ]
    return (*about_variables, *about_edges)


def _name(variable: Variable) -> str:
    return f"{variable.name} ({' or '.join(variable.telling_states)})"


async def judge_names(question: EquivalentNamesQuestion, interview: Interview) -> EquivalentNamesReply:
    """One yes or no per name."""
    verdicts: list[EquivalentName] = []
    for name in question.names:
        answer = await interview.choose(f"Text: {question.text}\nDoes the text speak of {name}?", ("yes", "no"))
        verdicts.append(EquivalentName(name=name, is_expressed=answer == "yes"))
    return EquivalentNamesReply(verdicts=verdicts)
