"""Batches that were sent to a provider and not yet collected: one JSON file each in the data folder.

They let a run that was killed or interrupted find its requests again at the provider. A file goes once every reply of
its batch is in the reply cache.
"""

import hashlib
import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from schemas.calls import PendingBatch
from schemas.errors import InputError

BATCHES = ".batches"

_log = logging.getLogger(__name__)


class BatchFolder:
    """A :class:`schemas.calls.BatchJournal` of files.

    Example:
        >>> from tempfile import mkdtemp
        >>> folder = BatchFolder(Path(mkdtemp()))
        >>> folder.note(PendingBatch("openai:gpt-4o-mini", '{"id": "batch_1"}', ("a", "b")))
        >>> [batch.keys for batch in BatchFolder(folder.path.parent).pending()]
        [('a', 'b')]
    """

    def __init__(self, data: Path) -> None:
        """Open the batches of a data folder; nothing is made before the first one."""
        self.path = data / BATCHES
        self._open: dict[str, set[str]] = {}

    def pending(self) -> tuple[PendingBatch, ...]:
        """The batches noted and not settled, in the order of their files. A file that is damaged is left out."""
        found: list[PendingBatch] = []
        for path in sorted(self.path.glob("*.json")):
            batch = _read(path)
            if batch is None:
                _log.warning("%s: is no note of a batch; passed over", path)
                continue
            self._open.setdefault(path.stem, set(batch.keys))
            found.append(batch)
        return tuple(found)

    def note(self, batch: PendingBatch) -> None:
        """Note a batch that was sent.

        Raises:
            InputError: the file cannot be written.
        """
        name = _to_name(batch)
        self._open[name] = set(batch.keys)
        part = self.path / f"{name}.part"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(asdict(batch)), encoding="utf-8")
            part.replace(self.path / f"{name}.json")
        except OSError as error:
            raise InputError(f"{part}: cannot be written ({error.strerror}); make room there") from error

    def settle(self, batch: PendingBatch, key: str) -> None:
        """Note that the reply to one request is kept; the file of a batch with none left goes."""
        name = _to_name(batch)
        left = self._open.get(name, set())
        left.discard(key)
        if not left:
            self._open.pop(name, None)
            (self.path / f"{name}.json").unlink(missing_ok=True)


def _to_name(batch: PendingBatch) -> str:
    return hashlib.sha256(f"{batch.model}\0{batch.handle}".encode()).hexdigest()[:16]


def _read(path: Path) -> PendingBatch | None:
    try:
        values = cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        keys = tuple(str(key) for key in values["keys"])
        return PendingBatch(str(values["model"]), str(values["handle"]), keys)
    except (OSError, ValueError, KeyError, TypeError):
        return None
