"""The tests, and in `tests.harness` what they share."""
