"""How much of an article the elicitation model is given: a number of tokens, cut where a paragraph or sentence ends.

Tokens are estimated, since every model counts its own way and few say how: four characters of Latin script to a token,
two of the alphabets up to Arabic, one character of any other script, such as Chinese, Thai or an emoji. That is near
what current models take for plain prose, and more than they take for scripts that they were trained on, so that a text
within the budget rarely exceeds it by more than a fifth. ``OVERHEAD_TOKENS`` leaves room for that.

The whole text stays in the table ``articles``, whose ``read_words`` counts the words of it that the model was given.
"""

import math
import re
from bisect import bisect_right
from hashlib import sha256

from providers.catalogue import ModelEntry, find_model
from providers.sources.filters import count_words
from schemas.articles import Article
from schemas.errors import InputError
from tasks.chunking import CELLS_A_CALL, to_max_tokens

OVERHEAD_TOKENS = 3500
"""What stands in a request beside the article: instructions, schema, 20 variables with their states and marginals."""

LEAST_TOKENS = 200
"""An article of which less could be shown is not worth asking about."""

_CHARS_A_TOKEN = 4
# Latin with its accents; then, up to Arabic, alphabets of two characters a token. The rest is one a token.
_NOT_LATIN = re.compile("[^\x00-\u024f\u1e00-\u1eff\u2010-\u2027]")
_NO_ALPHABET = re.compile("[^\x00-\u07ff\u1e00-\u1fff\u2010-\u2027]")

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])")
_WORD = re.compile(r"\s+")
_LEAST_SHARE = 0.5
"""A boundary is taken where it keeps so much of what fits."""


def count_tokens(text: str) -> int:
    """The estimated tokens of a text.

    Example:
        >>> count_tokens("Rain raises the river."), count_tokens("雨で川が増水する"), count_tokens("дождь")
        (6, 8, 3)
    """
    return math.ceil(_count_quarters(text) / _CHARS_A_TOKEN)


def cut_text(text: str, budget: int) -> str:
    """The beginning of a text that has at most ``budget`` tokens.

    It ends where a paragraph ends, else a sentence, else a word, whichever first keeps half of what fits; a text
    without any of these is cut between two characters. A text within the budget is left as it is.

    Example:
        >>> cut_text("Rain fell all day long. Rivers rose.", 8)
        'Rain fell all day long.'
    """
    if count_tokens(text) <= budget:
        return text
    n_fitting = bisect_right(range(1, len(text) + 1), budget, key=lambda n: count_tokens(text[:n]))
    for boundary in (_PARAGRAPH, _SENTENCE, _WORD):
        ends = (found.start() + len(found[0].rstrip()) for found in boundary.finditer(text))
        end = max((end for end in ends if end <= n_fitting), default=0)
        if end >= _LEAST_SHARE * n_fitting and end:
            return text[:end]
    return text[:n_fitting].rstrip()


def find_budget(model: str, input_tokens: int) -> int:
    """The tokens of an article that a model is given: those asked for, or what its context has room for.

    Raises:
        InputError: the model is not in the catalogue, or its context leaves no room for an article.
    """
    room = count_room(find_model(model))
    if room < LEAST_TOKENS:
        raise InputError(
            f"model {model}: its context_tokens leave no room for an article beside the instructions and a reply of "
            f"max_output_tokens; choose a model that reads more, or lower max_output_tokens in the catalogue"
        )
    return min(input_tokens, room)


def count_room(entry: ModelEntry) -> int:
    """The tokens that a model's context leaves for an article, beside the instructions and its longest reply."""
    longest = min(to_max_tokens(CELLS_A_CALL) + entry.reasoning_tokens, entry.max_output_tokens)
    return entry.context_tokens - longest - OVERHEAD_TOKENS


def cut_article(article: Article, budget: int) -> Article:
    """The article as a model reads it: text, sha256 and words are those of what it is given."""
    text = cut_text(article.text, budget)
    if text == article.text:
        return article
    return article.model_copy(
        update={"text": text, "sha256": sha256(text.encode()).hexdigest(), "words": count_words(text)}
    )


def note_cut(article: Article, budget: int) -> Article:
    """The whole article, with the number of its words that a model is given."""
    return article.model_copy(update={"read_words": cut_article(article, budget).words})


def is_cut(article: Article) -> bool:
    """Whether a model was given less than the whole text."""
    return article.read_words is not None and article.read_words < article.words


def _count_quarters(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for _ in _NOT_LATIN.finditer(text)) + 2 * sum(1 for _ in _NO_ALPHABET.finditer(text))
