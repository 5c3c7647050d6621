"""Agreement of answers in different units as a CSV file, one row per edge."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from storage.scm import UnitComparison
from tasks.files import replace_file

_HEADER = (
    *("dag", "condition", "model", "parent", "child"),
    *("coefficient", "converted", "relative_distance_of_all", "same_sign_of_all"),
)


def write_units(comparisons: Iterable[UnitComparison], folder: Path) -> Path:
    """Write ``units.csv``: what was elicited in the original units, and in others and converted.

    Raises:
        InputError: the file cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER)
    for item in comparisons:
        series, found = item.series, item.invariance
        for edge in found.edges:
            overall = ("" if found.relative_distance is None else found.relative_distance, found.same_sign)
            names = (series.dag, series.variant, series.model, *edge.edge)
            writer.writerow((*names, edge.original, edge.converted, *overall))
    path = folder / "units.csv"
    replace_file(path, text.getvalue())
    return path
