"""What the tasks of one run share: settings, reply cache, call ledger, budget, models, progress.

Tasks receive names and records; connections are not parameters, since Prefect walks through parameters and shows them.
They are opened once per flow run and found through a context variable, which follows into gathered tasks.
"""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from providers.asking import Asker, Batching, open_asker
from providers.budget import Budget
from providers.catalogue import find_model
from schemas.calls import Failure, ReplyStore
from schemas.settings import RunSettings
from storage.batches import BatchFolder
from storage.ledger import Ledger, recover_journals
from storage.locks import holding
from storage.redis_address import PASSWORD
from storage.replies import SPARE, is_address, open_replies
from tasks.global_limits import GlobalLimits
from tasks.keys import load_key, load_keys


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is: ``done`` of ``total`` items."""

    stage: str
    done: int
    total: int


ALL_AT_ONCE = 10_000
"""How many items are under way where requests go out in batches: a batch holds what is asked at the same time."""

SettingsT = TypeVar("SettingsT", bound=RunSettings)

ItemT = TypeVar("ItemT")

Reporter = Callable[[Progress], None]

_reporter: ContextVar[Reporter | None] = ContextVar("reporter", default=None)
_session: ContextVar["Session[Any] | None"] = ContextVar("session", default=None)


def report_progress_to(reporter: Reporter) -> None:
    """Have the runs started from this context tell how far they are."""
    _reporter.set(reporter)


@dataclass
class Session(Generic[SettingsT]):
    """The open resources of one run. ``draw`` is the run index of its questions; another one asks models afresh."""

    settings: SettingsT
    run: str
    draw: int
    store: ReplyStore
    ledger: Ledger
    budget: Budget
    limits: GlobalLimits = field(default_factory=GlobalLimits)
    _askers: dict[str, Asker] = field(default_factory=dict[str, Asker])

    def asker(self, model: str) -> Asker:
        """The one asker of a model in this run, so that its calls share one limit."""
        if model not in self._askers:
            self._askers[model] = open_asker(
                model,
                store=self.store,
                ledger=self.ledger,
                budget=self.budget,
                run=self.draw,
                batching=self._to_batching(model) if self.settings.batch else None,
                gate=self.limits.to_gate(find_model(model)),
            )
        return self._askers[model]

    def _to_batching(self, model: str) -> Batching:
        return Batching(
            BatchFolder(Path(self.settings.data)),
            report=lambda answered, sent: self.report(f"batches of {model}", answered, sent),
        )

    def at_once(self, usual: int) -> int:
        """How many items to work on at a time: as many as usual, or all where requests go out in batches."""
        return ALL_AT_ONCE if self.settings.batch else usual

    def use(self, asker: Asker) -> None:
        """Have questions to a model go through this asker of it."""
        self._askers[asker.entry.id] = asker

    def fail(self, *failures: Failure) -> None:
        """Write failures down for the table and the summary."""
        for failure in failures:
            self.ledger.record_failure(failure)

    def keep(self, outcomes: Iterable[ItemT | Failure]) -> list[ItemT]:
        """The results among some outcomes; failures are written down."""
        found: list[ItemT] = []
        for outcome in outcomes:
            if isinstance(outcome, Failure):
                self.fail(outcome)
            else:
                found.append(outcome)
        return found

    def report(self, stage: str, done: int, total: int) -> None:
        """Tell whoever listens how far a stage is."""
        reporter = _reporter.get()
        if reporter is not None:
            reporter(Progress(stage, done, total))

    async def close(self) -> None:
        """Close the connections to models and to shared limits."""
        for asker in self._askers.values():
            await asker.aclose()
        await self.limits.aclose()


def current_session() -> Session[Any]:
    """The session of the run that this task belongs to.

    Raises:
        RuntimeError: called outside :func:`open_session`.
    """
    session = _session.get()
    if session is None:
        raise RuntimeError("no session is open: tasks run inside a flow of this project")
    return session


@asynccontextmanager
async def open_session(settings: SettingsT, run: str, *, draw: int = 0) -> AsyncGenerator[Session[SettingsT]]:
    """Open the resources of a run, and close them whatever happens; calls are in the ledger's journal by then."""
    data = Path(settings.data)
    # Held first: a run that another turns down must not touch what the other is writing.
    with holding(data, settings.kind):
        recover_journals(data)
        await load_keys(settings.model_names)
        if is_address(settings.cache):
            await load_key(PASSWORD)
        async with _opening(settings, run, draw) as session:
            yield session


@asynccontextmanager
async def _opening(settings: SettingsT, run: str, draw: int) -> AsyncGenerator[Session[SettingsT]]:
    data = Path(settings.data)
    with open_replies(settings.cache, spare=data / SPARE) as store, Ledger(data, run) as ledger:
        session = Session(settings, run, draw, store, ledger, Budget(settings.max_usd))
        token = _session.set(session)
        try:
            yield session
        finally:
            _session.reset(token)
            await session.close()
