"""A DAG file is read as it is meant, or refused in one line that says where and why."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bayes.network import Edge
from schemas.dag_values import to_number
from schemas.dags import (
    SAMPLE_DAGS,
    DagFile,
    find_dag,
    list_dags,
    load_dag,
    parse_dag,
    to_json_schema,
)
from schemas.errors import InputError
from tests.strategies import dags

BREAD = """\
name: bread
domain: baking
persona: a baker
overview: Bread rises.
variables:
  yeast: {description: yeast in the dough, unit: g, lower: 1, upper: 50}
  time: {description: proofing time, unit: hours, lower: 0}
  volume: {description: volume of the loaf, unit: ml, lower: 300, upper: 3000}
edges:
  - [yeast, volume]
  - {parent: time, child: volume}
truth:
  source: a kitchen
  coefficients:
    volume: {yeast: 1.0e+1, time: -8.5}
  intercepts: {volume: 900}
  noise_sd: {volume: 0}
conditions:
  minutes:
    scale: {time: 60}
    units: {time: minutes}
  wrong:
    spurious: [[yeast, time]]
    bounds: {time: {upper: 24}}
literature: [A. Baker (1990)]
"""

SAMPLES = ("algal2", "cachexia1", "expenditure", "foodsecurity", "lexical", "liquefaction", "stocks")


def read(text: str) -> DagFile:
    return parse_dag(text, where="DAG file bread.yaml")


def test_every_field_of_a_file_arrives() -> None:
    dag = read(BREAD)
    assert dag.edges == (Edge("yeast", "volume"), Edge("time", "volume"))
    assert list(dag.variables) == ["yeast", "time", "volume"]
    assert (dag.variables["time"].lower, dag.variables["time"].upper) == (0.0, None)
    assert dag.parents_of("volume") == ("yeast", "time")
    assert dag.parents_of("yeast") == ()
    named = dag.pick_truth()
    assert named is not None
    assert named.name == "truth"
    assert named.truth.coefficients == {"volume": {"yeast": 10.0, "time": -8.5}}
    assert named.truth.intercepts == {"volume": 900.0}
    assert dag.pick_condition("minutes").scale == {"time": 60.0}
    assert dag.pick_condition("wrong").spurious == (Edge("yeast", "time"),)
    assert dag.literature == ("A. Baker (1990)",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # the graph
        ("[yeast, volume]", "[yeast, yeast]", "edges: the edge yeast -> yeast leads from a variable to itself"),
        ("{parent: time, child: volume}", "[volume, yeast]", "edges: the edge volume -> yeast closes a cycle"),
        ("{parent: time, child: volume}", "[yeast, volume]", "edges: the edge yeast -> volume is given twice"),
        ("[yeast, volume]", "[salt, volume]", "edges: the edge salt -> volume names the unknown variable 'salt'"),
        ("[yeast, volume]", "[yeast]", "edges, entry 1: ['yeast'] is not an edge; write [PARENT, CHILD]"),
        ("[yeast, volume]", "{parent: yeast}", "edges, entry 1: {'parent': 'yeast'} is not an edge"),
        ("  - [yeast, volume]\n  - {parent: time, child: volume}\n", "  []\n", "edges: there are none"),
        ("edges:\n  - [yeast, volume]\n  - {parent: time, child: volume}\n", "", "edges: is missing"),
        # names
        ("name: bread", "name: Bread 1", "name: 'Bread 1' is not a slug"),
        ("name: bread", "name: null", "name: 'null' is not a slug"),
        ("domain: baking", "domain: ../x", "domain: '../x' is not a slug"),
        ("  yeast: {", "  a*b: {", "variables.a*b: the name 'a*b' cannot be told from the rest"),
        ("  yeast: {", "  2.5: {", "variables.2.5: the name '2.5' cannot be told from the rest"),
        (
            "  yeast: {",
            "  dry_yeast: {description: x, unit: g}\n  dry yeast: {",
            "differs from dry_yeast in spaces and",
        ),
        ("  yeast: {", "  E_volume: {", "variables.E_volume: this is how the noise of volume is written"),
        ("  minutes:", "  original:", "conditions.original: this name is kept"),
        ("  minutes:", "  In Minutes:", "conditions.In Minutes: 'In Minutes' is not a slug"),
        # numbers
        ("lower: 300", "lower: 3001", "variables.volume: lower (3001) is above upper (3000)"),
        ("lower: 300", "lower: low", "variables.volume.lower: 'low' is not a number"),
        ("lower: 300", "lower: 1,300", "is not a"),
        ("lower: 300", "lower: 1_300", "variables.volume.lower: '1_300' is not a number"),
        ("lower: 300", "lower: -.inf", "variables.volume.lower: '-.inf' is not a finite number"),
        ("lower: 300", "lower: 1e999", "variables.volume.lower: '1e999' is not a finite number"),
        ("time: -8.5", "time: nan", "truth.coefficients.volume.time: 'nan' is not a finite number"),
        ("time: -8.5", "time: ''", "truth.coefficients.volume.time: '' is not a number"),
        ("{volume: 0}", "{volume: -1}", "truth.noise_sd.volume: must not be below 0"),
        ("scale: {time: 60}", "scale: {time: 0}", "conditions.minutes.scale.time: must be above 0"),
        # truth
        (", time: -8.5", "", "truth.coefficients.volume: has no coefficient for the edge time -> volume"),
        ("time: -8.5}", "time: -8.5, salt: 1}", "truth.coefficients.volume: there is no edge salt -> volume"),
        ("-8.5}", "-8.5}\n    time: {yeast: 1}", "truth.coefficients.time: there is no edge yeast -> time"),
        ("-8.5}", "-8.5}\n    salt: {yeast: 1}", "truth.coefficients: 'salt' is not a variable"),
        ("{volume: 900}", "{salt: 1}", "truth.intercepts: 'salt' is not a variable"),
        ("{volume: 0}", "{salt: 1}", "truth.noise_sd: 'salt' is not a variable"),
        ("truth:", "default_truth: kitchen\ntruth:", "default_truth: 'kitchen' is not one of truths (none)"),
        ("  source: a kitchen\n", "", "truth.source: is missing"),
        # conditions
        ("{time: minutes}", "{}", "conditions.minutes.units: time is scaled, so its new unit must be given"),
        ("scale: {time: 60}", "scale: {salt: 60}", "conditions.minutes.scale: 'salt' is not a variable"),
        ("{time: {upper: 24}}", "{salt: {}}", "conditions.wrong.bounds: 'salt' is not a variable"),
        ("{upper: 24}", "{lower: 25, upper: 24}", "conditions.wrong.bounds.time: lower (25) is above upper (24)"),
        ("[[yeast, time]]", "[[volume, time]]", "conditions.wrong.spurious: the edge volume -> time closes a cycle"),
        ("[[yeast, time]]", "[[time, volume]]", "conditions.wrong.spurious: the edge time -> volume is given twice"),
        ("[[yeast, time]]", "[[salt, time]]", "conditions.wrong.spurious: the edge salt -> time names the unknown"),
        (
            "    scale: {time: 60}\n    units: {time: minutes}",
            "    description: x",
            "conditions.minutes: changes nothing",
        ),
        # keys, kinds, texts
        ("persona:", "person:", "persona: is missing"),
        ("literature:", "literatur:", "literatur: is not a known key; did you mean 'literature'?"),
        ("unit: g,", "unit: g, uper: 5,", "variables.yeast.uper: is not a known key; did you mean 'upper'?"),
        ("  time: {d", "  yeast: {d", "line 7: the key 'yeast' is given twice"),
        ("unit: hours", "unit: ''", "variables.time.unit: is empty"),
        ("overview: Bread rises.", "overview: [a]", "overview: must be a text"),
        ("persona: a baker", f"persona: {'x' * 5000}", "persona: is longer than 4,000 characters"),
        ("literature: [A. Baker (1990)]", "literature: Baker", "literature: must be a list"),
        (
            "  coefficients:\n    volume: {yeast: 1.0e+1, time: -8.5}",
            "  coefficients:",
            "truth.coefficients: must be a map",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_file_and_field(old: str, new: str, message: str) -> None:
    assert old in BREAD
    with pytest.raises(InputError) as caught:
        read(BREAD.replace(old, new, 1))
    assert str(caught.value).startswith("DAG file bread.yaml: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a list", "plain", "[" * 500, "!!python/object/apply:os.getcwd []", "\x00"])
def test_what_is_no_mapping_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^DAG file bread\.yaml: [^\n]+\Z"):
        read(text)


def test_aliases_that_stand_for_a_huge_text_are_refused_and_not_written_out() -> None:
    levels = "abcdefghijklmnop"
    lines = [f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in pairwise(levels)]
    huge = "\n".join(["a: &a [x, x]", *lines, ""])
    with pytest.raises(InputError, match=r"edges, entry 1: \[\[.*\.\.\.") as caught:
        read(huge + BREAD.replace("[yeast, volume]", "*p", 1))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("open_side", ["null", "~", "", "''"])
def test_a_bound_may_be_left_out_or_null(open_side: str) -> None:
    assert read(BREAD.replace("lower: 300", f"lower: {open_side}")).variables["volume"].lower is None


def test_names_may_have_spaces_digits_and_letters_of_any_script_and_may_differ_in_case_only() -> None:
    text = BREAD.replace("yeast", "Hefe für Brot 2").replace("time", "Volume")
    assert read(text).parents_of("volume") == ("Hefe für Brot 2", "Volume")


def test_text_over_several_lines_becomes_one_line() -> None:
    text = BREAD.replace("overview: Bread rises.", "overview: |\n  Bread\n  rises,\n\n  then  falls.")
    assert read(text).overview == "Bread rises, then falls."


SETS = """\
truths:
  kitchen: {source: a kitchen, coefficients: {volume: {yeast: 1, time: 2}}}
  factory: {source: a factory, coefficients: {volume: {yeast: 3, time: 4}}}
