"""Series of runs as tables: written once, read back as groups, and consistent with one another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bayes.linear.baselines import to_true_equation
from bayes.linear.model import Interval
from bayes.linear.results import to_run
from schemas.dags import find_dag, load_dag
from schemas.errors import InputError
from schemas.linear import ask_about
from schemas.scm import ElicitedEquation, ScmRun, SeriesResult
from storage.corpus import write_rows
from storage.parquet import read_table
from storage.scm import read_groups, read_unit_comparisons, write_series
from storage.verification import verify
from tests.storage.scm_runs import ASKED, to_result, to_series


def test_a_series_is_one_file_a_table_with_a_row_a_variable_an_edge_and_a_run(tmp_path: Path) -> None:
    written = write_series(tmp_path, ASKED, to_result(), run="r1")
    # 2 runs of 3 equations with 4 coefficients
    assert [item.n_rows for item in written] == [6, 8, 2]
    assert len({item.path.parent.parent.parent for item in written}) == 3
    rows = read_table(tmp_path, "scm_equations").to_pylist()
    assert [row["run"] for row in rows] == [0, 0, 0, 1, 1, 1]
    assert [row["variable"] for row in rows[:3]] == sorted(ASKED.dag.targets)
    [failed] = [row for row in rows if row["status"] == "failed"]
    assert (failed["equation"], failed["intercept"], failed["reason"]) == ("", None, "invalid_reply")
    assert failed["history"] == [
        {"draw": 0, "round": 1, "text": "dunno", "kind": "no_equation", "problem": "no equation was found"}
    ]
    lost = [row for row in read_table(tmp_path, "scm_coefficients").to_pylist() if row["coefficient"] is None]
    assert {row["variable"] for row in lost} == {failed["variable"]}


def test_writing_the_same_runs_again_changes_nothing(tmp_path: Path) -> None:
    write_series(tmp_path, ASKED, to_result(), run="r1")
    assert not any(item.is_changed for item in write_series(tmp_path, ASKED, to_result(), run="r2"))


def test_series_that_differ_in_anything_have_files_of_their_own(tmp_path: Path) -> None:
    changes = (
        {},
        {"model": "m"},
        {"condition": "share"},
        {"prompt": "parent-effects"},
        {"has_reasoning": False},
        {"reply": "structured"},
        {"feedback_rounds": 0},
        {"truth": "other"},
    )
    for change in changes:
        write_series(tmp_path, ASKED, to_result(series=to_series(**change)), run="r1")
    assert len(list(tmp_path.rglob("scm_scores/**/*.parquet"))) == len(changes)
    # the truth set is what equations are scored with; they are the same for all
    assert len(list(tmp_path.rglob("scm_equations/**/*.parquet"))) == len(changes) - 1
    assert len(read_groups(tmp_path)) == len(changes)


def test_groups_read_back_are_those_that_were_written(tmp_path: Path) -> None:
    result = to_result()
    write_series(tmp_path, ASKED, result, run="r1")
    [group], expected = read_groups(tmp_path), result.summarise()
    assert group.distributions == expected.distributions
    assert set(group.edges) == set(expected.edges)
    assert set(group.orders) == set(expected.orders)
    assert (group.n_runs, group.n_failed_nodes, group.n_nodes) == (2, 1, 3)


def test_a_dag_without_truth_has_coefficients_and_no_scores(tmp_path: Path) -> None:
    file = load_dag(find_dag("foodsecurity")).model_copy(update={"truth": None})
    asked = ask_about(file)
    write_series(tmp_path, asked, to_result(asked, to_series(truth="")), run="r1")
    assert not (tmp_path / "scm_scores").exists()
    [group] = read_groups(tmp_path)
    assert not group.is_scored
    assert verify(tmp_path).is_sound


def test_sound_tables_pass_and_a_score_that_was_touched_is_found(tmp_path: Path) -> None:
    write_series(tmp_path, ASKED, to_result(), run="r1")
    assert verify(tmp_path).findings == ()
    rows = read_table(tmp_path, "scm_scores").drop_columns(["domain", "backbone"]).to_pylist()
    rows[1]["m2"] += 1e-6
    part = to_series().to_part(has_truth=True)
    write_rows(tmp_path, "scm_scores", ASKED.domain, ASKED.name, rows, run="careless", part=part)
    [finding] = verify(tmp_path).findings
    assert "baseline:small, original, run 1: m2 is" in finding.what


@pytest.mark.parametrize("table", ["scm_equations", "scm_coefficients"])
def test_rows_that_others_rest_on_are_missed(table: str, tmp_path: Path) -> None:
    write_series(tmp_path, ASKED, to_result(), run="r1")
    for path in tmp_path.rglob(f"{table}/**/*.parquet"):
        path.unlink()
    assert {"has coefficients and no equations", "has scores and no coefficients"} & {
        finding.what.rpartition(": ")[2] for finding in verify(tmp_path).findings
    }


def test_answers_in_other_units_are_compared_after_conversion(tmp_path: Path) -> None:
    """Foodsecurity's condition share divides every variable by 100, or one of them; the truth agrees with itself."""
    file = load_dag(find_dag("foodsecurity"))
    for condition in ("original", "health-share"):
        asked = ask_about(file, condition)
        equations = {child: to_true_equation(asked.dag, child) for child in asked.dag.targets}
        items = tuple(
            ElicitedEquation(child, item, "accepted", Interval(), (), ()) for child, item in equations.items()
        )
        result = SeriesResult(to_series(condition=condition), (ScmRun(0, items, to_run(asked.dag, equations)),))
        write_series(tmp_path, asked, result, run="r1")
    [comparison] = read_unit_comparisons(tmp_path)
    assert comparison.series.condition == "health-share"
    assert comparison.invariance.relative_distance == pytest.approx(0, abs=1e-12)
    assert comparison.invariance.same_sign == 1
    assert len(comparison.invariance.edges) == 4


