"""A second opinion on recovered CPDs: the same rules worked out by pyAgrum's tensor algebra.

:mod:`bayes.recovery` uses numpy axes; here the tables become pyAgrum tensors, which know their variables by name, so a
mix-up of axes, parents or states in one of the two shows as a difference.
"""

from typing import Any

import numpy as np

from bayes.network import Cpd, Edge, FloatArray, Network, Rule, Table, Tables


def measure_recovery_gap(tables: Tables, network: Network) -> float:
    """The largest difference between a network's CPDs and those that pyAgrum gives for the same tables and rules.

    Args:
        tables: the elicited tables of the backbone.
        network: the backbone or one of its subgraphs, each column with the rule that made it.

    Returns:
        A difference in probability; about 1e-16 where all is well.
    """
    second_engine = SecondEngine(tables)
    return max((second_engine.measure_gap(cpd) for cpd in network.cpds), default=0.0)


class SecondEngine:
    """pyAgrum on the tables of one backbone; measures the CPDs of its subgraphs one by one."""

    def __init__(self, tables: Tables) -> None:
        self._tensors = _Tensors(tables)

    def measure_gap(self, cpd: Cpd) -> float:
        """The largest difference of one CPD; see :func:`measure_recovery_gap`.

        Raises:
            KeyError: the CPD has a parent or a rule for which the backbone has no table.
        """
        return _measure_gap(self._tensors, cpd)


class _Tensors:
    def __init__(self, tables: Tables) -> None:
        import pyagrum as gum

        self._gum: Any = gum
        self.tables = tables
        self.names = {variable.name: f"v{i}" for i, variable in enumerate(tables.variables)}
        self._axes = {
            variable.name: gum.RangeVariable(f"v{i}", "", 0, variable.cardinality - 1)
            for i, variable in enumerate(tables.variables)
        }

    def to_tensor(self, table: Table) -> Any:
        tensor = self._gum.Tensor()
        for name in (table.child, *reversed(table.parents)):  # pyAgrum's array has the axes in reverse
            tensor.add(self._axes[name])
        tensor[:] = np.ascontiguousarray(table.values)
        return tensor

    def condition(self, table: Table, parents: tuple[str, ...]) -> Any:
        tensor = self.to_tensor(table)
        cut = [self.names[name] for name in table.parents if name not in parents]
        if cut:
            tensor = tensor.sumOut(cut)
        return tensor / tensor.sumOut([self.names[table.child]])

    def to_matrix(self, tensor: Any, cpd: Cpd) -> FloatArray:
        order = [self.names[cpd.variable], *(self.names[name] for name in reversed(cpd.parents))]
        values = np.asarray(tensor.reorganize(order).toarray(), dtype=np.float64)
        return values.reshape(-1, values.shape[-1]).T


def _measure_gap(tensors: _Tensors, cpd: Cpd) -> float:
    gaps = [0.0]
    for rule in set(cpd.rules):
        expected = _recover(tensors, cpd, rule)
        if expected is not None:
            columns = [j for j, made_by in enumerate(cpd.rules) if made_by is rule]
            difference = np.abs(expected[:, columns] - cpd.matrix[:, columns])
            # Where an elicited marginal or condition is exactly zero pyAgrum divides by it; recovery has a convention.
            gaps.append(float(difference[np.isfinite(difference)].max(initial=0.0)))
    return max(gaps)


def _recover(tensors: _Tensors, cpd: Cpd, rule: Rule) -> FloatArray | None:
    tables, child, parents = tensors.tables, cpd.variable, cpd.parents
    marginal = tables.marginals[child].values[:, np.newaxis]
    match rule:
        case Rule.PRIOR | Rule.MARGINAL:
            return np.broadcast_to(marginal, cpd.matrix.shape)
        case Rule.PAIRWISE:
            return tensors.to_matrix(tensors.condition(tables.pairwise[Edge(parents[0], child)], parents), cpd)
        case Rule.JOINT:
            return tensors.to_matrix(tensors.condition(tables.multi[child], parents), cpd)
        case Rule.PRODUCT:
            product = tensors.condition(tables.pairwise[Edge(parents[0], child)], parents[:1])
            prior = tensors.to_tensor(tables.marginals[child])
            for parent in parents[1:]:
                product = product * tensors.condition(tables.pairwise[Edge(parent, child)], (parent,)) / prior
            return tensors.to_matrix(product / product.sumOut([tensors.names[child]]), cpd)
        case Rule.GIVEN:
            return None  # imported as it is: there is no table to recover it from
