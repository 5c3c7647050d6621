"""The models without a service: recorded replies cut to the question, rules for the rest."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestParameters

from bayes.network import Cpd, Edge, Network, Rule, Variable
from providers.offline import OfflineModel
from schemas.articles import Article
from schemas.errors import InputError
from schemas.networks import to_json
from schemas.questions import (
    QUESTION_SETTING,
    DescriptionQuestion,
    EdgesQuestion,
    EquivalentNamesQuestion,
    Family,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    Question,
    VariablesQuestion,
)
from schemas.replies import (
    DescriptionReply,
    EdgeReply,
    EdgesReply,
    EquivalentName,
    EquivalentNamesReply,
    FamilyCell,
    JointReply,
    JointsReply,
    MarginalReply,
    MarginalsReply,
    MultiJointReply,
    MultiJointsReply,
    PairCell,
    Reply,
    StateProbability,
    VariableReply,
    VariablesReply,
)
from tests.providers.wire import ARTICLE

A, B, C = (Variable(name, ("high", "none")) for name in "abc")
VARIABLES = VariablesReply(variables=[VariableReply(name=name, states=["high", "none"]) for name in "abc"])
EDGES = EdgesReply(
    edges=[EdgeReply(parent="a", child="c", mechanism="m"), EdgeReply(parent="b", child="c", mechanism="m")]
)
MARGINALS = MarginalsReply(
    marginals=[
        MarginalReply(variable=name, probabilities=[StateProbability(state="high", probability=1)]) for name in "abc"
    ]
)
JOINTS = JointsReply(
    joints=[
        JointReply(parent=name, child="c", cells=[PairCell(parent_state="high", child_state="high", probability=1)])
        for name in "ab"
    ]
)
MULTI = MultiJointsReply(
    joints=[
        MultiJointReply(
            child="c",
            parents=["a", "b"],
            cells=[FamilyCell(parent_states=["high", "high"], child_state="high", probability=1)],
        )
    ]
)


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    recorded = {"variables": VARIABLES, "edges": EDGES, "marginals": MARGINALS, "joints": JOINTS, "multi_joints": MULTI}
    record = {"sha256": ARTICLE.sha256, **{name: reply.model_dump() for name, reply in recorded.items()}}
    (tmp_path / "floods.json").write_text(json.dumps(record))
    return tmp_path


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """Stands in for the elicitor; lists the questions it was asked."""
    asked: list[Question] = []

    def answer(question: Question) -> Reply:
        asked.append(question)
        return EdgesReply(edges=[])

    module = ModuleType("providers.rules.elicitor")
    module.answer = answer  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "providers.rules.elicitor", module)
    return asked


async def _ask(model: OfflineModel, question: Question | None) -> ModelResponse:
    settings: Any = {} if question is None else {QUESTION_SETTING: question}
    return await model.request([ModelRequest(parts=[UserPromptPart("?")])], settings, ModelRequestParameters())


def _article_question(kind: type[Question], article: Article = ARTICLE, **fields: Any) -> Question:
    return kind.model_validate({"domain": "environment", "backbone": "floods", "article": article, **fields})


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (_article_question(VariablesQuestion), VARIABLES),
        (_article_question(EdgesQuestion, variables=(A, B, C)), EDGES),
        (
            _article_question(MarginalsQuestion, variables=(C, A)),
            MarginalsReply(marginals=[MARGINALS.marginals[0], MARGINALS.marginals[2]]),
        ),
        (
            _article_question(JointsQuestion, variables=(B, C), edges=(Edge("b", "c"),)),
            JointsReply(joints=JOINTS.joints[1:]),
        ),
        (
            _article_question(MultiJointsQuestion, variables=(), families=(Family(child="c", parents=("b", "a")),)),
            MULTI,
        ),
        (
            _article_question(MultiJointsQuestion, variables=(), families=(Family(child="b", parents=("a", "c")),)),
            MultiJointsReply(joints=[]),
        ),
    ],
)
async def test_recorded_replies_are_cut_to_the_question(replies: Path, question: Question, expected: Reply) -> None:
    response = await _ask(OfflineModel("recorded", replies), question)
    assert type(expected).model_validate_json(response.text or "") == expected
    assert response.model_name == "offline:recorded"
    assert (response.usage.input_tokens, response.usage.output_tokens) == (0, 0)


async def test_a_changed_text_is_answered_by_rules_and_says_so(replies: Path, rules: list[Question]) -> None:
    changed = ARTICLE.model_copy(update={"sha256": "1" * 64})
    question = _article_question(EdgesQuestion, changed, variables=(A, B, C))
    response = await _ask(OfflineModel("recorded", replies), question)
    assert response.model_name == "offline:rules"
    assert rules == [question]


async def test_the_rules_model_never_looks_at_recorded_replies(replies: Path, rules: list[Question]) -> None:
    response = await _ask(OfflineModel("rules", replies), _article_question(EdgesQuestion, variables=()))
    assert response.model_name == "offline:rules"
    assert len(rules) == 1


async def test_descriptions_come_from_the_writer_with_another_seed_after_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds: list[int] = []

    def write(network: Network, *, title: str, seed: int) -> str:
        seeds.append(seed)
        return f"{title}: {', '.join(network.by_name)}"

    module = ModuleType("providers.writer.writer")
    module.write = write  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "providers.writer.writer", module)
    prior = Cpd("a", (), np.array([[0.3], [0.7]]), (Rule.PRIOR,))
    question = DescriptionQuestion(
        domain="d", backbone="b", example="b-3-1", title="Title", network_json=to_json(Network((A,), (prior,)))
    )
    again = question.model_copy(update={"previous": "Title: a", "problems": ("too short",)})
    for asked in (question, question, again):
        response = await _ask(OfflineModel("recorded"), asked)
        assert DescriptionReply.model_validate_json(response.text or "").description == "Title: a"
        assert response.model_name == "offline:rules"
    assert seeds[0] == seeds[1] != seeds[2]


async def test_no_name_is_taken_for_expressed_by_code() -> None:
    question = EquivalentNamesQuestion(domain="d", backbone="b", example="e", text="t", names=("x", "y"))
    response = await _ask(OfflineModel("recorded"), question)
    assert EquivalentNamesReply.model_validate_json(response.text or "").verdicts == [
        EquivalentName(name="x", is_expressed=False),
        EquivalentName(name="y", is_expressed=False),
    ]


async def test_without_a_typed_question_there_is_no_answer() -> None:
    with pytest.raises(InputError, match="answers typed questions only"):
        await _ask(OfflineModel("rules"), None)


@pytest.mark.parametrize(("text", "place"), [("{", "text"), ('{"sha256": 3}', "sha256")])
async def test_a_damaged_file_of_replies_is_named(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "broken.json").write_text(text)
    with pytest.raises(InputError, match=rf"broken\.json: {place}: "):
        await _ask(OfflineModel("recorded", tmp_path), _article_question(VariablesQuestion))


async def test_the_replies_of_the_samples_can_be_read() -> None:
    from providers.offline import REPLIES

    (first, *_) = sorted(REPLIES.glob("*.json"))
    sha256 = cast("str", json.loads(first.read_text())["sha256"])
    article = ARTICLE.model_copy(update={"sha256": sha256})
    response = await _ask(OfflineModel("recorded"), _article_question(VariablesQuestion, article))
    assert response.model_name == "offline:recorded"
    assert VariablesReply.model_validate_json(response.text or "").variables
