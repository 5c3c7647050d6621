"""DAG files: a causal graph in YAML, with all that an expert needs to put numbers on its edges.

Every variable with parents stands for a linear-Gaussian structural equation ``Y = b0 + b1*X1 + ... + bk*Xk + E_Y``.
The file says what the variables mean, in which units and within which bounds; what the numbers are is for a model to
say and, where they are known, for a truth set to judge::

    name: kettle
    domain: household
    persona: a physicist who has measured many kettles
    overview: An electric kettle heats water.
    variables:
      fill: {description: water in the kettle, unit: litres, lower: 0.2, upper: 1.7}
      time: {description: time until the water boils, unit: seconds, lower: 0, upper: 900}
    edges:
      - [fill, time]
    truth:
      source: measured at home
      coefficients:
        time: {fill: 170}

A *condition* is a variation under which the same graph is asked about again: other units, other bounds, or edges that
are not there in truth. Scaling multiplies the bounds of a variable; the coefficient of X in the equation of Y is then
multiplied by factor(Y)/factor(X), the intercept and the noise of Y by factor(Y).
"""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import WithJsonSchema

from bayes.network import Edge
from schemas.dag_checks import find_dag_problem
from schemas.dag_values import (
    EDGE_SCHEMA,
    MAX_TEXT,
    ORIGINAL,
    SLUG_PATTERN,
    check_name,
    check_slug,
    check_text,
    clip,
    clip_name,
    to_bound,
    to_edge,
    to_number,
)
from schemas.errors import InputError
from schemas.names import MAX_NAME, clean_name
from schemas.strict_yaml import read_yaml

SAMPLE_DAGS = Path(__file__).parents[1] / "samples" / "dags"
"""Where the DAGs that come with the project are."""

MAX_FILE = 1_000_000
"""Largest file taken, in bytes."""

Name = Annotated[
    str, AfterValidator(check_name), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_NAME})
]
Slug = Annotated[
    str, AfterValidator(check_slug), WithJsonSchema({"type": "string", "pattern": SLUG_PATTERN, "maxLength": 60})
]
Text = Annotated[
    str, AfterValidator(check_text), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_TEXT})
]
Number = Annotated[float, BeforeValidator(to_number)]
Bound = Annotated[float | None, BeforeValidator(to_bound)]
Factor = Annotated[float, Field(gt=0), BeforeValidator(to_number)]
NoiseSd = Annotated[float, Field(ge=0), BeforeValidator(to_number)]
DagEdge = Annotated[Edge, PlainValidator(to_edge), WithJsonSchema(EDGE_SCHEMA)]


class DagPart(BaseModel):
    """Base of everything in a DAG file: frozen, and no keys but the declared ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Bounds(DagPart):
    """The smallest and the largest value of a variable; a side that is left out, or null, is open."""

    lower: Bound = Field(default=None, description="Smallest value, in the unit; leave it out where there is none")
    upper: Bound = Field(default=None, description="Largest value, in the unit; leave it out where there is none")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower ({self.lower:g}) is above upper ({self.upper:g})")
        return self


class DagVariable(Bounds):
    """What a variable means and how it is measured."""

    description: Text = Field(description="What it is, so that an expert of the domain knows what is meant")
    unit: Text = Field(description="Unit of its values, such as mg/L or percent; dimensionless where it has none")


class Truth(DagPart):
    """Known numbers of the structural equations.

    ``coefficients[child][parent]`` holds one coefficient for every edge; intercepts and noise standard deviations may
    be given for some variables or for none.
    """

    source: Text = Field(description="Where the numbers are from, and what was done to them")
    coefficients: Mapping[Name, Mapping[Name, Number]] = Field(description="Per child, the coefficient of each parent")
    intercepts: Mapping[Name, Number] = Field(default={}, description="Per variable, b0; of a root, its mean")
    noise_sd: Mapping[Name, NoiseSd] = Field(
        default={}, description="Per variable, the standard deviation of the noise"
    )


class NamedTruth(NamedTuple):
    """A truth set and the name under which a run says that it used it."""

    name: str
    truth: Truth


class Condition(DagPart):
    """A variation of a DAG: other units, other bounds, or edges that are not there in truth.

    The bounds given here are in the condition's own units, after scaling.
    """

    description: Annotated[str, AfterValidator(clean_name)] = Field(
        default="", description="One line for the list of conditions"
    )
    scale: Mapping[Name, Factor] = Field(default={}, description="Per variable, what its values are multiplied by")
    units: Mapping[Name, Text] = Field(default={}, description="The unit of every scaled variable, or corrected units")
    bounds: Mapping[Name, Bounds] = Field(default={}, description="Bounds that take the place of the scaled ones")
    spurious: tuple[DagEdge, ...] = Field(default=(), description="Edges to add whose true coefficient is 0")

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs from the DAG as its file gives it."""
        return not (self.scale or self.units or self.bounds or self.spurious)


