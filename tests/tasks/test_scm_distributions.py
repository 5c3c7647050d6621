"""Pictures of scores: a row per model, every panel readable, whatever a model answered."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bayes.linear.baselines import Baseline
from bayes.linear.model import Equation
from bayes.linear.results import ResultGroup, RunResult, to_run
from schemas.errors import InputError
from tasks.scm_distributions import draw_scores
from tests.tasks.scm_groups import perturb, to_baseline_group, to_dag, to_group

SVG = "{http://www.w3.org/2000/svg}"
DAG = to_dag(("a", "y"), ("b", "y"), ("a", "z"))


def elicit(*slopes: float) -> list[RunResult]:
    """One run per number: all coefficients off by it."""
    return [
        to_run(
            DAG,
            {
                "y": Equation("y", 0.0, ("a", "b"), (1.0 + slope, 2.0 + slope)),
                "z": Equation("z", 0.0, ("a",), (3.0 + slope,)),
            },
        )
        for slope in slopes
    ]


def read_texts(groups: list[ResultGroup], folder: Path) -> list[str]:
    path = folder / "scores.svg"
    draw_scores(groups, path)
    svg = ET.fromstring(path.read_bytes())  # noqa: S314 - written by ourselves a line above
    return ["".join(element.itertext()) for element in svg.iter(f"{SVG}text")]


def test_models_and_baselines_are_named_and_failures_said(tmp_path: Path) -> None:
    groups = [
        to_group(DAG, perturb(DAG, 1), model="openai:one"),
        to_group(DAG, [*perturb(DAG, 2, 1), to_run(DAG, {})], model="two"),
        to_baseline_group(DAG, Baseline.SMALL),
    ]
    texts = " ".join(read_texts(groups, tmp_path))
    for name in ("openai:one", "two (2 of 4 equations failed)", "baseline:small", "M1", "M2", "M3", "M4"):
        assert name in texts


def test_a_baseline_far_off_is_an_arrow_and_does_not_stretch_the_axis(tmp_path: Path) -> None:
    texts = read_texts([to_group(DAG, elicit(0.5, 1.0)), to_baseline_group(DAG, Baseline.BIG)], tmp_path)
    # All three coefficients are 10,000 instead of about 2: sqrt(3) x 9998 = 17317.
    assert "17317 →" in texts


def test_m1_has_a_logarithmic_axis_where_it_spans_two_decades(tmp_path: Path) -> None:
    def count_labels(*slopes: float) -> int:
        texts = read_texts([to_group(DAG, elicit(*slopes))], tmp_path)
        return len({"1", "100", "10000"} & set(texts))

    assert count_labels(1.0, 9000.0) == 3
    assert count_labels(1.0, 50.0) < 3


def test_a_zero_keeps_its_place_on_a_logarithmic_axis(tmp_path: Path) -> None:
    texts = read_texts([to_group(DAG, elicit(0.0, 1.0, 9000.0))], tmp_path)
    assert {"0", "1", "1000"} <= set(texts)


def test_a_model_without_any_equation_is_not_available(tmp_path: Path) -> None:
    groups = [to_group(DAG, [to_run(DAG, {})] * 2, model="silent"), to_group(DAG, elicit(0.5), model="other")]
    assert read_texts(groups, tmp_path).count("n/a") == 4
    assert read_texts(groups[:1], tmp_path).count("n/a") == 4


def test_conditions_are_told_apart(tmp_path: Path) -> None:
    groups = [to_group(DAG, elicit(0.5), condition=condition) for condition in ("original", "percent")]
    assert {"model (original)", "model (percent)"} <= set(read_texts(groups, tmp_path))


def test_absurd_answers_leave_the_picture_readable(tmp_path: Path) -> None:
    groups = [
        to_group(DAG, elicit(1e300, -1e300), model="huge"),
        to_group(DAG, elicit(1e308), model="$x_{2$ <b>"),
        to_group(DAG, elicit(0.5, 0.6), model="sane"),
    ]
    texts = read_texts(groups, tmp_path)
    assert "$x_{2$ <b>" in texts
    # sqrt(3) x 1e300, and 1.7e308, which is just a float.
    assert {"1.73e300 →", "1.73e308 →"} <= set(texts)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_groups_in_any_order_give_the_same_file(tmp_path: Path, suffix: str) -> None:
    groups = [to_group(DAG, perturb(DAG, seed), model=f"m{seed}") for seed in (1, 2)]
    first, second = tmp_path / f"first.{suffix}", tmp_path / f"second.{suffix}"
    draw_scores(groups, first)
    draw_scores(groups[::-1], second)
    assert first.read_bytes() == second.read_bytes()


def test_there_is_a_dot_for_every_run(tmp_path: Path) -> None:
    draw_scores([to_group(DAG, elicit(0.1, 0.2, 0.4))], tmp_path / "scores.svg")
    markers = re.findall(r"<use [^>]*fill: #0072b2", (tmp_path / "scores.svg").read_text("utf-8"))
    assert len(markers) == 3 * 4


def test_other_groups_are_refused(tmp_path: Path) -> None:
    group = to_group(DAG, elicit(0.5))
    with pytest.raises(ValueError, match="one DAG"):
        draw_scores([group, to_group(DAG, elicit(0.5), name="other")], tmp_path / "scores.svg")
    bare = to_dag(("a", "y"), has_truth=False)
    with pytest.raises(ValueError, match="with a truth"):
        draw_scores([to_group(bare, [to_run(bare, {})])], tmp_path / "scores.svg")
    with pytest.raises(InputError, match=r"\.svg or a \.png"):
        draw_scores([group], tmp_path / "scores.jpeg")
