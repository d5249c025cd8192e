"""Which folder an import path means: go.mod, go.work, replace directives, nested modules, vendor and GOPATH folders.

Sources: Go Modules Reference (go.mod files, Workspaces, Vendoring), `go help gopath`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from graph.languages.go.platforms import STANDARD_ROOTS
from graph.link.world import Manifest, World

_MOST_LINES: Final = 20_000


class Place(Enum):
    """Where an import path leads when it leads to no folder of the repository."""

    OUTSIDE = "outside"
    MISSING = "missing"
    """It belongs to this repository, but no Go file is there."""


class Directive(NamedTuple):
    """One line of a go.mod or go.work file."""

    verb: str
    words: list[str]


class Module(NamedTuple):
    """One go.mod file."""

    directory: str
    path: str
    replaced: tuple[tuple[str, str], ...]
    """(module path, folder) of each replacement by a folder of the repository."""


class Workspace(NamedTuple):
    """One go.work file."""

    directory: str
    used: tuple[str, ...]
    """Folders of its modules."""
    replaced: tuple[tuple[str, str], ...]


class Modules:
    """The folders with Go files and the modules that they lie in."""

    def __init__(self, world: World) -> None:
        self.folders: dict[str, dict[str, list[int]]] = {}
        """Folder -> package name -> numbers of its files, in the order of their paths; without the files that the go
        command ignores by name (`_x.go`, `.x.go`)."""
        for path, number in sorted(world.paths.items()):
            folder, _, name = path.rpartition("/")
            if not name.startswith(("_", ".")):
                package = world.records[number].package
                self.folders.setdefault(folder, {}).setdefault(package, []).append(number)
        self.modules = {module.directory: module for module in map(_module, _named(world, "go.mod"))}
        self.workspaces = {space.directory: space for space in map(_workspace, _named(world, "go.work"))}
        self._governing: dict[str, Module | None] = {}
        self._known: dict[tuple[str, str], str | Place] = {}

    def governing(self, folder: str) -> Module | None:
        """The module that a folder belongs to: that of the nearest go.mod at or above it."""
        if folder not in self._governing:
            self._governing[folder] = next(
                (self.modules[above] for above in _upward(folder) if above in self.modules), None
            )
        return self._governing[folder]

    def find(self, folder: str, path: str) -> str | Place:
        """The folder that an import path means in the files of a folder."""
        key = (folder, path)
        if key not in self._known:
            self._known[key] = self._find(folder, path)
        return self._known[key]

    def are_joined(self, folder: str) -> bool:
        """Whether a workspace or a replacement makes modules outside of the repository use modules of it.

        Then a package from outside can import one of the repository, although no path of the repository leads there.
        Modules below an `internal` folder cannot be imported from outside (`go help packages`).
        """
        module = self.governing(folder)
        if module is None:
            return False
        return any(
            root != module.directory and "internal" not in prefix.split("/")
            for prefix, root in self._mappings(folder, module)
        )

    def _find(self, folder: str, path: str) -> str | Place:
        if path.startswith(("./", "../")):
            return self._present(posixpath.normpath(posixpath.join(folder, path)))
        module = self.governing(folder)
        if module is not None and module.path in ("std", "cmd"):
            return self._in_toolchain(module, path)
        if is_standard(path):
            return Place.OUTSIDE
        missing = False
        for prefix, root in self._mappings(folder, module):
            if path != prefix and not path.startswith(prefix + "/"):
                continue
            target = posixpath.normpath(posixpath.join(root, path[len(prefix) + 1 :])).removeprefix(".")
            target = target.removeprefix("/")
            owner = self.governing(target)
            if owner is not None and owner.directory != root:
                continue
            if target in self.folders:
                return target
            missing = True
        for above in _upward(folder) if module is None else [module.directory, *self._workspace_folders(folder)]:
            vendored = _join(above, f"vendor/{path}")
            if vendored in self.folders:
                return vendored
        if missing:
            return Place.MISSING
        return self._in_gopath(folder, path, module is None)

    def _mappings(self, folder: str, module: Module | None) -> list[tuple[str, str]]:
        """(import path prefix, folder) pairs that hold for the files of a folder, longest prefix first."""
        if module is None:
            return []
        pairs = [(module.path, module.directory)]
        workspace = self.workspace(folder, module)
        if workspace is None:
            pairs.extend(module.replaced)
        else:
            pairs.extend(workspace.replaced)
            for used in workspace.used:
                other = self.modules.get(used)
                if other is not None:
                    pairs.append((other.path, other.directory))
                    pairs.extend(other.replaced)
        return sorted({pair for pair in pairs if pair[0]}, key=lambda pair: (-len(pair[0]), pair))

    def workspace(self, folder: str, module: Module) -> Workspace | None:
        """The workspace that builds a module: the nearest go.work, if it uses the module."""
        nearest = next((self.workspaces[above] for above in _upward(folder) if above in self.workspaces), None)
        return nearest if nearest is not None and module.directory in nearest.used else None

    def _workspace_folders(self, folder: str) -> list[str]:
        return [above for above in _upward(folder) if above in self.workspaces][:1]

    def _present(self, folder: str) -> str | Place:
        folder = "" if folder == "." else folder
        return folder if folder in self.folders else Place.MISSING

    def _in_toolchain(self, module: Module, path: str) -> str | Place:
        """Import paths inside Go's own source tree: `std` has no prefix, `cmd` is its own."""
        root = module.directory if module.path == "std" else posixpath.dirname(module.directory)
        for candidate in (_join(root, path), _join(module.directory, f"vendor/{path}")):
            if candidate in self.folders:
                return candidate
        return Place.OUTSIDE

    def _in_gopath(self, folder: str, path: str, alone: bool) -> str | Place:
        """The folder of an import path under an enclosing `src`, as in GOPATH mode.

        Without any module, a path whose end is a folder of the repository may well be that one, under a root whose
        import path nothing tells: then it is neither here nor outside.
        """
        for above in _upward(folder):
            if above == "src" or above.endswith("/src"):
                candidate = _join(above, path)
                if candidate in self.folders:
                    return candidate
        if alone:
            parts = path.split("/")
            ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
            if any(end in self.folders for end in ends) or "." not in parts[0]:
                return Place.MISSING
        return Place.OUTSIDE


