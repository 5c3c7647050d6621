"""Where the files of the corpus are: ``<data>/<table>/domain=<slug>/backbone=<slug>/<part>.parquet``.

The two partition keys stand in the path and nowhere else. Repeated inside the files, they make the plainest readers
fail, since a reader gives a key from a path another type than a text column.
"""

import re
import secrets
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from schemas.errors import InputError
from schemas.rows import BackboneKey
from schemas.slugs import is_slug

PART = "part"
"""Stem of the only file of a partition, in tables that have one."""

UNASSIGNED = "unassigned"
"""Domain and backbone of calls and failures that belong to none, such as a file that cannot be read."""

HISTORY = ("calls", "failures")
"""Tables about runs rather than about the corpus: they keep their rows when a backbone goes."""

SCM = ("scm_equations", "scm_coefficients", "scm_scores")
"""Tables about DAGs, which have no article and no network of the corpus."""

BENCHMARK = ("predictions", "alignments", "scores")
"""Tables about what was read out of the examples, one file for each model, mode and judge."""

_TABLE = re.compile(r"[a-z][a-z_]{0,59}")
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_KEYS = ("domain", "backbone")


def is_part(name: str) -> bool:
    """Whether a text can be the stem of a file: a run id, a model's slug, ``part``.

    Example:
        >>> is_part("20260101t120000-0a1b2c"), is_part("_hidden"), is_part("a/b")
        (True, False, False)
    """
    return _PART.fullmatch(name) is not None


def partition(data: Path, table: str, domain: str, backbone: str) -> Path:
    """The folder that holds one backbone's rows of one table.

    Raises:
        ValueError: the domain or the backbone is no slug, or the table's name no table name.

    Example:
        >>> partition(Path("data"), "cpds", "economics", "dutch-disease").as_posix()
        'data/cpds/domain=economics/backbone=dutch-disease'
    """
    if not _TABLE.fullmatch(table):
        raise ValueError(f"{table!r} is not the name of a table")
    for key, value in zip(_KEYS, (domain, backbone), strict=True):
        if not is_slug(value):
            raise ValueError(f"{key} {value!r} is not a slug")
    return data / table / f"domain={domain}" / f"backbone={backbone}"


def to_key(folder: Path) -> BackboneKey | None:
    """The keys that a partition folder's path names; None where it is no partition folder.

    Example:
        >>> to_key(Path("data/cpds/domain=economics/backbone=dutch-disease"))
        BackboneKey(domain='economics', backbone='dutch-disease')
        >>> to_key(Path("data/cpds/domain=economics")) is None
        True
    """
    values: list[str] = []
    for part, key in zip(folder.parts[-2:], _KEYS, strict=False):
        name, _, value = part.partition("=")
        if name != key or not is_slug(value):
            return None
        values.append(value)
    return BackboneKey(*values) if len(values) == len(_KEYS) else None


def list_files(data: Path, table: str, domain: str | None = None, backbone: str | None = None) -> Iterator[Path]:
    """The files of a table, of a domain or of a backbone, ordered by path. Names that readers skip are left out.

    Raises:
        ValueError: a key is given and is no slug.
    """
    for key in (domain, backbone):
        if key is not None and not is_slug(key):
            raise ValueError(f"{key!r} is not a slug")
    pattern = f"domain={domain or '*'}/backbone={backbone or '*'}/*.parquet"
    for path in sorted((data / table).glob(pattern)):
        if is_part(path.name) and to_key(path.parent) is not None:
            yield path


def list_backbones(data: Path, table: str = "backbones") -> tuple[BackboneKey, ...]:
    """The backbones that have rows in a table, ordered by domain and backbone."""
    keys = (to_key(path.parent) for path in list_files(data, table))
    return tuple(sorted({key for key in keys if key is not None}))


def remove_backbone(data: Path, domain: str, backbone: str) -> bool:
    """Take a backbone out of the corpus: its files in every table but ``calls`` and ``failures``.

    Returns:
        Whether there was anything to remove.

    Raises:
        ValueError: a key is no slug.
        InputError: a folder cannot be removed.
    """
    folders = [
        partition(data, folder.name, domain, backbone)
        for folder in (sorted(data.iterdir()) if data.is_dir() else ())
        if folder.is_dir() and _TABLE.fullmatch(folder.name) and folder.name not in HISTORY
    ]
    present = [folder for folder in folders if folder.is_dir()]
    for folder in present:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise InputError(f"{folder}: cannot be removed ({error.strerror}); check who owns it") from error
        if not any(folder.parent.iterdir()):
            folder.parent.rmdir()
    return bool(present)


def new_run_id(now: datetime | None = None) -> str:
    """An id for one run of the program: its start in UTC and six random digits, so that ids sort by time.

    Example:
        >>> new_run_id(datetime(2026, 1, 31, 12, tzinfo=UTC))[:16]
        '20260131t120000-'
    """
    return f"{(now or datetime.now(UTC)).astimezone(UTC):%Y%m%dt%H%M%S}-{secrets.token_hex(3)}"
