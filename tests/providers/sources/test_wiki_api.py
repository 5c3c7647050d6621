"""The API is asked at a polite pace, again where that can help, for as long as it wants, and never without end."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from socket import create_server

import pytest

from providers.sources.wiki_api import Patience, WikiApi
from schemas.errors import ServiceError
from tests.providers.sources.wiki_server import Reply, Wiki, serving, to_error

QUERY = {"action": "query", "titles": "Rain"}


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with serving(Wiki({"Rain": "It falls."}, {}, {}, {})) as wiki:
        yield wiki


def ask(wiki: Wiki, *troubles: Reply, patience: Patience | None = None) -> list[float]:
    """Ask until the troubles are over; the waits, without those of no length."""
    waits: list[float] = []
    left = list(troubles)
    wiki.interfere = lambda _: left.pop(0) if left else None
    api = WikiApi(wiki.address, "me@example.org", patience or Patience(pause=0), sleep=waits.append)
    assert "pages" in api.ask(QUERY)["query"]
    assert len(wiki.queries) == len(troubles) + 1
    return [wait for wait in waits if wait]


def test_waits_double_where_nobody_says_how_long(wiki: Wiki) -> None:
    assert ask(wiki, Reply(status=500), Reply(b"<html>"), Reply(status=0)) == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    "trouble",
    [
        Reply(status=429, headers={"Retry-After": "7"}),
        Reply(status=503, headers={"Retry-After": "7"}),
        to_error("maxlag", Retry_After="7"),
    ],
)
def test_retry_after_in_seconds_is_waited_for(wiki: Wiki, trouble: Reply) -> None:
    assert ask(wiki, trouble) == [7.0]


def test_retry_after_as_a_date_is_waited_for(wiki: Wiki) -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    [wait] = ask(wiki, Reply(status=503, headers={"Retry-After": moment}))
    assert 30 < wait <= 40


@pytest.mark.parametrize("header", ["soon", "", "-5", "Wed, 99 Foo 2020 00:00:00 GMT"])
def test_a_retry_after_that_says_nothing_is_as_good_as_none(wiki: Wiki, header: str) -> None:
    assert ask(wiki, Reply(status=503, headers={"Retry-After": header})) == [1.0]


def test_a_date_that_is_past_is_no_wait(wiki: Wiki) -> None:
    assert ask(wiki, Reply(status=429, headers={"Retry-After": "Sat, 31 Jan 2026 00:00:00 GMT"})) == []


def test_there_is_a_pause_between_two_requests(wiki: Wiki) -> None:
    waits: list[float] = []
    api = WikiApi(wiki.address, "me@example.org", Patience(pause=9.0), sleep=waits.append)
    for _ in range(3):
        api.ask(QUERY)
    assert waits[0] == 0.0
    assert all(8.0 < wait <= 9.0 for wait in waits[1:])


def test_a_redirect_to_another_address_is_followed(wiki: Wiki) -> None:
    moved = Reply(status=301, headers={"Location": f"{wiki.address}?action=query&titles=Rain"})
    assert ask(wiki, moved) == []


def test_an_answer_that_drips_without_end_is_given_up() -> None:
    """The server sends a byte at a time, each well within the time-out between two of them."""
    with create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/api.php"
        patience = Patience(attempts=1, answer_timeout=0.2, read_timeout=5)
        from threading import Thread

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(10_000)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
                try:
                    for _ in range(10_000):
                        connection.sendall(b" ")
                        time.sleep(0.02)
                except OSError:  # the client has gone
                    pass

        thread = Thread(target=drip)
        thread.start()
        with pytest.raises(ServiceError, match="does not finish its answer in time"):
            WikiApi(address, "me@example.org", patience).ask(QUERY)
        thread.join(5)
        assert not thread.is_alive()


def test_a_server_that_accepts_and_says_nothing_is_given_up() -> None:
    with create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/api.php"
        api = WikiApi(address, "me@example.org", Patience(first_wait=0, read_timeout=0.1))
        with pytest.raises(ServiceError, match=r"does not answer in time, after 4 attempts") as caught:
            api.ask(QUERY)
        assert caught.value.kind == "timeout"
