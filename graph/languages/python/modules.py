"""Which file a dotted module name means, seen from a file.

A file's import root is the folder above its outermost package (the outermost ancestor folder with an unbroken row of
`__init__` files; Python reference, 5.2). A name is looked for under the asking file's own root, then under the roots
that its project declares or shows (`src`), then in the projects above it, and last under any other root that alone
has it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from graph.languages.python.standard import MODULES
from graph.link.world import Manifest, World

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
        self._projects = _projects(world.manifests)
        self._tops = self._top_level()
        self._found: dict[tuple[str, str], Module | None] = {}

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

    def find(self, path: str, name: str) -> Module | None:
        """The module that an absolute dotted name means in a file; None when it is not in the repository."""
        key = (_parent(path), name)
        if key not in self._found:
            self._found[key] = self._find(path, name)
        return self._found[key]

    def inside(self, path: str, name: str) -> bool:
        """Whether the top-level package of a dotted name is in the repository, seen from a file."""
        return self.find(path, name.split(".", 1)[0]) is not None

    def _find(self, path: str, name: str) -> Module | None:
        top = name.split(".", 1)[0]
        tail = name.replace(".", "/")
        for root in self._search_path(path, top):
            base = self.at(_join(root, top))
            if base is None or (base.file < 0 and not self.at(_join(root, tail))):
                continue
            return self.at(_join(root, tail))
        return None

    def _search_path(self, path: str, top: str) -> list[str]:
        own = self.root_of(path)
        if top in MODULES:
            # A script's own folder comes before the standard library on sys.path; nothing else does.
            return [own] if own == _parent(path) and own not in self._packages else []
        roots = [own]
        folder = own
        for _ in range(64):
            declared, dependencies = self._projects.get(folder, ((), frozenset[str]()))
            roots.extend(declared)
            roots.append(folder)
            if f"{folder}/src".lstrip("/") in self._folders:
                roots.append(f"{folder}/src".lstrip("/"))
            if not folder:
                break
            folder = _parent(folder)
        elsewhere = self._tops.get(top, ())
        if len(elsewhere) == 1:
            roots.extend(elsewhere)
        return list(dict.fromkeys(roots))

    def _top_level(self) -> dict[str, tuple[str, ...]]:
        """Top-level package name -> the roots that have a package of that name."""
        tops: dict[str, set[str]] = {}
        for folder in self._packages:
            parent = _parent(folder)
            if folder and (parent not in self._packages or not parent):
                tops.setdefault(folder.rsplit("/", 1)[-1], set()).add(parent)
        return {name: tuple(sorted(roots)) for name, roots in tops.items()}


def _parent(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""


def _join(folder: str, rest: str) -> str:
    return f"{folder}/{rest}" if folder else rest


def _projects(manifests: tuple[Manifest, ...]) -> dict[str, tuple[tuple[str, ...], frozenset[str]]]:
    """Project folder -> (import roots that its manifest declares, distributions that it depends on)."""
    projects: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}
    for manifest in manifests:
        name = manifest.path.rsplit("/", 1)[-1]
        folder = _parent(manifest.path)
        roots: list[str] = []
        dependencies: set[str] = set()
        if name == "pyproject.toml":
            try:
                table = tomllib.loads(manifest.data.decode("utf-8", "replace"))
            except tomllib.TOMLDecodeError:
                table = {}
            roots, dependencies = _from_pyproject(table)
        elif name in ("setup.py", "setup.cfg"):
            text = manifest.data.decode("utf-8", "replace")
            found = re.search(r"package_dir\s*=\s*(?:\{\s*['\"]{2}\s*:\s*['\"]([\w./-]+)|\n?\s*=\s*([\w./-]+))", text)
            if found:
                roots.append(found.group(1) or found.group(2))
        else:
            continue
        before = projects.get(folder, ((), frozenset[str]()))
        joined = tuple(_join(folder, root.strip("./")) if root.strip("./") else folder for root in roots)
        projects[folder] = ((*before[0], *joined), before[1] | frozenset(dependencies))
    return projects


def _from_pyproject(table: dict[str, Any]) -> tuple[list[str], set[str]]:
    """Import roots and dependency names of a pyproject table: setuptools, poetry, hatch, pdm, maturin layouts."""
    roots: list[str] = []
    tool = _table(table, "tool")
    setuptools = _table(tool, "setuptools")
    roots.extend(str(value) for value in _table(setuptools, "package-dir").values())
    where = _table(_table(setuptools, "packages"), "find").get("where")
    roots.extend(str(item) for item in (where if isinstance(where, list) else []))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    packages: Any = _table(tool, "poetry").get("packages")
    for item in packages if isinstance(packages, list) else []:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(item, dict) and isinstance(item.get("from"), str):  # pyright: ignore[reportUnknownMemberType]
            roots.append(item["from"])  # pyright: ignore[reportUnknownArgumentType]
    wheel = _table(_table(_table(_table(tool, "hatch"), "build"), "targets"), "wheel")
    for item in wheel.get("packages", []) if isinstance(wheel.get("packages"), list) else []:
        if isinstance(item, str) and "/" in item:
            roots.append(item.rsplit("/", 1)[0])
    source = _table(tool, "maturin").get("python-source")
    if isinstance(source, str):
        roots.append(source)
    names: set[str] = set()
    dependencies: Any = _table(table, "project").get("dependencies")
    for item in dependencies if isinstance(dependencies, list) else []:  # pyright: ignore[reportUnknownVariableType]
        found = re.match(r"[A-Za-z0-9._-]+", str(item))  # pyright: ignore[reportUnknownArgumentType]
        if found:
            names.add(re.sub(r"[-_.]+", "_", found.group(0)).lower())
    return roots, names


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
