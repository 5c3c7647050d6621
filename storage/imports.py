"""Corpora and predictions made elsewhere, as tables. Everything is checked before anything is written.

An imported corpus has articles, examples with their networks, the tables of one parent each as they were given
(``pairwise``) and the ids of its file (``imports``). It has no backbones, marginals or joints: nothing was elicited. A
backbone is what the file calls the source of a network, and an example's id is the backbone's with the slug of the
network's own id.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from schemas.articles import Article
from schemas.benchmark import Mode, PredictionRow
from schemas.calls import Failure
from schemas.errors import InputError
from schemas.oddities import ImportReport
from schemas.predictions import NamedPrediction, match_examples
from schemas.released import ImportedExample, ReleasedCorpus
from schemas.released_networks import ReleasedNetwork
from schemas.rows import BackboneKey, ExampleRow, NamedNetwork, Split, Written
from schemas.slugs import to_distinct_slug, to_slug
from storage.benchmark import write_predictions
from storage.corpus import count_words, write_article, write_examples, write_networks, write_rows
from storage.layout import UNASSIGNED
from storage.parquet import read_table, write_table
from storage.records import read_splits
from storage.splits import assign_splits
from storage.tables import to_spec

WRITER = "imported"
DOMAIN = "imported"
"""Domain of networks whose file names none."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedExample:
    """An example of a file and its place in the corpus."""

    key: BackboneKey
    id: str
    example: ImportedExample


@dataclass(frozen=True, slots=True)
class CorpusImport:
    """What an import wrote."""

    n_examples: int
    n_backbones: int
    report: ImportReport
    failures: tuple[Failure, ...]
    written: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class PredictionImport:
    """How many predictions an import wrote, and how many examples of the corpus have none in the file."""

    n_predictions: int
    n_without: int
    written: tuple[Written, ...]


def place_examples(examples: Iterable[ImportedExample]) -> tuple[PlacedExample, ...]:
    """Give every example of a file its backbone and its id, in the order of the file."""
    sources: dict[tuple[str, str], str] = {}
    backbones: defaultdict[str, set[str]] = defaultdict(set)
    ids: defaultdict[str, set[str]] = defaultdict(set)
    placed: list[PlacedExample] = []
    for example in examples:
        network = example.released
        domain = to_slug(network.domain) if network.domain else DOMAIN
        domain = DOMAIN if domain == UNASSIGNED else domain
        source = _find_source(network)
        if (domain, source) not in sources:
            sources[domain, source] = to_distinct_slug(source, backbones[domain])
        backbone = sources[domain, source]
        backbones[domain].add(backbone)
        slug = to_distinct_slug(network.id, ids[backbone])
        ids[backbone].add(slug)
        placed.append(PlacedExample(BackboneKey(domain, backbone), f"{backbone}-{slug}", example))
    return tuple(placed)


def write_corpus(data: Path, corpus: ReleasedCorpus, *, file: str, run: str) -> CorpusImport:
    """Write an imported corpus into a data folder.

    Args:
        data: the data folder; what else is in it stays.
        corpus: the networks of the file.
        file: name of the file, for the table ``imports``.
        run: id of the run.

    Raises:
        InputError: the folder has a backbone or an example of the same name from elsewhere; nothing was written.
    """
    placed = place_examples(corpus.examples)
    _check_place(data, placed)
    splits = assign_splits(read_splits(data), list(dict.fromkeys(item.key for item in placed)))
    groups: dict[BackboneKey, list[PlacedExample]] = {}
    for item in placed:
        groups.setdefault(item.key, []).append(item)
    written: list[Written] = []
    for key, group in groups.items():
        group.sort(key=lambda item: item.id)
        written += _write_backbone(data, key, group, splits[key], file=file, run=run)
    return CorpusImport(len(placed), len(groups), corpus.report, corpus.failures, tuple(written))


def write_named_predictions(
    data: Path, predictions: Sequence[NamedPrediction], *, file: Path, model: str, mode: Mode, run: str
) -> PredictionImport:
    """Write predictions or annotations for examples of the corpus, under the name of a model or a person.

    Ids are those of the corpus's examples or, for an imported corpus, those of the file that it came from.

    Raises:
        InputError: there are no examples, an id is none of theirs, or two predictions belong to one; nothing was
            written.
    """
    examples = _read_ids(data)
    if not examples:
        raise InputError(
            f"{data}: holds no examples to predict; build or import a corpus first, or give another --data"
        )
    matched: dict[str, tuple[str, NamedPrediction]] = {}
    by_prediction = {id(item.prediction): item for item in predictions}
    for name, prediction in match_examples(predictions, examples, where=str(file)).items():
        example, _ = examples[name]
        if example in matched:
            raise InputError(
                f"{file}: {name!r} and {matched[example][0]!r} are one example, {example!r}; keep one of them"
            )
        matched[example] = (name, by_prediction[id(prediction)])
    keys = dict(examples.values())
    rows: dict[BackboneKey, list[PredictionRow]] = {}
    for example, (_, item) in sorted(matched.items()):
        key = keys[example]
        rows.setdefault(key, []).append(_to_row(key, example, item, file=file.name, model=model, mode=mode))
    written = [one for key, group in rows.items() for one in write_predictions(data, *key, group, run=run)]
    return PredictionImport(len(matched), len(keys) - len(matched), tuple(written))


