"""Asking a MediaWiki's API: one request at a time, again where that can help, and never without end.

::

    what happened                                                      again?  raised in the end
    no connection, a connection that broke, no whole answer in time    yes     ServiceError
    HTTP 429, 408, 5xx                                                 yes     ServiceError
    an answer that is not JSON                                         yes     ServiceError
    an API error that passes: maxlag, ratelimited, readonly, internal  yes     ServiceError
    any other API error (they come with HTTP 200)                      no      ServiceError
    HTTP 401, 403, or an API error that says we may not read           no      AccessError
    any other HTTP status                                              no      ServiceError

Retry-After, in seconds or as a date, is waited for on any of these; where it is longer than ``longest_wait`` the
request is given up at once, as an AccessError. Every request says ``maxlag``, so that busy
servers turn us away before their readers.
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from json import JSONDecodeError, loads
from ssl import SSLContext
from typing import Any, cast

import httpx

from schemas.errors import AccessError, ServiceError

MAX_ANSWER = 50_000_000
"""Bytes of an answer at most."""

_MAXLAG = 5
# JSON can carry half of a pair of surrogates, which is no character: no text that could be sent or written.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
_PASSING = frozenset({"maxlag", "ratelimited", "readonly"})
_PASSING_PREFIXES = ("internal_api_error", "cirrussearch-")
_REFUSALS = frozenset({"readapidenied", "permissiondenied", "blocked", "autoblocked"})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often an API is asked, in seconds.

    ``pause`` is the time between two requests; waits before another attempt double from ``first_wait``.
    """

    pause: float = 0.1
    attempts: int = 4
    first_wait: float = 1.0
    longest_wait: float = 60.0
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    answer_timeout: float = 30.0


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why there is no answer: a class, and words that go on after the host's name."""

    kind: str
    what: str
    is_passing: bool = False
    wait: float | None = None


@lru_cache(maxsize=1)
def load_certificates() -> SSLContext:
    """The certificates of this machine, read once: that takes longer than a request."""
    return httpx.create_ssl_context()


