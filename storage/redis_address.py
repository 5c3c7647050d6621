"""Addresses of Redis servers, and what must not stand in them.

An address is a setting of a run, and settings are stored and shown. The password comes from the environment instead.
"""

import re
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from schemas.errors import InputError

PASSWORD = "PRISM_REDIS_PASSWORD"  # noqa: S105 - the name of the variable

_FORMS = "redis://HOST:PORT/NUMBER, rediss://HOST:PORT/NUMBER (TLS) or unix:///PATH"
_HOLDS_PASSWORD = (
    "--cache: the address holds a password, which would be stored with the settings of every run; leave it out and set "
    f"the environment variable {PASSWORD}"
)
_TLS_OPTIONS = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}
_OPTIONS = {"redis": {"db"}, "rediss": {"db", *_TLS_OPTIONS}, "unix": {"db"}}


def check_address(address: str) -> None:
    """Refuse an address that is not one, or that holds what must not be seen. The text never repeats it.

    Example:
        >>> check_address("redis://reader@cache.example:6379/0")
        >>> check_address("redis://:secret@cache.example")
        Traceback (most recent call last):
        schemas.errors.InputError: --cache: the address holds a password, which would be stored with the settings of \
every run; leave it out and set the environment variable PRISM_REDIS_PASSWORD

    Raises:
        InputError: it holds a password, its scheme or an option is unknown, or host, port or number are wrong.
    """
    # Before anything is taken apart: a password may hold what ends a host or a path, and its colon may be escaped.
    plain = _unquote_all(address)
    if re.match(r"[^:]*:[^@]*:.*@", plain, re.DOTALL) or "password" in plain.partition("?")[2].lower():
        raise InputError(_HOLDS_PASSWORD)
    try:
        parts = urlsplit(address)
        options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        is_sound = _is_plain(address) and _is_sound(parts)
    except ValueError:
        raise InputError(f"--cache: the address is none; it looks like {_FORMS}") from None
    if ":" in _unquote_all(parts.netloc.rpartition("@")[0]):
        raise InputError(_HOLDS_PASSWORD)
    if not is_sound:
        raise InputError(f"--cache: the address is none; it looks like {_FORMS}")
    _check_options(parts.scheme, options)


def show_address(address: str) -> str:
    """An address for messages: without its user, who may be a password in the wrong place, and its options.

    Example:
        >>> show_address("rediss://reader@cache.example:6380/0?ssl_ca_certs=/etc/ca.pem")
        'rediss://cache.example:6380/0'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def to_user(address: str) -> str:
    """The user that an address names, empty where it names none.

    Example:
        >>> to_user("redis://reader@cache.example:6379/0"), to_user("redis://cache.example")
        ('reader', '')
    """
    return unquote(urlsplit(address).username or "")


def _unquote_all(text: str) -> str:
    while (plain := unquote(text)) != text:
        text = plain
    return text


def _is_plain(address: str) -> bool:
    """Whether nothing stands in it that urlsplit passes over and others do not: blanks, capitals in the scheme."""
    return address.startswith(tuple(f"{scheme}://" for scheme in _OPTIONS)) and not re.search(r"[\s\x00-\x1f]", address)


def _is_sound(parts: SplitResult) -> bool:
    if parts.fragment or (parts.port is not None and parts.port == 0):
        return False
    if parts.scheme == "unix":
        return len(parts.path) > 1 and not parts.hostname
    host = _unquote_all(parts.hostname or "")
    return bool(host) and "@" not in host and re.fullmatch(r"(/[0-9]{0,9})?", parts.path) is not None


def _check_options(scheme: str, options: dict[str, list[str]]) -> None:
    known = _OPTIONS[scheme]
    if unknown := set(options) - known:
        if unknown <= _TLS_OPTIONS:
            raise InputError(f"--cache: the options {', '.join(sorted(_TLS_OPTIONS))} are for rediss:// only")
        raise InputError(f"--cache: the address has unknown options; there are {', '.join(sorted(known))}")
    if any(len(values) > 1 or not values[0] for values in options.values()):
        raise InputError("--cache: each option of the address needs one value")
    if not re.fullmatch(r"[0-9]{1,9}", options.get("db", ["0"])[0]):
        raise InputError("--cache: the option db of the address must be a number")
    if "ssl_keyfile" in options and "ssl_certfile" not in options:
        raise InputError("--cache: the option ssl_keyfile of the address needs ssl_certfile beside it")