def _to_row(
    key: BackboneKey, example: str, item: NamedPrediction, *, file: str, model: str, mode: Mode
) -> PredictionRow:

    is_empty = not item.prediction.variables
    return PredictionRow(
        *key,
        example=example,
        model=model,
        mode=mode,
        status="failed" if is_empty else "complete",
        is_truncated=False,
        reason="input" if is_empty else "",
        detail="the file has no variables for this example" if is_empty else "",
        prediction=item.prediction,
        raw=json.dumps({"file": file, "where": item.where}, ensure_ascii=False),
    )


def _read_ids(data: Path) -> dict[str, tuple[str, BackboneKey]]:
    """Every id that a file may name an example by, with the example's own id and its key."""
    ids: dict[str, tuple[str, BackboneKey]] = {}
    for row in read_table(data, "imports").to_pylist():
        ids[row["source_id"]] = (row["example"], BackboneKey(row["domain"], row["backbone"]))
    for row in read_table(data, "examples", columns=["domain", "backbone", "example"]).to_pylist():
        ids[row["example"]] = (row["example"], BackboneKey(row["domain"], row["backbone"]))
    return ids


def _find_source(network: ReleasedNetwork) -> str:
    return network.source_id or network.parent_id or network.title or network.id


def _check_place(data: Path, placed: Sequence[PlacedExample]) -> None:
    """Refuse to write over what did not come from this file."""
    advice = "import this file into another --data folder"
    new = {(item.key, item.id): item.example.released.id for item in placed}
    keys = {key for key, _ in new}
    homes = {source: key for (key, _), source in new.items()}
    imported: set[BackboneKey] = set()
    for row in read_table(data, "imports").to_pylist():
        key = BackboneKey(row["domain"], row["backbone"])
        imported.add(key)
        if key in keys and new.get((key, row["example"])) != row["source_id"]:
            raise InputError(
                f"{data}: the backbone {'/'.join(key)} is there from another file, with the example "
                f"{row['source_id']!r}; {advice}"
            )
        if homes.get(row["source_id"], key) != key:
            raise InputError(f"{data}: the example {row['source_id']!r} is there from another file; {advice}")
    for table in ("articles", "examples"):
        for row in read_table(data, table, columns=["domain", "backbone"]).to_pylist():
            key = BackboneKey(row["domain"], row["backbone"])
            if key in keys - imported:
                raise InputError(f"{data}: the backbone {'/'.join(key)} was built there; {advice}")


def _write_backbone(
    data: Path, key: BackboneKey, group: Sequence[PlacedExample], split: Split, *, file: str, run: str
) -> Iterator[Written]:
    # First of all what tells the backbone for an imported one, so that an import that was killed can be repeated.
    sources = [{"example": item.id, "source_id": item.example.released.id, "file": file} for item in group]
    yield write_rows(data, "imports", *key, sources, run=run)
    yield write_article(data, _to_article(key, [item.example.released for item in group]), run=run)
    yield write_examples(
        data,
        *key,
        (
            ExampleRow(
                *key,
                example=item.id,
                network=item.example.reference.network,
                text=item.example.released.text or item.example.released.article,
                writer=WRITER,
                attempts=0,
                checks=(),
                split=split,
            )
            for item in group
        ),
        run=run,
    )
    networks = [NamedNetwork(item.id, item.example.reference.network) for item in group]
    yield from write_networks(data, *key, networks, run=run)
    yield write_table(data, "pairwise", *key, _to_pairwise_columns(group), run=run)


def _to_article(key: BackboneKey, networks: Sequence[ReleasedNetwork]) -> Article:
    """The first article that a network of the backbone tells, or else its description. The file names no licence."""
    text = next((network.article for network in networks if network.article), networks[0].text)
    return Article(
        domain=key.domain,
        backbone=key.backbone,
        title=networks[0].title or _find_source(networks[0]),
        url="",
        revision="",
        retrieved_at="",
        licence="",
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
        words=count_words(text),
    )


def _to_pairwise_columns(group: Sequence[PlacedExample]) -> Any:
    columns: defaultdict[str, list[Any]] = defaultdict(list)
    for item in group:
        given, reference = item.example.released.content.tables, item.example.reference
        by_name = reference.network.by_name
        for edge in sorted(given, key=lambda edge: (edge.child, edge.parent)):
            child, parent = by_name[edge.child], by_name[edge.parent]
            completed = reference.pairwise.get(edge, np.full(given[edge].shape, np.nan))
            n = child.cardinality * parent.cardinality
            columns["network"] += [item.id] * n
            columns["child"] += [child.name] * n
            columns["parent"] += [parent.name] * n
            columns["parent_state"] += [state for state in parent.states for _ in child.states]
            columns["state"] += child.states * parent.cardinality
            # A row of the file's matrix is a state of the child, which runs fastest here.
            columns["probability"] += given[edge].T.ravel().tolist()
            columns["completed"] += completed.T.ravel().tolist()
    schema = to_spec("pairwise").schema
    return pa.table({field.name: _to_array(columns[field.name], field) for field in schema}, schema)


def _to_array(values: Sequence[Any], field: Any) -> Any:
    # from_pandas: nan is null
    return pa.array(values, field.type, from_pandas=True)
