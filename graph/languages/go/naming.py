"""The name of a package outside of the repository, guessed from its import path."""

from __future__ import annotations

import re
from typing import Final

_VERSION: Final = re.compile(r"v\d+")
_VERSION_SUFFIX: Final = re.compile(r"\.v\d+(-unstable)?$")
_SEPARATORS: Final = re.compile(r"[-._]")


def likely_name(path: str) -> str:
    """The name that a package at an import path most likely has: its last element that is no version."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    return _VERSION_SUFFIX.sub("", parts[-1]) if parts else ""


def may_be_named(path: str, name: str) -> bool:
    """Whether a package at an import path may have a name other than `likely_name`: one made of the words of its path.

    `-` and `.` cannot be part of a name, and `go` seldom is (`nats.go` is nats, `go-isatty` isatty, `go-yaml` yaml).
    """
    lowered = name.lower().replace("_", "")
    last = _SEPARATORS.sub("", likely_name(path).lower())
    return len(lowered) > 1 and lowered in last
