"""Real records beside the project, and a real MediaWiki; without them these tests fail rather than skip."""

import fcntl
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.flows.conftest import prefect

__all__ = ["MediaWiki", "mediawiki", "prefect", "real"]

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


@pytest.fixture(scope="session")
def real() -> Path:
    folder = SHARED / "real"
    assert folder.is_dir(), f"{folder} is missing: these tests need the real records"
    return folder


@dataclass(frozen=True, slots=True)
class MediaWiki:
    """A MediaWiki on loopback, and the export it was filled from."""

    api: str
    export: Path


@pytest.fixture(scope="session")
def mediawiki() -> Iterator[MediaWiki]:
    """A MediaWiki with about 100 articles. The first start takes a minute; what it made is kept for the next."""
    folder = Path(tempfile.gettempdir()) / f"prism-mediawiki-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    assert folder.stat().st_uid == os.getuid(), f"{folder} belongs to somebody else: remove it"
    export = folder / "enwiki.xml.bz2"
    with (folder / "session.lock").open("w") as lock, socket.socket() as free:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another session would take the server away from this one
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        _run("get_dump.sh", export)
        _run("start.sh", port, folder / "wiki", export)
        try:
            yield MediaWiki(f"http://127.0.0.1:{port}/w/api.php", export)
        finally:
            _run("stop.sh", folder / "wiki")


def _run(script: str, *arguments: object) -> None:
    # Output goes to a file: the server that start.sh leaves behind would keep a pipe open.
    with tempfile.TemporaryFile() as output:
        command = [str(SHARED / "mediawiki" / script), *map(str, arguments)]
        code = subprocess.run(command, stdout=output, stderr=output, check=False, timeout=900).returncode  # noqa: S603
        output.seek(0)
        assert code == 0, f"{script} ended with {code}: {output.read()[-3000:].decode('utf-8', 'replace')}"
