"""What the commands do once their options are read."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

from flows import report
from schemas.errors import InputError
from schemas.settings import BuildSettings, RunSettings
from schemas.summaries import BuildSummary, Outcome, RunSummary

SummaryT = TypeVar("SummaryT", bound=RunSummary)

EXIT_CODES = {Outcome.COMPLETE: 0, Outcome.INCOMPLETE: 1, Outcome.EMPTY: 1, Outcome.OVER_BUDGET: 3}


def run_build(settings: BuildSettings, *, is_verbose: bool) -> int:
    """Run the flow, show its progress and its summary; the exit code."""
    check_settings(settings)
    console = Console()
    if settings.model.startswith("offline") and not settings.source.startswith("backbones:"):
        console.print(Text(report.OFFLINE_NOTE))
    if settings.model.startswith("local:"):
        console.print(Text(report.LOCAL_NOTE))

    def load() -> Any:
        from flows.build_corpus import build_corpus

        return build_corpus

    summary = run_flow(console, load, settings, BuildSummary, is_verbose=is_verbose)
    report.print_build(console, summary)
    return EXIT_CODES[summary.outcome]


def run_flow(
    console: Console, load: Callable[[], Any], settings: RunSettings, kind: type[SummaryT], *, is_verbose: bool
) -> SummaryT:
    """Run a flow, show its progress, and give back its summary.

    Args:
        console: where to show it.
        load: imports the flow, which takes as long as the start of a server and is done meanwhile.
        settings: the flow's parameter.
        kind: the class of its summary.
        is_verbose: whether Prefect's log is shown too.

    Raises:
        PrismError: the flow ended with one.
    """
    from flows.prefect_api import choosing_api
    from flows.progress import showing_progress

    async def start(flow: Any) -> SummaryT:
        state = await flow(settings, return_state=True)
        result = await state.aresult(raise_on_failure=False)
        if isinstance(result, kind):
            return result
        if isinstance(result, BaseException):
            raise result
        raise RuntimeError(f"the flow ended {state.name} without a summary: {state.message}")

    with choosing_api(Path(settings.cache), is_verbose=is_verbose) as api:
        console.print(Text(api.where))
        flow = load()
        api.wait()
        with showing_progress(console):
            return asyncio.run(start(flow))


def check_settings(settings: BuildSettings) -> None:
    """Refuse at once what would fail later: unknown models, domains and sources, missing keys, unwritable folders.

    Raises:
        InputError: with the name of the setting and what to do.
    """
    from providers.sources.domains import load_domains, pick_domains
    from providers.sources.source import open_source

    check_models(filter(None, (settings.model, settings.writer, settings.checker)), settings.max_usd)
    pick_domains(load_domains(), settings.domains)
    if settings.source.startswith("backbones:"):
        from tasks.articles import read_backbones

        read_backbones.fn(settings.source.removeprefix("backbones:"))
    else:
        open_source(settings.source)
    check_folders(settings)


def check_models(names: Iterable[str], max_usd: float | None) -> None:
    """Refuse models that are unknown, whose key is not set, or whose price is unknown where there is a ceiling.

    Raises:
        InputError: with the name of the model and what to do.
    """
    from providers.budget import Budget
    from providers.catalogue import find_model

    budget = Budget(max_usd)
    for name in names:
        entry = find_model(name)
        if entry.is_hosted and not entry.is_key_set:
            raise InputError(f"model {name}: set its key in the environment variable {entry.key_env}")
        budget.require_price(entry)


def require_folder(option: str, folder: Path, hint: str = "build a corpus first") -> None:
    """Refuse a folder that is not there.

    Raises:
        InputError: with the option and what to do.
    """
    if not folder.is_dir():
        raise InputError(f"{option} {folder}: there is no such folder; {hint}")


def check_folders(settings: RunSettings) -> None:
    """Refuse folders that cannot be written.

    Raises:
        InputError: with the option and the reason.
    """
    for option, folder in (("--data", settings.data), ("--cache", settings.cache)):
        check_folder(option, Path(folder))


def check_folder(option: str, folder: Path) -> None:
    """Refuse a folder that cannot be written.

    Raises:
        InputError: with the option and the reason.
    """
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"x" * 4096)
            probe.flush()
    except OSError as error:
        raise InputError(f"{option} {folder}: cannot be written ({error.strerror}); choose another folder") from error


def print_estimate(settings: BuildSettings) -> None:
    """Print what a build would call and cost; nothing is called or written."""
    from tasks.estimation import estimate_build

    report.print_estimate(Console(), settings, estimate_build(settings))


def run_verify(data: Path) -> int:
    """Check a corpus and print what is wrong with it; the exit code."""
    from storage.verification import verify

    require_folder("--data", data)
    verification = verify(data)
    report.print_verification(Console(), verification)
    return 0 if verification.is_sound else 1


def run_show(data: Path, name: str, *, is_full: bool, figure: Path | None) -> None:
    """Print one network: drawing, description, CPDs; and draw it into a file if asked."""
    require_folder("--data", data)
    shown = report.find_network(data, name)
    report.print_network(Console(), shown, is_full=is_full)
    if figure is not None:
        from tasks.figures import draw_network

        draw_network(shown.network, figure, title=shown.title)
        Console().print(Text(f"Figure: {figure}"))
