"""What a network, its CPDs and its description look like in a terminal.

Names and texts are data: they never act as rich's markup, and control characters are taken out. What cannot be encoded
where the output goes is written as an escape, and lines are then drawn in ASCII. Without a terminal there are no
colours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product

from rich.box import SIMPLE_HEAD, Box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bayes.network import Cpd, Network
from flows.diagram import draw_boxes, draw_staircase
from schemas.errors import InputError
from schemas.names import clean_name

MAX_CONFIGURATIONS = 24
"""How many rows :func:`render_cpd` shows unless asked for all."""

_READING_WIDTH = 88
_COLUMN_GAP = 2
# As SIMPLE_HEAD: nothing but a line under the header.
_ASCII_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


def render_network(network: Network) -> RenderableType:
    """The network drawn with boxes and lines or, where those would not fit, as a staircase of lines.

    Example:
        >>> import numpy as np
        >>> from bayes.network import Rule, Variable
        >>> half = np.array([[0.5], [0.5]])
        >>> rain = Network((Variable("rain", ("heavy", "none")),), (Cpd("rain", (), half, (Rule.PRIOR,)),))
        >>> Console(width=80).print(render_network(rain))
        ┌───────┐
        │ rain  │
        └───────┘
    """

    def build(options: ConsoleOptions) -> RenderableType:
        if not network.variables:
            return Text("(no variables)")
        names = {variable.name: _to_plain(variable.name, options) for variable in network.variables}
        is_ascii = options.ascii_only
        boxes = draw_boxes(network, names, options.max_width, is_ascii=is_ascii)
        if boxes is not None:
            return boxes
        stairs = draw_staircase(network, names, options.max_width, is_ascii=is_ascii)
        return Group(stairs, Text(f"(the lines that run into {'*' if is_ascii else '●'} are its parents)", "dim"))

    return _Late(build)


def render_cpd(network: Network, variable: str, *, full: bool = False) -> RenderableType:
    """P(variable given its parents) as a table: a row per parent configuration, a column per state.

    Args:
        network: the network.
        variable: name of one of its variables.
        full: show every configuration; otherwise the first ``MAX_CONFIGURATIONS``.

    Raises:
        InputError: the network has no such variable.
    """
    if variable not in network.cpd_of:
        raise InputError(f"no variable {variable!r} in the network; it has {', '.join(map(repr, network.by_name))}")
    cpd = network.cpd_of[variable]
    n_rows = cpd.matrix.shape[1] if full else MAX_CONFIGURATIONS
    return _Late(lambda options: _show_cpd(network, cpd, options, n_rows))


def render_description(text: str) -> RenderableType:
    r"""The paragraphs of a text, wrapped to a width that reads well.

    Example:
        >>> Console(width=80).print(render_description("One\nline.\n\nAnother [red]line[/]."))
        One line.
        <BLANKLINE>
        Another [red]line[/].
    """

    def build(options: ConsoleOptions) -> RenderableType:
        paragraphs = [_to_plain(part, options) for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]
        return Constrain(Text("\n\n".join(paragraphs)), _READING_WIDTH)

    return _Late(build)


@dataclass(frozen=True, slots=True)
class _Late:
    """A renderable that is built when the width and the encoding of the output are known."""

    build: Callable[[ConsoleOptions], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.build(options)


def _to_plain(text: str, options: ConsoleOptions) -> str:
    plain = clean_name(text) or "?"
    return plain.encode(options.encoding, "backslashreplace").decode(options.encoding)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a CPD table; ``cells`` are the states of a parent or the probabilities of a state."""

    header: str
    cells: tuple[str, ...]
    is_number: bool

    @property
    def widths(self) -> tuple[int, int, int]:
        """Widths at which nothing is wrapped, only the header, or both, but never inside a word."""
        header_words, cell_words = self.header.split(" "), [word for cell in self.cells for word in cell.split(" ")]
        return (
            max(map(cell_len, (self.header, *self.cells))),
            max(map(cell_len, (*header_words, *self.cells))),
            max(map(cell_len, (*header_words, *cell_words))),
        )


def _show_cpd(network: Network, cpd: Cpd, options: ConsoleOptions, n_rows: int) -> RenderableType:
    parents = [network.by_name[name] for name in cpd.parents]
    configurations = list(islice(product(*(range(parent.cardinality) for parent in parents)), n_rows))
    columns = [
        _Column(
            _to_plain(parent.name, options),
            tuple(_to_plain(parent.states[configuration[i]], options) for configuration in configurations),
            is_number=False,
        )
        for i, parent in enumerate(parents)
    ]
    columns += [
        _Column(_to_plain(state, options), tuple(f"{value:.3f}" for value in row[:n_rows]), is_number=True)
        for state, row in zip(network.by_name[cpd.variable].states, cpd.matrix.tolist(), strict=True)
    ]
    given = ", ".join(column.header for column in columns[: len(parents)])
    title = Text.assemble("P(", (_to_plain(cpd.variable, options), "bold"), f" | {given})" if given else ")")
    if len(set(cpd.rules)) == 1:
        title.append(f"  rule: {cpd.rules[0].value}", "dim")
    else:
        columns.append(_Column("rule", tuple(rule.value for rule in cpd.rules[:n_rows]), is_number=False))
    parts: list[RenderableType] = [title, _to_table(columns, options) or _to_list(columns, len(parents))]
    n_hidden = cpd.matrix.shape[1] - len(configurations)
    if n_hidden:
        parts.append(Text(f"{'...' if options.ascii_only else '…'} {n_hidden} more", "dim"))
    return Group(*parts)


def _to_table(columns: Sequence[_Column], options: ConsoleOptions) -> Table | None:
    """The columns side by side, or None if that would need breaks inside of words."""
    for widths in zip(*(column.widths for column in columns), strict=True):
        if sum(widths) + _COLUMN_GAP * (len(widths) - 1) <= options.max_width:
            break
    else:
        return None
    table = Table(
        box=_ASCII_RULE if options.ascii_only else SIMPLE_HEAD,
        padding=(0, _COLUMN_GAP - 1, 0, 0),
        show_edge=False,
        pad_edge=False,
    )
    for column, width in zip(columns, widths, strict=True):
        table.add_column(Text(column.header), width=width, justify="right" if column.is_number else "left")
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    return table


def _to_list(columns: Sequence[_Column], n_parents: int) -> Group:
    """Every configuration in words and, below it, its probabilities."""
    parts: list[RenderableType] = []
    for cells in zip(*(column.cells for column in columns), strict=True):
        pairs = [f"{column.header} = {cell}" for column, cell in zip(columns, cells, strict=True)]
        parts += [
            Text(", ".join(pairs[:n_parents])),
            Padding(Text(", ".join(pairs[n_parents:])), (0, 0, 0, 4), expand=False),
        ]
    return Group(*parts)
