"""Writing and reading the tables of 5,000 examples: ``.venv/bin/python -m benchmarks.tables``.

Synthetic backbones of 15 variables, each with 433 connected subgraphs of 3 to 9 variables, as the largest published
backbone that the design was measured on has. Every file goes through the functions that a build uses. Figures depend on
the machine and its neighbours: compare them with one another.
"""

import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from bayes.network import Edge, Table, Tables, Variable
from bayes.recovery import CpdRecovery
from bayes.subgraphs import SizeRange, count_connected, sample_connected, to_names
from schemas.rows import ExampleRow, NamedNetwork
from storage.corpus import write_elicited, write_examples, write_networks
from storage.networks import read_networks
from storage.parquet import read_table
from storage.records import read_examples
from storage.verification import verify

T = TypeVar("T")

N_VARIABLES, N_EDGES, PER_BACKBONE, N_EXAMPLES = 15, 26, 433, 5000
SENTENCE = "Higher {0} strongly raises the chance of {1}, while low {0} makes it rare. "


def make_tables(rng: np.random.Generator) -> Tables:
    """A random backbone: a connected DAG with at most four parents a variable, and tables for every part of it."""
    variables = tuple(
        Variable(f"quantity number {i}", (*(f"level {s} of {i}" for s in range(rng.integers(2, 7))), "none"))
        for i in range(N_VARIABLES)
    )
    edges: list[Edge] = []
    n_parents = dict.fromkeys(range(N_VARIABLES), 0)
    candidates = [(int(rng.integers(0, child)), child) for child in range(1, N_VARIABLES)]
    candidates += [tuple(sorted(rng.choice(N_VARIABLES, 2, replace=False).tolist())) for _ in range(99)]
    for parent, child in candidates:
        edge = Edge(variables[parent].name, variables[child].name)
        if edge not in edges and n_parents[child] < 4 and len(edges) < N_EDGES:
            edges.append(edge)
            n_parents[child] += 1

    def table(child: str, parents: tuple[str, ...]) -> Table:
        shape = [by_name[name].cardinality for name in (*parents, child)]
        values = rng.random(shape).round(3) + 0.001
        return Table(child, parents, values / values.sum(), float(values.sum()))

    by_name = {variable.name: variable for variable in variables}
    parents_of = {name: tuple(edge.parent for edge in edges if edge.child == name) for name in by_name}
    return Tables(
        variables,
        tuple(edges),
        {name: table(name, ()) for name in by_name},
        {edge: table(edge.child, (edge.parent,)) for edge in edges},
        {name: table(name, parents) for name, parents in parents_of.items() if 2 <= len(parents) <= 3},
    )


def make_networks(tables: Tables, backbone: str, n: int) -> list[NamedNetwork]:
    """The backbone's network and those of ``n`` examples, which share their CPDs."""
    recovery = CpdRecovery(tables)
    names, sizes = [variable.name for variable in tables.variables], SizeRange(3, 9, 2)
    total = sum(count_connected(names, tables.edges, sizes).values())
    masks = sample_connected(names, tables.edges, sizes, n, total=total, seed=backbone)
    return [NamedNetwork(backbone, recovery.to_network())] + [
        NamedNetwork(f"{backbone}-{mask.bit_count()}-{mask:08x}", recovery.to_network(to_names(names, mask)))
        for mask in masks
    ]


def to_example(item: NamedNetwork, backbone: str) -> ExampleRow:
    """An example with some 150 words of prose."""
    edges = item.network.edges
    text = "".join(SENTENCE.format(*edges[i % len(edges)]) for i in range(10))
    return ExampleRow("economics", backbone, item.id, item.network, text, "code", 1, (), "train")


@dataclass
class Stopwatch:
    """Wall-clock seconds, and CPU seconds of the process, which a busy machine disturbs less."""

    wall: float = 0.0
    cpu: float = 0.0

    @contextmanager
    def running(self) -> Generator[None]:
        """Add the time that the block takes."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu

    def print(self, label: str) -> None:
        """One line of the report."""
        print(f"{label:<52}{self.wall:9.3f} s wall {self.cpu:9.3f} s CPU")


def time_once(label: str, call: Callable[[], T]) -> T:
    """Print how long a call took."""
    watch = Stopwatch()
    with watch.running():
        result = call()
    watch.print(label)
    return result


def write_corpus(label: str, data: Path, corpus: dict[str, tuple[Tables, list[NamedNetwork]]]) -> None:
    """Write everything, one backbone after another, and print what each group of tables took."""
    elicited, networks, examples = Stopwatch(), Stopwatch(), Stopwatch()
    for backbone, (tables, named) in corpus.items():
        rows = [to_example(item, backbone) for item in named[1:]]
        with elicited.running():
            write_elicited(data, "economics", backbone, tables, {}, run="r")
        with networks.running():
            write_networks(data, "economics", backbone, named, run="r")
        with examples.running():
            write_examples(data, "economics", backbone, rows, run="r")
    for watch, group in ((elicited, "marginals, joints"), (networks, "variables, edges, cpds"), (examples, "examples")):
        watch.print(f"{label} {group}")


def measure_sync(data: Path) -> float:
    """Mean seconds of one ``os.fsync``, which says more about the disk than about the program."""
    watch = Stopwatch()
    path = data / "sync"
    for _ in range(20):
        with path.open("wb") as file, watch.running():
            file.write(b"x" * 10_000)
            file.flush()
            os.fsync(file.fileno())
    path.unlink()
    return watch.wall / 20


def to_size(data: Path) -> str:
    """Size of all Parquet files below a folder."""
    return f"{sum(path.stat().st_size for path in data.rglob('*.parquet')) / 1e6:.2f} MB"


def to_peak() -> str:
    """Most memory that the process has held so far."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB"


def make_corpus() -> dict[str, tuple[Tables, list[NamedNetwork]]]:
    """Tables and networks of as many backbones as 5,000 examples need."""
    rng = np.random.default_rng(0)
    corpus: dict[str, tuple[Tables, list[NamedNetwork]]] = {}
    for left in range(N_EXAMPLES, 0, -PER_BACKBONE):
        backbone = f"backbone-{len(corpus):02d}"
        tables = make_tables(rng)
        corpus[backbone] = (tables, make_networks(tables, backbone, min(left, PER_BACKBONE)))
    return corpus


def report(data: Path) -> None:
    """Make the corpus, write it twice, read it in every way, check it."""
    corpus = time_once("make the networks", make_corpus)
    first = next(iter(corpus))
    write_corpus("(warm-up)", data / "warm-up", {first: corpus[first]})
    print(f"{len(corpus)} backbones, peak memory {to_peak()}, one sync of the disk {measure_sync(data) * 1e3:.1f} ms")
    write_corpus("write", data, corpus)
    print(f"peak memory after writing {to_peak()}")
    write_corpus("write again, nothing changed:", data, corpus)
    for table in ("examples", "cpds"):
        rows = time_once(f"read all of {table}", lambda: read_table(data, table))  # noqa: B023
        time_once(f"read one backbone of {table}", lambda: read_table(data, table, "economics", first))  # noqa: B023
        print(f"{table}: {rows.num_rows:,} rows, {to_size(data / table)}")
        del rows
    print(f"all tables {to_size(data)}")
    time_once("read all examples as records with networks", lambda: sum(1 for _ in read_examples(data)))
    time_once("read all networks from cpds", lambda: [read_networks(data, "economics", name) for name in corpus])
    time_once("verify", lambda: verify(data))
    print(f"peak memory {to_peak()}")


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp(prefix="prism-tables-"))
    try:
        report(folder)
    finally:
        shutil.rmtree(folder)
