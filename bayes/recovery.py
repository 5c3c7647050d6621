"""CPD recovery: from elicited marginals and joints to conditional distributions, analytically.

Let A1..Ak be the parents of C that are kept, and T the elicited tables, all normalised.

==== ========================================== ======== ==================================================
k    tables                                     rule     column of the CPD
==== ========================================== ======== ==================================================
0    marginal                                   prior    P(c)
1    pairwise joint                             pairwise P(c, a) / sum_c' P(c', a)
>= 2 a multi-parent joint over (more than) them joint    P(c, a1..ak) / sum_c' P(c', a1..ak)
>= 2 pairwise joints only                       product  proportional to prod_i P(c | ai) / P(c)^(k-1)
==== ========================================== ======== ==================================================

Parents that a subgraph cuts away are summed out of a multi-parent joint first. The product rule is Bayes' theorem under
the assumption that the parents are independent given the child; the exponent k - 1 takes out the prior that enters k
times. A column whose mass is below ``MASS_FLOOR`` says nothing, and falls back alone: joint to product to the child's
marginal. The rule of each column is kept with it.

Source: Bhattacharya et al., PRISM-BN (arXiv 2609.21673), section 3.2.
"""

from collections.abc import Iterable

import numpy as np

from bayes.network import Cpd, Edge, FloatArray, Network, Rule, Tables

MASS_FLOOR = 1e-9
_LOG_MASS_FLOOR = float(np.log(MASS_FLOOR))
_TINY = 1e-300


class CpdRecovery:
    """CPDs of a backbone and of its subgraphs, each distinct one computed once.

    The CPD of a variable depends only on which of its parents are kept, so the many subgraphs of one backbone share
    few distinct CPDs. The objects are shared too: compare them with ``is``.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._cpds: dict[tuple[str, tuple[str, ...]], Cpd] = {}

    def to_network(self, names: Iterable[str] | None = None) -> Network:
        """The network induced by a set of variables, re-rooted; the whole backbone by default.

        A variable all of whose parents are cut away becomes a root with its backbone marginal.
        """
        tables = self._tables
        kept = set(tables.by_name if names is None else names)
        variables = tuple(variable for variable in tables.variables if variable.name in kept)
        all_parents = tables.parents
        cpds = tuple(
            self.to_cpd(variable.name, tuple(name for name in all_parents[variable.name] if name in kept))
            for variable in variables
        )
        return Network(variables, cpds)

    def to_cpd(self, child: str, parents: tuple[str, ...]) -> Cpd:
        """The CPD of a variable given some of its backbone parents, in the order given."""
        key = (child, parents)
        cpd = self._cpds.get(key)
        if cpd is None:
            cpd = self._cpds[key] = recover_cpd(self._tables, child, parents)
        return cpd


def recover_network(tables: Tables) -> Network:
    """The whole backbone with its CPDs."""
    return CpdRecovery(tables).to_network()


def recover_cpd(tables: Tables, child: str, parents: tuple[str, ...]) -> Cpd:
    """P(child given parents) by the first rule of the module's table that applies.

    Args:
        tables: the elicited tables; every edge from ``parents`` to ``child`` has a pairwise joint.
        child: the variable.
        parents: some of its backbone parents; configurations follow this order.

    Returns:
        A CPD whose columns sum to 1, with the rule of each column.
    """
    marginal = tables.marginals[child].values
    if not parents:
        return Cpd(child, (), marginal[:, np.newaxis], (Rule.PRIOR,))
    if len(parents) == 1:
        rule, raw = Rule.PAIRWISE, _pairwise(tables, child, parents[0])
    else:
        multi = tables.multi.get(child)
        if multi is not None and set(parents) <= set(multi.parents):
            rule, raw = Rule.JOINT, _project(multi.values, multi.parents, parents)
        else:
            return _product(tables, child, parents)
    columns, is_poor = _condition(raw.reshape(-1, raw.shape[-1]))
    if not is_poor.any():
        return Cpd(child, parents, np.ascontiguousarray(columns.T), (rule,) * len(columns))
    if rule is Rule.JOINT:
        fallback = _product(tables, child, parents)
        fallback_columns, fallback_rules = fallback.matrix.T, fallback.rules
    else:
        fallback_columns, fallback_rules = np.broadcast_to(marginal, columns.shape), (Rule.MARGINAL,) * len(columns)
    columns[is_poor] = fallback_columns[is_poor]
    rules = tuple(fallback_rules[j] if poor else rule for j, poor in enumerate(is_poor.tolist()))
    return Cpd(child, parents, np.ascontiguousarray(columns.T), rules)


def _pairwise(tables: Tables, child: str, parent: str) -> FloatArray:
    return tables.pairwise[Edge(parent, child)].values


def _project(values: FloatArray, axes: tuple[str, ...], kept: tuple[str, ...]) -> FloatArray:
    """Sum out the parents that are not kept and put the rest in the order of ``kept``, the child's axis last."""
    cut = tuple(i for i, name in enumerate(axes) if name not in kept)
    if cut:
        values = values.sum(axis=cut)
        axes = tuple(name for name in axes if name in kept)
    if axes != kept:
        values = np.moveaxis(values, [axes.index(name) for name in kept], range(len(kept)))
    return values


def _condition(rows: FloatArray) -> tuple[FloatArray, np.ndarray]:
    """Rows divided by their mass, and which rows have too little of it."""
    mass = rows.sum(axis=1, keepdims=True)
    is_poor = mass[:, 0] < MASS_FLOOR
    return rows / np.maximum(mass, _TINY), is_poor


def _product(tables: Tables, child: str, parents: tuple[str, ...]) -> Cpd:
    marginal = tables.marginals[child].values
    with np.errstate(divide="ignore"):
        # An impossible state has nothing to be divided out: its conditionals decide alone.
        log_marginal = np.log(np.where(marginal > 0, marginal, 1.0))
        total = np.zeros((1, len(marginal))) - (len(parents) - 1) * log_marginal
        for parent in parents:
            columns, is_poor = _condition(_pairwise(tables, child, parent))
            if is_poor.any():
                columns[is_poor] = marginal
            total = (total[:, np.newaxis, :] + np.log(columns)).reshape(-1, len(marginal))
    peak = total.max(axis=1, keepdims=True)
    peak[~np.isfinite(peak)] = 0.0
    weights = np.exp(total - peak)
    mass = weights.sum(axis=1, keepdims=True)
    is_poor = (np.log(np.maximum(mass, _TINY)) + peak)[:, 0] < _LOG_MASS_FLOOR
    result = weights / np.maximum(mass, _TINY)
    if not is_poor.any():
        return Cpd(child, parents, np.ascontiguousarray(result.T), (Rule.PRODUCT,) * len(result))
    result[is_poor] = marginal
    rules = tuple(Rule.MARGINAL if poor else Rule.PRODUCT for poor in is_poor.tolist())
    return Cpd(child, parents, np.ascontiguousarray(result.T), rules)
