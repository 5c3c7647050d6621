"""Prices: those of the list, and unknown where the list has none."""

import pytest

from providers.catalogue import find_model
from providers.prices import TokenUsage, is_price_known, price_call
from tests.providers.wire import to_entry


def test_a_call_costs_its_tokens_at_list_price() -> None:
    # claude-haiku-4-5 costs $1 per million tokens in and $5 out: 2000 x 1e-6 + 400 x 5e-6 = 0.004.
    assert price_call(find_model("anthropic:claude-haiku-4-5"), TokenUsage(2000, 400)) == pytest.approx(0.004)


def test_an_unknown_price_is_unknown_and_not_zero() -> None:
    unknown = to_entry(model="no-such-model-anywhere")
    assert price_call(unknown, TokenUsage(1, 1)) is None
    assert not is_price_known(unknown)


def test_a_compatible_server_has_no_price_unless_the_entry_names_one() -> None:
    server = to_entry(provider="openai-compatible")
    assert price_call(server, TokenUsage(1000, 0)) is None
    named = to_entry(provider="openai-compatible", price={"provider": "anthropic", "model": "claude-haiku-4-5"})
    assert price_call(named, TokenUsage(1000, 0)) == pytest.approx(0.001)


def test_a_server_of_ones_own_can_be_free() -> None:
    assert price_call(to_entry(model="anything", price="free"), TokenUsage(10**6, 10**6)) == 0
