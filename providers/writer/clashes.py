"""Names that our own phrasings might mention by accident, such as a state called *usually* or *the chance*."""

from collections.abc import Iterator
from functools import lru_cache

from bayes.folding import fold, fold_text
from bayes.network import Network
from providers.writer import framings, lexicon
from providers.writer.templates import to_literal


def _phrasings() -> Iterator[str]:
    for deck in (*vars(framings).values(), *vars(lexicon).values()):
        for group in deck.values() if isinstance(deck, dict) else [deck]:
            if isinstance(group, tuple):
                yield from (template for template in group if isinstance(template, str))


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Every word of the lexicon, folded."""
    return frozenset(
        token for template in _phrasings() for text in to_literal(template) for token in fold_text(text).tokens
    )


def find_clashing_names(network: Network) -> tuple[str, ...]:
    """The names of a network that consist of words of the lexicon only."""
    names = {name for variable in network.variables for name in (variable.name, *variable.telling_states)}
    return tuple(sorted(name for name in names if _vocabulary().issuperset(fold(name))))
