"""The ledger of one run: every model call and every failure, safe from a crash, and their sums.

Each record is appended to ``<data>/.runs/<run>.jsonl`` at once, so killing the process loses none. At the end the
records become rows of ``calls`` and ``failures``, one file per run and backbone, and the journal goes. A journal that a
killed run left is turned into rows by :func:`recover_journals`.
"""

import fcntl
import json
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TextIO, TypeVar

from schemas.calls import Call, Failure
from schemas.errors import InputError
from schemas.rows import BackboneKey, StageTotals, Written
from schemas.slugs import is_slug
from storage.layout import HISTORY, UNASSIGNED, is_part, list_files

JOURNALS = ".runs"

_Record = TypeVar("_Record", Call, Failure)


@dataclass(frozen=True, slots=True)
class _Noted(Generic[_Record]):
    """A record and when it was noted, to the millisecond."""

    at: datetime
    record: _Record


class Ledger:
    """A :class:`schemas.calls.CallLedger` that survives a crash. Threads may share it.

    As a context manager it writes its tables on the way out, also after an exception.

    Example:
        >>> from tempfile import mkdtemp
        >>> with Ledger(Path(mkdtemp()), "run-1") as ledger:
        ...     ledger.record_failure(Failure("edges", "economics", "inflation", "reply", "refused", "declined"))
        ...     [total.n_failures for total in ledger.totals()]
        [1]
    """

    def __init__(self, data: Path, run: str) -> None:
        """Open the journal of a run; if a killed process left one under this id, it is carried on.

        Args:
            data: the data folder; made where it is missing.
            run: an id of this run alone, for instance from :func:`storage.layout.new_run_id`.

        Raises:
            ValueError: the id cannot be a file's name.
            InputError: the journal cannot be written, another process has it open, or the run has its tables already.
        """
        if not is_part(run):
            raise ValueError(f"run {run!r} cannot be the name of a file")
        self._data, self._run = data, run
        self._lock = threading.Lock()
        self._path = data / JOURNALS / f"{run}.jsonl"
        journal = _open_journal(self._path)
        if journal is None:
            raise InputError(f"{self._path}: another process is writing run {run!r}; give this one another id")
        self._journal = journal
        self._calls, self._failures = _parse(journal)
        is_new = not self._calls and not self._failures
        if is_new and any(path.stem == run for table in HISTORY for path in list_files(data, table)):
            self._close()
            raise InputError(f"{data}: run {run!r} has its tables already; give this one another id")
        self._cost_usd = sum(noted.record.cost_usd or 0.0 for noted in self._calls)

    @property
    def run(self) -> str:
        """Id of the run."""
        return self._run

    def record(self, call: Call) -> None:
        """Note one call.

        Raises:
            InputError: the journal cannot be written.
        """
        noted = _Noted(_now(), call)
        with self._lock:
            self._calls.append(noted)  # first, since it was paid for even if the journal fails
            self._cost_usd += call.cost_usd or 0.0
            self._append("call", noted)

    def record_failure(self, failure: Failure) -> None:
        """Note one failed item.

        Raises:
            InputError: the journal cannot be written.
        """
        noted = _Noted(_now(), failure)
        with self._lock:
            self._failures.append(noted)
            self._append("failure", noted)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far."""
        with self._lock:
            return tuple(noted.record for noted in self._calls)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures so far."""
        with self._lock:
            return tuple(noted.record for noted in self._failures)

    @property
    def cost_usd(self) -> float:
        """The known costs of the calls so far."""
        return self._cost_usd

    def totals(self) -> tuple[StageTotals, ...]:
        """Sums by stage, in the order in which the stages first appeared."""
        return to_totals(self.calls, self.failures)

    def write(self) -> tuple[Written, ...]:
        """Write the tables of this run and remove the journal; the ledger takes no records afterwards.

        Raises:
            InputError: a file cannot be written; the journal is still there.
        """
        with self._lock:
            if self._journal.closed:
                return ()
            written = [
                *_write_by_backbone(self._data, "calls", self._run, self._calls),
                *_write_by_backbone(self._data, "failures", self._run, self._failures),
            ]
            self._close()
        return tuple(written)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.write()

    def _append(self, kind: str, noted: "_Noted[Call] | _Noted[Failure]") -> None:
        line = {"kind": kind, "at": noted.at.isoformat(timespec="milliseconds"), **_to_values(noted.record)}
        try:
            self._journal.write(json.dumps(line) + "\n")
            self._journal.flush()
        except (OSError, ValueError) as error:
            raise _to_input_error(self._path, error) from error

    def _close(self) -> None:
        with suppress(OSError):  # a line that did not reach a full disk is in the tables by now
            self._path.unlink(missing_ok=True)
            self._journal.close()


