"""Labelled pairs are read whole, or refused in one line that names the file, the line and the column."""

from pathlib import Path

import pytest

from bayes.judging.agreement import LabelledPair
from schemas.errors import InputError
from schemas.judge_pairs import read_judge_pairs

HEADER = "kind,left,right,is_same,category,part\n"
SAMPLE = Path(__file__).parents[2] / "samples" / "judge_pairs.csv"


def write(folder: Path, text: str) -> Path:
    path = folder / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_in_its_order_with_quoted_commas_and_other_columns_ignored(tmp_path: Path) -> None:
    text = HEADER.replace("\n", ",note\n") + 'state,"$1,015",$235,no,number,test,x\nvariable,rain,Regen,yes,é,tune,\n'
    assert read_judge_pairs(write(tmp_path, text)) == (
        LabelledPair("state", "$1,015", "$235", False, "number", "test"),
        LabelledPair("variable", "rain", "Regen", True, "é", "tune"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the column 'kind' is missing"),
        ("kind,left,right,is_same,category\n", "line 1: the column 'part' is missing"),
        (HEADER, "has no pairs"),
        (HEADER + "edge,a,b,yes,x,tune\n", "line 2: kind: must be variable or state, not 'edge'"),
        (HEADER + "state,a,b,yes,x,tune\nstate,c,d,1,x,tune\n", "line 3: is_same: must be yes or no, not '1'"),
        (HEADER + "state,a,b,yes,x,train\n", "line 2: part: must be tune or test, not 'train'"),
        (HEADER + "state,a, ,yes,x,tune\n", "line 2: right: must be a text of 1 to 200 characters"),
        (HEADER + "state,a,b,yes,x\n", "line 2: part: is missing"),
        (HEADER + "state,a,b,c,yes,x,tune\n", "line 2: has more cells than the header"),
        (HEADER + "state,a,b,yes,x,tune\nstate,b,a,no,x,test\n", "line 3: left: this state pair is on line 2 already"),
        (HEADER + 'state,"a"b,c,yes,x,tune\n', "is not a CSV file"),
    ],
)
def test_what_is_wrong_is_named_by_file_line_and_column(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_judge_pairs(path)
    message = str(error.value)
    assert message.startswith(str(path))
    assert told in message
    assert "\n" not in message


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_judge_pairs(tmp_path / "no.csv")
    path = tmp_path / "bytes.csv"
    path.write_bytes(HEADER.encode() + b"state,\xff,b,yes,x,tune\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_judge_pairs(path)


@pytest.mark.parametrize("part", ["tune", "test"])
def test_both_parts_of_the_sample_are_large_balanced_and_have_every_category(part: str) -> None:
    every = read_judge_pairs(SAMPLE)
    pairs = [pair for pair in every if pair.part == part]
    assert len(pairs) >= 150
    assert 0.4 < sum(pair.is_same for pair in pairs) / len(pairs) < 0.6
    assert 0.25 < sum(pair.kind == "state" for pair in pairs) / len(pairs) < 0.4
    assert {pair.category for pair in pairs} == {pair.category for pair in every}
