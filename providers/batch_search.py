"""Looking for a batch whose answer was lost: the provider may have taken it, and would be paid twice otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError
from pydantic_ai.models.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic_ai.models import Model

    from schemas.calls import PendingBatch

_SEEN = 100
"""The newest batches that are looked through."""
_EARLIER = timedelta(minutes=5)
_LATER = timedelta(minutes=30)
"""How far the provider's clock may be from ours, and how long it may take to accept a batch."""


async def find_batch(model: Model, pending: PendingBatch, known: Collection[str]) -> Batch | None:
    """The provider's batch that has the size and the time of the one that was sent; None if there is none.

    Should it be another one, its results have none of the keys, which is noticed when they are read.

    Args:
        model: A model with a batch API of Anthropic or OpenAI.
        pending: What was sent.
        known: Ids of batches that are accounted for.

    Raises:
        ModelAPIError: the provider does not list its batches.
    """
    import anthropic
    import openai

    client: Any = getattr(model, "client")  # noqa: B009 - models of both providers have one, the base class has not
    listing = client.batches if hasattr(client, "batches") else client.beta.messages.batches
    try:
        return await _search(listing.list(limit=_SEEN), model, pending, known)
    except (anthropic.APIStatusError, openai.APIStatusError) as error:
        raise ModelHTTPError(error.status_code, model.model_name, error.body) from error
    except (anthropic.APIConnectionError, openai.APIConnectionError) as error:
        raise ModelConnectionError(model.model_name, "no connection") from error


async def _search(listing: Any, model: Model, pending: PendingBatch, known: Collection[str]) -> Batch | None:
    sent_at = datetime.fromisoformat(pending.sent_at)
    n_seen = 0
    async for found in listing:
        created_at = found.created_at
        if not isinstance(created_at, datetime):
            created_at = datetime.fromtimestamp(created_at, UTC)
        is_in_time = sent_at - _EARLIER <= created_at <= sent_at + _LATER
        if is_in_time and _count(found.request_counts) == len(pending.keys) and found.id not in known:
            return Batch(
                id=found.id,
                model_name=model.model_name,
                provider_name=model.system,
                group=pending.group,
                status="in_progress",
                created_at=created_at,
                request_count=len(pending.keys),
            )
        n_seen += 1
        if n_seen == _SEEN or created_at < sent_at - _EARLIER:
            return None
    return None


def _count(counts: Any) -> int:
    if counts is None:
        return 0
    if hasattr(counts, "total"):
        return int(counts.total)
    return int(counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired)
