"""The commands of the linear half: ``prism scm DAG …``, ``prism scm list``, ``check`` and ``report``."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from flows.options import (
    BatchOption,
    CacheOption,
    DataOption,
    MaxUsdOption,
    VerboseOption,
    reporting_errors,
    to_settings,
)
from schemas.settings import RunSettings


class ElicitByDefault(TyperGroup):
    """A group whose command ``run`` needs no name: what names no other command are its arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``run`` before arguments that begin with no command of the group."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


scm_app = typer.Typer(
    cls=ElicitByDefault,
    help="Coefficients of linear structural causal models, elicited and scored. "
    "`prism scm foodsecurity --model NAME` is short for `prism scm run foodsecurity --model NAME`.",
    no_args_is_help=True,
)

_SHARED = RunSettings()


@scm_app.command("run")
def elicit(
    dag: Annotated[
        list[str] | None,
        typer.Argument(help="Names of DAGs, or paths of YAML files.", show_default="all that come with the project"),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="Model to ask, a name from deployments/models.yaml; may be repeated.",
            show_default="baseline:small and baseline:saturating",
        ),
    ] = None,
    runs: Annotated[int, typer.Option("--runs", help="Independent runs of each DAG and model.")] = 25,
    feedback_rounds: Annotated[
        int,
        typer.Option("--feedback-rounds", help="Refused proposals that go back with the reason; 0 takes the first."),
    ] = 5,
    retries: Annotated[
        int, typer.Option("--retries", help="How often an equation that could not be had is asked for from scratch.")
    ] = 2,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition", help="Condition of the DAG file, or all; may be repeated.", show_default="original"
        ),
    ] = None,
    truth: Annotated[
        str, typer.Option("--truth", help="Truth set to score with.", show_default="the DAG file's default")
    ] = "",
    spurious: Annotated[int, typer.Option("--spurious", help="Random edges to add whose true coefficient is 0.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sampling of spurious edges.")] = 0,
    prompt: Annotated[
        str, typer.Option("--prompt", help="standard, or parent-effects: also shows the effects among the parents.")
    ] = "standard",
    reasoning: Annotated[
        bool, typer.Option("--reasoning/--no-reasoning", help="Whether the model reasons before the equation.")
    ] = True,
    reply: Annotated[
        str, typer.Option("--reply", help="text: an equation; structured: names and coefficients.")
    ] = "text",
    max_usd: MaxUsdOption = None,
    batch: BatchOption = False,
    data: DataOption = Path(_SHARED.data),
    cache: CacheOption = _SHARED.cache,
    verbose: VerboseOption = False,
) -> None:
    """Elicit the structural equations of DAGs from models, and score them against known coefficients.

    Exit codes: 0 done; 1 a service broke; 2 wrong input; 3 stopped by --max-usd.
    """
    with reporting_errors():
        from schemas.scm import ScmSettings

        wanted = {
            "dags": tuple(dag or ()),
            "models": tuple(dict.fromkeys(model or ())),
            "conditions": tuple(condition or ()),
        }
        settings = to_settings(
            ScmSettings,
            **{name: value for name, value in wanted.items() if value},
            runs=runs,
            feedback_rounds=feedback_rounds,
            retries=retries,
            truth=truth,
            spurious=spurious,
            seed=seed,
            prompt=prompt,
            has_reasoning=reasoning,
            reply=reply,
            max_usd=max_usd,
            batch=batch,
            data=str(data),
            cache=cache,
        )
        from flows.scm_commands import run_scm

        raise typer.Exit(run_scm(settings, is_verbose=verbose))


@scm_app.command("list")
def list_scm_dags() -> None:
    """List the DAGs that come with the project."""
    with reporting_errors():
        from flows.scm_commands import print_dags

        print_dags()


@scm_app.command("check")
def check_scm_dag(
    file: Annotated[Path, typer.Argument(help="A DAG file, like those in samples/dags.")],
) -> None:
    """Read a DAG file and say what it holds, or in one line what is wrong with it."""
    with reporting_errors():
        from flows.scm_commands import check_dag

        check_dag(file)


@scm_app.command("report")
def report_scm(
    data: DataOption = Path(_SHARED.data),
    out: Annotated[
        Path, typer.Option("--out", help="Folder for the tables and figures.", show_default="reports/scm")
    ] = Path("reports/scm"),
) -> None:
    """Write what the tables hold: models by DAG as Markdown, CSV and LaTeX, and figures of equations and scores."""
    with reporting_errors():
        from flows.scm_commands import write_report

        write_report(data, out)
