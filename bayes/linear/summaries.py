"""Mean, standard deviation and confidence intervals over independent runs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NORMAL_QUANTILE = 1.96


@dataclass(frozen=True, slots=True)
class Summary:
    """A metric over ``n`` runs.

    ``sd`` is the sample standard deviation (divisor n - 1). The half-widths belong to 95% confidence intervals around
    the mean: ``normal`` as published, ``student`` exact for Gaussian values and few runs. All three are ``None`` for
    fewer than two runs.
    """

    n: int
    mean: float
    sd: float | None
    normal: float | None
    student: float | None


def summarise(values: Sequence[float]) -> Summary | None:
    r"""Mean, sd and 95% half-widths: :math:`1.96\,s/\sqrt n` as published, and :math:`t_{0.975,\,n-1}\,s/\sqrt n`.

    The publication's tables show the divisor n - 1: a count of 0.96 over 25 runs is given with ±0.078. No values at
    all have no summary.

    Example:
        >>> round(summarise([1.0] * 24 + [0.0]).normal, 3)
        0.078
    """
    n = len(values)
    if n == 0:
        return None
    mean = float(np.mean(values)) if min(values) < max(values) else float(values[0])
    if n == 1:
        return Summary(n, mean, None, None, None)
    from scipy.special import stdtrit

    # Equal values have no spread, which their rounded mean would give them.
    sd = float(np.std(values, ddof=1)) if min(values) < max(values) else 0.0
    error = sd / math.sqrt(n)
    return Summary(n, mean, sd, NORMAL_QUANTILE * error, float(stdtrit(n - 1, 0.975)) * error)
