"""Tests of the languages, each in its folder."""
