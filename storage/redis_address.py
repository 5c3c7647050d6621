"""Addresses of Redis servers, and what must not stand in them.

An address is a setting of a run, and settings are stored and shown. The password comes from the environment instead.
"""

import re
from urllib.parse import parse_qs, urlsplit

from schemas.errors import InputError

PASSWORD = "PRISM_REDIS_PASSWORD"  # noqa: S105 - the name of the variable

_FORMS = "redis://HOST:PORT/NUMBER, rediss://HOST:PORT/NUMBER (TLS) or unix:///PATH"
_OPTIONS = {"db", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}


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
    # Before anything is taken apart: a password may hold what ends a host or a path.
    if re.search(r"://[^@]*:.*@", address, re.DOTALL) or "password" in address.partition("?")[2]:
        raise InputError(
            "--cache: the address holds a password, which would be stored with the settings of every run; leave it out "
            f"and set the environment variable {PASSWORD}"
        )
    try:
        parts = urlsplit(address)
        is_local = parts.scheme == "unix"
        is_sound = (
            parts.scheme in {"redis", "rediss", "unix"}
            and not parts.fragment
            and (parts.port is None or parts.port > 0)
            and (len(parts.path) > 1 if is_local else bool(parts.hostname))
            and (is_local or re.fullmatch(r"(/\d*)?", parts.path) is not None)
        )
        unknown = set(parse_qs(parts.query, strict_parsing=bool(parts.query))) - _OPTIONS
    except ValueError:
        raise InputError(f"--cache: the address is none; it looks like {_FORMS}") from None
    if not is_sound:
        raise InputError(f"--cache: the address is none; it looks like {_FORMS}")
    if unknown:
        raise InputError(f"--cache: the address has unknown options; there are {', '.join(sorted(_OPTIONS))}")
