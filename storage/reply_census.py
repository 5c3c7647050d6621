"""What a reply cache holds, model by model, and what of it to drop."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from storage.reply_entries import Replies, ReplyEntry, is_damaged, to_groups, to_model

_KEYS = 100  # removed at a time


@dataclass(frozen=True, slots=True)
class ModelReplies:
    """The replies of one model: how many, how large as stored, and when the first and the last were kept."""

    model: str
    n_replies: int = 0
    n_bytes: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Census:
    """The replies by model, most first, and the number of damaged entries."""

    models: tuple[ModelReplies, ...]
    n_damaged: int

    @property
    def total(self) -> ModelReplies:
        """All models together."""
        total = ModelReplies("")
        for row in self.models:
            total = ModelReplies(
                "",
                total.n_replies + row.n_replies,
                total.n_bytes + row.n_bytes,
                min(filter(None, (total.oldest, row.oldest)), default=None),
                max(filter(None, (total.newest, row.newest)), default=None),
            )
        return total


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which entries to drop: those older than ``before`` and of one of the ``models``, where these are given.

    With ``is_damaged`` those that cannot be read as well. Nothing is chosen where nothing is given.
    """

    before: datetime | None = None
    models: frozenset[str] = frozenset()
    is_damaged: bool = False


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many entries were chosen, and their size as stored."""

    n_entries: int = 0
    n_bytes: int = 0


def count_replies(entries: Iterable[ReplyEntry]) -> Census:
    """Count entries model by model.

    Example:
        >>> reply = '{"kind": "response", "parts": [], "model_name": "offline:rules"}'
        >>> census = count_replies([ReplyEntry("k", reply), ReplyEntry("l", None)])
        >>> [(row.model, row.n_replies) for row in census.models], census.n_damaged
        ([('offline:rules', 1)], 1)
    """
    rows: dict[str, ModelReplies] = {}
    n_damaged = 0
    for entry in entries:
        if is_damaged(entry):
            n_damaged += 1
            continue
        model = to_model(entry.reply or "")
        row = rows.get(model) or ModelReplies(model)
        times = [time for time in (row.oldest, row.newest, entry.kept_at) if time is not None]
        rows[model] = replace(
            row,
            n_replies=row.n_replies + 1,
            n_bytes=row.n_bytes + entry.n_bytes,
            oldest=min(times, default=None),
            newest=max(times, default=None),
        )
    return Census(tuple(sorted(rows.values(), key=lambda row: (-row.n_replies, row.model))), n_damaged)


def is_chosen(entry: ReplyEntry, criteria: Criteria) -> bool:
    """Whether the criteria choose an entry. One whose age is not known is not old, a damaged one is of no model.

    Example:
        >>> entry = ReplyEntry("k", '{"kind": "response", "parts": [], "model_name": "m", "provider_name": "p"}')
        >>> [is_chosen(entry, Criteria(models=frozenset({name}))) for name in ("m", "p:m", "p")]
        [True, True, False]
        >>> is_chosen(entry, Criteria())
        False
    """
    if criteria.is_damaged and is_damaged(entry):
        return True
    if criteria.before is None and not criteria.models:
        return False
    if criteria.before is not None and (entry.kept_at is None or entry.kept_at >= criteria.before):
        return False
    return not criteria.models or not criteria.models.isdisjoint(_to_names(entry))


def prune_replies(store: Replies, criteria: Criteria, *, is_dry: bool = False) -> Pruned:
    """Remove the chosen entries, or only count them.

    What is counted as removed was there and has gone.

    Raises:
        InputError: the cache cannot be written.
    """
    pruned = Pruned()
    chosen = (entry for entry in store.entries() if is_chosen(entry, criteria))
    for entries in to_groups(chosen, _KEYS):
        n_entries = len(entries) if is_dry else store.delete(entry.key for entry in entries)
        pruned = Pruned(pruned.n_entries + n_entries, pruned.n_bytes + sum(entry.n_bytes for entry in entries))
    return pruned


def _to_names(entry: ReplyEntry) -> tuple[str, ...]:
    """The names by which the model of a reply may be asked for: with its provider and without."""
    if is_damaged(entry):
        return ()
    name = to_model(entry.reply or "")
    return tuple(filter(None, (name, name.partition(":")[2])))
