"""Means come with the published interval and Student's."""

import pytest

from bayes.linear.summaries import summarise


def test_the_published_half_widths_come_out_with_the_divisor_n_minus_1() -> None:
    # counts of one multi-parent variable over 25 runs, as published: 0.96 ± 0.078, 0.64 ± 0.192, 0.44 ± 0.199
    for ones, published in ((24, 0.078), (16, 0.192), (11, 0.199)):
        summary = summarise([1.0] * ones + [0.0] * (25 - ones))
        assert summary is not None
        assert summary.mean == pytest.approx(ones / 25)
        assert summary.normal == pytest.approx(published, abs=5e-4)


def test_students_interval_is_wider_by_the_quantile() -> None:
    summary = summarise([1.0, 2.0, 3.0, 4.0])
    assert summary is not None
    # sd^2 = (2.25 + 0.25 + 0.25 + 2.25) / 3; the tabled quantile t(0.975, 3) is 3.182
    assert summary.sd == pytest.approx((5 / 3) ** 0.5)
    assert summary.student == pytest.approx(3.182 * (5 / 12) ** 0.5, rel=1e-3)
    assert summary.normal == pytest.approx(1.96 * (5 / 12) ** 0.5)


def test_one_run_has_no_spread_and_none_has_no_summary() -> None:
    one = summarise([2.0])
    assert one is not None
    assert (one.mean, one.sd, one.normal, one.student) == (2.0, None, None, None)
    assert summarise([]) is None