def is_standard(path: str) -> bool:
    """Whether an import path is one of the standard library."""
    return path.partition("/")[0] in STANDARD_ROOTS


def _join(folder: str, rest: str) -> str:
    return f"{folder}/{rest}" if folder else rest


def _upward(folder: str) -> Iterator[str]:
    """A folder and those above it, the root ('') last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _named(world: World, name: str) -> list[Manifest]:
    return [manifest for manifest in world.manifests if manifest.path.rpartition("/")[2] == name]


def _module(manifest: Manifest) -> Module:
    folder = manifest.path.rpartition("/")[0]
    path = ""
    replaced: list[tuple[str, str]] = []
    for directive in directives(manifest.data):
        if directive.verb == "module" and directive.words:
            path = directive.words[0]
        elif directive.verb == "replace":
            replaced.extend(_replacement(folder, directive.words))
    return Module(folder, path, tuple(replaced))


def _workspace(manifest: Manifest) -> Workspace:
    folder = manifest.path.rpartition("/")[0]
    used: list[str] = []
    replaced: list[tuple[str, str]] = []
    for directive in directives(manifest.data):
        if directive.verb == "use" and directive.words:
            inside = _inside(folder, directive.words[0])
            if inside is not None:
                used.append(inside)
        elif directive.verb == "replace":
            replaced.extend(_replacement(folder, directive.words))
    return Workspace(folder, tuple(used), tuple(replaced))


def _replacement(folder: str, words: list[str]) -> list[tuple[str, str]]:
    """`old [version] => folder`; a replacement by another module path stays outside of the repository."""
    if "=>" not in words:
        return []
    arrow = words.index("=>")
    if arrow == 0 or arrow + 1 >= len(words) or not words[arrow + 1].startswith(("./", "../")):
        return []
    inside = _inside(folder, words[arrow + 1])
    return [] if inside is None else [(words[0], inside)]


def _inside(folder: str, relative: str) -> str | None:
    """A folder given relative to another one, or None when it is not in the repository."""
    joined = posixpath.normpath(posixpath.join(folder, relative))
    if joined.startswith(("..", "/")):
        return None
    return "" if joined == "." else joined


def directives(data: bytes) -> list[Directive]:
    """The directives of a go.mod or go.work file, those of a parenthesised block one by one."""
    found: list[Directive] = []
    block = ""
    for line in data.decode("utf-8", "replace").split("\n")[:_MOST_LINES]:
        words = [word.strip('"`') for word in line.partition("//")[0].split()]
        if not words:
            continue
        if block:
            if words[0] == ")":
                block = ""
            else:
                found.append(Directive(block, words))
        elif words[-1] == "(":
            block = words[0]
        else:
            found.append(Directive(words[0], words[1:]))
    return found
