"""One run of a kind at a time in a data folder: two builds would write the same files from different articles."""

import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from schemas.errors import InputError
from storage.ledger import JOURNALS


@contextmanager
def holding(data: Path, kind: str) -> Generator[None]:
    """Hold the data folder for runs of a kind. The system lets go of it when the process ends, however it ends.

    Example:
        >>> from tempfile import mkdtemp
        >>> data = Path(mkdtemp())
        >>> with holding(data, "build"):
        ...     try:
        ...         with holding(data, "build"):
        ...             pass
        ...     except InputError as error:
        ...         print(str(error).partition(": ")[2])
        another build is writing there; wait for it, or choose another --data folder

    Raises:
        InputError: another process holds it, or the folder cannot be written.
    """
    path = data / JOURNALS / f"{kind}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another --data folder") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"{data}: another {kind} is writing there; wait for it, or choose another --data folder"
            ) from error
        yield
