"""deployments/prefect.yaml: what `prefect deploy` and a worker need of it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.client.schemas.objects import ConcurrencyLimitStrategy
from prefect.flows import load_flow_from_entrypoint
from prefect.server.schemas.schedules import CronSchedule
from prefect.utilities.callables import parameter_schema

from schemas.benchmark import BenchmarkSettings
from schemas.scm import ScmSettings
from schemas.settings import BuildSettings

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deployments" / "prefect.yaml"
CONFIG: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
DEPLOYMENTS: dict[str, dict[str, Any]] = {item["name"]: item for item in CONFIG["deployments"]}

each_deployment = pytest.mark.parametrize("name", DEPLOYMENTS)


@each_deployment
def test_the_entrypoint_is_a_module_and_holds_a_flow_with_the_given_parameters(name: str) -> None:
    """A path entrypoint would put flows/ first on the module path."""
    module, function = DEPLOYMENTS[name]["entrypoint"].split(":")
    assert "/" not in module
    assert not module.endswith(".py")
    flow = load_flow_from_entrypoint(DEPLOYMENTS[name]["entrypoint"], use_placeholder_flow=False)
    assert flow.fn.__name__ == function
    assert set(DEPLOYMENTS[name]["parameters"]) <= set(parameter_schema(flow).properties)


def test_the_build_is_called_as_the_readme_calls_it() -> None:
    flow = load_flow_from_entrypoint(DEPLOYMENTS["weekly"]["entrypoint"], use_placeholder_flow=False)
    assert flow.name == "build-corpus"


def test_the_parameters_of_the_build_are_settings_within_bounds() -> None:
    settings = BuildSettings.model_validate(DEPLOYMENTS["weekly"]["parameters"]["settings"])
    assert (settings.source, settings.model) == ("samples", "offline")


def test_a_run_with_settings_of_its_own_writes_the_same_folders() -> None:
    """Settings given to a run replace the deployment's; what they leave out has the default of BuildSettings."""
    settings = BuildSettings.model_validate(DEPLOYMENTS["weekly"]["parameters"]["settings"])
    plain = BuildSettings.model_validate({})
    assert (settings.data, settings.cache) == (plain.data, plain.cache)


def test_the_parameters_of_the_linear_half_are_settings_within_bounds() -> None:
    settings = ScmSettings.model_validate(DEPLOYMENTS["coefficients"]["parameters"]["settings"])
    assert (settings.models, settings.data) == (ScmSettings().models, ScmSettings().data)


def test_the_parameters_of_the_benchmark_are_settings_within_bounds() -> None:
    settings = BenchmarkSettings.model_validate(DEPLOYMENTS["leaderboard"]["parameters"]["settings"])
    assert (settings.models, settings.data) == (BenchmarkSettings().models, BenchmarkSettings().data)


async def test_the_weekly_build_is_due_on_sundays_at_three() -> None:
    (schedule,) = DEPLOYMENTS["weekly"]["schedules"]
    dates = await CronSchedule(cron=schedule["cron"], timezone=schedule["timezone"]).get_dates(
        2, start=datetime(2026, 1, 1, tzinfo=UTC)
    )
    # 1 January 2026 is a Thursday, so the Sundays are the 4th and the 11th.
    assert dates == [datetime(2026, 1, 4, 3, tzinfo=UTC), datetime(2026, 1, 11, 3, tzinfo=UTC)]


@each_deployment
def test_a_second_run_waits_for_the_first(name: str) -> None:
    limit = DEPLOYMENTS[name]["concurrency_limit"]
    assert limit["limit"] == 1
    assert ConcurrencyLimitStrategy(limit["collision_strategy"]) is ConcurrencyLimitStrategy.ENQUEUE


@each_deployment
def test_it_runs_on_the_projects_pool_in_the_folder_of_the_worker(name: str) -> None:
    assert DEPLOYMENTS[name]["work_pool"] == {"name": "prism", "job_variables": {"working_dir": "."}}
    (step,) = CONFIG["pull"]
    assert step == {"prefect.deployments.steps.set_working_directory": {"directory": "."}}


@each_deployment
def test_it_says_what_it_does_and_can_be_found_by_tag(name: str) -> None:
    assert len(DEPLOYMENTS[name]["description"].split()) >= 10
    assert "prism" in DEPLOYMENTS[name]["tags"]


def test_no_path_of_a_machine_is_written_down() -> None:
    words = FILE.read_text(encoding="utf-8").split()
    assert not [word for word in words if word.startswith(("/", "~", "file:"))]
