"""Batches that were sent to a provider and not yet collected: one JSON file each in the data folder.

They let a run that was killed or interrupted find its requests again at the provider. A file is there before its batch
is sent, and goes once every reply is in the reply cache. Providers keep results for about a month; older files go, too.
"""

import hashlib
import json
import logging
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from schemas.calls import PendingBatch
from schemas.errors import InputError

BATCHES = ".batches"
KEPT = timedelta(days=30)

_log = logging.getLogger(__name__)


class BatchFolder:
    """A :class:`schemas.calls.BatchJournal` of files.

    Example:
        >>> from tempfile import mkdtemp
        >>> data = Path(mkdtemp())
        >>> batch = BatchFolder(data).begin("openai:gpt-4o-mini", "", ("a", "b"))
        >>> _ = BatchFolder(data).note(batch, '{"id": "batch_1"}')
        >>> [batch.keys for batch in BatchFolder(data).pending()]
        [('a', 'b')]
    """

    def __init__(self, data: Path) -> None:
        """Open the batches of a data folder; nothing is made before the first one."""
        self._folder = data / BATCHES
        self._open: dict[str, set[str]] = {}

    def pending(self) -> tuple[PendingBatch, ...]:
        """The batches noted and not settled, the oldest first. A file that is damaged is passed over."""
        found: list[PendingBatch] = []
        for path in sorted(self._folder.glob("*.json")):
            batch = _read(path)
            if batch is None:
                _log.warning("%s: is no note of a batch; passed over", path)
            elif datetime.fromisoformat(batch.sent_at) < datetime.now(UTC) - KEPT:
                self.forget(batch)
            else:
                self._open.setdefault(batch.name, set(batch.keys))
                found.append(batch)
        return tuple(found)

    def begin(self, model: str, group: str, keys: tuple[str, ...]) -> PendingBatch:
        """Note a batch that is about to be sent.

        Raises:
            InputError: the file cannot be written.
        """
        now = datetime.now(UTC)
        digest = hashlib.sha256("\0".join(keys).encode()).hexdigest()[:12]
        batch = PendingBatch(f"{now:%Y%m%dt%H%M%S}-{digest}", model, group, now.isoformat(), "", keys)
        self._open[batch.name] = set(keys)
        try:
            self._write(batch)
        except OSError as error:
            raise InputError(
                f"{self.place(batch)}: cannot be written ({error.strerror}), and without it no batch is sent; free "
                "the place or choose another --data folder"
            ) from error
        return batch

    def note(self, batch: PendingBatch, handle: str) -> PendingBatch:
        """Note that the provider took a batch. Where that cannot be written, this run goes on with it all the same."""
        batch = replace(batch, handle=handle)
        try:
            self._write(batch)
        except OSError as error:
            _log.warning(
                "%s: cannot be written (%s); if this run is stopped, its batch is lost", self.place(batch), error
            )
        return batch

    def settle(self, batch: PendingBatch, key: str) -> None:
        """Note that the reply to one request is kept; the file of a batch with none left goes."""
        left = self._open.get(batch.name, set())
        left.discard(key)
        if not left:
            self.forget(batch)

    def forget(self, batch: PendingBatch) -> None:
        """Remove the file of a batch."""
        self._open.pop(batch.name, None)
        with suppress(OSError):  # a note too many is put right by the next run
            Path(self.place(batch)).unlink(missing_ok=True)

    def place(self, batch: PendingBatch) -> str:
        """The file of a batch."""
        return str(self._folder / f"{batch.name}.json")

    def _write(self, batch: PendingBatch) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f"{batch.name}.part"
        part.write_text(json.dumps(asdict(batch)), encoding="utf-8")
        part.replace(self.place(batch))


def _read(path: Path) -> PendingBatch | None:
    try:
        values = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        fields: dict[str, Any] = {**values, "name": path.stem, "keys": tuple(values["keys"])}
        batch = PendingBatch(**fields)
        texts: list[object] = [batch.model, batch.group, batch.sent_at, batch.handle, *batch.keys]
        is_sound = isinstance(values["keys"], list) and all(isinstance(text, str) for text in texts)
        return batch if is_sound and datetime.fromisoformat(batch.sent_at).tzinfo is not None else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