"""
UNTRUE = BREAD[: BREAD.index("truth:")]


def test_of_several_truth_sets_the_default_is_taken_unless_another_is_named() -> None:
    dag = read(UNTRUE + SETS + "default_truth: factory\n")
    default, named = dag.pick_truth(), dag.pick_truth("kitchen")
    assert default is not None
    assert named is not None
    assert (default.name, default.truth.source) == ("factory", "a factory")
    assert (named.name, named.truth.source) == ("kitchen", "a kitchen")
    with pytest.raises(InputError, match=r"has no truth set 'shop'; it has kitchen, factory"):
        dag.pick_truth("shop")


def test_truth_is_optional() -> None:
    dag = read(UNTRUE)
    assert dag.pick_truth() is None
    with pytest.raises(InputError, match=r"has no truth set 'kitchen'; it has none"):
        dag.pick_truth("kitchen")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (UNTRUE + SETS, "default_truth: is missing; name one of kitchen, factory"),
        (UNTRUE + SETS + "default_truth: shop\n", "default_truth: 'shop' is not one of truths (kitchen, factory)"),
        (BREAD + SETS + "default_truth: factory\n", "truths: give either truth or truths, not both"),
        (
            UNTRUE + SETS.replace(", time: 4", "") + "default_truth: kitchen\n",
            "truths.factory.coefficients.volume: has",
        ),
    ],
)
def test_truth_sets_must_be_told_apart(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)


def test_the_original_condition_changes_nothing_and_an_unknown_one_is_refused() -> None:
    dag = read(BREAD)
    assert dag.pick_condition().is_empty
    with pytest.raises(InputError, match=r"DAG bread: has no condition 'x'; it has original, minutes, wrong"):
        dag.pick_condition("x")


def test_a_dag_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        read(BREAD).name = "other"  # pyright: ignore[reportAttributeAccessIssue] - what is tested


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    missing, latin, large = (tmp_path / f"{name}.yaml" for name in ("missing", "latin", "large"))
    latin.write_bytes("name: Größe".encode("latin-1"))
    large.write_bytes(b"#" * 1_000_001)
    for path, problem in ((missing, "cannot be read"), (latin, "is not UTF-8"), (large, "is larger than 1,000,000")):
        with pytest.raises(InputError, match=problem) as caught:
            load_dag(path)
        assert str(path) in str(caught.value)


def test_a_file_of_ones_own_is_found_by_its_path_and_an_unknown_name_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "bread.yaml"
    own.write_text(BREAD, encoding="utf-8")
    assert load_dag(find_dag(str(own))).name == "bread"
    with pytest.raises(InputError, match=r"unknown DAG 'breat': give one of algal2, cachexia1,"):
        find_dag("breat")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_being_written_and_read(number: float) -> None:
    assert to_number(repr(number)) == number


@given(dags(min_nodes=2))
def test_every_acyclic_graph_is_taken_and_its_parents_are_its_edges(
    dag: tuple[tuple[str, ...], tuple[Edge, ...]],
) -> None:
    names, edges = dag
    record: dict[str, Any] = {
        "name": "any",
        "domain": "any",
        "persona": "anyone",
        "overview": "anything",
        "variables": {name: {"description": name, "unit": "1"} for name in names},
        "edges": [list(edge) for edge in edges],
    }
    if not edges:
        with pytest.raises(ValidationError, match="there are none"):
            DagFile.model_validate(record)
        return
    read_dag = DagFile.model_validate(record)
    assert {Edge(parent, child) for child in names for parent in read_dag.parents_of(child)} == set(edges)
    # One edge back along any of them closes a cycle.
    with pytest.raises(ValidationError, match="closes a cycle"):
        DagFile.model_validate(record | {"edges": [*record["edges"], [edges[0].child, edges[0].parent]]})


def test_seven_dags_come_with_the_project_each_under_its_own_name() -> None:
    assert tuple(path.stem for path in list_dags()) == SAMPLES
    assert tuple(load_dag(path).name for path in list_dags()) == SAMPLES


def test_the_published_schema_is_up_to_date() -> None:
    published = (SAMPLE_DAGS / "dag.schema.json").read_text(encoding="utf-8")
    now = json.dumps(to_json_schema(), indent=2, ensure_ascii=False) + "\n"
    assert published == now, "write what schemas.dags.to_json_schema() gives, with indent 2, to dag.schema.json"


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_names_its_schema_for_editors_and_is_valid_under_it(name: str) -> None:
    text = (SAMPLE_DAGS / f"{name}.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=dag.schema.json\n")
    jsonschema.validate(yaml.safe_load(text), to_json_schema())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: bread", "name: Bread 1"),
        ("lower: 300", "lower: low"),
        ("[yeast, volume]", "[yeast]"),
        ("unit: g,", "unit: g, uper: 5,"),
        ("  minutes:", "  In Minutes:"),
        ("scale: {time: 60}", "scale: {time: 0}"),
        ("persona: a baker", "persona: ''"),
    ],
)
def test_an_editor_marks_what_the_schema_can_see(old: str, new: str) -> None:
    schema = to_json_schema()
    jsonschema.validate(yaml.safe_load(BREAD), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(BREAD.replace(old, new, 1)), schema)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_variable_of_a_sample_is_explained_in_more_than_its_name(name: str) -> None:
    dag = load_dag(SAMPLE_DAGS / f"{name}.yaml")
    assert len(dag.overview.split()) >= 50
    assert all(len(variable.description.split()) >= 4 for variable in dag.variables.values())
    assert len({variable.description for variable in dag.variables.values()}) == len(dag.variables)
    assert dag.literature


def test_the_example_of_the_documentation_is_a_valid_file_with_and_without_its_additions() -> None:
    page = (SAMPLE_DAGS.parents[1] / "docs" / "linear-scm.md").read_text(encoding="utf-8")
    graph, truth, conditions = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert parse_dag(graph, where="page").pick_truth() is None
    whole = parse_dag(graph + truth + conditions, where="page")
    assert whole.pick_truth() is not None
    assert whole.conditions
