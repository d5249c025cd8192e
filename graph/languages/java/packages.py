"""Packages, source roots and modules: which file declares a type, and which files can see it.

A source root is a file's folder without the folders of its package. Inside a module, `src/main` does not see the other
source sets, and these see it; a module sees the main sources of the modules that it depends on, their dependencies
included. Where no build description says anything, all files of the repository see each other.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from graph.languages.java.builds import Module, modules
from graph.link.values import file_of, gid
from graph.link.world import World
from graph.model import BindingTag

HIDDEN: Final = 1_000_000
"""Distance of a file that the build does not make visible."""
_TEST_FOLDERS: Final = frozenset({"test", "tests"})
_DEFINITION: Final = int(BindingTag.DEFINITION)


class Place(NamedTuple):
    """Where a file lies."""

    module: int
    """Number of its module; -1 when it is in none."""
    sources: str
    """Source set: `main`, `test`, ..."""
    root: str
    """Its source root."""


class Packages:
    """The packages of the repository."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._modules = modules(world.manifests)
        self._by_root = {module.root: number for number, module in enumerate(self._modules)}
        self._files: dict[str, dict[str, list[int]]] = {}
        """Package -> file name without extension -> file numbers."""
        self._places: dict[int, Place] = {}
        self._reach: dict[tuple[int, bool], dict[int, int]] = {}
        self._others: dict[str, dict[str, list[int]]] = {}
        self._noted: set[tuple[str, int]] = set()
        self._prefixes: set[str] = set()
        for number in sorted(world.records):
            record = world.records[number]
            stem = record.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
            self._files.setdefault(record.package, {}).setdefault(stem, []).append(number)
        for package in self._files:
            parts = package.split(".")
            self._prefixes.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))

    def declares(self, package: str) -> bool:
        """Whether a file of the repository is a member of the package."""
        return package in self._files

    def is_prefix(self, package: str) -> bool:
        """Whether the repository has the package or one below it."""
        return package in self._prefixes

    def types(self, package: str, name: str, asker: int) -> tuple[int, ...]:
        """The top-level types (gids) of that name in a package that a file sees best; several when none is nearest.

        A type lies in the file of its name, or else in any file of its package (JLS 7.6).
        """
        stems = self._files.get(package)
        if stems is None:
            return ()
        found = [definition for number in stems.get(name, ()) for definition in self._declared(number, name, asker)]
        if not found:
            found = self._elsewhere(package, stems, name, asker)
        return self.nearest(found, asker)

    def nearest(self, definitions: list[int], asker: int) -> tuple[int, ...]:
        """Those of several definitions that lie nearest to a file; hidden ones only when no visible one is there."""
        if not definitions:
            return ()
        ranked = [(self.distance(asker, file_of(definition)), definition) for definition in definitions]
        best = min(rank for rank, _ in ranked)
        if best >= HIDDEN:
            ranked = [entry for entry in ranked if entry[0] == HIDDEN]
        return tuple(sorted({definition for rank, definition in ranked if rank == best}))

    def distance(self, asker: int, other: int) -> int:
        """How far another file is from a file that names something in it: 0 the same source root, `HIDDEN` not visible.

        More than `HIDDEN` when it cannot be what is meant: tests, seen from main sources.
        """
        if asker == other:
            return 0
        own, its = self.place(asker), self.place(other)
        if own.root == its.root:
            return 0
        if own.module == its.module:
            if own.sources == its.sources:
                return 1
            if its.sources == "main":
                return 2
            return HIDDEN + 1 if own.sources == "main" else 3
        if own.sources == "main" and its.sources not in ("main", "testFixtures"):
            return HIDDEN + 1
        reach = self._reachable(own.module, own.sources != "main")
        steps = reach.get(its.module)
        if steps is None:
            return HIDDEN
        return 10 + steps if its.sources == "main" else 1000 + steps

    def place(self, number: int) -> Place:
        """Where a file lies."""
        known = self._places.get(number)
        if known is None:
            known = self._places[number] = self._find_place(number)
        return known

    def _find_place(self, number: int) -> Place:
        record = self._world.records[number]
        folders = record.path.split("/")[:-1]
        package = record.package.split(".") if record.package else []
        root = folders[: len(folders) - len(package)] if package and folders[-len(package) :] == package else folders
        module = -1
        for length in range(len(folders), -1, -1):
            found = self._by_root.get("/".join(folders[:length]))
            if found is not None:
                module, root_length = found, length
                break
        else:
            root_length = 0
        inside = folders[root_length:]
        sources = "main"
        if "src" in inside and inside.index("src") + 1 < len(inside) and len(inside) - inside.index("src") > 2:
            candidate = inside[inside.index("src") + 1]
            after = inside[inside.index("src") + 2]
            if after in ("java", "kotlin", "groovy") or candidate in _TEST_FOLDERS:
                sources = candidate
        if (
            sources == "main"
            and inside
            and (inside[0] in _TEST_FOLDERS or (inside[0] == "src" and inside[1:2] and inside[1] in _TEST_FOLDERS))
        ):
            sources = "test"
        return Place(module, sources, "/".join(root))

    def _reachable(self, module: int, tests: bool) -> dict[int, int]:
        """Module -> number of steps, for all modules that a module depends on. Their tests are not followed."""
        known = self._reach.get((module, tests))
        if known is not None:
            return known
        steps: dict[int, int] = {}
        queue: deque[tuple[int, int]] = deque([(module, 0)])
        while queue:
            current, distance = queue.popleft()
            if current < 0:
                continue
            described: Module = self._modules[current]
            for other, only_tests in described.dependencies:
                if (only_tests and not (tests and current == module)) or other in steps or other == module:
                    continue
                steps[other] = distance + 1
                queue.append((other, distance + 1))
        self._reach[module, tests] = steps
        return steps

    def _declared(self, number: int, name: str, asker: int) -> list[int]:
        file = self._world.file(number, asker)
        bindings = file.bindings[0].get("#" + name, ())
        return [gid(number, payload) for tag, payload in bindings if tag == _DEFINITION]

    def _elsewhere(self, package: str, stems: dict[str, list[int]], name: str, asker: int) -> list[int]:
        """Types that do not lie in the file of their name. Every file of the package has been asked for it."""
        known = self._others.get(package)
        numbers = [number for stem in stems for number in stems[stem]]
        if known is None:
            known = self._others[package] = {}
            for number in sorted(numbers):
                file = self._world.file(number, number)
                stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
                for key, bindings in file.bindings[0].items():
                    if key[0] == "#" and key[1:] != stem:
                        found = known.setdefault(key[1:], [])
                        found.extend(gid(number, payload) for tag, payload in bindings if tag == _DEFINITION)
        if (package, asker) not in self._noted:
            self._noted.add((package, asker))
            for number in numbers:
                self._world.note(asker, number)
        return list(known.get(name, ()))
