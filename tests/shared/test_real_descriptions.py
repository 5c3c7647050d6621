"""The writer describes subgraphs of a published backbone, awkward names and all."""

from pathlib import Path

import pytest

from bayes.coverage import check
from bayes.network import Network
from bayes.recovery import recover_cpd
from bayes.subgraphs import SizeRange, enumerate_connected, to_names
from providers.writer.writer import write
from schemas.raw_backbones import read_backbone


@pytest.mark.parametrize("record", ["wiki_00000.json", "wiki_00002.json"])
def test_every_fifth_subgraph_gets_a_description_that_passes(real: Path, record: str) -> None:
    text = (real / record).read_text(encoding="utf-8")
    tables = read_backbone(text, where=record, retrieved_at="").backbone.tables
    names = [variable.name for variable in tables.variables]
    for mask in list(enumerate_connected(names, tables.edges, SizeRange(2, 9, 1)))[::5]:
        chosen = to_names(names, mask)
        cpds = tuple(
            recover_cpd(tables, name, tuple(parent for parent in tables.parents[name] if parent in chosen))
            for name in chosen
        )
        network = Network(tuple(tables.by_name[name] for name in chosen), cpds)
        description = write(network, title="A title", seed=str(mask))
        assert check(description, network).problems == (), chosen
