"""The four phases of extraction; see :mod:`tasks.extraction`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np

from bayes.network import Edge, Variable
from bayes.scoring.assembly import PairwiseNetwork, to_prediction
from bayes.scoring.records import PredictedCpd, Prediction
from providers.asking import Answer, Asker, Prompt
from schemas.benchmark import Mode
from schemas.calls import Failure
from schemas.errors import AccessError, ServiceError
from schemas.questions import (
    ExtractCpdsQuestion,
    ExtractEdgesQuestion,
    ExtractionQuestion,
    ExtractStatesQuestion,
    ExtractVariablesQuestion,
    Family,
)
from schemas.replies import CpdsReply, FoundEdgesReply, FoundNamesReply, FoundStatesReply, Reply
from schemas.rows import BackboneKey
from tasks import extraction_checks as checks
from tasks import extraction_tables as tables
from tasks.chunking import (
    CELLS_A_CALL,
    EDGES_A_CALL,
    MAX_CELLS,
    ChunkedAnswers,
    ask_in_chunks,
    to_chunks,
    to_failure,
    to_max_tokens,
)
from tasks.prompting import describe_variables, render, to_json

RETRIES = 2
"""How often a flawed reply goes back: fewer than in elicitation, since flaws of a reading are scored in the end."""

_NAMES_A_CALL = 20
_TOKENS_A_LIST = 4000
_REFUSED_REQUESTS = {"context_window", "rejected"}
"""Faults of a single request; the service answers others."""

ReplyT = TypeVar("ReplyT", bound=Reply)
Key = TypeVar("Key")
Value = TypeVar("Value")


def to_families(names: Sequence[str], edges: Sequence[Edge], mode: Mode) -> list[Family]:
    """The families whose tables are asked for, in the order of the names; an edge from a variable to itself is none.

    Example:
        >>> edges = (Edge("rain", "flood"), Edge("snow", "flood"))
        >>> [family.parents for family in to_families(("rain", "snow", "flood"), edges, "full")]
        [(), (), ('rain', 'snow')]
        >>> [family.parents for family in to_families(("rain", "snow", "flood"), edges, "pairwise")]
        [(), (), ('rain',), ('snow',)]
    """
    families: list[Family] = []
    for name in names:
        parents = tuple(dict.fromkeys(edge.parent for edge in edges if edge.child == name != edge.parent))
        groups = [(parent,) for parent in parents] if mode == "pairwise" and parents else [parents]
        families += [Family(child=name, parents=group) for group in groups]
    return families


class _Best(Generic[ReplyT]):
    """The reply with the fewest problems among those that hold something of everything; of equals the last."""

    def __init__(self, find_problems: Callable[[ReplyT], list[str]], is_usable: Callable[[ReplyT], bool]) -> None:
        self._find_problems = find_problems
        self._is_usable = is_usable
        self._fewest = 0
        self.reply: ReplyT | None = None

    def check(self, reply: ReplyT) -> list[str]:
        """The problems of a reply, which is remembered if it is the best so far."""
        problems = self._find_problems(reply)
        if self._is_usable(reply) and (self.reply is None or len(problems) <= self._fewest):
            self.reply, self._fewest = reply, len(problems)
        return problems


class TextReader:
    """One model reading one text.

    ``raw`` has the replies by phase, ``unusable`` the texts that were no reply, ``losses`` what could not be had.
    """

    def __init__(self, asker: Asker, key: BackboneKey, example: str, text: str, mode: Mode) -> None:
        self._asker = asker
        self._key = key
        self._text = text
        self._mode: Mode = mode
        self._where = {"domain": key.domain, "backbone": key.backbone, "example": example, "text": text}
        self.raw: dict[str, object] = {}
        self.unusable: dict[str, list[str]] = {}
        self.losses: list[Failure] = []

    async def read(self) -> Prediction | None:
        """The prediction, or None where not even the variables could be had."""
        names = await self._find_names()
        if not names:
            return None if names is None else Prediction()
        distinct = tuple(dict.fromkeys(names))
        states = await self._find_states(distinct)
        by_name = {name: Variable(name, states.get(name, ())) for name in distinct}
        edges = await self._find_edges(tuple(by_name.values()))
        found = await self._find_cpds(by_name, edges)
        variables = tuple(by_name[name] for name in names)
        if self._mode == "full":
            return Prediction(variables, edges, {family.child: cpd for family, cpd in found.items()})
        return to_prediction(
            PairwiseNetwork(
                variables,
                edges,
                {Edge(family.parents[0], family.child): cpd.matrix for family, cpd in found.items() if family.parents},
                {family.child: cpd.matrix[:, 0] for family, cpd in found.items() if not family.parents},
            )
        )

    async def _find_names(self) -> tuple[str, ...] | None:
        stage = ExtractVariablesQuestion.stage
        answer = await self._ask(
            ExtractVariablesQuestion(**self._where),
            render(stage, text=self._text),
            FoundNamesReply,
            checks.check_names,
            checks.is_usable_names,
            max_tokens=_TOKENS_A_LIST,
        )
        reply = self._take_list(stage, answer, "variables")
        if reply is None:
            return None
        names = checks.to_names(reply)
        self._note_dropped(stage, "names of variables", len(reply.variables) - len(names))
        return names

    async def _find_states(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        stage = ExtractStatesQuestion.stage

        async def ask(asked: Sequence[str]) -> Answer[FoundStatesReply]:
            return await self._ask(
                ExtractStatesQuestion(**self._where, names=tuple(asked)),
                render(stage, text=self._text, names=to_json(list(asked))),
                FoundStatesReply,
                lambda reply: checks.check_states(reply, asked),
                lambda reply: len(checks.to_states(reply, asked)) == len(asked),
                max_tokens=_TOKENS_A_LIST,
            )

        return self._take(
            stage,
            await ask_in_chunks(
                to_chunks(names, lambda _: 1, most_items=_NAMES_A_CALL, most_size=_NAMES_A_CALL),
                ask,
                checks.to_states,
                lambda name: f"states of {checks.show(name)}",
                self._key,
                stage,
            ),
        )

    async def _find_edges(self, variables: tuple[Variable, ...]) -> tuple[Edge, ...]:
        if len(variables) < 2:
            return ()
        stage = ExtractEdgesQuestion.stage
        names = tuple(variable.name for variable in variables)
        answer = await self._ask(
            ExtractEdgesQuestion(**self._where, variables=variables),
            render(stage, text=self._text, variables=describe_variables(variables)),
            FoundEdgesReply,
            lambda reply: checks.check_edges(reply, names),
            lambda _: True,
            max_tokens=_TOKENS_A_LIST,
        )
        reply = self._take_list(stage, answer, "edges")
        if reply is None:
            return ()
        edges = checks.to_edges(reply, names)
        self._note_dropped(stage, "edges of variables that were not found", len(reply.edges) - len(edges))
        return edges

    async def _find_cpds(self, by_name: Mapping[str, Variable], edges: Sequence[Edge]) -> Mapping[Family, PredictedCpd]:
        stage = ExtractCpdsQuestion.stage
        askable: list[Family] = []
        for family in to_families(tuple(by_name), edges, self._mode):
            n_cells = tables.count_cells(family, by_name)
            if 0 < n_cells <= MAX_CELLS:
                askable.append(family)
                continue
            detail = f"has {n_cells} cells, more than {MAX_CELLS}" if n_cells else "has a variable without states"
            self.losses.append(Failure(stage, *self._key, tables.describe_family(family), "rejected", detail))

        async def ask(asked: Sequence[Family]) -> Answer[CpdsReply]:
            members = {name for family in asked for name in (family.child, *family.parents)}
            shown = {name: variable for name, variable in by_name.items() if name in members}
            return await self._ask(
                ExtractCpdsQuestion(
                    **self._where, variables=tuple(shown.values()), families=tuple(asked), mode=self._mode
                ),
                render(
                    stage,
                    text=self._text,
                    variables=describe_variables(tuple(shown.values())),
                    families=to_json([family.model_dump(mode="json") for family in asked]),
                    mode=self._mode,
                ),
                CpdsReply,
                lambda reply: tables.check_cpds(reply, asked, shown),
                lambda reply: len(tables.to_cpds(reply, asked, shown)) == len(asked),
                max_tokens=to_max_tokens(sum(tables.count_cells(family, shown) for family in asked)),
            )

        found = self._take(
            stage,
            await ask_in_chunks(
                to_chunks(
                    askable,
                    lambda family: tables.count_cells(family, by_name),
                    most_items=EDGES_A_CALL,
                    most_size=CELLS_A_CALL,
                ),
                ask,
                lambda reply, asked: tables.to_cpds(reply, asked, by_name),
                tables.describe_family,
                self._key,
                stage,
            ),
        )
        for family, cpd in found.items():
            n_missing = int(np.isnan(cpd.matrix).sum())
            if n_missing:
                detail = f"{n_missing} of its {cpd.matrix.size} cells were not given"
                what = tables.describe_family(family)
                self.losses.append(Failure(stage, *self._key, what, "invalid_reply", detail))
        return found

    async def _ask(
        self,
        question: ExtractionQuestion,
        prompt: Prompt,
        output: type[ReplyT],
        find_problems: Callable[[ReplyT], list[str]],
        is_usable: Callable[[ReplyT], bool],
        *,
        max_tokens: int,
    ) -> Answer[ReplyT]:
        best = _Best(find_problems, is_usable)
        try:
            answer = await self._asker.ask(question, prompt, output, best.check, max_tokens=max_tokens, retries=RETRIES)
        except AccessError:
            raise
        except ServiceError as error:
            if error.kind not in _REFUSED_REQUESTS:
                raise
            answer = Answer(None, self._asker.entry.id, 1, "service", str(error))
        if answer.value is None and best.reply is not None:
            return replace(answer, value=best.reply, reason="", detail="")
        if answer.reply:
            self.unusable.setdefault(f"{question.stage}, unusable", []).append(answer.reply)
        return answer

    def _take(self, stage: str, outcome: ChunkedAnswers[Key, Value, ReplyT]) -> Mapping[Key, Value]:
        self.raw[stage] = [_to_json(reply) for reply in outcome.replies]
        self.losses += outcome.losses
        return outcome.results

    def _take_list(self, stage: str, answer: Answer[ReplyT], what: str) -> ReplyT | None:
        if answer.value is None:
            self.losses.append(to_failure(answer, stage, *self._key, what))
        else:
            self.raw[stage] = _to_json(answer.value)
        return answer.value

    def _note_dropped(self, stage: str, what: str, n: int) -> None:
        if n:
            self.losses.append(Failure(stage, *self._key, what, "invalid_reply", f"{n} could not be used"))


def _to_json(reply: Reply) -> object:
    # By way of the text: a number that is not finite becomes null there.
    return json.loads(reply.model_dump_json())
