"""One Prefect for all flow tests: a temporary database and server, started once."""

from collections.abc import Iterator

import pytest
from prefect.testing.utilities import prefect_test_harness


@pytest.fixture(scope="session")
def prefect() -> Iterator[None]:
    with prefect_test_harness(server_startup_timeout=180):
        yield
