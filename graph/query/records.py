"""What queries answer: plain records. Lines and columns are 1-based, columns in code points; bytes are 0-based
offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from graph.model import Flag, Visibility, word


class Position(NamedTuple):
    """A place in a file."""

    line: int
    column: int


@dataclass(frozen=True)
class Evidence:
    """How current an answer is."""

    generation: int
    fresh: bool
    """Whether every file that the answer rests on is what was indexed."""
    changed: tuple[str, ...]
    """Paths of those that have changed since, or are gone."""


@dataclass(frozen=True)
class DefinitionInfo:
    """A definition."""

    number: int
    """Its integer id in this index."""
    id: str
    """Its text id."""
    kind: str
    kind_number: int
    name: str
    qualified_name: str
    parent: int | None
    """Integer id of the definition around it."""
    file: int
    path: str
    line: int
    """Of its name, as is `column`."""
    column: int
    start: int
    """Byte range of all of it."""
    end: int
    name_start: int
    """Byte range of its name."""
    name_end: int
    signature: str
    doc: str
    visibility_number: int
    flags: int
    condition: str

    @property
    def visibility(self) -> str:
        """`public`, `private`, `protected` or `package`."""
        return word(Visibility(self.visibility_number))

    @property
    def flag_words(self) -> tuple[str, ...]:
        """The flags that are set, as words."""
        return tuple(str(flag.name).lower() for flag in Flag if self.flags & flag)


@dataclass(frozen=True)
class LayerClaim:
    """One layer that stands behind a target."""

    layer: str
    engine: str
    version: str
    contexts: tuple[str, ...]
    confidence: float | None


@dataclass(frozen=True)
class TargetInfo:
    """A definition that a reference resolves to, with the layers that say so."""

    definition: DefinitionInfo
    layers: tuple[LayerClaim, ...]


@dataclass(frozen=True)
class ExternalInfo:
    """Something outside of the repository."""

    package: str
    symbol: str
    version: str


@dataclass(frozen=True)
class ResolutionInfo:
    """One resolution of a reference, as a layer gave it."""

    layer: str
    engine: str
    version: str
    contexts: tuple[str, ...]
    status: str
    reason: str
    targets: tuple[DefinitionInfo, ...]
    """Targets when resolved, candidates when ambiguous."""
    external: ExternalInfo | None
    stale: bool
    """Whether a file that it rests on has been indexed anew since."""


@dataclass(frozen=True)
class ReferenceInfo:
    """A reference, without its resolutions."""

    number: int
    """Its integer id in this index."""
    name: str
    qualifier: str
    kind: str
    file: int
    path: str
    line: int
    column: int
    start: int
    end: int
    enclosing: int
    """Integer id of the definition that it stands in."""
