"""Real records beside the project; without them these tests fail rather than skip."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


@pytest.fixture(scope="session")
def real() -> Path:
    folder = SHARED / "real"
    assert folder.is_dir(), f"{folder} is missing: these tests need the real records"
    return folder
