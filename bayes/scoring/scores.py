"""Everything that is known about one prediction, in one record.

Limit cases, all defined in the modules that they belong to and gathered here:

=================================== ===================================================================================
no variables predicted              a failed prediction, ``Prediction()`` with ``Alignment()``, is the same: node, state
                                    and edge precision, recall and F1 are 0, the Hamming distance is the number of
                                    reference edges; the spurious rate, all table scores and marginals are ``None``
no variable matched                 the same; what was predicted counts as extra variables and extra edges
no edge in reach of the matches     edge scores are ``None``; 1 where the reference has no edges at all. With edges on
on either side                      one side only, precision, recall and F1 are 0
no predicted edge in reach          the spurious rate is ``None``
no matched variable with parents    ``cpd_*`` are ``None``; so are ``prior_*`` without a matched root
single-state variable               as any other; its columns have KL 0 whatever was predicted, covered or not
state that is unmatched             0 in the predicted column; as a parent's state, no prediction for the configuration
null, negative or infinite cell     0
zero or null column                 no prediction: uniform and not covered; uniform in exact inference as well
table of another shape, no mass,    not given: every column uniform and not covered; the network is incomplete
or parents that are not there
reference column with zeros         0 log 0 = 0; the reverse divergence smooths the reference
duplicate in a prediction           counted, and taken out of node precision; its edges and tables are those of an
                                    unmatched variable. The same name twice is one variable, the first
edge predicted twice                one edge
cycle or edge to itself             scored as edges are; ``marginal_tv`` and ``joint_kl`` are skipped with the reason
incomplete network                  the same
=================================== ===================================================================================
"""

from dataclasses import dataclass

from bayes.scoring.cpds import PredictedColumns, score_cpds
from bayes.scoring.predicted import PredictedTables
from bayes.scoring.prepared import PreparedReference, prepare
from bayes.scoring.records import Alignment, Prediction, Reference
from bayes.scoring.released import score_released
from bayes.scoring.renaming import to_renaming
from bayes.scoring.structure import (
    score_edges,
    score_edges_unconditionally,
    score_nodes,
    score_states,
    to_hamming_distance,
)
from bayes.scoring.unconditional import score_joint, score_marginals


@dataclass(frozen=True, slots=True)
class Scores:
    """One prediction's scores; ``None`` where a number is undefined.

    Precision, recall, F1, coverage, ``*_tv`` are between 0 and 1, ``spurious_edge_rate`` in percent, ``*_kl*`` and
    ``cpd_js`` in nats. ``cpd_*`` are over variables with parents in the reference, ``prior_*`` over its roots.
    ``cpd_kl_released`` compares by position (:mod:`bayes.scoring.released`), over ``n_released_edges`` correct edges;
    ``n_released_skipped`` had no table to compare. ``*_skipped`` are the reasons why a number is not there.
    """

    n_matched: int
    node_precision: float
    node_recall: float
    node_f1: float
    extra_nodes: int
    n_duplicates: int
    state_precision: float
    state_recall: float
    state_f1: float
    edge_precision: float | None
    edge_recall: float | None
    edge_f1: float | None
    spurious_edge_rate: float | None
    edge_f1_unconditional: float
    shd: int
    cpd_kl: float | None
    cpd_kl_reverse: float | None
    cpd_kl_symmetric: float | None
    cpd_tv: float | None
    cpd_js: float | None
    cpd_coverage: float | None
    prior_kl: float | None
    prior_coverage: float | None
    cpd_kl_released: float | None
    n_released_edges: int
    n_released_skipped: int
    marginal_tv: float | None
    marginal_tv_skipped: str | None
    joint_kl: float | None
    joint_kl_skipped: str | None


def score(reference: Reference | PreparedReference, alignment: Alignment, prediction: Prediction) -> Scores:
    """Score one prediction.

    Args:
        reference: what to score against; prepare it once where several predictions are scored against it.
        alignment: which predicted variable is which.
        prediction: what a model read; ``Prediction()`` with ``Alignment()`` where it failed.

    Raises:
        ValueError: the alignment is not one to one, or names what is not there.

    Example:
        >>> import numpy as np
        >>> from bayes.network import Cpd, Network, Rule, Variable
        >>> rain = Variable("rain", ("yes", "none"))
        >>> network = Network((rain,), (Cpd("rain", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,)),))
        >>> failed = score(Reference(network), Alignment(), Prediction())
        >>> failed.node_f1, failed.cpd_kl, failed.marginal_tv_skipped
        (0.0, None, 'no variable is matched')
    """
    prepared = prepare(reference)
    network = prepared.network
    renaming = to_renaming(network, prediction, alignment)
    tables = PredictedTables(prediction)
    columns = PredictedColumns(prepared, renaming, tables)
    predicted_edges = frozenset(prediction.edges)

    nodes = score_nodes(network, alignment, prediction)
    states = score_states(network, alignment, prediction)
    edges = score_edges(prepared.edges, renaming, predicted_edges)
    cpds = score_cpds(prepared, renaming, columns)
    children, roots = cpds.children.divergences, cpds.roots.divergences
    released = score_released(prepared, renaming, tables)
    marginals = score_marginals(prepared, renaming, tables)
    joint = score_joint(prepared, renaming, tables, columns)
    return Scores(
        n_matched=nodes.n_matched,
        node_precision=nodes.rates.precision,
        node_recall=nodes.rates.recall,
        node_f1=nodes.rates.f1,
        extra_nodes=nodes.n_extra,
        n_duplicates=nodes.n_duplicates,
        state_precision=states.precision,
        state_recall=states.recall,
        state_f1=states.f1,
        edge_precision=edges.rates and edges.rates.precision,
        edge_recall=edges.rates and edges.rates.recall,
        edge_f1=edges.rates and edges.rates.f1,
        spurious_edge_rate=edges.spurious_rate,
        edge_f1_unconditional=score_edges_unconditionally(prepared.edges, renaming, predicted_edges),
        shd=to_hamming_distance(prepared.edges, renaming, predicted_edges),
        cpd_kl=children and children.kl,
        cpd_kl_reverse=children and children.reverse,
        cpd_kl_symmetric=children and children.symmetric,
        cpd_tv=children and children.tv,
        cpd_js=children and children.js,
        cpd_coverage=cpds.children.coverage,
        prior_kl=roots and roots.kl,
        prior_coverage=cpds.roots.coverage,
        cpd_kl_released=released.kl,
        n_released_edges=released.n_compared,
        n_released_skipped=released.n_skipped,
        marginal_tv=marginals.value,
        marginal_tv_skipped=marginals.reason,
        joint_kl=joint.value,
        joint_kl_skipped=joint.reason,
    )
