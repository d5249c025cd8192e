"""Which file a dotted module name means, seen from a file.

A file's import root is the folder above its outermost package (the outermost ancestor folder with an unbroken row of
`__init__` files; Python reference, 5.2). A name is looked for under the asking file's own root, then under the roots
that its project declares or shows (`src`), then in the projects above it, and last under any other root that alone
has it.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph.languages.python.projects import normalised, projects
from graph.languages.python.standard import MODULES
from graph.link.world import World

_NO_MODULES = frozenset({"__init__", "__main__", "setup", "conftest"})
"""Files that nothing imports by their name from somewhere else."""
_INITS = ("__init__.py", "__init__.pyi")


@dataclass(frozen=True)
class Module:
    """What a dotted name means: a file, or a folder without `__init__` (a namespace package)."""

    file: int
    """File number, -1 for a namespace package."""
    folder: str
    """The folder of a package ('' is the root of the repository); for a plain module '' and no package."""
    is_package: bool


class Modules:
    """The module index of one world."""

    def __init__(self, world: World) -> None:
        self._paths = {path: number for path, number in world.paths.items() if path.endswith((".py", ".pyi"))}
        self._folders: set[str] = {""}
        for path in self._paths:
            folder = _parent(path)
            while folder not in self._folders:
                self._folders.add(folder)
                folder = _parent(folder)
        self._packages = {_parent(path) for path in self._paths if path.endswith(_INITS)}
        self._roots: dict[str, str] = {}
        self._projects = projects(world.manifests)
        self._names = frozenset(project.name for project in self._projects.values())
        self._tops = self._top_level()
        self._found: dict[tuple[str, str, str], Module | None] = {}

    def root_of(self, path: str) -> str:
        """The import root of a file: the folder above its outermost package."""
        folder = _parent(path)
        known = self._roots.get(folder)
        if known is None:
            known = folder
            while known in self._packages and known:
                known = _parent(known)
            self._roots[folder] = known
        return known

    def top_level_names(self) -> frozenset[str]:
        """Names of the top-level packages of the repository, under whatever root."""
        return frozenset(self._tops)

    def import_roots(self) -> frozenset[str]:
        """Folders at which absolute imports may start: above packages, those of projects, their `src`, and those that
        projects declare. A folder of scripts is none: each of them finds its neighbours by itself.
        """
        roots = {self.root_of(f"{package}/__init__.py") for package in self._packages if package}
        for folder, project in self._projects.items():
            source = _join(folder, "src")
            roots.update(root for root in (folder, source, *project.roots) if root in self._folders)
        return frozenset(roots)

    def absolute(self, path: str, specifier: str) -> str | None:
        """The path (from the repository root, without suffix) that a relative specifier like `..x.y` means in a file.

        None when it leads out of the repository. Python reference, 5.7.
        """
        level = len(specifier) - len(specifier.lstrip("."))
        folder = _parent(path)
        for _ in range(level - 1):
            if not folder:
                return None
            folder = _parent(folder)
        rest = specifier[level:].replace(".", "/")
        return f"{folder}/{rest}" if folder and rest else rest or folder

    def at(self, location: str) -> Module | None:
        """The module at a path without suffix, e.g. `src/pkg/mod`."""
        for init in _INITS:
            number = self._paths.get(f"{location}/{init}" if location else init)
            if number is not None:
                return Module(number, location, True)
        for suffix in (".py", ".pyi"):
            number = self._paths.get(location + suffix)
            if number is not None:
                return Module(number, "", False)
        if location and location in self._folders:
            return Module(-1, location, True)
        return None

    def find(self, path: str, name: str, member: str = "") -> Module | None:
        """The module that an absolute dotted name means in a file; None when it is not in the repository.

        A folder without `__init__` counts only where it has the module that is asked for, or `member` in it.
        """
        key = (_parent(path), name, member)
        if key not in self._found:
            self._found[key] = self._find(path, name, member)
        return self._found[key]

    def inside(self, path: str, name: str) -> bool:
        """Whether the repository has, or may have, the top-level package of a dotted name as a file sees it."""
        top = name.split(".", 1)[0]
        if top in MODULES or self._is_dependency(path, top):
            return False
        found = self.find(path, top)
        return (found is not None and found.file >= 0) or top in self._tops or self._is_neighbour(path, top)

    def _find(self, path: str, name: str, member: str) -> Module | None:
        top, _, rest = name.partition(".")
        for location in self._locations(path, top):
            base = self.at(location)
            if base is None:
                continue
            found = self.at(_join(location, rest.replace(".", "/"))) if rest else base
            if base.file >= 0:
                return found
            if found is not None and (found.file >= 0 or not member or self.at(_join(found.folder, member))):
                return found
        return None

    def _locations(self, path: str, top: str) -> list[str]:
        """Where a top-level package or module may lie, seen from a file: paths without suffix, the first one counts."""
        own = self.root_of(path)
        if top in MODULES:
            # A script's own folder comes before the standard library on sys.path; nothing else does.
            return [_join(own, top)] if own == _parent(path) and own not in self._packages else []
        found = [_join(own, top)]
        dependency = self._is_dependency(path, top)
        folder = own
        for _ in range(64):
            project = self._projects.get(folder)
            if project is not None:
                if top in project.packages:
                    found.append(project.packages[top])
                found.extend([_join(root, top) for root in project.roots])
            if folder not in self._packages and (not dependency or project is not None):
                found.extend([_join(folder, top), _join(_join(folder, "src"), top)])
            if not folder:
                break
            folder = _parent(folder)
        if not dependency:
            elsewhere = self._nearest(path, self._tops.get(top, ()))
            if elsewhere is not None:
                found.append(_join(elsewhere, top))
        return list(dict.fromkeys(found))

    def _is_neighbour(self, path: str, top: str) -> bool:
        """Whether a module of that name lies in the folder of a file: one that is run from there imports it so."""
        found = self.at(_join(_parent(path), top))
        return top == "conftest" or (found is not None and found.file not in (-1, self._paths.get(path)))

    def _is_dependency(self, path: str, top: str) -> bool:
        """Whether the project around a file depends on a distribution of that name which is no project here."""
        name = normalised(top)
        if name in self._names:
            return False
        folder = _parent(path)
        for _ in range(64):
            project = self._projects.get(folder)
            if project is not None and name in project.dependencies:
                return True
            if not folder:
                break
            folder = _parent(folder)
        return False

    def _nearest(self, path: str, roots: tuple[str, ...]) -> str | None:
        """The only root, or the one that shares most of its folders with the file; None when several do."""
        if len(roots) < 2:
            return roots[0] if roots else None
        folders = _parent(path).split("/")
        shared = [(_common(folders, root.split("/")), root) for root in roots]
        most = max(shared)[0]
        nearest = [root for count, root in shared if count == most]
        return nearest[0] if most and len(nearest) == 1 else None

    def _top_level(self) -> dict[str, tuple[str, ...]]:
        """Top-level package or module -> the roots that have one of that name."""
        tops: dict[str, set[str]] = {}
        for folder in self._packages:
            parent = _parent(folder)
            if folder and (parent not in self._packages or not parent):
                tops.setdefault(folder.rsplit("/", 1)[-1], set()).add(parent)
        roots = self.import_roots() - self._packages
        for path in self._paths:
            folder = _parent(path)
            name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
            if folder in roots and name not in _NO_MODULES:
                tops.setdefault(name, set()).add(folder)
        return {name: tuple(sorted(roots)) for name, roots in tops.items()}


def _common(left: list[str], right: list[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other or not one:
            break
        count += 1
    return count


def _parent(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""


def _join(folder: str, rest: str) -> str:
    return f"{folder}/{rest}" if folder else rest
