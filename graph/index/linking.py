"""Linking a family's files: a linker in each worker, and the compact rows that come back from it."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import orjson

from graph.index.deep import on_deep_stack
from graph.index.reading import ReferenceColumns, unpack_columns
from graph.languages.base import Language
from graph.link.answers import Resolution
from graph.link.linker import Linker
from graph.link.values import FILE_SHIFT
from graph.link.world import FileRecord, Manifest, World
from graph.model import DefinitionKind, Status
from graph.store.vocabulary import RelationKind

_INTERFACES = frozenset({DefinitionKind.INTERFACE, DefinitionKind.TRAIT})
_RESOLVED = int(Status.RESOLVED)
_EXTERNAL = int(Status.EXTERNAL)
_FAILED = int(Status.FAILED)
TOO_DEEP = "linking failed: its names lean on each other in too long a chain"
"""The reason of references whose file cannot be linked even on a deep stack."""


class Linked(NamedTuple):
    """The resolutions of one file's references, in their order, and its relations. Numbers are those of the world."""

    file: int
    outcomes: list[tuple[int, str, str]]
    """The distinct (status, rule, reason) of the file."""
    outcome: bytes
    """array('H'): index into `outcomes` of each reference."""
    target: bytes
    """array('q'): gid of the one target of each reference, 0 when it has none or several."""
    externals: list[tuple[str, str]]
    """The distinct (package, symbol) of the file."""
    external: bytes
    """array('I'): 1-based index into `externals` of each reference, 0 for none."""
    several: list[tuple[int, list[int]]]
    """(reference, gids): targets or candidates where they are not one target."""
    relations: list[tuple[int, int, int, str]]
    """(gid of the source, gid of the target, RelationKind, rule)."""


class LinkBatch(NamedTuple):
    """What comes back for some files."""

    files: list[Linked]
    asked: list[tuple[int, int]]
    """(asker, asked) pairs of file numbers, new since the last batch of the same worker."""


class Job:
    """One family's linking: the world, and where references come from."""

    def __init__(
        self,
        language: Language,
        records: Sequence[FileRecord],
        manifests: Sequence[Manifest],
        load: Callable[[int], bytes],
        load_references: Callable[[int], bytes],
    ) -> None:
        """`load` gives the JSON of a file's interface, `load_references` the blob of its reference columns."""
        self._language = language
        self._records = records
        self._manifests = manifests
        self._load = load
        self._load_references = load_references
        self._made: tuple[World, Linker] | None = None

    def link(self, numbers: Sequence[int]) -> LinkBatch:
        """Link some files."""
        return on_deep_stack(lambda: self._link(numbers))

    def _link(self, numbers: Sequence[int]) -> LinkBatch:
        files: list[Linked] = []
        asked: list[tuple[int, int]] = []
        for number in numbers:
            world, linker = self._engine()
            try:
                files.append(self.link_one(linker, number))
            except RecursionError:
                files.append(unlinked(number, len(self.references(number).kinds), TOO_DEEP))
                self._made = None  # it may hold answers that are half worked out
            asked.extend((asker, number) for asker, numbers in world.asked.items() for number in numbers)
            world.asked.clear()
        return LinkBatch(files, asked)

    def link_marshalled(self, numbers: Sequence[int]) -> bytes:
        """`link`, for another process."""
        found = self.link(numbers)
        return marshal.dumps(([tuple(file) for file in found.files], found.asked))

    def _engine(self) -> tuple[World, Linker]:
        if self._made is None:
            loads = orjson.loads
            load = self._load
            world = World(self._records, self._manifests, lambda number: loads(load(number)))
            self._made = world, self._language.linker(world)
        return self._made

    def link_one(self, linker: Linker, number: int) -> Linked:
        """The resolutions of one file."""
        references = self.references(number)
        relations = _relations(linker, number)
        return _compact(number, _resolve(linker, number, references), relations)

    def references(self, number: int) -> ReferenceColumns:
        """The reference columns of a file."""
        return unpack_columns(self._load_references(number))


