"""Settings of the whole suite."""

import os

import pytest
from hypothesis import HealthCheck, settings

from graph.compiled import is_compiled

# Generated examples are the same on every run and every machine; nothing depends on how fast the machine is.
settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("explore", parent=settings.get_profile("default"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_sessionstart() -> None:
    """Tests of the compiled modules must not run on the sources by mistake, nor the other way round."""
    if is_compiled() != bool(os.environ.get("TIELINE_INSTALLED")):
        found = "compiled modules" if is_compiled() else "the sources"
        pytest.exit(f"these tests see {found}: `make test-compiled` tests what is compiled", returncode=3)
