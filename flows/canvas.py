"""A grid of characters to draw boxes and lines on."""

from dataclasses import dataclass, field
from itertools import groupby

from rich.cells import split_graphemes
from rich.text import Text

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
# The character of a cell by the sum of its arms.
_GLYPHS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_ASCII = " |||-+++-+++-+++"


class Entangled(Exception):
    """Two edges would share a stretch of line."""


@dataclass(slots=True)
class _Cell:
    text: str = " "
    style: str = ""
    arms: int = 0
    owner: str = ""


@dataclass(slots=True)
class Canvas:
    """A grid of terminal cells; lines of one owner join where they meet, lines of two only cross."""

    is_ascii: bool
    rows: list[list[_Cell]] = field(default_factory=list)

    def _at(self, x: int, y: int) -> _Cell:
        while len(self.rows) <= y:
            self.rows.append([])
        row = self.rows[y]
        while len(row) <= x:
            row.append(_Cell())
        return row[x]

    def write(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write text from a cell on; a wide character takes two cells, a combining one none."""
        for start, end, size in split_graphemes(text)[0]:
            cell = self._at(x, y)
            cell.text, cell.style = text[start:end], style
            for covered in range(x + 1, x + size):
                behind = self._at(covered, y)
                behind.text, behind.style = "", style
            x += size

    def is_free(self, x: int, y: int) -> bool:
        """Whether no line runs through a cell."""
        return not self._at(x, y).arms

    def join(self, x: int, y: int, arms: int, owner: str, style: str) -> None:
        """Add arms of a line to a cell.

        Raises:
            Entangled: another owner's line is there and the two do not just cross.
        """
        if not arms:
            return
        cell = self._at(x, y)
        if cell.arms and cell.owner != owner:
            if {cell.arms, arms} != {_UP | _DOWN, _LEFT | _RIGHT}:
                raise Entangled
            if arms == _LEFT | _RIGHT:
                return
            cell.arms = 0
        cell.arms |= arms
        cell.owner, cell.style = owner, style
        cell.text = (_ASCII if self.is_ascii else _GLYPHS)[cell.arms]

    def run_down(self, x: int, top: int, bottom: int, owner: str, style: str) -> None:
        """A vertical line from the middle of one cell to the middle of another."""
        for y in range(top, bottom + 1):
            self.join(x, y, (_UP if y > top else 0) | (_DOWN if y < bottom else 0), owner, style)

    def run_across(self, y: int, left: int, right: int, owner: str, style: str) -> None:
        """A horizontal line from the middle of one cell to the middle of another."""
        for x in range(left, right + 1):
            self.join(x, y, (_LEFT if x > left else 0) | (_RIGHT if x < right else 0), owner, style)

    def to_text(self) -> Text:
        """The drawing, one line per row, without trailing space."""
        lines: list[Text] = []
        for row in self.rows:
            line = Text()
            for style, cells in groupby(row, key=lambda cell: cell.style):
                line.append("".join(cell.text for cell in cells), style)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)
