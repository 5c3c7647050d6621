"""Examples of a backbone: which connected subgraphs are taken, what they are called, and their re-rooted networks."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from prefect import task

from bayes.network import Network
from bayes.recovery import CpdRecovery
from bayes.subgraphs import allocate, sample_connected, to_names
from schemas.rows import BackboneKey
from schemas.settings import BuildSettings
from tasks.options import TASK_OPTIONS
from tasks.recovery import RecoveredBackbone, to_sizes

SHARD = 250
"""Examples that one task run describes."""


@dataclass(frozen=True, slots=True, eq=False)
class ExampleDraft:
    """An example before it is described."""

    example: str
    network: Network


def plan_examples(backbones: Sequence[RecoveredBackbone], settings: BuildSettings) -> dict[BackboneKey, int]:
    """How many examples each backbone gives, in proportion to what it holds and within the caps."""
    keys = {"/".join(key): key for key in (item.backbone.key for item in backbones)}
    available = {"/".join(item.backbone.key): item.n_subgraphs for item in backbones}
    shares = allocate(available, settings.examples, settings.per_backbone)
    return {keys[name]: share for name, share in shares.items()}


@task(name="sample-examples", task_run_name="{n} subgraphs of {recovered.backbone.backbone}", **TASK_OPTIONS)
def sample_examples(recovered: RecoveredBackbone, n: int, settings: BuildSettings) -> tuple[ExampleDraft, ...]:
    """A uniform sample of the backbone's connected subgraphs, re-rooted, each with its CPDs, in order of their ids."""
    backbone, tables = recovered.backbone, recovered.backbone.tables
    names = [variable.name for variable in tables.variables]
    masks = sample_connected(
        names,
        tables.edges,
        to_sizes(settings),
        n,
        total=recovered.n_subgraphs,
        seed=f"{settings.seed}/{backbone.domain}/{backbone.backbone}",
    )
    recovery = CpdRecovery(tables)
    networks = (recovery.to_network(to_names(names, mask)) for mask in masks)
    drafts = {draft.example: draft for draft in (ExampleDraft(to_id(backbone.backbone, net), net) for net in networks)}
    return tuple(drafts[example] for example in sorted(drafts))


def to_id(backbone: str, network: Network) -> str:
    """The id of an example, ``<backbone>-<size>-<8 hex>``, from its variables, states and edges alone.

    The digits do not depend on the order of variables nor on probabilities, so a rebuild, even with re-elicited tables,
    gives the same subgraph the same name.
    """
    content = [
        sorted([variable.name, *variable.states] for variable in network.variables),
        sorted(map(list, network.edges)),
    ]
    digest = hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()
    return f"{backbone}-{len(network.variables)}-{digest[:8]}"
