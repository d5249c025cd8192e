"""Java: one context is a tree of Maven or Gradle modules, or a plain source tree.

A context is handed to the server as projects, one for each source set of each module: its source folders, the projects
that it sees, and the pom that says which libraries it has. Nothing of a build is run: of Maven the models are read,
offline; of Gradle the settings and the dependencies between projects that the syntactic layer reads too, with the usual
layout `src/<source set>/java`.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import xxhash

from graph.languages.java.builds import Module, modules
from graph.link.world import Manifest
from graph.model import TYPE_KINDS
from graph.store.numbers import definition_file
from graph.store.semantic import FileHash
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed

MAIN, TEST, FIXTURES = "main", "test", "testFixtures"
MODULE_INFO = "module-info.java"
UTF8 = frozenset({"utf-8", "ascii"})
"""Encodings of files that the server reads as we do."""
MOST_PLAIN_ROOTS = 64
"""Source roots of a plain tree that are projects of their own; more of them are one project together."""

_LEVEL = re.compile(
    r"(?:sourceCompatibility|options\.release|languageVersion|release\.set)\s*(?:=|\(|\.set\()?\s*"
    r"(?:JavaLanguageVersion\.of\(|JavaVersion\.(?:VERSION_|toVersion\()|\(|\")?[\"']?(?:1[._])?(\d+)"
)
_LIBRARY_FOLDERS = ("lib", "libs")


@dataclass
class _Project:
    """One source set of one module, or one source root of a plain tree."""

    module: int
    """Number of the module; -1 in a plain tree."""
    sources: str
    roots: dict[str, list[FileHash]] = field(default_factory=dict[str, list[FileHash]])
    """Source root -> its files."""


def contexts(indexed: Indexed, options: ContextOptions) -> list[Context]:
    """The Java contexts of a repository."""
    described = modules(indexed.manifests)
    packages = dict(indexed.connection.execute("SELECT id, package FROM file WHERE language = 'java'").fetchall())
    trees = _trees(described)
    projects: dict[str, dict[tuple[int, str, str], _Project]] = {}
    excluded: dict[str, dict[int, str]] = {}
    by_root = {module.root: number for number, module in enumerate(described)}
    for file in indexed.files:
        module = _nearest(file.path, by_root)
        tree = trees[module] if module >= 0 else ""
        inside = projects.setdefault(tree, {})
        place = _place(file, packages[file.number], described[module] if module >= 0 else None)
        if isinstance(place, str):
            excluded.setdefault(tree, {})[file.number] = place
            continue
        sources, root = place
        key = (module, sources, "" if module >= 0 else root)
        project = inside.setdefault(key, _Project(module, sources))
        project.roots.setdefault(root, []).append(file)
    return [
        _context(indexed, described, tree, [inside[key] for key in sorted(inside)], excluded.get(tree, {}))
        for tree, inside in sorted(projects.items())
    ]


def _context(
    indexed: Indexed, described: Sequence[Module], tree: str, projects: list[_Project], excluded: Mapping[int, str]
) -> Context:
    if sum(project.module < 0 for project in projects) > MOST_PLAIN_ROOTS:
        projects = _merged(projects)
    rows = _Rows(indexed, described, projects, tree)
    members = sorted(file.number for project in projects for files in project.roots.values() for file in files)
    used = sorted({described[project.module].root for project in projects if project.module >= 0})
    manifests = xxhash.xxh3_64()
    for manifest in indexed.manifests:
        if not tree or manifest.path.startswith(f"{tree}/"):
            manifests.update(manifest.path.encode() + b"\0" + manifest.data + b"\0")
    inputs = {"modules": used, "projects": rows.summary(), "manifests": manifests.hexdigest()}
    names = frozenset(module.name for module in described if module.name)
    return Context(
        "java", tree or ".", "", inputs, "jdtls", tuple(members), dict(excluded),
        settings={"projects": rows.all(), "notes": _notes(described, projects)}, workspace_names=names,
    )  # fmt: skip


def _notes(described: Sequence[Module], projects: Sequence[_Project]) -> list[str]:
    unknown = {
        described[project.module].root or "."
        for project in projects
        if project.module >= 0 and not described[project.module].sources
    }
    if not unknown:
        return []
    seen = " and ".join(f"`{name}`" for name in _LIBRARY_FOLDERS)
    what = f"which libraries {len(unknown)} modules have is not known: only jars in {seen} are seen"
    return [f"Gradle's build scripts are not run, so {what}"]


# -- where a file belongs ---------------------------------------------------------------------------------------------


def _place(file: FileHash, package: str, module: Module | None) -> tuple[str, str] | str:
    """(source set, source root) of a file, or why it has none."""
    if file.encoding not in UTF8:
        return f"the server reads UTF-8, this is {file.encoding}"
    folder, _, name = file.path.rpartition("/")
    if name == MODULE_INFO:
        return "a module declaration: the server sees all libraries as one class path"
    root = _source_root(folder, package)
    if module is not None and module.sources:
        # Maven compiles what lies in these folders and nothing else.
        declared = [place for place in module.sources if _is_below(file.path, place)]
        if not declared:
            return f"in no source folder of the Maven module {module.root or '.'}"
        declared_root = max(declared, key=len)
        if root is None or root != declared_root:
            return f"its package {package or '(none)'} does not match its folder"
        return module.sources[declared_root], root
    if root is None:
        return f"its package {package or '(none)'} does not match its folder"
    return _usual_sources(root, module.root if module is not None else ""), root


def _source_root(folder: str, package: str) -> str | None:
    """A folder without those of its package (JLS 7.2.1); None when it is not named like the package."""
    if not package:
        return folder
    parts, names = folder.split("/") if folder else [], package.split(".")
    return "/".join(parts[: -len(names)]) if parts[-len(names) :] == names else None


def _usual_sources(root: str, base: str) -> str:
    """The source set of a root in the layout that Gradle and Maven share, `src/<source set>/java`; else by its name."""
    parts = (root[len(base) :] if base else root).strip("/").split("/")
    for position, part in enumerate(parts[:-1]):
        if part == "src" and position + 2 < len(parts) and parts[position + 2] in ("java", "kotlin", "groovy"):
            return parts[position + 1]
    return TEST if {"test", "tests"} & set(parts) else MAIN


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _nearest(path: str, by_root: Mapping[str, int]) -> int:
    """The number of the innermost module that a file lies in, -1 when there is none."""
    folder = path.rpartition("/")[0]
    while True:
        if folder in by_root:
            return by_root[folder]
        if not folder:
            return -1
        folder = folder.rpartition("/")[0]


def _trees(described: Sequence[Module]) -> list[str]:
    """For each module the root of its context: one for modules that lie in each other or depend on each other."""
    tops = [_outermost(module.root, described) for module in described]
    joined = {top: top for top in tops}

    def top_of(root: str) -> str:
        while joined[root] != root:
            root = joined[root]
        return root

    for number, module in enumerate(described):
        for other, _ in module.dependencies:
            left, right = top_of(tops[number]), top_of(tops[other])
            if left != right:
                common = _common(left, right)
                joined.setdefault(common, common)
                joined[left] = joined[right] = common
    # What was joined under a folder takes in what lies below it.
    roots = sorted({top_of(top) for top in tops})
    return [
        min(root for root in roots if root in ("", top_of(top)) or top_of(top).startswith(f"{root}/")) for top in tops
    ]


def _outermost(root: str, described: Sequence[Module]) -> str:
    return min(
        (module.root for module in described if module.root in ("", root) or root.startswith(f"{module.root}/")),
        key=len,
    )


def _common(left: str, right: str) -> str:
    shared: list[str] = []
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        shared.append(one)
    return "/".join(shared)


def _merged(projects: Iterable[_Project]) -> list[_Project]:
    """The same with all source roots of the plain tree in one project."""
    rest: list[_Project] = []
    plain = _Project(-1, MAIN)
    for project in projects:
        if project.module >= 0:
            rest.append(project)
        else:
            plain.roots.update(project.roots)
    return [*rest, plain]


# -- what the server is told ------------------------------------------------------------------------------------------


class _Rows:
    """The projects of one context as the server's extension takes them; paths are relative to the context's root."""

    def __init__(self, indexed: Indexed, described: Sequence[Module], projects: Sequence[_Project], tree: str) -> None:
        self._root = indexed.root
        self._tree = tree
        self._manifests = {manifest.path: manifest for manifest in indexed.manifests}
        self._described = described
        self._projects = projects
        self._numbers = {(one.module, one.sources): number for number, one in enumerate(projects) if one.module >= 0}
        self._others = _types_of_other_names(indexed)
        self._all_roots = sorted({root for project in projects for root in project.roots})

    def all(self) -> list[dict[str, Any]]:
        """One row for each project."""
        return [self._row(number, project) for number, project in enumerate(self._projects)]

    def summary(self) -> list[Any]:
        """What tells these projects from others, without what follows from the files alone."""
        return [
            [row["sources"], [root["path"] for root in row["roots"]], row["depends"], row["level"]]
            for row in self.all()
        ]

    def _row(self, number: int, project: _Project) -> dict[str, Any]:
        module = self._described[project.module] if project.module >= 0 else None
        maven = module is not None and bool(module.sources)
        return {
            "name": f"p{number}",
            "pom": self._path(_joined(module.root, "pom.xml")) if module is not None and maven else "",
            "sources": project.sources,
            "level": "" if maven else self._gradle_level(module),
            "release": False,
            "roots": [self._source(root, files) for root, files in sorted(project.roots.items())],
            "depends": [f"p{other}" for other in self._depends(number, project)],
            "libraries": [] if maven else self._libraries(module),
        }

    def _path(self, path: str) -> str:
        """A path of the repository, relative to the context's root."""
        return posixpath.relpath(path or ".", self._tree or ".")

    def _source(self, root: str, files: Sequence[FileHash]) -> dict[str, Any]:
        skipped = len(root) + 1 if root else 0
        entries = sorted({file.path[skipped:].split("/", 1)[0] for file in files})
        nested = [other[skipped:] for other in self._all_roots if other != root and _is_below(f"{other}/", root)]
        others = {file.path[skipped:]: self._others[file.number] for file in files if file.number in self._others}
        exclude = [f"{other}/" for other in nested]
        return {"path": self._path(root), "entries": entries, "exclude": exclude, "others": others}

    def _depends(self, number: int, project: _Project) -> list[int]:
        """The projects that a project sees, nearest first."""
        if project.module < 0:
            # Nothing says who sees whom, so everybody sees everybody, as in the syntactic layer.
            others = [other for other in range(len(self._projects)) if other != number]
            return sorted(others, key=lambda other: self._projects[other].sources != MAIN)
        found: list[int] = []
        wanted = [MAIN, FIXTURES, TEST] if project.sources not in (MAIN, TEST, FIXTURES) else [MAIN, FIXTURES]
        if project.sources == MAIN:
            wanted = []
        for sources in wanted:
            found.append(self._numbers.get((project.module, sources), number))
        for module in self._reachable(project.module, tests=project.sources != MAIN):
            for sources in (MAIN,) if project.sources == MAIN else (MAIN, FIXTURES):
                found.append(self._numbers.get((module, sources), number))
        return [other for other in dict.fromkeys(found) if other != number]

    def _reachable(self, module: int, *, tests: bool) -> list[int]:
        """The modules that a module depends on, nearest first; their tests are not followed."""
        found: dict[int, None] = {}
        queue = deque([module])
        while queue:
            current = queue.popleft()
            for other, only_tests in self._described[current].dependencies:
                if other != module and other not in found and (not only_tests or (tests and current == module)):
                    found[other] = None
                    queue.append(other)
        return list(found)

    def _gradle_level(self, module: Module | None) -> str:
        """The Java version that the nearest build script above names; '' when none does."""
        folder = module.root if module is not None else ""
        while True:
            for name in ("build.gradle", "build.gradle.kts"):
                manifest = self._manifests.get(_joined(folder, name))
                if manifest is not None and (level := _level(manifest)):
                    return level
            if not folder:
                return ""
            folder = folder.rpartition("/")[0]

    def _libraries(self, module: Module | None) -> list[str]:
        """Jars that lie in the repository beside the sources: nothing else is known to be on the class path."""
        folders = dict.fromkeys(("", module.root if module is not None else ""))
        found: list[str] = []
        for folder in folders:
            for name in _LIBRARY_FOLDERS:
                place = self._root / folder / name
                if place.is_dir() and not place.is_symlink():
                    found += [self._path(jar.relative_to(self._root).as_posix()) for jar in sorted(place.glob("*.jar"))]
        return found


