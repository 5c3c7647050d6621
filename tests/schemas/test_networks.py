"""Canonical JSON gives back the very same network, and refuses what is none."""

import json

import numpy as np
import pytest
from hypothesis import given

from bayes.network import Network
from schemas.errors import InputError
from schemas.networks import from_json, to_json
from tests.strategies import networks


@given(networks())
def test_reading_back_gives_the_same_network_to_the_last_bit(network: Network) -> None:
    again = from_json(to_json(network))
    assert again.variables == network.variables
    for before, after in zip(network.cpds, again.cpds, strict=True):
        assert (before.variable, before.parents, before.rules) == (after.variable, after.parents, after.rules)
        assert np.array_equal(before.matrix, after.matrix)
    assert to_json(again) == to_json(network)


GOOD = {"name": "rain", "states": ["heavy", "none"], "parents": [], "cpd": [[0.3], [0.7]], "rules": ["prior"]}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "network JSON: text: Invalid JSON"),
        ({"variables": [{**GOOD, "states": "heavy"}]}, "variables.0.states"),
        ({"variables": [{**GOOD, "parents": ["snow"]}]}, "unknown parent 'snow'"),
        ({"variables": [{**GOOD, "cpd": [[0.3]]}]}, "is not 2 x 1"),
        ({"variables": [{**GOOD, "rules": ["magic"]}]}, "variables.0.rules.0"),
        ({"variables": [GOOD], "extra": 1}, "extra"),
    ],
)
def test_each_kind_of_broken_json_is_named(record: object, message: str) -> None:
    text = record if isinstance(record, str) else json.dumps(record)
    with pytest.raises(InputError) as error:
        from_json(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
