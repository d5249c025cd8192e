"""The names of a Go package over all of its files, and which of them a file can see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from graph.languages.go.constraints import compatible, satisfiable
from graph.languages.go.modules import Modules
from graph.link.values import file_of, gid
from graph.link.world import FileInterface, LinkDefinition, World
from graph.model import BindingTag, DefinitionKind


class Package(NamedTuple):
    """One package: the files of a folder that have the same package clause."""

    folder: str
    name: str
    files: tuple[int, ...]


@dataclass
class Members:
    """What the files of a package declare, as gids in the order of files and of their source."""

    names: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Package-level names."""
    methods: dict[str, dict[str, list[int]]] = field(default_factory=dict[str, dict[str, list[int]]])
    """Type name -> method name -> methods."""
    selectors: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Unexported names of fields and methods -> all of them, without those of types declared in function bodies."""


class Packages:
    """The packages of a world."""

    def __init__(self, world: World, modules: Modules) -> None:
        self._world = world
        self._modules = modules
        self._members: dict[str, Members] = {}
        self._imported: dict[str, str | None] = {}
        self._local_selectors: dict[int, dict[str, list[int]]] = {}
        self._everywhere: dict[int, bool] = {}
        self._noted: set[tuple[int, str]] = set()

    def key_of(self, number: int) -> str:
        """The key of the package that a file belongs to."""
        record = self._world.records[number]
        return f"{record.path.rpartition('/')[0]}:{record.package}"

    def package(self, key: str) -> Package:
        """The package of a key."""
        folder, _, name = key.rpartition(":")
        return Package(folder, name, tuple(self._modules.folders.get(folder, {}).get(name, ())))

    def imported(self, folder: str, asker: int) -> str | None:
        """The key of the package that importing a folder gives; None when it has none that can be imported.

        Test files and files that no build takes do not count; of several packages left, one that is not `main`, then
        the one with most files (`go list` would call several an error).
        """
        if folder not in self._imported:
            self._imported[folder] = self._importable(folder, asker)
        return self._imported[folder]

    def _importable(self, folder: str, asker: int) -> str | None:
        counted: list[tuple[bool, int, str]] = []
        packages = self._modules.folders.get(folder, {})
        for name, numbers in packages.items():
            kept = [number for number in numbers if not self.is_test(number)]
            if len(packages) > 1:
                kept = [number for number in kept if satisfiable(self.constraint(number, asker))]
            if kept and name:
                counted.append((name in ("main", "documentation"), -len(kept), name))
        return f"{folder}:{min(counted)[2]}" if counted else None

    def members(self, key: str, asker: int) -> Members:
        """What the files of a package declare; every one of them is noted as asked."""
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = self._collect(self.package(key))
        if (asker, key) not in self._noted:
            self._noted.add((asker, key))
            for number in self.package(key).files:
                self._world.note(asker, number)
        return found

    def _collect(self, package: Package) -> Members:
        members = Members()
        for number in package.files:
            file = self._world.file(number, number)
            for name, bindings in file.bindings[0].items():
                for tag, payload in bindings:
                    if tag == BindingTag.DEFINITION:
                        members.names.setdefault(name, []).append(gid(number, payload))
            for owner, methods in file.extra["methods"].items():
                known = members.methods.setdefault(owner, {})
                for name, indices in methods.items():
                    known.setdefault(name, []).extend([gid(number, index) for index in indices])
            for index, definition in enumerate(file.definitions):
                if is_selector(definition) and not is_local(file, definition):
                    members.selectors.setdefault(definition.name, []).append(gid(number, index))
        return members

    def selectors(self, number: int, name: str) -> list[int]:
        """All fields and methods of an unexported name that a selector in a file can mean; not all may be visible."""
        shared = self.members(self.key_of(number), number).selectors.get(name, [])
        own = self._local_selectors.get(number)
        if own is None:
            own = self._local_selectors[number] = dict[str, list[int]]()
            file = self._world.file(number, number)
            for index, definition in enumerate(file.definitions):
                if is_selector(definition) and is_local(file, definition):
                    own.setdefault(definition.name, []).append(gid(number, index))
        return [*shared, *own[name]] if name in own else shared

    # -- who sees what ------------------------------------------------------------------------------------------------

    def is_test(self, number: int) -> bool:
        """Whether a file is compiled for tests only."""
        return self._world.records[number].path.endswith("_test.go")

    def constraint(self, number: int, asker: int) -> str:
        """The build constraint of a file."""
        file: FileInterface = self._world.file(number, asker)
        return file.extra.get("constraint", "")

    def visible(self, definition: int, asker: int) -> bool:
        """Whether a definition (gid) can be in one build with a file; tests are seen by tests of their folder only."""
        number = file_of(definition)
        if number == asker or self._is_everywhere(number):
            return True
        if self.is_test(number) and not (self.is_test(asker) and self._folder(number) == self._folder(asker)):
            return False
        return compatible(self.constraint(asker, asker), self.constraint(number, number))

    def _is_everywhere(self, number: int) -> bool:
        """Whether a file is in every build of its package; asked very often."""
        known = self._everywhere.get(number)
        if known is None:
            known = self._everywhere[number] = not self.is_test(number) and not self.constraint(number, number)
        return known

    def visible_from(self, constraint: str, definition: int) -> bool:
        """Whether a definition can be in one build with a file of that constraint."""
        return compatible(constraint, self.constraint(file_of(definition), file_of(definition)))

    def _folder(self, number: int) -> str:
        return self._world.records[number].path.rpartition("/")[0]


def is_selector(definition: LinkDefinition) -> bool:
    """Whether a definition is an unexported field or method."""
    return definition.kind in _SELECTED and not definition.name[:1].isupper()


def is_local(file: FileInterface, definition: LinkDefinition) -> bool:
    """Whether a definition is a member of a type that is declared in a function body."""
    return definition.parent > 0 and "local" in file.definitions[definition.parent].extra


_SELECTED = frozenset((DefinitionKind.FIELD, DefinitionKind.METHOD))
