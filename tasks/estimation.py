"""What a build will ask for: calls, tokens and cost by stage, before any call is made.

Articles of the sources at hand are read, others are assumed as long as the middle of the word limits. What a network
will look like is not known before, so the means of the published corpus stand in: per backbone 11.68 variables, 14.26
edges and 3.75 states (Bhattacharya et al., arXiv 2609.21673, table 1). Tokens are counted as characters / 4.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from providers.catalogue import find_model
from providers.prices import TokenUsage, price_call
from providers.sources.domains import choose_domains
from providers.sources.filters import ArticleFilters
from providers.sources.source import open_source
from schemas.articles import Article
from schemas.settings import BuildSettings
from tasks.chunking import CELLS_A_CALL, EDGES_A_CALL
from tasks.descriptions import ATTEMPTS
from tasks.input_budget import find_budget
from tasks.locked_articles import choose_locked
from tasks.prompting import PROMPTS

N_VARIABLES = 11.68
N_EDGES = 14.26
N_STATES = 3.75
N_FAMILIES = 3.5
"""Children with two or three parents, of a backbone of that size."""
N_EXAMPLES = 100
"""Examples per backbone of the published corpus: 5,054 of 50."""
DESCRIPTION_ATTEMPTS = 1.5
"""Mean attempts assumed; at most ``ATTEMPTS``."""

FULL_TEXT_WORDS = 4000
"""Words of an article with its sections, of those whose lead is long enough to be taken."""

_TOKENS_A_WORD = 1.4
_CHARS_A_TOKEN = 4
_TOKENS_A_CELL = 28
_TOKENS_A_NETWORK = 1800
_TOKENS_A_DESCRIPTION = 550


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """One stage; ``cost_usd`` is None where the price of the model is unknown."""

    stage: str
    model: str
    n_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """All stages, and what the figures rest on."""

    n_articles: int
    n_examples: int
    stages: tuple[StageEstimate, ...]
    basis: str


def estimate_build(settings: BuildSettings) -> BuildEstimate:
    """The calls, tokens and cost to expect of a build, as if nothing were cached."""
    lengths, basis = _find_lengths(settings)
    n = len(lengths)
    budget = find_budget(settings.model, settings.input_tokens)
    text = sum(min(words * _TOKENS_A_WORD, budget) for words in lengths)
    pair_cells = N_EDGES * (N_STATES + 1) ** 2
    family_cells = N_FAMILIES * (N_STATES + 1) ** 3
    joint_calls = max(math.ceil(N_EDGES / EDGES_A_CALL), math.ceil(pair_cells / CELLS_A_CALL))
    family_calls = math.ceil(family_cells / CELLS_A_CALL)
    outputs = {
        "variables": (1, N_VARIABLES * 40),
        "edges": (1, N_EDGES * 45),
        "marginals": (1, N_VARIABLES * (N_STATES + 1) * 18),
        "joints": (joint_calls, pair_cells * _TOKENS_A_CELL),
        "multi_joints": (family_calls, family_cells * _TOKENS_A_CELL * 1.4),
    }
    stages = [
        _to_stage(stage, settings.model, n * calls, calls * (text + n * _count_prompt(stage)), n * tokens)
        for stage, (calls, tokens) in outputs.items()
    ]
    n_examples = min(settings.examples, n * min(settings.per_backbone, N_EXAMPLES))
    attempts = min(DESCRIPTION_ATTEMPTS, ATTEMPTS)
    stages.append(
        _to_stage(
            "description",
            settings.writer or settings.model,
            math.ceil(n_examples * attempts),
            n_examples * attempts * (_count_prompt("description") + _TOKENS_A_NETWORK),
            n_examples * attempts * _TOKENS_A_DESCRIPTION,
        )
    )
    return BuildEstimate(n, n_examples, tuple(stages), basis)


def _find_lengths(settings: BuildSettings) -> tuple[Sequence[int], str]:
    if settings.lock:
        lengths = [article.words for article in choose_locked(settings)]
        return lengths, f"Measured: the {len(lengths)} locked articles. Assumed: network size."
    domains = choose_domains(settings)
    if settings.source.partition(":")[0] in ("wikipedia", "dump"):
        words = (settings.min_words + settings.max_words) // 2 if settings.text == "lead" else FULL_TEXT_WORDS
        n = settings.per_domain * len(domains)
        return [words] * n, f"Assumed: {settings.per_domain} articles a domain of {words} words each."
    filters = ArticleFilters(settings.min_words, settings.max_words, settings.text)
    found = open_source(settings.source).find(domains, settings.per_domain, filters)
    return [item.words for item in found if isinstance(item, Article)], "Measured: the articles. Assumed: network size."


def _to_stage(stage: str, model: str, n_calls: int, tokens_in: float, tokens_out: float) -> StageEstimate:
    usage = TokenUsage(round(tokens_in), round(tokens_out))
    return StageEstimate(
        stage, model, n_calls, usage.input_tokens, usage.output_tokens, price_call(find_model(model), usage)
    )


def _count_prompt(stage: str) -> int:
    return len(Path(PROMPTS / f"{stage}.md").read_text(encoding="utf-8")) // _CHARS_A_TOKEN
