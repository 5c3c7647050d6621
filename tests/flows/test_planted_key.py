"""A key is used and is nowhere to be found afterwards, whatever went wrong meanwhile.

It is planted, whole runs are made that meet every sort of failure, and every place that they write to is searched: for
the key, which must not be there, and for words that must be, so that the search itself is shown to see the place.
"""

import json
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from prefect.blocks.system import Secret
from prefect.settings import PREFECT_SERVER_DATABASE_CONNECTION_URL
from pydantic_ai.models.anthropic import AnthropicModel
from typer.testing import CliRunner, Result

from flows.cli import app
from providers.batch_client import BatchPace
from providers.retries import RetryPolicy
from tests.flows.test_build_corpus import CAUSAL
from tests.providers.batch_wire import BatchService, serve_batches
from tests.providers.quoting import REFUSED, QuotingService, serve_quoting, to_forms
from tests.providers.wire import KEY_VARIABLE

pytestmark = pytest.mark.usefixtures("prefect")

# Without a prefix that a key is known by, and with characters that an address writes in another way.
KEY = "planted/7f3a9c41+d2e8=b6"
FORMS = to_forms(KEY)
BREAKS = "This article breaks the program."
BROKEN = "the program broke beside"
MODEL, READER = "test:quoting", "test:reader"


class Records:
    """Every log record of the process, at whatever level and of whichever library, as text with its traceback."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[str] = []
        handle, formatter = logging.Logger.callHandlers, logging.Formatter("%(name)s %(message)s")

        def note(logger: logging.Logger, record: logging.LogRecord) -> None:
            self.lines.append(formatter.format(record))
            handle(logger, record)

        monkeypatch.setattr(logging.Logger, "callHandlers", note)
        names = ("", "prefect", "prefect.flow_runs", "prefect.task_runs", "httpx", "httpx2", "httpcore", "httpcore2")
        for name in (*names, "openai", "anthropic", "asyncio"):
            monkeypatch.setattr(logging.getLogger(name), "level", logging.DEBUG)
        cast("Any", logging.getLogger().manager)._clear_cache()


class Traces:
    """Where a run writes to, and what was seen there while it went on."""

    def __init__(self, folder: Path, records: Records, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.data, self.cache = folder / "data", folder / "cache"
        self.meanwhile: list[str] = []
        self._records, self._capture = records, capture
        self.printed: list[str] = []

    def look(self) -> None:
        """Keep what journals hold now, which are gone when the run is over."""
        for name in (".runs", ".batches"):
            for path in _list_files(self.data / name):
                with suppress(FileNotFoundError):  # gone already
                    self.meanwhile.append(_read(path))

    def run(self, *arguments: str) -> Result:
        """Run a command in the folders."""
        places = ("--data", str(self.data), "--cache", str(self.cache))
        result = CliRunner().invoke(app, [*arguments, *places])
        self.printed += [result.stdout, result.stderr, repr(result.exception)]
        return result

    def search(self, *, words: dict[str, str], tables: dict[str, str]) -> None:
        """Find no key anywhere, but these words in these places, and these in these tables of Prefect's database."""
        self.printed += self._capture.readouterr()
        places = {
            "data": "\n".join(map(_read, _list_files(self.data))),
            "cache": "\n".join(map(_read, _list_files(self.cache))),
            "journals": "\n".join(self.meanwhile),
            "log": "\n".join(self._records.lines),
            "terminal": "\n".join(self.printed),
        }
        for place, text in places.items():
            assert not [form for form in FORMS if form in text], place
            assert words.get(place, "") in text, place
        database = _wait_for_rows({"flow_run": str(self.data), **tables})
        for table, text in database.items():
            assert not [form for form in FORMS if form in text], table
        raw = b"".join(path.read_bytes() for path in _find_database().parent.glob("prefect-test.db*"))
        assert b"build-corpus" in raw
        assert not [form for form in FORMS if form.encode() in raw]


def _list_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _read(path: Path) -> str:
    """What a file holds: its bytes, and what is read from them where they are packed."""
    text = path.read_bytes().decode("latin-1")
    if path.suffix == ".parquet":
        table = pq.ParquetFile(path).read()
        text += json.dumps(table.to_pylist(), default=str) + str(table.schema.metadata)
    if path.suffix == ".db":
        text += "\n".join(_dump(path).values())
    return f"{path}\n{text}"


def _dump(path: Path) -> dict[str, str]:
    """Every row of a database, by table."""
    with sqlite3.connect(path, timeout=30) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = {name: connection.execute(f'SELECT * FROM "{name}"') for name in names}  # noqa: S608 - its own tables
        return {name: "\n".join(_show(value) for row in rows for value in row) for name, rows in tables.items()}


def _show(value: object) -> str:
    if isinstance(value, bytes):
        with suppress(zlib.error):
            value = zlib.decompress(value)
        return value.decode("latin-1")
    return str(value)


def _find_database() -> Path:
    return Path(PREFECT_SERVER_DATABASE_CONNECTION_URL.value().partition("///")[2])


def _wait_for_rows(words: dict[str, str]) -> dict[str, str]:
    """Prefect's database, once it holds these words in these tables: logs and events come there a little later."""
    end = time.monotonic() + 30
    while True:
        database = _dump(_find_database())
        missing = [table for table, text in words.items() if text not in database[table]]
        if not missing:
            return database
        assert time.monotonic() < end, missing
        time.sleep(0.2)


