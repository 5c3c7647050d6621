"""Groups of runs on the DAGs that come with the project."""

from dataclasses import replace

import numpy as np

from bayes.linear.baselines import Baseline, to_baseline, to_true_equation
from bayes.linear.model import Edge, LinearDag, LinearVariable, Truth
from bayes.linear.results import ResultGroup, RunResult, summarise_runs, to_run
from schemas.dags import find_dag, load_dag
from schemas.linear import to_linear_dag


def read_dag(name: str) -> LinearDag:
    file = load_dag(find_dag(name))
    picked = file.pick_truth()
    return to_linear_dag(file, file.pick_condition(), picked.truth if picked else None)


def to_dag(*edges: tuple[str, str], extra: tuple[str, ...] = (), has_truth: bool = True) -> LinearDag:
    """A DAG whose true coefficients are 1, 2, 3, ... in the order of the edges."""
    named = tuple(Edge(*edge) for edge in edges)
    names = dict.fromkeys(name for edge in named for name in edge) | dict.fromkeys(extra)
    truth = Truth({edge: float(i) for i, edge in enumerate(named, start=1)}, {}, {}) if has_truth else None
    return LinearDag(tuple(LinearVariable(name) for name in names), named, truth)


def perturb(dag: LinearDag, seed: int, n_runs: int = 5) -> list[RunResult]:
    """Runs around the truth: some signs and orders come out wrong."""
    random = np.random.default_rng(seed)
    return [
        to_run(
            dag,
            {
                child: replace(
                    truth, coefficients=tuple(float(slope * random.normal(1, 0.8)) for slope in truth.coefficients)
                )
                for child in dag.targets
                for truth in [to_true_equation(dag, child)]
            },
        )
        for _ in range(n_runs)
    ]


def to_group(
    dag: LinearDag, runs: list[RunResult], name: str = "dag", model: str = "model", condition: str = "original"
) -> ResultGroup:
    return summarise_runs(runs, dag=name, model=model, condition=condition, truth="truth" if dag.truth else "")


def to_baseline_group(dag: LinearDag, baseline: Baseline, name: str = "dag") -> ResultGroup:
    runs = [to_run(dag, {child: to_baseline(baseline, dag, child) for child in dag.targets})] * 5
    return to_group(dag, runs, name, f"baseline:{baseline}")
