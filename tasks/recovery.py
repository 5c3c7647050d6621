"""From elicited tables to a parameterised backbone: reconcile if asked, recover CPDs, measure coherence."""

from dataclasses import dataclass, replace

from prefect import task

from bayes.coherence import Coherence, measure_coherence
from bayes.inference import to_marginals
from bayes.network import FloatArray, Network, Tables
from bayes.reconciliation import reconcile
from bayes.recovery import recover_network
from bayes.subgraphs import SizeRange, count_connected
from schemas.backbones import Backbone
from schemas.calls import Failure
from schemas.drafts import BackboneDraft
from schemas.settings import BuildSettings
from tasks.options import TASK_OPTIONS
from tasks.prompting import hash_prompts


@dataclass(frozen=True, slots=True, eq=False)
class RecoveredBackbone:
    """A backbone with its CPDs, its coherence, and how many examples it holds.

    ``max_move`` is the largest total variation by which reconciling moved a joint, None where it was not asked for.
    """

    backbone: Backbone
    network: Network
    marginals: dict[str, FloatArray]
    coherence: Coherence
    max_move: float | None
    n_subgraphs: int


def to_backbone(draft: BackboneDraft) -> Backbone:
    """The finished draft as a backbone."""
    article = draft.article
    return Backbone(
        domain=article.domain,
        backbone=article.backbone,
        title=article.title,
        url=article.url,
        model=draft.model,
        article_sha256=article.sha256,
        prompts_sha256=hash_prompts(),
        tables=Tables(draft.variables, draft.edges, draft.marginals, draft.pairwise, draft.multi),
        mechanisms=draft.mechanisms,
        dropped=draft.dropped,
    )


@task(name="recover-cpds", task_run_name="CPDs of {backbone.backbone}", **TASK_OPTIONS)
def recover_cpds(backbone: Backbone, settings: BuildSettings) -> RecoveredBackbone | Failure:
    """Recover all CPDs of a backbone; a backbone without a single subgraph of the asked sizes is rejected."""
    max_move = None
    if settings.reconcile:
        reconciliation = reconcile(backbone.tables)
        backbone, max_move = replace(backbone, tables=reconciliation.tables), reconciliation.max_move
    tables = backbone.tables
    names = [variable.name for variable in tables.variables]
    n_subgraphs = sum(count_connected(names, tables.edges, to_sizes(settings)).values())
    if not n_subgraphs:
        detail = (
            f"none of its {len(names)} variables and {len(tables.edges)} edges form a connected network of "
            f"{settings.min_nodes} to {settings.max_nodes} variables and {settings.min_edges} edges or more"
        )
        return Failure("examples", backbone.domain, backbone.backbone, backbone.title, "rejected", detail)
    network = recover_network(tables)
    marginals = to_marginals(network)
    return RecoveredBackbone(backbone, network, marginals, measure_coherence(tables, marginals), max_move, n_subgraphs)


def to_sizes(settings: BuildSettings) -> SizeRange:
    """Which subgraphs the settings take as examples."""
    return SizeRange(settings.min_nodes, settings.max_nodes, settings.min_edges)
