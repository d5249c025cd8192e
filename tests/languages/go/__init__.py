"""Tests of Go."""
