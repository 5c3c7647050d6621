"""Hypothesis for the whole suite: no time limits, which a busy machine breaks, and in CI always the same examples."""

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
