"""From the DAGs, conditions and truth set of a run's settings to the graphs that are asked about."""

from schemas.dags import ORIGINAL, DagFile, find_dag, list_dags, load_dag
from schemas.errors import InputError
from schemas.linear import AskedDag, ask_about
from schemas.scm import ALL_CONDITIONS, ScmSettings


def load_dags(settings: ScmSettings) -> tuple[AskedDag, ...]:
    """Every DAG of the settings, under every condition of the settings, in that order.

    Raises:
        InputError: a DAG cannot be found or read, two have one name, or one lacks the condition or the truth set.

    Example:
        >>> [dag.name for dag in load_dags(ScmSettings(dags=("stocks", "lexical")))]
        ['stocks', 'lexical']
    """
    paths = [find_dag(reference) for reference in dict.fromkeys(settings.dags)] or list(list_dags())
    files = [load_dag(path) for path in paths]
    names: set[str] = set()
    for file, path in zip(files, paths, strict=True):
        if file.name in names:
            raise InputError(f"DAG file {path}: name: another of these DAGs is called {file.name!r} as well")
        names.add(file.name)
    return tuple(
        ask_about(file, condition, truth=settings.truth, n_spurious=settings.spurious, seed=settings.seed)
        for file in files
        for condition in _pick_conditions(file, settings)
    )


def _pick_conditions(file: DagFile, settings: ScmSettings) -> tuple[str, ...]:
    if ALL_CONDITIONS in settings.conditions:
        return (ORIGINAL, *file.conditions)
    return tuple(dict.fromkeys(settings.conditions))