def _types_of_other_names(indexed: Indexed) -> dict[int, list[str]]:
    """File -> its top-level types that are not called like the file: nobody finds these by their name alone."""
    kinds = ", ".join(str(int(kind)) for kind in sorted(TYPE_KINDS))
    paths = {file.number: file.path for file in indexed.files}
    found: dict[int, list[str]] = {}
    for definition, name in indexed.connection.execute(
        # A type with a parent that has none itself: the parent is the file.
        "SELECT one.id, one.name FROM definition one JOIN definition file ON file.id = one.parent"
        f" WHERE file.parent IS NULL AND one.kind IN ({kinds}) ORDER BY one.id"  # numbers
    ):
        path = paths.get(definition_file(definition), "")
        if path and name != path.rpartition("/")[2].removesuffix(".java"):
            found.setdefault(definition_file(definition), []).append(name)
    return found


def _level(manifest: Manifest) -> str:
    match = _LEVEL.search(manifest.data.decode("utf-8", "replace"))
    return match[1] if match is not None else ""


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def external_library(path: str, name: str) -> tuple[str, str, str]:
    """(package, version, symbol) of a target that lies in a file outside of the repository."""
    return Path(path).stem, "", name


ECOSYSTEM = Ecosystem(
    "java",
    ("java",),
    contexts,
    external_library,
    # Where some type that takes part in a call is missing, the compiler knows no binding.
    frozenset({"jdtls"}),
)
