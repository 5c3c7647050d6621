"""Alignments by a model that judges: what it is asked, and what is made of its verdicts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bayes.network import Variable
from bayes.scoring.records import Match
from providers.asking import Asker
from providers.budget import Budget
from providers.retries import RetryPolicy
from schemas.rows import BackboneKey
from tasks import judging
from tasks.judging import ask_alignment
from tests.providers.wire import (
    KEY_VARIABLE,
    PLANTED_KEY,
    MemoryLedger,
    MemoryStore,
    Step,
    Wire,
    reply,
    serve,
    to_entry,
)

KEY = BackboneKey("environment", "floods")
RAIN = Variable("rainfall", ("heavy", "light", "none"))
FLOOD = Variable("flood", ("severe", "none"))
PREDICTED = (
    Variable("precipitation", ("strong", "weak", "None")),
    Variable("Flood", ("serious", "none")),
    Variable("rain", ("much", "little")),
)


@pytest.fixture(autouse=True)
def _planted_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, PLANTED_KEY)


def open_asker(wire: Wire, ledger: MemoryLedger | None = None) -> Asker:
    policy = RetryPolicy(attempts=1)
    return Asker(
        to_entry(wire.base_url), store=MemoryStore(), ledger=ledger or MemoryLedger(), budget=Budget(), policy=policy
    )


def same(*numbers: int) -> Step:
    return reply(json.dumps({"same": list(numbers)}))


def asked(wire: Wire, i: int) -> list[list[str]]:
    content = wire.received[i].body["messages"][-1]["content"]
    return [item["names"] for item in json.loads(content[content.index("[") :])]


async def test_names_are_judged_first_and_then_the_states_of_what_was_matched() -> None:
    """Pairs are numbered by reference and then by prediction, without those that differ in spelling only."""
    async with serve(same(1, 2), same(1, 4, 5)) as wire, open_asker(wire) as asker:
        alignment = await ask_alignment(asker, KEY, (RAIN, FLOOD), PREDICTED)
        assert asked(wire, 0) == [
            ["rainfall", "precipitation"],
            ["rainfall", "Flood"],
            ["rainfall", "rain"],
            ["flood", "precipitation"],
            ["flood", "rain"],
        ]
        assert "joblessness" in wire.received[0].body["messages"][0]["content"]
    assert Match("flood", "Flood") in alignment.variables
    assert Match("rainfall", "precipitation") in alignment.variables


async def test_verdicts_are_made_one_to_one_and_the_second_name_is_a_duplicate() -> None:
    async with serve(same(1, 3), same()) as wire, open_asker(wire) as asker:
        alignment = await ask_alignment(asker, KEY, (RAIN, FLOOD), PREDICTED)
    assert dict(alignment.variables)["flood"] == "Flood"
    assert dict(alignment.variables)["rainfall"] in {"precipitation", "rain"}
    assert len(alignment.duplicates) == 1


async def test_the_baseline_matches_itself_without_being_asked_about() -> None:
    async with serve(same(1), same()) as wire, open_asker(wire) as asker:
        alignment = await ask_alignment(asker, KEY, (RAIN,), PREDICTED[:1])
        assert asked(wire, 1) == [["heavy", "strong"], ["heavy", "weak"], ["light", "strong"], ["light", "weak"]]
    assert alignment.states["rainfall"] == (Match("none", "None"),)


async def test_nothing_predicted_is_aligned_without_a_call() -> None:
    async with serve(same()) as wire, open_asker(wire) as asker:
        alignment = await ask_alignment(asker, KEY, (RAIN,), ())
        assert not wire.received
    assert alignment.variables == ()


async def test_many_pairs_are_asked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "PAIRS_A_CALL", 2)
    async with serve(same()) as wire, open_asker(wire) as asker:
        await ask_alignment(asker, KEY, (RAIN, FLOOD), PREDICTED)
    # five pairs of names in three calls, and one pair of states: severe and serious
    assert len(wire.received) == 4


async def test_a_number_that_is_no_pair_goes_back_with_the_range() -> None:
    async with serve(same(9), same(1), same()) as wire, open_asker(wire) as asker:
        await ask_alignment(asker, KEY, (RAIN,), PREDICTED[:1])
        assert "9 is not the number of a pair; they run from 1 to 1" in str(wire.received[1].body)


async def test_calls_are_noted_under_the_stage_of_judging() -> None:
    ledger = MemoryLedger()
    async with serve(same(1), same()) as wire, open_asker(wire, ledger) as asker:
        await ask_alignment(asker, KEY, (RAIN,), PREDICTED[:1])
    assert [(call.stage, call.backbone) for call in ledger.calls] == [("judge", "floods")] * 2


@pytest.mark.parametrize("make", [lambda: reply("{}"), lambda: reply("", finish="content_filter")])
async def test_a_judge_that_does_not_answer_is_a_reason(make: Callable[[], Any]) -> None:
    async with serve(make()) as wire, open_asker(wire) as asker:
        with pytest.raises(judging._Unanswered):  # pyright: ignore[reportPrivateUsage]
            await ask_alignment(asker, KEY, (RAIN,), PREDICTED[:1])
