"""Whether the tables of one backbone are right in themselves and agree with one another."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np

from bayes.cross_check import SecondEngine
from bayes.graphs import is_connected
from bayes.network import Cpd, Edge, Network, Table, Tables
from schemas.errors import InputError
from schemas.networks import from_json, to_json
from schemas.rows import SPLITS, BackboneKey
from storage.corpus import count_words
from storage.import_checks import check_imports, check_pairwise
from storage.networks import rebuild_networks
from storage.tables import ArrowTable

SUM_TOLERANCE = 1e-9
RECOVERY_TOLERANCE = 1e-9
REQUIRED = ("articles", "backbones", "variables", "edges", "marginals", "joints", "cpds")
"""Tables that have rows for every elicited backbone; ``examples`` may have none."""
IMPORTED = ("articles", "examples", "variables", "edges", "cpds", "imports", "pairwise")
"""Tables that every imported backbone has; nothing was elicited for it."""


@dataclass(frozen=True, slots=True, eq=False)
class BackboneTables:
    """The tables of one backbone. ``damaged`` are those with a finding already; they are not missed again."""

    key: BackboneKey
    tables: Mapping[str, ArrowTable]
    damaged: frozenset[str]

    @property
    def is_imported(self) -> bool:
        """Whether the backbone's examples came from a file; then it has no network of its own."""
        return not {"imports", "pairwise"}.isdisjoint(set(self.tables) | self.damaged)

    def to_rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table; none where it is missing."""
        return self.tables[table].to_pylist() if table in self.tables else []


@dataclass(frozen=True, slots=True)
class BackboneResult:
    """Problems by table, and what was seen on the way."""

    problems: Mapping[str, list[str]]
    n_networks: int
    example_ids: tuple[str, ...]


def check_backbone_tables(tables: BackboneTables) -> BackboneResult:
    """Run every check that the tables at hand allow."""
    networks, broken = _rebuild(tables)
    backbone = networks.get(tables.key.backbone)
    articles, examples = tables.to_rows("articles"), tables.to_rows("examples")
    checks: list[tuple[str, Iterable[str]]] = [
        *_find_missing(tables),
        ("articles", _check_articles(articles)),
        ("backbones", _check_backbones(tables.to_rows("backbones"), articles, backbone)),
        ("cpds", broken),
        ("cpds", _check_networks(networks)),
        ("variables", _check_variables(tables.to_rows("variables"), networks)),
        ("examples", _check_examples(tables, examples, networks)),
    ]
    if tables.is_imported:
        checks.append(("imports", check_imports(tables.to_rows("imports"), examples)))
        checks.append(("pairwise", check_pairwise(tables.to_rows("pairwise"), networks)))
    if "edges" in tables.tables:
        checks.append(("edges", _check_edges(tables.to_rows("edges"), networks)))
    if "examples" not in tables.damaged:
        checks.append(("cpds", _check_homes(tables.key, examples, networks)))
    if backbone is not None:
        for table, columns in (("marginals", ("variable",)), ("joints", ("kind", "child", "parents"))):
            if table in tables.tables:
                checks.append((table, _check_elicited(tables.to_rows(table), columns, backbone)))
    problems: dict[str, list[str]] = defaultdict(list)
    for table, found in checks:
        problems[table] += found
    if backbone is not None and not any(problems.values()):  # with any, a difference would say nothing new
        elicited = to_tables(backbone, tables.to_rows("marginals"), tables.to_rows("joints"))
        problems["cpds"] += _check_recovery(networks, elicited)
    ids = tuple(row["example"] for row in examples)
    return BackboneResult({table: found for table, found in problems.items() if found}, len(networks), ids)


def _find_missing(tables: BackboneTables) -> Iterator[tuple[str, list[str]]]:
    # A failed article has a row in articles and nothing else, which is as it should be.
    if (set(tables.tables) | tables.damaged) - {"articles"}:
        for table in IMPORTED if tables.is_imported else REQUIRED:
            if table not in tables.tables and table not in tables.damaged:
                yield table, ["there are no rows for this backbone"]


def _rebuild(tables: BackboneTables) -> tuple[dict[str, Network], list[str]]:
    if not {"variables", "cpds"} <= set(tables.tables):
        return {}, []
    rebuilt = list(rebuild_networks(tables.tables["variables"], tables.tables["cpds"]))
    networks = {item.id: item.network for item in rebuilt if item.network is not None}
    broken = [f"network {item.id!r}: {item.problem}" for item in rebuilt if item.network is None]
    if not broken and not tables.is_imported and tables.key.backbone not in networks:
        broken.append("the backbone's own network is missing")
    return networks, broken


def check_cpd(cpd: Cpd) -> str:
    """What keeps the columns of a CPD from being distributions; empty where nothing does.

    Example:
        >>> from bayes.network import Rule
        >>> check_cpd(Cpd("rain", (), np.array([[0.5], [0.4]]), (Rule.PRIOR,)))
        'a column sums to 0.9'
    """
    if not np.isfinite(cpd.matrix).all() or (cpd.matrix < 0).any():
        return "a probability is negative or not finite"
    sums = cpd.matrix.sum(axis=0)
    worst = int(np.abs(sums - 1).argmax())
    return "" if abs(sums[worst] - 1) <= SUM_TOLERANCE else f"a column sums to {sums[worst]:.12g}"


def _check_networks(networks: Mapping[str, Network]) -> Iterator[str]:
    checked: dict[Cpd, str] = {}
    for name, network in networks.items():
        found: list[str] = []
        try:
            network.levels  # noqa: B018  (a cycle raises)
        except ValueError as error:
            found.append(str(error))
        for variable, cpd in zip(network.variables, network.cpds, strict=True):
            if cpd not in checked:
                checked[cpd] = check_cpd(cpd)
            if checked[cpd]:
                found.append(f"variable {variable.name!r}: {checked[cpd]}")
            if len(set(variable.states)) < variable.cardinality:
                found.append(f"variable {variable.name!r}: a state is there twice")
        yield from (f"network {name!r}: {what}" for what in found)


def to_tables(backbone: Network, marginals: Sequence[Mapping[str, Any]], joints: Sequence[Mapping[str, Any]]) -> Tables:
    """The elicited tables of a backbone from its rows, which :func:`check_backbone_tables` found in order."""
    cells: dict[tuple[str, str, tuple[str, ...]], list[float]] = defaultdict(list)
    for row in marginals:
        cells["marginal", row["variable"], ()].append(row["probability"])
    for row in joints:
        cells[row["kind"], row["child"], tuple(row["parents"])].append(row["probability"])
    tables: dict[str, list[Table]] = defaultdict(list)
    for (kind, child, parents), values in cells.items():
        shape = [backbone.by_name[name].cardinality for name in (*parents, child)]
        tables[kind].append(Table(child, parents, np.array(values).reshape(shape)))
    return Tables(
        backbone.variables,
        backbone.edges,
        {table.child: table for table in tables["marginal"]},
        {Edge(table.parents[0], table.child): table for table in tables["pairwise"]},
        {table.child: table for table in tables["multi"]},
    )


def _check_recovery(networks: Mapping[str, Network], tables: Tables) -> Iterator[str]:
    """The CPDs against those that pyAgrum recovers from the elicited tables."""
    second_engine = SecondEngine(tables)
    gaps: dict[Cpd, str] = {}
    for name, network in networks.items():
        for cpd in network.cpds:
            if cpd not in gaps:
                gaps[cpd] = _describe_gap(second_engine, cpd)
            if gaps[cpd]:
                yield f"network {name!r}: variable {cpd.variable!r}: {gaps[cpd]}"


def _describe_gap(second_engine: SecondEngine, cpd: Cpd) -> str:
    try:
        gap = second_engine.measure_gap(cpd)
    except KeyError as error:
        return f"there is no elicited table for {error}"
    return "" if gap <= RECOVERY_TOLERANCE else f"the CPD differs by {gap:.3g} from what pyAgrum recovers"


def _check_homes(key: BackboneKey, examples: Sequence[Mapping[str, Any]], networks: Iterable[str]) -> Iterator[str]:
    for name in sorted(set(networks) - {row["example"] for row in examples} - {key.backbone}):
        yield f"network {name!r} is no example and not the backbone"


def _check_articles(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(rows) > 1:
        yield f"there are {len(rows)} rows for one article"
    for row in rows:
        if sha256(row["text"].encode()).hexdigest() != row["sha256"]:
            yield "sha256 is not that of the text"
        if row["words"] != count_words(row["text"]):
            yield f"words is {row['words']}, the text has {count_words(row['text'])}"
        if row["read_words"] is not None and not 0 <= row["read_words"] <= row["words"]:
            yield f"read_words is {row['read_words']}, the text has {row['words']}"


def _check_backbones(
    rows: Sequence[Mapping[str, Any]], articles: Sequence[Mapping[str, Any]], network: Network | None
) -> Iterator[str]:
    if len(rows) > 1:
        yield f"there are {len(rows)} rows for one backbone"
    for row in rows:
        if articles and row["article_sha256"] != articles[0]["sha256"]:
            yield "article_sha256 is not that of the article"
        if row["n_dropped_edges"] != len(row["dropped_edges"]):
            yield "n_dropped_edges does not count dropped_edges"
        if network is not None:
            yield from _check_counts(row, network)


def _check_counts(row: Mapping[str, Any], network: Network) -> Iterator[str]:
    counts = {"n_variables": len(network.variables), "n_edges": len(network.edges)}
    with suppress(ValueError):  # a cycle is a finding of its own
        counts["depth"] = network.depth
    for name, count in counts.items():
        if row[name] != count:
            yield f"{name} is {row[name]}, the network has {count}"


def _check_variables(rows: Sequence[Mapping[str, Any]], networks: Mapping[str, Network]) -> Iterator[str]:
    n_children = {name: Counter(edge.parent for edge in network.edges) for name, network in networks.items()}
    for row in rows:
        network, variable = networks.get(row["network"]), row["variable"]
        if network is None:
            continue
        what = f"network {row['network']!r}, variable {variable!r}"
        if row["n_children"] != n_children[row["network"]][variable]:
            yield f"{what}: n_children is {row['n_children']}"
        try:
            level = network.levels[variable]
        except ValueError:
            continue
        if row["level"] != level:
            yield f"{what}: level is {row['level']} instead of {level}"


def _check_edges(rows: Sequence[Mapping[str, Any]], networks: Mapping[str, Network]) -> Iterator[str]:
    edges_of: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        edges_of[row["network"]].append((row["parent"], row["child"]))
    for name, network in networks.items():
        if sorted(edges_of.pop(name, [])) != sorted(network.edges):
            yield f"network {name!r}: these are not the edges that cpds has"
    for name in edges_of:
        yield f"network {name!r} is not in cpds"


def _check_elicited(rows: Sequence[Mapping[str, Any]], columns: Iterable[str], backbone: Network) -> Iterator[str]:
    """Each elicited table: every cell once, a distribution, names and states known; none missing."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[tuple(_hashable(row[column]) for column in columns)].append(row)
    expected = {("pairwise", edge.child, (edge.parent,)) for edge in backbone.edges}
    if "variable" in columns:
        expected = {(variable.name,) for variable in backbone.variables}
    for missing in sorted(expected - set(groups)):
        yield f"there is no table for {missing}"
    for key, cells in groups.items():
        child, parents = (key[0], ()) if len(key) == 1 else (key[1], key[2])
        if not {child, *parents} <= set(backbone.by_name):
            yield f"table {key}: names a variable that the backbone has not"
            continue
        axes = [backbone.by_name[name].states for name in (*parents, child)]
        seen = [(*cell.get("parent_states", ()), cell["state"]) for cell in cells]
        if seen != list(product(*axes)):
            yield f"table {key}: its rows are not one per configuration and state, in order"
        values = np.array([cell["probability"] for cell in cells])
        if not (values >= 0).all() or not abs(values.sum() - 1) <= SUM_TOLERANCE:
            yield f"table {key}: is no distribution, it sums to {values.sum():.12g}"


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _check_examples(
    tables: BackboneTables, rows: Sequence[Mapping[str, Any]], networks: Mapping[str, Network]
) -> Iterator[str]:
    if rows and len({row["split"] for row in rows}) > 1:
        yield "its examples are in several splits"
    for name, count in Counter(row["example"] for row in rows).items():
        if count > 1:
            yield f"{name!r} is there {count} times"
    for row in rows:
        name = row["example"]
        if row["split"] not in SPLITS:
            yield f"{name!r}: {row['split']!r} is not a split"
        if row["words"] != count_words(row["text"]):
            yield f"{name!r}: words is {row['words']}, the text has {count_words(row['text'])}"
        network = networks.get(name)
        if network is None:
            yield f"{name!r}: has no network in cpds"
            continue
        yield from (f"{name!r}: {what}" for what in _check_example_network(tables, row, network))


def _check_example_network(tables: BackboneTables, row: Mapping[str, Any], network: Network) -> Iterator[str]:
    if row["network_json"] != to_json(network):
        try:
            from_json(row["network_json"])
        except InputError as error:
            yield str(error)
        yield "network_json is not the canonical JSON of its network in cpds"
    names = [variable.name for variable in network.variables]
    if row["variables"] != names:
        yield "variables are not those of its network in cpds"
    if not tables.is_imported:  # a file may have ids and networks of any kind
        backbone = tables.key.backbone
        if not re.fullmatch(rf"{re.escape(backbone)}-{len(names)}-[0-9a-f]{{8}}", row["example"]):
            yield f"is not of the form {backbone}-{len(names)}-<8 hex>"
        if not is_connected(names, network.edges):
            yield "its variables don't hang together"
    yield from _check_counts(row, network)
