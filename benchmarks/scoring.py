"""Scoring ready predictions: seconds and memory for 500, 1,000 and 5,000 examples by 6 models under ``exact``.

    python benchmarks/scoring.py [SIZE ...]

The corpus is made up: backbones of 12 variables, cut into examples of 3 to 9 variables. Each example has six
predictions that lack a variable and some edges, put states in another order and have other numbers. The time is from
the predictions in Parquet to the alignments and scores in Parquet. Processor time is summed over all processes and says
more on a busy machine; memory is the largest sum over all processes.
"""

import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bayes.network import Edge, Network, Variable
from bayes.recovery import CpdRecovery
from bayes.scoring.records import PredictedCpd, Prediction
from bayes.subgraphs import SizeRange, count_connected, sample_connected, to_names
from benchmarks.structure import make_tables
from schemas.benchmark import PredictionRow
from schemas.rows import ExampleRow
from storage.benchmark import write_predictions
from storage.corpus import write_elicited, write_examples
from storage.score_columns import read_score_columns
from tasks.scoring import ScoringJob, score_corpus

SIZES = (500, 1_000, 5_000)
PER_BACKBONE = 100
MODELS = tuple(f"made-up:{i}" for i in range(6))
RANGE = SizeRange(3, 9, 2)


def perturb(network: Network, seed: int) -> Prediction:
    """What a careless model would read: half the time a variable less, a tenth of the edges less, other numbers."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    lost = rng.choice(network.variables).name if rng.random() < 0.5 else ""
    variables = [
        Variable(variable.name.upper(), tuple(variable.states[i].title() for i in rng.sample(range(n), n)))
        for variable in network.variables
        if variable.name != lost and (n := variable.cardinality)
    ]
    size = {variable.name: variable.cardinality for variable in variables}
    edges: list[Edge] = []
    cpds: dict[str, PredictedCpd] = {}
    for cpd in network.cpds:
        child = cpd.variable.upper()
        if child in size:
            parents = tuple(p.upper() for p in cpd.parents if p != lost and rng.random() < 0.9)
            n_columns = int(np.prod([size[parent] for parent in parents], dtype=np.int64))
            matrix = numbers.dirichlet(np.ones(size[child]), size=n_columns).T
            cpds[child] = PredictedCpd(child, parents, matrix.round(3))
            edges += [Edge(parent, child) for parent in parents]
    return Prediction(tuple(rng.sample(variables, len(variables))), tuple(edges), cpds)


def write_backbone(data: Path, i: int, n_examples: int) -> int:
    """One backbone with at most so many examples and six predictions of each; how many examples there are."""
    backbone = f"backbone-{i}"
    tables = make_tables(12, 14, 4, i)
    names = [variable.name for variable in tables.variables]
    total = sum(count_connected(names, tables.edges, RANGE).values())
    masks = sample_connected(names, tables.edges, RANGE, n_examples, total=total, seed=str(i))
    recovery = CpdRecovery(tables)
    networks = {f"{backbone}-{mask:08x}": recovery.to_network(to_names(names, mask)) for mask in masks}
    write_elicited(data, "made-up", backbone, tables, {}, run="benchmark")
    write_examples(
        data,
        "made-up",
        backbone,
        (
            ExampleRow("made-up", backbone, name, network, "", "code", 1, (), "train")
            for name, network in networks.items()
        ),
        run="benchmark",
    )
    write_predictions(
        data,
        "made-up",
        backbone,
        (
            PredictionRow(
                "made-up", backbone, name, model, "full", "complete", False, "", "", perturb(network, 7 * j + k), "{}"
            )
            for j, (name, network) in enumerate(networks.items())
            for k, model in enumerate(MODELS)
        ),
        run="benchmark",
    )
    return len(networks)


def write_corpus(data: Path, n_examples: int) -> int:
    """A corpus of about so many examples; how many there are."""
    n, i = 0, 0
    while n < n_examples:
        n += write_backbone(data, i, min(PER_BACKBONE, n_examples - n))
        i += 1
    return n


def read_memory() -> float:
    """Memory of this process and its children in MB, each counted with its share of what is shared."""
    total, parents = 0, {str(Path("/proc/self").resolve().name)}
    for status in sorted(Path("/proc").glob("[0-9]*/status"), key=lambda path: int(path.parent.name)):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            if status.parent.name in parents or fields["PPid"].strip() in parents:
                parents.add(status.parent.name)
                rollup = (status.parent / "smaps_rollup").read_text()
                total += next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue  # it ended meanwhile
    return total / 1024


class MemoryWatch:
    """Looks at the memory twice a second while something runs."""

    def __enter__(self) -> "MemoryWatch":
        self.peak = read_memory()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._is_over.wait(0.5):
            self.peak = max(self.peak, read_memory())


def read_processor_seconds() -> float:
    """Processor time of this process and of those that it started and that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(n_examples: int) -> list[str]:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        n = write_corpus(data, n_examples)
        job = ScoringJob(data, MODELS, "full", "exact", "benchmark")
        with MemoryWatch() as memory:
            start, processor = time.perf_counter(), read_processor_seconds()
            results = score_corpus(job)
            seconds, processor = time.perf_counter() - start, read_processor_seconds() - processor
        start = time.perf_counter()
        again = score_corpus(job)
        repeated = time.perf_counter() - start
        assert not any(result.n_changed_files for result in again)
        start = time.perf_counter()
        columns = read_score_columns(data, judge="exact")
        reading = time.perf_counter() - start
        n_scored = sum(result.n_scored for result in results)
        assert n_scored == len(columns) == n * len(MODELS)
        each = processor / n_scored * 1000
        return [
            f"{n:,}",
            f"{n_scored:,}",
            f"{seconds:.1f} s",
            f"{processor:.1f} s",
            f"{each:.2f} ms",
            f"{memory.peak:.0f} MB",
            f"{repeated:.1f} s",
            f"{reading:.2f} s",
        ]


def main(sizes: Sequence[int]) -> None:
    """Print the table as Markdown."""
    header = (
        "examples",
        "predictions",
        "scored in",
        "processor time",
        "each",
        "peak memory",
        "again, unchanged",
        "scores read in",
    )
    print(f"| {' | '.join(header)} |\n|{'---:|' * len(header)}")
    for size in sizes:
        print(f"| {' | '.join(measure(size))} |", flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or SIZES)
