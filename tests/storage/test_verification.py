"""A sound corpus passes, and everything a consumer relies on is missed when it is not so."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import InputError
from storage.corpus import write_rows
from storage.layout import PART, partition, remove_backbone
from storage.parquet import read_table
from storage.verification import MAX_FINDINGS, Finding, TableCount, verify
from tests.storage.corpora import BACKBONE, DOMAIN, write_backbone_tables, write_corpus

Row = dict[str, Any]
Rows = list[Row]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def small(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(shutil.copytree(sound, tmp_path_factory.mktemp("small") / "data"))
    remove_backbone(folder, "society", "bread-riots")
    return folder


@pytest.fixture
def data(small: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small, tmp_path / "data"))


def change(data: Path, table: str, edit: Callable[[Rows], Rows], part: str = PART) -> None:
    """Rewrite one file of the first backbone as a careless program would."""
    rows = read_table(data, table, DOMAIN, BACKBONE).drop_columns(["domain", "backbone"]).to_pylist()
    write_rows(data, table, DOMAIN, BACKBONE, edit(rows), run="careless", part=part)


def set_in_first(**values: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [rows[0] | values, *rows[1:]]


def drop(n: int) -> Callable[[Rows], Rows]:
    return lambda rows: rows[n:]


def repeat_first(rows: Rows) -> Rows:
    return [rows[0], *rows]


def shift(rows: Rows) -> Rows:
    """A column that still sums to 1, with a negative probability."""
    return [rows[0] | {"probability": -0.5}, rows[1] | {"probability": 1.5}, *rows[2:]]


def reverse(rows: Rows) -> Rows:
    return rows[::-1]


def test_what_the_program_writes_is_sound_and_counted(sound: Path) -> None:
    report = verify(sound)
    assert report.findings == ()
    assert report.is_sound
    assert (report.n_backbones, report.n_networks) == (2, 6)
    assert TableCount("examples", 2, 4) in report.tables
    assert TableCount("calls", 1, 1) in report.tables


def test_a_folder_without_tables_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no tables in this folder"):
        verify(tmp_path)


@pytest.mark.parametrize(
    ("table", "edit", "what"),
    [
        ("articles", set_in_first(text="Another text."), "sha256 is not that of the text"),
        ("articles", set_in_first(words=11), "words is 11, the text has 10"),
        ("backbones", set_in_first(article_sha256="0" * 64), "article_sha256 is not that of the article"),
        ("backbones", set_in_first(n_dropped_edges=0), "n_dropped_edges does not count dropped_edges"),
        ("backbones", set_in_first(depth=9), "depth is 9, the network has 2"),
        ("backbones", set_in_first(n_edges=9), "n_edges is 9, the network has 3"),
        ("variables", set_in_first(level=5), "level is 5 instead of 0"),
        ("variables", set_in_first(n_children=5), "n_children is 5"),
        ("edges", set_in_first(parent="sea"), "these are not the edges that cpds has"),
        ("edges", drop(1), "these are not the edges that cpds has"),
        ("marginals", set_in_first(state="shut"), "its rows are not one per configuration and state"),
        ("marginals", set_in_first(variable="sea"), "names a variable that the backbone has not"),
        ("marginals", set_in_first(probability=0.6), "is no distribution, it sums to 1.1"),
        ("marginals", drop(2), "there is no table for ('dam',)"),
        ("joints", set_in_first(probability=-0.1), "is no distribution"),
        ("joints", drop(1), "its rows are not one per configuration and state"),
        ("joints", drop(4), "there is no table for ('pairwise', 'flood', ('river',))"),
        ("joints", set_in_first(parent_states=["dry"]), "its rows are not one per configuration and state"),
        ("cpds", set_in_first(probability=0.6), "variable 'dam': a column sums to 1.1"),
        ("cpds", set_in_first(probability=float("nan")), "variable 'dam': a probability is negative or not finite"),
        ("cpds", shift, "negative"),
        ("cpds", drop(1), "variable 'dam': has 1 rows in cpds instead of 2"),
        ("cpds", set_in_first(state="shut"), "its states in cpds are not those of variables"),
        ("cpds", reverse, "its rows are not sorted by network"),
        ("examples", set_in_first(words=99), "words is 99, the text has 3"),
        ("examples", set_in_first(split="test"), "its examples are in several splits"),
        ("examples", set_in_first(split="dev"), "'dev' is not a split"),
        ("examples", set_in_first(variables=["rain"]), "variables are not those of its network in cpds"),
        ("examples", set_in_first(n_variables=4), "n_variables is 4, the network has 3"),
        ("examples", set_in_first(network_json="{}"), "network JSON: variables: Field required"),
        ("examples", repeat_first, "is there 2 times"),
        ("examples", set_in_first(example="river-floods-3-0000000A"), "has no network in cpds"),
        ("examples", set_in_first(example="other-3-0000000a"), "does not begin with the backbone's id"),
        ("examples", drop(1), "network 'river-floods-3-0000000a' is no example and not the backbone"),
    ],
)
def test_a_broken_promise_is_found_in_its_table_and_backbone(
    data: Path, table: str, edit: Callable[[Rows], Rows], what: str
) -> None:
    change(data, table, edit)
    report = verify(data)
    assert not report.is_sound
    assert any(what in finding.what for finding in report.findings), report.findings
    assert all(f"domain={DOMAIN}/backbone={BACKBONE}" in finding.file for finding in report.findings)


def test_the_json_of_an_example_must_be_its_network_to_the_last_digit(data: Path) -> None:
    change(
        data,
        "examples",
        lambda rows: [rows[0] | {"network_json": rows[0]["network_json"].replace("0.3", "0.30", 1)}, *rows[1:]],
    )
    (finding,) = verify(data).findings
    assert finding.what == "'river-floods-3-0000000a': network_json is not the canonical JSON of its network in cpds"


def to_cycle(rows: Rows) -> Rows:
    """Give flood's only parent, river, the only parent flood; both have two states."""
    return [
        row | {"parents": ["flood"]} if row["network"] == BACKBONE and row["variable"] == "river" else row
        for row in rows
    ]


