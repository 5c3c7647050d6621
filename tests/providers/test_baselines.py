"""The baselines answer the questions that they are meant for through the asker, and nothing else."""

import pytest

from bayes.linear.baselines import Baseline, to_baseline
from bayes.linear.model import Equation
from bayes.linear.parsing import parse_equation, read_coefficients
from providers.asking import Asker, Prompt, open_asker
from providers.budget import Budget
from providers.catalogue import find_model
from schemas.dags import find_dag, load_dag
from schemas.errors import InputError
from schemas.linear import ask_about
from schemas.questions import EquationQuestion, ExtractVariablesQuestion
from schemas.replies import EdgesReply, FoundNamesReply, TermsReply, TextReply
from tests.providers.wire import EDGES_QUESTION, MemoryLedger, MemoryStore, to_entry

ASKED = ask_about(load_dag(find_dag("foodsecurity")))
CHILD = "Social_Cohesion"
PROMPT = Prompt("ignored", "ignored")


def question(*, is_structured: bool = False) -> EquationQuestion:
    return EquationQuestion(
        domain=ASKED.domain,
        backbone=ASKED.name,
        dag=ASKED.dag,
        variable=CHILD,
        units=ASKED.units,
        is_structured=is_structured,
    )


@pytest.mark.parametrize("baseline", list(Baseline))
async def test_both_forms_of_a_reply_say_the_baselines_equation(baseline: Baseline) -> None:
    expected = to_baseline(baseline, ASKED.dag, CHILD)
    async with open_asker(f"baseline:{baseline}", store=MemoryStore(), ledger=MemoryLedger()) as asker:
        text = await asker.ask(question(), PROMPT, TextReply, lambda _: (), max_tokens=100)
        terms = await asker.ask(question(is_structured=True), PROMPT, TermsReply, lambda _: (), max_tokens=100)
    assert text.value is not None
    assert terms.value is not None
    parents = ASKED.dag.parents[CHILD]
    named = ((term.name, term.coefficient) for term in terms.value.terms)
    assert parse_equation(text.value.text, CHILD, parents) == expected
    assert read_coefficients(CHILD, parents, terms.value.intercept, named) == expected
    assert (text.model, text.attempts) == (f"baseline:{baseline}", 1)


async def test_a_draw_changes_nothing_for_code_which_is_asked_once() -> None:
    store, ledger = MemoryStore(), MemoryLedger()
    async with open_asker("baseline:small", store=store, ledger=ledger) as asker:
        for draw in (0, 1, 0):
            await asker.ask(question(), PROMPT, TextReply, lambda _: (), max_tokens=100, draw=draw)
    assert [call.cached for call in ledger.calls] == [False, True, True]
    assert len(store) == 1


async def test_the_known_coefficients_cannot_be_had_of_a_dag_without_any() -> None:
    unknown = question().model_copy(update={"dag": type(ASKED.dag)(ASKED.dag.variables, ASKED.dag.edges)})
    async with open_asker("baseline:truth", store=None, ledger=MemoryLedger()) as asker:
        with pytest.raises(InputError, match="baseline:truth cannot answer about DAG foodsecurity"):
            await asker.ask(unknown, PROMPT, TextReply, lambda _: (), max_tokens=100)


@pytest.mark.parametrize("name", ["small", "smal"])
async def test_other_questions_and_other_names_are_refused(name: str) -> None:
    entry = find_model("baseline:small").model_copy(update={"model": name})
    asker = Asker(entry, store=None, ledger=MemoryLedger(), budget=Budget())
    asked = EDGES_QUESTION if name == "small" else question()
    output = EdgesReply if name == "small" else TextReply
    with pytest.raises(InputError, match=f"baseline:{name} does not answer"):
        await asker.ask(asked, PROMPT, output, lambda _: (), max_tokens=100)  # pyright: ignore[reportArgumentType]


async def test_the_baselines_of_texts_answer_about_texts_and_the_others_do_not() -> None:
    text = "Rain leads to floods."
    asked = ExtractVariablesQuestion(domain="environment", backbone="floods", example="floods-1", text=text)
    answers: dict[str, list[str]] = {}
    for name in ("rules", "empty"):
        async with open_asker(f"baseline:{name}", store=None, ledger=MemoryLedger()) as asker:
            answer = await asker.ask(asked, PROMPT, FoundNamesReply, lambda _: (), max_tokens=100)
            assert answer.value is not None
            answers[answer.model] = answer.value.variables
            with pytest.raises(InputError, match=f"baseline:{name} does not answer"):
                await asker.ask(question(), PROMPT, TextReply, lambda _: (), max_tokens=100)
    assert answers == {"baseline:rules": ["rain", "floods"], "baseline:empty": []}
    async with open_asker("baseline:zero", store=None, ledger=MemoryLedger()) as asker:
        with pytest.raises(InputError, match="baseline:zero does not answer"):
            await asker.ask(asked, PROMPT, FoundNamesReply, lambda _: (), max_tokens=100)


def test_a_baseline_is_code_and_hosted_nowhere() -> None:
    entry = find_model("baseline:zero")
    assert (entry.is_code, entry.is_hosted, entry.price) == (True, False, "free")
    assert not to_entry().is_code
    assert isinstance(to_baseline(Baseline.ZERO, ASKED.dag, CHILD), Equation)
