"""What is scored, and what it is scored against."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from bayes.network import Edge, FloatArray, Network, Variable


@dataclass(frozen=True, slots=True, eq=False)
class PredictedCpd:
    """A predicted table P(child given parents), as it came.

    ``matrix`` has one row per state of the child and one column per configuration of the parents, in C order over
    ``parents`` and each parent's states, all in the prediction's own order. A cell that was not given is ``nan``.
    Columns need not sum to 1. A root's table has one column.
    """

    child: str
    parents: tuple[str, ...]
    matrix: FloatArray


@dataclass(frozen=True, eq=False)
class Prediction:
    """A network as a model predicted it, before anything is set right.

    ``variables`` may hold a name twice, the first one counts as the variable and all count as predicted. ``edges`` may
    close cycles; their ends are names of ``variables``. ``cpds`` has the full tables by child, priors of roots
    included, and ``pairwise`` one table P(child given this parent) an edge, where they were given; both may lack any.
    """

    variables: tuple[Variable, ...] = ()
    edges: tuple[Edge, ...] = ()
    cpds: Mapping[str, PredictedCpd] = field(default_factory=dict[str, PredictedCpd])
    pairwise: Mapping[Edge, FloatArray] = field(default_factory=dict[Edge, FloatArray])

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        """The variables by name; of two with one name the first."""
        return {variable.name: variable for variable in reversed(self.variables)}


@dataclass(frozen=True, eq=False)
class Reference:
    """The network scored against, and its tables of one parent each for the released metric.

    ``pairwise[edge]`` has one row per state of the child and one column per state of that parent.
    """

    network: Network
    pairwise: Mapping[Edge, FloatArray] = field(default_factory=dict[Edge, FloatArray])


class Match(NamedTuple):
    """Two names that mean the same."""

    reference: str
    predicted: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which name is which, for one prediction and one judge.

    ``variables`` is one to one. ``duplicates`` are the predicted names, in order, that mean a reference variable that
    was given to another predicted name already (a name predicted three times may stand here twice). ``states`` has the
    matches of every matched variable by its reference name, one to one as well.
    """

    variables: tuple[Match, ...] = ()
    duplicates: tuple[str, ...] = ()
    states: Mapping[str, tuple[Match, ...]] = field(default_factory=dict[str, tuple[Match, ...]])
