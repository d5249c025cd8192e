"""Cargo workspaces of a repository, and which features of which member a choice of features switches on.

Source of the rules: the Cargo book, "Workspaces", "Features", "Specifying dependencies". Manifests alone are read: what
an external package does with its features changes nothing in the sources of the repository.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, TypeAlias, cast

from graph.link.world import Manifest

Table: TypeAlias = Mapping[str, Any]

_SECTIONS = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
_STEPS = 10_000
"""Most features that are looked at, over all members: manifests can be circular only by mistake, or to do harm."""


@dataclass(frozen=True)
class Dependency:
    """One entry of a member's dependency tables that leads to another member."""

    name: str
    """As `[features]` names it."""
    folder: str
    optional: bool
    defaults: bool
    features: tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """One package of a workspace."""

    folder: str
    name: str
    features: Mapping[str, tuple[str, ...]]
    """`[features]`, with those that optional dependencies are by themselves."""
    dependencies: tuple[Dependency, ...]
    required: Mapping[str, tuple[str, ...]]
    """Path or name of a target (`src/bin/x.rs`, `bin:x`) -> its `required-features`."""


@dataclass(frozen=True)
class Workspace:
    """One workspace, or a package that is alone."""

    folder: str
    """That of its root manifest, '' for the repository itself."""
    members: tuple[Member, ...]
    """By folder."""


@dataclass(frozen=True)
class Layout:
    """The workspaces of a repository, and what is in none."""

    workspaces: tuple[Workspace, ...]
    """By folder."""
    refused: Mapping[str, str]
    """Folder of a package that cargo builds in no workspace -> why."""


def layout(manifests: Sequence[Manifest]) -> Layout:
    """The workspaces that the manifests describe."""
    tables: dict[str, Table] = {}
    refused: dict[str, str] = {}
    for manifest in manifests:
        folder, name = posixpath.split(manifest.path)
        if name != "Cargo.toml":
            continue
        try:
            tables[folder] = tomllib.loads(manifest.data.decode("utf-8", "replace"))
        except tomllib.TOMLDecodeError as error:
            refused[folder] = f"{manifest.path} cannot be read: {error}"
    packages = [folder for folder in sorted(tables) if _name(tables[folder])]
    roots = {folder: _declared(folder, tables, packages) for folder in sorted(tables) if "workspace" in tables[folder]}
    taken = {folder for members in roots.values() for folder in members}
    for folder in packages:
        if folder in taken:
            continue
        around = _around(folder, tables)
        if around is None:
            roots[folder] = [folder]
        else:
            where = posixpath.join(around, "Cargo.toml")
            refused[folder] = f"cargo refuses this package: the workspace of {where} neither lists nor excludes it"
    found = [
        Workspace(root, tuple(_member(folder, tables, roots, root) for folder in sorted(members)))
        for root, members in sorted(roots.items())
        if members
    ]
    return Layout(tuple(found), refused)


def active_features(
    workspace: Workspace, chosen: Iterable[tuple[str, str]], defaults: bool
) -> Mapping[str, frozenset[str]]:
    """Folder of each member -> its features that are on when (folder, feature) are chosen.

    `defaults` are the default features of every member (Cargo book, "Features", "Feature unification").
    """
    members = {member.folder: member for member in workspace.members}
    on: dict[str, set[str]] = {folder: set() for folder in members}
    wanted = list(chosen)
    if defaults:
        wanted.extend((folder, "default") for folder, member in members.items() if "default" in member.features)
    switched: set[tuple[str, str]] = set()
    for member in workspace.members:
        for dependency in member.dependencies:
            if not dependency.optional:
                wanted.extend(_brought(dependency, members))
    for _ in range(_STEPS):
        if not wanted:
            break
        folder, feature = wanted.pop()
        member = members.get(folder)
        if member is None or feature in on[folder] or feature not in member.features:
            continue
        on[folder].add(feature)
        for entry in member.features[feature]:
            name, slash, inner = entry.removeprefix("dep:").partition("/")
            weak = name.endswith("?")
            name = name.rstrip("?")
            if not slash and not entry.startswith("dep:"):
                wanted.append((folder, name))
                continue
            for dependency in member.dependencies:
                if dependency.name != name:
                    continue
                if slash:
                    wanted.append((dependency.folder, inner))
                if not weak and (folder, name) not in switched:
                    switched.add((folder, name))
                    wanted.extend(_brought(dependency, members))
            if slash and not weak and name in member.features:
                wanted.append((folder, name))
    return {folder: frozenset(features) for folder, features in on.items()}


def _brought(dependency: Dependency, members: Mapping[str, Member]) -> list[tuple[str, str]]:
    if dependency.folder not in members:
        return []
    names = (*dependency.features, *(("default",) if dependency.defaults else ()))
    return [(dependency.folder, name) for name in names]


