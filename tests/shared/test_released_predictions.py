"""Two published predictions are read whole, null columns and all, and find the examples they belong to."""

import json
from pathlib import Path

import numpy as np
import pytest

from bayes.network import Edge
from schemas.errors import InputError
from schemas.oddities import Oddity
from schemas.predictions import PredictionFile, match_examples, read_predictions
from schemas.released import read_corpus

EXAMPLES = ("bn_00002_sub_001", "bn_00002_sub_002")


@pytest.fixture(scope="module")
def file(real: Path) -> PredictionFile:
    return read_predictions(real / "predictions_two.json")


def test_every_table_is_that_of_the_file(real: Path, file: PredictionFile) -> None:
    networks = json.loads((real / "predictions_two.json").read_text(encoding="utf-8"))["bayesian_networks"]
    n_tables = 0
    for one in file.predictions:
        nodes = networks[one.id]["nodes"]
        assert [variable.name for variable in one.prediction.variables] == list(nodes)
        for child, node in nodes.items():
            for parent, record in node["parents"].items():
                n_tables += 1
                expected = np.array(record["cpd_matrix"], dtype=float)
                assert np.array_equal(one.prediction.pairwise[Edge(parent, child)], expected, equal_nan=True)
    assert n_tables == 8


def test_the_oddities_are_those_counted_by_hand(file: PredictionFile) -> None:
    assert {item.kind: item.count for item in file.report.oddities} == {
        Oddity.TOTAL: 1,
        Oddity.PREDICTED_ID: 2,
        Oddity.NO_TEXT: 2,
        Oddity.ORDER: 1,
        Oddity.SEVERAL_PARENTS: 1,
        Oddity.BASELINE: 9,
        Oddity.NULL_CELLS: 6,
        Oddity.NULL_COLUMNS: 2,
        Oddity.NO_PRIOR: 2,
    }


def test_the_child_of_two_parents_has_their_product(file: PredictionFile) -> None:
    cpd = file.predictions[0].prediction.cpds["Theoretical framework"]
    assert cpd.parents == ("Research specialization", "Research collaboration")
    assert cpd.matrix.shape == (2, 9)
    assert cpd.matrix.sum(axis=0) == pytest.approx(np.ones(9))
    # P(c) by hand. The root is uniform and only its column "PhD" tells something, so research specialization is
    # (0.47, 0.47, 0.06) and research collaboration (0.94*0.87, 0.94*0.13, 0.06) = (0.8178, 0.1222, 0.06).
    by_specialization = 0.94 * 0.89 + 0.06 * 0.001
    by_collaboration = 0.8178 * 0.9998 + 0.1222 * 0.999 + 0.06 * 0.0004
    marginal = (by_specialization + by_collaboration) / 2
    yes, none = 0.89 * 0.9998 / marginal, 0.11 * 0.0002 / (1 - marginal)
    assert cpd.matrix[0, 0] == pytest.approx(yes / (yes + none), abs=1e-9)


def test_predictions_find_their_examples_and_no_others(file: PredictionFile) -> None:
    assert tuple(match_examples(file.predictions, EXAMPLES, where="f.json")) == EXAMPLES
    with pytest.raises(InputError, match="bn_00002_sub_002_predicted"):
        match_examples(file.predictions, EXAMPLES[:1], where="f.json")
    with pytest.raises(InputError, match="for another corpus"):
        match_examples(file.predictions, ("bank-runs-3-8c9cfe34",), where="f.json")


def test_the_file_can_also_be_read_as_a_corpus(real: Path) -> None:
    corpus = read_corpus(real / "predictions_two.json")
    assert [example.released.id for example in corpus.examples] == [f"{name}_predicted" for name in EXAMPLES]
    for example in corpus.examples:
        for cpd in example.reference.network.cpds:
            assert cpd.matrix.sum(axis=0) == pytest.approx(np.ones(cpd.matrix.shape[1]))


def test_a_raw_backbone_is_no_such_file(real: Path) -> None:
    with pytest.raises(InputError, match="bayesian_networks: is missing"):
        read_corpus(real / "wiki_00002.json")
