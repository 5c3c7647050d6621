"""docker-compose.yml and the image: what reading can claim of them. ``make compose-check`` validates the file."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
CONFIG: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = CONFIG["services"]
ONE_SHOT = {name for name, service in SERVICES.items() if "restart" not in service}
SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|_KEY$|CONNECTION_URL")


def _catalogue_keys() -> set[str]:
    catalogue: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "deployments/models.yaml").read_text("utf-8"))
    return {entry["key_env"] for entry in catalogue.values() if entry.get("key_env")}


def test_the_services_are_the_ones_a_scaled_server_needs() -> None:
    assert set(SERVICES) == {"postgres", "redis", "migrate", "server", "services", "worker", "deploy"}
    assert {"migrate", "deploy"} == ONE_SHOT


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_is_pinned_to_a_full_version(name: str) -> None:
    assert re.search(r":\d+\.\d+(\.\d+)?(-[a-z0-9]+)?$", SERVICES[name]["image"])


def test_the_projects_image_bears_the_projects_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    built = {service["image"] for service in SERVICES.values() if "build" in service}
    assert built == {f"{project['name']}:{project['version']}"}


@pytest.mark.parametrize("name", sorted(set(SERVICES) - ONE_SHOT))
def test_every_long_running_service_has_a_health_check(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert {"interval", "timeout", "retries"} <= set(check)


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_services_that_exist_until_they_are_fit(name: str) -> None:
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        assert needed in SERVICES
        assert how["condition"] == ("service_completed_successfully" if needed in ONE_SHOT else "service_healthy")


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_has_a_value_in_the_file(name: str) -> None:
    """A secret is either passed on by name (no value) or made of a required variable."""
    for variable, value in SERVICES[name].get("environment", {}).items():
        if SECRET.search(variable):
            assert value is None or "${POSTGRES_PASSWORD:?" in value


def test_an_address_with_a_password_takes_it_from_the_environment() -> None:
    addresses = re.findall(r"\w+://[^\s:/@]+:([^@\s]+)@", re.sub(r"\$\{[^}]*\}", "$", COMPOSE.read_text("utf-8")))
    assert addresses == ["$"]


def test_every_key_of_the_model_catalogue_is_passed_on_to_the_worker_by_name() -> None:
    environment = SERVICES["worker"]["environment"]
    assert _catalogue_keys() <= {variable for variable, value in environment.items() if value is None}


def test_what_must_outlive_a_container_is_a_declared_volume() -> None:
    mounts = {mount for service in SERVICES.values() for mount in service.get("volumes", ())}
    assert mounts == {
        "database:/var/lib/postgresql/data",
        "messages:/data",
        "data:/app/data",
        "cache:/app/cache",
    }
    assert {mount.split(":")[0] for mount in mounts} == set(CONFIG["volumes"])


def test_only_the_server_is_published_and_only_to_this_machine() -> None:
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert set(ports) == {"server"}
    assert all(port.startswith("127.0.0.1:") for port in ports["server"])


def test_the_image_is_pinned_installs_by_hash_and_does_not_run_as_root() -> None:
    lines = (ROOT / "deployments/Dockerfile").read_text("utf-8")
    steps = re.sub(r"\\\n", " ", lines).splitlines()
    assert re.fullmatch(r"FROM python:3\.11\.\d+-slim-\w+", next(step for step in steps if step.startswith("FROM")))
    installs = [part for step in steps for part in step.split("&&") if "pip install" in part and ".lock" in part]
    assert len(installs) == 2
    assert all("--require-hashes" in install and "--no-deps" in install for install in installs)
    user = max(n for n, step in enumerate(steps) if step.startswith("USER "))
    assert steps[user] == "USER 10001"
    assert all(n < user for n, step in enumerate(steps) if step.startswith("RUN "))
    assert user < next(n for n, step in enumerate(steps) if step.startswith("CMD "))


def test_secrets_tables_and_caches_stay_out_of_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {".git", ".env", ".env.*", ".venv", "data", "cache"} <= set(ignored)
