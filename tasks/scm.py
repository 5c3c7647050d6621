"""Eliciting the structural equations of a DAG: the walk over its variables, and the loop of proposal and feedback."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from prefect import task

from bayes.linear.intervals import check_range
from bayes.linear.model import Equation, Interval
from bayes.linear.parsing import ParseProblem, format_equation, parse_equation, read_coefficients
from bayes.linear.results import to_run
from bayes.network import Edge
from providers.asking import Answer, Prompt
from schemas.calls import Failure
from schemas.linear import AskedDag
from schemas.questions import EquationQuestion
from schemas.replies import ReasonedTermsReply, TermsReply, TextReply
from schemas.scm import ElicitedEquation, Proposal, ScmRun, ScmSettings, Series, SeriesResult
from tasks.options import TASK_OPTIONS
from tasks.prompting import render, to_json
from tasks.session import Session, current_session

STAGE = "scm_equation"
_CONCURRENT = 64
_MAX_TOKENS = 2000
_MAX_TOKENS_WITHOUT_REASONING = 400
_DRAWS_APART = 1_000_000
_SHOWN = 4000
"""Characters of a refused proposal that go back to the model; reasoning beforehand may be long."""


def to_series(asked: AskedDag, model: str, settings: ScmSettings) -> Series:
    """The series of runs that one DAG, model and the settings make."""
    return Series(
        domain=asked.domain,
        dag=asked.name,
        condition=asked.condition,
        truth=asked.truth,
        model=model,
        prompt=settings.prompt,
        has_reasoning=settings.has_reasoning,
        reply=settings.reply,
        feedback_rounds=settings.feedback_rounds,
    )


@task(name="elicit-equations", task_run_name="{series.label} by {series.model}", **TASK_OPTIONS)
async def elicit_equations(asked: AskedDag, series: Series, settings: ScmSettings) -> SeriesResult:
    """All runs of a series. A variable without a usable equation is marked in its run and noted as a failure."""
    session = current_session()
    gate = asyncio.Semaphore(_CONCURRENT)
    prompts = EquationPrompts(asked, series)

    async def work(run: int) -> ScmRun:
        async with gate:
            return await elicit_run(session, prompts, run, settings.retries)

    runs = await asyncio.gather(*(work(run) for run in range(settings.runs)))
    session.fail(*(_to_failure(series, run.run, item) for run in runs for item in run.equations if item.reason))
    return SeriesResult(series, tuple(runs))


async def elicit_run(session: Session[Any], prompts: "EquationPrompts", run: int, retries: int) -> ScmRun:
    """An equation for every variable with parents, each after those of its parents."""
    settled: dict[str, Equation] = {}
    items: list[ElicitedEquation] = []
    for variable in prompts.asked.dag.targets:
        item = await _Task(prompts, run, variable, settled).elicit(session, retries)
        if item.equation is not None:
            settled[variable] = item.equation
        items.append(item)
    result = to_run(prompts.asked.dag, {item.variable: item.equation for item in items})
    n_outside = sum(item.status == "out of range" for item in items)
    return ScmRun(run, tuple(items), replace(result, n_outside=n_outside))


@dataclass(frozen=True, slots=True)
class _Task:
    """One variable of one run."""

    prompts: "EquationPrompts"
    run: int
    variable: str
    settled: Mapping[str, Equation]

    @property
    def asked(self) -> AskedDag:
        return self.prompts.asked

    @property
    def series(self) -> Series:
        return self.prompts.series

    async def elicit(self, session: Session[Any], retries: int) -> ElicitedEquation:
        """Ask until an equation is accepted, the rounds are used up, or nothing readable came in any draw."""
        item = await self._draw(session, 0)
        for draw in range(1, retries + 1):
            if item.equation is not None:
                break
            again = await self._draw(session, draw)
            item = replace(again, history=item.history + again.history)
        return item

    async def _draw(self, session: Session[Any], draw: int) -> ElicitedEquation:
        history: list[Proposal] = []
        taken: ElicitedEquation | None = None
        problem = previous = ""
        for number in range(1, self.series.feedback_rounds + 2):
            answer = await self._ask(session, draw, previous, problem)
            if answer.value is None:
                # Without a text there is nothing to put right, and the same request would get the same reply.
                history.append(Proposal(draw, number, "", answer.reason, answer.detail))
                failed = ElicitedEquation(
                    self.variable, None, "failed", Interval(), (), (), answer.reason or "internal", answer.detail
                )
                return replace(taken or failed, history=tuple(history))
            sent = previous, problem
            previous = answer.value.to_text()
            equation = self._read(answer.value)
            if isinstance(equation, ParseProblem):
                problem = equation.reason
                history.append(Proposal(draw, number, previous, equation.kind, problem))
            else:
                check = check_range(equation, self.asked.dag)
                status = "accepted" if check.accepted else "out of range"
                taken = ElicitedEquation(self.variable, equation, status, check.range, check.skipped, ())
                problem = check.reason or ""
                history.append(Proposal(draw, number, previous, "out_of_range" if problem else "", problem))
            # A proposal that comes again unchanged would be asked about in the same words, and so come again for ever.
            if not problem or (previous, problem) == sent:
                break
        failed = ElicitedEquation(self.variable, None, "failed", Interval(), (), (), "invalid_reply", problem)
        return replace(taken or failed, history=tuple(history))

    async def _ask(self, session: Session[Any], draw: int, previous: str, problem: str) -> Answer[Any]:
        question = EquationQuestion(
            domain=self.series.domain,
            backbone=self.series.dag,
            dag=self.asked.dag,
            variable=self.variable,
            units=self.asked.units,
            is_structured=self.series.reply == "structured",
            problem=problem,
        )
        if not question.is_structured:
            output = TextReply
        else:
            output = ReasonedTermsReply if self.series.has_reasoning else TermsReply
        return await session.asker(self.series.model).ask(
            question,
            self.prompts.render(self.variable, self.settled, previous[-_SHOWN:], problem),
            output,
            lambda _: (),
            max_tokens=_MAX_TOKENS if self.series.has_reasoning else _MAX_TOKENS_WITHOUT_REASONING,
            draw=self.run + _DRAWS_APART * draw,
        )

    def _read(self, reply: TextReply | TermsReply | ReasonedTermsReply) -> Equation | ParseProblem:
        parents = self.asked.dag.parents[self.variable]
        if isinstance(reply, TextReply):
            return parse_equation(reply.text, self.variable, parents)
        named = ((term.name, term.coefficient) for term in reply.terms)
        return read_coefficients(self.variable, parents, reply.intercept, named)


class EquationPrompts:
    """The prompts of one series. Runs that are asked the same share one text."""

    def __init__(self, asked: AskedDag, series: Series) -> None:
        self.asked = asked
        self.series = series
        self._rendered: dict[tuple[Any, ...], Prompt] = {}

    def render(self, variable: str, settled: Mapping[str, Equation], previous: str, problem: str) -> Prompt:
        """The prompt for a variable.

        Args:
            variable: the variable asked about.
            settled: equations of the variables before it, by variable; shown where the prompt is informed by them.
            previous: the last proposal, if it was turned down.
            problem: why it was turned down.
        """
        parents = self.asked.dag.parents[variable]
        inner: tuple[Edge, ...] = ()
        if self.series.prompt == "parent-effects":
            inner = tuple(edge for edge in self.asked.dag.edges if edge.parent in parents and edge.child in parents)
        heads = dict.fromkeys(edge.child for edge in inner)
        equations = tuple(format_equation(settled[name]) for name in heads if name in settled)
        key = (variable, equations, previous, problem)
        if key not in self._rendered:
            self._rendered[key] = render(
                "scm_equation",
                persona=self.asked.persona,
                overview=self.asked.overview,
                child=variable,
                parents=parents,
                variables=to_json([_describe(self.asked, name) for name in (variable, *parents)]),
                reply="terms" if self.series.reply == "structured" else "lines",
                has_reasoning=self.series.has_reasoning,
                parent_edges=tuple(f"{edge.parent} -> {edge.child}" for edge in inner),
                parent_equations=equations,
                previous=previous,
                problem=problem,
            )
        return self._rendered[key]


def _describe(asked: AskedDag, name: str) -> dict[str, Any]:
    bounds = asked.dag.bounds[name]
    known = {side: value for side, value in (("lower", bounds.low), ("upper", bounds.high)) if value is not None}
    return {"name": name, "description": asked.descriptions[name], "unit": asked.units[name], **known}


def _to_failure(series: Series, run: int, item: ElicitedEquation) -> Failure:
    detail = f"{series.model}: {item.detail}"
    where = f"{item.variable}, run {run}" + (f", {series.condition}" if series.condition != "original" else "")
    return Failure(STAGE, series.domain, series.dag, where, item.reason or "internal", detail)
