"""What the commands of the linear half do once their options are read."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from flows import report, scm_report
from flows.commands import EXIT_CODES, check_folders, check_models, require_folder, run_flow
from schemas.dags import list_dags, load_dag
from schemas.errors import InputError
from schemas.scm import ScmSettings
from schemas.summaries import ScmSummary
from storage.scm import read_unit_comparisons


def run_scm(settings: ScmSettings, *, is_verbose: bool) -> int:
    """Run the flow, show its progress, its summary and the scores; the exit code."""
    check_scm_settings(settings)
    console = Console()
    if any(name.startswith("local:") for name in settings.models):
        console.print(Text(report.LOCAL_NOTE))

    def load() -> Any:
        from flows.elicit_scm import elicit_scm

        return elicit_scm

    summary = run_flow(console, load, settings, ScmSummary, is_verbose=is_verbose)
    report.print_summary(console, summary)
    scm_report.print_scores(console, summary)
    return EXIT_CODES[summary.outcome]


def check_scm_settings(settings: ScmSettings) -> None:
    """Refuse at once what would fail later.

    Raises:
        InputError: a model, DAG, condition or truth set is unknown, cannot be asked, or a folder cannot be written.
    """
    from bayes.linear.baselines import Baseline
    from providers.catalogue import find_model
    from tasks.scm_dags import load_dags

    check_models(settings.models, settings.max_usd, is_batched=settings.batch)
    for name in settings.models:
        entry = find_model(name)
        if entry.is_code and not (entry.provider == "baseline" and entry.model in set(Baseline)):
            raise InputError(f"model {name}: knows no coefficients; without a key there are baseline:small and others")
    dags = load_dags(settings)
    if "baseline:truth" in settings.models:
        for dag in dags:
            if dag.dag.truth is None:
                raise InputError(f"DAG {dag.name}: has no truth, which baseline:truth would answer with")
    check_folders(settings)


def print_dags() -> None:
    """Print a line for every DAG that comes with the project."""
    report.print_dags(Console(), [load_dag(path) for path in list_dags()])


def check_dag(file: Path) -> None:
    """Print what a DAG file holds.

    Raises:
        InputError: something is wrong with it.
    """
    report.print_dags(Console(), [load_dag(file)])


def write_report(data: Path, out: Path) -> None:
    """Write tables and figures of all results in a data folder.

    Raises:
        InputError: there are no results, or the folder cannot be written.
    """
    require_folder("--data", data, "run `prism scm` first")
    console = Console()
    comparisons = read_unit_comparisons(data)
    files = scm_report.write_report(console, data, comparisons, out)
    scm_report.print_units(console, comparisons)
    console.print(Text(f"{len(files)} files in {out}"))