def write_catalogue(path: Path, base_url: str) -> None:
    entry = (
        "{name}:\n  provider: {provider}\n  model: {model}\n  base_url: {url}\n  key_env: {key}\n"
        "  context_tokens: 128000\n  max_output_tokens: 16000\n"
    )
    anthropic = {"name": MODEL, "provider": "anthropic", "model": "claude-haiku-4-5", "url": base_url}
    openai = {"name": READER, "provider": "openai", "model": "gpt-4o-mini", "url": f"{base_url}/v1"}
    path.write_text("".join(entry.format(**fields, key=KEY_VARIABLE) for fields in (anthropic, openai)))


def write_articles(folder: Path, *endings: str) -> str:
    folder.mkdir()
    for place, ending in enumerate(endings):
        (folder / f"article-{place}.md").write_text(f"# Article {place}\n\n{CAUSAL * 3}{ending}\n")
    return f"folder:{folder}"


def wait_shortly(_policy: RetryPolicy, _attempt: int) -> float:
    return 0.01


def look_often(_provider: str) -> BatchPace:
    return BatchPace(quiet=0.05, first_look=0.05, longest_look=0.1)


@pytest.fixture
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Traces:
    monkeypatch.setattr(RetryPolicy, "wait", wait_shortly)
    monkeypatch.setenv("PRISM_MODELS", str(tmp_path / "models.yaml"))
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    return Traces(tmp_path, Records(monkeypatch), capfd)


@pytest.fixture
def service(traces: Traces) -> Iterator[QuotingService]:
    with serve_quoting(QuotingService(on_request=traces.look)) as running:
        write_catalogue(traces.folder / "models.yaml", running.base_url)
        yield running


def break_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program fail where the client and its key are at hand."""
    request: Callable[..., Any] = AnthropicModel.request

    async def fail(self: AnthropicModel, messages: Any, *arguments: Any) -> Any:
        client = self.client
        if BREAKS in str(messages):
            raise RuntimeError(f"{BROKEN} {client!r}")
        return await request(self, messages, *arguments)

    monkeypatch.setattr(AnthropicModel, "request", fail)


def build(traces: Traces, *endings: str, options: Iterable[str] = ()) -> Result:
    source = write_articles(traces.folder / "articles", *endings)
    return traces.run(
        "build", "--source", source, "--domain", "economics", "--model", MODEL, "--examples", "3", *options
    )


def test_a_build_and_a_benchmark_with_failing_calls_leave_no_key(
    traces: Traces, service: QuotingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_program(monkeypatch)
    result = build(traces, "", REFUSED, BREAKS)
    assert result.exit_code == 1, result.stderr  # an article that met a fault of the program
    assert set(service.statuses) == {0, 200, 400}
    service.refused = ("Article 0",)
    result = traces.run("benchmark", "--model", READER, "--judge", "exact", "--examples", "2")
    assert result.exit_code in {0, 1}, result.stderr
    assert set(service.keys) == {KEY}
    traces.search(
        words={
            "data": "not for *** or *** or *** or ***",
            "cache": "It acts on it.",
            "journals": MODEL,
            "log": BROKEN,
            "terminal": "***",
        },
        tables={
            "flow_run_state": "Completed",
            "task_run": "elicit",
            "log": BROKEN,
            "artifact": BROKEN,
            "events": MODEL,
        },
    )


def test_a_refused_key_that_the_service_quotes_is_not_told(traces: Traces, service: QuotingService) -> None:
    service.is_locked = True
    result = build(traces, "")
    assert result.exit_code != 0
    assert f"check the variable {KEY_VARIABLE} (HTTP 401" in result.stderr
    assert set(service.keys) == {KEY}
    line = f"check the variable {KEY_VARIABLE}"
    traces.search(words={"data": MODEL, "terminal": line}, tables={"flow_run_state": line, "events": line})


def test_batches_leave_no_key(traces: Traces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("providers.batches.read_pace", look_often)
    service = BatchService(fate=lambda place: "errored" if place == 0 else "succeeded")
    with serve_batches(service):
        write_catalogue(traces.folder / "models.yaml", service.base_url)
        has_ended = service.has_ended

        def look(name: str) -> bool:
            traces.look()
            return has_ended(name)

        monkeypatch.setattr(service, "has_ended", look)
        result = build(traces, "", "Rain.", options=("--batch",))
    assert result.exit_code == 0, result.stdout + result.stderr
    assert service.batches
    assert all(KEY in str(headers) for headers in service.headers)
    traces.search(
        words={"data": MODEL, "cache": "It acts on it.", "journals": "batch_1"}, tables={"task_run": "elicit"}
    )


def test_a_key_from_a_secret_block_is_in_the_database_in_cipher_only(
    traces: Traces, service: QuotingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "")  # set to nothing, so that what the run puts there is taken away again
    Secret(value=cast("Any", KEY)).save("prism-test-key", overwrite=True)
    result = build(traces, "", REFUSED)
    assert result.exit_code == 1, result.stderr  # without the article that is refused
    assert set(service.keys) == {KEY}
    traces.search(words={"data": "not for ***"}, tables={"block_document": "prism-test-key"})
