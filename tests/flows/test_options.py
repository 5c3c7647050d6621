"""However a Ctrl-C comes up, it is one line and exit code 130."""

import json
from collections.abc import Callable
from typing import Annotated

import pytest
import typer
from pydantic import BaseModel, PlainSerializer

from flows.options import reporting_errors


def _interrupt(_value: object = None) -> str:
    raise KeyboardInterrupt


class _Interrupted(BaseModel):
    value: Annotated[int, PlainSerializer(_interrupt)] = 0


def _while_serialising() -> None:
    _Interrupted().model_dump()


def _as_a_cause() -> None:
    raise RuntimeError from KeyboardInterrupt()


def _while_handled() -> None:
    try:
        _interrupt()
    except KeyboardInterrupt:
        json.loads("{")


@pytest.mark.parametrize("interrupted", [_interrupt, _while_serialising, _as_a_cause, _while_handled])
def test_an_interruption_is_one_line_and_exit_code_130_whatever_wraps_it(
    interrupted: Callable[[], object], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as stopped, reporting_errors():
        interrupted()
    assert stopped.value.exit_code == 130
    assert capsys.readouterr().err == "prism: interrupted; run the same command again to resume\n"


def test_an_error_that_has_nothing_to_do_with_it_is_left_alone() -> None:
    with pytest.raises(RuntimeError, match="KeyboardInterrupt"), reporting_errors():
        raise RuntimeError("no KeyboardInterrupt")
