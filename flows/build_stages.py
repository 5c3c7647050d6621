"""The stages of a build: which task runs for what, how many at once, and what becomes of failures.

Records are handed to tasks ``as_given``: Prefect does not walk through them, nor draw an arrow between every two tasks
that were given the same object.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from flows.gathering import StageCounter, as_given, run_each
from schemas.articles import Article
from schemas.backbones import Backbone
from schemas.calls import Failure, FailureReason
from schemas.drafts import BackboneDraft
from schemas.rows import BackboneKey, Written
from schemas.settings import BuildSettings
from schemas.summaries import BuildSummary
from storage.article_lock import write_lock
from storage.records import read_splits
from storage.splits import assign_splits
from tasks.articles import find_articles, read_backbones
from tasks.descriptions import DescribedExample, describe_examples
from tasks.elicitation import elicit_edges, elicit_joints, elicit_marginals, elicit_multi_joints, elicit_variables
from tasks.examples import SHARD, plan_examples, sample_examples
from tasks.input_budget import cut_article, find_budget, is_cut, note_cut
from tasks.recovery import RecoveredBackbone, recover_cpds, to_backbone
from tasks.session import Session
from tasks.writing import write_tables

ARTICLES_AT_ONCE = 16
BACKBONES_AT_ONCE = 4
IMPORT_PREFIX = "backbones:"
PASSES = (elicit_variables, elicit_edges, elicit_marginals, elicit_joints, elicit_multi_joints)

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """An article, and its backbone where that was imported rather than elicited."""

    article: Article
    imported: Backbone | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WrittenBackbone:
    """What was stored of one backbone."""

    key: BackboneKey
    examples: tuple[str, ...]
    files: tuple[Written, ...]


async def find_sources(session: Session[BuildSettings]) -> tuple[Source, ...]:
    """The articles of the source, or the backbones of a file with theirs."""
    source = session.settings.source
    if source.startswith(IMPORT_PREFIX):
        imported = read_backbones(source.removeprefix(IMPORT_PREFIX))
        return tuple(Source(item.article, item.backbone) for item in imported)
    budget = find_budget(session.settings.model, session.settings.input_tokens)
    return tuple(Source(note_cut(article, budget)) for article in await find_articles(as_given(session.settings)))


async def elicit_backbones(session: Session[BuildSettings], sources: Sequence[Source]) -> list[Backbone]:
    """The five passes over every article."""
    count = StageCounter(session, "elicitation", len(sources))
    budget = find_budget(session.settings.model, session.settings.input_tokens)

    async def elicit(source: Source) -> Backbone | Failure:
        if source.imported is not None:
            return source.imported
        draft: BackboneDraft | Failure = BackboneDraft(cut_article(source.article, budget))
        for elicit_pass in PASSES:
            draft = await elicit_pass(as_given(draft))
            if isinstance(draft, Failure):
                return draft
        session.fail(*draft.losses)
        return to_backbone(replace(draft, article=source.article))

    def fail(source: Source) -> Callable[[FailureReason, str], Failure]:
        article = source.article
        return partial(Failure, "elicitation", article.domain, article.backbone, article.title)

    return session.keep(await run_each(sources, count.after(elicit), fail, at_once=session.at_once(ARTICLES_AT_ONCE)))


async def recover_backbones(session: Session[BuildSettings], backbones: Sequence[Backbone]) -> list[RecoveredBackbone]:
    """CPDs and coherence of every backbone."""

    async def recover(backbone: Backbone) -> RecoveredBackbone | Failure:
        return recover_cpds(as_given(backbone), as_given(session.settings))

    def fail(backbone: Backbone) -> Callable[[FailureReason, str], Failure]:
        return partial(Failure, "cpds", backbone.domain, backbone.backbone, backbone.title)

    return session.keep(await run_each(backbones, recover, fail, at_once=BACKBONES_AT_ONCE))


async def write_backbones(
    session: Session[BuildSettings], sources: Sequence[Source], backbones: Sequence[RecoveredBackbone]
) -> list[WrittenBackbone]:
    """Examples sampled, described and stored, backbone by backbone, so that memory holds a few at a time."""
    settings = session.settings
    articles = {BackboneKey(source.article.domain, source.article.backbone): source.article for source in sources}
    planned = plan_examples(backbones, settings)
    splits = assign_splits(read_splits(Path(settings.data)), [item.backbone.key for item in backbones])
    count = StageCounter(session, "descriptions", sum(planned.values()))

    async def write(recovered: RecoveredBackbone) -> WrittenBackbone:
        key = recovered.backbone.key
        drafts = sample_examples(as_given(recovered), planned[key], as_given(settings))
        examples: list[DescribedExample] = []
        size = session.at_once(SHARD)
        for shard in range(0, len(drafts), size):
            part = drafts[shard : shard + size]
            outcomes = await describe_examples(
                as_given(recovered.backbone), shard // size + 1, as_given(part), as_given(settings)
            )
            examples += session.keep(outcomes)
            count.add(len(outcomes))
        files = write_tables(
            as_given(articles[key]), as_given(recovered), as_given(examples), splits[key], as_given(settings)
        )
        return WrittenBackbone(key, tuple(item.example for item in examples), files)

    def fail(recovered: RecoveredBackbone) -> Callable[[FailureReason, str], Failure]:
        backbone = recovered.backbone
        return partial(Failure, "description", backbone.domain, backbone.backbone, backbone.title)

    result = session.keep(await run_each(backbones, write, fail, at_once=session.at_once(BACKBONES_AT_ONCE)))
    write_lock(Path(settings.data), settings.source.partition(":")[0], articles.values())
    return result


def summarise(
    session: Session[BuildSettings], sources: Sequence[Source], written: Sequence[WrittenBackbone], seconds: float
) -> BuildSummary:
    """What the run did."""
    files = [file for item in written for file in item.files]
    first = next((item.examples[0] for item in written if item.examples), None)
    return BuildSummary(
        run=session.run,
        data=session.settings.data,
        model=session.settings.model,
        n_articles=len(sources),
        n_cut=sum(is_cut(source.article) for source in sources),
        n_networks=len(written),
        n_examples=sum(len(item.examples) for item in written),
        n_files=len(files),
        n_changed_files=sum(file.is_changed for file in files),
        seconds=seconds,
        stages=session.ledger.totals(),
        failures=session.ledger.failures,
        first_example=first,
    )