def test_a_cycle_is_found(data: Path) -> None:
    change(data, "variables", to_cycle)

    def close(rows: Rows) -> Rows:
        is_river = [row["network"] == BACKBONE and row["variable"] == "river" for row in rows]
        at = is_river.index(True)
        kept = [row for row, river in zip(rows, is_river, strict=True) if not river]
        new = [
            rows[at]
            | {"parents": ["flood"], "parent_states": [given], "state": state, "probability": 0.5, "rule": "given"}
            for given in ("severe", "none")
            for state in ("full", "none")
        ]
        return kept[:at] + new + kept[at:]

    change(data, "cpds", close)
    assert any("the edges close a cycle" in finding.what for finding in verify(data).findings)


def test_an_example_that_falls_apart_is_found(data: Path) -> None:
    """River loses its parents in one example: rain stands alone, dam too."""
    name = f"{BACKBONE}-3-0000000b"

    def cut_variables(rows: Rows) -> Rows:
        return [row | {"parents": []} if (row["network"], row["variable"]) == (name, "river") else row for row in rows]

    def cut_cpds(rows: Rows) -> Rows:
        kept = [row for row in rows if (row["network"], row["variable"]) != (name, "river")]
        river = next(row for row in rows if (row["network"], row["variable"]) == (name, "river"))
        cut = {"parents": [], "parent_states": [], "probability": 0.5, "rule": "prior"}
        return kept + [river | cut | {"state": state} for state in ("full", "none")]

    change(data, "variables", cut_variables)
    change(data, "cpds", cut_cpds)
    assert any("its variables don't hang together" in finding.what for finding in verify(data).findings)


