"""What is asked and what comes back: plain data."""

from enum import StrEnum
from typing import NamedTuple


class FileSites(NamedTuple):
    """The sites to ask about in one file."""

    path: str
    """Absolute, symbolic links resolved."""
    content: bytes
    """The exact bytes that the offsets are about."""
    offsets: tuple[int, ...]
    """0-based byte offsets, each of the first byte of a name."""


class Location(NamedTuple):
    """A range in a file."""

    path: str
    """Absolute."""
    start: int
    """0-based byte offset."""
    end: int
    """0-based byte offset, exclusive."""
    digest: str
    """xxh3-64 of the file's bytes that the offsets are about, 16 hexadecimal digits."""


class Located(NamedTuple):
    """The server knows targets: at least one."""

    locations: tuple[Location, ...]
    elsewhere: tuple[str, ...]
    """URIs of targets that are no files, `jdt:` for example."""


class Outside(NamedTuple):
    """The server knows that the target lies outside of the workspace, and in which package."""

    package: str
    """"" when the server does not say."""
    version: str
    """"" when the server does not say."""
    symbol: str


class Empty(NamedTuple):
    """The server answered that it knows no target."""


class FailReason(StrEnum):
    """Why there is no answer."""

    TIMEOUT = "timeout"
    CRASHED = "crashed"
    NOT_READY = "not-ready"
    ERROR = "error"
    """The server answered with an error."""
    OUT_OF_RANGE = "out-of-range"
    """A position that is none: in the question (also when its line is not UTF-8) or in the answer."""
    GARBAGE = "garbage"
    """Not the protocol, or a target that cannot be read."""


class Failed(NamedTuple):
    """There is no answer. This says nothing about the reference."""

    reason: FailReason
    detail: str


Outcome = Located | Outside | Empty | Failed


class SiteAnswer(NamedTuple):
    """The outcome for one site."""

    path: str
    offset: int
    outcome: Outcome


class Canary(NamedTuple):
    """A site whose answer is known, asked until a server gives it, twice in a row.

    Best is one that leads to another file: any answer outside of the asking file shows that the server has read more.
    """

    path: str
    content: bytes
    offset: int
    target_path: str
    target_start: int
    """The byte offset at which one of the answers must start."""
