"""What is counted and what is dropped: by age, by model, damaged ones only when asked for."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.replies import ReplyCache
from storage.reply_census import Criteria, ModelReplies, Pruned, count_replies, is_chosen, prune_replies
from storage.reply_entries import ReplyEntry

NEW = datetime(2026, 1, 2, tzinfo=UTC)
OLD = NEW - timedelta(days=100)
GPT = '{"provider_name": "openai", "model_name": "gpt"}'
RULES = '{"model_name": "offline:rules"}'


def test_replies_are_counted_by_model_the_most_frequent_first() -> None:
    census = count_replies(
        [
            ReplyEntry("a", RULES, NEW, 10),
            ReplyEntry("b", GPT, NEW, 20),
            ReplyEntry("c", GPT, OLD, 30),
            ReplyEntry("d", "{}", None, 40),
            ReplyEntry("e", None, OLD, 50),
            ReplyEntry("f", "[]", OLD, 60),
        ]
    )
    assert census.models == (
        ModelReplies("openai:gpt", 2, 50, OLD, NEW),
        ModelReplies("offline:rules", 1, 10, NEW, NEW),
        ModelReplies("unknown", 1, 40, None, None),
    )
    assert census.n_damaged == 2
    assert census.total == ModelReplies("", 4, 100, OLD, NEW)


@pytest.mark.parametrize("fields", ['{"model_name": ["x"]}', '{"model_name": 5}', '{"model_name": ""}'])
def test_a_model_name_of_another_type_is_an_unknown_model(fields: str) -> None:
    assert [row.model for row in count_replies([ReplyEntry("k", fields)]).models] == ["unknown"]
    assert not is_chosen(ReplyEntry("k", fields), Criteria(models=frozenset({"x"})))


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