@pytest.mark.parametrize("table", ["articles", "backbones", "variables", "edges", "marginals", "joints", "cpds"])
def test_a_table_that_is_missing_for_a_backbone_is_found(data: Path, table: str) -> None:
    shutil.rmtree(partition(data, table, DOMAIN, BACKBONE))
    where = f"{table}/domain={DOMAIN}/backbone={BACKBONE}"
    assert Finding(table, where, "there are no rows for this backbone") in verify(data).findings


def test_an_article_whose_passes_failed_needs_no_other_tables(data: Path) -> None:
    article = read_table(data, "articles", DOMAIN, BACKBONE).drop_columns(["domain", "backbone"]).to_pylist()
    write_rows(data, "articles", DOMAIN, "dry-spells", [article[0] | {"network": "dry-spells"}], run="r")
    assert verify(data).is_sound


def test_a_corrupt_file_is_one_finding_that_names_it(data: Path) -> None:
    path = partition(data, "edges", DOMAIN, BACKBONE) / "part.parquet"
    path.write_bytes(path.read_bytes()[:100])
    (finding,) = verify(data).findings
    assert finding.table == "edges"
    assert finding.file == f"edges/domain={DOMAIN}/backbone={BACKBONE}/part.parquet"
    assert "cannot be read" in finding.what


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "domain=environment/part.parquet", "domain=A/backbone=b/part.parquet", "domain=a/backbone=b/x.csv"],
)
def test_a_stray_file_is_found(data: Path, name: str) -> None:
    path = data / "cpds" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    (finding,) = verify(data).findings
    assert finding.file == f"cpds/{name}"
    assert "is no file of the form" in finding.what


def test_the_same_example_in_two_domains_is_found(data: Path) -> None:
    write_backbone_tables(data, "society", BACKBONE)
    assert "'river-floods-3-0000000a' is also in environment/river-floods" in {
        finding.what for finding in verify(data).findings
    }


@pytest.mark.parametrize(
    ("table", "values", "what"),
    [
        ("failures", {"reason": "bad_luck"}, "'bad_luck' is no reason"),
        ("calls", {"tokens_in": -1}, "tokens_in is negative"),
        ("calls", {"cost_usd": -0.1}, "cost_usd is negative"),
    ],
)
def test_the_record_of_a_run_is_checked_too(data: Path, table: str, values: Row, what: str) -> None:
    change(data, table, set_in_first(**values), part="run-1")
    (finding,) = verify(data).findings
    assert (finding.table, finding.what) == (table, what)


def test_a_call_of_unknown_cost_is_no_finding(data: Path) -> None:
    change(data, "calls", set_in_first(cost_usd=None), part="run-1")
    assert verify(data).is_sound


def test_many_findings_of_one_kind_are_cut_short_and_counted(data: Path) -> None:
    change(data, "articles", lambda rows: [rows[0] | {"words": i} for i in range(30)])
    # One for the number of rows and one for each of them but that with the right count, 10: 30 in all.
    whats = [finding.what for finding in verify(data).findings]
    assert len(whats) == MAX_FINDINGS + 1
    assert whats[-1] == "and 10 more"


def test_cpds_that_the_elicited_tables_do_not_give_are_a_finding(data: Path) -> None:
    """A joint that is a sound distribution, but not the one that the CPDs were recovered from."""

    def swap(rows: Rows) -> Rows:
        first, second = (
            i for i, row in enumerate(rows) if row["child"] == "flood" and row["parent_states"] == ["full"]
        )
        values = rows[first]["probability"], rows[second]["probability"]
        changed = {first: {"probability": values[1]}, second: {"probability": values[0]}}
        return [row | changed.get(i, {}) for i, row in enumerate(rows)]

    change(data, "joints", swap)
    findings = verify(data).findings
    # P(flood given full): 0.15 and 0.19 of 0.34 changed places, so each differs by 0.04 / 0.34 = 0.118
    what = "variable 'flood': the CPD differs by 0.118 from what pyAgrum recovers"
    assert f"network {BACKBONE!r}: {what}" in {finding.what for finding in findings}
    assert {finding.table for finding in findings} == {"cpds"}
