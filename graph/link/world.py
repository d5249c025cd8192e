"""All files of one language family as the linker sees them: loaded when first asked for, with who asked for whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mypy_extensions import mypyc_attr

from graph.link.values import Values
from graph.model import Binding, Expression


class LinkDefinition(NamedTuple):
    """The part of a definition that linking reads; the fields are the first ones of `graph.model.DefinitionFact`."""

    kind: int
    name: str
    parent: int
    scope: int
    flags: int
    visibility: int
    bases: list[int]
    type: int
    values: list[int]
    parameters: list[list[Any]]
    type_parameters: list[list[Any]]
    decorators: list[int]
    condition: str
    extra: dict[str, Any]
    qualified_name: str


LINK_FIELDS = len(LinkDefinition._fields)


class FileRecord(NamedTuple):
    """One file as the world knows it without loading it."""

    number: int
    path: str
    language: str
    package: str
    """The package it declares itself a member of, or ''."""
    test: bool


class FileInterface:
    """The facts of one file that linking reads, with what was found out about them so far."""

    __slots__ = (
        "all", "bindings", "definitions", "denotations", "exports", "expressions", "extra", "imports", "language",
        "names", "number", "package", "path", "scopes", "star_exports", "stars", "values",
    )  # fmt: skip

    def __init__(self, record: FileRecord, facts: Sequence[Any]) -> None:
        self.number = record.number
        self.path = record.path
        self.language = record.language
        self.package = record.package
        self.scopes: list[list[int]] = facts[0]
        self.bindings: list[dict[str, list[Binding]]] = facts[1]
        self.stars: list[list[int]] = facts[2]
        self.definitions: list[LinkDefinition] = [LinkDefinition(*row) for row in facts[3]]
        self.expressions: list[Expression] = facts[4]
        self.imports: list[list[Any]] = facts[5]
        self.exports: dict[str, Binding] = facts[6]
        self.star_exports: list[int] = facts[7]
        self.all: list[str] | None = facts[8]
        self.extra: dict[str, Any] = facts[9]
        count = len(self.expressions)
        self.denotations: list[Any] = [None] * count
        self.values: list[Values | None] = [None] * count
        self.names: dict[tuple[int, str], Any] = {}


@dataclass(frozen=True)
class Manifest:
    """A build or package description: path relative to the root, with its bytes."""

    path: str
    data: bytes


@mypyc_attr(allow_interpreted_subclasses=True)
class World:
    """The files of one language family, their manifests, and the record of which file was asked about which.

    `file(number, asker)` loads a file on first use. The recorded pairs (asker, asked) are what incremental linking
    needs: a file has to be linked again when anything that it reaches through these pairs changes its interface.
    """

    def __init__(
        self,
        records: Sequence[FileRecord],
        manifests: Sequence[Manifest],
        load: Callable[[int], Sequence[Any]],
    ) -> None:
        self.records: dict[int, FileRecord] = {record.number: record for record in records}
        self.paths: Mapping[str, int] = {record.path: record.number for record in records}
        self.manifests = tuple(sorted(manifests, key=lambda manifest: manifest.path))
        self.asked: dict[int, set[int]] = {}
        self._load = load
        self.loaded: dict[int, FileInterface] = {}
        """The files that have been loaded so far. To ask for one on behalf of another, use `file`."""

    def file(self, number: int, asker: int) -> FileInterface:
        """The interface of a file, noting that `asker` (a file number) depends on it."""
        if number != asker and number >= 0 <= asker:
            asked = self.asked.get(asker)
            if asked is None:
                self.asked[asker] = {number}
            else:
                asked.add(number)
        loaded = self.loaded.get(number)
        if loaded is None:
            loaded = self.loaded[number] = FileInterface(self.records[number], self._load(number))
        return loaded

    def note(self, asker: int, asked: int) -> None:
        """Record a dependency that does not go through `file`."""
        if asker != asked and asked >= 0 <= asker:
            self.asked.setdefault(asker, set()).add(asked)

    def adopt(self, record: FileRecord, facts: Sequence[Any]) -> FileInterface:
        """Add declarations that a language brings along itself (its standard library), under a negative file number.

        They are no part of the repository: not among `records` or `paths`, and nobody is recorded as depending on them.
        """
        loaded = self.loaded[record.number] = FileInterface(record, facts)
        return loaded
