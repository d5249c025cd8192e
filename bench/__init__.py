"""Measuring Tieline: how fast, how much memory, how many references resolve and how many of those are right."""