def recover_journals(data: Path) -> tuple[str, ...]:
    """Write the tables of runs that were killed. Runs that another process is still writing are left to it.

    Returns:
        The ids of the runs recovered.

    Raises:
        InputError: a journal cannot be read or a table cannot be written.
    """
    runs: list[str] = []
    for path in sorted((data / JOURNALS).glob("*.jsonl")):
        journal = _open_journal(path) if is_part(path.stem) else None
        if journal is not None:
            with journal:
                calls, failures = _parse(journal)
                _write_by_backbone(data, "calls", path.stem, calls)
                _write_by_backbone(data, "failures", path.stem, failures)
                path.unlink(missing_ok=True)
            runs.append(path.stem)
    return tuple(runs)


def to_totals(calls: Iterable[Call], failures: Iterable[Failure] = ()) -> tuple[StageTotals, ...]:
    """Sums by stage, in the order in which the stages first appear, calls before failures.

    Example:
        >>> call = Call("edges", "economics", "inflation", "m", 100, 10, False, 0.5, None, 1, "stop", "")
        >>> to_totals([call])[0].n_unknown_cost
        1
    """
    totals: dict[str, StageTotals] = {}
    for call in calls:
        was = totals.get(call.stage) or _no_totals(call.stage)
        totals[call.stage] = replace(
            was,
            n_calls=was.n_calls + 1,
            n_cached=was.n_cached + call.cached,
            # A cached reply's tokens were used by the run that bought it.
            tokens_in=was.tokens_in + (0 if call.cached else call.tokens_in),
            tokens_out=was.tokens_out + (0 if call.cached else call.tokens_out),
            seconds=was.seconds + call.seconds,
            cost_usd=was.cost_usd + (call.cost_usd or 0.0),
            n_unknown_cost=was.n_unknown_cost + (call.cost_usd is None and not call.cached),
        )
    for failure in failures:
        was = totals.get(failure.stage) or _no_totals(failure.stage)
        totals[failure.stage] = replace(was, n_failures=was.n_failures + 1)
    return tuple(totals.values())


def _no_totals(stage: str) -> StageTotals:
    return StageTotals(stage, 0, 0, 0, 0, 0, 0.0, 0.0, 0)


def _now() -> datetime:
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def _open_journal(path: Path) -> TextIO | None:
    """The journal, open for appending and locked; None where another process has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise _to_input_error(path, error) from error
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        journal.close()
        return None
    return journal


def _parse(journal: TextIO) -> tuple[list[_Noted[Call]], list[_Noted[Failure]]]:
    calls: list[_Noted[Call]] = []
    failures: list[_Noted[Failure]] = []
    journal.seek(0)
    for line in journal:
        try:
            values = json.loads(line)
            kind, at = values.pop("kind"), datetime.fromisoformat(values.pop("at"))
            if kind == "call":
                calls.append(_Noted(at, Call(**values)))
            else:
                failures.append(_Noted(at, Failure(**values)))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # the line that a killed process did not finish
    return calls, failures


def _write_by_backbone(
    data: Path, table: str, run: str, noted: Sequence[_Noted[Call]] | Sequence[_Noted[Failure]]
) -> list[Written]:
    from storage.corpus import write_rows

    rows: dict[BackboneKey, list[dict[str, Any]]] = {}
    for item in noted:
        values = {name: _to_plain(value) for name, value in _to_values(item.record).items()}
        domain, backbone = values.pop("domain"), values.pop("backbone")
        key = BackboneKey(*(slug if is_slug(slug) else UNASSIGNED for slug in (domain, backbone)))
        rows.setdefault(key, []).append({"network": backbone, "run": run, "at": item.at, **values})
    return [
        write_rows(data, table, *key, sorted(rows[key], key=lambda row: (row["at"], row["stage"])), run=run, part=run)
        for key in sorted(rows)
    ]


def _to_values(record: Call | Failure) -> dict[str, Any]:
    # dataclasses.asdict copies every value deeply, which takes longer than all the rest of a journal line.
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _to_plain(value: Any) -> Any:
    # A lone surrogate, which JSON can carry, is no text that Parquet takes.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _to_input_error(path: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"{path}: cannot be written ({reason}); make room there or choose another --data folder")
