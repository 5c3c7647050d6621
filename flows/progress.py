"""Progress of a run: bars in a terminal, plain lines elsewhere."""

import time
from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from tasks.session import Progress as Report
from tasks.session import Reporter, report_progress_to

_SECONDS_BETWEEN_LINES = 10


@contextmanager
def showing_progress(console: Console) -> Generator[None]:
    """Show the progress of the runs started inside."""
    if not console.is_terminal:
        report_progress_to(_to_line_reporter(console))
        yield
        return
    columns = (
        TextColumn("{task.description:<14}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=False) as bars:
        ids: dict[str, TaskID] = {}

        def report(progress: Report) -> None:
            if progress.stage not in ids:
                ids[progress.stage] = bars.add_task(progress.stage, total=progress.total)
            bars.update(ids[progress.stage], completed=progress.done, total=progress.total)

        report_progress_to(report)
        yield


def _to_line_reporter(console: Console) -> Reporter:
    last: dict[str, float] = {}

    def report(progress: Report) -> None:
        now = time.monotonic()
        is_due = now - last.get(progress.stage, -_SECONDS_BETWEEN_LINES) >= _SECONDS_BETWEEN_LINES
        if progress.done == progress.total or is_due:
            last[progress.stage] = now
            console.print(Text(f"{progress.stage}: {progress.done} of {progress.total}"))

    return report
