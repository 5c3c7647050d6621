"""Tables: the right means in the right cells, the best in bold, failures in sight, and names that stay names."""

import csv
import io
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bayes.linear.baselines import Baseline
from bayes.linear.model import Equation
from bayes.linear.results import Metric, ResultGroup, summarise_runs, to_run
from schemas.errors import InputError
from tasks.scm_tables import to_csv, to_latex, to_markdown, write_tables
from tests.tasks.scm_groups import perturb, to_baseline_group, to_dag, to_group

# y = x1 + 2 x2 and z = 3 x1: one variable with an order, true vectors (1, 2) and (3).
DAG = to_dag(("x1", "y"), ("x2", "y"), ("x1", "z"))


def elicit(*slopes: tuple[float, float, float] | None, model: str = "solo", condition: str = "original") -> ResultGroup:
    """One run per triple of coefficients; None for a run in which the equation of y failed."""
    runs = [
        to_run(
            DAG,
            {
                "y": None if each is None else Equation("y", 0.0, ("x1", "x2"), each[:2]),
                "z": Equation("z", 0.0, ("x1",), (3.0 if each is None else each[2],)),
            },
        )
        for each in slopes
    ]
    return summarise_runs(runs, dag="toy", model=model, condition=condition, truth="truth")


def read_cells(text: str, title: str, model: str) -> list[str]:
    """A model's cells in the Markdown table of a metric, as written."""
    section = next(part for part in text.split("\n## ") if part.startswith(title))
    (line,) = (line for line in section.splitlines() if line.startswith(f"| {model} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def read_csv(text: str) -> dict[tuple[str, str], dict[str, str]]:
    return {(row["model"], row["metric"]): row for row in csv.DictReader(io.StringIO(text))}


def test_a_cell_is_the_mean_and_the_published_half_width() -> None:
    # M1 is 1, 2 and 3: mean 2, sd 1, 1.96 / sqrt(3) = 1.1316; the order 1 < 2 is kept in all three runs.
    text = to_markdown([elicit((1, 2, 4), (1, 2, 5), (1, 2, 6))])
    assert read_cells(text, "M1", "solo") == ["2.000 ± 1.132"]
    assert read_cells(text, "M4", "solo") == ["1.00 ± 0.00"]
    assert read_cells(text, "M4", "*maximum*") == ["1"]


def test_the_lowest_distance_and_the_highest_count_are_bold() -> None:
    near, far = elicit((1, 2, 3.5), model="near"), elicit((2, 1, 3), model="far")
    text = to_markdown([near, far])
    assert read_cells(text, "M1", "near") == ["**0.500**"]
    assert "*" not in read_cells(text, "M1", "far")[0]
    assert read_cells(text, "M4", "near") == ["**1.00**"]
    assert read_cells(text, "M4", "far") == ["0.00"]
    assert r"\textbf{0.500}" in to_latex([near, far])


def test_means_that_look_alike_are_all_bold() -> None:
    groups = [
        elicit((1, 2, 3.5), model="one"),
        elicit((1, 2, 3.50001), model="two"),
        elicit((1, 2, 3.6), model="three"),
    ]
    text = to_markdown(groups)
    assert [read_cells(text, "M1", model)[0] for model in ("one", "two", "three")] == [
        "**0.500**",
        "**0.500**",
        "0.600",
    ]
    assert [read_csv(to_csv(groups))[model, "m1"]["is_best"] for model in ("one", "two", "three")] == [
        "true",
        "true",
        "false",
    ]


def test_a_model_alone_is_not_the_best() -> None:
    assert "**" not in to_markdown([elicit((1, 2, 3)), to_baseline_group(DAG, Baseline.ZERO, "toy")])


def test_baselines_stand_below_in_their_own_order_and_are_never_bold() -> None:
    baselines = [to_baseline_group(DAG, baseline, "toy") for baseline in (Baseline.TRUTH, Baseline.BIG, Baseline.ZERO)]
    text = to_markdown([*baselines, elicit((2, 1, 3), model="a"), elicit((2, 1, 4), model="z")])
    rows = re.findall(r"^\| (\S+) \|", text.split("\n## ")[1], flags=re.MULTILINE)
    assert rows[2:] == ["a", "z", "*baselines*", r"baseline:zero", r"baseline:big", r"baseline:truth"]
    # The truth is 0 from itself, and yet the best of the models is marked.
    assert read_cells(text, "M1", r"baseline:truth") == ["0.000 ± 0.000 (n = 5)"]
    assert read_cells(text, "M1", "a")[0].startswith("**")


def test_failed_equations_are_counted_in_their_cell() -> None:
    text = to_markdown([elicit((1, 2, 3), None, None), elicit((1, 2, 3), (1, 2, 3), (1, 2, 3), model="other")])
    assert read_cells(text, "M2", "solo")[0].endswith(" †2")
    assert "†" not in read_cells(text, "M2", "other")[0]
    assert r"†k: k equations failed" in text
    assert r"$^{\dagger 2}$" in to_latex([elicit((1, 2, 3), None, None)])


def test_where_everything_failed_there_is_no_mean_and_no_best() -> None:
    failed = to_group(DAG, [to_run(DAG, {})] * 2, "toy", "silent")
    groups = [failed, elicit((9, 2, 3), (9, 2, 3)), elicit((8, 2, 3), (8, 2, 3), model="other")]
    text = to_markdown(groups)
    assert read_cells(text, "M1", "silent") == ["n/a †4"]
    assert read_cells(text, "M1", "other") == ["**7.000** ± 0.000"]
    assert {row["is_best"] for (model, _), row in read_csv(to_csv(groups)).items() if model == "silent"} == {"false"}


def test_a_dag_without_orders_has_no_m3_and_m4() -> None:
    chain = to_dag(("x", "y"))
    text = to_markdown([to_group(chain, perturb(chain, 1), model="a"), to_group(chain, perturb(chain, 2), model="b")])
    assert read_cells(text, "M3", "a") == read_cells(text, "M4", "a") == ["n/a"]
    assert "**" in read_cells(text, "M2", "a")[0] + read_cells(text, "M2", "b")[0]


def test_conditions_and_truth_sets_get_a_line_where_they_say_something() -> None:
    plain = to_markdown([elicit((1, 2, 3))])
    assert "*condition*" not in plain
    assert "*truth set*" not in plain
    groups = [elicit((1, 2, 3), condition="a-percent"), elicit((1, 2, 3)), replace(elicit((1, 2, 4)), truth="rounded")]
    text = to_markdown(groups)
    assert read_cells(text, "M1", "*condition*") == ["original", "original", "a-percent"]
    assert read_cells(text, "M1", "*truth set*") == ["rounded", "truth", "truth"]


def test_what_was_not_asked_is_an_empty_cell() -> None:
    text = to_markdown([elicit((1, 2, 3), model="a"), elicit((1, 2, 3), model="b", condition="other")])
    assert read_cells(text, "M1", "a") == ["0.000", ""]
    assert read_cells(text, "M1", "b") == ["", "0.000"]


def test_the_number_of_runs_is_in_the_cells_where_it_differs() -> None:
    text = to_markdown([elicit((1, 2, 4), (1, 2, 4), model="a"), elicit((1, 2, 4), model="b")])
    assert read_cells(text, "M1", "a") == ["**1.000** ± 0.000 (n = 2)"]
    assert read_cells(text, "M1", "b") == ["**1.000** (n = 1)"]


@pytest.mark.parametrize(
    ("off", "shown"),
    [
        (0.0123456, "0.0123"),
        (0.5, "0.500"),
        (17.229217, "17.23"),
        (2463.54, "2464"),
        (4.5e7, "4.50e+07"),
        (0.0, "0.000"),
    ],
)
def test_means_are_printed_in_about_four_digits(off: float, shown: str) -> None:
    assert read_cells(to_markdown([elicit((1, 2, 3 + off))]), "M1", "solo") == [shown]


def test_the_csv_has_every_metric_in_full_precision_with_both_intervals() -> None:
    group = to_group(DAG, perturb(DAG, 3), model="solo")
    rows = read_csv(to_csv([group]))
    assert {metric for _, metric in rows} == {found.metric for found in group.distributions}
    for found in group.distributions:
        row, summary = rows["solo", found.metric], found.summary
        fields = ("mean", "sd", "ci95_half_width", "ci95_half_width_student")
        assert tuple(float(row[field]) for field in fields) == (
            summary.mean,
            summary.sd,
            summary.normal,
            summary.student,
        )
    assert rows["solo", "m4"]["maximum"] == "1"
    assert rows["solo", Metric.M1]["maximum"] == ""


def test_the_order_of_the_groups_does_not_matter() -> None:
    groups = [
        *(elicit((1, 2, 3), model=model, condition=condition) for model in "ab" for condition in ("original", "a")),
        to_baseline_group(DAG, Baseline.SMALL, "toy"),
    ]
    mixed = random.Random(5).sample(groups, len(groups))  # noqa: S311 - any order will do
    for write in (to_markdown, to_csv, to_latex):
        assert write(groups) == write(mixed)


def test_dags_without_truth_are_named_and_need_no_scores() -> None:
    bare = to_dag(("x", "y"), has_truth=False)
    group = to_group(bare, [to_run(bare, {})], "garden")
    assert r"no true coefficients are known: garden" in to_markdown([group])
    assert to_csv([group]).count("\n") == 1
    assert "tabular" not in to_latex([group])
    assert "There are no scores yet" in to_markdown([])


def test_the_same_group_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two groups"):
        to_markdown([elicit((1, 2, 3)), elicit((1, 2, 4))])


HOSTILE = "a|b\n<script> $x_{2}$ \\input{x} %&#~^ [1] `--` 'q' \u202e"


def test_hostile_names_stay_in_their_cell() -> None:
    group = elicit((1, 2, 3), model=HOSTILE)
    html = MarkdownIt("commonmark").enable("table").render(to_markdown([group]))
    assert "<script" not in html
    assert html.count("<td") == 2 * 4 + 2
    assert "$x_{2}$ \\input{x} %&amp;#~^ [1] `--` 'q'" in html
    line = next(line for line in to_latex([group]).splitlines() if line.startswith("{a"))
    assert line.count(" & ") == 1
    assert read_csv(to_csv([group]))["a|b <script> $x_{2}$ \\input{x} %&#~^ [1] `--` 'q'", "m1"]["mean"] == "0.0"


@given(st.text())
def test_a_name_in_latex_has_no_active_character(name: str) -> None:
    lines = to_latex([elicit((1, 2, 3), model=f"m{name}")]).splitlines()
    cell = next(line for line in lines if line.startswith("{m")).split(" & 0.000")[0]
    symbols = "backslash|asciitilde|asciicircum|less|greater|bar|quotedbl|quotesingle|asciigrave"
    rest = re.sub(rf"\\text({symbols})\{{\}}", "", cell[1:-1])
    rest = re.sub(r"\$\\(pm|surd|dagger)\$", "", rest)
    rest = re.sub(r"\\[&%$#_{}]", "", rest).replace("{-}", "")
    assert not set(rest) & set("\\{}$&%#_^~\n")


def test_tables_are_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "tables"
    paths = write_tables([elicit((1, 2, 3))], folder)
    assert [path.name for path in paths] == ["scores.md", "scores.csv", "scores.tex"]
    assert sorted(folder.iterdir()) == sorted(paths)
    first = [path.read_bytes() for path in paths]
    write_tables(iter([elicit((1, 2, 3))]), folder)
    assert [path.read_bytes() for path in paths] == first
    assert first[0].decode() == to_markdown([elicit((1, 2, 3))])


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_tables([elicit((1, 2, 3))], tmp_path / "file")
