"""The five elicitation passes, a task each: an article becomes a backbone with marginals and joints.

Each task takes the draft with the passes before it and gives back the draft with its own, or the failure that ends
this article. What a pass can do without (a joint that no attempt yields) is lost alone and noted in the draft.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from prefect import task

from bayes.graphs import DroppedEdge
from bayes.network import Edge, Variable
from providers.asking import Answer, Asker
from schemas.articles import Article
from schemas.calls import Failure
from schemas.drafts import BackboneDraft
from schemas.questions import (
    EdgesQuestion,
    Family,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    VariablesQuestion,
)
from schemas.replies import EdgesReply, JointsReply, MarginalsReply, MultiJointsReply, Reply, VariablesReply
from tasks import checking, table_checking
from tasks.chunking import (
    CELLS_A_CALL,
    EDGES_A_CALL,
    MAX_CELLS,
    ask_in_chunks,
    to_chunks,
    to_failure,
    to_max_tokens,
)
from tasks.options import TASK_OPTIONS
from tasks.prompting import describe_variables, render, to_json
from tasks.session import current_session

MAX_VARIABLES = 20

ReplyT = TypeVar("ReplyT", bound=Reply)


@task(name="elicit-variables", task_run_name="variables of {draft.article.backbone}", **TASK_OPTIONS)
async def elicit_variables(draft: BackboneDraft) -> BackboneDraft | Failure:
    """Pass 1: variables and their states."""
    article = draft.article
    answer = await _elicitor().ask(
        VariablesQuestion(
            domain=article.domain, backbone=article.backbone, article=article, max_variables=MAX_VARIABLES
        ),
        render("variables", title=article.title, text=article.text, max_variables=MAX_VARIABLES),
        VariablesReply,
        lambda reply: checking.check_variables(reply, max_variables=MAX_VARIABLES),
        max_tokens=4000,
    )
    if answer.value is None:
        return _to_failure(article, "variables", answer)
    return replace(draft, model=answer.model, variables=checking.to_variables(answer.value))


@task(name="elicit-edges", task_run_name="edges of {draft.article.backbone}", **TASK_OPTIONS)
async def elicit_edges(draft: BackboneDraft) -> BackboneDraft | Failure:
    """Pass 2: edges, made acyclic in the order given."""
    article = draft.article
    answer = await _elicitor().ask(
        EdgesQuestion(domain=article.domain, backbone=article.backbone, article=article, variables=draft.variables),
        render("edges", title=article.title, text=article.text, variables=describe_variables(draft.variables)),
        EdgesReply,
        checking.insist(partial(checking.check_edges, variables=draft.variables)),
        max_tokens=4000,
    )
    if answer.value is None:
        return _to_failure(article, "edges", answer)
    edges = checking.to_edges(answer.value, draft.variables)
    if not edges.acyclic.kept:
        detail = f"the model finds no cause and effect among {len(draft.variables)} variables"
        return Failure("edges", article.domain, article.backbone, article.title, "rejected", detail)
    return replace(draft, edges=edges.acyclic.kept, dropped=edges.acyclic.dropped, mechanisms=edges.mechanisms)


@task(name="elicit-marginals", task_run_name="marginals of {draft.article.backbone}", **TASK_OPTIONS)
async def elicit_marginals(draft: BackboneDraft) -> BackboneDraft | Failure:
    """Pass 3: the unconditional distribution of every variable."""
    article = draft.article

    async def ask(asked: Sequence[Variable]) -> Answer[MarginalsReply]:
        return await _elicitor().ask(
            MarginalsQuestion(
                domain=article.domain, backbone=article.backbone, article=article, variables=tuple(asked)
            ),
            render("marginals", title=article.title, text=article.text, variables=describe_variables(asked)),
            MarginalsReply,
            checking.insist(partial(table_checking.check_marginals, variables=asked)),
            max_tokens=to_max_tokens(sum(variable.cardinality for variable in asked)),
        )

    outcome = await ask_in_chunks(
        [draft.variables], ask, table_checking.to_marginals, lambda variable: variable.name, article, "marginals"
    )
    if outcome.losses:
        return outcome.losses[0]
    return replace(draft, marginals=outcome.results)


@task(name="elicit-joints", task_run_name="joints of {draft.article.backbone}", **TASK_OPTIONS)
async def elicit_joints(draft: BackboneDraft) -> BackboneDraft | Failure:
    """Pass 4: the pairwise joint of every edge. An edge without one is dropped."""
    article = draft.article
    variables = {variable.name: variable for variable in draft.variables}

    async def ask(asked: Sequence[Edge]) -> Answer[JointsReply]:
        ends = {name for edge in asked for name in edge}
        shown = tuple(variable for variable in draft.variables if variable.name in ends)
        return await _elicitor().ask(
            JointsQuestion(
                domain=article.domain,
                backbone=article.backbone,
                article=article,
                variables=shown,
                edges=tuple(asked),
            ),
            render(
                "joints",
                title=article.title,
                text=article.text,
                variables=describe_variables(shown, draft.marginals),
                edges=to_json([{"parent": parent, "child": child} for parent, child in asked]),
            ),
            JointsReply,
            checking.insist(partial(table_checking.check_joints, edges=asked, variables=variables)),
            max_tokens=to_max_tokens(sum(_count_cells(edge, variables) for edge in asked)),
        )

    outcome = await ask_in_chunks(
        to_chunks(
            draft.edges, lambda edge: _count_cells(edge, variables), most_items=EDGES_A_CALL, most_size=CELLS_A_CALL
        ),
        ask,
        lambda reply, asked: table_checking.to_joints(reply, asked, variables),
        lambda edge: f"{edge.parent} -> {edge.child}",
        article,
        "joints",
    )
    kept = tuple(edge for edge in draft.edges if edge in outcome.results)
    if not kept:
        return outcome.losses[0]
    lost = tuple(DroppedEdge(*edge, "no_table") for edge in draft.edges if edge not in outcome.results)
    return replace(
        draft,
        edges=kept,
        dropped=draft.dropped + lost,
        pairwise=outcome.results,
        losses=draft.losses + outcome.losses,
    )


@task(name="elicit-multi-joints", task_run_name="multi-parent joints of {draft.article.backbone}", **TASK_OPTIONS)
async def elicit_multi_joints(draft: BackboneDraft) -> BackboneDraft | Failure:
    """Pass 5: the joint of every child that has two or three parents. Without one, the product rule serves."""
    article = draft.article
    variables = {variable.name: variable for variable in draft.variables}
    families = to_families(draft.edges)
    small = [family for family in families if _count_cells(_to_axes(family), variables) <= MAX_CELLS]
    skipped = tuple(
        Failure(
            "multi_joints",
            article.domain,
            article.backbone,
            family.child,
            "rejected",
            f"its joint has more than {MAX_CELLS} cells; its CPD follows the product rule",
        )
        for family in families
        if family not in small
    )

    async def ask(asked: Sequence[Family]) -> Answer[MultiJointsReply]:
        members = {name for family in asked for name in _to_axes(family)}
        shown = tuple(variable for variable in draft.variables if variable.name in members)
        return await _elicitor().ask(
            MultiJointsQuestion(
                domain=article.domain,
                backbone=article.backbone,
                article=article,
                variables=shown,
                families=tuple(asked),
            ),
            render(
                "multi_joints",
                title=article.title,
                text=article.text,
                variables=describe_variables(shown, draft.marginals),
                families=to_json([family.model_dump(mode="json") for family in asked]),
            ),
            MultiJointsReply,
            checking.insist(partial(table_checking.check_multi_joints, families=asked, variables=variables)),
            max_tokens=to_max_tokens(sum(_count_cells(_to_axes(family), variables) for family in asked)),
        )

    outcome = await ask_in_chunks(
        to_chunks(
            small,
            lambda family: _count_cells(_to_axes(family), variables),
            most_items=EDGES_A_CALL,
            most_size=CELLS_A_CALL,
        ),
        ask,
        lambda reply, asked: table_checking.to_multi_joints(reply, asked, variables),
        lambda family: family.child,
        article,
        "multi_joints",
    )
    return replace(draft, multi=outcome.results, losses=draft.losses + skipped + outcome.losses)


def to_families(edges: Sequence[Edge]) -> list[Family]:
    """The children with two or three parents; four and more always follow the product rule."""
    parents: dict[str, list[str]] = {}
    for parent, child in edges:
        parents.setdefault(child, []).append(parent)
    return [Family(child=child, parents=tuple(names)) for child, names in parents.items() if len(names) in {2, 3}]


def _elicitor() -> Asker:
    session = current_session()
    return session.asker(session.settings.model)


def _to_axes(family: Family) -> tuple[str, ...]:
    return (*family.parents, family.child)


def _count_cells(names: Sequence[str], variables: Mapping[str, Variable]) -> int:
    return math.prod(variables[name].cardinality for name in names)


def _to_failure(article: Article, stage: str, answer: Answer[ReplyT]) -> Failure:
    return to_failure(answer, stage, article.domain, article.backbone, article.title)
