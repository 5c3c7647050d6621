"""Writing a backbone and its examples into the tables."""

from collections.abc import Sequence
from pathlib import Path

from prefect import task

from schemas.articles import Article
from schemas.errors import InputError
from schemas.rows import BackboneRow, ExampleRow, NamedNetwork, Split, Written
from schemas.settings import BuildSettings
from storage import corpus
from storage.records import read_articles
from tasks.descriptions import DescribedExample
from tasks.options import TASK_OPTIONS
from tasks.recovery import RecoveredBackbone
from tasks.session import current_session


@task(name="write-tables", task_run_name="tables of {recovered.backbone.backbone}", **TASK_OPTIONS)
def write_tables(
    article: Article,
    recovered: RecoveredBackbone,
    examples: Sequence[DescribedExample],
    split: Split,
    settings: BuildSettings,
) -> tuple[Written, ...]:
    """Write every table of one backbone; files whose rows have not changed are left alone."""
    data, run = Path(settings.data), current_session().run
    backbone, network = recovered.backbone, recovered.network
    domain, slug = backbone.domain, backbone.backbone
    networks = [NamedNetwork(slug, network), *(NamedNetwork(item.example, item.network) for item in examples)]
    row = BackboneRow(
        domain=domain,
        backbone=slug,
        title=backbone.title,
        model=backbone.model,
        n_variables=len(network.variables),
        n_edges=len(network.edges),
        depth=network.depth,
        dropped_edges=backbone.dropped,
        max_coherence_gap=recovered.coherence.max_gap,
        prompts_sha256=backbone.prompts_sha256,
        source=backbone.url,
        article_sha256=backbone.article_sha256,
        reconciled=settings.reconcile,
        max_reconcile_move=recovered.max_move,
    )
    rows = [
        ExampleRow(
            domain=domain,
            backbone=slug,
            example=item.example,
            network=item.network,
            text=item.text,
            writer=item.writer,
            attempts=item.attempts,
            checks=tuple(f"accepted in other words: {name}" for name in item.accepted),
            split=split,
        )
        for item in examples
    ]
    return (
        corpus.write_article(data, _keep_retrieval(data, article), run=run),
        *corpus.write_elicited(data, domain, slug, backbone.tables, recovered.marginals, run=run),
        *corpus.write_networks(
            data,
            domain,
            slug,
            networks,
            run=run,
            mechanisms=backbone.mechanisms,
            coherence=recovered.coherence.edges,
        ),
        corpus.write_examples(data, domain, slug, rows, run=run),
        corpus.write_backbone(data, row, run=run),  # last: what has a row here is whole
    )


def _keep_retrieval(data: Path, article: Article) -> Article:
    """The article as stored before, where it is the same: fetching it again is no change of the corpus."""
    try:
        articles = read_articles(data, article.domain, article.backbone)
    except InputError:  # damaged, or of an older version: it is written anew
        return article
    for stored in articles:
        if stored.model_copy(update={"retrieved_at": article.retrieved_at}) == article:
            return stored
    return article
