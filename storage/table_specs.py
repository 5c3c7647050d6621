"""How a table is declared: its columns with their types, descriptions and units, its key and its version."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa

ArrowTable: TypeAlias = Any
"""A ``pyarrow.Table``. pyarrow ships no types, so this and the next two stand for its classes in signatures."""
ArrowSchema: TypeAlias = Any
ArrowType: TypeAlias = Any

TEXT = pa.string()
TEXTS = pa.list_(pa.field("element", pa.string(), nullable=False))
INT = pa.int32()
REAL = pa.float64()
BOOL = pa.bool_()
TIME = pa.timestamp("ms", tz="UTC")


@dataclass(frozen=True, slots=True, eq=False)
class TableSpec:
    """One table: what a row is, its columns in order, the columns it is sorted by, the version of this declaration.

    Raise ``version`` whenever a column changes its name, type or meaning: readers refuse files of another version.
    """

    name: str
    version: int
    row: str
    key: tuple[str, ...]
    schema: ArrowSchema

    @property
    def id_column(self) -> str:
        """The column whose values begin with the backbone's id."""
        return "example" if "example" in self.schema.names else "network"


def to_column(name: str, kind: ArrowType, description: str, unit: str = "", *, is_nullable: bool = False) -> Any:
    """A column: its name, type, what it holds, and the unit of a measure."""
    metadata = {"description": description} | ({"unit": unit} if unit else {})
    return pa.field(name, kind, nullable=is_nullable, metadata=metadata)
