"""What is counted and what is dropped: by age, by model, damaged ones only when asked for."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from storage.replies import ReplyCache
from storage.reply_census import Criteria, ModelReplies, Pruned, count_replies, is_chosen, prune_replies
from storage.reply_entries import ReplyEntry, is_damaged

NEW = datetime(2026, 1, 2, tzinfo=UTC)
OLD = NEW - timedelta(days=100)
GPT = '{"kind": "response", "parts": [], "provider_name": "openai", "model_name": "gpt"}'
RULES = '{"kind": "response", "parts": [], "model_name": "offline:rules"}'
NAMELESS = '{"kind": "response", "parts": []}'


def test_replies_are_counted_by_model_the_most_frequent_first() -> None:
    census = count_replies(
        [
            ReplyEntry("a", RULES, NEW, 10),
            ReplyEntry("b", GPT, NEW, 20),
            ReplyEntry("c", GPT, OLD, 30),
            ReplyEntry("d", NAMELESS, None, 40),
            ReplyEntry("e", None, OLD, 50),
            ReplyEntry("f", "[]", OLD, 60),
            ReplyEntry("g", "{}", OLD, 70),
        ]
    )
    assert census.models == (
        ModelReplies("openai:gpt", 2, 50, OLD, NEW),
        ModelReplies("offline:rules", 1, 10, NEW, NEW),
        ModelReplies("unknown", 1, 40, None, None),
    )
    assert census.n_damaged == 3
    assert census.total == ModelReplies("", 4, 100, OLD, NEW)


@pytest.mark.parametrize("name", ['["x"]', "5", '""'])
def test_a_model_name_of_another_type_is_an_unknown_model(name: str) -> None:
    entry = ReplyEntry("k", f'{{"kind": "response", "parts": [], "model_name": {name}}}')
    assert [row.model for row in count_replies([entry]).models] == ["unknown"]
    assert not is_chosen(entry, Criteria(models=frozenset({"x"})))


def test_a_reply_of_an_unknown_model_goes_by_that_name_and_by_no_empty_one() -> None:
    entry = ReplyEntry("k", NAMELESS)
    assert is_chosen(entry, Criteria(models=frozenset({"unknown"})))
    assert not is_chosen(entry, Criteria(models=frozenset({""})))


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        '{"model_name": "m"}',
        '{"kind": "response", "model_name": "m"}',
        '{"kind": "request", "parts": []}',
        '{"parts": []}',
        '{"kind": "response", "parts": {}}',
        '{"kind": "response", "parts": ["x"]}',
        '{"kind": "response", "parts": [{"content": "x"}]}',
        '{"kind": "response", "parts": [{"part_kind": 1}]}',
    ],
)
def test_json_without_the_least_shape_of_a_response_is_damaged(reply: str) -> None:
    assert count_replies([ReplyEntry("k", reply)]).n_damaged == 1
    assert is_chosen(ReplyEntry("k", reply), Criteria(is_damaged=True))


def test_what_is_kept_of_a_response_has_that_shape() -> None:
    from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart

    from providers.request_keys import to_text

    for parts in ([], [TextPart("x")], [ThinkingPart("x"), ToolCallPart("reply", "{}")]):
        assert not is_damaged(ReplyEntry("k", to_text(ModelResponse(parts=parts))))


def test_only_what_has_gone_counts_as_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.put("k", "no JSON")
        monkeypatch.setattr(cache, "delete", Mock(return_value=0))  # another process was first
        assert prune_replies(cache, Criteria(is_damaged=True)).n_entries == 0


@pytest.mark.parametrize(
    ("criteria", "chosen"),
    [
        (Criteria(), ""),
        (Criteria(before=NEW), "bde"),
        (Criteria(before=OLD), ""),
        (Criteria(models=frozenset({"openai:gpt"})), "ab"),
        (Criteria(models=frozenset({"gpt"})), "ab"),
        (Criteria(models=frozenset({"gpt", "offline:rules"})), "abcd"),
        (Criteria(before=NEW, models=frozenset({"gpt"})), "b"),
        (Criteria(is_damaged=True), "ef"),
        (Criteria(before=NEW, models=frozenset({"gpt"}), is_damaged=True), "bef"),
    ],
)
@pytest.mark.parametrize("is_dry", [True, False])
def test_what_is_old_and_of_the_model_goes_and_what_is_damaged_if_asked_for(
    tmp_path: Path, criteria: Criteria, chosen: str, is_dry: bool
) -> None:
    with ReplyCache(tmp_path) as cache:
        cache.add(
            [
                ReplyEntry("a", GPT, NEW),
                ReplyEntry("b", GPT, OLD),
                ReplyEntry("c", RULES, NEW),
                ReplyEntry("d", RULES, OLD),
                ReplyEntry("e", "no JSON", OLD),
                ReplyEntry("f", "[]", NEW),
            ]
        )
        pruned = prune_replies(cache, criteria, is_dry=is_dry)
        assert pruned.n_entries == len(chosen)
        assert (pruned == Pruned()) == (not chosen)
        left = {entry.key for entry in cache.entries()}
        assert left == set("abcdef") - (set() if is_dry else set(chosen))
