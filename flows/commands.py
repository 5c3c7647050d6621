"""What the commands do once their options are read."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.text import Text

from flows import report
from schemas.errors import InputError
from schemas.settings import BuildSettings, RunSettings
from schemas.summaries import BuildSummary, Outcome, RunSummary

if TYPE_CHECKING:
    from providers.catalogue import ModelEntry

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

    _mention_batches(console, settings)
    with choosing_api(_find_scratch(settings), is_verbose=is_verbose) as api:
        console.print(Text(api.where))
        flow = load()
        api.wait()
        with showing_progress(console):
            return asyncio.run(start(flow))


def _find_scratch(settings: RunSettings) -> Path:
    """Folder for the database of a run's own Prefect server: beside the replies, or the run's journals."""
    from storage.ledger import JOURNALS
    from storage.replies import is_address

    folder = Path(settings.data, JOURNALS) if is_address(settings.cache) else Path(settings.cache)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _mention_batches(console: Console, settings: RunSettings) -> None:
    if settings.batch:
        return
    from storage.batches import BatchFolder

    n_open = sum(len(batch.keys) for batch in BatchFolder(Path(settings.data)).pending())
    if n_open:
        text = f"{n_open:,} requests wait in batches of an earlier run; with --batch this run would wait for them, too."
        console.print(Text(text))


def check_settings(settings: BuildSettings) -> None:
    """Refuse at once what would fail later: unknown models, domains and sources, missing keys, unwritable folders.

    Raises:
        InputError: with the name of the setting and what to do.
    """
    from providers.sources.domains import choose_domains
    from providers.sources.source import open_source
    from tasks.input_budget import find_budget

    check_models(settings.model_names, settings.max_usd, is_batched=settings.batch)
    find_budget(settings.model, settings.input_tokens)
    if settings.lock:
        from tasks.locked_articles import choose_locked

        choose_locked(settings)
    else:
        choose_domains(settings)
    if settings.source.startswith("backbones:"):
        from tasks.articles import read_backbones

        read_backbones.fn(settings.source.removeprefix("backbones:"))
    else:
        open_source(settings.source)
    check_folders(settings)


def check_models(names: Iterable[str], max_usd: float | None, *, is_batched: bool = False) -> None:
    """Refuse models that are unknown, without a key, or of unknown price where there is a ceiling.

    Args:
        names: the models.
        max_usd: the ceiling, if there is one.
        is_batched: whether at least one of them has to have a batch API.

    Raises:
        InputError: with the name of the model and what to do.
    """
    from providers.budget import Budget
    from providers.catalogue import find_model

    budget = Budget(max_usd)
    entries = [find_model(name) for name in names]
    for entry in entries:
        require_key(entry)
        budget.require_price(entry)
    if is_batched:
        from providers.batches import offers_batches

        if not any(map(offers_batches, entries)):
            asked = ", ".join(dict.fromkeys(entry.id for entry in entries))
            raise InputError(f"--batch: there is no batch API for {asked}; models of anthropic and openai have one")


def require_key(entry: "ModelEntry") -> None:
    """Refuse a model whose key is neither in the environment nor in a Secret block of the running Prefect server.

    Raises:
        InputError: with the variable and the block.
    """
    if not entry.is_hosted or entry.is_key_set:
        return
    from flows.prefect_api import is_served
    from tasks.keys import is_key_kept, to_block_name

    if is_served() and is_key_kept(entry.key_env):
        return
    block = to_block_name(entry.key_env)
    raise InputError(
        f"model {entry.id}: set its key in the environment variable {entry.key_env}, or keep it in a Secret block "
        f"{block} of the Prefect server"
    )


def require_folder(option: str, folder: Path, hint: str = "build a corpus first") -> None:
    """Refuse a folder that is not there.

    Raises:
        InputError: with the option and what to do.
    """
    if not folder.is_dir():
        raise InputError(f"{option} {folder}: there is no such folder; {hint}")


def check_folders(settings: RunSettings) -> None:
    """Refuse folders that cannot be written, and a server for replies that cannot be used.

    Raises:
        InputError: with the option and the reason.
        StoreUnreachable: the server does not answer.
    """
    from storage.replies import is_address, open_replies

    check_folder("--data", Path(settings.data))
    if is_address(settings.cache):
        open_replies(settings.cache).close()
    else:
        check_folder("--cache", Path(settings.cache))


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
