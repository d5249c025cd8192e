"""Settings of the whole suite."""

import os

from hypothesis import HealthCheck, settings

# Generated examples are the same on every run and every machine; nothing depends on how fast the machine is.
settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("explore", parent=settings.get_profile("default"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
