"""What the commands of ``prism import`` do once their options are read. Names are data and never markup."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from schemas.annotations import read_annotations
from schemas.benchmark import Mode
from schemas.errors import InputError
from schemas.names import clean_name
from schemas.predictions import NamedPrediction, read_predictions
from schemas.released import read_corpus
from storage.imports import write_corpus, write_named_predictions
from storage.layout import new_run_id
from storage.ledger import Ledger

MAX_MODEL = 100
"""Letters of a model's name at most."""
MOST_REFUSED = 12


def load_corpus(file: Path, data: Path) -> int:
    """Read a corpus, write its tables and print the report; the exit code.

    Raises:
        InputError: the file cannot be read, is of another layout, or its place in the data folder is taken.
    """
    corpus, run = read_corpus(file), new_run_id()
    result = write_corpus(data, corpus, file=file.name, run=run)
    if result.failures:
        with Ledger(data, run) as ledger:
            for failure in result.failures:
                ledger.record_failure(failure)
    console = Console()
    for line in result.report.to_lines():
        console.print(Text(line))
    for failure in result.failures[:MOST_REFUSED]:
        console.print(Text(f"refused {failure.item}: {failure.detail}"))
    if len(result.failures) > MOST_REFUSED:
        console.print(Text(f"and {len(result.failures) - MOST_REFUSED} more in the table failures"))
    console.print(Text(f"{result.n_examples:,} examples of {result.n_backbones:,} backbones in {data}"))
    return 0 if result.n_examples else 1


def load_predictions(file: Path, model: str, mode: Mode, data: Path) -> None:
    """Read predictions, write their table and print what was odd in the file.

    Raises:
        InputError: the name, the file or an id in it is wrong; nothing was written.
    """
    check_name(model)
    found = read_predictions(file)
    _load(found.predictions, file, model, mode, data)
    for line in found.report.to_lines()[1:]:  # the first counts refusals, and no prediction is refused
        Console().print(Text(line))


def load_annotations(file: Path, model: str, mode: Mode, data: Path) -> None:
    """Read a person's extraction and write its table.

    Raises:
        InputError: the name, the file or an id in it is wrong; nothing was written.
    """
    check_name(model)
    _load(read_annotations(file), file, model, mode, data)


def check_name(model: str) -> None:
    """Refuse a name under which nothing could be found again.

    Raises:
        InputError: it is empty, too long, or has odd white space or invisible characters.
    """
    if not model or model != clean_name(model) or len(model) > MAX_MODEL:
        raise InputError(
            f"--model {clean_name(model)[:MAX_MODEL]!r}: give a name of 1 to {MAX_MODEL} characters without odd white "
            "space, such as person:anna"
        )


def _load(predictions: Sequence[NamedPrediction], file: Path, model: str, mode: Mode, data: Path) -> None:
    if not data.is_dir():
        raise InputError(f"--data {data}: there is no such folder; build or import a corpus first")
    result = write_named_predictions(data, predictions, file=file, model=model, mode=mode, run=new_run_id())
    n_changed = sum(one.is_changed for one in result.written)
    console = Console()
    console.print(Text(f"{result.n_predictions:,} predictions of {model} in {len(result.written)} files"))
    if n_changed < len(result.written):
        console.print(Text(f"{len(result.written) - n_changed} of them were there already"))
    if result.n_without:
        console.print(Text(f"{result.n_without:,} examples of the corpus have none in this file and are not scored"))
