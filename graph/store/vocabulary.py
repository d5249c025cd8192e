"""The words of the store beside those of `graph.model`: layers, verdicts, parse states, flags of files. Numbers are
stored.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Layer(IntEnum):
    """What kind of evidence a resolution rests on. Append, never renumber."""

    SYNTACTIC = 0
    SEMANTIC = 1


class Verdict(IntEnum):
    """What the resolutions of one reference amount to, together. Append, never renumber."""

    CONFIRMED = 0
    UPGRADED = 1
    CORRECTED = 2
    SYNTACTIC = 3
    REFUTED = 4
    CONTEXTUAL = 5
    EXTERNAL = 6
    AMBIGUOUS = 7
    UNRESOLVED = 8


VERDICT_OF_STATUS = (
    Verdict.SYNTACTIC,
    Verdict.EXTERNAL,
    Verdict.AMBIGUOUS,
    Verdict.UNRESOLVED,
    Verdict.UNRESOLVED,
    Verdict.UNRESOLVED,
)
"""Verdict by `Status` of the syntactic resolution, where no other layer has said anything."""


class ParseStatus(IntEnum):
    """How extraction of a file went. Append, never renumber."""

    WHOLE = 0
    DAMAGED = 1
    """Some byte ranges could not be read cleanly."""
    FAILED = 2
    """Nothing was extracted: the worker crashed, ran out of time or of memory."""


class FileFlag(IntFlag):
    """Properties of a file. Append, never renumber."""

    GENERATED = 1
    VENDORED = 2
    TEST = 4
    CONFLICT_MARKERS = 8
    GENERATED_CONTENT = 16
    """`GENERATED` because its own first lines say so."""


class RelationKind(IntEnum):
    """How one definition relates to another. Append, never renumber."""

    OVERRIDE = 0
    """The method of a class takes the place of that of a base class."""
    IMPLEMENT = 1
    """The method of a class fulfils that of an interface or trait."""


class Membership(IntEnum):
    """What a context makes of a file. Append, never renumber."""

    MEMBER = 0
    EXCLUDED = 1
    FAILED = 2