class WikiApi:
    """The API at ``address`` (``https://…/api.php``). Proxies and certificates are those of the environment."""

    def __init__(
        self,
        address: str,
        contact: str,
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = address
        self.user_agent = f"prism-bn/0.1 ({contact})"
        self.host = httpx.URL(address).netloc.decode("ascii")
        self._patience = patience or Patience()
        self._sleep = sleep
        self._next_start = 0.0
        self._client = httpx.Client(
            headers={"User-Agent": self.user_agent},
            timeout=httpx.Timeout(self._patience.read_timeout, connect=self._patience.connect_timeout),
            follow_redirects=True,
            verify=load_certificates(),
        )

    def ask(self, query: Mapping[str, str | int]) -> dict[str, Any]:
        """The answer to a query, as JSON, with the member ``query``.

        Raises:
            ServiceError: there is none after the retries.
            AccessError: we are refused, or told to wait for longer than we do.
        """
        attempt = 1
        while True:
            self._sleep(max(0.0, self._next_start - time.monotonic()))
            answer = self._ask_once(query)
            self._next_start = time.monotonic() + self._patience.pause
            if not isinstance(answer, _Fault):
                return answer
            wait = answer.wait if answer.wait is not None else self._patience.first_wait * 2.0 ** (attempt - 1)
            if not answer.is_passing or attempt == self._patience.attempts or wait > self._patience.longest_wait:
                raise self._to_error(answer, attempt)
            self._sleep(wait)
            attempt += 1

    def _ask_once(self, query: Mapping[str, str | int]) -> dict[str, Any] | _Fault:
        end = time.monotonic() + self._patience.answer_timeout
        body = bytearray()
        try:
            parameters = {"format": "json", "maxlag": _MAXLAG, **query}
            with self._client.stream("GET", self.address, params=parameters) as response:
                for piece in response.iter_bytes():
                    body += piece
                    # The client's own limit is on the time between two pieces, and a slow drip never reaches it.
                    if time.monotonic() > end:
                        return _Fault("timeout", "does not finish its answer in time", is_passing=True)
                    if len(body) > MAX_ANSWER:
                        return _Fault("protocol", f"answers with more than {MAX_ANSWER:,} bytes")
        except httpx.TimeoutException:
            return _Fault("timeout", "does not answer in time", is_passing=True)
        except httpx.ConnectError as error:
            return _Fault("connection", f"cannot be reached ({error})", is_passing=True)
        except httpx.TooManyRedirects:
            return _Fault("http", "sends us from address to address; is PRISM_WIKIPEDIA_API right?")
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return _Fault("connection", f"breaks off its answer ({type(error).__name__})", is_passing=True)
        return _read_answer(response, bytes(body))

    def _to_error(self, fault: _Fault, attempts: int) -> ServiceError:
        text = f"{self.host} {fault.what}"
        if fault.wait is not None and fault.wait > self._patience.longest_wait:
            return AccessError(f"{text}; it wants us to wait {fault.wait:,.0f} s: try again later", kind="wait")
        if fault.kind == "access":
            return AccessError(text, kind=fault.kind)
        return ServiceError(f"{text}, after {attempts} attempts" if attempts > 1 else text, kind=fault.kind)


class WikiTransport(httpx.BaseTransport):
    """Lets the client library speak through a :class:`WikiApi`, wherever the library thinks the API is.

    A listing comes a part at a time: what the API wants to hear to go on is in ``more`` and not in the answer, from
    which the library would fetch the whole listing.
    """

    def __init__(self, api: WikiApi) -> None:
        self._api = api
        self.more: Mapping[str, str] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer the library's request."""
        answer = self._api.ask(dict(request.url.params))
        self.more = answer.pop("continue", {})
        return httpx.Response(200, json=answer, request=request)


def _read_answer(response: httpx.Response, body: bytes) -> dict[str, Any] | _Fault:
    fault = _find_http_fault(response.status_code)
    if fault is None:
        try:
            answer = loads(body)
            if _SURROGATE.search(body):
                answer = _drop_surrogates(answer)
        except (JSONDecodeError, UnicodeDecodeError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            return _Fault("invalid_json", "answers with something that is not JSON", is_passing=True)
        fields = cast(dict[str, Any], answer)
        fault = _find_api_fault(fields)
        if fault is None:
            return fields
    wait = _read_retry_after(response.headers.get("Retry-After", "")) if fault.is_passing else None
    return replace(fault, wait=wait)


def _drop_surrogates(value: Any) -> Any:
    """JSON whose texts can be written as UTF-8: half a pair that stands for a character is shown as one unknown."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_drop_surrogates(item) for item in cast(list[Any], value)]
        case dict():
            fields = cast(dict[str, Any], value)
            return {_drop_surrogates(name): _drop_surrogates(item) for name, item in fields.items()}
        case _:
            return value


def _find_http_fault(status: int) -> _Fault | None:
    match status:
        case 200:
            return None
        case 429:
            return _Fault("rate_limit", "asks to slow down (HTTP 429)", is_passing=True)
        case 401 | 403:
            return _Fault("access", f"refuses us (HTTP {status}); is PRISM_CONTACT a real address?")
        case 404:
            return _Fault("http", "has no such page (HTTP 404); is PRISM_WIKIPEDIA_API right?")
        case _:
            return _Fault("http", f"answers HTTP {status}", is_passing=status >= 500 or status == 408)


def _find_api_fault(answer: Mapping[str, Any]) -> _Fault | None:
    error = answer.get("error")
    if isinstance(error, dict):
        fields = cast(dict[str, Any], error)
        code, information = str(fields.get("code", "unknown")), " ".join(str(fields.get("info", "")).split())[:200]
        what = f"answers with the error {code}: {information}"
        if code in _REFUSALS:
            return _Fault("access", what)
        return _Fault(code, what, is_passing=code in _PASSING or code.startswith(_PASSING_PREFIXES))
    # Without this an empty object would read as an empty listing.
    return None if isinstance(answer.get("query"), dict) else _Fault("protocol", "answers without a result")


def _read_retry_after(header: str) -> float | None:
    """Seconds to wait, of a header that gives them or a date (RFC 9110, section 10.2.3); None where it is neither."""
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
