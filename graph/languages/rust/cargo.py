"""Cargo packages of a repository: their crates, and what name stands for what dependency.

Source of the rules: the Cargo book, "The manifest format", "Cargo targets", "Specifying dependencies", "Workspaces".
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from graph.link.world import Manifest

Table: TypeAlias = Mapping[str, Any]

_TARGETS = (
    ("bin", "src/bin", "autobins"), ("example", "examples", "autoexamples"), ("test", "tests", "autotests"),
    ("bench", "benches", "autobenches"),
)  # fmt: skip
"""Kind of crate, folder in which it is found by itself, key that switches this off (Cargo book, "Cargo targets")."""


@dataclass(frozen=True)
class Dependency:
    """What one name in a manifest's dependency tables stands for."""

    package: str
    """Name of the package as the registry knows it."""
    folder: str | None
    """Folder of the package in this repository, or None when it comes from elsewhere."""
    renamed: bool


@dataclass(frozen=True)
class Crate:
    """One compilation unit: a library, binary, test, example, benchmark or build script."""

    root: str
    """Path of its root file."""
    kind: str
    """`lib`, `bin`, `test`, `example`, `bench` or `build`."""
    package: Package


@dataclass
class Package:
    """One package with its crates."""

    folder: str
    name: str
    edition: str
    library: str
    """Name of its library crate as source code writes it."""
    dependencies: dict[str, Dependency] = field(default_factory=dict[str, Dependency])
    crates: list[Crate] = field(default_factory=list[Crate])

    @property
    def library_root(self) -> str | None:
        """Path of the root file of its library, if it has one."""
        return next((crate.root for crate in self.crates if crate.kind == "lib"), None)


def packages(manifests: Sequence[Manifest], paths: Iterable[str]) -> list[Package]:
    """All packages that the manifests describe, by folder. A manifest that cannot be read describes none."""
    tables = {posixpath.dirname(m.path): table for m in manifests if (table := _parse(m)) is not None}
    files = sorted(path for path in paths if path.endswith(".rs"))
    found: list[Package] = []
    for folder in sorted(tables):
        package = _package(folder, tables)
        if package is not None:
            package.crates = _crates(package, tables[folder], [path for path in files if _inside(path, folder)])
            found.append(package)
    return found


def _parse(manifest: Manifest) -> Table | None:
    if posixpath.basename(manifest.path) != "Cargo.toml":
        return None
    try:
        return tomllib.loads(manifest.data.decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return None


def _inside(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _table(value: object) -> Table:
    return cast(Table, value) if isinstance(value, dict) else {}


def _text(value: object, default: str) -> str:
    return value if isinstance(value, str) else default


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _workspace(folder: str, tables: Mapping[str, Table], package: Table) -> tuple[str, Table]:
    """The workspace that a package belongs to: the folder and table of its root manifest."""
    named = package.get("workspace")
    if isinstance(named, str):
        root = _join(folder, named)
        return root, tables.get(root, {})
    current: str = folder
    while True:
        table = tables.get(current)
        if table is not None and "workspace" in table:
            return current, table
        if not current:
            return "", {}
        current = posixpath.dirname(current)


def _package(folder: str, tables: Mapping[str, Table]) -> Package | None:
    table = tables[folder]
    described = _table(table.get("package") or table.get("project"))
    name = described.get("name")
    if not isinstance(name, str):
        return None
    root, workspace = _workspace(folder, tables, described)
    shared = _table(workspace.get("workspace"))
    edition = described.get("edition", "2015")
    if isinstance(edition, dict):
        edition = _table(shared.get("package")).get("edition", "2015")
    library = _text(_table(table.get("lib")).get("name"), name).replace("-", "_")
    package = Package(folder, name, _text(edition, "2015"), library)
    patches = _patches(root, workspace)
    sections = [table, *(_table(part) for part in _table(table.get("target")).values())]
    for section in sections:
        for key in ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"):
            for written, value in _table(section.get(key)).items():
                dependency = _dependency(written, value, folder, root, _table(shared.get("dependencies")), patches)
                package.dependencies.setdefault(_extern_name(dependency, written, tables), dependency)
    return package


def _patches(root: str, workspace: Table) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in _table(workspace.get("patch")).values():
        for key, value in _table(source).items():
            path = _table(value).get("path")
            if isinstance(path, str):
                found[_text(_table(value).get("package"), key)] = _join(root, path)
    return found


def _dependency(
    written: str, value: object, folder: str, root: str, shared: Table, patches: Mapping[str, str]
) -> Dependency:
    table = _table(value)
    renamed = "package" in table
    name = _text(table.get("package"), written)
    path = table.get("path")
    target = _join(folder, path) if isinstance(path, str) else None
    if table.get("workspace") is True:
        inherited = _table(shared.get(written))
        renamed = renamed or "package" in inherited
        name = _text(inherited.get("package"), name)
        path = inherited.get("path")
        target = _join(root, path) if isinstance(path, str) else None
    return Dependency(name, target if target is not None else patches.get(name), renamed)


def _extern_name(dependency: Dependency, written: str, tables: Mapping[str, Table]) -> str:
    """The name that source code uses: the key when the dependency is renamed, the library's own name otherwise."""
    if not dependency.renamed and dependency.folder is not None:
        library = _table(tables.get(dependency.folder, {}).get("lib")).get("name")
        if isinstance(library, str):
            return library.replace("-", "_")
    return written.replace("-", "_")


def _crates(package: Package, table: Table, files: Sequence[str]) -> list[Crate]:
    described = _table(table.get("package"))
    folder = package.folder
    known = set(files)
    roots: dict[str, str] = {}

    def add(kind: str, path: str) -> None:
        if path in known:
            roots.setdefault(path, kind)

    add("lib", _join(folder, _text(_table(table.get("lib")).get("path"), "src/lib.rs")))
    build = described.get("build", "build.rs")
    if isinstance(build, str):
        add("build", _join(folder, build))
    for kind, directory, automatic in _TARGETS:
        targets = table.get(kind)
        for target in cast("list[object]", targets) if isinstance(targets, list) else ():
            entry = _table(target)
            path, name = entry.get("path"), _text(entry.get("name"), "")
            if isinstance(path, str):
                add(kind, _join(folder, path))
            else:
                add(kind, _join(folder, f"{directory}/{name}.rs"))
                add(kind, _join(folder, f"{directory}/{name}/main.rs"))
        if kind == "bin" and described.get(automatic) is not False:
            add("bin", _join(folder, "src/main.rs"))
        base = _join(folder, directory) + "/"
        for path in files if described.get(automatic) is not False else ():
            if path.startswith(base):
                rest = path[len(base) :]
                if "/" not in rest or (rest.count("/") == 1 and rest.endswith("/main.rs")):
                    add(kind, path)
    return [Crate(path, kind, package) for path, kind in roots.items()]