# -- reading ----------------------------------------------------------------------------------------------------------


def _table(value: object) -> Table:
    return cast(Table, value) if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return (
        tuple(item for item in cast("list[object]", value) if isinstance(item, str)) if isinstance(value, list) else ()
    )


def _name(table: Table) -> str:
    name = _table(table.get("package") or table.get("project")).get("name")
    return name if isinstance(name, str) else ""


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined


def _is_below(folder: str, above: str) -> bool:
    return not above or folder == above or folder.startswith(above + "/")


def _sections(table: Table) -> Iterable[tuple[str, object]]:
    for section in (table, *(_table(part) for part in _table(table.get("target")).values())):
        for key in _SECTIONS:
            yield from _table(section.get(key)).items()


def _declared(root: str, tables: Mapping[str, Table], packages: Sequence[str]) -> list[str]:
    """The folders of the members of a workspace: those listed, the root itself, path dependencies inside of it."""
    workspace = _table(tables[root].get("workspace"))
    excluded = [_join(root, path) for path in _texts(workspace.get("exclude"))]
    patterns = [_join(root, path) for path in _texts(workspace.get("members"))]
    found: dict[str, None] = {}
    pending = [
        folder
        for folder in packages
        if folder == root or any(_matches(folder, pattern) for pattern in patterns) or _points_at(folder, tables, root)
    ]
    while pending:
        folder = pending.pop(0)
        if folder in found or (folder != root and "workspace" in tables[folder]):
            continue
        if folder not in patterns and any(_is_below(folder, path) for path in excluded):
            continue
        found[folder] = None
        for name, value in _sections(tables[folder]):
            target = _folder_of(name, value, folder, root, tables)
            if target is not None and target in packages and _is_below(target, root):
                pending.append(target)
    return list(found)


def _points_at(folder: str, tables: Mapping[str, Table], root: str) -> bool:
    named = _table(tables[folder].get("package")).get("workspace")
    return isinstance(named, str) and _join(folder, named) == root


def _matches(folder: str, pattern: str) -> bool:
    parts, wanted = folder.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _around(folder: str, tables: Mapping[str, Table]) -> str | None:
    """The workspace that cargo takes a package for a part of, since its folder lies in it."""
    current: str = folder
    while current:
        current = posixpath.dirname(current)
        if "workspace" in tables.get(current, {}):
            excluded = _texts(_table(tables[current].get("workspace")).get("exclude"))
            if not any(_is_below(folder, _join(current, path)) for path in excluded):
                return current
    return None


def _folder_of(name: str, value: object, folder: str, root: str, tables: Mapping[str, Table]) -> str | None:
    """The folder that a dependency names by its path, in the manifest or in that of the workspace."""
    table = _table(value)
    if table.get("workspace") is True:
        shared = _table(_table(_table(tables[root].get("workspace")).get("dependencies")).get(name))
        path = shared.get("path")
        return _join(root, path) if isinstance(path, str) else None
    path = table.get("path")
    return _join(folder, path) if isinstance(path, str) else None


def _member(folder: str, tables: Mapping[str, Table], roots: Mapping[str, Sequence[str]], root: str) -> Member:
    table = tables[folder]
    features = {name: _texts(value) for name, value in _table(table.get("features")).items()}
    named = {entry.removeprefix("dep:") for value in features.values() for entry in value if entry.startswith("dep:")}
    shared = _table(_table(tables[root].get("workspace")).get("dependencies"))
    dependencies: list[Dependency] = []
    for name, value in _sections(table):
        own = _table(value)
        inherited = _table(shared.get(name) if own.get("workspace") is True else None)
        optional = own.get("optional") is True
        if optional and name not in named:
            features.setdefault(name, (f"dep:{name}",))
        target = _folder_of(name, value, folder, root, tables)
        if target is None or target not in roots[root]:
            continue
        defaults = own.get("default-features", inherited.get("default-features", True)) is not False
        wanted = (*_texts(inherited.get("features")), *_texts(own.get("features")))
        dependencies.append(Dependency(name, target, optional, defaults, wanted))
    required = {
        key: _texts(target.get("required-features"))
        for kind in ("bin", "example", "test", "bench")
        for target in map(_table, cast("list[object]", table.get(kind) or []))
        if target.get("required-features")
        for key in _target_keys(kind, folder, target)
    }
    return Member(folder, _name(table), features, tuple(dependencies), required)


def _target_keys(kind: str, folder: str, target: Table) -> list[str]:
    """The paths at which the root file of a target may lie (Cargo book, "Cargo targets")."""
    path, name = target.get("path"), target.get("name")
    if isinstance(path, str):
        return [_join(folder, path)]
    where = {"bin": "src/bin", "example": "examples", "test": "tests", "bench": "benches"}[kind]
    return [_join(folder, f"{where}/{name}.rs"), _join(folder, f"{where}/{name}/main.rs")]
