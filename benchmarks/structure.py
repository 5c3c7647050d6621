"""Subgraphs and CPD recovery: how long the arithmetic of a corpus takes on one core.

    python benchmarks/structure.py [RAW_BACKBONE.json]

A raw backbone in the released layout may be given; otherwise one of the built-in samples' size is made up.
"""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bayes.inference import to_marginals
from bayes.network import Edge, Table, Tables, Variable
from bayes.recovery import CpdRecovery, recover_network
from bayes.subgraphs import SizeRange, count_connected, enumerate_connected, sample_connected, to_names
from schemas.networks import to_json
from schemas.raw_backbones import read_backbone

SIZES = SizeRange(3, 9, 2)


def measure(work: Callable[[], object], repeats: int = 20) -> float:
    """Median milliseconds."""
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2] * 1000


def make_tables(n: int, n_edges: int, cardinality: int, seed: int) -> Tables:
    """Random tables over a random connected DAG."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    names = [f"v{i:02}" for i in range(n)]
    edges = [Edge(names[rng.randrange(i)], names[i]) for i in range(1, n)]
    while len(edges) < n_edges:
        a, b = sorted(rng.sample(range(n), 2))
        edge = Edge(names[a], names[b])
        if edge not in edges:
            edges.append(edge)
    variables = tuple(Variable(name, (*(f"s{i}" for i in range(cardinality - 1)), "none")) for name in names)

    def table(child: str, parents: tuple[str, ...]) -> Table:
        shape = (cardinality,) * (len(parents) + 1)
        return Table(child, parents, numbers.dirichlet(np.ones(cardinality ** len(shape))).reshape(shape))

    parents = {name: tuple(edge.parent for edge in edges if edge.child == name) for name in names}
    return Tables(
        variables,
        tuple(edges),
        {name: table(name, ()) for name in names},
        {edge: table(edge.child, (edge.parent,)) for edge in edges},
        {name: table(name, above) for name, above in parents.items() if len(above) in {2, 3}},
    )


def report_backbone(label: str, tables: Tables) -> None:
    """Figures of one backbone."""
    names = [variable.name for variable in tables.variables]
    network = recover_network(tables)
    counts = count_connected(names, tables.edges, SIZES)

    def cut() -> None:
        recovery = CpdRecovery(tables)
        for mask in enumerate_connected(names, tables.edges, SIZES):
            assert recovery.to_network(to_names(names, mask)).levels

    print(f"{label}: {len(names)} variables, {len(tables.edges)} edges")
    print(f"  {sum(counts.values())} connected subsets of 3-9 variables {counts}")
    print(f"  enumerate them        {measure(lambda: list(enumerate_connected(names, tables.edges, SIZES))):8.2f} ms")
    n_cells = sum(cpd.matrix.size for cpd in network.cpds)
    print(f"  recover {n_cells:5} cells   {measure(lambda: recover_network(tables)):8.2f} ms")
    print(f"  exact marginals       {measure(lambda: to_marginals(network)):8.2f} ms")
    if sum(counts.values()) < 2000:
        print(f"  all as examples, CPDs {measure(cut, 5):8.2f} ms")


def report_corpus(n_backbones: int = 50, per_backbone: int = 100) -> None:
    """5,000 examples of 50 backbones: CPDs alone, and with their canonical JSON."""
    backbones = [make_tables(12, 14, 4, seed) for seed in range(n_backbones)]
    samples: list[tuple[Tables, list[tuple[str, ...]]]] = []
    for seed, tables in enumerate(backbones):
        names = [variable.name for variable in tables.variables]
        total = sum(count_connected(names, tables.edges, SIZES).values())
        masks = sample_connected(names, tables.edges, SIZES, per_backbone, total=total, seed=str(seed))
        samples.append((tables, [to_names(names, mask) for mask in masks]))
    for label, use in (("CPDs", lambda network: network.levels), ("CPDs and JSON", to_json)):  # type: ignore[misc]
        start = time.perf_counter()
        n = 0
        for tables, subsets in samples:
            recovery = CpdRecovery(tables)
            for subset in subsets:
                use(recovery.to_network(subset))
                n += 1
        print(f"{n} examples of {n_backbones} backbones, {label}: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        text = Path(argument).read_text(encoding="utf-8")
        report_backbone(argument, read_backbone(text, where=argument, retrieved_at="").backbone.tables)
    report_backbone("made up, 12 variables", make_tables(12, 14, 4, 0))
    report_backbone("made up, 20 variables", make_tables(20, 26, 4, 1))
    report_corpus()