class DagFile(DagPart):
    """A DAG with its meaning, its known numbers and its conditions.

    Example:
        >>> kettle = DagFile.model_validate({
        ...     "name": "kettle", "domain": "household", "persona": "a physicist", "overview": "Kettles heat water.",
        ...     "variables": {"fill": {"description": "water in it", "unit": "litres", "lower": 0.2, "upper": 1.7},
        ...                   "time": {"description": "time to boil", "unit": "seconds", "lower": 0}},
        ...     "edges": [["fill", "time"]],
        ...     "truth": {"source": "a watch", "coefficients": {"time": {"fill": 170}}}})
        >>> kettle.parents_of("time"), kettle.pick_truth().truth.coefficients
        (('fill',), {'time': {'fill': 170.0}})
    """

    name: Slug = Field(description="Lower-case letters, digits and hyphens; names the DAG in tables and paths")
    domain: Slug = Field(description="Field of knowledge, written like the name; groups DAGs in tables and paths")
    persona: Text = Field(description="Who is asked; completes the sentence 'You are ...'")
    overview: Text = Field(description="What the graph is about: the phenomenon, the data, the population")
    variables: Mapping[Name, DagVariable] = Field(description="All variables by name")
    edges: tuple[DagEdge, ...] = Field(description="Direct effects: [parent, child] or {parent: ..., child: ...}")
    truth: Truth | None = Field(default=None, description="Known numbers, where there is one set of them")
    truths: Mapping[Slug, Truth] = Field(default={}, description="Known numbers by name, where there are several sets")
    default_truth: str = Field(default="", description="Name of the set in truths that is used unless another is named")
    conditions: Mapping[Slug, Condition] = Field(default={}, description="Variations to ask about, by name")
    literature: tuple[Text, ...] = Field(default=(), description="References")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if problem := find_dag_problem(self):
            raise ValueError(problem)
        return self

    def parents_of(self, child: str) -> tuple[str, ...]:
        """The parents of a variable, in the order of the edges."""
        return tuple(edge.parent for edge in self.edges if edge.child == child)

    @property
    def truth_sets(self) -> Mapping[str, Truth]:
        """All truth sets by name; the only one of a file is called ``truth``."""
        return self.truths if self.truth is None else {"truth": self.truth}

    def pick_truth(self, name: str = "") -> NamedTruth | None:
        """The truth set of that name, or the default one; None where the file has none at all.

        Raises:
            InputError: there is no set of that name.
        """
        sets = self.truth_sets
        if name and name not in sets:
            raise InputError(f"DAG {self.name}: has no truth set {name!r}; it has {', '.join(sets) or 'none'}")
        picked = name or self.default_truth or next(iter(sets), "")
        return NamedTruth(picked, sets[picked]) if picked else None

    def pick_condition(self, name: str = ORIGINAL) -> Condition:
        """The condition of that name; the one that changes nothing for ``original``.

        Raises:
            InputError: there is no condition of that name.
        """
        if name == ORIGINAL:
            return Condition()
        if name not in self.conditions:
            known = ", ".join((ORIGINAL, *self.conditions))
            raise InputError(f"DAG {self.name}: has no condition {name!r}; it has {known}")
        return self.conditions[name]


