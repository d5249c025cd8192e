"""Tests of Rust."""
