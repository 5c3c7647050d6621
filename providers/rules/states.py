"""The graded states that fit a variable.

The *level* of a state places it on the axis from much (+1) to little (-1); signs of effects are read against it.
"""

import zlib
from dataclasses import dataclass

from bayes.network import BASELINE_STATE, Variable
from providers.rules.kinds import Kind, to_kind


@dataclass(frozen=True, slots=True)
class Scale:
    """The states of a kind with their levels and how common each is; the last is the baseline."""

    states: tuple[str, ...]
    levels: tuple[float, ...]
    weights: tuple[float, ...]


def _scale(states: str, weights: str, *, baseline_level: float = -1.0) -> Scale:
    names = states.split()
    step = 2 / (len(names) - 1)
    # the baseline lies below the least of graded states; of a trend it says nothing and lies in the middle
    top = (
        [1 - step * i for i in range(len(names))]
        if baseline_level == 0
        else [1 - 2 * i / len(names) for i in range(len(names))]
    )
    return Scale((*names, BASELINE_STATE), (*top, baseline_level), tuple(map(float, weights.split())))


_SCALES: dict[Kind, tuple[Scale, ...]] = {
    Kind.TREND: (
        _scale("rising stable falling", "0.38 0.32 0.2 0.1", baseline_level=0),
        _scale("increasing steady decreasing", "0.36 0.32 0.22 0.1", baseline_level=0),
        _scale("high average low", "0.34 0.36 0.2 0.1"),
    ),
    Kind.INTENSITY: (
        _scale("high moderate low", "0.34 0.32 0.2 0.14"),
        _scale("strong weak", "0.46 0.36 0.18"),
        _scale("intense mild", "0.42 0.38 0.2"),
    ),
    Kind.EVENT: (
        _scale("severe limited", "0.4 0.36 0.24"),
        _scale("major minor", "0.4 0.35 0.25"),
        _scale("widespread isolated", "0.38 0.36 0.26"),
    ),
    Kind.PROCESS: (
        _scale("rapid gradual", "0.4 0.42 0.18"),
        _scale("extensive partial", "0.42 0.38 0.2"),
        _scale("accelerating slowing", "0.46 0.34 0.2"),
    ),
    Kind.POLICY: (
        _scale("strict lenient", "0.4 0.38 0.22"),
        _scale("comprehensive partial", "0.38 0.42 0.2"),
    ),
    Kind.TECHNOLOGY: (
        _scale("widespread rare", "0.48 0.32 0.2"),
        _scale("mature emerging obsolete", "0.4 0.3 0.14 0.16"),
        _scale("advanced basic", "0.4 0.4 0.2"),
    ),
    Kind.INSTITUTION: (
        _scale("powerful weak", "0.48 0.36 0.16"),
        _scale("effective ineffective", "0.44 0.38 0.18"),
    ),
    Kind.RESOURCE: (
        _scale("abundant scarce", "0.46 0.38 0.16"),
        _scale("plentiful limited depleted", "0.36 0.34 0.18 0.12"),
    ),
    Kind.CONDITION: (
        _scale("good fair poor", "0.34 0.34 0.2 0.12"),
        _scale("improving worsening", "0.46 0.36 0.18", baseline_level=0),
    ),
    Kind.ILLNESS: (
        _scale("severe mild", "0.34 0.38 0.28"),
        _scale("frequent occasional", "0.36 0.38 0.26"),
    ),
    Kind.IDEA: (
        _scale("accepted disputed", "0.46 0.36 0.18"),
        _scale("dominant marginal", "0.44 0.36 0.2"),
    ),
    Kind.THING: (
        _scale("prominent modest", "0.44 0.36 0.2"),
        _scale("strong weak", "0.44 0.36 0.2"),
        _scale("extensive limited", "0.42 0.38 0.2"),
    ),
}


def _hash(name: str) -> int:
    return zlib.crc32(name.lower().encode())


def to_scale(name: str) -> Scale:
    """The scale of the variable with this name; kinds with several wordings are varied by the name."""
    scales = _SCALES[to_kind(name)]
    return scales[_hash(name) % len(scales)]


def to_variable(name: str) -> Variable:
    """The variable with this name and the states that fit it.

    Example:
        >>> to_variable("civil war").states[-1]
        'none'
    """
    return Variable(name, to_scale(name).states)


def to_prior(name: str, mentions: int) -> tuple[float, ...]:
    """How likely each state is before any parent is considered.

    The weights of the scale, tilted a little by the name so that variables differ, and away from the baseline the more
    often the text mentions the variable.
    """
    scale = to_scale(name)
    tilt = ((_hash(name) >> 8) % 101 - 50) / 50 * 0.35
    weights = [weight * (1 + tilt * level) for weight, level in zip(scale.weights, scale.levels, strict=True)]
    weights[-1] = max(0.06, scale.weights[-1] * (1 - 0.1 * min(mentions, 5)))
    total = sum(weights)
    return tuple(weight / total for weight in weights)
