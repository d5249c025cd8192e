"""The module tree: which file is which module of which crate.

Source of the rules: the Rust reference, "Modules" ("Module source filenames", "The path attribute").
"""

from __future__ import annotations

import posixpath
from collections import deque
from typing import NamedTuple

from graph.languages.rust.cargo import Crate, Package, packages
from graph.link.world import World


class Place(NamedTuple):
    """Where the module of a file stands."""

    root: int
    """File number of the root of its crate."""
    parent: int
    """File number of the file that declares it; -1 for a root."""
    scope: int
    """Scope in that file in which it is declared."""
    condition: str
    """The `cfg` predicate of the declaration."""
    macro_use: bool


class Modules:
    """The crates of the repository, and the place of every file in them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.packages: list[Package] = packages(world.manifests, world.paths)
        self.by_folder = {package.folder: package for package in self.packages}
        self.places: dict[int, Place] = {}
        self.owners: dict[int, Package | None] = {}
        """Root file -> the package of its crate."""
        self.children: dict[tuple[int, int], int] = {}
        """(file, import) of a module declaration -> file of the module."""
        self.members: dict[int, list[int]] = {}
        """Root file -> all files of its crate."""
        crates = [crate for package in self.packages for crate in package.crates]
        crates.sort(key=lambda crate: (crate.kind != "lib", crate.kind != "bin", crate.root))
        for crate in crates:
            self._grow(world.paths[crate.root], crate.package)
        for path in sorted(
            world.paths, key=lambda path: (path.count("/"), not path.endswith(("lib.rs", "main.rs")), path)
        ):
            number = world.paths[path]
            if number not in self.places and world.records[number].language == "rust":
                self._grow(number, self.package_of(path))

    def package_of(self, path: str) -> Package | None:
        """The package in whose folder a file lies."""
        folder: str = posixpath.dirname(path)
        while True:
            found = self.by_folder.get(folder)
            if found is not None or not folder:
                return found
            folder = posixpath.dirname(folder)

    def _grow(self, root: int, package: Package | None) -> None:
        """Follow the module declarations from the root file of a crate. A file keeps the first place it is given."""
        if root in self.places:
            return
        self.places[root] = Place(root, -1, 0, "", False)
        self.owners[root] = package
        members = self.members[root] = [root]
        path = self._world.records[root].path
        pending: deque[tuple[int, str, str]] = deque([(root, posixpath.dirname(path), posixpath.dirname(path))])
        while pending:
            number, folder, beside = pending.popleft()
            file = self._world.file(number, number)
            for index, name, written, scope, inline, condition, macro_use in file.extra.get("modules", ()):
                found = self._source(name, written, inline, folder, beside)
                if found is None:
                    continue
                child, below = found
                self.children[number, index] = child
                if child not in self.places:
                    self.places[child] = Place(root, number, scope, condition, macro_use)
                    members.append(child)
                    pending.append((child, below, posixpath.dirname(self._world.records[child].path)))

    def _source(self, name: str, written: str, inline: list[str], folder: str, beside: str) -> tuple[int, str] | None:
        """The file of a module declaration, and the folder in which its own modules are looked for."""
        paths = self._world.paths
        base = posixpath.join(folder, *inline)
        if written:
            target = posixpath.normpath(posixpath.join(base if inline else beside, written))
            number = paths.get(target)
            return None if number is None else (number, posixpath.dirname(target))
        number = paths.get(posixpath.normpath(posixpath.join(base, f"{name}.rs")))
        below = posixpath.join(base, name)
        if number is None:
            number = paths.get(posixpath.normpath(posixpath.join(below, "mod.rs")))
        return None if number is None else (number, below)


__all__ = ["Crate", "Modules", "Package", "Place"]
