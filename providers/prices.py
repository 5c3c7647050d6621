"""What a call costs, from the price list that comes with genai-prices.

A price that the list doesn't hold is unknown: None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call, in the names the price list goes by; cached ones are part of ``input_tokens``."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


def price_call(entry: ModelEntry, usage: TokenUsage, *, is_batched: bool = False) -> float | None:
    """The cost of a call in US dollars, or None where the model's price is unknown; in a batch, mostly half as much.

    Example:
        >>> from providers.catalogue import find_model
        >>> price_call(find_model("offline"), TokenUsage(1000, 1000))
        0.0
    """
    if entry.price == "free" or not entry.is_hosted:
        return 0.0
    if entry.price is not None:
        provider, model = entry.price.provider, entry.price.model
    elif entry.provider != "openai-compatible":
        provider, model = entry.provider, entry.model
    else:
        return None
    from genai_prices import calc_price

    try:
        context = {"processing": "batch"} if is_batched else None
        return float(calc_price(usage, model, provider_id=provider, price_context=context).total_price)
    except (LookupError, ValueError):
        return None


def is_price_known(entry: ModelEntry) -> bool:
    """Whether the price list holds the model."""
    return price_call(entry, TokenUsage(1, 1)) is not None
