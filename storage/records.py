"""Typed records back from the tables, for the parts of the program that know no pyarrow."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from schemas.articles import Article
from schemas.calls import Failure
from schemas.errors import InputError
from schemas.networks import from_json
from schemas.rows import BackboneKey, BackboneRow, ExampleRow, Split
from storage.layout import list_backbones
from storage.parquet import read_table


def read_articles(data: Path, domain: str | None = None, backbone: str | None = None) -> tuple[Article, ...]:
    """The articles of the corpus, of one domain or of one backbone.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    rows = read_table(data, "articles", domain, backbone).drop_columns(["network"])
    return tuple(Article(**row) for row in rows.to_pylist())


def read_backbones(data: Path, domain: str | None = None, backbone: str | None = None) -> tuple[BackboneRow, ...]:
    """The rows of ``backbones``; their networks come from :func:`storage.networks.read_backbone`.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    from bayes.graphs import DroppedEdge

    rows = read_table(data, "backbones", domain, backbone).drop_columns(["network", "n_dropped_edges"]).to_pylist()
    return tuple(
        BackboneRow(**row | {"dropped_edges": tuple(DroppedEdge(**edge) for edge in row["dropped_edges"])})
        for row in rows
    )


def read_examples(data: Path, domain: str | None = None, backbone: str | None = None) -> Iterator[ExampleRow]:
    """The examples of the corpus, of one domain or of one backbone, with their networks; one backbone at a time.

    Raises:
        InputError: a file is corrupt or of another version, or an example's network cannot be read.
    """
    columns = ["domain", "backbone", "example", "text", "writer", "attempts", "checks", "split", "network_json"]
    for key in list_backbones(data, "examples"):
        if domain in {None, key.domain} and backbone in {None, key.backbone}:
            for row in read_table(data, "examples", key.domain, key.backbone, columns).to_pylist():
                try:
                    network = from_json(row.pop("network_json"))
                except InputError as error:
                    raise InputError(f"table examples of {'/'.join(key)}: {row['example']}: {error}") from error
                yield ExampleRow(**row | {"network": network, "checks": tuple(row["checks"])})


@dataclass(frozen=True, slots=True)
class ExampleText:
    """An example's text and split, without the network that it was written from."""

    key: BackboneKey
    example: str
    text: str
    split: Split


def read_texts(data: Path) -> Iterator[ExampleText]:
    """The texts of all examples; their networks, which take long to parse, are left unread.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    for key in list_backbones(data, "examples"):
        for row in read_table(data, "examples", *key, ["example", "text", "split"]).to_pylist():
            yield ExampleText(key, row["example"], row["text"], row["split"])


def find_example(data: Path, example: str) -> ExampleRow | None:
    """The example with this id; None where there is none. Only the backbones that its id can belong to are read.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    for key in list_backbones(data, "examples"):
        if example.startswith(f"{key.backbone}-"):
            for row in read_examples(data, *key):
                if row.example == example:
                    return row
    return None


def read_splits(data: Path) -> dict[BackboneKey, Split]:
    """The split of every backbone that has examples, as they were written.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    rows = read_table(data, "examples", columns=["domain", "backbone", "split"]).to_pylist()
    return {BackboneKey(row["domain"], row["backbone"]): row["split"] for row in rows}


def read_failures(data: Path, run: str | None = None) -> tuple[Failure, ...]:
    """The failures of all runs or of one, ordered by domain, backbone and time.

    Raises:
        InputError: a file is corrupt or of another version.
    """
    rows = read_table(data, "failures").to_pylist()
    fields = ("stage", "domain", "backbone", "item", "reason", "detail")
    return tuple(Failure(*(row[field] for field in fields)) for row in rows if run in {None, row["run"]})