def unlinked(number: int, count: int, reason: str) -> Linked:
    """What stands in for the links of a file whose linking failed; `count` is that of its references."""
    return Linked(
        number, [(_FAILED, "", reason)], array("H", bytes(2 * count)).tobytes(),
        array("q", bytes(8 * count)).tobytes(), [], array("I", bytes(4 * count)).tobytes(), [], [],
    )  # fmt: skip


def failure_of(linked: Linked) -> str:
    """Why the linking of a file failed; '' when it did not."""
    return next((reason for status, _, reason in linked.outcomes if status == _FAILED), "")


def unmarshal_batch(data: bytes) -> LinkBatch:
    """The inverse of `Job.link_marshalled`."""
    files, asked = marshal.loads(data)  # from our own worker
    return LinkBatch([Linked(*row) for row in files], asked)


def _resolve(linker: Linker, number: int, references: ReferenceColumns) -> list[Resolution]:
    rows = zip(references.kinds, references.expressions, references.arguments, references.enclosing, strict=True)
    return linker.link(number, list(rows))


def _compact(number: int, resolutions: Sequence[Resolution], relations: list[tuple[int, int, int, str]]) -> Linked:
    outcomes: dict[tuple[int, str, str], int] = {}
    externals: dict[tuple[str, str], int] = {}
    rows: dict[int, tuple[int, int, int]] = {}
    many: set[int] = set()
    # The linker gives one object for all references that are resolved alike: each is looked into once.
    for key, resolution in {id(resolution): resolution for resolution in resolutions}.items():
        status, rule, reason, targets, package, symbol = resolution
        one = targets[0] if len(targets) == 1 and status == _RESOLVED else 0
        outside = externals.setdefault((package, symbol), len(externals) + 1) if status == _EXTERNAL else 0
        rows[key] = outcomes.setdefault((int(status), rule, reason), len(outcomes)), one, outside
        if targets and not one:
            many.add(key)
    found = [rows[id(resolution)] for resolution in resolutions]
    several: list[tuple[int, list[int]]] = []
    if many:
        several = [
            (place, list(resolution.targets)) for place, resolution in enumerate(resolutions) if id(resolution) in many
        ]
    return Linked(
        number,
        list(outcomes),
        array("H", [row[0] for row in found]).tobytes(),
        array("q", [row[1] for row in found]).tobytes(),
        list(externals),
        array("I", [row[2] for row in found]).tobytes(),
        several,
        relations,
    )


def _relations(linker: Linker, number: int) -> list[tuple[int, int, int, str]]:
    found: list[tuple[int, int, int, str]] = []
    base = number << FILE_SHIFT
    for index, definition in enumerate(linker.world.file(number, number).definitions):
        if definition.kind == DefinitionKind.METHOD:
            for target in linker.overridden(base | index):
                parent = linker.definition(target).parent
                owner = linker.definition(target >> FILE_SHIFT << FILE_SHIFT | parent)
                kind = RelationKind.IMPLEMENT if owner.kind in _INTERFACES else RelationKind.OVERRIDE
                found.append((base | index, target, int(kind), "ancestry"))
    return found


def remap(file: Linked, numbers: Mapping[int, int], slots: Mapping[int, Sequence[int]]) -> Linked:
    """The same with numbers of the world replaced by those of the store.

    `numbers` is world number -> store number; `slots` has, for store numbers of files whose slots are not their
    indices, index -> slot.
    """
    mask = (1 << FILE_SHIFT) - 1

    def definition(gid: int) -> int:
        if not gid:
            return 0
        where = numbers[gid >> FILE_SHIFT]
        table = slots.get(where)
        index = gid & mask
        return where << FILE_SHIFT | (index if table is None else table[index])

    target = array("q", map(definition, array("q", file.target)))
    return file._replace(
        file=numbers[file.file],
        target=target.tobytes(),
        several=[(place, [definition(gid) for gid in gids]) for place, gids in file.several],
        relations=[(definition(source), definition(to), kind, rule) for source, to, kind, rule in file.relations],
    )
