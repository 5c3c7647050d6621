"""How long it takes to put baselines through the linear half: ``python -m benchmarks.scm``, half a minute.

Seven DAGs, four baselines, 25 runs each: prompts, replies, parser, bounds, feedback, scores and tables, everything but
Prefect, whose start the command line has on top. A hosted model adds the time of its calls.
"""

import asyncio
import tempfile
import time
from pathlib import Path

from schemas.scm import ScmSettings, SeriesResult
from storage.scm import write_series
from tasks.scm import EquationPrompts, elicit_run, to_series
from tasks.scm_dags import load_dags
from tasks.session import open_session

MODELS = ("baseline:zero", "baseline:small", "baseline:big", "baseline:saturating")


async def measure(folder: Path) -> None:
    """Run once afresh and once from the cache, and print both times."""
    settings = ScmSettings(models=MODELS, runs=25, data=str(folder / "data"), cache=str(folder / "cache"))
    for label in ("afresh", "from the cache"):
        started = time.perf_counter()
        async with open_session(settings, label.replace(" ", "-")) as session:
            for asked in load_dags(settings):
                for model in settings.models:
                    series = to_series(asked, model, settings)
                    prompts = EquationPrompts(asked, series)
                    runs = await asyncio.gather(*(elicit_run(session, prompts, run, 2) for run in range(settings.runs)))
                    write_series(Path(settings.data), asked, SeriesResult(series, tuple(runs)), run=session.run)
            n_calls = len(session.ledger.calls)
        print(f"{label}: {n_calls} questions, {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(measure(Path(temporary)))
