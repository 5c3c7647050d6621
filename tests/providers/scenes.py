"""Questions to scripted services, and how each of them ended."""

import traceback
from dataclasses import dataclass
from typing import Any

from providers.asking import Answer, Asker, Prompt
from providers.budget import Budget
from providers.retries import RetryPolicy
from schemas.calls import Call
from schemas.errors import ServiceError
from schemas.replies import EdgesReply
from tests.providers.faults import Provider, to_provider_entry
from tests.providers.wire import EDGES_QUESTION, PLANTED_KEY, MemoryLedger, MemoryStore, Received, Step, serve

QUICK = RetryPolicy(attempts=3, total_seconds=10, first_wait=0.001, longest_wait=0.002)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a question ended, and what it left behind."""

    answer: Answer[EdgesReply] | None
    error: ServiceError | None
    received: list[Received]
    calls: list[Call]
    replies: dict[str, str]

    def has_failed(self, kind: str, says: str, *, requests: int) -> bool:
        """Whether it ended in this error and one line, after so many requests, with nothing kept and nothing paid."""
        assert self.error is not None, self.answer
        line = str(self.error)
        assert line.startswith("test:model: ")
        assert says in line
        assert len(line.splitlines()) == 1
        (call,) = self.calls
        assert (call.attempts, call.error, call.tokens_in, call.cost_usd) == (requests, kind, 0, 0)
        assert not self.replies
        return (self.error.kind, len(self.received)) == (kind, requests)

    def is_answered(self, *, requests: int) -> bool:
        """Whether a good reply came with the last of so many requests."""
        assert self.error is None, self.error
        assert self.answer is not None
        assert self.answer.value is not None, self.answer
        return (len(self.received), sum(call.attempts for call in self.calls)) == (requests, requests)


class Scene:
    """Asks scripted services, and collects all text that is left behind."""

    def __init__(self) -> None:
        self.left: list[str] = []

    async def ask(self, provider: Provider, *steps: Step, times: int = 1, **changes: Any) -> Ended:
        """Ask one question, or the same ones more often, with ``policy`` and fields of the entry changed as given."""
        policy = changes.pop("policy", QUICK)
        store, ledger, budget = MemoryStore(), MemoryLedger(), Budget()
        said, error = None, None
        async with serve(*steps) as wire:
            entry = to_provider_entry(provider, wire, **changes)
            async with Asker(entry, store=store, ledger=ledger, budget=budget, policy=policy) as asker:
                for _ in range(times):
                    try:
                        said = await asker.ask(
                            EDGES_QUESTION, Prompt("Find edges.", "Rain."), EdgesReply, lambda _: (), max_tokens=500
                        )
                    except ServiceError as caught:
                        error = caught
                        self.left += [str(caught), repr(caught), *traceback.format_exception(caught)]
                self.left.append(repr(vars(asker)))
        assert all(PLANTED_KEY in str(received.headers) for received in wire.received)
        self.left += [repr(said), repr(store.replies), repr(ledger.calls), repr(vars(budget))]
        return Ended(said, error, wire.received, ledger.calls, store.replies)
