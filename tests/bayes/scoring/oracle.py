"""CPD-KL (full) and own marginals written once more, in plain Python with names, dicts and loops."""

import math
from collections.abc import Iterator, Mapping
from itertools import product

from bayes.network import Network, Variable
from bayes.scoring.records import Prediction
from tests.strategies_scoring import Case

Assignment = dict[str, str]
Column = dict[str, float]


def assignments(variables: list[Variable]) -> Iterator[Assignment]:
    for states in product(*(variable.states for variable in variables)):
        yield {variable.name: state for variable, state in zip(variables, states, strict=True)}


def reference_column(network: Network, child: str, given: Assignment) -> Column:
    cpd = network.cpd_of[child]
    for j, assignment in enumerate(assignments([network.by_name[parent] for parent in cpd.parents])):
        if all(given[parent] == state for parent, state in assignment.items()):
            return {state: float(cpd.matrix[i, j]) for i, state in enumerate(network.by_name[child].states)}
    raise AssertionError


def predicted_column(prediction: Prediction, child: str, given: Assignment) -> Column | None:
    """The normalised column, or None where nothing was predicted."""
    table = prediction.cpds[child]
    for j, assignment in enumerate(assignments([prediction.by_name[parent] for parent in table.parents])):
        if all(given[parent] == state for parent, state in assignment.items()):
            cells = [float(cell) for cell in table.matrix[:, j]]
            cells = [0.0 if math.isnan(cell) else cell for cell in cells]
            if sum(cells) == 0:
                return None
            return {s: cell / sum(cells) for s, cell in zip(prediction.by_name[child].states, cells, strict=True)}
    raise AssertionError


def is_usable(prediction: Prediction, name: str) -> bool:
    return name in prediction.cpds and bool((prediction.cpds[name].matrix > 0).any())


def ancestors(prediction: Prediction, name: str) -> list[str] | None:
    """The variable and its ancestors, or None if one of them has no usable table. The strategy makes no cycles."""
    if not is_usable(prediction, name):
        return None
    found = [name]
    for parent in prediction.cpds[name].parents:
        above = ancestors(prediction, parent)
        if above is None:
            return None
        found += [other for other in above if other not in found]
    return found


def own_marginal(prediction: Prediction, name: str) -> Column:
    """Summed over every assignment of the ancestors; uniform if they are not all there."""
    states = prediction.by_name[name].states
    above = ancestors(prediction, name)
    if above is None:
        return dict.fromkeys(states, 1 / len(states))
    marginal = dict.fromkeys(states, 0.0)
    for assignment in assignments([prediction.by_name[other] for other in above]):
        probability = 1.0
        for other in above:
            column = predicted_column(prediction, other, assignment)
            n_states = prediction.by_name[other].cardinality
            probability *= 1 / n_states if column is None else column[assignment[other]]
        marginal[assignment[name]] += probability
    return marginal


def renamed_column(case: Case, child: str, given: Assignment, marginals: Mapping[str, Column]) -> Column | None:
    """The prediction's column for a configuration of reference parents, or None where there is no prediction."""
    prediction = case.prediction
    names = dict(case.alignment.variables)
    states = {name: dict(matches) for name, matches in case.alignment.states.items()}
    theirs = names[child]
    if not is_usable(prediction, theirs):
        return None
    table = prediction.cpds[theirs]
    fixed: Assignment = {}
    for parent, state in given.items():
        if parent in names and names[parent] in table.parents:
            if state not in states[parent]:
                return None
            fixed[names[parent]] = states[parent][state]
    free = [parent for parent in table.parents if parent not in fixed]
    mean = dict.fromkeys(prediction.by_name[theirs].states, 0.0)
    weights = 0.0
    for assignment in assignments([prediction.by_name[parent] for parent in free]):
        column = predicted_column(prediction, theirs, {**fixed, **assignment})
        if column is not None:
            weight = math.prod(marginals[parent][state] for parent, state in assignment.items())
            weights += weight
            mean = {state: mean[state] + weight * column[state] for state in mean}
    if weights == 0:
        return None
    matches = states[child]
    renamed = {
        state: mean[matches[state]] / weights if state in matches else 0.0
        for state in case.reference.network.by_name[child].states
    }
    return renamed if sum(renamed.values()) > 0 else None


def smoothed(column: Column | None, states: tuple[str, ...]) -> Column:
    raised = {state: (column[state] if column else 0.0) + 1e-6 for state in states}
    return {state: value / sum(raised.values()) for state, value in raised.items()}


def cpd_kl(case: Case, *, roots: bool) -> tuple[float | None, float | None]:
    """Mean KL and coverage over the matched variables with parents, or over those without."""
    network = case.reference.network
    marginals = {name: own_marginal(case.prediction, name) for name in case.prediction.by_name}
    means: list[float] = []
    covered: list[bool] = []
    for match in case.alignment.variables:
        child = match.reference
        parents = network.cpd_of[child].parents
        if bool(parents) is roots:
            continue
        divergences: list[float] = []
        for given in assignments([network.by_name[parent] for parent in parents]):
            p = reference_column(network, child, given)
            column = renamed_column(case, child, given, marginals)
            q = smoothed(column, network.by_name[child].states)
            divergences.append(sum(x * math.log(x / q[state]) for state, x in p.items() if x > 0))
            covered.append(column is not None)
        means.append(sum(divergences) / len(divergences))
    if not means:
        return None, None
    return sum(means) / len(means), sum(covered) / len(covered)
