"""An address names a server, and no secret: a password in it is refused without being repeated."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from storage.redis_address import check_address, show_address


@pytest.mark.parametrize(
    "address",
    [
        "redis://cache.example",
        "redis://cache.example:6379",
        "redis://cache.example:6379/",
        "redis://reader@cache.example:6379/15",
        "redis://[::1]:6379/0",
        "rediss://cache.example:6380/0?ssl_ca_certs=/etc/ca.pem",
        "unix:///run/redis.sock?db=1",
    ],
)
def test_an_address_without_a_password_is_taken(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "redis://:s3cret@cache.example:6379/0",
        "redis://user:s3cret@cache.example",
        "redis://user:s3#cret@cache.example",
        "redis://user:s3?cret@cache.example",
        "redis://user:s3/cret@cache.example",
        "redis://:@cache.example",
        "http://user:s3cret@cache.example",
        "redis://cache.example/0?password=s3cret",
        "rediss://cache.example/0?ssl_password=s3cret",
        "unix://:s3cret@/run/redis.sock",
        "redis://user%3As3cret@cache.example",
        "redis://user%253As3cret@cache.example",
        "redis://us@er:s3cret@cache.example",
        "redis://us%40er%3As3cret@cache.example",
        "redis:/user:s3cret@cache.example",
        "redis://cache.example/0?p%61ssword=s3cret",
        "redis://cache.example/0?PASSWORD=s3cret",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(InputError, match="PRISM_REDIS_PASSWORD") as info:
        check_address(address)
    assert "s3" not in str(info.value)


@given(st.text(st.characters(exclude_characters="@/")), st.text(st.characters(exclude_characters="@"), min_size=1))
def test_no_password_whatever_its_characters_gets_through(user: str, password: str) -> None:
    with pytest.raises(InputError):
        check_address(f"redis://{user}:{password}@cache.example:6379/0")


@pytest.mark.parametrize(
    "address",
    [
        "http://cache.example",
        "redis://",
        "redis:///0",
        "redis://cache.example:port/0",
        "redis://cache.example:0/0",
        "redis://cache.example:70000/0",
        "redis://cache.example/zero",
        "redis://cache.example/0/1",
        "redis://cache.example/0#x",
        "redis://cache.example/0?x",
        "redis://cache.example/0?socket_timeout=1",
        "redis://[::1/0",
        "unix://",
        "unix:///",
        "unix://run/redis.sock",
        "unix:///run/redis.sock?db=x",
        "unix:///run/redis.sock?ssl_certfile=/x",
        "REDIS://cache.example/0",
        " redis://cache.example/0",
        "redis://cache.example/0 ",
        "redis://cache\n.example/0",
        "redis:/cache.example",
        "redis://s3cret%40cache.example/0",
        "redis://cache.example/0?db=1&db=2",
        "redis://cache.example/0?db=",
        "redis://cache.example/0?db=-1",
        "redis://cache.example/٣",
        "redis://cache.example/99999999999",
        "redis://cache.example/0?ssl_ca_certs=/x",
        "rediss://cache.example/0?ssl_keyfile=/x",
    ],
)
def test_what_is_no_address_is_refused_in_one_line(address: str) -> None:
    with pytest.raises(InputError, match="--cache") as info:
        check_address(address)
    assert "\n" not in str(info.value)
    assert "s3" not in str(info.value)


@given(st.text(st.characters(codec="ascii", exclude_characters="/?#[]"), min_size=1))
def test_no_user_is_shown(user: str) -> None:
    for address in (f"redis://{user}@cache.example:6379/0", f"redis://{quote(user)}@cache.example:6379/0?db=1"):
        assert show_address(address) == "redis://cache.example:6379/0"
