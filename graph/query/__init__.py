"""Questions to the index: pure functions over a `Snapshot`, answered with frozen records."""

from graph.query.errors import (
    AmbiguousSymbolError,
    NoSuchPlaceError,
    QueryError,
    UnknownFileError,
    UnknownSymbolError,
)
from graph.query.canonical import dump
from graph.query.position import AtAnswer, AtItem, at
from graph.query.records import DefinitionInfo, Evidence, ReferenceInfo
from graph.query.snapshot import Snapshot, reading, snapshot
from graph.query.statistics import Statistics, stats

__all__ = [
    "AmbiguousSymbolError",
    "AtAnswer",
    "AtItem",
    "DefinitionInfo",
    "Evidence",
    "NoSuchPlaceError",
    "QueryError",
    "ReferenceInfo",
    "Snapshot",
    "Statistics",
    "UnknownFileError",
    "UnknownSymbolError",
    "at",
    "dump",
    "reading",
    "snapshot",
    "stats",
]
