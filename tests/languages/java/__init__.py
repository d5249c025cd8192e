"""Tests of Java."""
