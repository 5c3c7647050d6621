"""A key variable has a Secret block of its name."""

import re

from hypothesis import given
from hypothesis import strategies as st

from tasks.keys import to_block_name

variables = st.from_regex(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*", fullmatch=True)


@given(variable=variables)
def test_every_name_is_one_that_prefect_takes_and_leads_back_to_its_variable(variable: str) -> None:
    name = to_block_name(variable)
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)
    assert name.upper().replace("-", "_") == variable
