"""Questions to the index: pure functions over a `Snapshot`, answered with frozen records."""

from graph.query.canonical import dump
from graph.query.contexts import ContextFigures
from graph.query.errors import (
    AmbiguousSymbolError,
    NoSuchPlaceError,
    QueryError,
    UnknownFileError,
    UnknownSymbolError,
)
from graph.query.export import graph
from graph.query.hierarchy import HierarchyAnswer, Kin, hierarchy
from graph.query.impact import ImpactAnswer, TraceAnswer, impact, trace
from graph.query.layers import Judged
from graph.query.overview import CoverageAnswer, DepsAnswer, StatusAnswer, coverage, deps, status
from graph.query.position import AtAnswer, AtItem, at
from graph.query.records import (
    DefinitionInfo,
    Evidence,
    ExternalInfo,
    LayerClaim,
    ReferenceInfo,
    ResolutionInfo,
    TargetInfo,
)
from graph.query.references import CallsAnswer, RefsAnswer, Wanted, callees, callers, refs
from graph.query.snapshot import Snapshot, reading, snapshot
from graph.query.statistics import LanguageStatistics, Rates, Statistics, stats
from graph.query.structure import OutlineAnswer, SearchAnswer, ShowAnswer, outline, search, show, source_of
from graph.query.symbols import find_symbol, find_symbols
from graph.query.unknown import Unknown

__all__ = [
    "AmbiguousSymbolError",
    "AtAnswer",
    "AtItem",
    "CallsAnswer",
    "ContextFigures",
    "CoverageAnswer",
    "DefinitionInfo",
    "DepsAnswer",
    "Evidence",
    "ExternalInfo",
    "HierarchyAnswer",
    "ImpactAnswer",
    "Judged",
    "Kin",
    "LanguageStatistics",
    "LayerClaim",
    "NoSuchPlaceError",
    "OutlineAnswer",
    "QueryError",
    "Rates",
    "ReferenceInfo",
    "RefsAnswer",
    "ResolutionInfo",
    "SearchAnswer",
    "ShowAnswer",
    "Snapshot",
    "Statistics",
    "StatusAnswer",
    "TargetInfo",
    "TraceAnswer",
    "Unknown",
    "UnknownFileError",
    "UnknownSymbolError",
    "Wanted",
    "at",
    "callees",
    "callers",
    "coverage",
    "deps",
    "dump",
    "find_symbol",
    "find_symbols",
    "graph",
    "hierarchy",
    "impact",
    "outline",
    "reading",
    "refs",
    "search",
    "show",
    "snapshot",
    "source_of",
    "stats",
    "status",
    "trace",
]
