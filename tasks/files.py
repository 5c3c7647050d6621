"""Text files that are complete or not there."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from schemas.errors import InputError


def replace_file(path: Path, text: str) -> None:
    """Write a file under another name first, so that it is complete or not there.

    Raises:
        InputError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another folder") from error
