"""A small corpus with every table, written through the functions of the program."""

from hashlib import sha256
from pathlib import Path

import numpy as np

from bayes.coherence import EdgeCoherence
from bayes.graphs import DroppedEdge
from bayes.inference import to_marginals
from bayes.network import Edge, Table, Tables, Variable
from bayes.recovery import CpdRecovery
from schemas.articles import Article
from schemas.calls import Call, Failure
from schemas.rows import BackboneRow, ExampleRow, NamedNetwork, Split, Written
from storage.corpus import write_article, write_backbone, write_elicited, write_examples, write_networks
from storage.ledger import Ledger

DOMAIN, BACKBONE = "environment", "river-floods"
TEXT = "Heavy rain fills the river. A full river floods fields."
VARIABLES = (
    Variable("rain", ("heavy", "light", "none")),
    Variable("dam", ("open", "none")),
    Variable("river", ("full", "none")),
    Variable("flood", ("severe", "none")),
)
EDGES = (Edge("rain", "river"), Edge("dam", "river"), Edge("river", "flood"))
CALL = Call("edges", DOMAIN, BACKBONE, "m", 900, 100, False, 1.5, 0.25, 1, "stop", "")
FAILURE = Failure(
    "description", DOMAIN, BACKBONE, "river-floods-3-0000000a", "invalid_reply", "names a state it has not"
)


def make_tables() -> Tables:
    """Four variables: rain and dam act on river (with a multi-parent joint), river acts on flood."""
    multi = np.array([[[0.10, 0.05], [0.10, 0.05]], [[0.05, 0.10], [0.05, 0.10]], [[0.02, 0.18], [0.02, 0.18]]])
    return Tables(
        VARIABLES,
        EDGES,
        {
            "rain": Table("rain", (), np.array([0.3, 0.3, 0.4])),
            "dam": Table("dam", (), np.array([0.5, 0.5]), raw_sum=0.9, n_floored=1),
            "river": Table("river", (), np.array([0.34, 0.66])),
            "flood": Table("flood", (), np.array([0.2, 0.8])),
        },
        {
            EDGES[0]: Table("river", ("rain",), multi.sum(axis=1)),
            EDGES[1]: Table("river", ("dam",), multi.sum(axis=0)),
            EDGES[2]: Table("flood", ("river",), np.array([[0.15, 0.19], [0.05, 0.61]])),
        },
        {"river": Table("river", ("rain", "dam"), multi)},
    )


def make_networks(backbone: str = BACKBONE) -> list[NamedNetwork]:
    """The backbone's network and two examples that share CPDs with it."""
    recovery = CpdRecovery(make_tables())
    return [
        NamedNetwork(backbone, recovery.to_network()),
        NamedNetwork(f"{backbone}-3-0000000b", recovery.to_network(("rain", "dam", "river"))),
        NamedNetwork(f"{backbone}-3-0000000a", recovery.to_network(("rain", "river", "flood"))),
    ]


def make_article(domain: str = DOMAIN, backbone: str = BACKBONE) -> Article:
    return Article(
        domain=domain,
        backbone=backbone,
        title="River floods",
        url="https://example.org/river-floods",
        revision="17",
        retrieved_at="2026-01-31T12:00:00Z",
        licence="CC0-1.0",
        text=TEXT,
        sha256=sha256(TEXT.encode()).hexdigest(),
        words=10,
    )


def make_backbone(domain: str = DOMAIN, backbone: str = BACKBONE) -> BackboneRow:
    return BackboneRow(
        domain=domain,
        backbone=backbone,
        title="River floods",
        model="offline:recorded",
        n_variables=4,
        n_edges=3,
        depth=2,
        dropped_edges=(DroppedEdge("flood", "rain", "closes_cycle"),),
        max_coherence_gap=0.04,
        prompts_sha256="",
        source="https://example.org/river-floods",
        article_sha256=sha256(TEXT.encode()).hexdigest(),
        reconciled=False,
        max_reconcile_move=None,
    )


def make_examples(domain: str = DOMAIN, backbone: str = BACKBONE, split: Split = "train") -> list[ExampleRow]:
    return [
        ExampleRow(domain, backbone, item.id, item.network, "Rain fills rivers.", "code", 1, (), split)
        for item in make_networks(backbone)[1:]
    ]


def write_backbone_tables(
    data: Path, domain: str = DOMAIN, backbone: str = BACKBONE, *, run: str = "run-1", split: Split = "train"
) -> list[Written]:
    """All tables of one backbone but calls and failures."""
    networks = make_networks(backbone)
    coherence = [EdgeCoherence(EDGES[0], 0.01, 0.02, 0.0), EdgeCoherence(EDGES[2], 0.03, 0.04, None)]
    return [
        write_article(data, make_article(domain, backbone), run=run),
        write_backbone(data, make_backbone(domain, backbone), run=run),
        *write_elicited(data, domain, backbone, make_tables(), to_marginals(networks[0].network), run=run),
        *write_networks(
            data, domain, backbone, networks, run=run, mechanisms={EDGES[0]: "runoff"}, coherence=coherence
        ),
        write_examples(data, domain, backbone, make_examples(domain, backbone, split), run=run),
    ]


def write_corpus(data: Path) -> None:
    """Two backbones in two domains, one call and one failure."""
    write_backbone_tables(data)
    write_backbone_tables(data, "society", "bread-riots", run="run-2", split="test")
    with Ledger(data, "run-1") as ledger:
        ledger.record(CALL)
        ledger.record_failure(FAILURE)
