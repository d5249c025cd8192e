"""The document that `tieline at PATH:LINE:COLUMN --json` prints, as DESIGN describes it, checked when it is read.

Fields that the description does not name are ignored; a missing one, or one of another type, is a fault.
Lines and columns are 1-based, columns in code points; `byte` is a 0-based offset.
"""

from pydantic import BaseModel, ConfigDict

VERDICTS_WITH_TARGETS = frozenset({"confirmed", "upgraded", "corrected", "syntactic", "contextual"})
VERDICTS_WITHOUT_TARGETS = frozenset({"external", "ambiguous", "unresolved", "refuted"})


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Position(_Part):
    """The position that was asked about."""

    path: str
    line: int
    column: int


class DefinitionAt(_Part):
    """The definition whose name stands at the position."""

    id: str
    kind: str
    path: str
    line: int
    column: int
    byte: int


class LayerClaim(_Part):
    """One layer that stands behind a target."""

    layer: str
    engine: str
    version: str
    contexts: list[str]
    confidence: float | None


class Target(_Part):
    """One definition that the reference resolves to; line and column are those of its name."""

    id: str
    kind: str
    path: str
    line: int
    column: int
    layers: list[LayerClaim]

    @property
    def contexts(self) -> frozenset[str]:
        """Every context in which some layer gives this target."""
        return frozenset(context for claim in self.layers for context in claim.contexts)


class ExternalTarget(_Part):
    """Where an external reference leads, as far as it is known."""

    package: str | None
    symbol: str | None


class ReferenceAt(_Part):
    """The reference whose name stands at the position."""

    name: str
    kind: str
    enclosing: str | None
    verdict: str
    targets: list[Target]
    candidates: list[str]
    external: ExternalTarget | None
    reason: str | None


class AtDocument(_Part):
    """The whole answer."""

    position: Position
    definition: DefinitionAt | None
    reference: ReferenceAt | None
    generation: int
    fresh: bool


def read_at_document(document: object) -> AtDocument:
    """Checks a parsed JSON document. Raises pydantic.ValidationError, which lists every field that is wrong."""
    return AtDocument.model_validate(document)