def to_json_schema() -> dict[str, Any]:
    """The JSON Schema of a DAG file, for editors; kept in ``samples/dags/dag.schema.json``.

    An editor that speaks YAML finds it by the first line of a file, ``# yaml-language-server: $schema=PATH``.
    """
    schema = DagFile.model_json_schema()
    schema |= {"title": "DAG file", "description": "A causal graph for the elicitation of linear structural equations"}
    for field in ("truths", "conditions"):
        # As pydantic writes it, what stands under a wrong name would not be checked at all.
        mapping = schema["properties"][field]
        [(pattern, value)] = mapping.pop("patternProperties").items()
        mapping |= {"additionalProperties": value, "propertyNames": {"pattern": pattern}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def load_dag(path: Path) -> DagFile:
    """The DAG of a YAML file.

    Raises:
        InputError: the file cannot be read, or something in it is wrong; the text is one line that names the file, the
            field and what is wrong.

    Example:
        >>> load_dag(SAMPLE_DAGS / "foodsecurity.yaml").parents_of("Social_Cohesion")
        ('Educational_Attainment', 'Health')
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError(f"DAG file {path}: cannot be read ({error.strerror})") from error
    if len(data) > MAX_FILE:
        raise InputError(f"DAG file {path}: is larger than {MAX_FILE:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"DAG file {path}: is not UTF-8 text (byte {error.start:,})") from error
    return parse_dag(text, where=f"DAG file {path}")


def parse_dag(text: str, *, where: str) -> DagFile:
    """The DAG of a YAML text; ``where`` names it in messages.

    Raises:
        InputError: as :func:`load_dag`.
    """
    try:
        return DagFile.model_validate(read_yaml(text))
    except ValidationError as error:
        # Not "from error": a traceback would show the whole input.
        raise InputError(f"{where}: {_to_line(error)}") from None
    except ValueError as error:
        raise InputError(f"{where}: {error}") from error


def find_dag(reference: str) -> Path:
    """The file of a DAG that comes with the project, by its name, or of one's own, by its path.

    Raises:
        InputError: there is neither.

    Example:
        >>> find_dag("stocks").name
        'stocks.yaml'
    """
    names = {path.stem: path for path in list_dags()}
    if reference in names:
        return names[reference]
    if (path := Path(reference).expanduser()).is_file():
        return path
    raise InputError(f"unknown DAG {clip(reference)}: give one of {', '.join(names)}, or the path of a YAML file")


def list_dags() -> tuple[Path, ...]:
    """The files of the DAGs that come with the project."""
    return tuple(sorted(SAMPLE_DAGS.glob("*.yaml")))


_KEYS = sorted({key for part in (Bounds, DagVariable, Truth, Condition, DagFile) for key in part.model_fields})
_MESSAGES = {
    "missing": "is missing",
    "model_type": "must be a mapping, 'NAME: VALUE' lines",
    "mapping_type": "must be a mapping, 'NAME: VALUE' lines",
    "dict_type": "must be a mapping, 'NAME: VALUE' lines",
    "tuple_type": "must be a list",
    "string_type": "must be a text",
    "greater_than": "must be above 0",
    "greater_than_equal": "must not be below 0",
}


def _to_line(error: ValidationError) -> str:
    """The first problem, on one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = [part for part in first["loc"] if part != "[key]"]
    kind = first["type"]
    if kind == "extra_forbidden":
        close = get_close_matches(str(place[-1]), _KEYS, n=1)
        message = f"is not a known key{f'; did you mean {close[0]!r}?' if close else ''}"
    else:
        message = _MESSAGES.get(kind, first["msg"].removeprefix("Value error, "))
    where = ""
    for part in place:
        where += f", entry {part + 1}" if isinstance(part, int) else f"{'.' if where else ''}{clip_name(part)}"
    if not where and kind == "model_type":
        where = "the file"
    return f"{where}: {message}" if where else message