def damage(data: Path, table: str, edit: Callable[[list[dict[str, Any]]], object]) -> list[str]:
    """What is found after a careless edit of one table."""
    write_series(data, ASKED, to_result(), run="r1")
    rows = read_table(data, table).drop_columns(["domain", "backbone"]).to_pylist()
    edit(rows)
    part = to_series().to_part(has_truth=table != "scm_equations")
    write_rows(data, table, ASKED.domain, ASKED.name, rows, run="careless", part=part)
    return [finding.what for finding in verify(data).findings]


Edit = Callable[[list[dict[str, Any]]], object]
EDITS: list[tuple[str, Edit, str]] = [
    ("scm_equations", lambda rows: rows[0].update(equation="Cost = 1.0 + 7.0*Health"), "equation and the coeff"),
    ("scm_equations", lambda rows: rows.append(rows[0]), "is there twice"),
    ("scm_equations", lambda rows: rows.pop(0), "has coefficients and no equation"),
    ("scm_coefficients", lambda rows: rows[0].update(coefficient=5.5), "equation and the coefficients differ"),
    ("scm_coefficients", lambda rows: rows.append(rows[0]), "has a coefficient twice"),
    ("scm_scores", lambda rows: rows.pop(0), "has true coefficients and no scores"),
    ("scm_scores", lambda rows: rows.append(rows[0]), "is there twice"),
    ("scm_scores", lambda rows: rows[0].update(m4=7), "m4 is 7; the coefficients give"),
]


@pytest.mark.parametrize(("table", "edit", "message"), EDITS)
def test_a_careless_edit_is_found(table: str, edit: Edit, message: str, tmp_path: Path) -> None:
    assert any(message in what for what in damage(tmp_path, table, edit))


def test_fewer_runs_than_before_leave_the_others_and_more_are_added(tmp_path: Path) -> None:
    write_series(tmp_path, ASKED, to_result(n_runs=5), run="r1")
    result = to_result(n_runs=5)
    files = write_series(tmp_path, ASKED, SeriesResult(result.series, result.runs[:2]), run="r2")
    assert not any(item.is_changed for item in files)
    assert read_groups(tmp_path)[0].n_runs == 5
    write_series(tmp_path, ASKED, to_result(n_runs=7), run="r3")
    assert read_groups(tmp_path)[0].n_runs == 7


def test_runs_of_another_version_of_the_dag_go_and_versions_are_not_shown_side_by_side(tmp_path: Path) -> None:
    file = load_dag(find_dag("foodsecurity"))
    other = ask_about(file.model_copy(update={"overview": "Another story."}))
    write_series(tmp_path, ASKED, to_result(n_runs=5), run="r1")
    write_series(tmp_path, other, to_result(other, n_runs=2), run="r2")
    assert read_groups(tmp_path)[0].n_runs == 2
    write_series(tmp_path, ASKED, to_result(series=to_series(model="baseline:big")), run="r3")
    with pytest.raises(InputError, match="foodsecurity, condition original: its results are of two versions"):
        read_groups(tmp_path)


def test_a_condition_that_scales_all_variables_alike_is_compared_as_well(tmp_path: Path) -> None:
    """Its coefficients are the same numbers, and so a model's answers should be."""
    file = load_dag(find_dag("stocks"))
    for condition in ("original", "percent"):
        asked = ask_about(file, condition)
        equations = {child: to_true_equation(asked.dag, child) for child in asked.dag.targets}
        items = tuple(
            ElicitedEquation(child, item, "accepted", Interval(), (), ()) for child, item in equations.items()
        )
        series = to_series(dag="stocks", domain=asked.domain, condition=condition)
        runs = (ScmRun(0, items, to_run(asked.dag, equations)),)
        write_series(tmp_path, asked, SeriesResult(series, runs), run="r1")
    [comparison] = read_unit_comparisons(tmp_path)
    assert comparison.invariance.relative_distance == pytest.approx(0, abs=1e-12)
