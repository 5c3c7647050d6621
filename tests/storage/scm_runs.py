"""Runs of a small linear DAG for the tests of its tables."""

from bayes.linear.model import Equation, Interval
from bayes.linear.results import to_run
from schemas.dags import find_dag, load_dag
from schemas.linear import AskedDag, ask_about
from schemas.scm import ElicitedEquation, Proposal, ScmRun, ScmSettings, Series, SeriesResult

ASKED = ask_about(load_dag(find_dag("foodsecurity")))


def to_series(**changes: object) -> Series:
    wanted = ScmSettings()
    fields: dict[str, object] = {
        "domain": ASKED.domain,
        "dag": ASKED.name,
        "condition": ASKED.condition,
        "truth": ASKED.truth,
        "model": "baseline:small",
        "prompt": wanted.prompt,
        "has_reasoning": True,
        "reply": wanted.reply,
        "feedback_rounds": 5,
    }
    return Series(**(fields | changes))  # pyright: ignore[reportArgumentType]


def to_result(asked: AskedDag = ASKED, series: Series | None = None, n_runs: int = 2) -> SeriesResult:
    """Every coefficient is 1 plus the run's index; the last variable of the last run failed."""
    runs: list[ScmRun] = []
    for run in range(n_runs):
        items: list[ElicitedEquation] = []
        for variable in asked.dag.targets:
            parents = asked.dag.parents[variable]
            equation = Equation(variable, 0.5, parents, tuple(1.0 + run for _ in parents))
            if run == n_runs - 1 and variable == asked.dag.targets[-1]:
                history = (Proposal(0, 1, "dunno", "no_equation", "no equation was found"),)
                failed = ("invalid_reply", "no equation was found")
                items.append(ElicitedEquation(variable, None, "failed", Interval(), (), history, *failed))
            else:
                history = (Proposal(0, 1, "text", "", ""),)
                items.append(ElicitedEquation(variable, equation, "accepted", Interval(0, 9), ("upper",), history))
        equations = {item.variable: item.equation for item in items}
        runs.append(ScmRun(run, tuple(items), to_run(asked.dag, equations)))
    return SeriesResult(series or to_series(), tuple(runs))
