r"""The scores of many models and DAGs as tables like those of the publication: Markdown, CSV and LaTeX.

What they show, and what is bold, is decided in :mod:`tasks.scm_cells`. ``†3`` after a cell says that three equations
failed.

The CSV has every metric in long format, one row per group and metric, with both intervals and all digits.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bayes.linear.results import PUBLISHED_METRICS, Metric, ResultGroup
from schemas.names import clean_name
from tasks.files import replace_file
from tasks.markdown import escape
from tasks.scm_cells import Cell, Row, Table, find_best, sort_groups, to_column, to_notes, to_tables

_CSV_HEADER = (
    *("dag", "condition", "truth", "model", "is_baseline", "n_runs", "n_nodes", "n_failed_nodes"),
    *("metric", "n", "mean", "sd", "ci95_half_width", "ci95_half_width_student", "maximum", "is_best"),
)
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Two hyphens in a row would become a dash.
    "-": "{-}",
    **{special: f"\\{special}" for special in "&%$#_{}"},
}


def to_markdown(groups: Iterable[ResultGroup]) -> str:
    """M1 to M4, a section and a table each, and notes on how to read them."""
    ordered = sort_groups(groups)
    notes = "\n".join(f"- {escape(note)}" for note in to_notes(ordered))
    return "\n\n".join(["# Scores", *(_write_markdown(table) for table in to_tables(ordered)), notes]) + "\n"


def to_latex(groups: Iterable[ResultGroup]) -> str:
    """M1 to M4 as four ``table`` environments, for the ``input`` command of a document."""
    ordered = sort_groups(groups)
    parts = [r"% Needs \usepackage{booktabs}, and \usepackage{textcomp} before LaTeX of 2020.", ""]
    parts += [_write_latex(table) for table in to_tables(ordered)]
    notes = " ".join(_escape_latex(note) for note in to_notes(ordered))
    return "\n".join([*parts, rf"\noindent {{\footnotesize {notes}}}", ""])


def to_csv(groups: Iterable[ResultGroup]) -> str:
    """Every metric of every group that has one, in long format and in full precision.

    Missing values are empty. ``maximum`` is given for ``m4``; ``is_best`` says what is bold in the other tables.
    """
    ordered = sort_groups(groups)
    best = {metric: find_best(ordered, metric) for metric in PUBLISHED_METRICS}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_HEADER)
    for group in ordered:
        names = [clean_name(name) for name in (group.dag, group.condition, group.truth, group.model)]
        counts = (_to_word(is_true=group.is_baseline), group.n_runs, group.n_nodes, group.n_failed_nodes)
        for found in group.distributions:
            summary, metric = found.summary, found.metric
            numbers = (summary.mean, summary.sd, summary.normal, summary.student)
            maximum = group.m4_max if metric is Metric.M4 else ""
            is_best = _to_word(is_true=(group.model, to_column(group)) in best.get(metric, ()))
            cells = ["" if number is None else repr(float(number)) for number in numbers]
            writer.writerow([*names, *counts, metric.value, summary.n, *cells, maximum, is_best])
    return text.getvalue()


def write_tables(groups: Iterable[ResultGroup], folder: Path) -> tuple[Path, ...]:
    """Write ``scores.md``, ``scores.csv`` and ``scores.tex`` into a folder, which is made if need be.

    Each is complete or not there: it is written under another name first.

    Raises:
        InputError: the folder or a file cannot be written.
        ValueError: as in :func:`sort_groups`.
    """
    ordered = sort_groups(groups)
    texts = {"scores.md": to_markdown(ordered), "scores.csv": to_csv(ordered), "scores.tex": to_latex(ordered)}
    for name, text in texts.items():
        replace_file(folder / name, text)
    return tuple(folder / name for name in texts)


def _write_markdown(table: Table) -> str:
    width = len(table.columns)
    rows = [
        ["model", *(escape(clean_name(column.dag)) for column in table.columns)],
        ["---", *["---:"] * width],
        *([f"*{line[0]}*", *(escape(clean_name(text)) for text in line[1:])] for line in table.lines),
    ]
    rows += [_write_markdown_row(row) for row in table.models]
    if table.baselines:
        rows += [["*baselines*", *[""] * width], *(_write_markdown_row(row) for row in table.baselines)]
    return "\n".join([f"## {table.title}", "", *("| " + " | ".join(row) + " |" for row in rows)])


def _write_markdown_row(row: Row) -> list[str]:
    return [escape(clean_name(row.label)), *(_write_markdown_cell(cell) for cell in row.cells)]


def _write_markdown_cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    mean = f"**{cell.mean}**" if cell.is_best else cell.mean
    half = f" ± {cell.half}" if cell.half else ""
    failed = f" †{cell.n_failed}" if cell.n_failed else ""
    return mean + half + failed + (f" (n = {cell.n_runs})" if cell.n_runs is not None else "")


def _write_latex(table: Table) -> str:
    width = len(table.columns)
    rows = [
        rf"\begin{{tabular}}{{l*{{{width}}}{{r}}}}",
        r"\toprule",
        _end_row(["model", *(_escape_latex(column.dag) for column in table.columns)]),
        *(_end_row([rf"\emph{{{line[0]}}}", *map(_escape_latex, line[1:])]) for line in table.lines),
        r"\midrule",
        *(_write_latex_row(row) for row in table.models),
    ]
    if table.baselines:
        rows += [r"\midrule"] * bool(table.models)
        rows += [rf"\multicolumn{{{width + 1}}}{{l}}{{\emph{{baselines}}}} \\"]
        rows += [_write_latex_row(row) for row in table.baselines]
    rows += [r"\bottomrule", r"\end{tabular}"]
    caption = rf"\caption{{{_escape_latex(table.title)}}}"
    return "\n".join([r"\begin{table}", r"\centering", caption, *rows, r"\end{table}", ""])


def _write_latex_row(row: Row) -> str:
    return _end_row([_escape_latex(row.label), *(_write_latex_cell(cell) for cell in row.cells)])


def _write_latex_cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    mean = rf"\textbf{{{cell.mean}}}" if cell.is_best else cell.mean
    half = rf" $\pm$ {cell.half}" if cell.half else ""
    failed = rf" $^{{\dagger {cell.n_failed}}}$" if cell.n_failed else ""
    return mean + half + failed + (f" ($n = {cell.n_runs}$)" if cell.n_runs is not None else "")


def _end_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _escape_latex(text: str) -> str:
    """Text in braces: after the end of a row, a bracket or an asterisk would be taken for an argument."""
    special = {**_LATEX, "±": r"$\pm$", "√": r"$\surd$", "†": r"$\dagger$"}
    return "{" + re.sub(r".", lambda found: special.get(found[0], found[0]), clean_name(text)) + "}"


def _to_word(*, is_true: bool) -> str:
    return "true" if is_true else "false"
