"""Joining what the code says with what language servers say, and the command line on top."""

__version__ = "0.1.0"
